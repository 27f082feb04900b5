package dialect

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestGoZero(t *testing.T) {
	d := goZero()
	good := expiring("orders", "aB3dE6gH9jK2mN5p")
	r := wantFit(t, d, good, evidence.Possible)
	if r.Dialect.Holders[0].Text != good.Value || r.Dialect.Renews != evidence.ByCall || r.Dialect.Lease != 0 || len(r.Dialect.Notes) != 0 {
		t.Errorf("%+v", r.Dialect)
	}
	short := good
	short.Left = 480 * time.Millisecond
	if r := wantFit(t, d, short, evidence.Possible); len(r.Dialect.Notes) != 1 || r.Dialect.Lease != 0 {
		t.Errorf("half a second goes unremarked: %+v", r.Dialect)
	}
	endless, hash := good, good
	endless.Endless, hash.Type = true, "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"15":          expiring("orders", "aB3dE6gH9jK2mN5"),
		"17":          expiring("orders", "aB3dE6gH9jK2mN5pq"),
		"a dash":      expiring("orders", "aB3dE6gH-jK2mN5p"),
		"two bytes é": expiring("orders", "aB3dE6gHé9jK2mN"),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, good)
}
