#!/bin/sh
# Unpacks one server of another Debian suite into a folder, with its own loader and
# libraries, without touching this system:
#
#   servers.sh FOLDER SUITE PACKAGE BINARY     e.g. servers.sh /tmp/valkey trixie valkey-tools valkey-check-aof
#
# Valkey's and Redis's check tools are the server's own binary: it looks at the name
# it was started by. FOLDER/run starts it. The mirror is the one this machine uses.
set -eu
folder=$1 suite=$2 package=$3 binary=$4
[ -x "$folder/run" ] && exit 0
command -v apt-get >/dev/null 2>&1 || { echo "servers: no apt-get here" >&2; exit 1; }
# shellcheck disable=SC2016 # apt's own placeholder
site=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep -v security | sort -u | head -n 1)
[ -n "$site" ] || { echo "servers: apt has no mirror" >&2; exit 1; }
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/root"
: >"$apt/status"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$site" "$suite" >"$apt/sources.list"
private() {
	apt-get -qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$apt/lists" \
		-o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}
private update >/dev/null
private -y --no-install-recommends --download-only install "$package" libc6 >/dev/null
for deb in "$apt"/cache/archives/*.deb; do
	dpkg -x "$deb" "$folder/root"
done
loader=$(find "$folder/root" -name 'ld-linux-x86-64.so.2' -path '*/x86_64-linux-gnu/*' | head -n 1)
[ -n "$loader" ] || loader=$(find "$folder/root" -name 'ld-linux-x86-64.so.2' -type f | head -n 1)
program=$(find "$folder/root" -name "$binary" | head -n 1)
if [ -z "$loader" ] || [ -z "$program" ]; then
	echo "servers: $package of $suite has no $binary" >&2
	exit 1
fi
libraries=$(find "$folder/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
name=redis-server
case $binary in valkey*) name=valkey-server ;; esac
# Loaders before glibc 2.33 cannot be told another name: the link has it.
ln -sf "$program" "$folder/$name"
printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "$libraries" "$folder/$name" >"$folder/run"
chmod 755 "$folder/run"
rm -rf "$apt"
