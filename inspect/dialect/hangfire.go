package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Hangfire.Redis.StackExchange: whatever resource a job locks becomes the key
// behind the storage's prefix, by default {hangfire}:RESOURCE. The value is a UUID
// of the process, one for all its locks. A timer of the process extends them every
// half lease through LockExtend.
func hangfireRedis() Dialect {
	keys := func(name string) []string {
		return []string{hangfirePrefix + name, hangfirePrefix + "lock:" + name, hangfirePrefix + "queue:" + name + ":dequeued:lock"}
	}
	return Dialect{Name: "Hangfire.Redis", Keys: keys, Clients: []string{"SE.Redis"}, Recognise: func(s Shape) Reading {
		prefix, resource, why := hangfireResource(s.Key)
		version, ok := uuid(s.Value)
		if s.Type != "string" || s.Endless || !ok || version != 4 || resource == "" {
			return misfit
		}
		r := Reading{
			// Hangfire's commercial storage names its keys alike: never certain.
			Fit: evidence.FitsWell, Because: []string{why, "the value is a random UUID"},
			Dialect: evidence.Dialect{
				Form: "lock of a job server", Lease: 30 * time.Second, RenewEvery: 15 * time.Second, Renews: evidence.ByItself,
				Holders: []evidence.Locker{{Text: s.Value}},
				Notes:   []string{"the value is the process's, not the job's: all locks of a process carry it"},
				Release: "Stop the process before its lock is released: in recent versions the timer repeats an extension that finds the key gone, without a pause and without an end. Then compare the value before the delete.",
			},
			Ask: [][]string{{"SCARD", prefix + "servers"}, {"SMEMBERS", prefix + "servers"}},
		}
		job := hangfireJob(resource)
		if job != "" {
			r.Ask = append(r.Ask, []string{"HMGET", prefix + "job:" + job + ":state", "State", "ServerId"})
		}
		r.Learn = learnHangfire
		return r
	}}
}

const hangfirePrefix = "{hangfire}:"

// hangfireResource parts a key into prefix and resource: by the prefix that is the
// default, or by one of the resources that Hangfire itself locks.
func hangfireResource(key string) (prefix, resource, why string) {
	if rest, ok := strings.CutPrefix(key, hangfirePrefix); ok {
		return hangfirePrefix, rest, "its prefix is {hangfire}"
	}
	if head, ok := strings.CutSuffix(key, ":dequeued:lock"); ok {
		if i := strings.Index(head, "queue:"); i >= 0 && len(head) > i+len("queue:") {
			return key[:i], key[i:], "the key is the one under which Hangfire watches a queue"
		}
	}
	if head, ok := strings.CutSuffix(key, ":state-lock"); ok {
		if i := strings.LastIndex(head, "job:"); i >= 0 {
			if _, isUUID := uuid(head[i+len("job:"):]); isUUID {
				return key[:i], key[i:], "the key is the one under which Hangfire changes a job's state"
			}
		}
	}
	return "", "", ""
}

// hangfireJob is the job whose state a resource guards; empty: another resource.
func hangfireJob(resource string) string {
	job, ok := strings.CutSuffix(strings.TrimPrefix(resource, "job:"), ":state-lock")
	if _, isUUID := uuid(job); !ok || !isUUID {
		return ""
	}
	return job
}

// learnHangfire lists the servers that are announced. Their heartbeats are in a
// hash for each, so an announced one may be dead: it is a name to look for, no sign
// of life.
func learnHangfire(r *Reading, a Answers) {
	const most = 8
	d := &r.Dialect
	if v, ok := a.Get(r.Ask[1]...); ok && len(v.Array) > 0 {
		var names []string
		for _, m := range v.Array[:min(len(v.Array), most)] {
			names = append(names, hangfireServer(m.Str))
		}
		total := int64(len(v.Array))
		if n, ok := a.Get(r.Ask[0]...); ok {
			total = max(total, n.Int)
		}
		d.Notes = append(d.Notes, fmt.Sprintf("announced servers, alive or not (%d): %s", total, strings.Join(names, ", ")))
	}
	if len(r.Ask) < 3 {
		return
	}
	if v, ok := a.Get(r.Ask[2]...); ok && len(v.Array) == 2 && v.Array[0].Str != "" {
		note := "the job is in state " + evidence.Printable(evidence.Clip(v.Array[0].Str, 40))
		if server := v.Array[1].Str; server != "" {
			note += ", at " + hangfireServer(server)
		}
		d.Notes = append(d.Notes, note)
	}
}

// hangfireServer is a server's ID for people: HOST:PID:GUID unless one was
// configured.
func hangfireServer(id string) string {
	parts := strings.Split(id, ":")
	if len(parts) == 3 && parts[0] != "" {
		if pid, err := strconv.ParseInt(parts[1], 10, 32); err == nil && pid > 0 {
			return fmt.Sprintf("%s pid %d", evidence.Printable(evidence.Clip(parts[0], 60)), pid)
		}
	}
	return evidence.Printable(evidence.Clip(id, 80))
}
