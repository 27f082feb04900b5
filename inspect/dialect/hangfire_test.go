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
		"app-queue:default:dequeued:lock", "app:job:" + nxUUID + ":state-lock",
	} {
		r := nxFit(t, d, nxExpiring(key, nxUUID), evidence.FitsWell)
		if r.Dialect.Lease != 30*time.Second || r.Dialect.RenewEvery != 15*time.Second || r.Dialect.Renews != evidence.ByItself {
			t.Errorf("%s: %+v", key, r.Dialect)
		}
		if r.Dialect.Holders[0].Text != nxUUID {
			t.Errorf("%s: holder %+v", key, r.Dialect.Holders)
		}
	}
	good := nxExpiring("{hangfire}:job:"+nxUUID+":state-lock", nxUUID)
	endless, hash := good, good
	endless.Endless, hash.Type = true, "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"no resource":         nxExpiring("{hangfire}:", nxUUID),
		"one letter off":      nxExpiring("{hangfire:lock:a", nxUUID),
		"no braces":           nxExpiring("hangfire:lock:a", nxUUID),
		"no UUID":             nxExpiring("{hangfire}:stats:succeeded", "41207"),
		"no queue":            nxExpiring("queue::dequeued:lock", nxUUID),
		"a job without a key": nxExpiring("app:job:12:state-lock", nxUUID),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	nxSurvive(t, d, good, nxExpiring("{hangfire}:lock:a", nxUUID))
}

func TestHangfireLearns(t *testing.T) {
	r := nxFit(t, hangfireRedis(), nxExpiring("{hangfire}:job:"+nxUUID+":state-lock", nxUUID), evidence.FitsWell)
	r.Learn(&r, Answers{
		"SCARD {hangfire}:servers":                                 nxNumber(2),
		"SMEMBERS {hangfire}:servers":                              nxList("web-3:4242:"+nxUUID, "batch\x1b[2J"),
		"HMGET {hangfire}:job:" + nxUUID + ":state State ServerId": nxList("Processing", "web-3:4242:"+nxUUID),
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
	r = nxFit(t, hangfireRedis(), nxExpiring("app:queue:default:dequeued:lock", nxUUID), evidence.FitsWell)
	if !slices.Equal(r.Ask[1], []string{"SMEMBERS", "app:servers"}) || len(r.Ask) != 2 {
		t.Errorf("it asks %q", r.Ask)
	}
	before := len(r.Dialect.Notes)
	r.Learn(&r, Answers{"SMEMBERS app:servers": redis.Value{Kind: '-', Str: "NOPERM"}})
	if len(r.Dialect.Notes) != before {
		t.Errorf("a refusal says %q", r.Dialect.Notes)
	}
}
