package dialect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

func TestHangfireRedis(t *testing.T) {
	d := hangfireRedis()
	if got := d.Keys("recurring-jobs:lock"); !slices.Contains(got, "{hangfire}:recurring-jobs:lock") {
		t.Errorf("keys %q", got)
	}
	if got := d.Keys("default"); !slices.Contains(got, "{hangfire}:queue:default:dequeued:lock") {
		t.Errorf("keys %q", got)
	}
	for _, key := range []string{
		"{hangfire}:lock:recurring-job:nightly", "{hangfire}:queue:default:dequeued:lock", "{hangfire}:Ledger.Jobs.Close",
		"app-queue:default:dequeued:lock", "app:job:" + someUUID + ":state-lock",
	} {
		r := wantFit(t, d, expiring(key, someUUID), evidence.FitsWell)
		if r.Dialect.Lease != 30*time.Second || r.Dialect.RenewEvery != 15*time.Second || r.Dialect.Renews != evidence.ByItself {
			t.Errorf("%s: %+v", key, r.Dialect)
		}
		if r.Dialect.Holders[0].Text != someUUID {
			t.Errorf("%s: holder %+v", key, r.Dialect.Holders)
		}
	}
	good := expiring("{hangfire}:job:"+someUUID+":state-lock", someUUID)
	endless, hash := good, good
	endless.Endless, hash.Type = true, "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"no resource":         expiring("{hangfire}:", someUUID),
		"one letter off":      expiring("{hangfire:lock:a", someUUID),
		"no braces":           expiring("hangfire:lock:a", someUUID),
		"no UUID":             expiring("{hangfire}:stats:succeeded", "41207"),
		"no queue":            expiring("queue::dequeued:lock", someUUID),
		"a job without a key": expiring("app:job:12:state-lock", someUUID),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, good, expiring("{hangfire}:lock:a", someUUID))
}

func TestHangfireLearns(t *testing.T) {
	r := wantFit(t, hangfireRedis(), expiring("{hangfire}:job:"+someUUID+":state-lock", someUUID), evidence.FitsWell)
	r.Learn(&r, Answers{
		"SCARD {hangfire}:servers":                                   number(2),
		"SMEMBERS {hangfire}:servers":                                list("web-3:4242:"+someUUID, "batch\x1b[2J"),
		"HMGET {hangfire}:job:" + someUUID + ":state State ServerId": list("Processing", "web-3:4242:"+someUUID),
	})
	said := strings.Join(r.Dialect.Notes, "\n")
	for _, want := range []string{`announced servers, alive or not (2): web-3 pid 4242, batch\x1b[2J`, "the job is in state Processing, at web-3 pid 4242"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if len(r.Dialect.Alive) != 0 {
		t.Errorf("an announcement is no sign of life: %+v", r.Dialect.Alive)
	}
	r = wantFit(t, hangfireRedis(), expiring("app:queue:default:dequeued:lock", someUUID), evidence.FitsWell)
	if !slices.Equal(r.Ask[1], []string{"SMEMBERS", "app:servers"}) || len(r.Ask) != 2 {
		t.Errorf("it asks %q", r.Ask)
	}
	before := len(r.Dialect.Notes)
	r.Learn(&r, Answers{"SMEMBERS app:servers": redis.Value{Kind: '-', Str: "NOPERM"}})
	if len(r.Dialect.Notes) != before {
		t.Errorf("a refusal says %q", r.Dialect.Notes)
	}
}
