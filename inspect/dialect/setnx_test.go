package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestSetNX(t *testing.T) {
	d := setNX()
	r := wantFit(t, d, expiring("lock:report", "quince-3:41207:9b1e77c4"), evidence.Possible)
	h := r.Dialect.Holders[0]
	if h.Host != "quince-3" || h.Pid != 41207 || h.Text != "quince-3:41207:9b1e77c4" {
		t.Errorf("holder %+v", h)
	}
	if r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != "" || len(r.Dialect.Notes) != 0 {
		t.Errorf("it claims to know the lease: %+v", r.Dialect)
	}
	if r := wantFit(t, d, expiring("lock:report", "1"), evidence.Possible); len(r.Dialect.Notes) != 1 {
		t.Errorf("a value that is everybody's goes unremarked: %q", r.Dialect.Notes)
	}

	endless := expiring("lock:report", "worker seven")
	endless.Endless = true
	hash := expiring("lock:report", "worker seven")
	hash.Type = "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"empty":            expiring("k", ""),
		"a document":       expiring("k", strings.Repeat("x y ", 257)),
		"redsync's":        expiring("k", "q83vEjRWeJCrze8SNFZ4kA=="),
		"rueidislock's":    expiring("rueidislock:0:k", strings.Repeat("\x80", 24)),
		"of no type known": {Key: "k", Value: "worker seven"},
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring("lock:report", "worker seven"))
}
