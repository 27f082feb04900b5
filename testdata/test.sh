#!/bin/sh
# The whole suite: unit, script, fuzz (short) and drill tests.
set -eu
# Each fuzz test for a moment, two at a time.
fuzz() {
	pkg=$1 f=$2
	echo "fuzz $pkg $f $FUZZTIME"
	# A run whose time is up while an input is being tried ends with "context
	# deadline exceeded" and no input: that is the clock, not a finding.
	out=$(go test -run '^$' -fuzz "^$f\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 10x -parallel 1 "$pkg" 2>&1) || {
		printf '%s\n' "$out"
		printf '%s\n' "$out" | grep -q 'Failing input written' && exit 1
		printf '%s\n' "$out" | grep -q 'context deadline exceeded' || exit 1
	}
}
if [ "${1:-}" = fuzz ]; then
	fuzz "$2" "$3"
	exit
fi
go test . ./...
FUZZTIME=${FUZZTIME:-1s}
export FUZZTIME
for pkg in $(grep -rl --include='*_test.go' '^func Fuzz' . | sed 's|/[^/]*$||' | sort -u); do
	for f in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
		echo "$pkg $f"
	done
done | xargs -n 2 -P 2 sh "$0" fuzz
# What go test leaves out where a tool is missing shows only with -v: it is said here.
missing() { command -v "$1" >/dev/null 2>&1 || echo "NOT RUN, $1 is not here: $2"; }
missing chromium "the HTML pages in a real browser"
missing promtool "promtool's own look at the metrics and the sample alerts; Prometheus' parser has read the metrics"
missing dpkg-deb "the Debian package"
missing jq "commands of the documentation that use it"
# The table is shown whatever happens: what this machine could not break stands
# in it as not run, with the reason.
table=$(mktemp)
code=0
go test ./testdata/drill -count=1 -timeout 20m -args -table "$table" -proof-runs 10 || code=$?
cat "$table"
rm -f "$table"
exit $code
