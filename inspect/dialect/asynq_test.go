package dialect

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

const asynqSum = "9f0c2d7e5b1a4c3d8e6f708192a3b4c5"

func TestAsynqKeys(t *testing.T) {
	for name, want := range map[string]string{
		"default":                        "asynq:{default}:lease",
		"default/email:send:" + asynqSum: "asynq:{default}:unique:email:send:" + asynqSum,
		"{default}:lease":                "asynq:{default}:lease",
		"{default}:unique:a:" + asynqSum: "asynq:{default}:unique:a:" + asynqSum,
	} {
		if got := asynq().Keys(name); !slices.Equal(got, []string{want}) {
			t.Errorf("keys of %q: %q, want %q", name, got, want)
		}
	}
}

func TestAsynqUnique(t *testing.T) {
	d := asynq()
	key := "asynq:{default}:unique:email:send:" + asynqSum
	r := wantFit(t, d, expiring(key, someUUID), evidence.Certain)
	if r.Dialect.Renews != evidence.NeverRenews || r.Dialect.Lease != 0 || r.Dialect.Endless || r.Dialect.Holders[0].Text != someUUID {
		t.Errorf("%+v", r.Dialect)
	}
	wantFit(t, d, expiring("asynq:{default}:unique:email:send:", someUUID), evidence.Certain)
	wantFit(t, d, expiring(key, "a task named by its program"), evidence.Certain)
	hash := expiring(key, someUUID)
	hash.Type = "hash"
	for name, s := range map[string]Shape{
		"another type":    hash,
		"one letter off":  expiring("async:{default}:unique:email:"+asynqSum, someUUID),
		"no queue":        expiring("asynq:{}:unique:email:"+asynqSum, someUUID),
		"no type":         expiring("asynq:{default}:unique::"+asynqSum, someUUID),
		"a digit short":   expiring("asynq:{default}:unique:email:"+asynqSum[1:], someUUID),
		"a task, no lock": expiring("asynq:{default}:t:"+someUUID, someUUID),
		"no value":        expiring(key, ""),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring(key, someUUID), Shape{Key: "asynq:{default}:lease", Type: "zset", Now: noon()})
}

