package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// redissonReadWrite: one field says the mode, the others who holds it, CLIENT:THREAD
// for a reader and CLIENT:THREAD:write for the writer, who may read as well. Each hold
// of a reader has a key of its own that carries its time.
func redissonReadWrite(s Shape) Reading {
	mode := fieldOf(s.Fields, "mode")
	holders, ok := redissonReaders(s.Fields, mode)
	if !ok || len(holders) == 0 {
		return misfit
	}
	times := redissonTimes(s.Key, holders)
	channel := redissonChannel(companion("redisson_rwlock", s.Key))
	r := Reading{
		Fit: evidence.Certain, Because: []string{"a hash with a mode, and fields CLIENT:THREAD"},
		Dialect: redissonForm(mode+" lock", "Lower or remove the one holder's field, not the key: others may hold it with it, and the key may go only with its last holder. "+
			"A reader's rwlock_timeout keys go with its holds; when the writer leaves and still reads, the mode must become read. "+
			"Waiters sleep until the unlock message comes on the lock's redisson_rwlock channel, or the lease that they saw is over."),
		Learn: func(r *Reading, a Answers) {
			channel.learn(&r.Dialect, a)
			learnReaders(&r.Dialect, times, s.Now, a)
		},
	}
	for _, t := range times {
		r.Ask = append(r.Ask, t.command)
	}
	r.Ask = append(r.Ask, channel.own()...)
	d := &r.Dialect
	d.Holders = holders
	if len(holders) > redissonMost {
		d.Holders = holders[:redissonMost]
		d.Notes = append(d.Notes, fmt.Sprintf("%d more hold it", len(holders)-redissonMost))
	}
	if mode == "read" && len(holders) > 1 {
		d.Notes = append(d.Notes, "in versions before 4.4 the watchdog of one reader may renew the others' holds with its own: time left does not prove that each of them lives")
	}
	if mode == "write" && s.Left > redissonLease && redissonReentered(holders) {
		d.Notes = append(d.Notes, "a writer that enters again adds a lease to what is left: more than 30 s is then normal")
		return r
	}
	redissonUnusual(d, s)
	return r
}

// redissonReaders reads every field but the mode. All must be holders, and a writer
// there may be in write mode only.
func redissonReaders(fields []evidence.Field, mode string) (out []evidence.Locker, ok bool) {
	if mode != "read" && mode != "write" {
		return nil, false
	}
	writers := 0
	for _, f := range fields {
		if f.Name == "mode" {
			continue
		}
		name, writes := strings.CutSuffix(f.Name, ":write")
		l, isHolder := redissonHolder(evidence.Field{Name: name, Value: f.Value})
		if !isHolder {
			return nil, false
		}
		l.Text, l.Writes = f.Name, writes
		if writes {
			writers++
		}
		out = append(out, l)
	}
	return out, writers == 0 && mode == "read" || writers == 1 && mode == "write"
}

func redissonReentered(holders []evidence.Locker) bool {
	for _, l := range holders {
		if l.Writes && l.Holds > 1 {
			return true
		}
	}
	return false
}

// A redissonTime is the read of one hold's time.
type redissonTime struct {
	holder  int // in the list of holders
	command []string
}

// redissonTimes are the first few holds' keys: the first of every reader, then the
// second.
func redissonTimes(key string, holders []evidence.Locker) []redissonTime {
	const most = 6
	var out []redissonTime
	for nth := range int64(most) {
		for i, l := range holders {
			if len(out) == most {
				return out
			}
			if !l.Writes && l.Holds > nth {
				name := redissonBeside(key) + ":" + l.Text + ":rwlock_timeout:" + strconv.FormatInt(nth+1, 10)
				out = append(out, redissonTime{i, []string{"PTTL", name}})
			}
		}
	}
	return out
}

// learnReaders: a reader's part ends when the last of its holds does. A reader none of
// whose holds has a key any more stays in the hash, but no longer keeps it there.
func learnReaders(d *evidence.Dialect, times []redissonTime, now time.Time, a Answers) {
	left := make([]time.Duration, len(d.Holders))
	read := make([]bool, len(d.Holders))
	for _, t := range times {
		v, ok := a.Get(t.command...)
		if !ok || t.holder >= len(left) {
			continue
		}
		switch {
		case v.Int == -2: // no such key
			read[t.holder] = true
		case v.Int > 0 && v.Int < 1e12:
			read[t.holder] = true
			left[t.holder] = max(left[t.holder], time.Duration(v.Int)*time.Millisecond)
		}
	}
	for i, known := range read {
		switch {
		case !known:
		case left[i] == 0:
			d.Notes = append(d.Notes, d.Holders[i].Text+" is in the hash, but its time is over: the next unlock of another reader may end the lock")
		case !now.IsZero():
			d.Holders[i].Ends = now.Add(left[i])
		default:
			d.Notes = append(d.Notes, fmt.Sprintf("%s has %v left", d.Holders[i].Text, left[i]))
		}
	}
}
