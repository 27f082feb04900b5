package pasted

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/inspect/reckon"
	"github.com/lockscene/lockscene/inspect/shell"
)

// noteTimes marks every clock that the text shows.
func (im *importer) noteTimes() {
	m := &im.moments
	im.findSteps()
	m.settings = map[string]int{}
	shift, last := 0, map[string]time.Duration{}
	for i, e := range im.entries {
		m.hosts = append(m.hosts, e.Host, e.Host)
		m.terminal = append(m.terminal, e.Terminal+shift, e.Terminal+shift)
		if t, host, ok := im.wallMoment(e); ok {
			was, seen := last[host]
			switch back := seen && t < was-tolerance; {
			case im.stepped[i], back && im.setBackBy(i, host, was-t):
				m.settings[host]++
			case back:
				// Two terminals pasted one after the other make dates run backwards
				// once; their order is then not known.
				shift++
				m.terminal[prompt(i)], m.terminal[output(i)] = e.Terminal+shift, e.Terminal+shift
				clear(last)
			}
			last[host] = t
		}
		im.markPrompt(i, e)
		im.markOutput(i, e)
	}
	im.tieBoots()
	im.markLeft()
	im.markDays()
}

// wallMoment is what an entry says of a host's wall clock: the stamp of its
// prompt, or what date printed.
func (im *importer) wallMoment(e entry) (at time.Duration, host string, ok bool) {
	if s := im.stampOf(e); s.Known() && !s.Dateless {
		return time.Duration(s.Time.UnixNano()), e.typedAt(), true
	}
	if s, ok := im.dated(e); ok {
		return time.Duration(s.Time.UnixNano()), e.Host, true
	}
	return 0, "", false
}

func (im *importer) stampOf(e entry) shell.Stamp {
	if e.Stamp.IsZero() || e.Precision <= 0 {
		return shell.Stamp{}
	}
	s := shell.Stamp{Time: e.Stamp, Precision: e.Precision, Zoned: e.Zoned, Dateless: e.Stamp.Year() == 0}
	return im.zoned(s)
}

func (im *importer) zoned(s shell.Stamp) shell.Stamp {
	if im.opts.Zone != nil {
		return s.In(im.opts.Zone)
	}
	return s
}

// dated reads what the date command printed.
func (im *importer) dated(e entry) (shell.Stamp, bool) {
	if e.cli != nil || len(e.Argv) == 0 || len(e.Output) > 4096 {
		return shell.Stamp{}, false
	}
	s, err := shell.Date(e.Argv, e.Output)
	if err != nil || !s.Known() || s.Dateless {
		return shell.Stamp{}, false
	}
	return im.zoned(s), true
}

func clockOf(host string, s shell.Stamp) string {
	if s.Zoned {
		return wallOf(host)
	}
	return localOf(host)
}

// clockNow is the clock that dates of a host are of since it was set last.
func (im *importer) clockNow(host string, s shell.Stamp) string {
	return im.moments.since(host, clockOf(host, s))
}

// markPrompt: a stamp in front of a prompt was taken before the command ran.
func (im *importer) markPrompt(i int, e entry) {
	if s := im.stampOf(e); s.Known() && !s.Dateless {
		im.moments.mark(prompt(i), im.clockNow(e.typedAt(), s), time.Duration(s.Time.UnixNano()), s.Precision)
	}
}

func (im *importer) markOutput(i int, e entry) {
	m := &im.moments
	if e.cli != nil {
		if t, ok := timeReply(e); ok {
			m.mark(output(i), timeOf(e.nodeOf()), t, 0)
		}
		if t, ok := infoTime(e); ok {
			m.mark(output(i), timeOf(e.nodeOf()), t, infoLag)
		}
		if up, ok := upReply(e); ok {
			m.mark(output(i), im.upClock(e.nodeOf(), up), up, time.Second)
		}
		return
	}
	if s, ok := im.dated(e); ok {
		m.mark(output(i), im.clockNow(e.Host, s), time.Duration(s.Time.UnixNano()), s.Precision)
		return
	}
	im.markUptime(i, e)
}

