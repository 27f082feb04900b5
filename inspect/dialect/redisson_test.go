package dialect

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

const (
	clientA = "8743c9c0-0795-4907-87fd-6c719a6b4586"
	clientB = "5f1c1b0e-9a5e-4d0b-8c57-0d2f6a1b3c4d"
)

func redissonShape(key string, fields ...string) Shape {
	s := Shape{Key: key, Type: "hash", Left: 27 * time.Second, Now: noon()}
	for i := 0; i+1 < len(fields); i += 2 {
		s.Fields = append(s.Fields, evidence.Field{Name: fields[i], Value: fields[i+1]})
	}
	return s
}

func TestRedissonLock(t *testing.T) {
	r := wantFit(t, redisson(), redissonShape("orders", clientA+":57", "2"), evidence.Certain)
	want := evidence.Locker{Text: clientA + ":57", Thread: "57", Holds: 2}
	d := r.Dialect
	if d.Form != "lock" || len(d.Holders) != 1 || d.Holders[0] != want {
		t.Errorf("it is a %s of %+v, want a lock of %+v", d.Form, d.Holders, want)
	}
	if d.Lease != 30*time.Second || d.RenewEvery != 10*time.Second || d.Renews != evidence.ByDefault || d.Endless {
		t.Errorf("lease %v, renewed every %v, %s", d.Lease, d.RenewEvery, d.Renews)
	}
	if got := join(r.Ask[0]); got != "GET redisson_lock_token:{orders}" {
		t.Errorf("it asks %s first", got)
	}
	wantFit(t, redisson(), redissonShape("orders", clientA+":-4211", "1"), evidence.Certain) // a number in place of a thread
	if r := redisson().Recognise(redissonShape("a{b}", clientA+":57", "1")); join(r.Ask[0]) != "GET redisson_lock_token:a{b}" {
		t.Errorf("of a name with braces it asks %v", r.Ask[0])
	}
}

func TestRedissonLockNearMisses(t *testing.T) {
	for name, s := range map[string]Shape{
		"a letter off":    redissonShape("k", strings.Replace(clientA, "8743", "g743", 1)+":57", "1"),
		"capitals":        redissonShape("k", strings.ToUpper(clientA)+":57", "1"),
		"too short":       redissonShape("k", clientA[1:]+":57", "1"),
		"version 1":       redissonShape("k", strings.Replace(clientA, "-4907-", "-1907-", 1)+":57", "1"),
		"no thread":       redissonShape("k", clientA+":", "1"),
		"no colon":        redissonShape("k", clientA, "1"),
		"a thread's name": redissonShape("k", clientA+":main", "1"),
		"a plus":          redissonShape("k", clientA+":+7", "1"),
		"thread overflow": redissonShape("k", clientA+":99999999999999999999", "1"),
		"no count":        redissonShape("k", clientA+":57", ""),
		"count zero":      redissonShape("k", clientA+":57", "0"),
		"count overflow":  redissonShape("k", clientA+":57", "99999999999999999999"),
		"count in words":  redissonShape("k", clientA+":57", "one"),
		"two holders":     redissonShape("k", clientA+":57", "1", clientB+":57", "1"),
		"no fields":       redissonShape("k"),
		"not UTF-8":       redissonShape("k", "\xff\xfe:57", "1"),
		"controls":        redissonShape("k", clientA+":57\x1b[31m", "1"),
		"huge":            redissonShape("k", strings.Repeat("a:", 40000), strings.Repeat("9", 40000)),
		"a string":        expiring("orders", clientA+":57"),
	} {
		t.Run(name, func(t *testing.T) { wantFit(t, redisson(), s, evidence.Misfit) })
	}
}

// The default lease is withdrawn where the program chose another.
func TestRedissonOwnLease(t *testing.T) {
	s := redissonShape("orders", clientA+":57", "1")
	s.Left = 40 * time.Second
	if d := redisson().Recognise(s).Dialect; d.Lease != 0 || d.RenewEvery != 0 || d.Renews != "" || !noted(d, "more than 30 s") {
		t.Errorf("with 40 s left: lease %v, renewed every %v %q, %v", d.Lease, d.RenewEvery, d.Renews, d.Notes)
	}
	s.Left = 12 * time.Second
	if d := redisson().Recognise(s).Dialect; d.Lease != 30*time.Second || !noted(d, "at most 12s") {
		t.Errorf("with 12 s left: lease %v, %v", d.Lease, d.Notes)
	}
	s.Left = 19500 * time.Millisecond
	if d := redisson().Recognise(s).Dialect; noted(d, "at most") {
		t.Errorf("half a second late is no news: %v", d.Notes)
	}
	s.Left, s.Endless = 0, true
	if d := redisson().Recognise(s).Dialect; d.Endless || !noted(d, "expiry") {
		t.Errorf("without an expiry: endless %v, %v", d.Endless, d.Notes)
	}
}

