package dialect

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestLockTake(t *testing.T) {
	d := lockTake()
	good := expiring("orders", someUUID)
	r := wantFit(t, d, good, evidence.Possible)
	if r.Dialect.Holders[0].Text != someUUID || r.Dialect.Renews != evidence.ByCall || r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 {
		t.Errorf("%+v", r.Dialect)
	}
	endless, set := good, good
	endless.Endless, set.Type = true, "set"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": set,
		"a machine's name": expiring("orders", "WEB-3"),
		"one letter off":   expiring("orders", "g"+someUUID[1:]),
		"more behind it":   expiring("orders", someUUID+":1"),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, good)
}