// timeReply is the coordinator's time that an entry read.
func timeReply(e entry) (time.Duration, bool) {
	if e.reply == nil || (reply{command: e.cli.Command}).verb() != "TIME" || len(e.reply.Array) != 2 {
		return 0, false
	}
	s, us := number64(e.reply.Array[0].Str), number64(e.reply.Array[1].Str)
	if s <= 0 || s > 1<<33 || us < 0 || us > 999_999 {
		return 0, false
	}
	return time.Duration(s)*time.Second + time.Duration(us)*time.Microsecond, true
}

// markUptime: the kernel's count since boot, to the hundredth or to the minute.
func (im *importer) markUptime(i int, e entry) {
	if len(e.Argv) == 0 || len(e.Output) > 1<<16 || e.contained() {
		return
	}
	if u, err := shell.ParseUptime(e.Argv, e.Output); err == nil && u.Hi > 0 {
		im.moments.mark(output(i), bootOf(e.Host), u.Lo, u.Hi-u.Lo)
		return
	}
	for _, f := range im.filesOf(i) {
		switch placeOf(f.Path).name {
		case "host/uptime":
			if up, err := shell.ProcUptime(f.Bytes); err == nil {
				im.markSameLine(i)
				im.moments.mark(output(i), bootOf(e.Host), up.Lo, up.Hi-up.Lo)
			}
		case "host/stat":
			im.tieBoot(e.Host, f.Bytes)
		}
	}
}

// markSameLine: of two commands typed in one line the second follows at once when
// it only reads a file of the kernel, so that the date of the first holds for it.
func (im *importer) markSameLine(i int) {
	const gap = 200 * time.Millisecond
	if i == 0 || im.entries[i-1].Line != im.entries[i].Line || im.entries[i-1].text != im.entries[i].text || im.entries[i-1].Host != im.entries[i].Host {
		return
	}
	if s, ok := im.dated(im.entries[i-1]); ok {
		im.moments.mark(output(i), im.clockNow(im.entries[i].Host, s), time.Duration(s.Time.UnixNano()), s.Precision+gap)
	}
}

// tieBoot: the kernel cuts btime to whole seconds, and reckons it anew from the
// wall clock of now, so that it shows no past step.
func (im *importer) tieBoot(host string, b []byte) {
	bt, ok := shell.BootTime(b)
	if !ok || im.moments.tied(host) {
		return
	}
	at := time.Duration(bt.Time.UnixNano())
	im.moments.ties = append(im.moments.ties, reckon.Tie{Ahead: im.moments.since(host, wallOf(host)), Of: bootOf(host), By: reckon.Range{Lo: at, Hi: at + time.Second}})
}

func (m *moments) tied(host string) bool {
	for _, t := range m.ties {
		if t.Of == bootOf(host) {
			return true
		}
	}
	return false
}

// upClock is the clock that a server's uptime is read from: a new one when it
// fell, since another server, or another run of it, answers.
func (im *importer) upClock(node string, up time.Duration) string {
	if im.ups == nil {
		im.ups = map[string]*upRun{}
	}
	r := im.ups[node]
	if r == nil {
		r = &upRun{}
		im.ups[node] = r
	}
	if up < r.last {
		r.run++
	}
	r.last = up
	return upOf(node) + " " + strconv.Itoa(r.run)
}

// An upRun is one run of a server, as its uptime tells.
type upRun struct {
	run  int
	last time.Duration
}

// upReply is the server's own count of seconds. It counts by the clock that TIME
// shows.
func upReply(e entry) (time.Duration, bool) {
	n := number64(infoField(e, "uptime_in_seconds"))
	return time.Duration(n) * time.Second, n > 0 && n < 1<<32
}

// infoLag is how far behind TIME the time that INFO prints may be: it is that of
// the command's beginning, or of the one it was run in.
const infoLag = 5 * time.Millisecond

