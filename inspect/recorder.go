package inspect

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/lockscene/lockscene/evidence"
)

// A recorder keeps every read. Reads of one source share a file: the bytes of
// each follow those of the one before, and the probe says where they lie.
type recorder struct {
	mu      sync.Mutex
	vantage string
	probes  []evidence.Probe
	raw     map[string][]byte
}

func newRecorder(vantage string) *recorder {
	return &recorder{vantage: vantage, raw: map[string][]byte{}}
}

// add records one read and returns it as recorded. file names its place below
// raw/<vantage>/; when it is empty the probe's source does.
func (r *recorder) add(p evidence.Probe, file string, b []byte) evidence.Probe {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.Vantage = r.vantage
	if file == "" {
		file = p.Source
	}
	if len(b) > 0 {
		p.File = r.vantage + "/" + evidence.MemberName(strings.TrimPrefix(file, "/"))
		p.Offset, p.Bytes = int64(len(r.raw[p.File])), int64(len(b))
		r.raw[p.File] = append(r.raw[p.File], b...)
	}
	r.probes = append(r.probes, p)
	return p
}

// recording is a copy of what has been recorded so far, in the order of time.
func (r *recorder) recording(c evidence.Capture) Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	probes := slices.Clone(r.probes)
	slices.SortStableFunc(probes, func(a, b evidence.Probe) int { return int(a.Start.Boot - b.Start.Boot) })
	return Recording{Capture: c, Probes: probes, Raw: maps.Clone(r.raw)} // files only grow: what lies below their length stays
}
