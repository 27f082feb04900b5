package pasted

import (
	"bytes"
	"fmt"
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
	case "date", "uptime", "w", "hostname", "uname", "id", "whoami", "who":
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
	if strings.HasPrefix(pl.name, "cgroup/") {
		p.Pid = im.groupOwner(e.Host, pl.dir)
	}
	if p.Pid > 0 && (e.Host != im.owner || e.In != "") {
		p.Name = "text/foreign" // another host's process, or another namespace's number
		im.record(i, p, e.Host+"/"+f.Path, f.Bytes)
		return true
	}
	if p.Pid > 0 || strings.HasPrefix(pl.name, "pressure/") {
		p.Look = im.lookOf(p.Pid, f.Path)
	}
	if p.Pid > 0 && !strings.HasPrefix(pl.name, "cgroup/") {
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
	if len(im.pids) == 0 {
		im.candidate(pid, "flag", "the responder looked at it")
	}
}

// groupOwner is the process a control group's file speaks for: the owner, unless
// what was read of the owner says that it is in another group. An ancestor's
// counters are the host's.
func (im *importer) groupOwner(host, dir string) int {
	pid := im.ownerPid()
	if pid == 0 || host != im.owner {
		return 0
	}
	paths := im.found.member[pid]
	if len(paths) == 0 {
		return im.lonely(pid, dir)
	}
	for _, p := range paths {
		if strings.HasSuffix(dir, p) && p != "/" {
			return pid
		}
	}
	return 0
}

// lonely: when nobody read the owner's groups, the deepest group that was read is
// taken for its own; a parent above it is not.
func (im *importer) lonely(pid int, dir string) int {
	for _, other := range im.found.groups {
		if strings.HasPrefix(other, dir+"/") {
			return 0
		}
	}
	if strings.HasSuffix(dir, ".slice") && !strings.HasSuffix(dir, ".service.slice") || strings.Count(dir, "/") < 4 {
		return 0 // a slice or a controller's root: every service of it counts there
	}
	return pid
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

// emitLinks records ls -l and readlink of a process's descriptors and namespaces,
// as the "name target" lines that a live capture writes.
func (im *importer) emitLinks(i int) bool {
	e := &im.entries[i]
	list, ok := shell.Links(e.Argv, e.Filters, e.Output)
	if !ok {
		return false
	}
	lines, known := map[place]string{}, false
	for _, l := range list.Links {
		pl, name := linkPlace(l.Path)
		if pl.name == "" {
			continue
		}
		known = true
		lines[pl] += name + " " + l.Target + "\n"
	}
	for pl, text := range lines {
		p := evidence.Probe{Name: pl.name, Source: fmt.Sprintf("/proc/%d/%s", pl.pid, strings.TrimPrefix(pl.name, "proc/")), Pid: pl.pid, Status: evidence.OK, Truncated: !list.Whole}
		if e.Host != im.owner || e.In != "" {
			p.Name = "text/foreign"
		} else {
			p.Look = im.lookOf(p.Pid, kindOfFile(pl))
		}
		im.record(i, p, p.Source, []byte(text))
	}
	for _, f := range list.Failed {
		if pl, _ := linkPlace(f.Path + "/x"); pl.name != "" && e.Host == im.owner {
			im.record(i, evidence.Probe{Name: pl.name, Source: f.Path, Pid: pl.pid, Status: f.Status, Why: f.Why, Look: im.lookOf(pl.pid, kindOfFile(pl))}, f.Path, nil)
			known = true
		}
	}
	return known
}

// linkPlace reads /proc/PID/fd/N and /proc/PID/ns/NAME.
func linkPlace(path string) (place, string) {
	parts := strings.Split(path, "/")
	if len(parts) != 5 || parts[1] != "proc" || number(parts[2]) == 0 || parts[3] != "fd" && parts[3] != "ns" {
		return place{}, ""
	}
	return place{name: "proc/" + parts[3], pid: number(parts[2])}, parts[4]
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
		if seen[c.Pid] || e.Host != im.owner || e.In != "" || t.Row(c.Pid) == nil && !t.Absent(c.Pid) {
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
	if e.Host == im.owner && e.In == "" {
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
	if !im.isCandidate(pid) || e.Host != im.owner {
		p.Name = "text/alive"
	} else {
		p.Look = im.lookOf(pid, "alive")
	}
	im.record(i, p, "alive", e.Output)
}
