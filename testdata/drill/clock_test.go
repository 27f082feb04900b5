package drill

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// clockRows change the clock that runs the lease, Redis's, under a healthy holder.
var clockRows = []Row{
	{
		Slug:  "clock-forward",
		Story: "Redis's wall clock jumps 45 seconds ahead: the lease ends at once, though its holder did everything right.",
		Drill: func(s *Scene) {
			c, r, i := s.clockWatched()
			c.Step(45 * time.Second)
			s.Must("Redis's clock is ahead", func() bool { return s.Offset(r) > 44*time.Second })
			s.Must("the lock is gone", func() bool { return s.Left(r) < 0 })
			i.Wait()
		},
		Want: Want{Label: evidence.ClockAnomaly, Clock: "off"},
	},
	{
		Slug:  "clock-back",
		Story: "Redis's wall clock jumps back 30 seconds: the lease is that much longer than anybody agreed to.",
		Drill: func(s *Scene) {
			c, r, i := s.clockWatched()
			c.Step(-30 * time.Second)
			s.Must("Redis's clock is behind", func() bool { return s.Offset(r) < -29*time.Second })
			i.Wait()
		},
		Want: Want{Label: evidence.ClockAnomaly, Clock: "off"},
	},
	{
		Slug:  "clock-frozen",
		Story: "Redis's wall clock stands still: no lease ends any more.",
		Drill: func(s *Scene) {
			c, r, i := s.clockWatched()
			c.Freeze()
			first := s.Offset(r)
			s.Must("Redis's clock falls behind", func() bool { return s.Offset(r) < first-300*time.Millisecond })
			i.Wait()
		},
		Want: Want{Label: evidence.ClockAnomaly, Clock: "off"},
	},
}

// clockWatched is a healthy holder on a Redis with a clock of its own, and an
// inspection that has begun right after a renewal.
func (s *Scene) clockWatched() (*Clock, *Redis, *Inspection) {
	s.T.Helper()
	s.Contract = []string{"--lease", "6s", "--renew-every", "2s"}
	c := s.Clock()
	r := s.Redis(RedisConfig{Clock: c})
	w := s.Holder(r, Role{Lease: 6 * time.Second, RenewEvery: 2 * time.Second})
	return c, r, s.Watch(r, pidFlag(w))
}

func TestClockCarriesTheLease(t *testing.T) {
	s := bench(t)
	c := s.Clock()
	r := s.Redis(RedisConfig{Clock: c})
	s.check(r.Admin.Set(s.Ctx, s.Key, "x", 20*time.Second).Err(), "set")
	end := r.Admin.PExpireTime(s.Ctx, s.Key).Val()
	c.Step(-30 * time.Second)
	s.Must("the time left grows by the step", func() bool { return s.Left(r) > 45*time.Second })
	if got := r.Admin.PExpireTime(s.Ctx, s.Key).Val(); got != end {
		t.Errorf("PEXPIRETIME moved from %v to %v by a step of the clock", end, got)
	}
	c.Freeze()
	a, b := r.Admin.Time(s.Ctx).Val(), r.Admin.Time(s.Ctx).Val()
	if !a.Equal(b) {
		t.Errorf("a frozen clock went from %v to %v", a, b)
	}
}

// bench is a scene without a row, to try one device of the lab.
func bench(t *testing.T) *Scene {
	return &Scene{T: t, Ctx: t.Context(), Lab: &Lab{Tally: &Tally{}}, Index: 200, Dir: t.TempDir(), Key: "lock:bench"}
}
