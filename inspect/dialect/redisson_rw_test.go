package dialect

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestRedissonReadLock(t *testing.T) {
	s := redissonShape("orders", "mode", "read", clientA+":57", "2", clientB+":9", "1")
	r := wantFit(t, redisson(), s, evidence.Certain)
	times := "PTTL {orders}:"
	want := []string{times + clientA + ":57:rwlock_timeout:1", times + clientB + ":9:rwlock_timeout:1", times + clientA + ":57:rwlock_timeout:2"}
	for i, w := range want {
		if got := join(r.Ask[i]); got != w {
			t.Errorf("it asks %s, want %s", got, w)
		}
	}
	r.Learn(&r, Answers{
		want[0]: number(12000), want[1]: number(-2), want[2]: number(28000),
		"PUBSUB NUMSUB redisson_rwlock:{orders}": {Kind: '*', Array: list("redisson_rwlock:{orders}", "").Array},
	})
	d := r.Dialect
	first := evidence.Locker{Text: clientA + ":57", Thread: "57", Holds: 2, Ends: noon().Add(28 * time.Second)}
	second := evidence.Locker{Text: clientB + ":9", Thread: "9", Holds: 1}
	if d.Form != "read lock" || !slices.Equal(d.Holders, []evidence.Locker{first, second}) {
		t.Errorf("a %s of %+v", d.Form, d.Holders)
	}
	if !noted(d, clientB+":9 is in the hash, but its time is over") || !noted(d, "before 4.4") {
		t.Errorf("notes %q", d.Notes)
	}
	printable(t, r)
}

func TestRedissonWriteLock(t *testing.T) {
	s := redissonShape("{t1}:orders", "mode", "write", clientA+":57:write", "2", clientA+":57", "1")
	s.Left = 55 * time.Second // entered again
	r := wantFit(t, redisson(), s, evidence.Certain)
	d := r.Dialect
	want := []evidence.Locker{{Text: clientA + ":57:write", Thread: "57", Holds: 2, Writes: true}, {Text: clientA + ":57", Thread: "57", Holds: 1}}
	if d.Form != "write lock" || !slices.Equal(d.Holders, want) || d.Lease != 30*time.Second || !noted(d, "enters again") {
		t.Errorf("a %s of %+v, lease %v, %v", d.Form, d.Holders, d.Lease, d.Notes)
	}
	if got, want := join(r.Ask[0]), "PTTL {t1}:orders:"+clientA+":57:rwlock_timeout:1"; got != want {
		t.Errorf("it asks %s, want %s", got, want)
	}
	if got := join(r.Ask[1]); got != "PUBSUB NUMSUB redisson_rwlock:{t1}:orders" {
		t.Errorf("it asks %s", got)
	}
	s = redissonShape("orders", "mode", "write", clientA+":57:write", "1")
	s.Left = 55 * time.Second // by its own choice
	if d := redisson().Recognise(s).Dialect; d.Lease != 0 {
		t.Errorf("lease %v", d.Lease)
	}
}

// Few reads, however many readers and holds there are.
func TestRedissonReadsFewTimes(t *testing.T) {
	r := wantFit(t, redisson(), redissonShape("orders", "mode", "read", clientA+":57", fmt.Sprint(math.MaxInt64)), evidence.Certain)
	if len(r.Ask) != 8 {
		t.Errorf("one reader of many holds: it asks %d times", len(r.Ask))
	}
	fields := []string{"mode", "read"}
	for i := range 5000 {
		fields = append(fields, clientA+":"+fmt.Sprint(i), "1")
	}
	r = wantFit(t, redisson(), redissonShape("orders", fields...), evidence.Certain)
	if len(r.Ask) != 8 || len(r.Dialect.Holders) != 100 || !noted(r.Dialect, "4900 more") {
		t.Errorf("many readers: it asks %d times, %d holders, %v", len(r.Ask), len(r.Dialect.Holders), r.Dialect.Notes)
	}
}

// Without the coordinator's time there is only what is left.
func TestRedissonReaderWithoutTime(t *testing.T) {
	s := redissonShape("orders", "mode", "read", clientA+":57", "1")
	s.Now = time.Time{}
	r := redisson().Recognise(s)
	r.Learn(&r, Answers{join(r.Ask[0]): number(1500)})
	if d := r.Dialect; !d.Holders[0].Ends.IsZero() || !noted(d, "1.5s left") {
		t.Errorf("%+v, %v", d.Holders, d.Notes)
	}
	r = redisson().Recognise(redissonShape("orders", "mode", "read", clientA+":57", "1"))
	r.Learn(&r, Answers{join(r.Ask[0]): number(-1)}) // a hold that somebody made endless
	if d := r.Dialect; !d.Holders[0].Ends.IsZero() || noted(d, "over") {
		t.Errorf("%+v, %v", d.Holders, d.Notes)
	}
}

func TestRedissonReadWriteNearMisses(t *testing.T) {
	for name, s := range map[string]Shape{
		"only a mode":              redissonShape("k", "mode", "read"),
		"another mode":             redissonShape("k", "mode", "reads", clientA+":57", "1"),
		"no mode":                  redissonShape("k", "mode", "", clientA+":57", "1"),
		"another field":            redissonShape("k", "mode", "read", clientA+":57", "1", "ttl", "30"),
		"a writer in read mode":    redissonShape("k", "mode", "read", clientA+":57:write", "1"),
		"no writer in write mode":  redissonShape("k", "mode", "write", clientA+":57", "1"),
		"two writers":              redissonShape("k", "mode", "write", clientA+":57:write", "1", clientB+":57:write", "1"),
		"a count of nothing":       redissonShape("k", "mode", "read", clientA+":57", ""),
		"a word behind the writer": redissonShape("k", "mode", "write", clientA+":57:writes", "1"),
	} {
		t.Run(name, func(t *testing.T) { wantFit(t, redisson(), s, evidence.Misfit) })
	}
}
