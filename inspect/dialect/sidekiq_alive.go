package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// Sidekiq's processes announce themselves in the set processes, as
// HOST:PID:NONCE, and write a beat into the hash of that name every 10 s (5 s
// before version 7). The hash goes 60 s after the last beat; the member stays until
// somebody tidies up.
const (
	sidekiqGone = 60 * time.Second
	sidekiqBeat = 10 * time.Second
)

// mostSidekiqs is how many beats are worth asking for beside the first reads.
const mostSidekiqs = 4

// ask adds the reads about those who wait and about Sidekiq itself. Which hashes
// have the beats is known only with the set: Learn adds them to Ask, for whoever
// reads a second time.
func (k sidekiqKey) ask(r *Reading, nine bool) {
	processes := []string{"SMEMBERS", k.space + "processes"}
	waiting := [][]string{
		{"LRANGE", k.digest + ":QUEUED", "0", "99"},
		{"LRANGE", k.digest + ":PRIMED", "0", "99"},
	}
	switch {
	case nine: // who cannot have it is turned away, and the hash itself says the rest
		waiting = nil
		r.Ask = [][]string{processes}
	case k.part == sidekiqGrabbed: // version 6 had tokens to wait for, and no names
		waiting = nil
		r.Ask = [][]string{processes}
	default:
		r.Ask = append(slices.Clone(waiting), processes)
	}
	r.Learn = func(r *Reading, a Answers) {
		if waiting != nil {
			sidekiqWaiters(&r.Dialect, a, waiting)
		}
		k.learnProcesses(r, a, processes)
	}
}

// sidekiqWaiters: jobs enter QUEUED on the left and leave it on the right, into
// PRIMED. A "1" is no job but what a release leaves to wake the next.
func sidekiqWaiters(d *evidence.Dialect, a Answers, lists [][]string) {
	read := false
	for _, ask := range [][]string{lists[1], lists[0]} {
		v, ok := a.Get(ask...)
		if !ok {
			continue
		}
		read = true
		if len(v.Array) >= 100 {
			d.Notes = append(d.Notes, "more jobs may wait than were read: 100 of a list are")
		}
		for _, j := range slices.Backward(v.Array) {
			if j.Str == "1" || j.Str == "" || slices.ContainsFunc(d.Holders, func(l evidence.Locker) bool { return l.Text == j.Str }) {
				continue
			}
			d.Queue = append(d.Queue, evidence.Waiter{Text: evidence.Printable(evidence.Clip(j.Str, 80))})
		}
	}
	if read {
		d.Waiters = evidence.Saw(lists[0][1], int64(len(d.Queue)))
	}
}

// learnProcesses reads who is announced, and of whom a beat was read.
func (k sidekiqKey) learnProcesses(r *Reading, a Answers, ask []string) {
	v, ok := a.Get(ask...)
	if !ok {
		return
	}
	d := &r.Dialect
	if len(v.Array) == 0 {
		d.Notes = append(d.Notes, "no Sidekiq process is announced in this database: nobody works on jobs, or they are kept elsewhere")
		return
	}
	var unread []string
	asked := 0
	for _, m := range v.Array {
		if len(m.Str) > 300 || strings.Count(m.Str, ":") < 2 {
			continue
		}
		beat := []string{"HMGET", k.space + m.Str, "beat", "busy", "quiet"}
		if asked < mostSidekiqs {
			asked++
			r.Ask = append(r.Ask, beat)
		}
		reply, came := a[join(beat)]
		if !came || reply.IsError() {
			unread = append(unread, sidekiqProcess(m.Str))
			continue
		}
		d.Alive = append(d.Alive, sidekiqSign(beat[1], m.Str, reply, r.Shape.Now))
	}
	const most = 8
	if n := len(unread); n > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("announced Sidekiq processes whose beat was not read, alive or not (%d): %s", n, strings.Join(unread[:min(n, most)], ", ")))
	}
}

// sidekiqSign is a process's latest beat, by its own clock.
func sidekiqSign(key, identity string, reply redis.Value, now time.Time) evidence.Alive {
	sign := evidence.Alive{Key: evidence.Printable(evidence.Clip(key, 160)), Who: sidekiqProcess(identity), Every: sidekiqBeat}
	sign.Host, sign.Pid = sidekiqNamed(identity)
	beat := ""
	if len(reply.Array) == 3 {
		beat = reply.Array[0].Str
	}
	sign.Beat = epochSeconds(beat)
	switch age := now.Sub(sign.Beat); {
	case sign.Beat.IsZero():
		sign.Dead, sign.Text = true, "it is announced, but its beat is gone: none came for 60 s"
		return sign
	case !now.IsZero() && age > sidekiqGone:
		sign.Dead, sign.Text = true, fmt.Sprintf("its latest beat is %v old, by its own clock", age.Round(time.Second))
	default:
		sign.Text = "it beats every 10 s, 5 s before version 7"
	}
	if n, err := strconv.ParseUint(reply.Array[1].Str, 10, 16); err == nil {
		sign.Text += fmt.Sprintf("; %d jobs at work", n)
	}
	if reply.Array[2].Str == "true" {
		sign.Text += "; it takes no new ones"
	}
	return sign
}

// sidekiqProcess is HOST:PID:NONCE for people. A host's name has no colon; should
// it, the end counts.
func sidekiqProcess(identity string) string {
	if host, pid := sidekiqNamed(identity); pid > 0 {
		return fmt.Sprintf("%s pid %d", host, pid)
	}
	return evidence.Printable(evidence.Clip(identity, 80))
}

// sidekiqNamed takes it apart; no pid where it has none.
func sidekiqNamed(identity string) (host string, pid int) {
	i := strings.LastIndexByte(identity, ':')
	j := strings.LastIndexByte(identity[:max(i, 0)], ':')
	if j <= 0 {
		return "", 0
	}
	n, err := strconv.ParseUint(identity[j+1:i], 10, 31)
	if err != nil || n == 0 {
		return "", 0
	}
	return evidence.Printable(evidence.Clip(identity[:j], 60)), int(n)
}
