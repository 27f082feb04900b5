package dialect

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

const someUUID = "3f0c2d7e-5b1a-4c3d-8e6f-708192a3b4c5"

func TestRedlockNet(t *testing.T) {
	d := redlockNet()
	if got := d.Keys("orders"); got[0] != "redlock:orders" || got[1] != "orders" {
		t.Errorf("keys %q", got)
	}
	good := expiring("redlock:orders", someUUID)
	r := wantFit(t, d, good, evidence.FitsWell)
	if r.Dialect.Share != 0.5 || r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByItself {
		t.Errorf("the timer goes by half of the caller's lease: %+v", r.Dialect)
	}
	if r.Dialect.Holders[0].Text != someUUID {
		t.Errorf("holder %+v", r.Dialect.Holders)
	}
	wantFit(t, d, expiring("orders", someUUID), evidence.Possible)
	wantFit(t, d, expiring("redlock:", someUUID), evidence.Possible)
	endless, hash := good, good
	endless.Endless, hash.Type = true, "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"by time, not random": expiring("redlock:orders", "3f0c2d7e-5b1a-1c3d-8e6f-708192a3b4c5"),
		"one digit short":     expiring("redlock:orders", someUUID[1:]),
		"one letter off":      expiring("redlock:orders", "g"+someUUID[1:]),
		"in capitals":         expiring("redlock:orders", "3F0C2D7E-5B1A-4C3D-8E6F-708192A3B4C5"),
		"without dashes":      expiring("redlock:orders", "3f0c2d7e5b1a4c3d8e6f708192a3b4c5"),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, good)
}