// infoTime is the coordinator's time as INFO prints it. Before version 7 it was
// that of the last time the server woke up, which a slow command puts far behind.
func infoTime(e entry) (time.Duration, bool) {
	us := number64(infoField(e, "server_time_usec"))
	major, _, _ := strings.Cut(infoField(e, "redis_version"), ".")
	return time.Duration(us) * time.Microsecond, us > 0 && us < 1<<33*1_000_000 && number64(major) >= 7
}

// infoField is one field of INFO's reply; empty when it is not there.
func infoField(e entry, name string) string {
	if e.reply == nil || (reply{command: e.cli.Command}).verb() != "INFO" {
		return ""
	}
	_, rest, ok := strings.Cut("\n"+e.reply.Str, "\n"+name+":")
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(value)
}

// markLeft: where the end of a lease is known and did not move, what was left of
// it tells the coordinator's time to the millisecond.
func (im *importer) markLeft() {
	ends := map[time.Duration]int{}
	key, last := im.opts.Subject.Key, -1
	for i, e := range im.entries {
		if e.reply == nil || e.reply.Kind != ':' || e.nodeOf() != im.node || e.reply.Int <= 0 || e.reply.Int > 1<<42 {
			continue
		}
		switch r := (reply{command: e.cli.Command}); {
		case r.key() != key:
		case r.verb() == "PTTL":
			last = i
		case r.verb() == "PEXPIRETIME":
			end := time.Duration(e.reply.Int) * time.Millisecond
			if was, seen := ends[end]; seen || last >= 0 && im.bounded(last) {
				im.markPTTL(was, end)
				im.markPTTL(last, end)
			}
			ends[end] = last
			last = -1
		}
	}
}

func (im *importer) markPTTL(i int, end time.Duration) {
	if i < 0 || i >= len(im.entries) || im.entries[i].reply == nil || (reply{command: im.entries[i].cli.Command}).verb() != "PTTL" {
		return
	}
	left := time.Duration(im.entries[i].reply.Int) * time.Millisecond
	im.moments.mark(output(i), leftOf(im.node), end-left, time.Millisecond)
}

// bounded says whether a TIME stands close behind an entry: a lease that was
// renewed between PTTL and PEXPIRETIME would then contradict it.
func (im *importer) bounded(i int) bool {
	for _, e := range im.entries[i:min(i+8, len(im.entries))] {
		if _, ok := timeReply(e); ok && e.nodeOf() == im.node {
			return true
		}
	}
	return false
}

// markDays: uptime prints the time of day in a zone nobody names. Zones differ by
// quarters of an hour, so between two dates that are closer than that there is
// one moment it can mean.
func (im *importer) markDays() {
	const quarter = 15 * time.Minute
	for i, e := range im.entries {
		if e.cli != nil || len(e.Argv) == 0 || e.contained() || len(e.Output) > 4096 {
			continue
		}
		u, err := shell.ParseUptime(e.Argv, e.Output)
		if err != nil || !u.Day.Known() {
			continue
		}
		from, to, ok := im.datesAround(i)
		if !ok || to-from >= quarter {
			continue
		}
		day := time.Duration(u.Day.Time.Hour())*time.Hour + time.Duration(u.Day.Time.Minute())*time.Minute + time.Duration(u.Day.Time.Second())*time.Second
		at := from - (from-day)%quarter
		if at < from-time.Second {
			at += quarter
		}
		if at <= to {
			im.moments.mark(output(i), wallOf(e.Host), at, time.Second)
		}
	}
}

// datesAround are the nearest zoned dates of the same host on both sides.
func (im *importer) datesAround(i int) (from, to time.Duration, ok bool) {
	found := 0
	host, terminal := im.entries[i].Host, im.moments.terminal[output(i)]
	for _, k := range im.moments.marks {
		if k.Clock != wallOf(host) || im.moments.terminal[k.Step] != terminal {
			continue
		}
		switch {
		case k.Step <= output(i):
			from, found = k.Reading.Lo, found|1
		case found&2 == 0:
			to, found = k.Reading.Hi, found|2
		}
	}
	return from, to, found == 3
}
