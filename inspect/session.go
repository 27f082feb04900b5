package inspect

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/redis"
)

// A session is one capture under way.
type session struct {
	target  Target
	mu      sync.Mutex // guards capture: candidates are found side by side
	capture evidence.Capture
	client  *redis.Client
	reader  reader
	mounts  []host.Mount

	others  []*other // nodes beside the first that are asked about the key
	lastRaw []byte   // what the last sample brought

	look       int             // number of the look being taken
	lists      int             // CLIENT LISTs asked for so far: two at most
	kind       string          // the key's type, as the last full sample gave it
	before     evidence.Look   // the last sample
	absolute   bool            // PEXPIRETIME is answered
	changed    bool            // its value was not that of the sample before
	asked      bool            // INFO was read once more because the key vanished
	firstList  redis.Exchange  // held back until it is known whose lines to keep
	seenGroups map[string]bool // memory groups already read on the kernel's word
	tables     map[int][]byte  // the last socket table read of each process's network namespace
	scanned    map[uint64]bool // socket inodes whose process has been looked for
}

func newSession(t Target) *session {
	s := &session{
		target: t, seenGroups: map[string]bool{}, scanned: map[uint64]bool{}, tables: map[int][]byte{},
		client: redis.Dial(t.Redis, t.Timeout, clock.Now),
		reader: reader{recorder: newRecorder(t.Vantage), root: t.Root},
	}
	s.capture = evidence.Capture{
		Schema: evidence.CaptureSchema, Tool: t.Tool, Subject: t.Subject, Contract: t.Contract,
		Ticket: t.Ticket, Note: t.Note,
		Vantages: []evidence.Vantage{{Name: t.Vantage, Start: clock.Now()}},
	}
	return s
}

// vantage is where this capture looks from. Its candidates are read through
// candidates, which takes the lock.
func (s *session) vantage() *evidence.Vantage { return &s.capture.Vantages[0] }

// candidates are the processes found so far.
func (s *session) candidates() []evidence.Candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.capture.Vantages[0].Candidates)
}

// each bounds one group of host reads.
func (s *session) each(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.target.Timeout)
}

// snapshot parses what has been recorded so far.
func (s *session) snapshot() evidence.Snapshot {
	rec := s.recording()
	return foreground(rec.Capture, rec.Probes, rec.Raw)
}

// outline is a snapshot without the kernel's log, whose parsing costs more than
// all else and which tells nothing about where to look next.
func (s *session) outline() evidence.Snapshot {
	rec := s.recording()
	probes := slices.DeleteFunc(rec.Probes, func(p evidence.Probe) bool { return strings.HasPrefix(p.Name, "kernel/") })
	return foreground(rec.Capture, probes, rec.Raw)
}

func (s *session) recording() Recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.vantage()
	v.End, v.Remote = clock.Now(), s.remote()
	c := s.capture
	c.Vantages = slices.Clone(c.Vantages)
	c.Vantages[0].Candidates = slices.Clone(v.Candidates)
	return s.reader.recording(c)
}

// since is how long ago a stamp was, on the steady clock.
func since(t evidence.Stamp) time.Duration { return clock.Now().Boot - t.Boot }
