package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Source is one bundle that is merged with others.
type Source struct {
	Name   string // of the file, for people
	Sum    string // SHA-256 of the archive, in hex
	Bundle Bundle // parsed by the present rules: merging reads its snapshot
}

// ErrNotOneLock is why bundles cannot become one incident.
var ErrNotOneLock = errors.New("the bundles are not of one lock")

// maxSources bounds a merge: all pairs are compared, and no incident was ever
// looked at from thirty places.
const maxSources = 32

// Merge makes one incident of what several people captured of one lock: a
// capture with the vantages of all, every probe on one time base, every raw file
// kept. Nothing is averaged and nothing is dropped; parsing and judging the
// result is for the caller, as with any capture.
//
// The first vantage is the owner's, and its steady clock is the axis. Another's
// stamps are shifted onto it, and its spans widened by how far the shift may be
// wrong, so that what cannot be ordered overlaps. skew is how close the hosts'
// wall clocks are said to be, for hosts that cannot tell themselves; zero
// promises nothing.
func Merge(sources []Source, skew time.Duration) (Bundle, error) {
	if err := mergeable(sources); err != nil {
		return Bundle{}, fmt.Errorf("merge bundles: %w", err)
	}
	sources = ownerFirst(sources)
	m := merger{sources: sources, raw: make(map[string][]byte), names: nameVantages(sources)}
	m.capture = mergeCapture(sources)
	m.typed = slices.IndexFunc(sources, func(s Source) bool {
		return slices.ContainsFunc(s.Bundle.Probes, func(p Probe) bool { return p.Step > 0 })
	})
	nodes := nodesOf(sources)
	if skew == 0 {
		skew = m.capture.Contract.MaxSkew
	}
	for i, at := range placements(sources, nodes, skew) {
		m.add(i, at, nodes)
	}
	m.order()
	return Bundle{Capture: m.capture, Probes: m.probes(), Raw: m.raw}, nil
}

func mergeable(sources []Source) error {
	switch {
	case len(sources) < 2:
		return errors.New("it takes two at least")
	case len(sources) > maxSources:
		return fmt.Errorf("more than %d", maxSources)
	}
	first := sources[0].Bundle.Capture.Subject
	for i, s := range sources {
		subject := s.Bundle.Capture.Subject
		switch {
		case subject.Key != first.Key:
			return fmt.Errorf("%w: %q and %q", ErrNotOneLock, Clip(first.Key, 60), Clip(subject.Key, 60))
		case subject.DB != first.DB:
			return fmt.Errorf("%w: databases %d and %d", ErrNotOneLock, first.DB, subject.DB)
		case len(s.Bundle.Capture.Vantages) == 0:
			return fmt.Errorf("%w: %s says nothing of where it was looked from", ErrNotOneLock, s.Name)
		case slices.ContainsFunc(sources[:i], func(o Source) bool { return o.Sum != "" && o.Sum == s.Sum }):
			return fmt.Errorf("%w: %s is there twice", ErrNotOneLock, s.Name)
		}
	}
	return nil
}

// ownerFirst puts the vantage that can see the owner in front: the host that the
// lock's value names, else one that looked at a process, else one that is called
// the owner's. Otherwise the order stays.
func ownerFirst(sources []Source) []Source {
	named := NamedIn(mergedHolder(sources))
	weight := func(s Source) int {
		n, v := 0, s.Bundle.Capture.Vantages[0]
		if named.Pid != 0 && v.Host != "" && strings.EqualFold(v.Host, named.Host) {
			n += 4
		}
		if sawProcess(s.Bundle.Snapshot) {
			n += 2
		}
		if v.Name == ownerName {
			n++
		}
		return n
	}
	out := slices.Clone(sources)
	slices.SortStableFunc(out, func(a, b Source) int { return weight(b) - weight(a) })
	return out
}

// mergedHolder is the first value that any of the bundles saw the lock with.
func mergedHolder(sources []Source) string {
	for _, s := range sources {
		for _, l := range s.Bundle.Snapshot.Looks {
			if h := l.Holder(); h != "" {
				return h
			}
		}
	}
	return ""
}

// sawProcess says whether somebody looked for a process and was told of it, were
// it only that it is gone.
func sawProcess(s Snapshot) bool {
	return slices.ContainsFunc(s.Processes, func(p Process) bool {
		return slices.ContainsFunc(p.Looks, func(l ProcLook) bool { return l.Stat.State != Unread || l.Status.State != Unread })
	})
}

// A merger is a merge under way.
type merger struct {
	sources []Source
	names   []map[string]string // of each source: old name of a vantage -> the new one
	typed   int                 // the source whose steps count: those of two terminals have no common order
	capture Capture
	raw     map[string][]byte
	reads   []mergedProbe
}

// A mergedProbe is one probe with what orders it: the reads of one look stay
// together, as parsers expect, and looks follow each other in time.
type mergedProbe struct {
	Probe
	source, index int
	at            time.Duration // the middle of its look's first read, on the axis
}

// add takes one source over, moved onto the axis.
func (m *merger) add(i int, at placement, nodes []string) {
	s := m.sources[i]
	for _, v := range s.Bundle.Capture.Vantages {
		v.Name = m.names[i][v.Name]
		v = at.vantage(v)
		if v.From == "" {
			v.From = strings.TrimSpace(s.Name + " " + s.Sum)
		}
		m.capture.Vantages = append(m.capture.Vantages, v)
	}
	files := m.addRaw(i)
	began := make(map[int]time.Duration)
	for n, p := range s.Bundle.Probes {
		if i != m.typed {
			p.Step = 0
		}
		p.Start.Boot, p.End.Boot = at.start(p.Start.Boot), at.end(p.End.Boot)
		if p.Asked != (Stretch{}) {
			p.Asked = Stretch{at.start(p.Asked.From), at.end(p.Asked.To)}
		}
		middle := p.Start.Boot/2 + p.End.Boot/2
		if first, ok := began[p.Look]; ok && p.Look != 0 {
			middle = first
		} else {
			began[p.Look] = middle
		}
		if p.File != "" {
			p.File = cmp.Or(files[p.File], p.File)
		}
		p.Vantage = cmp.Or(m.names[i][p.Vantage], m.names[i][s.Bundle.Capture.Vantages[0].Name])
		p.Source = renameNode(p.Source, s.Bundle.Capture.Subject.Redis, nodes[i])
		m.reads = append(m.reads, mergedProbe{p, i, n, middle})
	}
}

// order sorts the reads and numbers the looks anew: a number names one look.
func (m *merger) order() {
	slices.SortFunc(m.reads, func(a, b mergedProbe) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.source, b.source), cmp.Compare(a.index, b.index))
	})
	type look struct{ source, number int }
	numbers := make(map[look]int)
	for i := range m.reads {
		r := &m.reads[i]
		if r.Look == 0 {
			continue
		}
		k := look{r.source, r.Look}
		if numbers[k] == 0 {
			numbers[k] = len(numbers) + 1
		}
		r.Look = numbers[k]
	}
}

func (m *merger) probes() []Probe {
	out := make([]Probe, len(m.reads))
	for i, r := range m.reads {
		out[i] = r.Probe
	}
	return out
}
