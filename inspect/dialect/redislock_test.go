package dialect

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestRedislock(t *testing.T) {
	d := redislock()
	for name, c := range map[string]struct {
		value           string
		want            evidence.Fit
		token, metadata string
	}{
		"with a dash":                  {"B6FL-TZYsXlYWxVTo7K-dA", evidence.FitsWell, "B6FL-TZYsXlYWxVTo7K-dA", ""},
		"letters and digits":           {"B6FLaTZYsXlYWxVTo7KxdA", evidence.Possible, "B6FLaTZYsXlYWxVTo7KxdA", ""},
		"metadata":                     {"B6FL-TZYsXlYWxVTo7K-dAhostA/42:x", evidence.FitsWell, "B6FL-TZYsXlYWxVTo7K-dA", "hostA/42:x"},
		"metadata of the same letters": {"B6FL-TZYsXlYWxVTo7K-dAhostA/42", evidence.Possible, "B6FL-TZYsXlYWxVTo7K-dA", "hostA/42"},
		"metadata that turns text":     {"B6FL-TZYsXlYWxVTo7K-dAa\u202eb", evidence.FitsWell, "B6FL-TZYsXlYWxVTo7K-dA", `a\u202eb`},
	} {
		r := wantFit(t, d, expiring("orders", c.value), c.want)
		if h := r.Dialect.Holders[0]; h.Text != c.token || h.Worker != c.metadata {
			t.Errorf("%s: holder %+v", name, h)
		}
		if r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByCall {
			t.Errorf("%s: the lease is the caller's: %+v", name, r.Dialect)
		}
	}
	another := expiring("orders", "B6FL-TZYsXlYWxVTo7K-dA")
	another.Type = "hash"
	for name, s := range map[string]Shape{
		"one short":                   expiring("orders", "B6FL-TZYsXlYWxVTo7K-d"),
		"a last letter of three bits": expiring("orders", "B6FL-TZYsXlYWxVTo7K-dB"),
		"another alphabet":            expiring("orders", "B6FL+TZYsXlYWxVTo7K-dA"),
		"redsync's":                   expiring("orders", "q83vEjRWeJCrze8SNFZ4kA=="),
		"32 hexadecimal digits":       expiring("orders", "1f289156ec4b11f188f40242ac110002"),
		"small letters alone":         expiring("orders", "this-is-a-host-name-aw"),
		"capitals alone":              expiring("orders", "THIS-IS-A-HOST-NAME-AA"),
		"another type":                another,
		"Caddy's":                     expiring("caddy/locks/issue_cert_example.com", "B6FL-TZYsXlYWxVTo7K-dA"),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring("orders", "B6FL-TZYsXlYWxVTo7K-dA"))
}

func TestCaddyStorage(t *testing.T) {
	d := caddyStorage()
	if got := d.Keys("issue_cert_example.com"); len(got) != 1 || got[0] != "caddy/locks/issue_cert_example.com" {
		t.Errorf("keys %q", got)
	}
	good := expiring("caddy/locks/issue_cert_example.com", "B6FLaTZYsXlYWxVTo7KxdA")
	r := wantFit(t, d, good, evidence.Certain)
	if r.Dialect.Lease != 5*time.Second || r.Dialect.RenewEvery != 3*time.Second || r.Dialect.Renews != evidence.ByItself {
		t.Errorf("lease %+v", r.Dialect)
	}
	if r.Dialect.Holders[0].Text != good.Value {
		t.Errorf("holder %+v", r.Dialect.Holders)
	}
	for name, s := range map[string]Shape{
		"another folder":  expiring("caddy/lock/issue_cert_example.com", good.Value),
		"another prefix":  expiring("my/caddy/locks/a", good.Value),
		"no name":         expiring("caddy/locks/", good.Value),
		"metadata":        expiring(good.Key, good.Value+"host"),
		"one letter more": expiring(good.Key, "B"+good.Value),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, good)
}
