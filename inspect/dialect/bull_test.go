package dialect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

const bullJobFields = " processedOn pb ats stc stalledCounter"

func TestBull(t *testing.T) {
	d := bull()
	keys := d.Keys("mails/17")
	if keys[0] != "bull:mails:17:lock" || keys[1] != "{bull}:mails:17:lock" {
		t.Errorf("keys %q", keys)
	}
	for _, key := range keys[:2] {
		r := wantFit(t, d, expiring(key, rbUUID), evidence.FitsWell)
		if r.Dialect.Lease != 30*time.Second || r.Dialect.RenewEvery != 15*time.Second || r.Dialect.Renews != evidence.ByItself || r.Dialect.Endless || r.Dialect.Holders[0].Text != rbUUID {
			t.Errorf("it says %+v", r.Dialect)
		}
	}
	wantFit(t, d, expiring("shop:mails:17:lock", rbUUID), evidence.Possible)
	wantFit(t, d, expiring("app:bull:mails:17:lock", rbUUID), evidence.FitsWell)

	set := expiring(keys[0], rbUUID)
	set.Type = "set"
	for name, s := range map[string]Shape{
		"another type":  set,
		"another end":   expiring("bull:mails:17:locks", rbUUID),
		"no queue":      expiring("bull:17:lock", rbUUID),
		"no job":        expiring("bull:mails::lock", rbUUID),
		"no prefix":     expiring(":mails:17:lock", rbUUID),
		"no UUID":       expiring(keys[0], rbUUID[:35]),
		"BullMQ's":      expiring(keys[0], rbUUID+":4"),
		"a bare suffix": expiring(":lock", rbUUID),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring(keys[0], rbUUID), expiring("a:\x1b[31m:\xff:lock", rbUUID))
}

func TestBullLearns(t *testing.T) {
	r := bull().Recognise(expiring("bull:mails:17:lock", rbUUID))
	began := noon().Add(-90 * time.Second)
	job := redis.Value{Kind: '*', Array: []redis.Value{redis.Bulk(fmt.Sprint(began.UnixMilli())), {Null: true}, {Null: true}, {Null: true}, redis.Bulk("2")}}
	looked := noon().Add(-10 * time.Second)
	r.Learn(&r, Answers{
		"HMGET bull:mails:17" + bullJobFields: job,
		"HGET bull:mails:meta version":        {Kind: '$', Null: true},
		"GET bull:mails:stalled-check":        redis.Bulk(fmt.Sprint(looked.UnixMilli())),
		"SCARD bull:mails:stalled":            number(3),
		"LLEN bull:mails:active":              number(2),
		"LRANGE bull:mails:active 0 99":       list("16", "17"),
	})
	d := r.Dialect
	if !d.Holders[0].Since.Equal(began) {
		t.Errorf("holder %+v", d.Holders)
	}
	if len(d.Alive) != 1 || !d.Alive[0].Beat.Equal(looked) || d.Alive[0].Dead || d.Alive[0].Key != "bull:mails:stalled-check" {
		t.Errorf("alive %+v", d.Alive)
	}
	notes := strings.Join(d.Notes, "\n")
	for _, want := range []string{"bull:bWFpbHM=", "stalled 2 times", "3 jobs", "is in the queue's active list"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
}

func TestBullIsBullMQ(t *testing.T) {
	r := bull().Recognise(expiring("bull:mails:17:lock", rbUUID))
	r.Learn(&r, Answers{"HGET bull:mails:meta version": redis.Bulk("bullmq:6.7.0")})
	if r.Fit != evidence.Misfit || !strings.Contains(strings.Join(r.Because, " "), "bullmq:6.7.0") {
		t.Errorf("fit %d because %q", r.Fit, r.Because)
	}
}
