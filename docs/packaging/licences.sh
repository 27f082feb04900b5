#!/bin/sh
# Prints the licence of this program and of everything that is linked into the
# given binaries: whoever passes one on passes these texts on too.
#
#	sh docs/packaging/licences.sh BINARY...
set -eu
cd "$(dirname "$0")/../.."
part() { printf '\n%s\n%s\n\n' "----------------------------------------------------------------" "$1"; }
echo "lockscene is under the MIT licence. Linked into it are the Go runtime and the"
echo "modules named below, each under its own."
part lockscene
cat LICENSE
part "The Go runtime and standard library"
cat "$(go env GOROOT)/LICENSE"
modules=$(go version -m "$@" | awk '$1 == "dep" { print $2 }' | sort -u)
# shellcheck disable=SC2086 # one word each
go list -m -f '{{.Path}} {{.Version}} {{.Dir}}' $modules | while read -r path version dir; do
	found=
	for file in "$dir"/LICEN[CS]E* "$dir"/COPYING* "$dir"/NOTICE*; do
		[ -f "$file" ] || continue
		found=1
		part "$path $version, ${file##*/}"
		tr -d '\r' <"$file"
	done
	[ -n "$found" ] || { echo "dist: $path has no licence beside its source" >&2; exit 1; }
done
