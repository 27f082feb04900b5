package evidence

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// A desk is a made-up machine to look from, with the truth about its clocks.
type desk struct {
	name, host, boot string
	redis, runID     string
	ahead            time.Duration // the coordinator's clock less this steady one
	wall             time.Duration // this wall clock less the coordinator's
	kept             time.Duration // what chronyd vouches for; zero: nothing
	pid              int           // a process that it looked at; zero: none
	deaf             bool          // Redis does not answer it
	at               []int         // seconds of the coordinator's time at which it looked
	slow             time.Duration // how long a look takes
}

const (
	epoch = 1796000000 // seconds; the coordinator's clock when a desk begins to look
	mine  = "quince-3"

	aWeekUp  = (epoch - 7*24*3600) * time.Second // ahead of a machine's steady clock
	aMonthUp = (epoch - 30*24*3600) * time.Second
)

// source is the bundle of somebody who looked from a desk.
func (d desk) source() Source {
	stamp := func(at time.Duration) Stamp {
		now := time.Duration(epoch)*time.Second + at
		return Stamp{Wall: time.Unix(0, int64(now+d.wall)).UTC(), Boot: now - d.ahead}
	}
	v := Vantage{Name: d.name, Host: d.host, BootID: d.boot, Start: stamp(0), End: stamp(20 * time.Second), Remote: d.redis}
	b := Bundle{Raw: map[string][]byte{d.name + "/redis/samples": []byte(d.host)}}
	for i, at := range d.at {
		p := Probe{Name: "redis/sample", Source: "redis/" + d.redis, Look: i + 1, Vantage: d.name, Status: OK,
			Start: stamp(time.Duration(at) * time.Second), End: stamp(time.Duration(at)*time.Second + d.slow), File: d.name + "/redis/samples", Bytes: 1}
		l := Look{Span: Span{Start: p.Start, End: p.End}}
		if now := time.Unix(int64(epoch+at), int64(d.slow/2)).UTC(); d.deaf {
			p.Status, p.File, p.Bytes = Timeout, "", 0
		} else {
			l.Before, l.After = Saw("time", now), Saw("time", now)
		}
		b.Probes, b.Snapshot.Looks = append(b.Probes, p), append(b.Snapshot.Looks, l)
	}
	if d.runID != "" {
		b.Snapshot.Node.Infos = []Info{{RunID: Saw("info", d.runID)}}
	}
	if d.pid != 0 {
		v.Candidates = []Candidate{{Pid: d.pid, Way: "flag"}}
		b.Snapshot.Processes = []Process{{Pid: d.pid, Looks: []ProcLook{{Stat: Saw("stat", ProcStat{State: "S"})}}}}
	}
	if d.kept > 0 {
		b.Snapshot.Host.Chrony = Saw("chrony", Tracking{Stratum: 2, RefID: "0A000001", RootDisp: d.kept})
	}
	b.Capture = Capture{Schema: CaptureSchema, Subject: Subject{Key: "lk", Redis: d.redis, Pid: d.pid}, Vantages: []Vantage{v}}
	return Source{Name: d.host + ".tar.gz", Sum: d.host + d.name, Bundle: b}
}

func ownerDesk() desk {
	return desk{name: "owner", host: mine, boot: "boot-a", redis: "10.0.0.5:6379", pid: 41207, at: []int{1, 3}, slow: 4 * time.Millisecond, ahead: aWeekUp}
}

func bastionDesk() desk {
	return desk{name: "owner", host: "bastion", boot: "boot-b", redis: "10.0.0.5:6379", at: []int{2, 4}, slow: 2 * time.Millisecond, ahead: aMonthUp}
}

