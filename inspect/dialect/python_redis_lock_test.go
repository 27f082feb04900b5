package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestPythonRedisLock(t *testing.T) {
	d := pythonRedisLock()
	const value = "rKjWvsxz5U4zlc7EMlM9j2+m"
	key := d.Keys("nightly")[0]
	s := expiring(key, value)
	s.Endless = true
	r := wantFit(t, d, s, evidence.FitsWell)
	if r.Dialect.Holders[0].Text != value || !r.Dialect.Endless || r.Dialect.Lease != 0 || r.Dialect.Share != 0 || r.Dialect.Renews != evidence.ByCall {
		t.Errorf("it says %+v", r.Dialect)
	}
	raw := wantFit(t, d, expiring(key, "\x00\x01\x02\x03\xff\xfe\xfd\xfc0123456\x1b"), evidence.FitsWell)
	if !strings.Contains(raw.Because[0], "version 3") {
		t.Errorf("because %q", raw.Because)
	}

	r.Learn(&r, Answers{"TYPE lock-signal:nightly": {Kind: '+', Str: "none"}})
	if len(r.Dialect.Notes) != 1 {
		t.Errorf("no signal, and it says %q", r.Dialect.Notes)
	}
	r.Learn(&r, Answers{"TYPE lock-signal:nightly": {Kind: '+', Str: "list"}, "PTTL lock-signal:nightly": number(640)})
	if len(r.Dialect.Notes) != 2 || !strings.Contains(r.Dialect.Notes[1], "last second") {
		t.Errorf("a signal: %q", r.Dialect.Notes)
	}

	hash := expiring(key, value)
	hash.Type = "hash"
	for name, s := range map[string]Shape{
		"another type":    hash,
		"another prefix":  expiring("locks:nightly", value),
		"no name":         expiring("lock:", value),
		"redsync's":       expiring(key, "q83vEjRWeJCrze8SNFZ4kA=="),
		"one less":        expiring(key, value[1:]),
		"not base64":      expiring(key, value[:23]+"-"),
		"16 letters":      expiring(key, "abcdefghijklmnop"),
		"of another size": expiring(key, "\x00\x01\x02"),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring(key, value))
}
