#!/bin/sh
# Breaks a real lock and shows what lockscene says of it. Where a server cannot
# be had, or the lock cannot be broken, a recorded incident is judged instead,
# and that is said.
set -eu
cd "$(dirname "$0")/.."
recorded() {
	echo "demo: $1; judging a recorded incident instead: testdata/incidents/oom-kill.tar.gz"
	code=0
	./lockscene classify testdata/incidents/oom-kill.tar.gz || code=$?
	[ $code = 3 ] && echo "demo: exit code 3, a failure is named" && exit 0
	exit $code
}
[ "$(uname -s)" = Linux ] || recorded "this is not Linux, whose /proc shows the owner"
[ -n "${LOCKSCENE_DEMO_RECORDED:-}" ] && recorded "asked for by LOCKSCENE_DEMO_RECORDED"
sh testdata/setup.sh
command -v redis-server >/dev/null 2>&1 || recorded "redis-server is not installed and cannot be"
command -v redis-cli >/dev/null 2>&1 || recorded "redis-cli is not installed and cannot be"

dir=$(mktemp -d)
server= ; worker=
cleanup() {
	[ -z "$worker" ] || kill -9 "$worker" 2>/dev/null || true
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP PIPE
# A port where nobody listens, and proof that the server that answers is ours:
# the demo must never write to somebody else's Redis.
port=17399
while redis-cli -p $port PING >/dev/null 2>&1; do
	port=$((port + 1))
	[ $port -lt 17499 ] || recorded "no free port"
done
redis-server --port $port --bind 127.0.0.1 --save '' --appendonly no --dir "$dir" >"$dir/redis.log" 2>&1 &
server=$!
tries=0
until redis-cli -p $port INFO server 2>/dev/null | tr -d '\r' | grep -qx "process_id:$server"; do
	tries=$((tries + 1))
	[ $tries -lt 200 ] || recorded "redis-server did not start: $(tail -n 1 "$dir/redis.log")"
	sleep 0.05
done

# A worker that holds lock:demo for 6 s at a time and renews it every 2 s.
cat >"$dir/worker" <<WORKER
me=\$(hostname):\$\$:demo
redis-cli -p $port SET lock:demo "\$me" NX PX 6000 >/dev/null
while :; do
	n=0; while [ \$n -lt 20000 ]; do n=\$((n + 1)); done
	sleep 2
	redis-cli -p $port EVAL 'if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("pexpire",KEYS[1],ARGV[2]) end return 0' 1 lock:demo "\$me" 6000 >/dev/null
done
WORKER
sh "$dir/worker" &
worker=$!
tries=0
until [ "$(redis-cli -p $port EXISTS lock:demo)" = 1 ]; do
	tries=$((tries + 1)); [ $tries -lt 200 ] || recorded "the worker did not take its lock"; sleep 0.05
done
echo "demo: pid $worker holds lock:demo, a lease of 6 s, renewed every 2 s"
sleep 3
kill -9 "$worker"
echo "demo: killed it with SIGKILL; the lock is still held in its name"
echo
echo "\$ lockscene inspect lock:demo --redis 127.0.0.1:$port --pid $worker --lease 6s --renew-every 2s"
code=0
./lockscene inspect lock:demo --redis 127.0.0.1:$port --pid "$worker" --lease 6s --renew-every 2s --out lockscene-demo.tar.gz || code=$?
echo
echo "demo: exit code $code (3: a failure is named)"
echo "demo: in the bundle, lockscene-demo.tar.gz:"
tar tzf lockscene-demo.tar.gz | grep -v '/$' | sed 's/^[^/]*/  …/' | head -60
echo
./lockscene evidence verify lockscene-demo.tar.gz
[ $code = 3 ]
