package dialect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

func TestBullMQ(t *testing.T) {
	d := bullMQ()
	key := d.Keys("mails/17")[0]
	r := wantFit(t, d, expiring(key, rbUUID+":42"), evidence.Certain)
	if r.Dialect.Lease != 30*time.Second || r.Dialect.RenewEvery != 15*time.Second || r.Dialect.Renews != evidence.ByItself || r.Dialect.Holders[0].Text != rbUUID+":42" {
		t.Errorf("it says %+v", r.Dialect)
	}
	python := strings.ReplaceAll(rbUUID, "-", "") + ":3"
	for _, c := range []struct {
		key, value string
		fit        evidence.Fit
	}{
		{"shop:mails:17:lock", rbUUID + ":42", evidence.Certain},
		{key, python, evidence.Certain},
		{"shop:mails:17:lock", python, evidence.FitsWell},
		{key, rbUUID, evidence.Possible}, // Bull's, or the program's own
		{key, "worker-three", evidence.FitsWell},
		{"shop:mails:17:lock", rbUUID, evidence.Misfit},
		{"shop:mails:17:lock", "worker-three", evidence.Misfit},
		{"shop:mails:17:lock", rbUUID + ":x", evidence.Misfit},
		{"shop:mails:17:lock", rbUUID + ":", evidence.Misfit},
		{key, "", evidence.Misfit},
		{key, strings.Repeat("w", 257), evidence.Misfit},
		{"bull:mails:17:lick", rbUUID + ":42", evidence.Misfit},
	} {
		if r := d.Recognise(expiring(c.key, c.value)); r.Fit != c.fit {
			t.Errorf("%s %q: fit %d, want %d", c.key, c.value, r.Fit, c.fit)
		}
	}
	hash := expiring(key, rbUUID+":42")
	hash.Type = "hash"
	wantFit(t, d, hash, evidence.Misfit)
	survive(t, d, expiring(key, rbUUID+":42"), expiring("bull:\x1b[31m:\xff:lock", rbUUID+":42"))
}

func TestBullMQLearns(t *testing.T) {
	r := bullMQ().Recognise(expiring("bull:mails:17:lock", rbUUID))
	began := noon().Add(-time.Minute)
	r.Learn(&r, Answers{
		"HMGET bull:mails:17" + bullJobFields: list(fmt.Sprint(began.UnixMilli()), "w-\x1bdemo", "3", "1", ""),
		"HGET bull:mails:meta version":        redis.Bulk("bullmq:6.7.0"),
		"LLEN bull:mails:active":              number(1),
		"LRANGE bull:mails:active 0 99":       list("16"),
	})
	printable(t, r)
	if r.Fit != evidence.Certain || !strings.Contains(strings.Join(r.Because, " "), "its queue says bullmq:6.7.0") {
		t.Errorf("fit %d because %q", r.Fit, r.Because)
	}
	if h := r.Dialect.Holders[0]; h.Worker != `w-\x1bdemo` || !h.Since.Equal(began) {
		t.Errorf("holder %+v", h)
	}
	notes := strings.Join(r.Dialect.Notes, "\n")
	for _, want := range []string{"begun 3 times", "stalled 1 times", "not in the queue's active list"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
	if len(r.Dialect.Alive) != 0 {
		t.Errorf("nobody looked, and it says %+v", r.Dialect.Alive)
	}
}

// More jobs are active than were read: that this one is not among them says nothing.
func TestBullMQActiveUnread(t *testing.T) {
	r := bullMQ().Recognise(expiring("bull:mails:17:lock", rbUUID+":1"))
	r.Learn(&r, Answers{"LLEN bull:mails:active": number(250), "LRANGE bull:mails:active 0 99": list("1", "2")})
	if notes := strings.Join(r.Dialect.Notes, "\n"); strings.Contains(notes, "active list") {
		t.Errorf("notes %s", notes)
	}
}

func TestBullKeyOf(t *testing.T) {
	for key, want := range map[string][2]string{
		"bull:mails:17:lock":                   {"bull:mails", "17"},
		"bull:mails:repeat:ab:1700000000:lock": {"bull:mails", "repeat:ab:1700000000"},
		"app:{bull}:mails:17:lock":             {"app:{bull}:mails", "17"},
	} {
		if k, ok := bullKeyOf(key); !ok || k.base != want[0] || k.job != want[1] || !k.own {
			t.Errorf("%s: %+v %v", key, k, ok)
		}
	}
}
