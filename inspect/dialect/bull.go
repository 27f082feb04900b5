package dialect

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// OptimalBits' Bull: PREFIX:QUEUE:JOB:lock with the UUID of the queue object that
// works on the job. A timer of its process for each job extends it every half
// lease; an event loop that is blocked extends nothing.
func bull() Dialect {
	return Dialect{Name: "bull", Keys: bullKeys, Clients: []string{"ioredis"}, Recognise: func(s Shape) Reading {
		k, ok := bullKeyOf(s.Key)
		version, isUUID := uuid(s.Value)
		if s.Type != "string" || !ok || !isUUID || version != 4 {
			return misfit
		}
		fit := evidence.Possible
		if k.own {
			fit = evidence.FitsWell
		}
		r := k.reading(s, fit, "the key is a job's lock, the value the UUID of a queue object")
		r.Learn = func(r *Reading, a Answers) {
			if bullVersion(r, a, k) {
				r.Fit = evidence.Misfit // BullMQ writes it, Bull never does
				return
			}
			k.learn(r, a)
		}
		return r
	}}
}

const bullBeat = 15 * time.Second // half of a lease of 30 s

// A bullKey is the parts of a job's lock.
type bullKey struct {
	base  string // PREFIX:QUEUE, before which the client may have put a prefix of its own
	job   string
	own   bool   // PREFIX is the default, or its form for a cluster
	names string // the name that connections of the queue's workers have
}

// bullKeyOf parts a key. A repeated job's name has colons of its own, no other's has.
func bullKeyOf(key string) (k bullKey, ok bool) {
	head, ok := strings.CutSuffix(key, ":lock")
	i := strings.LastIndex(head, ":repeat:")
	if i < 0 {
		i = strings.LastIndexByte(head, ':')
	}
	if !ok || i < 0 {
		return k, false
	}
	k.base, k.job = head[:i], head[i+1:]
	prefix, queue, parted := strings.Cut(k.base, ":")
	for _, own := range []string{"bull", "{bull}"} {
		if _, q, ok := strings.Cut(":"+k.base, ":"+own+":"); ok {
			prefix, queue, k.own = own, q, true
		}
	}
	k.names = evidence.Printable(evidence.Clip(prefix+":"+base64.StdEncoding.EncodeToString([]byte(queue)), 120))
	return k, parted && prefix != "" && queue != "" && k.job != ""
}

// bullKeys takes QUEUE/JOB, or all that stands between the prefix and the end.
func bullKeys(name string) []string {
	name = strings.Replace(name, "/", ":", 1)
	return []string{"bull:" + name + ":lock", "{bull}:" + name + ":lock", name + ":lock"}
}

// reading is what the locks of Bull and BullMQ have in common.
func (k bullKey) reading(s Shape, fit evidence.Fit, because string) Reading {
	r := Reading{
		Fit: fit, Because: []string{because},
		Dialect: evidence.Dialect{
			Form: "job lock", Lease: 2 * bullBeat, RenewEvery: bullBeat, Renews: evidence.ByItself,
			Holders: []evidence.Locker{{Text: evidence.Printable(evidence.Clip(s.Value, 80))}},
			Notes:   []string{"in CLIENT LIST the connections on which its queue's workers wait are named " + k.names},
			Release: "Stop the worker first, if it lives: once the lock is gone the next look for stalled jobs gives the job to another worker, while the first may still be at it. " +
				"A worker that is dead needs no release: its lease ends, and that look, every 30 s by default, takes the job back. By hand, compare the whole value, and leave the lists and the job's own hash to the library.",
		},
		Ask: [][]string{
			{"HMGET", k.base + ":" + k.job, "processedOn", "pb", "ats", "stc", "stalledCounter"},
			k.askVersion(),
			{"GET", k.base + ":stalled-check"},
			{"SCARD", k.base + ":stalled"},
			{"LLEN", k.base + ":active"},
			{"LRANGE", k.base + ":active", "0", "99"},
		},
	}
	if k.own {
		r.Because = append(r.Because, "its prefix is bull")
	}
	if s.Endless {
		r.Dialect.Notes = append(r.Dialect.Notes, "it has no expiry, which the library always sets")
	}
	return r
}

func (k bullKey) askVersion() []string { return []string{"HGET", k.base + ":meta", "version"} }

// bullVersion: BullMQ writes its name and version beside the queue.
func bullVersion(r *Reading, a Answers, k bullKey) bool {
	v, ok := a.Get(k.askVersion()...)
	if !ok || !strings.HasPrefix(v.Str, "bullmq") {
		return false
	}
	r.Because = append(r.Because, "its queue says "+evidence.Printable(evidence.Clip(v.Str, 40)))
	return true
}

// learn reads the job, and what the queue knows of it.
func (k bullKey) learn(r *Reading, a Answers) {
	d := &r.Dialect
	if v, ok := a.Get(r.Ask[0]...); ok && len(v.Array) == 5 {
		bullJob(d, v.Array)
	}
	if v, ok := a.Get(r.Ask[2]...); ok {
		if began := epochMillis(v.Str); !began.IsZero() {
			d.Alive = append(d.Alive, evidence.Alive{
				Key: evidence.Printable(evidence.Clip(r.Ask[2][1], 160)), Who: "a worker of the queue", Beat: began,
				Text: "it looked for stalled jobs, every 30 s by default; which worker, it does not say",
			})
		}
	}
	if v, ok := a.Get(r.Ask[3]...); ok && v.Int > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d jobs of the queue have not been renewed since the latest look: those whose locks are gone at the next are taken back", v.Int))
	}
	k.learnActive(d, r.Ask[4], r.Ask[5], a)
}

// learnActive: a job at work is in the list of active ones.
func (k bullKey) learnActive(d *evidence.Dialect, count, list []string, a Answers) {
	n, ok1 := a.Get(count...)
	v, ok2 := a.Get(list...)
	if !ok2 {
		return
	}
	switch listed := slices.ContainsFunc(v.Array, func(j redis.Value) bool { return j.Str == k.job }); {
	case listed:
		d.Notes = append(d.Notes, "its job is in the queue's active list")
	case ok1 && n.Int <= int64(len(v.Array)):
		d.Notes = append(d.Notes, "its job is not in the queue's active list: it has ended or was taken back, and the lock only runs out")
	}
}

// bullJob reads a job's own fields: when its latest run began, by its worker's
// clock, who runs it, how often it began, how often it was taken back (BullMQ's
// name for that, and Bull's).
func bullJob(d *evidence.Dialect, f []redis.Value) {
	began, worker, starts := f[0].Str, f[1].Str, f[2].Str
	if began == "" && worker == "" && starts == "" {
		d.Notes = append(d.Notes, "its job says nothing of a run: it is gone, or was never begun")
		return
	}
	l := &d.Holders[0]
	l.Since, l.Worker = epochMillis(began), evidence.Printable(evidence.Clip(worker, 80))
	if n, err := strconv.ParseUint(starts, 10, 32); err == nil && n > 1 {
		d.Notes = append(d.Notes, fmt.Sprintf("its job was begun %d times", n))
	}
	for _, stalled := range f[3:] {
		if n, err := strconv.ParseUint(stalled.Str, 10, 32); err == nil && n > 0 {
			d.Notes = append(d.Notes, fmt.Sprintf("its job was taken back as stalled %d times before", n))
		}
	}
}
