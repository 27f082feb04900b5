package inspect

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/kernel"
	"github.com/lockscene/lockscene/inspect/service"
)

// parseKernel takes a reading of the kernel's log or of the system's. A refused
// one never replaces one that was read.
func (p *parser) parseKernel(name string, probe evidence.Probe, b []byte) {
	h := &p.snap.Host
	if !answered(probe) {
		if h.Kernel.State != evidence.Seen {
			h.Kernel = read(probe, evidence.KernelLog{}, nil)
		}
		return
	}
	if p.reckoned(probe) {
		p.joinKernel(name, probe, b)
		return
	}
	records, _ := kernel.Parse(b)
	log := kernel.Summarise(records, probe.Source)
	kernel.PlaceAll(&log, kernel.Now{
		Wall: probe.End.Wall, Boot: probe.End.Boot, Mono: probe.End.Boot - p.slept(), Clock: p.hostClock(),
	})
	h.Kernel = evidence.Saw(probe.Source, log)
}

// joinKernel adds what one paste of a log shows to what others showed: people
// paste it in parts, through filters, more than once.
func (p *parser) joinKernel(name string, probe evidence.Probe, b []byte) {
	f, v := p.frame(probe), p.eyes(probe)
	records, _ := kernel.Parse(b)
	kernel.Date(records, f.Now.To, f.Zone)
	log := kernel.Summarise(records, probe.Source)
	for i := range log.Events {
		placeReckoned(&log.Events[i], v)
	}
	if probe.Truncated {
		log.Oldest = 0 // what a filter hid may be older, and its silence means nothing
	}
	h := &p.snap.Host
	if have, ok := h.Kernel.Get(); ok {
		log = joinLogs(have, log)
	}
	h.Kernel = evidence.Saw(log.Source, log)
	p.stepsOf(log.Events)
	p.addCluster(service.Notices(records, f))
	if name == "journal" {
		p.harvest(probe, b, v.HostClock()) // a journal is stamped by its host, whoever wrote the line
		p.parsePauses(probe, b)
		p.lastWords(probe, b)
	}
}

// placeReckoned puts an event's seconds since boot on its host's wall clock, by
// way of the axis on which the text has both. A date of its own is kept.
func placeReckoned(ev *evidence.KernelEvent, v evidence.Vantage) {
	if ev.Wall.Known() {
		if ev.Wall.Clock == "" {
			ev.Wall.Clock = v.HostClock()
		}
		return
	}
	from, to, ok := v.SinceBoot(ev.Printk)
	if !ok || ev.Printk <= 0 || v.Reckoned == nil {
		return
	}
	// The kernel stamps by a crystal that nobody disciplines: 500 ppm at worst.
	drift := max(v.End.Boot-from, 0)/2000 + time.Millisecond
	from, to = from-drift, to+drift
	switch r := v.Reckoned; {
	case !r.WallFrom.IsZero():
		ev.Wall = v.WallAt(from, to)
	case !r.Coordinator.IsZero():
		ev.Wall = evidence.Interval{From: r.Coordinator.Add(from), To: r.Coordinator.Add(to), Clock: evidence.Coordinator}
	}
}

// joinLogs is the union of two readings of one log.
func joinLogs(a, b evidence.KernelLog) evidence.KernelLog {
	out := a
	out.Records, out.Lost, out.Omitted = max(a.Records, b.Records), max(a.Lost, b.Lost), a.Omitted+b.Omitted
	if a.Oldest == 0 || b.Oldest > 0 && b.Oldest < a.Oldest {
		out.Oldest = b.Oldest
	}
	type line struct {
		class, text string
		pid         int
	}
	at := map[line][]int{}
	for i, e := range out.Events {
		k := line{e.Class, e.Text, e.Pid}
		at[k] = append(at[k], i)
	}
	for _, e := range b.Events {
		k := line{e.Class, e.Text, e.Pid}
		if i := slices.IndexFunc(at[k], func(i int) bool { return sameRecord(out.Events[i], e) }); i >= 0 {
			out.Events[at[k][i]] = fuller(out.Events[at[k][i]], e)
			continue
		}
		// A line that floods the log says no more the thousandth time.
		if len(out.Events) >= maxListed || len(at[k]) >= 256 {
			out.Omitted++
			continue
		}
		at[k] = append(at[k], len(out.Events))
		out.Events = append(out.Events, e)
	}
	sortEvents(out.Events)
	return out
}

// sameRecord: two lines of one text are one record unless their dates differ.
func sameRecord(a, b evidence.KernelEvent) bool {
	if a.Printk > 0 && b.Printk > 0 {
		return (a.Printk - b.Printk).Abs() < time.Microsecond
	}
	if !a.Wall.Known() || !b.Wall.Known() {
		return true
	}
	return !a.Wall.Before(b.Wall) && !a.Wall.After(b.Wall)
}

// fuller keeps the better date of one record that was pasted in two styles.
func fuller(a, b evidence.KernelEvent) evidence.KernelEvent {
	if a.Printk == 0 {
		a.Printk = b.Printk
	}
	if w := b.Wall; !a.Wall.Known() || w.Closed() && w.Clock == a.Wall.Clock && w.Bound() < a.Wall.Bound() {
		a.Wall = w
	}
	return a
}

// sortEvents puts a joined log in order, where one clock dates all of it.
func sortEvents(list []evidence.KernelEvent) {
	counted, dated := true, true
	for _, e := range list {
		counted = counted && e.Printk > 0
		dated = dated && e.Wall.Known()
	}
	switch {
	case counted:
		slices.SortStableFunc(list, func(a, b evidence.KernelEvent) int { return int(min(max(a.Printk-b.Printk, -1), 1)) })
	case dated:
		slices.SortStableFunc(list, func(a, b evidence.KernelEvent) int { return a.Wall.Mid().Compare(b.Wall.Mid()) })
	}
}

// stepsOf carries what clock daemons and systemd logged of the wall clock over to
// the clock's own list.
func (p *parser) stepsOf(list []evidence.KernelEvent) {
	for _, e := range list {
		n := evidence.ClockNotice{At: e.Wall, By: seconds(e.Seconds), Text: e.Text}
		switch {
		case e.Forged:
			continue
		case e.Class == kernel.ClockStep:
			n.Kind = "stepped"
		case e.Class == kernel.ClockWrong:
			n.Kind = "wrong"
		case e.Class == kernel.TimeJump && strings.Contains(strings.ToLower(e.Text), "backward"):
			n.Kind = "jump-backward"
		case e.Class == kernel.TimeJump && strings.Contains(e.Text, "Forward"):
			n.Kind = "jump-forward"
		case e.Class == kernel.TimeJump:
			n.Kind = "stepped" // systemd says that somebody set the clock, not which way
		default:
			continue
		}
		p.addStep(n)
	}
}

// seconds is a count of seconds held within a century, which no clock is off by.
func seconds(s float64) time.Duration {
	const century = 100 * 365 * 24 * 3600
	if s != s {
		return 0
	}
	return time.Duration(min(max(s, -century), century) * float64(time.Second))
}
