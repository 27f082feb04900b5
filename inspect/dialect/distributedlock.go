package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// madelson/DistributedLock.Redis: every holder is HOST_PID_GUID. A mutex is a
// string; a read-write lock a set NAME.readers and a string NAME.writer; a
// semaphore a sorted set of tickets, by the end of each. A task of the process
// extends what it holds.
func distributedLock() Dialect {
	keys := func(name string) []string { return []string{name, name + medallionWriter, name + medallionReaders} }
	return Dialect{Name: "DistributedLock.Redis", Keys: keys, Clients: []string{"SE.Redis"}, Recognise: func(s Shape) Reading {
		switch s.Type {
		case "string":
			return medallionString(s)
		case "set":
			return medallionReadLock(s)
		case "zset":
			return medallionSemaphore(s)
		}
		return misfit
	}}
}

// The companion keys of a read-write lock, and the mark of a writer that waits.
const (
	medallionWriter  = ".writer"
	medallionReaders = ".readers"
	medallionWaits   = "_WRITERWAITING"
)

func medallionForm(form, release string) evidence.Dialect {
	return evidence.Dialect{
		Form: form, Lease: 30 * time.Second, RenewEvery: 9 * time.Second, Renews: evidence.ByItself, Release: release,
	}
}

// medallionHolder reads an ID from its end, since host names may have
// underscores of their own.
func medallionHolder(id string) (evidence.Locker, bool) {
	const guid, longest = 32, 320
	at := len(id) - guid - 1
	if at < 0 || len(id) > longest || id[at] != '_' || !of(id[at+1:], guid, lowerHex) {
		return evidence.Locker{}, false
	}
	sep := strings.LastIndexByte(id[:at], '_')
	if sep < 1 {
		return evidence.Locker{}, false
	}
	host, digits := id[:sep], id[sep+1:at]
	pid, err := strconv.ParseInt(digits, 10, 32) // Windows counts further than Linux
	if err != nil || pid < 1 || strconv.FormatInt(pid, 10) != digits || strings.ContainsRune(host, ' ') || evidence.Printable(host) != host {
		return evidence.Locker{}, false
	}
	return evidence.Locker{Text: id, Host: host, Pid: int(pid)}, true
}

// medallionString is a mutex, a write lock, or a writer's claim on one that still
// has readers.
func medallionString(s Shape) Reading {
	id, waits := strings.CutSuffix(s.Value, medallionWaits)
	l, ok := medallionHolder(id)
	name, writer := strings.CutSuffix(s.Key, medallionWriter)
	if !ok || waits && !writer {
		return misfit
	}
	r := Reading{
		Fit: evidence.Certain, Because: []string{"the value is HOST_PID_GUID"},
		Dialect: medallionForm("lock", "Delete the key only while it has the whole value, on every server of the set. A holder that lives finds out at its next extension, within 9 s, and works on until then."),
	}
	if writer {
		l.Writes = true
		r.Dialect.Form = "write lock"
		r.Because = append(r.Because, "the key is the writer's of a read-write lock")
		r.Ask, r.Learn = medallionAsk(name), medallionLearn(name, false)
	}
	if waits {
		r.Dialect.Form, r.Dialect.RenewEvery = "write lock, claimed and not yet held", 0
		r.Dialect.Queue = []evidence.Waiter{{Text: s.Value}}
		r.Dialect.Notes = []string{"the writer waits for the readers and lets no new one in; each try of it, at most 0.8 s apart by default, extends the claim"}
		r.Because = append(r.Because, "marked as a writer that waits")
		l.Text = s.Value
	}
	r.Dialect.Holders = []evidence.Locker{l}
	return r
}

func medallionAsk(name string) [][]string {
	return [][]string{
		{"SCARD", name + medallionReaders},
		{"SMEMBERS", name + medallionReaders},
		{"GET", name + medallionWriter},
	}
}

