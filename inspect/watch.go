package inspect

import (
	"context"
	"errors"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

var errBudget = errors.New("the capture's budget ran out (--budget)")

const (
	grace      = time.Second            // for the closing looks after an interrupt
	minPeriod  = 50 * time.Millisecond  // between samples; below it the tool would be load
	maxPeriod  = time.Second            // above it a renewal could hide between two looks
	minProcess = 200 * time.Millisecond // between looks at processes: they cost more than a sample
)

// watch samples the lock and looks at its processes until enough is known or
// the time is up. It answers early whenever it can: a responder waits for it.
func (s *session) watch(ctx context.Context) {
	begin := s.vantage().Start
	period := s.period()
	lastProcess := begin
	timer := time.NewTimer(period)
	defer timer.Stop()
	for {
		snap := s.snapshot()
		if s.target.Enough(snap) || since(begin) >= s.target.Watch {
			return
		}
		if s.target.Tick != nil {
			s.target.Tick(Progress{Looks: s.look, Elapsed: since(begin), Most: s.target.Watch})
		}
		timer.Reset(min(period, max(s.target.Watch-since(begin), time.Millisecond)))
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		s.look++
		s.readLock(ctx)
		s.readHeartKey(ctx)
		s.readHeartFile()
		if since(lastProcess) >= minProcess {
			s.readAllProcesses(ctx)
			lastProcess = s.lastProbe().End
		}
		s.listWhenGone(ctx)
	}
}

// period is how often the lock is sampled: a twentieth of its lease.
func (s *session) period() time.Duration {
	lease := s.target.Contract.Lease
	if lease == 0 {
		for _, l := range s.outline().Looks {
			lease = time.Duration(l.PTTL.Or(0)) * time.Millisecond
		}
	}
	return min(max(lease/20, minPeriod), maxPeriod)
}

// listWhenGone asks for the second CLIENT LIST at the moment it tells most. A
// lock that vanished before its end was released by its holder or removed by
// somebody else, and the idle time of the holder's connection tells which: but
// only while its last renewal and the vanishing lie more than the list's own
// grain of one second apart. Otherwise the list waits until the next renewal
// would have been due, which a holder that released would not send.
func (s *session) listWhenGone(ctx context.Context) {
	if s.lists != 1 {
		return
	}
	snap := s.outline()
	at, ok := vanished(snap)
	if !ok {
		return
	}
	every := snap.RenewEvery()
	renewed := snap.LastRenewal()
	const grain = 1200 * time.Millisecond
	apart := !renewed.Known() || at.From.Sub(renewed.To) >= grain
	now := snap.Looks[len(snap.Looks)-1].Now()
	waited := every == 0 || renewed.Known() && now.To.Sub(renewed.To) > every+every/5
	if !apart && !waited {
		return
	}
	info := evidence.Info{}
	if n := len(snap.Node.Infos); n > 0 {
		info = snap.Node.Infos[n-1]
	}
	if list, ok := s.readList(ctx, info); ok {
		s.keepList(list)
	}
}

// vanished is when a lock that had been seen was first seen gone or with
// another holder, before its end.
func vanished(snap evidence.Snapshot) (evidence.Interval, bool) {
	sights := snap.Sights()
	for i := 1; i < len(sights); i++ {
		a, b := sights[i-1], sights[i]
		if a.Here && (!b.Here || b.Holder != a.Holder) && (a.Endless || b.Now.To.Before(a.Ends.From)) {
			return evidence.Interval{From: a.Now.From, To: b.Now.To, Clock: evidence.Coordinator}, true
		}
	}
	return evidence.Interval{}, false
}
