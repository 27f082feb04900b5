package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestRedlockPy(t *testing.T) {
	d := redlockPy()
	const value = "aB3dE5fG7hJ9kL1mN3pR5t"
	r := nxFit(t, d, nxExpiring("report", value), evidence.Possible)
	if r.Dialect.Holders[0].Text != value || r.Dialect.Lease != 0 || r.Dialect.Renews != evidence.NeverRenews {
		t.Errorf("it says %+v", r.Dialect)
	}
	if len(r.Because) != 2 || !strings.Contains(r.Because[1], "redislock") {
		t.Errorf("because %q", r.Because)
	}
	if r := nxFit(t, d, nxExpiring("report", value[:21]+"Q"), evidence.Possible); len(r.Because) != 1 {
		t.Errorf("what may be redislock's is said not to be: %q", r.Because)
	}
	endless, list := nxExpiring("k", value), nxExpiring("k", value)
	endless.Endless, list.Type = true, "list"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": list,
		"redislock's": nxExpiring("k", value[:21]+"-"),
		"one more":    nxExpiring("k", value+"1"),
		"one less":    nxExpiring("k", value[:21]),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	nxSurvive(t, d, nxExpiring("k", value))
}
