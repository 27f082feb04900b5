package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// What supervisors know of the owner: the runs of its unit and its container. A
// run that held the lock and ended is a source of its own beside the process
// table. The reason they give is passed on and proves nothing: OOMKilled is set
// when any process inside was killed and cleared by a restart, Result belongs to
// the latest run, and 137 is any SIGKILL.

// A stint is one run of the owner's unit or container.
type stint struct {
	pid    int               // on the host; zero: not told
	began  evidence.Interval // on the coordinator's clock; unbounded where not told
	ended  evidence.Interval // the same; means nothing while it runs
	over   bool
	how    string // how it ended, for people
	cause  string // the verdict's word for that
	oom    bool   // its supervisor calls it out of memory
	hidden bool   // a later run stands in its place, and shows none of this
}

// A supervisor is everything that one unit or container tells of the owner.
type supervisor struct {
	name   string // as citations print it
	runs   []stint
	paused bool
	rough  bool          // dated by a clock that nobody measured: within a second or two, presumably
	span   evidence.Span // the newest look at it
	id     string        // of the container
	pod    string        // without its namespace
	node   string
}

// mostRuns bounds the runs of one supervisor that are told apart: a unit that
// restarts all night.
const mostRuns = 256

// supervisors are those of the owner, units first. They are worked out once: the
// questions ask again and again.
func (c *incident) supervisors() []supervisor {
	if c.supervised == nil {
		c.supervised = append(c.unitsOfOwner(), c.containersOfOwner()...)
		if c.supervised == nil {
			c.supervised = []supervisor{}
		}
	}
	return c.supervised
}

// around places what a log or a supervisor dates on the coordinator's clock.
// Where nobody measured its clock it is presumed to be kept, and rough says so.
func (c *incident) around(i evidence.Interval) (at evidence.Interval, rough bool) {
	if !i.Known() {
		return evidence.Interval{}, false
	}
	kept := i.Shift(-near, near).On(evidence.Coordinator)
	if i.Clock == evidence.Coordinator || len(c.s.Vantages) > 0 && i.Clock == c.s.Vantages[0].HostClock() {
		at = c.wall(i)
		switch {
		case at.Clock != evidence.Coordinator:
		case c.reckoned() != nil && at.Bound()-i.Bound() > near && !at.Before(kept) && !at.After(kept):
			return narrowed(at, kept), true // one date before a TIME bounds one side only
		default:
			return at, false
		}
	}
	return kept, true
}

// grouped collects what has one name, in the order of its first mention.
func grouped[T any](all []T, name func(T) string) [][]T {
	at := map[string]int{}
	var out [][]T
	for _, v := range all {
		i, had := at[name(v)]
		if !had {
			i = len(out)
			at[name(v)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// inGroup says whether a control group of the owner's is such a one: by its own
// file, or by the kernel's record of its death.
func (c *incident) inGroup(is func(path string) bool) bool {
	if c.owner == nil || c.owner.same == another {
		return false
	}
	for _, l := range c.owner.proc.Looks {
		if is(l.Cgroup.Memory) || slices.ContainsFunc(l.Groups.Or(nil), func(g evidence.CgroupPath) bool { return is(g.Path) }) {
			return true
		}
	}
	return slices.ContainsFunc(c.s.Host.Kernel.Value.Events, func(e evidence.KernelEvent) bool {
		return e.Kill != nil && !e.Forged && e.Kill.Victim == c.owner.proc.Pid && is(e.Kill.TaskMemcg)
	})
}

// kin says whether a unit's or a container's name speaks of this lock: a word of
// its key, its holder or the holder's program begins as the name does.
func (c *incident) kin(name string) bool {
	const alike = 5 // letters: ledger and ledgerd, invoices and invoiced
	texts := []string{c.s.Subject.Key, c.first.Holder}
	if c.owner != nil {
		for _, l := range c.owner.proc.Looks {
			texts = append(texts, l.Stat.Value.Comm, l.Status.Value.Name)
		}
	}
	for _, text := range texts {
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(":|/,;@.{}-_ ", r) }) {
			if n := commonPrefix(w, name); n >= alike || n >= 3 && n == len(name) && n == len(w) {
				return true
			}
		}
	}
	return false
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// newestFirst orders runs by their ends; what still runs is the newest.
func newestFirst(runs []stint) {
	slices.SortStableFunc(runs, func(a, b stint) int {
		switch {
		case a.over != b.over:
			if a.over {
				return 1
			}
			return -1
		case !a.ended.Known() || !b.ended.Known():
			return 0
		}
		return b.ended.Mid().Compare(a.ended.Mid())
	})
}

// sawRun notes that a look found a process at work which the newest look does not
// show: it ended in between.
func (c *incident) sawRun(s *supervisor, pid int, span evidence.Span, began evidence.Interval) {
	if pid == 0 || !s.runs[0].over && s.runs[0].pid == pid {
		return
	}
	since := evidence.Interval{From: c.span(span).From, Clock: evidence.Coordinator}
	for i, r := range s.runs {
		if r.over && !r.ended.Before(since) {
			s.runs[i].ended, s.runs[i].pid = narrowed(r.ended, since), pid
			if began.Known() {
				s.runs[i].began = began
			}
			return
		}
	}
	if since.To = s.runs[0].began.To; len(s.runs) >= mostRuns {
		return
	}
	s.runs = append(s.runs, stint{pid: pid, began: began, ended: since, over: true, hidden: true, how: "another process runs in its place", cause: "gone"})
}

// narrowed is what two intervals allow together; the second where they allow
// nothing.
func narrowed(a, b evidence.Interval) evidence.Interval {
	out := b
	if out.From.IsZero() || a.From.After(out.From) {
		out.From = a.From
	}
	if out.To.IsZero() || !a.To.IsZero() && a.To.Before(out.To) {
		out.To = a.To
	}
	if out.Closed() && out.To.Before(out.From) {
		return b
	}
	return out
}
