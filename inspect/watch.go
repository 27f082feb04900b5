package inspect

import (
	"context"
	"errors"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
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
			s.target.Tick(Progress{Seen: snap, Elapsed: since(begin)})
		}
		timer.Reset(min(period, max(s.target.Watch-since(begin), time.Millisecond)))
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		s.look++
		s.moved(ctx, s.readLock(ctx, false))
		s.readHeartKey(ctx)
		s.readHeartFile()
		if since(lastProcess) >= minProcess {
			s.readAllProcesses(ctx)
			lastProcess = clock.Now()
		}
		s.afterVanishing(ctx)
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

// afterVanishing follows up when a lock went before its end: released by its
// holder, removed by somebody else, or lost by the server. INFO tells at once
// whether the server restarted or evicted keys. The second CLIENT LIST tells the
// rest by the idle time of the holder's connection, and is asked for at the
// moment it tells most.
func (s *session) afterVanishing(ctx context.Context) {
	snap := s.outline()
	at, ok := vanished(snap)
	if !ok || s.lists != 1 {
		return
	}
	if !s.asked {
		s.asked = true
		s.readServer(ctx)
		snap = s.outline()
	}
	now := snap.Looks[len(snap.Looks)-1].Now()
	if !now.Known() || !listTells(snap, at, now) {
		return
	}
	s.awaitSecond(ctx, now)
	if list, ok := s.readList(ctx, snap.Node.Infos[len(snap.Node.Infos)-1]); ok {
		s.keepList(list)
	}
}

// awaitSecond waits until the server's present second is old enough that all its
// counters have seen it begin: it refreshes the clock they use ten times a
// second, and a list taken right at the turn would be uncertain by a second.
func (s *session) awaitSecond(ctx context.Context, now evidence.Interval) {
	const settled = 250 * time.Millisecond
	wait := settled - now.To.Sub(now.To.Truncate(time.Second))
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// listTells says whether a CLIENT LIST taken now can tell who removed the key.
// Its idle times are whole seconds. Right after the vanishing it shows the
// release itself, unless a renewal lies less than a second before; when keys
// were evicted meanwhile a release is not what one looks for, and the list waits
// until the holder has tried to renew what is gone: just after the next renewal
// was due, and two seconds after the vanishing at least.
func listTells(snap evidence.Snapshot, at, now evidence.Interval) bool {
	const grain = 1200 * time.Millisecond
	renewed, every := snap.LastRenewal(), snap.RenewEvery()
	if !renewed.Known() {
		return true
	}
	if !keysEvicted(snap) && at.From.Sub(renewed.To) >= grain {
		return true
	}
	if every == 0 {
		return now.From.Sub(at.To) > 2*grain
	}
	phase := now.To.Sub(renewed.To) % every
	return now.From.Sub(at.To) > 2*grain && phase < max(every/3, 300*time.Millisecond)
}

func keysEvicted(snap evidence.Snapshot) bool {
	infos := snap.Node.Infos
	if len(infos) < 2 {
		return false
	}
	return infos[len(infos)-1].Evicted.Value > infos[0].Evicted.Value
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
