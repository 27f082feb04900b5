package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestRedlockPy(t *testing.T) {
	d := redlockPy()
	const value = "aB3dE5fG7hJ9kL1mN3pR5t"
	r := wantFit(t, d, expiring("report", value), evidence.Possible)
	if r.Dialect.Holders[0].Text != value || r.Dialect.Lease != 0 || r.Dialect.Renews != evidence.NeverRenews {
		t.Errorf("it says %+v", r.Dialect)
	}
	if len(r.Because) != 2 || !strings.Contains(r.Because[1], "redislock") {
		t.Errorf("because %q", r.Because)
	}
	if r := wantFit(t, d, expiring("report", value[:21]+"Q"), evidence.Possible); len(r.Because) != 1 {
		t.Errorf("what may be redislock's is said not to be: %q", r.Because)
	}
	endless, list := expiring("k", value), expiring("k", value)
	endless.Endless, list.Type = true, "list"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": list,
		"redislock's": expiring("k", value[:21]+"-"),
		"one more":    expiring("k", value+"1"),
		"one less":    expiring("k", value[:21]),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring("k", value))
}
