package classify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// How many rows a picture has for one process, and for processes beside the owner.
const (
	drawnThreads   = 3
	drawnProcesses = 2
)

// ownerLanes are the owner's process and its busiest threads.
func (d *drawing) ownerLanes() []evidence.SceneLane {
	if d.owner == nil || len(d.owner.proc.Looks) == 0 {
		return []evidence.SceneLane{{Lane: evidence.LaneOwner}}
	}
	p := d.owner.proc
	first := evidence.SceneLane{Lane: evidence.LaneOwner, Name: nameOf(p), Bars: d.processBars(p)}
	if d.owner.same == another {
		for i := range first.Bars {
			first.Bars[i].State, first.Bars[i].Text = evidence.BarAbsent, "another process has its pid: "+nameOf(p)
		}
		first.Name = "pid " + itoa(p.Pid)
		return []evidence.SceneLane{first}
	}
	return append([]evidence.SceneLane{first}, d.threads(p)...)
}

// renewerLanes are who renews in the owner's place: the processes that are known to have
// sent renewals and were looked at, or else a row for the renewals of a connection.
func (d *drawing) renewerLanes() []evidence.SceneLane {
	out := []evidence.SceneLane{}
	for _, p := range d.s.Processes {
		if d.owner != nil && p.Pid == d.owner.proc.Pid || len(p.Looks) == 0 || len(out) == drawnProcesses || !d.renews(p.Pid) {
			continue
		}
		out = append(out, evidence.SceneLane{Lane: evidence.LaneRenewer, Name: nameOf(p), Bars: d.processBars(p)})
	}
	if len(out) == 0 {
		out = append(out, evidence.SceneLane{Lane: evidence.LaneRenewer})
	}
	if d.v.Holder.Renewer != "" {
		out[0].Name = cmpOr(out[0].Name, quote(d.v.Holder.Renewer))
		for i, r := range d.renewals {
			e := evidence.Event{At: r.At, What: "renewed", Lane: evidence.LaneRenewer, Text: "renewed by " + quote(d.v.Holder.Renewer)}
			if i == len(d.renewals)-1 {
				e.What = "renewed by another" // the last of them is what a reader looks for
			}
			out[0].Marks = append(out[0].Marks, evidence.Mark{On: d.on(r.At), Event: e})
		}
	}
	return out
}

func (d *drawing) renews(pid int) bool {
	return slices.ContainsFunc(d.v.Parties, func(p evidence.Party) bool {
		return p.Pid == pid && (slices.Contains(p.Did, evidence.DeedRenew) || slices.Contains(p.Tried, evidence.DeedRenew))
	})
}

func nameOf(p evidence.Process) string {
	for _, l := range p.Looks {
		if s, ok := l.Stat.Get(); ok && s.Comm != "" {
			return fmt.Sprintf("%s %d", quote(s.Comm), p.Pid)
		}
	}
	return fmt.Sprintf("pid %d", p.Pid)
}

func (d *drawing) processBars(p evidence.Process) []evidence.Bar {
	var states []seenAt
	for _, l := range p.Looks {
		s := processState(l)
		s.at = d.onSpan(l.Span)
		states = append(states, s)
	}
	return barsOf(states)
}

func processState(l evidence.ProcLook) seenAt {
	switch {
	case l.Stat.State == evidence.Absent:
		return seenAt{state: evidence.BarAbsent, text: "no such process"}
	case l.Cgroup.Frozen.Or(false):
		return seenAt{state: evidence.BarStopped, text: "its control group is frozen"}
	}
	letter, ok := state(l)
	if !ok {
		return seenAt{}
	}
	return letterState(letter)
}