func TestRedissonFenced(t *testing.T) {
	r := redisson().Recognise(redissonShape("orders", clientA+":57", "1"))
	r.Learn(&r, Answers{"GET redisson_lock_token:{orders}": redis.Bulk("41")})
	d := r.Dialect
	if d.Form != "fenced lock" || d.FencedBy != "redisson_lock_token:{orders}" || d.Fence.Value != "41" || d.Fence.State != evidence.Seen {
		t.Errorf("a %s, fenced by %s: %+v", d.Form, d.FencedBy, d.Fence)
	}
	r = redisson().Recognise(redissonShape("orders", clientA+":57", "1"))
	r.Learn(&r, Answers{"GET redisson_lock_token:{orders}": {Kind: '$', Null: true}})
	if d := r.Dialect; d.Form != "lock" || d.FencedBy != "" || d.Fence.State != evidence.Absent {
		t.Errorf("without a token: a %s, fenced by %q: %+v", d.Form, d.FencedBy, d.Fence)
	}
	for _, odd := range []string{"", "-1", "4\x1b[31m", strings.Repeat("9", 30)} {
		r = redisson().Recognise(redissonShape("orders", clientA+":57", "1"))
		r.Learn(&r, Answers{"GET redisson_lock_token:{orders}": redis.Bulk(odd)})
		if d := r.Dialect; d.Form != "lock" || d.FencedBy != "" || d.Fence.Value != "" {
			t.Errorf("token %q: a %s, fenced by %q", odd, d.Form, d.FencedBy)
		}
	}
}

func TestRedissonFair(t *testing.T) {
	gone, here := noon().Add(-time.Minute), noon().Add(time.Minute)
	r := redisson().Recognise(redissonShape("orders", clientA+":57", "1"))
	r.Learn(&r, Answers{
		"LLEN redisson_lock_queue:{orders}":                       number(250),
		"LRANGE redisson_lock_queue:{orders} 0 99":                list(clientB+":9", clientA+":60"),
		"ZRANGE redisson_lock_timeout:{orders} 0 99 WITHSCORES":   list(clientB+":9", fmt.Sprint(gone.UnixMilli()), clientA+":60", fmt.Sprint(here.UnixMilli())),
		"PUBSUB NUMSUB redisson_lock__channel:{orders}":           {Kind: '*', Array: []redis.Value{redis.Bulk("c"), number(0)}},
		"PUBSUB SHARDNUMSUB redisson_lock__channel:{orders}":      {Kind: '-', Str: "ERR unknown subcommand"},
		"GET redisson_lock_token:{orders}":                        {Kind: '$', Null: true},
		"a command that nobody sent but somebody put in the file": redis.Bulk("x"),
	})
	want := []evidence.Waiter{{Text: clientB + ":9", Till: gone}, {Text: clientA + ":60", Till: here}}
	d := r.Dialect
	if d.Form != "fair lock" || !slices.Equal(d.Queue, want) || d.Waiters.Value != 250 || !noted(d, "had run out, by their own clocks: 1") {
		t.Errorf("a %s, %d wait, %+v, %v", d.Form, d.Waiters.Value, d.Queue, d.Notes)
	}
	printable(t, r)
}

// Whoever listens on the channel waits; that nobody does is no proof.
func TestRedissonListeners(t *testing.T) {
	numsub := func(n int64) redis.Value {
		return redis.Value{Kind: '*', Array: []redis.Value{redis.Bulk("c"), number(n)}}
	}
	for name, c := range map[string]struct {
		classic, sharded redis.Value
		waiters          int64
		state            evidence.State
	}{
		"three":     {numsub(3), redis.Value{Kind: '-'}, 3, evidence.Seen},
		"sharded":   {numsub(0), numsub(2), 2, evidence.Seen},
		"nobody":    {numsub(0), numsub(0), 0, evidence.Absent},
		"refused":   {redis.Value{Kind: '-'}, redis.Value{Kind: '-'}, 0, evidence.Unread},
		"negative":  {numsub(-1), numsub(math.MinInt64), 0, evidence.Unread},
		"overflows": {numsub(math.MaxInt64), numsub(math.MaxInt64), 0, evidence.Unread},
	} {
		r := redisson().Recognise(redissonShape("orders", clientA+":57", "1"))
		r.Learn(&r, Answers{
			"PUBSUB NUMSUB redisson_lock__channel:{orders}":      c.classic,
			"PUBSUB SHARDNUMSUB redisson_lock__channel:{orders}": c.sharded,
		})
		if w := r.Dialect.Waiters; w.Value != c.waiters || w.State != c.state {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

func TestRedissonHostile(t *testing.T) {
	survive(t, redisson(),
		redissonShape("orders", clientA+":57", "1"),
		redissonShape("orders", "mode", "read", clientA+":57", "9", clientB+":1", "2"),
		redissonShape("orders", fasterFields()...),
		Shape{Key: "redisson_lock_queue:{orders}", Type: "list", Now: noon()},
		Shape{Key: "redisson_lock_timeout:{orders}", Type: "zset"},
		Shape{Key: "redisson_lock_token:{orders}", Type: "string"},
		Shape{Key: "redisson_lock_queue:{\x1b[31m" + strings.Repeat("x", 5000) + "}", Type: "list"},
	)
	for _, text := range hostile() {
		for _, s := range []Shape{
			redissonShape(text, text, text), redissonShape(text, "mode", text, text, text), redissonShape(text, "mode", "read", text, "1"),
			redissonShape(text, text+":expire_time", text), redissonShape(text, fasterFields()...), redissonShape(text, clientA+":57", text),
		} {
			printable(t, redisson().Recognise(s))
		}
	}
}
