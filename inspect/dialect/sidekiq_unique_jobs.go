package dialect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// sidekiq-unique-jobs: one lock for each digest of a job's class, queue and
// arguments, uniquejobs:DIGEST, with :RUN behind it where only the running is
// locked. The hash DIGEST:LOCKED has the jobs that hold it, and when each took it;
// jobs, not processes: one that holds a lock may be waiting in a queue or for a
// retry. It has no expiry by default, and nothing extends it. Up to version 8
// there are lists of jobs that wait; version 6 called the hash GRABBED; version 9
// keeps JSON in it, and no other key but the set of all digests.
func sidekiqUniqueJobs() Dialect {
	return Dialect{Name: "sidekiq-unique-jobs", Keys: sidekiqKeys, Clients: []string{"redis-client", "redis-rb"}, Recognise: func(s Shape) Reading {
		k, ok := sidekiqKeyOf(s.Key)
		switch {
		case !ok:
			return misfit
		case s.Type == "hash" && k.part != "":
			return k.locked(s)
		case s.Type == "string" && k.part == "":
			return k.queued(s)
		}
		return misfit
	}}
}

const (
	sidekiqPrefix  = "uniquejobs"
	sidekiqDigests = "uniquejobs:digests"
	sidekiqLocked  = "LOCKED"
	sidekiqGrabbed = "GRABBED" // version 6
)

func sidekiqKeys(name string) []string {
	full := name
	if !strings.HasPrefix(name, sidekiqPrefix+":") {
		full = sidekiqPrefix + ":" + name
	}
	return []string{full + ":LOCKED", full + ":RUN:LOCKED", full, name + ":LOCKED"}
}

// A sidekiqKey is the parts of [SPACE:]PREFIX:HASH[:RUN][:LOCKED].
type sidekiqKey struct {
	space  string // what redis-namespace puts before every key, with its colon
	digest string // all but the part
	own    bool   // PREFIX is the default
	runs   bool   // only the running is locked
	part   string // LOCKED or GRABBED; empty: the digest itself
}

func sidekiqKeyOf(key string) (k sidekiqKey, ok bool) {
	k.digest = key
	for _, part := range []string{sidekiqLocked, sidekiqGrabbed} {
		if head, ok := strings.CutSuffix(key, ":"+part); ok {
			k.digest, k.part = head, part
		}
	}
	head, runs := strings.CutSuffix(k.digest, ":RUN")
	k.runs = runs
	i := strings.LastIndexByte(head, ':')
	if i < 1 {
		return k, false
	}
	prefix, sum := head[:i], head[i+1:]
	if prefix == sidekiqPrefix || strings.HasSuffix(prefix, ":"+sidekiqPrefix) {
		k.own, k.space = true, strings.TrimSuffix(prefix, sidekiqPrefix)
	}
	// MD5, or SHA3-256 if configured.
	return k, of(sum, 32, lowerHex) || of(sum, 64, lowerHex)
}

func (k sidekiqKey) form() evidence.Dialect {
	d := evidence.Dialect{
		Form: "unique job", Renews: evidence.NeverRenews, Endless: true,
		Notes: []string{"a job holds it, not a process: the job may be at work, waiting in a queue, or scheduled for a retry"},
		Release: "Find the job first: in Sidekiq's queues, retries and schedule, and among what its processes work on. If it is nowhere, take out its own field of the LOCKED hash only; " +
			"with the last one the digest's other keys and its member of uniquejobs:digests go too. A job that is taken for dead and is not will run beside its double.",
	}
	if k.runs {
		d.Form = "unique job while it runs"
		d.Notes[0] = "a job holds it, not a process: it is one that a process has begun"
	}
	return d
}

