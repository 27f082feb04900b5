#!/bin/sh
# Builds what people install, into dist/: static binaries, Debian packages, the
# licences of what is linked in, and the sums of all. `make dist` calls it.
#
#	sh docs/packaging/dist.sh [OUT [OS/ARCH]...]
#
# One commit and one Go release give the same bytes, in whatever folder and on
# whatever machine. What a missing tool keeps from being made is named, and the
# exit code is 1 then.
set -eu
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C TZ=UTC CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0
out=${1:-dist}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- linux/amd64 linux/arm64 darwin/arm64 darwin/amd64
command -v go >/dev/null 2>&1 || { echo "dist: go is not installed: nothing was built" >&2; exit 1; }
code=0
without() { echo "dist: $1 is not installed: left out $2" >&2; code=1; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

# Said on the command line, so that GOFLAGS cannot unsay it. Outside a checkout
# there is no commit to record.
vcs=false
[ ! -e .git ] || vcs=true
build() { GOOS=${1%/*} GOARCH=${1#*/} go build -trimpath -buildvcs=$vcs -ldflags='-s -w' -o "$2" .; }

# All are built before anything is put into OUT, which may lie in the checkout:
# a new file there would make the next binary say that it is of no commit.
here=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
build "$here" "$tmp/lockscene"
version=$(go version -m "$tmp/lockscene" | awk '$1 == "mod" { print $3 }' | tr -d '()')
mkdir "$tmp/bin"
for target; do
	binary=$tmp/bin/lockscene-$version-${target%/*}-${target#*/}
	if [ "$target" = "$here" ]; then
		cp "$tmp/lockscene" "$binary"
	else
		build "$target" "$binary"
	fi
done
sh docs/packaging/licences.sh "$tmp"/bin/* >"$tmp/bin/lockscene-$version-licences.txt"
mkdir -p "$out"
rm -rf "$out"/lockscene[-_]* "$out/SHA256SUMS"
mv "$tmp"/bin/* "$out"

if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
	SOURCE_DATE_EPOCH=0
	[ $vcs = false ] || SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
fi
export SOURCE_DATE_EPOCH
for target; do
	[ "${target%/*}" = linux ] || continue
	# Debian wants a tilde before a pre-release and keeps the hyphen for its own part.
	deb=lockscene_$(echo "${version#v}" | sed 's/-/~/; s/-/./g')-1_${target#*/}.deb
	for tool in dpkg-deb md5sum; do
		command -v $tool >/dev/null 2>&1 || { without $tool "$deb"; continue 2; }
	done
	sh docs/packaging/deb.sh "$out" "$version" "$deb" "$tmp/lockscene"
done

cd "$out"
if command -v sha256sum >/dev/null 2>&1; then
	sha256sum lockscene[-_]* >SHA256SUMS
elif command -v shasum >/dev/null 2>&1; then
	shasum -a 256 lockscene[-_]* >SHA256SUMS
else
	without sha256sum SHA256SUMS
fi
exit $code
