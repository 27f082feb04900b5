package dialect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

const (
	medallionWeb   = "web-3_4242_9f0c2d7e5b1a4c3d8e6f708192a3b4c5"
	medallionBatch = "batch_node_1_977_00112233445566778899aabbccddeeff"
)

func TestDistributedLockMutex(t *testing.T) {
	d := distributedLock()
	if got := d.Keys("orders"); !slices.Equal(got, []string{"orders", "orders.writer", "orders.readers"}) {
		t.Errorf("keys %q", got)
	}
	r := wantFit(t, d, expiring("orders", medallionWeb), evidence.Certain)
	if r.Dialect.Lease != 30*time.Second || r.Dialect.RenewEvery != 9*time.Second || r.Dialect.Renews != evidence.ByItself || r.Dialect.Form != "lock" {
		t.Errorf("%+v", r.Dialect)
	}
	if h := r.Dialect.Holders[0]; h.Host != "web-3" || h.Pid != 4242 || h.Text != medallionWeb || h.Writes {
		t.Errorf("holder %+v", h)
	}
	if h := wantFit(t, d, expiring("orders", medallionBatch), evidence.Certain).Dialect.Holders[0]; h.Host != "batch_node_1" || h.Pid != 977 {
		t.Errorf("holder %+v", h)
	}
	for name, value := range map[string]string{
		"no host":                  medallionWeb[len("web-3"):],
		"no pid":                   "web-3_" + medallionWeb[len("web-3_4242_"):],
		"pid zero":                 "web-3_0_" + medallionWeb[len("web-3_4242_"):],
		"pid with a zero in front": "web-3_04242_" + medallionWeb[len("web-3_4242_"):],
		"pid too large":            "web-3_99999999999999999999_" + medallionWeb[len("web-3_4242_"):],
		"pid with a sign":          "web-3_+42_" + medallionWeb[len("web-3_4242_"):],
		"31 digits":                medallionWeb[:len(medallionWeb)-1],
		"33 digits":                medallionWeb + "0",
		"one letter off":           medallionWeb[:len(medallionWeb)-1] + "g",
		"in capitals":              strings.ToUpper(medallionWeb),
		"a dash for a stroke":      strings.ReplaceAll(medallionWeb, "_", "-"),
		"a control character":      "web\x1b_4242_" + medallionWeb[len("web-3_4242_"):],
		"not UTF-8":                "web\xff_4242_" + medallionWeb[len("web-3_4242_"):],
		"a blank":                  "web 3_4242_" + medallionWeb[len("web-3_4242_"):],
		"a host without end":       strings.Repeat("w", 400) + medallionWeb,
		"waits for no writer's":    medallionWeb + "_WRITERWAITING",
	} {
		if r := d.Recognise(expiring("orders", value)); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	hash := expiring("orders", medallionWeb)
	hash.Type = "hash"
	wantFit(t, d, hash, evidence.Misfit)
	survive(t, d, expiring("orders", medallionWeb), expiring("orders.writer", medallionWeb), expiring("orders.writer", medallionWeb+"_WRITERWAITING"),
		Shape{Key: "orders.readers", Type: "set"}, Shape{Key: "permits", Type: "zset", Scored: []Scored{{Member: medallionWeb, Score: 1}}})
}

func TestDistributedLockWriter(t *testing.T) {
	d := distributedLock()
	r := wantFit(t, d, expiring("orders.writer", medallionWeb), evidence.Certain)
	if h := r.Dialect.Holders[0]; !h.Writes || h.Pid != 4242 || r.Dialect.Form != "write lock" || len(r.Dialect.Queue) != 0 {
		t.Errorf("%+v", r.Dialect)
	}
	r = wantFit(t, d, expiring("orders.writer", medallionWeb+"_WRITERWAITING"), evidence.Certain)
	if h := r.Dialect.Holders[0]; !h.Writes || h.Host != "web-3" || h.Pid != 4242 || h.Text != medallionWeb+"_WRITERWAITING" {
		t.Errorf("holder %+v", h)
	}
	if len(r.Dialect.Queue) != 1 || r.Dialect.RenewEvery != 0 || !strings.Contains(r.Dialect.Form, "not yet held") {
		t.Errorf("a writer that waits: %+v", r.Dialect)
	}
	r.Learn(&r, Answers{"SMEMBERS orders.readers": list(medallionBatch), "SCARD orders.readers": number(1), "GET orders.writer": redis.Bulk(medallionWeb)})
	if said := strings.Join(r.Dialect.Notes, "\n"); !strings.Contains(said, "readers: batch_node_1 pid 977") {
		t.Errorf("notes %q", said)
	}
	if len(r.Dialect.Holders) != 1 {
		t.Errorf("readers do not hold the writer's key: %+v", r.Dialect.Holders)
	}
}

func TestDistributedLockReaders(t *testing.T) {
	d := distributedLock()
	set := Shape{Key: "orders.readers", Type: "set", Left: 25 * time.Second, Now: noon()}
	r := wantFit(t, d, set, evidence.Possible)
	r.Learn(&r, Answers{
		"SMEMBERS orders.readers": list(medallionBatch, medallionWeb), "SCARD orders.readers": number(2),
		"GET orders.writer": redis.Bulk(medallionWeb + "_WRITERWAITING"),
	})
	if r.Fit != evidence.Certain || len(r.Dialect.Holders) != 2 || r.Dialect.Holders[0].Pid != 977 || r.Dialect.Form != "read lock" {
		t.Errorf("%+v", r)
	}
	if n, ok := r.Dialect.Waiters.Get(); !ok || n != 1 || len(r.Dialect.Queue) != 1 {
		t.Errorf("waiters %+v %+v", r.Dialect.Waiters, r.Dialect.Queue)
	}
	r = wantFit(t, d, set, evidence.Possible)
	r.Learn(&r, Answers{"SMEMBERS orders.readers": list(medallionBatch, "somebody"), "GET orders.writer": redis.Bulk("\x1b")})
	if r.Fit != evidence.Possible || len(r.Dialect.Holders) != 0 || len(r.Dialect.Queue) != 0 || len(r.Dialect.Notes) != 1 {
		t.Errorf("strangers in the set: %+v", r)
	}
	known := set
	known.Scored = []Scored{{Member: medallionWeb}}
	if r := wantFit(t, d, known, evidence.Certain); len(r.Dialect.Holders) != 1 {
		t.Errorf("%+v", r.Dialect.Holders)
	}
	known.Scored = append(known.Scored, Scored{Member: "somebody"})
	wantFit(t, d, known, evidence.Misfit)
	for _, key := range []string{"orders.reader", "orders", ".readers", "orders.readers.x"} {
		wantFit(t, d, Shape{Key: key, Type: "set"}, evidence.Misfit)
	}
}

func TestDistributedLockSemaphore(t *testing.T) {
	d := distributedLock()
	now := noon()
	milli := func(at time.Time) float64 { return float64(at.UnixMilli()) + 0.25 }
	s := Shape{Key: "permits", Type: "zset", Left: 80 * time.Second, Now: now, Scored: []Scored{
		{Member: medallionBatch, Score: milli(now.Add(-2 * time.Second))},
		{Member: medallionWeb, Score: milli(now.Add(25 * time.Second))},
	}}
	r := wantFit(t, d, s, evidence.Certain)
	if r.Dialect.Form != "semaphore" || len(r.Dialect.Holders) != 2 || r.Dialect.Lease != 30*time.Second {
		t.Errorf("%+v", r.Dialect)
	}
	if ends := r.Dialect.Holders[1].Ends; ends.Sub(now.Add(25*time.Second)).Abs() > time.Millisecond {
		t.Errorf("ends %v", ends)
	}
	if len(r.Dialect.Notes) != 1 || !strings.Contains(r.Dialect.Notes[0], "1 of 2") {
		t.Errorf("notes %q", r.Dialect.Notes)
	}
	s.Scored[0].Member = "somebody"
	wantFit(t, d, s, evidence.Misfit)
	wantFit(t, d, Shape{Key: "permits", Type: "zset"}, evidence.Misfit)
	s.Scored[0] = Scored{Member: medallionBatch, Score: 1e300}
	if r := wantFit(t, d, s, evidence.Certain); !r.Dialect.Holders[0].Ends.IsZero() {
		t.Errorf("a score that is no time ends %v", r.Dialect.Holders[0].Ends)
	}
}