// locked reads the hash of the jobs that hold the lock.
func (k sidekiqKey) locked(s Shape) Reading {
	const most = 100
	if len(s.Fields) == 0 {
		return misfit
	}
	r := Reading{Fit: evidence.Certain, Because: []string{"a hash of jobs under the library's key"}, Dialect: k.form()}
	if !k.own {
		r.Fit, r.Because = evidence.FitsWell, []string{"a hash of jobs under a digest, its prefix is another"}
	}
	nine := false
	for _, f := range s.Fields[:min(len(s.Fields), most)] {
		j, ok := sidekiqJob(f)
		if !ok || !k.own && !of(f.Name, 24, lowerHex) {
			return misfit
		}
		r.Dialect.Holders = append(r.Dialect.Holders, j.holder)
		nine = nine || j.json
		r.Dialect.Notes = append(r.Dialect.Notes, j.notes(len(s.Fields) == 1)...)
	}
	switch {
	case k.part == sidekiqGrabbed:
		r.Because = append(r.Because, "it is called GRABBED, as in version 6")
	case nine:
		r.Because = append(r.Because, "its values are JSON, as from version 9 on")
	default:
		r.Because = append(r.Because, "its values are times, as in versions 7 and 8")
	}
	k.ask(&r, nine)
	return r
}

// queued is the digest itself, which up to version 8 names the job that came last.
// It is set before the lock is taken.
func (k sidekiqKey) queued(s Shape) Reading {
	if !of(s.Value, 24, lowerHex) || !k.own {
		return misfit
	}
	r := Reading{Fit: evidence.Certain, Because: []string{"the key is the library's for a digest, the value a job"}, Dialect: k.form()}
	r.Dialect.Notes = append(r.Dialect.Notes, "this key names the job that asked last; who holds the lock stands in the LOCKED hash beside it")
	r.Dialect.Holders = []evidence.Locker{{Text: s.Value}}
	held := []string{"HGET", k.digest + ":" + sidekiqLocked, s.Value}
	k.ask(&r, false)
	learn := r.Learn
	r.Ask = append(r.Ask, held)
	r.Learn = func(r *Reading, a Answers) {
		learn(r, a)
		v, ok := a.Get(held...)
		if !ok {
			if v, came := a[join(held)]; came && v.Null {
				r.Dialect.Notes = append(r.Dialect.Notes, "the job that it names does not hold the lock")
			}
			return
		}
		if j, ok := sidekiqJob(evidence.Field{Name: s.Value, Value: v.Str}); ok {
			r.Dialect.Holders[0] = j.holder
			r.Dialect.Notes = append(r.Dialect.Notes, "the job that it names holds the lock")
		}
	}
	return r
}

// A sidekiqHolder is a field of the hash: a job, and when it took the lock.
type sidekiqHolder struct {
	holder evidence.Locker
	json   bool
	class  string
	kind   string // until_executed, while_executing, …
	queue  string
}

func sidekiqJob(f evidence.Field) (j sidekiqHolder, ok bool) {
	if f.Name == "" || len(f.Name) > 100 {
		return j, false
	}
	j.holder.Text = evidence.Printable(f.Name)
	if strings.HasPrefix(f.Value, "{") {
		j.json = true
		return j, j.read(f.Value) && !j.holder.Since.IsZero()
	}
	j.holder.Since = epochSeconds(f.Value)
	return j, !j.holder.Since.IsZero()
}

// read takes out of JSON what names no argument: a job's arguments may be secret.
func (j *sidekiqHolder) read(text string) bool {
	var m struct {
		Worker string  `json:"worker"`
		Queue  string  `json:"queue"`
		Type   string  `json:"type"`
		Time   float64 `json:"time"`
	}
	if len(text) > 1<<16 || json.Unmarshal([]byte(text), &m) != nil {
		return false
	}
	j.class, j.queue, j.kind, j.holder.Since = m.Worker, m.Queue, m.Type, epochOf(m.Time)
	return true
}

// notes says what kind of job it is; of several, each by its name.
func (j sidekiqHolder) notes(only bool) []string {
	if j.class == "" && j.kind == "" && j.queue == "" {
		return nil
	}
	who := "the job"
	if !only {
		who = "job " + j.holder.Text
	}
	show := func(s string) string { return evidence.Printable(evidence.Clip(s, 80)) }
	return []string{fmt.Sprintf("%s is of class %s, in queue %s, locked %s", who, show(j.class), show(j.queue), show(j.kind))}
}