func merge(t *testing.T, skew time.Duration, desks ...desk) Bundle {
	t.Helper()
	var sources []Source
	for _, d := range desks {
		sources = append(sources, d.source())
	}
	b, err := Merge(sources, skew)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func vantage(t *testing.T, b Bundle, host string) Vantage {
	t.Helper()
	i := slices.IndexFunc(b.Capture.Vantages, func(v Vantage) bool { return v.Host == host })
	if i < 0 {
		t.Fatalf("no vantage on %s", host)
	}
	return b.Capture.Vantages[i]
}

// The owner's vantage comes first whoever is named first, everybody has a name of
// their own, and every file and probe is filed under it.
func TestMergeNames(t *testing.T) {
	b := merge(t, 0, bastionDesk(), ownerDesk(), desk{name: "replica", host: "r", boot: "boot-c", redis: "10.0.0.5:6379"},
		desk{name: "owner", host: "second", boot: "boot-d", redis: "10.0.0.5:6379"})
	var names []string
	for _, v := range b.Capture.Vantages {
		names = append(names, v.Name+"@"+v.Host)
	}
	if want := []string{"owner@" + mine, "bastion@bastion", "bastion-2@second", "replica@r"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if string(b.Raw["bastion/redis/samples"]) != "bastion" || string(b.Raw["owner/redis/samples"]) != mine || len(b.Raw) != 4 {
		t.Errorf("raw files %v", b.Raw)
	}
	var order []string
	for i, p := range b.Probes {
		order = append(order, p.Vantage)
		if p.File != p.Vantage+"/redis/samples" || p.Look != i+1 {
			t.Errorf("probe %d: look %d, file %s of %s", i, p.Look, p.File, p.Vantage)
		}
	}
	if want := []string{"owner", "bastion", "owner", "bastion"}; !slices.Equal(order, want) {
		t.Errorf("probes in the order %v, want %v: they were read one second apart", order, want)
	}
	if from := vantage(t, b, mine).From; from != mine+".tar.gz "+mine+"owner" {
		t.Errorf("it came from %q", from)
	}
}

// Wherever a clock is tied to the axis, the truth lies within what is claimed.
func TestMergePlaces(t *testing.T) {
	for name, c := range map[string]struct {
		change func(owner, other *desk)
		skew   time.Duration
		by     Placing
		least  time.Duration // of the width
		most   time.Duration
	}{
		"one boot":                          {func(_, o *desk) { o.boot, o.ahead = "boot-a", aWeekUp }, 0, SameBoot, 0, 0},
		"both read TIME":                    {func(_, o *desk) {}, 0, ByCoordinator, 3 * time.Millisecond, 14 * time.Millisecond},
		"a boot id that two machines share": {func(_, o *desk) { o.boot = "boot-a" }, 0, ByCoordinator, 3 * time.Millisecond, 14 * time.Millisecond},
		"one is cut off, clocks are kept": {func(a, o *desk) {
			a.deaf, a.kept, o.kept, a.wall, o.wall = true, 5*time.Millisecond, 2*time.Millisecond, 4*time.Millisecond, -time.Millisecond
		}, 0, ByWall, 7 * time.Millisecond, 7 * time.Millisecond},
		"one clock is not kept":                  {func(a, o *desk) { a.deaf, a.kept = true, time.Millisecond }, 0, Unplaced, 24 * time.Hour, 24 * time.Hour},
		"a promise":                              {func(a, o *desk) { a.deaf, o.wall = true, 30*time.Millisecond }, 50 * time.Millisecond, ByPromise, 50 * time.Millisecond, 50 * time.Millisecond},
		"what is measured goes before a promise": {func(_, o *desk) { o.wall = time.Hour }, time.Millisecond, ByCoordinator, 3 * time.Millisecond, 14 * time.Millisecond},
		"two servers have two clocks":            {func(_, o *desk) { o.redis = "10.0.0.6:6379" }, 0, Unplaced, 24 * time.Hour, 24 * time.Hour},
		"two loopbacks are two servers":          {func(a, o *desk) { a.redis, o.redis = "127.0.0.1:6379", "127.0.0.1:6379" }, 0, Unplaced, 24 * time.Hour, 24 * time.Hour},
		"one server by two names":                {func(a, o *desk) { a.runID, o.runID, o.redis = "abc", "abc", "vip:6379" }, 0, ByCoordinator, 3 * time.Millisecond, 14 * time.Millisecond},
	} {
		a, o := ownerDesk(), bastionDesk()
		c.change(&a, &o)
		v := vantage(t, merge(t, c.skew, a, o), "bastion")
		if v.Placed != c.by || v.Width < c.least || v.Width > c.most+time.Microsecond {
			t.Errorf("%s: %s ±%s, want %s ±%s to %s", name, v.Placed, v.Width, c.by, c.least, c.most)
		}
		truth := o.ahead - a.ahead
		if off := (v.Shift - truth).Abs(); off > v.Width {
			t.Errorf("%s: shifted %s from the truth, and claims ±%s", name, off, v.Width)
		}
	}
}

// A clock that stepped cannot tie two others together: which of its readings
// came when is the question.
func TestMergeByNoSteppingClock(t *testing.T) {
	a, o := ownerDesk().source(), bastionDesk().source()
	l := &o.Bundle.Snapshot.Looks[1]
	l.Before.Value, l.After.Value = l.Before.Value.Add(-10*time.Second), l.After.Value.Add(-10*time.Second)
	b, err := Merge([]Source{a, o}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if v := vantage(t, b, "bastion"); v.Placed != Unplaced {
		t.Errorf("placed by %s", v.Placed)
	}
}

// A host that met nobody the owner met is placed through one that met both.
func TestMergeChains(t *testing.T) {
	a, middle, far := ownerDesk(), bastionDesk(), bastionDesk()
	a.deaf, a.kept, middle.kept = true, 3*time.Millisecond, 2*time.Millisecond
	far.host, far.boot, far.ahead = "replica", "boot-c", aMonthUp+time.Hour
	v := vantage(t, merge(t, 0, a, far, middle), "replica")
	truth := far.ahead - a.ahead
	if v.Placed != ByWall || (v.Shift-truth).Abs() > v.Width || v.Width > 30*time.Millisecond {
		t.Errorf("placed by %s, ±%s, %s from the truth", v.Placed, v.Width, v.Shift-truth)
	}
}

// An axis that was reckoned from pasted TIMEs is the coordinator's clock itself.
func TestMergeOntoText(t *testing.T) {
	a, o := ownerDesk().source(), bastionDesk()
	a.Bundle.Capture.Vantages[0].BootID = ""
	a.Bundle.Capture.Vantages[0].Reckoned = &Reckoning{Coordinator: time.Unix(epoch, 0)}
	b, err := Merge([]Source{a, o.source()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	truth := o.ahead - epoch*time.Second // Boot zero of the text is the epoch
	v := vantage(t, b, "bastion")
	if v.Placed != ByCoordinator || (v.Shift-truth).Abs() > v.Width || v.Width > 13*time.Millisecond {
		t.Errorf("placed by %s, ±%s, %s from the truth", v.Placed, v.Width, v.Shift-truth)
	}
	if r := b.Capture.Vantages[0].Reckoned; r == nil || !r.Coordinator.Equal(time.Unix(epoch, 0)) {
		t.Errorf("the axis itself was moved: %+v", r)
	}
}

// What was shifted can be shifted back: only the width is lost, and it is written
// down.
func TestMergeKeepsOriginalStamps(t *testing.T) {
	o := bastionDesk()
	b := merge(t, 0, ownerDesk(), o)
	v := vantage(t, b, "bastion")
	i := slices.IndexFunc(b.Probes, func(p Probe) bool { return p.Vantage == "bastion" })
	p, was := b.Probes[i], o.source().Bundle.Probes[0]
	if got := p.Start.Boot + v.Width - v.Shift; got != was.Start.Boot {
		t.Errorf("start %s, was %s", got, was.Start.Boot)
	}
	if got := p.End.Boot - v.Width - v.Shift; got != was.End.Boot {
		t.Errorf("end %s, was %s", got, was.End.Boot)
	}
	if p.Start.Wall != was.Start.Wall {
		t.Error("the wall clock of another host was moved")
	}
}

// Steps order what one terminal shows. Those of two terminals say nothing of each
// other, so that only one terminal's stay.
func TestMergeOfTwoTerminals(t *testing.T) {
	a, o := ownerDesk().source(), bastionDesk().source()
	for i := range a.Bundle.Probes {
		a.Bundle.Probes[i].Step, o.Bundle.Probes[i].Step = i+1, i+7
	}
	b, err := Merge([]Source{a, o}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range b.Probes {
		if (p.Step > 0) != (p.Vantage == "owner") {
			t.Errorf("%s has step %d", p.Vantage, p.Step)
		}
	}
}

func TestMergeSubject(t *testing.T) {
	a, o := ownerDesk(), bastionDesk()
	a.deaf, a.redis, o.pid = true, "vip:6379", 0
	one, two := a.source(), o.source()
	one.Bundle.Capture.Vantages[0].Remote, two.Bundle.Capture.Vantages[0].Remote = "10.0.0.5:6379", "10.0.0.5:6379"
	one.Bundle.Capture.Contract, two.Bundle.Capture.Contract = Contract{Lease: 30 * time.Second}, Contract{Lease: time.Minute, RenewEvery: 10 * time.Second}
	one.Bundle.Capture.Note, two.Bundle.Capture.Note = "from the host", "from the bastion"
	b, err := Merge([]Source{two, one}, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := b.Capture
	if c.Subject.Redis != "10.0.0.5:6379" || c.Subject.Pid != 41207 {
		t.Errorf("subject %+v: the address that answered, and the owner's pid", c.Subject)
	}
	if c.Contract.Lease != 30*time.Second || c.Contract.RenewEvery != 10*time.Second {
		t.Errorf("contract %+v", c.Contract)
	}
	if len(c.Clashes) != 1 || !strings.Contains(c.Clashes[0], "another lease: 1m0s") {
		t.Errorf("clashes %q", c.Clashes)
	}
	if c.Note != "from the host; from the bastion" {
		t.Errorf("note %q", c.Note)
	}
	for _, p := range b.Probes {
		if p.Source != "redis/10.0.0.5:6379" {
			t.Errorf("%s asked %s: one server, one address", p.Vantage, p.Source)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	a, o := ownerDesk().source(), bastionDesk().source()
	other, db, nowhere := o, o, o
	other.Bundle.Capture.Subject.Key = "another"
	db.Bundle.Capture.Subject.DB = 3
	nowhere.Bundle.Capture.Vantages = nil
	for name, sources := range map[string][]Source{
		"two keys": {a, other}, "two databases": {a, db}, "no vantage": {a, nowhere}, "the same file twice": {a, a},
	} {
		if _, err := Merge(sources, 0); !errors.Is(err, ErrNotOneLock) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Merge([]Source{a}, 0); err == nil {
		t.Error("one bundle was merged")
	}
	if _, err := Merge(slices.Repeat([]Source{a}, maxSources+1), 0); err == nil {
		t.Error("too many were merged")
	}
}
