package inspect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// processes collects what was read of each process, look by look.
type processes struct {
	of    map[int]*evidence.Process
	tasks taskFiles
	texts map[lookKey]*threadSet // threads that came as text, file by file
}

// procLook is one look under construction; thread files are joined at its end.
type procLook struct {
	*evidence.ProcLook
	pid   int
	tasks *taskFiles
	texts map[lookKey]*threadSet
}

// look finds or begins the look a probe belongs to.
func (ps *processes) look(probe evidence.Probe) procLook {
	p := ps.of[probe.Pid]
	if p == nil {
		p = &evidence.Process{Pid: probe.Pid}
		ps.of[probe.Pid] = p
	}
	i := len(p.Looks) - 1 // probes come in order: it is nearly always the newest
	for i >= 0 && p.Looks[i].Look != probe.Look {
		i--
	}
	if i < 0 {
		p.Looks = append(p.Looks, evidence.ProcLook{Look: probe.Look, Span: spanOf(probe)})
		i = len(p.Looks) - 1
	}
	l := &p.Looks[i]
	if probe.Start.Boot < l.Span.Start.Boot {
		l.Span.Start = probe.Start
	}
	if probe.End.Boot > l.Span.End.Boot {
		l.Span.End = probe.End
	}
	l.Span.Step = max(l.Span.Step, probe.Step)
	return procLook{l, probe.Pid, &ps.tasks, ps.texts}
}

// list is the candidates in the order they were found, each with its looks.
func (ps *processes) list(vantages []evidence.Vantage) []evidence.Process {
	var out []evidence.Process
	for _, v := range vantages {
		for _, c := range v.Candidates {
			i := slices.IndexFunc(out, func(p evidence.Process) bool { return p.Pid == c.Pid })
			if i < 0 {
				p := evidence.Process{Pid: c.Pid}
				if of := ps.of[c.Pid]; of != nil {
					p = *of
				}
				out = append(out, p)
				i = len(out) - 1
			}
			out[i].Ways = append(out[i].Ways, c)
		}
	}
	for i := range out {
		slices.SortStableFunc(out[i].Looks, func(a, b evidence.ProcLook) int { return a.Look - b.Look })
	}
	return out
}

func (l procLook) parseProc(name string, probe evidence.Probe, b []byte) {
	switch name {
	case "stat":
		v, err := host.ParseStat(b)
		l.Stat = read(probe, v, err)
	case "status":
		v, err := host.ParseStatus(b)
		l.Status = read(probe, v, err)
	case "wchan":
		v, ok := host.ParseWchan(b)
		if l.Wchan = read(probe, v, nil); !ok && probe.Status == evidence.OK {
			l.Wchan = evidence.Refused[string](probe.Source, evidence.Unsupported, "0: running, refused or unknown, which look alike")
		}
	case "cgroup":
		v, err := host.ParseCgroup(b)
		l.Groups = read(probe, v, err)
	case "oom_score":
		v, err := host.ParseOOMScore(b)
		l.OOMScore = read(probe, v, err)
	case "net_tcp", "net_tcp6":
		l.addSockets(probe, b)
	case "fd":
		l.Inodes = read(probe, inodesIn(b), nil)
	case "ns":
		l.PidNS, l.NetNS = read(probe, linkIn(b, "pid"), nil), read(probe, linkIn(b, "net"), nil)
	}
}

// addSockets joins the tables of both address families: one that cannot be read
// does not hide the other.
func (l procLook) addSockets(probe evidence.Probe, b []byte) {
	v, err := host.ParseTCP(b, strings.HasSuffix(probe.Name, "6"))
	if err != nil && len(v) > 0 {
		err = nil // one damaged row does not hide the others
	}
	r := read(probe, v, err)
	if probe.Status == evidence.Skipped && l.Sockets.State == evidence.Seen {
		return
	}
	if r.State == evidence.Seen || l.Sockets.State == evidence.Unread {
		r.Value = append(l.Sockets.Or([]evidence.Socket{}), r.Value...)
		if l.Sockets.State == evidence.Seen {
			r.Source = l.Sockets.Source
		}
		l.Sockets = r
	}
}

// inodesIn reads "7 socket:[884213]" lines.
func inodesIn(b []byte) []uint64 {
	out := []uint64{}
	for line := range strings.Lines(string(b)) {
		_, target, _ := strings.Cut(strings.TrimSpace(line), " ")
		digits := strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")
		if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

func linkIn(b []byte, name string) string {
	for line := range strings.Lines(string(b)) {
		if n, target, ok := strings.Cut(strings.TrimSpace(line), " "); ok && n == name {
			return target
		}
	}
	return ""
}

// taskFiles holds the files of one thread until all three have come.
type taskFiles struct {
	pid, tid, look  int
	stat, schedstat []byte
}

// parseTask joins stat, schedstat and wchan of one thread. They are read one
// after another, so a thread is complete when its wchan has come, or failed.
func (l procLook) parseTask(name string, probe evidence.Probe, b []byte) {
	if probe.Status != evidence.OK && probe.Tid == 0 {
		l.Tasks = evidence.Refused[[]evidence.Task](probe.Source, probe.Status, probe.Why)
		return
	}
	t := l.tasks
	if t.pid != probe.Pid || t.tid != probe.Tid || t.look != probe.Look {
		*t = taskFiles{pid: probe.Pid, tid: probe.Tid, look: probe.Look}
	}
	switch name {
	case "stat":
		t.stat = b
	case "schedstat":
		t.schedstat = b
	case "wchan":
		task, err := host.ParseTask(t.tid, t.stat, t.schedstat, b)
		if err == nil { // a thread that ended between its files is no thread
			source := "/proc/" + strconv.Itoa(probe.Pid) + "/task"
			l.Tasks = evidence.Saw(source, append(l.Tasks.Or(nil), task))
		}
	}
}
