package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/report"
)

// A dial is a clock that a test sets.
type dial struct{ at time.Time }

func (d *dial) now() time.Time { return d.at }

// drawn is a progress whose drawing a test does itself.
func drawn(width int) (*progress, *dial, *bytes.Buffer) {
	var out bytes.Buffer
	d := &dial{time.Unix(1_700_000_000, 0)}
	return &progress{w: &out, now: d.now, began: d.at, width: func() int { return width }, o: report.Options{Unicode: true}, end: make(chan struct{})}, d, &out
}

func (p *progress) wants(t *testing.T, out *bytes.Buffer, want string) {
	t.Helper()
	if got := out.String(); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	out.Reset()
}

func TestProgressLine(t *testing.T) {
	p, d, out := drawn(30)
	p.draw()
	p.wants(t, out, "")
	p.say(func(now time.Time) []string {
		return []string{"at " + now.Sub(p.began).Truncate(time.Second).String(), "; a clause that does not fit at all"}
	})
	d.at = d.at.Add(patient - 1)
	p.draw()
	p.wants(t, out, "") // too soon
	d.at = d.at.Add(1)
	p.draw()
	p.wants(t, out, "\rat 0s\x1b[K")
	p.draw()
	p.wants(t, out, "") // nothing changed
	d.at = d.at.Add(time.Second)
	p.draw()
	p.wants(t, out, "\rat 1s\x1b[K")
	if err := p.aside(func() error { out.WriteString("card\n"); return nil }); err != nil {
		t.Fatal(err)
	}
	p.wants(t, out, "\r\x1b[Kcard\n")
	p.draw()
	p.wants(t, out, "\rat 1s\x1b[K")
	p.done()
	p.wants(t, out, "\r\x1b[K")
	d.at = d.at.Add(time.Minute)
	p.draw()
	p.done()
	p.wants(t, out, "")
}

// What never was drawn is not wiped.
func TestProgressOfShortWork(t *testing.T) {
	p, _, out := drawn(80)
	p.say(func(time.Time) []string { return []string{"x"} })
	p.draw()
	p.done()
	p.wants(t, out, "")
}

// Only a terminal is drawn on.
func TestProgressIsForTerminals(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if newProgress(w) != nil || newProgress(&bytes.Buffer{}) != nil {
		t.Error("a line on what is no terminal")
	}
	var none *progress
	none.say(nil)
	none.done()
	if err := none.aside(func() error { return os.ErrClosed }); err != os.ErrClosed {
		t.Errorf("aside: %v", err)
	}
}

