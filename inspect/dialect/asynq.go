package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// hibiken/asynq has two locks. asynq:{QUEUE}:unique:TYPE:HASH keeps a second task of
// the same type and payload out: a string that names the task, with a lease of the
// caller's that nothing extends. asynq:{QUEUE}:lease is a sorted set of the tasks in
// work, by the second in which the lease of each ends; the heartbeat of the server
// that works on them moves it on.
func asynq() Dialect {
	return Dialect{Name: "asynq", Keys: asynqKeys, Clients: []string{"go-redis"}, Recognise: func(s Shape) Reading {
		if queue, ok := asynqQueue(s.Key, "}:lease"); ok && s.Type == "zset" {
			return asynqLease(s, queue)
		}
		if queue, ok := asynqUniqueQueue(s.Key); ok && s.Type == "string" {
			return asynqUnique(s, queue)
		}
		return misfit
	}}
}

const (
	asynqServers = "asynq:servers"
	asynqTask    = 30 * time.Second // how long a lease of a task is
	asynqBeat    = 5 * time.Second  // how often a server writes its state, for two beats
)

// asynqKeys: QUEUE for its leases, QUEUE/TYPE:HASH for a unique task, and what
// follows asynq: in a key that was given whole.
func asynqKeys(name string) []string {
	if strings.HasPrefix(name, "{") {
		return []string{"asynq:" + name}
	}
	if queue, task, ok := strings.Cut(name, "/"); ok {
		return []string{"asynq:{" + queue + "}:unique:" + task}
	}
	return []string{"asynq:{" + name + "}:lease"}
}

// asynqQueue takes the queue out of asynq:{QUEUE}:….
func asynqQueue(key, end string) (string, bool) {
	rest, ok := strings.CutPrefix(key, "asynq:{")
	queue, ended := strings.CutSuffix(rest, end)
	return queue, ok && ended && queue != ""
}

// asynqUniqueQueue: behind the type, which may have colons, stands the MD5 of the
// payload, or nothing where there is none.
func asynqUniqueQueue(key string) (string, bool) {
	head, tail, ok := strings.Cut(key, "}:unique:")
	queue, named := strings.CutPrefix(head, "asynq:{")
	i := strings.LastIndexByte(tail, ':')
	if !ok || !named || queue == "" || i < 1 {
		return "", false
	}
	sum := tail[i+1:]
	return queue, sum == "" || of(sum, 32, lowerHex)
}

// asynqUnique is the lock of a task that may be waiting, in work, or long dead.
func asynqUnique(s Shape, queue string) Reading {
	if s.Value == "" {
		return misfit
	}
	id := s.Value
	r := Reading{
		Fit: evidence.Certain, Because: []string{"the key is asynq's for a unique task"},
		Dialect: evidence.Dialect{
			Form: "unique task", Renews: evidence.NeverRenews,
			Holders: []evidence.Locker{{Text: evidence.Printable(evidence.Clip(id, 80))}},
			Release: "The value is the ID of the task that holds the lock: asynq deletes the key when that task is done, and only while it has that ID. A task that waits for a retry or is archived keeps it on purpose; see to the task first, for without the key a second one can be enqueued beside it.",
		},
		Ask: [][]string{
			{"HMGET", "asynq:{" + queue + "}:t:" + id, "state", "pending_since", "unique_key"},
			{"ZSCORE", "asynq:{" + queue + "}:lease", id},
			{"ZCARD", asynqServers},
			{"ZRANGE", asynqServers, "0", "99", "WITHSCORES"},
		},
	}
	r.Learn = func(r *Reading, a Answers) {
		asynqLearnTask(r, a, s.Key)
		if v, ok := a.Get(r.Ask[1]...); ok {
			score, err := strconv.ParseFloat(v.Str, 64)
			if end := asynqTime(score); err == nil && !end.IsZero() {
				r.Dialect.Alive = append(r.Dialect.Alive, evidence.Alive{
					Key: r.Ask[1][1], Who: "task " + evidence.Printable(evidence.Clip(id, 80)), Holder: true, Beat: end.Add(-asynqTask), Every: asynqBeat,
					Dead: !s.Now.IsZero() && end.Before(s.Now), Text: "a server's lease on the task, to the second",
				})
			}
		}
		asynqLearnServers(r, a, r.Ask[2], r.Ask[3], s.Now)
	}
	return r
}