// medallionReadLock is a set of readers, of which a shape shows the key alone:
// the members come as answers.
func medallionReadLock(s Shape) Reading {
	name, ok := strings.CutSuffix(s.Key, medallionReaders)
	if !ok || name == "" {
		return misfit
	}
	r := Reading{
		Fit: evidence.Possible, Because: []string{"a set whose key ends in " + medallionReaders},
		Dialect: medallionForm("read lock", "Remove the one reader that is gone from the set, not the set: the others hold the lock through it. The expiry is that of the whole set, so any reader that lives keeps the dead ones in."),
		Ask:     medallionAsk(name), Learn: medallionLearn(name, true),
	}
	for _, m := range s.Scored {
		l, ok := medallionHolder(m.Member)
		if !ok {
			return misfit
		}
		r.Fit = evidence.Certain
		r.Dialect.Holders = append(r.Dialect.Holders, l)
	}
	return r
}

// medallionLearn reads the other half of a read-write lock, and of a set of
// readers the members themselves.
func medallionLearn(name string, isReaders bool) func(*Reading, Answers) {
	return func(r *Reading, a Answers) {
		const most = 100
		d := &r.Dialect
		if v, ok := a.Get("SMEMBERS", name+medallionReaders); ok {
			readers, strangers := []evidence.Locker{}, 0
			for _, m := range v.Array[:min(len(v.Array), most)] {
				if l, ok := medallionHolder(m.Str); ok {
					readers = append(readers, l)
				} else {
					strangers++
				}
			}
			if isReaders && len(readers) > 0 && strangers == 0 {
				d.Holders, r.Fit = readers, evidence.Certain
				r.Because = append(r.Because, "its members are HOST_PID_GUID")
			}
			if strangers > 0 {
				d.Notes = append(d.Notes, fmt.Sprintf("%d members of the set of readers are no holders of this library's", strangers))
			}
			if !isReaders && len(readers) > 0 {
				d.Notes = append(d.Notes, "readers: "+medallionNames(readers))
			}
		}
		if v, ok := a.Get("SCARD", name+medallionReaders); ok && v.Int > most {
			d.Notes = append(d.Notes, fmt.Sprintf("the set has %d readers", v.Int))
		}
		if v, ok := a.Get("GET", name+medallionWriter); ok && isReaders && v.Str != "" {
			id, waits := strings.CutSuffix(v.Str, medallionWaits)
			w, known := medallionHolder(id)
			switch {
			case known && waits:
				d.Waiters = evidence.Saw(name+medallionWriter, int64(1))
				d.Queue = []evidence.Waiter{{Text: v.Str}}
				d.Notes = append(d.Notes, "a writer waits for the readers: "+medallionNames([]evidence.Locker{w}))
			case known:
				d.Notes = append(d.Notes, "a writer holds the lock beside its readers: "+medallionNames([]evidence.Locker{w}))
			}
		}
	}
}

// medallionNames lists holders for people, a few of them.
func medallionNames(holders []evidence.Locker) string {
	const most = 5
	var names []string
	for _, l := range holders[:min(len(holders), most)] {
		names = append(names, fmt.Sprintf("%s pid %d", evidence.Clip(l.Host, 60), l.Pid))
	}
	if more := len(holders) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// medallionSemaphore is a sorted set of tickets, each with an end of its own. Those
// that have ended stay until the next acquire.
func medallionSemaphore(s Shape) Reading {
	r := Reading{
		Fit: evidence.Certain, Because: []string{"a sorted set of HOST_PID_GUID, by milliseconds"},
		Dialect: medallionForm("semaphore", "Remove one holder's member, not the key: it is the tickets of all. An ended ticket takes no place; the next acquire drops it, so only one that runs on is worth a release."),
	}
	ended := 0
	for _, m := range s.Scored {
		l, ok := medallionHolder(m.Member)
		if !ok {
			return misfit
		}
		l.Ends = medallionTime(m.Score)
		if !s.Now.IsZero() && !l.Ends.IsZero() && l.Ends.Before(s.Now) {
			ended++
		}
		r.Dialect.Holders = append(r.Dialect.Holders, l)
	}
	if len(r.Dialect.Holders) == 0 {
		return misfit
	}
	if ended > 0 {
		r.Dialect.Notes = append(r.Dialect.Notes, fmt.Sprintf("%d of %d tickets have ended and hold nothing", ended, len(s.Scored)))
	}
	return r
}

// medallionTime is a score: milliseconds of the server's clock, with a fraction.
func medallionTime(score float64) time.Time {
	const latest = 1 << 43 // in the year 2248: beyond, or no number at all, is no time
	if !(score > 0 && score < latest) {
		return time.Time{}
	}
	return time.UnixMicro(int64(score * 1000)).UTC()
}
