package pasted

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

// emitHost records a shell command, and says whether it was understood.
func (im *importer) emitHost(i int) bool {
	e := &im.entries[i]
	if len(e.Argv) == 0 {
		e.done = true
		return true
	}
	name := program(*e)
	switch {
	case im.beatFile(*e) && im.emitText(i, name):
	case im.emitFiles(i):
	case im.emitLinks(i):
	case name == "ps" || name == "top":
		return im.emitPS(i)
	case name == "netstat" && im.emitText(i, name):
	case name == "ss" || name == "netstat" || name == "lsof":
		return im.emitSockets(i)
	case name == "kill" && len(e.Argv) >= 3 && e.Argv[1] == "-0":
		im.emitAlive(i)
	case im.emitText(i, name):
	case im.emitQuiet(i, name):
	default:
		return false
	}
	return true
}

func program(e entry) string { return e.Argv[0][strings.LastIndexByte(e.Argv[0], '/')+1:] }

// emitQuiet records commands that only tell the time or move about.
func (im *importer) emitQuiet(i int, name string) bool {
	e := &im.entries[i]
	switch name {
	case "grep", "egrep", "fgrep", "ls", "readlink":
		if !lists(*e) {
			return false
		}
		im.record(i, evidence.Probe{Name: "text/list", Status: evidence.OK}, "list", e.Output)
		return true
	case "date", "uptime", "w", "hostname", "uname", "id", "whoami", "who", "last":
		im.record(i, evidence.Probe{Name: "text/" + name, Status: evidence.OK}, name, e.Output)
		return true
	case "ssh", "nc", "telnet", "ping", "curl", "mosh":
		p := evidence.Probe{Name: "text/reach", Status: evidence.OK}
		if r, ok := shell.Connection(e.Argv, e.Output); ok && r.Kind != "ok" {
			p.Status, p.Why = evidence.Failed, evidence.Clip(evidence.Printable(r.Text), 160)
			if r.Kind == "timeout" {
				p.Status = evidence.Timeout
			}
		}
		im.record(i, p, "reach", e.Output)
		return true
	case "exit", "logout", "sleep", "clear", "cd", "export", "true", ":", "set", "su", "sudo", "bash", "sh", "history", "tmux", "echo", "quit":
		if len(e.Output) > 0 {
			im.record(i, evidence.Probe{Name: "text/" + evidence.MemberName(name), Status: evidence.OK}, name, e.Output)
		}
		e.done = true
		return true
	case "redis-cli", "valkey-cli", "keydb-cli":
		if len(e.Output) == 0 { // it opened a prompt
			e.done = true
			return true
		}
	}
	return false
}

// lists says whether a command only names files or folders, or where a link of the
// shell's own leads: it is how others were found, and says nothing by itself.
func lists(e entry) bool {
	short := func(letter string) bool {
		return slices.ContainsFunc(e.Argv[1:], func(a string) bool {
			return strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, letter)
		})
	}
	switch program(e) {
	case "readlink":
		return strings.Contains(e.Typed, "/proc/self/")
	case "ls":
		return short("d")
	}
	return short("l")
}

// emitFiles records what cat, head and their like showed, file by file.
func (im *importer) emitFiles(i int) bool {
	files := im.filesOf(i)
	if len(files) == 0 {
		return false
	}
	known := 0
	for _, f := range files {
		if im.emitFile(i, f) {
			known++
		}
	}
	return known > 0
}

// emitFile records one file under the name a live capture gives it.
func (im *importer) emitFile(i int, f shell.File) bool {
	e := &im.entries[i]
	pl := placeOf(f.Path)
	target, isBeat := strings.CutPrefix(im.opts.Subject.Heartbeat, "file:")
	if isBeat && f.Path == target {
		im.record(i, evidence.Probe{Name: "text/beat", Source: f.Path, Status: f.Status, Why: f.Why}, f.Path, f.Bytes)
		return true
	}
	if pl.name == "" {
		return im.emitLog(i, f)
	}
	p := evidence.Probe{Name: pl.name, Source: f.Path, Pid: pl.pid, Tid: pl.tid, Status: f.Status, Why: f.Why, Truncated: f.Partial && !oneLine(pl, f.Bytes)}
	if p.Pid > 0 && p.Status == evidence.Missing && im.hides(e.Host) {
		p.Status, p.Why = evidence.Denied, "/proc hides other users' processes here (hidepid): no folder is no sign of death"
	}
	if strings.HasPrefix(pl.name, "cgroup/") && pl.name != "cgroup/procs" {
		im.emitGroupFile(i, p, pl, f)
		return true
	}
	if im.showsOwners(e, pl, f) {
		p.Pid, p.Name = im.ownerPid(), "proc/"+strings.ReplaceAll(pl.name, "/", "_")
	}
	if p.Pid > 0 && !im.ofOwner(*e) {
		p.Name = "text/foreign" // another host's process, or another namespace's number
		im.record(i, p, e.Host+"/"+f.Path, f.Bytes)
		return true
	}
	kind := f.Path
	if f.Nth > 0 {
		p.Tid = -f.Nth // which thread it is nothing tells but its place
		kind += " " + strconv.Itoa(f.Nth)
	}
	if p.Pid > 0 || strings.HasPrefix(pl.name, "pressure/") {
		p.Look = im.lookOf(p.Pid, kind)
	}
	if p.Pid > 0 {
		im.candidateOf(p.Pid)
	}
	im.record(i, p, f.Path, f.Bytes)
	return true
}

