package inspect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// Threads whose clocks were listed without their numbers: cat of a pattern prints
// a line each, in the order in which the shell lists them. Such a thread has the
// number -n while it is the n-th.

// cutShort says whether a filter may have taken threads away.
func cutShort(probe evidence.Probe) bool {
	_, filters := typed(probe)
	return transcript.Entry{Filters: filters}.Partial()
}

// nameThreads gives the threads of such lists the numbers that another list of as
// many threads shows. Where none does, two lists of the same length tell of the
// same threads, and one of another length tells of others: which is which nobody
// can say then.
func (ps *processes) nameThreads(p *evidence.Process) {
	epoch, last := 0, 0
	for i := range p.Looks {
		set := ps.texts[lookKey{p.Pid, p.Looks[i].Look}]
		n := set.unnamed()
		if n == 0 {
			continue
		}
		if last > 0 && n != last {
			epoch++
		}
		last = n
		set.rename(n, ps.listed(p, n), epoch)
	}
}

// unnamed is how many threads of a look are known by their place alone.
func (s *threadSet) unnamed() int {
	if s == nil {
		return 0
	}
	n := 0
	for tid := range s.parts {
		if tid < 0 {
			n++
		}
	}
	return n
}

// listed are the numbers of a process's threads in the shell's order, where one
// look lists just as many; nil where none does.
func (ps *processes) listed(p *evidence.Process, n int) []int {
	if n == 1 {
		return []int{p.Pid} // a thread alone is the first
	}
	for _, l := range p.Looks {
		set := ps.texts[lookKey{p.Pid, l.Look}]
		if set == nil || !set.whole {
			continue
		}
		var tids []int
		for tid := range set.parts {
			if tid > 0 {
				tids = append(tids, tid)
			}
		}
		if len(tids) == n {
			slices.SortFunc(tids, func(a, b int) int { return strings.Compare(strconv.Itoa(a), strconv.Itoa(b)) })
			return tids
		}
	}
	return nil
}

// rename puts the clocks of a list where they belong. Without numbers the list
// stands alone: the first thread's own file would count it twice.
func (s *threadSet) rename(n int, tids []int, epoch int) {
	if tids == nil {
		for tid := range s.parts {
			if tid > 0 {
				delete(s.parts, tid)
			}
		}
	}
	for i := range n {
		from := s.parts[-(i + 1)]
		if from == nil {
			continue
		}
		delete(s.parts, -(i + 1))
		if tids == nil {
			s.parts[-(i+1)-epoch*maxPlaces] = from
			continue
		}
		if at := s.parts[tids[i]]; at != nil {
			at.sched = from.sched
		} else {
			s.parts[tids[i]] = from
		}
	}
}

// maxPlaces is more threads than one list can have.
const maxPlaces = 1 << 16
