package pasted

import (
	"slices"
	"strconv"

	"github.com/lockscene/lockscene/evidence"
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

// kindOfFile tells reads of one look apart: the probe, and the thread.
func kindOfFile(p place) string { return p.name + " " + strconv.Itoa(p.tid) + " " + p.dir }

// ownerPid is the process that a control group or a thread is taken for when
// nothing says whose it is: the one candidate there is.
func (im *importer) ownerPid() int {
	for _, way := range []string{"flag", "value", "unit", "cgroup", "container"} {
		for _, c := range im.pids {
			if c.Way == way {
				return c.Pid
			}
		}
	}
	return 0
}
