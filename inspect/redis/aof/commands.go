package aof

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// command takes a command that names the key somewhere.
func (t *tracker) command(in *scanner, name string) {
	switch {
	case name == "copy":
		t.copied(in, name)
	case name == "move":
		t.moved(in, name)
	case t.db != t.lock.DB || t.several(in, name):
	case in.hit(1):
		t.single(in, name)
	}
}

// several takes the commands whose keys are not, or not only, their first
// argument. For all others an argument further on that equals the key is a value.
func (t *tracker) several(in *scanner, name string) bool {
	switch name {
	case "del", "unlink":
		t.removed(in, name)
	case "mset", "msetnx":
		t.mset(in, name)
	case "rename", "renamenx":
		t.rename(in, name)
	case "eval", "evalsha", "fcall":
		t.script(in, name)
	case "bitop":
		t.target(in, name, 2)
	case "lmove", "smove", "rpoplpush":
		t.target(in, name, 1, 2)
	default:
		return false
	}
	return true
}

// single takes a command whose one key is the lock.
func (t *tracker) single(in *scanner, name string) {
	switch name {
	case "set":
		t.setCommand(in)
	case "setnx", "getset":
		t.set(in, name, in.arg(2), in.size(2), time.Time{})
	case "setex", "psetex":
		t.set(in, name, in.arg(3), in.size(3), t.within(in.arg(2), unitOf(name == "psetex")))
	case "pexpireat":
		t.expire(in, name, millis(in.arg(2)))
	case "expireat":
		t.expire(in, name, seconds(in.arg(2)))
	case "expire", "pexpire":
		t.expire(in, name, t.within(in.arg(2), unitOf(name == "pexpire")))
	case "hpexpireat":
		t.expire(in, name, millis(in.arg(2)))
	case "persist":
		t.expire(in, name, time.Time{})
	case "getdel":
		t.removed(in, name)
	case "hset", "hsetnx", "hmset", "hincrby":
		t.field(in, name)
	case "hdel":
		t.fieldGone(in)
	case "restore":
		t.restore(in)
	default:
		t.target(in, name, 1)
	}
}

// target is a write that says nothing of who holds the key.
func (t *tracker) target(in *scanner, name string, positions ...int) {
	if slices.ContainsFunc(positions, in.hit) {
		t.add(in, name, "", state{known: true, present: true, ends: t.state.ends})
	}
}

func (t *tracker) setCommand(in *scanner) {
	var ends time.Time
	for i := 3; i < len(in.args); i++ {
		next := in.arg(i + 1)
		switch strings.ToUpper(in.arg(i)) {
		case "PXAT":
			ends = millis(next)
		case "EXAT":
			ends = seconds(next)
		case "PX":
			ends = t.within(next, time.Millisecond)
		case "EX":
			ends = t.within(next, time.Second)
		case "KEEPTTL":
			ends = t.state.ends
		}
	}
	t.set(in, "set", in.arg(2), in.size(2), ends)
	t.bare = in.n == 3
}

func (t *tracker) mset(in *scanner, name string) {
	for _, i := range in.hits {
		if i%2 == 1 {
			t.set(in, name, in.arg(i+1), in.size(i+1), time.Time{})
			return
		}
	}
}

func (t *tracker) rename(in *scanner, name string) {
	switch {
	case in.hit(2):
		t.set(in, name, "", -1, time.Time{})
	case in.hit(1):
		t.removed(in, name)
	}
}

// copied takes COPY, which may reach into another database.
func (t *tracker) copied(in *scanner, name string) {
	db := t.db
	for i := 3; i < len(in.args); i++ {
		if strings.EqualFold(in.arg(i), "DB") {
			db = number(in.arg(i + 1))
		}
	}
	if in.hit(2) && db == t.lock.DB {
		t.set(in, name, "", -1, time.Time{})
	}
}

func (t *tracker) moved(in *scanner, name string) {
	switch to := number(in.arg(2)); {
	case !in.hit(1) || to == t.db:
	case t.db == t.lock.DB:
		t.removed(in, name)
	case to == t.lock.DB:
		t.set(in, name, "", -1, time.Time{})
	}
}

// script takes a script that an old server logged instead of its effects. What it
// did to the key is not told.
func (t *tracker) script(in *scanner, name string) {
	keys := number(in.arg(2))
	for _, i := range in.hits {
		if i >= 3 && i < 3+keys {
			t.add(in, name, "", state{})
			return
		}
	}
}

// field takes a write of a hash's field, which for locks kept as hashes names the
// holder. A count that goes down is a holder letting go of one of its holds.
func (t *tracker) field(in *scanner, name string) {
	after := t.state
	after.known, after.present, after.value, after.size = true, true, in.arg(2), in.size(2)
	deed := evidence.DeedAcquire
	switch {
	case name == "hincrby" && strings.HasPrefix(in.arg(3), "-"):
		deed = ""
	case t.held() && t.state.value == after.value:
		deed = evidence.DeedRenew
	case !t.held():
		after.ends = time.Time{}
	}
	t.add(in, name, deed, after)
}

// fieldGone takes a hash's field away. The last one takes the key with it.
func (t *tracker) fieldGone(in *scanner) {
	after := t.state
	if t.state.value == in.arg(2) {
		after = state{}
	}
	t.add(in, "hdel", evidence.DeedRelease, after)
}

func (t *tracker) restore(in *scanner) {
	var ends time.Time
	if ttl := in.arg(2); ttl != "0" {
		ends = t.within(ttl, time.Millisecond)
		for i := 4; i < len(in.args); i++ {
			if strings.EqualFold(in.arg(i), "ABSTTL") {
				ends = millis(ttl)
			}
		}
	}
	t.set(in, "restore", "", -1, ends)
}

// size is the full length of an argument.
func (s *scanner) size(i int) int64 {
	if i < len(s.sizes) {
		return s.sizes[i]
	}
	return 0
}

// within is the earliest end of a lease given by its length: only what old
// servers log as a script's effect has one, and only an annotation dates it.
func (t *tracker) within(text string, unit time.Duration) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || t.ts == 0 || n > int64(1<<62/unit) || n < 0 {
		return time.Time{}
	}
	return time.Unix(t.ts, 0).UTC().Add(time.Duration(n) * unit)
}

func unitOf(milli bool) time.Duration {
	if milli {
		return time.Millisecond
	}
	return time.Second
}

func millis(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n).UTC()
}

func seconds(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
