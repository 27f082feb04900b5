package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// unitsOfOwner reads units, each of which may have been shown several times.
func (c *incident) unitsOfOwner() []supervisor {
	var out []supervisor
	for _, shown := range grouped(c.s.Host.Units, func(u evidence.Unit) string { return u.Name }) {
		if c.isOwnersUnit(shown) {
			out = append(out, c.superviseUnit(shown))
		}
	}
	return out
}

// isOwnersUnit: the responder named it, or the owner's process or the lock's
// holder ran in it, or it is the only one that was shown and bears the lock's name.
func (c *incident) isOwnersUnit(shown []evidence.Unit) bool {
	name := shown[0].Name
	bare := strings.TrimSuffix(name, ".service")
	said := c.s.Subject.Unit
	if said != "" && (name == said || bare == said) {
		return true
	}
	named := evidence.NamedIn(c.first.Holder)
	if c.elsewhere(named) {
		named.Pid = 0
	}
	if slices.ContainsFunc(shown, func(u evidence.Unit) bool {
		return u.MainPID > 0 && (u.MainPID == named.Pid || c.owner != nil && u.MainPID == c.owner.proc.Pid)
	}) {
		return true
	}
	if said == "" && c.soleUnit() && c.kin(bare) {
		return true
	}
	return name != "" && c.inGroup(func(path string) bool {
		return path == name || strings.HasSuffix(path, "/"+name) || strings.Contains(path, "/"+name+"/")
	})
}

// soleUnit says whether all that was shown is one unit: whoever showed it meant
// the owner's.
func (c *incident) soleUnit() bool {
	units := c.s.Host.Units
	return !slices.ContainsFunc(units, func(u evidence.Unit) bool { return u.Name != units[0].Name })
}

// superviseUnit puts a unit's runs in order, the newest first.
func (c *incident) superviseUnit(shown []evidence.Unit) supervisor {
	u := shown[len(shown)-1]
	out := supervisor{name: "unit " + u.Name, span: u.Span}
	place := func(i evidence.Interval) evidence.Interval {
		at, rough := c.around(i)
		out.rough = out.rough || rough
		return at
	}
	latest := stint{pid: u.MainPID, began: place(u.Started), over: unitOver(u)}
	if latest.over {
		latest.ended = place(u.Exited)
		latest.how, latest.cause, latest.oom = unitEnd(u)
	}
	out.runs = []stint{latest}
	if u.Previous.Known() && !latest.over {
		out.runs = append(out.runs, stint{ended: place(u.Previous), over: true, hidden: true, how: "the run before it ended", cause: "gone"})
	}
	c.journalled(&out, u.Name)
	for _, e := range shown[:len(shown)-1] {
		c.sawRun(&out, e.MainPID, e.Span, place(e.Started))
	}
	return out
}

// unitOver says whether a unit's latest run has ended. A unit of which only the
// exit's date was shown has one; systemd clears it when it starts the next.
func unitOver(u evidence.Unit) bool {
	if u.MainPID > 0 || u.Active == "active" || u.Active == "reloading" {
		return false
	}
	return u.Active == "failed" || u.Active == "inactive" || u.Sub == "auto-restart" || u.Exited.Known()
}

// unitEnd reads how a unit's latest run ended.
func unitEnd(u evidence.Unit) (how, cause string, oom bool) {
	oom = u.Result == "oom-kill"
	cause = "gone"
	switch {
	case u.Result == "watchdog":
		cause = "watchdog"
	case u.Code == 2 || u.Code == 3 || u.Result == "signal" || u.Result == "core-dump":
		cause = causeOfSignal(u.Status)
	case u.Code == 1 || u.Result == "exit-code" || u.Result == "success" && u.Active != "":
		cause = "exited"
	}
	how = "its run ended"
	if u.Result != "" {
		how += " (" + quote(u.Result) + ", status " + itoa(u.Status) + ")"
	}
	return how, cause, oom
}

// causeOfSignal is the verdict's word for a death by a signal.
func causeOfSignal(n int) string {
	switch n {
	case 0:
		return "gone"
	case 6:
		return "aborted"
	case 9:
		return "killed"
	case 11:
		return "segfault"
	case 15:
		return "terminated"
	}
	return "signalled"
}

// journalled adds the ends that systemd wrote down: the only trace of a run that a
// restart has hidden.
func (c *incident) journalled(s *supervisor, unit string) {
	for _, e := range c.s.Host.Kernel.Value.Events {
		if e.Class != "unit-exit" || unit == "" || !contains(e.Text, unit+": ") || len(s.runs) >= mostRuns {
			continue
		}
		at, rough := c.around(e.Wall)
		if !at.Known() {
			continue
		}
		end := stint{ended: at, over: true, hidden: true, how: "systemd noted: " + line(e.Text), cause: causeIn(e.Text)}
		same := slices.IndexFunc(s.runs, func(r stint) bool { return r.over && !r.ended.Before(at) && !r.ended.After(at) })
		if same >= 0 {
			r := s.runs[same]
			end.began, end.oom, end.hidden, end.ended = r.began, r.oom, r.hidden, narrowed(r.ended, at)
			s.runs[same] = end
			continue
		}
		s.rough = s.rough || rough
		s.runs = append(s.runs, end)
	}
	newestFirst(s.runs)
}

// causeIn reads code and status of "Main process exited, code=killed,
// status=9/KILL".
func causeIn(text string) string {
	_, rest, _ := strings.Cut(text, "code=")
	code, rest, _ := strings.Cut(rest, ",")
	_, status, _ := strings.Cut(rest, "status=")
	if code == "exited" {
		return "exited"
	}
	for _, n := range []int{6, 9, 11, 15} {
		if (code == "killed" || code == "dumped") && strings.HasPrefix(status, itoa(n)+"/") {
			return causeOfSignal(n)
		}
	}
	return "gone"
}
