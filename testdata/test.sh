#!/bin/sh
# The whole suite: unit, script, fuzz (short) and drill tests.
set -eu
go test . ./...
fuzz=${FUZZTIME:-1s}
for pkg in $(grep -rl --include='*_test.go' '^func Fuzz' . | sed 's|/[^/]*$||' | sort -u); do
	for f in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
		echo "fuzz $pkg $f $fuzz"
		# A run whose time is up while an input is being tried ends with "context
		# deadline exceeded" and no input: that is the clock, not a finding.
		out=$(go test -run '^$' -fuzz "^$f\$" -fuzztime "$fuzz" -fuzzminimizetime 10x -parallel 2 "$pkg" 2>&1) || {
			printf '%s\n' "$out"
			printf '%s\n' "$out" | grep -q 'Failing input written' && exit 1
			printf '%s\n' "$out" | grep -q 'context deadline exceeded' || exit 1
		}
	done
done
# The table is shown whatever happens: what this machine could not break stands
# in it as not run, with the reason.
table=$(mktemp)
code=0
go test ./testdata/drill -count=1 -timeout 20m -args -table "$table" -proof-runs 10 || code=$?
cat "$table"
rm -f "$table"
exit $code