// asynqLearnTask reads the task's own hash.
func asynqLearnTask(r *Reading, a Answers, key string) {
	v, ok := a.Get(r.Ask[0]...)
	if !ok || len(v.Array) != 3 {
		return
	}
	d := &r.Dialect
	state, since, unique := v.Array[0], v.Array[1], v.Array[2]
	if state.Null && since.Null && unique.Null {
		d.Notes = append(d.Notes, "its task is gone: nobody will delete the key, it only expires")
		return
	}
	note := "its task is " + evidence.Printable(evidence.Clip(state.Str, 20))
	if ns, err := strconv.ParseInt(since.Str, 10, 64); err == nil && ns > 0 {
		// Written anew by a retry and by a schedule, so not when the lock was taken.
		note += ", in the queue since " + time.Unix(0, ns).UTC().Format(time.RFC3339)
	}
	d.Notes = append(d.Notes, note)
	if unique.Str != "" && unique.Str != key {
		d.Notes = append(d.Notes, "its task names another unique key: "+evidence.Printable(evidence.Clip(unique.Str, 120)))
	}
}

// asynqLease is the leases of all tasks of a queue that are in work: the key has no
// expiry, each member has an end.
func asynqLease(s Shape, queue string) Reading {
	const most = 100
	r := Reading{
		Fit: evidence.Certain, Because: []string{"the key is asynq's for the leases of a queue"},
		Dialect: evidence.Dialect{
			Form: "task lease", Lease: asynqTask, RenewEvery: asynqBeat, Renews: evidence.ByItself, Endless: true,
			Release: "Leave the members alone: the recoverer of any server takes back a task whose lease ended more than 30 s ago, and finds it by this set only. One that is removed here but not from the active list is lost to it, and its worker cannot report it done.",
		},
		Ask: [][]string{
			{"LLEN", "asynq:{" + queue + "}:active"},
			{"ZCARD", asynqServers},
			{"ZRANGE", asynqServers, "0", "99", "WITHSCORES"},
		},
	}
	ended := 0
	for _, m := range s.Scored[:min(len(s.Scored), most)] {
		l := evidence.Locker{Text: evidence.Printable(evidence.Clip(m.Member, 80)), Ends: asynqTime(m.Score)}
		if !s.Now.IsZero() && !l.Ends.IsZero() && l.Ends.Before(s.Now) {
			ended++
		}
		r.Dialect.Holders = append(r.Dialect.Holders, l)
	}
	if ended > 0 {
		r.Dialect.Notes = append(r.Dialect.Notes, fmt.Sprintf("%d of %d leases have ended: their tasks run again once a recoverer sees them", ended, len(s.Scored)))
	}
	r.Learn = func(r *Reading, a Answers) {
		if v, ok := a.Get(r.Ask[0]...); ok && v.Int != int64(len(s.Scored)) {
			r.Dialect.Notes = append(r.Dialect.Notes, fmt.Sprintf("%d tasks are in the active list, %d have a lease", v.Int, len(s.Scored)))
		}
		asynqLearnServers(r, a, r.Ask[1], r.Ask[2], s.Now)
	}
	return r
}

// asynqLearnServers reads the servers by the end of their state, two beats after the
// latest. A server that crashed stays in the set.
func asynqLearnServers(r *Reading, a Answers, count, list []string, now time.Time) {
	const most = 16
	v, ok := a.Get(list...)
	if !ok {
		return
	}
	d := &r.Dialect
	all := scored(v)
	shown := 0
	for i := len(all) - 1; i >= 0 && shown < most; i-- { // the latest first
		host, pid, ok := asynqServer(all[i].Member)
		end := asynqTime(all[i].Score)
		if !ok || end.IsZero() {
			continue
		}
		shown++
		d.Alive = append(d.Alive, evidence.Alive{
			Key: evidence.Printable(evidence.Clip(all[i].Member, 160)), Who: fmt.Sprintf("%s pid %d", host, pid), Host: host, Pid: pid, Beat: end.Add(-2 * asynqBeat), Every: asynqBeat,
			Dead: !now.IsZero() && end.Before(now), Text: "a server's state, to the second",
		})
	}
	if n, ok := a.Get(count...); ok && n.Int > int64(len(all)) {
		d.Notes = append(d.Notes, fmt.Sprintf("%d servers have left a state, of which the %d oldest were read", n.Int, len(all)))
	}
}

// asynqServer takes asynq:servers:{HOST:PID:UUID} apart, from its end.
func asynqServer(key string) (host string, pid int, ok bool) {
	rest, named := strings.CutPrefix(key, asynqServers+":{")
	rest, closed := strings.CutSuffix(rest, "}")
	i := strings.LastIndexByte(rest, ':')
	if !named || !closed || i < 0 {
		return "", 0, false
	}
	_, isUUID := uuid(rest[i+1:])
	j := strings.LastIndexByte(rest[:i], ':')
	if !isUUID || j < 1 {
		return "", 0, false
	}
	n, err := strconv.ParseInt(rest[j+1:i], 10, 32)
	return evidence.Printable(evidence.Clip(rest[:j], 80)), int(n), err == nil && n > 0
}

// asynqTime is a score in seconds since 1970; zero where it is no time.
func asynqTime(score float64) time.Time {
	const latest = 1 << 33 // in the year 2242
	if !(score > 0 && score < latest) {
		return time.Time{}
	}
	return time.Unix(int64(score), 0).UTC()
}
