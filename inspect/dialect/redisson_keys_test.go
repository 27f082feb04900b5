package dialect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestRedissonCompanions(t *testing.T) {
	const request = "0123456789abcdef0123456789abcdef"
	for key, c := range map[string]struct{ kind, value, form string }{
		"redisson_lock_token:{orders}":                          {"string", "41", "not a lock: the fencing token of the lock orders"},
		"redisson_lock_token:a{b}c":                             {"string", "41", "not a lock: the fencing token of the lock a{b}c"},
		"redisson_unlock_latch:{orders}:" + request:             {"string", "1", "not a lock: the trace of an unlock of the lock orders"},
		"redisson_lock_queue:{orders}":                          {"list", "", "not a lock: the queue of the lock orders"},
		"redisson_lock_timeout:{orders}":                        {"zset", "", "not a lock: the waiters' places of the lock orders"},
		"{orders}:" + clientA + ":57:rwlock_timeout:1":          {"string", "1", "not a lock: the time of hold 1 of reader " + clientA + ":57 of the lock orders"},
		"{t1}:orders:" + clientA + ":57:rwlock_timeout:2":       {"string", "1", "not a lock: the time of hold 2 of reader " + clientA + ":57 of the lock {t1}:orders"},
		"redisson_lock_token:{o\x1b[31m}":                       {"string", "41", `not a lock: the fencing token of the lock o\x1b[31m`},
		"redisson_lock_token:{" + strings.Repeat("o", 90) + "}": {"string", "1", "not a lock: the fencing token of the lock " + strings.Repeat("o", 79) + "…"},
	} {
		r := wantFit(t, redisson(), Shape{Key: key, Type: c.kind, Value: c.value}, evidence.Certain)
		if r.Dialect.Form != c.form {
			t.Errorf("%s: %s, want %s", key, r.Dialect.Form, c.form)
		}
		if r.Dialect.Lease != 0 || r.Dialect.Renews != evidence.NeverRenews || len(r.Dialect.Holders) != 0 {
			t.Errorf("%s is treated like a lock: %+v", key, r.Dialect)
		}
	}
}

func TestRedissonCompanionsLearn(t *testing.T) {
	r := redisson().Recognise(Shape{Key: "redisson_lock_token:{orders}", Type: "string", Value: "41", Endless: true})
	r.Learn(&r, Answers{"TYPE orders": {Kind: '+', Str: "hash"}, "PTTL orders": number(12340), "TYPE {orders}": {Kind: '+', Str: "none"}})
	if d := r.Dialect; d.FencedBy != "redisson_lock_token:{orders}" || d.Fence.Value != "41" || !d.Endless || !noted(d, "orders is held, 12.3s left") {
		t.Errorf("token: %+v", d)
	}
	r = redisson().Recognise(Shape{Key: "redisson_unlock_latch:{orders}:0123456789abcdef0123456789abcdef", Type: "string", Value: "0"})
	r.Learn(&r, Answers{"TYPE orders": {Kind: '+', Str: "none"}})
	if d := r.Dialect; !noted(d, "stayed held") || !noted(d, "orders is not held now") {
		t.Errorf("latch: %q", d.Notes)
	}
	r = redisson().Recognise(Shape{Key: "redisson_lock_queue:{orders}", Type: "list", Now: noon()})
	r.Learn(&r, Answers{
		"LRANGE redisson_lock_queue:{orders} 0 99":              list(clientB + ":9"),
		"ZRANGE redisson_lock_timeout:{orders} 0 99 WITHSCORES": list(clientB+":9", "1772625540000"),
	})
	want := []evidence.Waiter{{Text: clientB + ":9", Till: noon().Add(-time.Minute)}}
	if d := r.Dialect; !slices.Equal(d.Queue, want) || d.Waiters.Value != 1 || !noted(d, "had run out, by their own clocks: 1") {
		t.Errorf("queue: %+v, %q", d.Queue, d.Notes)
	}
	r = redisson().Recognise(Shape{Key: "redisson_lock_timeout:{orders}", Type: "zset", Scored: []Scored{{clientB + ":9", 1772625540000}, {"x", -1}}})
	r.Learn(&r, nil)
	if d := r.Dialect; len(d.Queue) != 2 || d.Queue[0] != want[0] || !d.Queue[1].Till.IsZero() || noted(d, "held") {
		t.Errorf("places: %+v, %q", d.Queue, d.Notes)
	}
}

func TestRedissonCompanionNearMisses(t *testing.T) {
	for _, s := range []Shape{
		{Key: "redisson_lock_token:{orders}", Type: "string", Value: "4x"},
		{Key: "redisson_lock_token:{orders}", Type: "list"},
		{Key: "redisson_lock_token:", Type: "string", Value: "4"},
		{Key: "redisson_lock_tokens:{orders}", Type: "string", Value: "4"},
		{Key: "redisson_unlock_latch:{orders}:0123456789abcdef0123456789abcdeg", Type: "string", Value: "1"},
		{Key: "redisson_unlock_latch:{orders}:0123456789abcdef", Type: "string", Value: "1"},
		{Key: "redisson_unlock_latch:{orders}:0123456789abcdef0123456789abcdef", Type: "string", Value: "2"},
		{Key: "redisson_unlock_latch:0123456789abcdef0123456789abcdef", Type: "string", Value: "1"},
		{Key: "redisson_lock_queue:{orders}", Type: "zset"},
		{Key: "redisson_lock_queue:", Type: "list"},
		{Key: "redisson_lock_timeout:{orders}", Type: "list"},
		{Key: "{orders}:" + clientA + ":57:rwlock_timeout:0", Type: "string", Value: "1"},
		{Key: "{orders}:" + clientA + ":57:rwlock_timeout:x", Type: "string", Value: "1"},
		{Key: "{orders}:" + clientA + ":57:rwlock_timeout:99999999999999999999", Type: "string", Value: "1"},
		{Key: "{orders}:" + clientA + ":57:rwlock_timeout:1", Type: "string", Value: "2"},
		{Key: "orders:" + clientA + ":57:rwlock_timeout:1", Type: "string", Value: "1"},
		{Key: "{orders}:" + clientA + ":rwlock_timeout:1", Type: "string", Value: "1"},
		{Key: ":rwlock_timeout:1", Type: "string", Value: "1"},
	} {
		wantFit(t, redisson(), s, evidence.Misfit)
	}
}
