package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Redisson: a hash under the lock's own name, one field CLIENT:THREAD for the
// holder, how often it holds the lock as the value. A watchdog in the holder's JVM
// extends it. The other forms are in redisson_rw.go and redisson_faster.go, the
// companion keys in redisson_keys.go.
func redisson() Dialect {
	return Dialect{Name: "redisson", Keys: verbatim, Recognise: func(s Shape) Reading {
		switch {
		case s.Type != "hash":
			return redissonCompanion(s)
		case fieldOf(s.Fields, "mode") != "":
			return redissonReadWrite(s)
		case len(s.Fields) == 1:
			return redissonLock(s)
		}
		return redissonFaster(s)
	}}
}

const (
	redissonLease = 30 * time.Second // unless lockWatchdogTimeout says otherwise
	redissonRenew = redissonLease / 3

	// redissonMost is how many holders, and waiters, of one lock are kept.
	redissonMost = 100
)

// redissonForm is what every lock of the watchdog has in common.
func redissonForm(form, release string) evidence.Dialect {
	return evidence.Dialect{
		Form: form, Lease: redissonLease, RenewEvery: redissonRenew, Renews: evidence.ByDefault,
		Release: release,
	}
}

func redissonLock(s Shape) Reading {
	l, ok := redissonHolder(s.Fields[0])
	if !ok {
		return misfit
	}
	reads := redissonReadsOf(s.Key)
	r := Reading{
		Fit: evidence.Certain, Because: []string{"a hash whose only field is CLIENT:THREAD with a count"},
		Dialect: redissonForm("lock", "Remove the holder's field, not the key, and only while it is still that field with that count. "+
			"Who waits sleeps until the lease that it saw is over, unless the unlock message 0 comes on the lock's channel (of a fair lock: on the channel of the first in its queue). "+
			"The holder learns of it at its next renewal or unlock; until then it works on."),
		Ask:   append(reads.own(), reads.channel.own()...),
		Learn: func(r *Reading, a Answers) { reads.learn(&r.Dialect, &r.Because, s.Now, a) },
	}
	r.Dialect.Holders = []evidence.Locker{l}
	r.Dialect.Notes = append(r.Dialect.Notes, "a MultiLock or RedLock leaves locks like this one, each under its own key or on its own server, and nothing that ties them together")
	redissonUnusual(&r.Dialect, s)
	return r
}

// redissonUnusual says what an expiry outside the watchdog's 20 to 30 s may mean. A
// longer one was chosen by the program, so the defaults are withdrawn.
func redissonUnusual(d *evidence.Dialect, s Shape) {
	switch {
	case s.Endless:
		d.Notes = append(d.Notes, "Redisson gives every lock an expiry: somebody took this one's away")
	case s.Left > redissonLease:
		d.Lease, d.RenewEvery, d.Renews = 0, 0, ""
		d.Notes = append(d.Notes, "more than 30 s were left: it was taken with a lease of its own, which nothing renews, or its watchdog was given another timeout")
	case s.Left > 0 && s.Left < redissonLease-redissonRenew-time.Second:
		d.Notes = append(d.Notes, fmt.Sprintf("at most %v were seen left, where the watchdog keeps 20 to 30 s: "+
			"a renewal is late, or the lock was taken with a shorter lease of its own, which nothing renews", s.Left.Round(100*time.Millisecond)))
	}
}

// redissonHolder reads a field: a client's random UUID and a thread of its JVM, or a
// number that the program gave in place of one.
func redissonHolder(f evidence.Field) (evidence.Locker, bool) {
	l, ok := redissonThread(f.Name)
	n, err := strconv.ParseInt(f.Value, 10, 64)
	if !ok || err != nil || n < 1 {
		return evidence.Locker{}, false
	}
	l.Holds = n
	return l, true
}

// redissonThread reads CLIENT:THREAD.
func redissonThread(s string) (evidence.Locker, bool) {
	client, thread, ok := strings.Cut(s, ":")
	if version, isUUID := uuid(client); !ok || !isUUID || version != 4 {
		return evidence.Locker{}, false
	}
	n, err := strconv.ParseInt(thread, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != thread {
		return evidence.Locker{}, false
	}
	return evidence.Locker{Text: s, Thread: thread}, true
}

// companion is a key that Redisson keeps beside a lock: PREFIX:{NAME}, or PREFIX:NAME
// where the name has a brace of its own.
func companion(prefix, key string) string {
	if strings.Contains(key, "{") {
		return prefix + ":" + key
	}
	return prefix + ":{" + key + "}"
}

// redissonBeside is the other way round: {NAME}:SUFFIX.
func redissonBeside(key string) string {
	if strings.Contains(key, "{") {
		return key
	}
	return "{" + key + "}"
}

func fieldOf(fields []evidence.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// redissonChannel is where waiters listen for an unlock: they subscribe in the
// classic way, or to the shard in a cluster.
type redissonChannel string

func (c redissonChannel) own() [][]string {
	return [][]string{{"PUBSUB", "NUMSUB", string(c)}, {"PUBSUB", "SHARDNUMSUB", string(c)}}
}

// learn counts who listens. Nobody at this node is not nobody at all: a spin lock's
// waiters poll, and a cluster's may listen at another node.
func (c redissonChannel) learn(d *evidence.Dialect, a Answers) {
	var listening int64
	asked := false
	for _, command := range c.own() {
		v, ok := a.Get(command...)
		if !ok || len(v.Array) != 2 || v.Array[1].Int < 0 || v.Array[1].Int > 1<<20 {
			continue
		}
		asked, listening = true, listening+v.Array[1].Int
	}
	switch {
	case listening > 0:
		d.Waiters = evidence.Saw("PUBSUB NUMSUB", listening)
		d.Notes = append(d.Notes, "waiters are counted by process, not by thread")
	case asked:
		d.Waiters = evidence.None[int64]("PUBSUB NUMSUB", "no process listens at this node; who polls leaves no trace")
	}
}
