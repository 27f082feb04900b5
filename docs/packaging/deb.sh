#!/bin/sh
# Packs one static binary as a Debian package. dist.sh calls it.
#
#	sh docs/packaging/deb.sh OUT VERSION NAME_DEBVERSION_ARCH.deb NATIVE-BINARY
#
# The native binary prints the completions. The maintainer's address is that of
# whoever builds, by Debian's own variables DEBFULLNAME and DEBEMAIL.
set -eu
out=$1 version=$2 deb=$3 native=$4
rest=${deb#*_}
debversion=${rest%_*} arch=${rest##*_}
arch=${arch%.deb}
root=$(mktemp -d)
chmod 755 "$root"
trap 'rm -rf "$root"' EXIT
trap 'exit 1' INT TERM HUP
share=$root/usr/share
doc=$share/doc/lockscene
put() { mkdir -p "${2%/*}" && cat "$1" >"$2"; }
packed() { mkdir -p "${2%/*}" && gzip -9n <"$1" >"$2"; }
maintainer=${DEBFULLNAME:-The lockscene authors}${DEBEMAIL:+ <$DEBEMAIL>}

put "$out/lockscene-$version-linux-$arch" "$root/usr/bin/lockscene"
chmod 755 "$root/usr/bin/lockscene"
packed "$out/lockscene-$version-licences.txt" "$doc/licences.gz"
put README.md "$doc/README.md"
packed CHANGELOG.md "$doc/changelog.gz"
{
	cat LICENSE
	printf '\nThe licences of what is linked into the program are in licences.gz.\n'
} >"$doc/copyright"
when=$(date -u -R -d "@$SOURCE_DATE_EPOCH" 2>/dev/null || date -u -R -r "$SOURCE_DATE_EPOCH")
printf 'lockscene (%s) unstable; urgency=medium\n\n  * %s; changelog.gz says what is new.\n\n -- %s  %s\n' \
	"$debversion" "$version" "$maintainer" "$when" | gzip -9n >"$doc/changelog.Debian.gz"
# A Go program without cgo links nothing at run time: that is why it has no Depends.
mkdir -p "$share/lintian/overrides"
echo 'lockscene: statically-linked-binary [usr/bin/lockscene]' >"$share/lintian/overrides/lockscene"
for file in docs/*.md docs/labels/*.md docs/pictures/*.svg; do
	put "$file" "$doc/$file"
done

for shell in bash-completion/completions/lockscene zsh/vendor-completions/_lockscene fish/vendor_completions.d/lockscene.fish; do
	name=${shell%%/*}
	if "$native" completion "${name%-completion}" >"$root/completion" 2>/dev/null; then
		put "$root/completion" "$share/$shell"
	fi
	rm -f "$root/completion"
done
if make -n man >/dev/null 2>&1; then
	make -s man MANDIR="$root/man" >/dev/null
	for page in "$root"/man/*.1; do
		[ ! -f "$page" ] || packed "$page" "$share/man/man1/${page##*/}.gz"
	done
	rm -rf "$root/man"
fi

mkdir "$root/DEBIAN"
kib=$(find "$root/usr" -type f -exec wc -c {} \; | awk '{ n += int(($1 + 1023) / 1024) } END { print n }')
cat >"$root/DEBIAN/control" <<CONTROL
Package: lockscene
Version: $debversion
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $kib
Section: admin
Priority: optional
Description: read-only incident diagnostics for Redis distributed locks
 Lockscene looks at a Redis lock that is stuck, lost or held twice: at the key,
 its coordinator, its owner on this host and both clocks. It names the failure
 and freezes the evidence in one file. It never writes to Redis or to the owner.
 .
 It also judges what was pasted into a ticket, prints a shell script for hosts
 where nothing may be installed, and checks and redraws such files.
CONTROL
(cd "$root" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
# gzip: its bytes do not depend on how many processors the machine has.
dpkg-deb -Zgzip --root-owner-group --build "$root" "$out/$deb" >/dev/null
