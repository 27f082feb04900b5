package pasted

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// procLooks counts the looks at one process: a file that was read of it before
// begins the next, and so does a date or a look at the lock in between, since what
// stands behind it may be much later.
type procLooks struct {
	look  int
	epoch int
	seen  map[string]bool
}

// lookOf is the number of the look that a read of this kind belongs to.
func (im *importer) lookOf(pid int, kind string) int {
	l := im.looks[pid]
	if l == nil {
		l = &procLooks{look: 1, seen: map[string]bool{}}
		im.looks[pid] = l
	}
	if l.seen[kind] || len(l.seen) > 0 && l.epoch != im.epoch {
		l.look++
		clear(l.seen)
	}
	l.seen[kind], l.epoch = true, im.epoch
	return l.look
}

// maxCandidates bounds the processes that may be the owner, as a live capture
// does.
const maxCandidates = 8

func (im *importer) candidate(pid int, way, detail string) {
	c := evidence.Candidate{Pid: pid, Way: way, Detail: detail}
	if pid <= 0 || slices.Contains(im.pids, c) {
		return
	}
	known := slices.ContainsFunc(im.pids, func(o evidence.Candidate) bool { return o.Pid == pid })
	if !known && len(im.pids) >= 2*maxCandidates {
		return
	}
	im.pids = append(im.pids, c)
}

func (im *importer) isCandidate(pid int) bool {
	return slices.ContainsFunc(im.pids, func(c evidence.Candidate) bool { return c.Pid == pid })
}

// findCandidates names the processes that may be the owner: what the responder
// said, what the lock's value says where it was written on this host, and the
// present processes of the unit or container.
func (im *importer) findCandidates() {
	sub := im.opts.Subject
	if sub.Pid > 0 {
		im.candidate(sub.Pid, "flag", "--pid")
	}
	if sub.Renewer > 0 {
		im.candidate(sub.Renewer, "renewer", "--renewer-pid")
	}
	im.findByValue()
	im.findBySupervisor()
}

// findByValue: a number counts on the host it names; 1 is some container's, whose
// NSpid then tells.
func (im *importer) findByValue() {
	named := evidence.NamedIn(im.firstValue())
	if named.Pid == 0 {
		return
	}
	here := im.owner
	if here == "" {
		here = im.opts.Host
	}
	if named.Pid != 1 && here != "" && sameHost(named.Host, here) {
		im.candidate(named.Pid, "value", fmt.Sprintf("the value names %s:%d, and this host is %s", named.Host, named.Pid, here))
	}
	for _, pid := range slices.Sorted(maps.Keys(im.found.inner)) {
		if im.found.inner[pid] == named.Pid {
			im.candidate(pid, "value", fmt.Sprintf("the value names %s:%d, and NSpid of %d ends in %d", named.Host, named.Pid, pid, named.Pid))
		}
	}
}

// kindOfFile tells reads of one look apart: the probe, and the thread.
func kindOfFile(p place) string { return p.name + " " + strconv.Itoa(p.tid) + " " + p.dir }

// ownerPid is the process that a control group or a thread is taken for when
// nothing says whose it is: the one candidate there is.
func (im *importer) ownerPid() int {
	for _, way := range []string{"flag", "value", "unit", "container"} {
		for _, c := range im.pids {
			if c.Way == way {
				return c.Pid
			}
		}
	}
	return 0
}

// findBySupervisor: the present process of the unit or container that the
// responder named.
func (im *importer) findBySupervisor() {
	for _, e := range im.entries {
		if e.cli != nil || len(e.Argv) < 2 || e.Host != im.owner || len(e.Output) > 1<<20 {
			continue
		}
		if program(e) == "systemctl" && im.opts.Subject.Unit != "" && strings.Contains(e.Typed, im.opts.Subject.Unit) {
			if u, err := host.ParseShow(e.Output); err == nil && u.MainPID > 0 {
				im.candidate(u.MainPID, "unit", "main pid of "+im.opts.Subject.Unit)
			}
		}
	}
}
