package dialect

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestNodeRedlock(t *testing.T) {
	d := nodeRedlock()
	const value = "9f0c2d7e5b1a4c3d8e6f708192a3b4c5"
	r := wantFit(t, d, expiring("locks:account:7", value), evidence.Possible)
	if r.Dialect.Holders[0].Text != value || r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByCall || r.Dialect.Endless {
		t.Errorf("it says %+v", r.Dialect)
	}
	if keys := d.Keys("locks:account:7"); len(keys) != 1 || keys[0] != "locks:account:7" {
		t.Errorf("keys %q", keys)
	}
	endless, hash := expiring("k", value), expiring("k", value)
	endless.Endless, hash.Type = true, "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"capital letters": expiring("k", strings.ToUpper(value)),
		"one letter off":  expiring("k", value[:31]+"g"),
		"one more":        expiring("k", value+"0"),
		"redis-py's":      expiring("k", pyToken(noon().Add(-time.Minute), "0242ac110002")),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring("k", value))
}

// A random value that has the two digits of a version 1, and a time that cannot be.
func TestNodeRedlockLikeVersionOne(t *testing.T) {
	wantFit(t, nodeRedlock(), expiring("k", "9f0c2d7e5b1a1c3d8e6f708192a3b4c5"), evidence.Possible)
}