func TestWatchingWords(t *testing.T) {
	held := stand{seen: true, here: true, endKnown: true, ends: 21 * time.Second}
	renewed := held
	renewed.due, renewed.dueKnown = 3*time.Second, true
	taken, silent := held, renewed
	taken.over, silent.silent = true, 2*time.Second
	for _, tt := range []struct {
		name   string
		at     stand
		since  time.Duration
		follow bool
		want   string
	}{
		{"renewed", renewed, 0, false, "watching lk: lease ends in 21 s, renewal due in 3 s; at most 18 s"},
		{"it counts down", renewed, 1500 * time.Millisecond, false, "watching lk: lease ends in 20 s, renewal due in 2 s; at most 17 s"},
		{"overdue", renewed, 5200 * time.Millisecond, false, "watching lk: lease ends in 16 s, renewal was due 2 s ago; at most 13 s"},
		{"just overdue", renewed, 3200 * time.Millisecond, false, "watching lk: lease ends in 18 s, renewal was due just now; at most 15 s"},
		{"no interval known", held, 0, false, "watching lk: lease ends in 21 s; at most 18 s"},
		{"its time is up", renewed, 24 * time.Second, false, "watching lk: lease ended 3 s ago; closing look"},
		{"endless", stand{seen: true, here: true, endless: true}, 0, false, "watching lk: it has no end; at most 18 s"},
		{"end not read", stand{seen: true, here: true}, 0, false, "watching lk: it is held; at most 18 s"},
		{"not answered", stand{}, 0, false, "watching lk: the coordinator has not told of it yet; at most 18 s"},
		{"silent since", silent, time.Second, false, "watching lk: lease ends in 20 s, no answer for 3 s; at most 17 s"},
		{"held by the first", held, 0, true, "awaiting the next holder of lk: lease ends in 21 s; at most 18 s"},
		{"free", stand{seen: true, over: true}, 0, true, "awaiting the next holder of lk: it is free; at most 18 s"},
		{"taken", taken, 0, true, "awaiting the next holder of lk: another holder has it, lease ends in 21 s; at most 18 s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &watching{key: "lk", follow: tt.follow, freeze: true, most: 20 * time.Second}
			if got := strings.Join(w.words(tt.at, 2*time.Second, tt.since), ""); got != tt.want+" (Ctrl-C freezes what there is)" {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A key is hostile: what is drawn holds no control character but the line's own, and
// there is room for what is waited for.
func TestWatchingHostileKey(t *testing.T) {
	for _, key := range []string{"a\x1b]0;x\x07\r\n\u202eb", strings.Repeat("鎖", 500), strings.Repeat("\x1b", 500), "\xff\xfe"} {
		p, d, out := drawn(100)
		w := &watching{key: shownKey(key), most: time.Minute, progress: p}
		at := stand{seen: true, here: true, endKnown: true, ends: time.Minute}
		p.say(func(now time.Time) []string { return w.words(at, 0, 0) })
		d.at = d.at.Add(time.Second)
		p.draw()
		line := strings.TrimSuffix(strings.TrimPrefix(out.String(), "\r"), "\x1b[K")
		if evidence.Printable(line) != line || line == "" {
			t.Errorf("drawn raw: %q", line)
		}
		if len([]rune(key)) < 100 && !strings.Contains(line, "ends in 60 s") {
			t.Errorf("no room left: %q", line)
		}
	}
}

// standing reads off what two looks a second apart show.
func TestStanding(t *testing.T) {
	start := time.Unix(1_700_000_000, 0).UTC()
	look := func(after time.Duration, end time.Time, value string) evidence.Look {
		l := evidence.Look{}
		l.Span.Start.Boot, l.Span.End.Boot = after, after
		l.Before, l.After = evidence.Saw("", start.Add(after)), evidence.Saw("", start.Add(after))
		if !end.IsZero() {
			l.End, l.Value = evidence.Saw("", end.UnixMilli()), evidence.Saw("", value)
		}
		return l
	}
	ends := start.Add(30 * time.Second)
	snap := evidence.Snapshot{
		Contract: evidence.Contract{Lease: 40 * time.Second, RenewEvery: 20 * time.Second},
		Looks:    []evidence.Look{look(0, ends, "h:1:x"), look(time.Second, ends, "h:1:x")},
	}
	got := standing(snap)
	if got.ends != 29*time.Second || got.due.Round(time.Second) != 9*time.Second || !got.dueKnown || got.silent != 0 {
		t.Errorf("held: %+v", got)
	}
	snap.Looks = append(snap.Looks, look(4*time.Second, time.Time{}, "")) // nobody answered
	if got = standing(snap); got.silent != 3*time.Second || got.ends != 26*time.Second {
		t.Errorf("silent: %+v", got)
	}
	snap.Looks[2] = look(4*time.Second, start.Add(time.Minute), "other:2:y")
	if got = standing(snap); !got.over || got.dueKnown || got.ends != 56*time.Second {
		t.Errorf("taken over: %+v", got)
	}
	if got = standing(evidence.Snapshot{}); got.seen {
		t.Errorf("nothing: %+v", got)
	}
}

func TestIntakeWords(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := newIntake(ctx)
	in.total = 120e6
	name := "app\x1b.log"
	in.reading.Store(&name)
	in.read.Store(48e6)
	for _, tt := range []struct {
		before func()
		want   string
	}{
		{func() {}, `import app\x1b.log: 48 of 120 MB, about 3 s left (Ctrl-C stops)`},
		{func() { in.read.Store(121e6) }, `import app\x1b.log: 121 MB (Ctrl-C stops)`},
		{func() { in.sizes = false; in.read.Store(1.5e6) }, `import app\x1b.log: 1.5 MB (Ctrl-C stops)`},
		{cancel, `import app\x1b.log: interrupted, judging what was read`},
	} {
		tt.before()
		if got := strings.Join(in.words(2*time.Second), ""); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0 s", 1: "1 s", time.Second: "1 s", 1001 * time.Millisecond: "2 s", 99 * time.Second: "99 s",
		100 * time.Second: "2 min", 61 * time.Minute: "61 min", 3 * time.Hour: "3 h", 72 * time.Hour: "3 days",
	} {
		if got := seconds(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
