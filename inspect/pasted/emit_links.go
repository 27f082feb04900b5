package pasted

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

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
	if pid := socketless(*e); pid > 0 && !known && len(list.Failed) == 0 {
		lines[place{name: "proc/fd", pid: pid}], known = "", true
	}
	for pl, text := range lines {
		p := evidence.Probe{Name: pl.name, Source: fmt.Sprintf("/proc/%d/%s", pl.pid, strings.TrimPrefix(pl.name, "proc/")), Pid: pl.pid, Status: evidence.OK, Truncated: !list.Whole}
		if !im.ofOwner(*e) {
			p.Name = "text/foreign"
		} else {
			p.Look = im.lookOf(p.Pid, kindOfFile(pl))
		}
		im.record(i, p, p.Source, []byte(text))
	}
	for _, f := range list.Failed {
		if pl, _ := linkPlace(f.Path + "/x"); pl.name != "" && im.ofOwner(*e) {
			im.record(i, evidence.Probe{Name: pl.name, Source: f.Path, Pid: pl.pid, Status: f.Status, Why: f.Why, Look: im.lookOf(pl.pid, kindOfFile(pl))}, f.Path, nil)
			known = true
		}
	}
	return known
}

// socketless is the process whose descriptors were listed for sockets alone, when
// nothing was printed: it has none.
func socketless(e entry) int {
	if len(bytes.TrimSpace(e.Output)) > 0 || len(e.Filters) == 0 || len(e.Filters[0]) == 0 || strings.Contains(e.Typed, "2>") || len(e.Argv) < 2 {
		return 0
	}
	f := e.Filters[0]
	if pattern := f[len(f)-1]; f[0] != "grep" || pattern != "socket" && pattern != "socket:" {
		return 0
	}
	pl, _ := linkPlace(strings.TrimSuffix(e.Argv[len(e.Argv)-1], "/") + "/0")
	if pl.name != "proc/fd" {
		return 0
	}
	return pl.pid
}

// linkPlace reads /proc/PID/fd/N and /proc/PID/ns/NAME.
func linkPlace(path string) (place, string) {
	parts := strings.Split(path, "/")
	if len(parts) != 5 || parts[1] != "proc" || number(parts[2]) == 0 || parts[3] != "fd" && parts[3] != "ns" {
		return place{}, ""
	}
	return place{name: "proc/" + parts[3], pid: number(parts[2])}, parts[4]
}
