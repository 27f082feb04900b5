#!/bin/sh
# Installs what the tests and the demo use and this machine lacks: quietly, and
# only with a package manager it knows. What stays missing is said, not hidden.
set -eu
missing=
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need redis-server redis-server
need redis-cli redis-tools
need gcc gcc
need strace strace
need ip iproute2
need iptables iptables
need unshare util-linux
need setpriv util-linux
need chronyd chrony
need busybox busybox
need shellcheck shellcheck
need ssh-keygen openssh-client
need jq jq
need psql postgresql
need chromium chromium
[ -n "$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing="$missing postgresql"
# Real lock libraries, for the drills with real locks: redis-py by the system's
# packages, Node's by npm. Where there is no Node they are reported as not run.
/usr/bin/python3 -c 'import redis' 2>/dev/null || missing="$missing python3-redis"
clients=$(dirname "$0")/clients/node
if command -v npm >/dev/null 2>&1 && [ ! -d "$clients/node_modules/bullmq" ]; then
	(cd "$clients" && npm ci --silent >/dev/null 2>&1) || echo "setup: npm could not install the lock libraries of Node" >&2
fi
[ -z "$missing" ] && exit 0
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
	echo "setup: not installed, and this account or system cannot install: $missing" >&2
	exit 0
fi
echo "setup: installing $missing" >&2
export DEBIAN_FRONTEND=noninteractive
# An installed redis-server must not start a server of its own.
policy=/usr/sbin/policy-rc.d
made=
if [ ! -e $policy ]; then
	printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy && made=1
fi
apt-get update -qq >/dev/null && apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
	echo "setup: apt-get could not install: $missing" >&2
}
[ -z "$made" ] || rm -f $policy