// letterState is one of the kernel's letters for a state, as proc(5) lists them.
func letterState(letter string) seenAt {
	switch letter {
	case "R":
		return seenAt{state: evidence.BarRunning, text: "running (R)"}
	case "D":
		return seenAt{state: evidence.BarBlocked, text: "blocked (D)"}
	case "T":
		return seenAt{state: evidence.BarStopped, text: "stopped (T)"}
	case "t":
		return seenAt{state: evidence.BarStopped, text: "stopped by a tracer (t)"}
	case "Z", "X":
		return seenAt{state: evidence.BarZombie, text: "zombie (" + letter + ")"}
	}
	return seenAt{state: evidence.BarSleeping, text: "sleeping (" + evidence.Clip(evidence.Printable(letter), 4) + ")"}
}

// threads are the rows of those that used most CPU while watched, if there is more than
// one and any did.
func (d *drawing) threads(p evidence.Process) []evidence.SceneLane {
	rows := map[int]*threadRow{}
	last := map[int]evidence.Task{}
	for _, l := range p.Looks {
		tasks, ok := l.Tasks.Get()
		if !ok {
			continue
		}
		at := d.onSpan(l.Span)
		for _, t := range tasks {
			r := rows[t.Tid]
			if r == nil {
				r = &threadRow{tid: t.Tid, name: fmt.Sprintf("%s %d", quote(t.Comm), t.Tid)}
				rows[t.Tid] = r
			}
			before, seen := last[t.Tid]
			r.add(at, letterState(t.State), seen && t.Run > before.Run)
			r.used += max(0, t.Run-before.Run)
			if !seen {
				r.used = 0 // what it used before anybody looked
			}
			last[t.Tid] = t
		}
	}
	if len(rows) < 2 {
		return nil
	}
	all := []*threadRow{}
	for _, r := range rows {
		all = append(all, r)
	}
	alike := map[string]int{}
	for _, r := range all {
		alike[r.comm()]++
	}
	crowd := func(r *threadRow) int { // threads of a runtime share a name, those with a task have their own
		if alike[r.comm()] > 2 {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b *threadRow) int {
		return cmp.Or(crowd(a)-crowd(b), cmp.Compare(b.used, a.used), cmp.Compare(a.tid, b.tid))
	})
	var out []evidence.SceneLane
	for _, r := range all[:min(len(all), drawnThreads)] {
		out = append(out, evidence.SceneLane{Lane: evidence.LaneOwner, Name: r.name, Minor: true, Bars: r.bars})
	}
	return out
}

// A threadRow is what the looks show of one thread.
type threadRow struct {
	tid  int
	name string
	used time.Duration
	bars []evidence.Bar
}

// comm is the name that the thread was given.
func (r *threadRow) comm() string { return strings.TrimSuffix(r.name, " "+itoa(r.tid)) }

// add takes one more look. Between two looks a thread that used CPU was at work, though
// it slept whenever somebody looked; else it was what both looks say, if they agree.
func (r *threadRow) add(at evidence.Interval, now seenAt, ran bool) {
	if !at.Known() {
		return
	}
	n := len(r.bars) - 1
	switch {
	case n < 0 || r.bars[n].End.From.IsZero():
	case ran:
		r.extend(at, seenAt{state: evidence.BarRunning, text: "used CPU from look to look"})
		return
	case r.bars[n].State == now.state:
		r.bars[n].End = at
		return
	case now.state == evidence.BarSleeping && r.bars[n].State == evidence.BarRunning:
		r.extend(at, now) // its clock stood still: it slept since the look before
		return
	default:
		r.bars[n].End = evidence.Interval{From: r.bars[n].End.To, To: at.From, Clock: evidence.Coordinator}
	}
	r.bars = append(r.bars, evidence.Bar{Start: at, End: at, State: now.state, Text: now.text})
}

// extend gives the time since the last look a state of its own.
func (r *threadRow) extend(at evidence.Interval, s seenAt) {
	n := len(r.bars) - 1
	if r.bars[n].State == s.state || r.bars[n].Start == r.bars[n].End {
		r.bars[n].State, r.bars[n].Text, r.bars[n].End = s.state, s.text, at
		return
	}
	r.bars = append(r.bars, evidence.Bar{Start: r.bars[n].End, End: at, State: s.state, Text: s.text})
}