// oneLine says whether a file that only ever has one line was shown: the first
// line of it is all of it, whatever cut the output.
func oneLine(pl place, b []byte) bool {
	switch pl.name {
	case "proc/stat", "proc/wchan", "proc/comm", "proc/oom_score", "task/stat", "task/schedstat", "task/wchan":
		text := bytes.TrimSpace(b)
		return len(text) > 0 && !bytes.ContainsAny(text, "\n")
	}
	return false
}

// candidateOf notes a process that somebody looked at when nothing else names
// one: the responder knew why. Tracers and children are looked at too, so it is
// only the first.
func (im *importer) candidateOf(pid int) {
	named := slices.ContainsFunc(im.pids, func(c evidence.Candidate) bool { return c.Way != "socket" })
	if !named && !im.asked {
		im.candidate(pid, "flag", "the responder looked at it")
	}
}

// hides says whether a host's /proc hides other users' processes from the user
// whose shell it is.
func (im *importer) hides(host string) bool {
	if im.hidden == nil {
		im.hidden = map[string]bool{}
		for _, e := range im.entries {
			if level, ok := shell.HidePid(e.Output); ok && level >= 2 && e.User != "root" && strings.Contains(e.Typed, "mount") {
				im.hidden[e.Host] = true
			}
		}
	}
	return im.hidden[host]
}

// emitPS records a row of ps for every process that may be the owner.
func (im *importer) emitPS(i int) bool {
	e := &im.entries[i]
	t, err := shell.PS(e.Argv, e.Filters, e.Output)
	if err != nil {
		return false
	}
	for _, asked := range t.Asked {
		im.candidateOf(asked)
	}
	seen := map[int]bool{}
	for _, c := range im.pids {
		if seen[c.Pid] || !im.ofOwner(*e) || t.Row(c.Pid) == nil && !t.Absent(c.Pid) {
			continue
		}
		seen[c.Pid] = true
		p := evidence.Probe{Name: "proc/ps", Source: "ps", Pid: c.Pid, Status: evidence.OK, Truncated: t.Partial, Commands: []string{e.Typed}}
		if t.Row(c.Pid) == nil && im.hides(e.Host) {
			p.Status, p.Why = evidence.Denied, "/proc hides other users' processes here (hidepid)"
		}
		p.Look = im.lookOf(c.Pid, "ps")
		im.record(i, p, "ps", e.Output)
	}
	if len(seen) == 0 {
		im.record(i, evidence.Probe{Name: "text/ps", Status: evidence.OK, Commands: []string{e.Typed}}, "ps", e.Output)
	}
	return true
}

// emitSockets records rows of ss for the processes they name.
func (im *importer) emitSockets(i int) bool {
	e := &im.entries[i]
	list, err := shell.ListSockets(e.Argv, e.Filters, e.Output)
	if err != nil {
		return false
	}
	var pids []int
	for _, row := range list.Rows {
		for _, proc := range row.Procs {
			if im.isCandidate(proc.Pid) && !slices.Contains(pids, proc.Pid) {
				pids = append(pids, proc.Pid)
			}
		}
	}
	if im.ofOwner(*e) {
		for _, pid := range pids {
			im.record(i, evidence.Probe{Name: "proc/ss", Source: "ss", Pid: pid, Look: im.lookOf(pid, "ss"), Status: evidence.OK, Truncated: list.Partial, Commands: []string{e.Typed}}, "ss", e.Output)
		}
	}
	im.record(i, evidence.Probe{Name: "text/ss", Status: evidence.OK, Truncated: list.Partial, Commands: []string{e.Typed}}, "ss", e.Output)
	return true
}

// emitAlive records kill -0, which asks without delivering anything.
func (im *importer) emitAlive(i int) {
	e := &im.entries[i]
	pid := number(e.Argv[len(e.Argv)-1])
	p := evidence.Probe{Name: "proc/alive", Source: "kill -0 " + strconv.Itoa(pid), Pid: pid, Status: evidence.OK}
	if !im.isCandidate(pid) || !im.ofOwner(*e) {
		p.Name = "text/alive"
	} else {
		p.Look = im.lookOf(pid, "alive")
	}
	im.record(i, p, "alive", e.Output)
}