func TestAsynqUniqueLearns(t *testing.T) {
	now := noon()
	key := "asynq:{default}:unique:email:" + asynqSum
	task := "HMGET asynq:{default}:t:" + someUUID + " state pending_since unique_key"
	second := func(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
	r := wantFit(t, asynq(), expiring(key, someUUID), evidence.Certain)
	r.Learn(&r, Answers{
		task: list("active", "", key),
		"ZSCORE asynq:{default}:lease " + someUUID: redis.Bulk(second(now.Add(27 * time.Second))),
		"ZCARD asynq:servers":                      number(240),
		"ZRANGE asynq:servers 0 99 WITHSCORES": list(
			"asynq:servers:{old:12:"+someUUID+"}", second(now.Add(-time.Hour)),
			"not a server", second(now),
			"asynq:servers:{web:3:4242:"+someUUID+"}", second(now.Add(8*time.Second)),
		),
	})
	said := strings.Join(r.Dialect.Notes, "\n")
	if !strings.Contains(said, "its task is active") || !strings.Contains(said, "240 servers") || strings.Contains(said, "in the queue since") {
		t.Errorf("notes %q", said)
	}
	if len(r.Dialect.Alive) != 3 {
		t.Fatalf("alive %+v", r.Dialect.Alive)
	}
	lease, web, old := r.Dialect.Alive[0], r.Dialect.Alive[1], r.Dialect.Alive[2]
	if lease.Dead || !lease.Beat.Equal(now.Add(-3*time.Second)) || !strings.Contains(lease.Who, someUUID) {
		t.Errorf("the task's lease: %+v", lease)
	}
	if web.Dead || web.Who != "web:3 pid 4242" || !web.Beat.Equal(now.Add(-2*time.Second)) {
		t.Errorf("a server that beats: %+v", web)
	}
	if !old.Dead || old.Who != "old pid 12" {
		t.Errorf("a server that crashed: %+v", old)
	}

	r = wantFit(t, asynq(), expiring(key, someUUID), evidence.Certain)
	r.Learn(&r, Answers{task: {Kind: '*', Array: []redis.Value{{Null: true}, {Null: true}, {Null: true}}}})
	if len(r.Dialect.Notes) != 1 || !strings.Contains(r.Dialect.Notes[0], "its task is gone") {
		t.Errorf("notes %q", r.Dialect.Notes)
	}
	r = wantFit(t, asynq(), expiring(key, someUUID), evidence.Certain)
	r.Learn(&r, Answers{task: list("pending", strconv.FormatInt(now.UnixNano(), 10), "another\x1b")})
	said = strings.Join(r.Dialect.Notes, "\n")
	if !strings.Contains(said, "its task is pending, in the queue since 2026-03-04T12:00:00Z") || !strings.Contains(said, `names another unique key: another\x1b`) {
		t.Errorf("notes %q", said)
	}
}

func TestAsynqLease(t *testing.T) {
	d, now := asynq(), noon()
	s := Shape{Key: "asynq:{critical}:lease", Type: "zset", Endless: true, Now: now, Scored: []Scored{
		{Member: "stuck", Score: float64(now.Add(-10 * time.Second).Unix())},
		{Member: someUUID, Score: float64(now.Add(27 * time.Second).Unix())},
		{Member: "odd\x1b", Score: 1e300},
	}}
	r := wantFit(t, d, s, evidence.Certain)
	if !r.Dialect.Endless || r.Dialect.Lease != 30*time.Second || r.Dialect.RenewEvery != 5*time.Second || r.Dialect.Renews != evidence.ByItself {
		t.Errorf("%+v", r.Dialect)
	}
	h := r.Dialect.Holders
	if len(h) != 3 || h[0].Text != "stuck" || !h[1].Ends.Equal(now.Add(27*time.Second)) || h[2].Text != `odd\x1b` || !h[2].Ends.IsZero() {
		t.Errorf("holders %+v", h)
	}
	r.Learn(&r, Answers{"LLEN asynq:{critical}:active": number(4), "ZCARD asynq:servers": number(0), "ZRANGE asynq:servers 0 99 WITHSCORES": list()})
	said := strings.Join(r.Dialect.Notes, "\n")
	if !strings.Contains(said, "1 of 3 leases have ended") || !strings.Contains(said, "4 tasks are in the active list, 3 have a lease") {
		t.Errorf("notes %q", said)
	}
	many := s
	for range 300 {
		many.Scored = append(many.Scored, Scored{Member: "task", Score: 1})
	}
	if r := wantFit(t, d, many, evidence.Certain); len(r.Dialect.Holders) != 100 {
		t.Errorf("%d holders", len(r.Dialect.Holders))
	}
	for _, other := range []Shape{
		{Key: "asynq:{critical}:lease", Type: "string", Value: "x"}, {Key: "asynq:{critical}:leases", Type: "zset"},
		{Key: "asynq:{}:lease", Type: "zset"}, {Key: "asynq:critical:lease", Type: "zset"}, {Key: "asynq:servers", Type: "zset"},
	} {
		wantFit(t, d, other, evidence.Misfit)
	}
}

func TestAsynqServer(t *testing.T) {
	for _, key := range []string{
		"asynq:servers:{web:4242}", "asynq:servers:{web:x:" + someUUID + "}", "asynq:servers:{:1:" + someUUID + "}",
		"asynq:servers:{web:99999999999:" + someUUID + "}", "asynq:servers:{web:-1:" + someUUID + "}", "asynq:servers:web:1:" + someUUID,
	} {
		if host, pid, ok := asynqServer(key); ok {
			t.Errorf("%q is read as %q %d", key, host, pid)
		}
	}
}
