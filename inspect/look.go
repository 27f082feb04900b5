package inspect

import (
	"context"
	"sync"

	"github.com/lockscene/lockscene/evidence"
)

// Look captures: a first look at everything, a watch for as long as the answers
// need it, a last look at what changes. It never fails; what could not be read
// is recorded as such. When ctx is cancelled it freezes what there is.
func Look(ctx context.Context, t Target) (Recording, evidence.Snapshot) {
	s := newSession(t)
	defer s.closeAll()
	ctx, cancel := context.WithTimeoutCause(ctx, t.Budget, errBudget)
	defer cancel()
	s.identify()
	s.reach(ctx)
	s.find(ctx)
	if t.Only != "" {
		s.look = 1
		s.one(ctx, t.Only)
		rec := s.recording()
		snap, _ := Parse(rec.Capture, rec.Probes, rec.Raw)
		return rec, snap
	}
	s.firstLook(ctx)
	if t.First != nil {
		t.First(s.snapshot())
	}
	if t.Watch > 0 {
		s.watch(ctx)
		s.lastLook(ctx)
	}
	if ctx.Err() != nil {
		s.capture.Cut = context.Cause(ctx).Error()
	}
	rec := s.recording()
	snap, _ := Parse(rec.Capture, rec.Probes, rec.Raw)
	return rec, snap
}

// firstLook reads everything once. The lock and the named process come first,
// side by side; then the host's slow sources beside the server's. Who else may
// own the lock is known only when the lock's value and the connections are.
func (s *session) firstLook(ctx context.Context) {
	s.look = 1
	var flags, host sync.WaitGroup
	flags.Go(func() { s.discoverByFlags(ctx); s.readHeartFile() })
	look := s.follow(ctx, s.readLock(ctx, true))
	// The slow sources wait for the volatile ones: they would take the CPU away
	// from them, and what they say does not change meanwhile.
	host.Go(func() { s.readClocks(ctx) })
	host.Go(func() { s.readKernel(ctx) })
	host.Go(func() { s.readPressure(ctx) })
	answered, stands := s.lastSampleAnswered(), false
	if !answered {
		s.readOthers(ctx)
		if stands = s.standIn(); stands {
			look = s.readLock(ctx, true)
		}
	}
	if answered || stands {
		s.readHeartKey(ctx)
		s.readLore(ctx)
		info := s.readServer(ctx)
		s.firstList, _ = s.readList(ctx, info)
		if !stands {
			s.readOthers(ctx)
		}
		s.readSlow(ctx)
	} else {
		s.explainSilence()
	}
	flags.Wait() // from here on candidates are written by one goroutine
	s.discoverByValue(ctx, look.Holder())
	s.keepList(s.firstList)
	s.discoverBySocket(ctx)
	host.Wait()
	s.readVictims(ctx)
}

// one reads a single source.
func (s *session) one(ctx context.Context, name string) {
	switch name {
	case "lock":
		s.readLock(ctx, true)
	case "clients":
		look := s.readLock(ctx, true)
		s.discoverByFlags(ctx)
		s.discoverByValue(ctx, look.Holder())
		list, _ := s.readList(ctx, s.readServer(ctx))
		s.keepList(list)
		s.discoverBySocket(ctx)
	case "slowlog":
		s.readSlow(ctx)
	case "clock":
		s.readClocks(ctx)
		for range 3 {
			s.readTime(ctx)
		}
	case "owner":
		s.discoverByFlags(ctx)
		if s.target.Subject.Key != "" {
			s.discoverByValue(ctx, s.readLock(ctx, true).Holder())
		}
	case "kernel":
		s.readKernel(ctx)
	case "coordinator":
		s.readServer(ctx)
		s.readSlow(ctx)
	}
}

// lastSampleAnswered says whether Redis answers at all.
func (s *session) lastSampleAnswered() bool {
	for _, p := range s.recording().Probes {
		if p.Name == "redis/sample" && p.Bytes > 0 {
			return true
		}
	}
	return false
}

// explainSilence records the server reads that were not tried because the first
// one failed: their rows must not simply be missing.
func (s *session) explainSilence() {
	first := s.sampleProbe()
	for _, name := range []string{"redis/info", "redis/clients", "redis/slowlog"} {
		p := first
		p.Name, p.Commands, p.Why = name, nil, first.Why+" (first asked by redis/sample)"
		s.reader.add(p, "", nil)
	}
}

func (s *session) sampleProbe() evidence.Probe {
	for _, p := range s.recording().Probes {
		if p.Name == "redis/sample" {
			return p
		}
	}
	return evidence.Probe{}
}

// lastLook repeats what shows a change: the processes, the server, its
// connections, and the kernel's log if somebody died meanwhile.
func (s *session) lastLook(ctx context.Context) {
	if s.capture.Cut == "" && ctx.Err() != nil {
		// Interrupted: one second more for the closing looks, no longer.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
	}
	s.look++
	s.again(ctx)
	s.readOthers(ctx)
	s.readAllProcesses(ctx)
	s.readPressure(ctx)
	if s.lastSampleAnswered() {
		info := s.readServer(ctx)
		if list, ok := s.readList(ctx, info); ok {
			s.keepList(list)
		}
	}
	s.discoverBySocket(ctx)
	if s.somebodyDied() {
		s.readKernel(ctx)
		s.readVictims(ctx)
	}
}
