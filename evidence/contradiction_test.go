package evidence

import (
	"strings"
	"testing"
	"time"
)

// seenBy is a look of one vantage at a second of the axis: a key that ends then,
// none when ends is zero, and no answer when it is negative.
func seenBy(vantage string, at, ends int) Look {
	boot := func(ms int) Stamp {
		return Stamp{Boot: time.Duration(at)*time.Second + time.Duration(ms)*time.Millisecond}
	}
	l := Look{Vantage: vantage, Span: Span{Start: boot(0), End: boot(2)}}
	if ends < 0 {
		l.Before = Refused[time.Time]("time", Timeout, "no answer in 3 s")
		return l
	}
	l.Before, l.After = Saw("time", time.Unix(int64(1000+at), 0)), Saw("time", time.Unix(int64(1000+at), 1000))
	if ends == 0 {
		l.End = None[int64]("pexpiretime", "no such key")
		return l
	}
	l.End = Saw("pexpiretime", int64(1000+ends)*1000)
	return l
}

func TestContradictedLooks(t *testing.T) {
	for name, c := range map[string]struct {
		looks []Look
		want  string // part of the only contradiction; empty: none
	}{
		"one vantage sees it go and come": {[]Look{seenBy("owner", 1, 30), seenBy("owner", 2, 0), seenBy("owner", 3, 30)}, ""},
		"two see the same":                {[]Look{seenBy("owner", 1, 30), seenBy("bastion", 2, 30), seenBy("owner", 3, 30)}, ""},
		"it was renewed meanwhile":        {[]Look{seenBy("owner", 1, 30), seenBy("bastion", 2, 40), seenBy("owner", 3, 40)}, ""},
		"it went meanwhile":               {[]Look{seenBy("owner", 1, 30), seenBy("bastion", 2, 0), seenBy("owner", 3, 0)}, ""},
		"another misses it":               {[]Look{seenBy("owner", 1, 30), seenBy("bastion", 2, 0), seenBy("owner", 3, 30)}, "before and after bastion saw no such key"},
		"another sees another end":        {[]Look{seenBy("owner", 1, 30), seenBy("bastion", 2, 90), seenBy("owner", 3, 30)}, "before and after bastion saw a key that ends"},
		"a key of a short life is none":   {[]Look{seenBy("owner", 1, 0), seenBy("bastion", 2, 30), seenBy("owner", 3, 0)}, ""},
		"unordered looks prove nothing":   {[]Look{seenBy("owner", 1, 30), wide(seenBy("bastion", 2, 0)), seenBy("owner", 3, 30)}, ""},
	} {
		got := Contradict(Snapshot{Looks: c.looks}, nil)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %+v", name, got)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0].Text, c.want) || got[0].Touches != "lease"):
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// wide is a look whose place on the axis is not known well.
func wide(l Look) Look {
	l.Span.Start.Boot -= 10 * time.Second
	l.Span.End.Boot += 10 * time.Second
	return l
}

// A server never gets an old run_id back: who saw it twice saw another server.
func TestContradictedServer(t *testing.T) {
	info := func(vantage, id string, at int) Info {
		s := Stamp{Boot: time.Duration(at) * time.Second}
		return Info{Vantage: vantage, Span: Span{Start: s, End: s}, RunID: Saw("run_id", id)}
	}
	restart := Snapshot{Node: Node{Infos: []Info{info("owner", "aa", 1), info("bastion", "bb", 2), info("owner", "bb", 3)}}}
	if got := Contradict(restart, nil); len(got) != 0 {
		t.Errorf("a restart contradicts nothing: %+v", got)
	}
	two := Snapshot{Node: Node{Infos: []Info{info("owner", "aa", 1), info("bastion", "bb", 2), info("owner", "aa", 3)}}}
	if got := Contradict(two, nil); len(got) != 1 || got[0].Touches != "coordinator" {
		t.Errorf("%+v", got)
	}
}

func TestContradictedLives(t *testing.T) {
	look := func(vantage string, at int, start uint64) ProcLook {
		s := Stamp{Boot: time.Duration(at) * time.Second}
		l := ProcLook{Vantage: vantage, Span: Span{Start: s, End: s}, Stat: None[ProcStat]("/proc/7/stat", "no such process")}
		if start > 0 {
			l.Stat = Saw("/proc/7/stat", ProcStat{Start: start})
		}
		return l
	}
	of := func(looks ...ProcLook) Snapshot { return Snapshot{Processes: []Process{{Pid: 7, Looks: looks}}} }
	for name, c := range map[string]struct {
		s    Snapshot
		want int
	}{
		"died":            {of(look("owner", 1, 50), look("b", 2, 0), look("owner", 3, 0)), 0},
		"replaced":        {of(look("owner", 1, 50), look("b", 2, 0), look("owner", 3, 90)), 0},
		"rose again":      {of(look("owner", 1, 50), look("b", 2, 0), look("owner", 3, 50)), 1},
		"looked in a gap": {of(look("owner", 1, 0), look("b", 2, 50), look("owner", 3, 0)), 0},
	} {
		if got := Contradict(c.s, nil); len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestContradictKeepsWhatWasTold(t *testing.T) {
	got := Contradict(Snapshot{}, []string{"b.tar.gz gives another lease: 1m0s"})
	if len(got) != 1 || got[0].Touches != "" {
		t.Errorf("%+v", got)
	}
}

func TestSplitUnanswered(t *testing.T) {
	silent := -1
	for name, c := range map[string]struct {
		looks []Look
		cut   string // the seconds at which a look was cut off
	}{
		"nobody else looked":              {[]Look{seenBy("owner", 1, silent), seenBy("owner", 2, silent)}, ""},
		"another was answered then":       {[]Look{seenBy("owner", 1, silent), seenBy("bastion", 2, 30)}, "1"},
		"the server stopped for all":      {[]Look{seenBy("owner", 1, 30), seenBy("bastion", 2, 30), seenBy("owner", 3, silent), seenBy("bastion", 4, silent)}, ""},
		"still cut off when nobody looks": {[]Look{seenBy("owner", 1, silent), seenBy("bastion", 2, 30), seenBy("owner", 9, silent)}, "1 9"},
		"answered again, then silence":    {[]Look{seenBy("owner", 1, silent), seenBy("bastion", 2, 30), seenBy("owner", 3, 30), seenBy("owner", 9, silent)}, "1"},
		"only one vantage":                {[]Look{seenBy("", 1, silent), seenBy("", 2, 30)}, ""},
	} {
		answered, cut := SplitUnanswered(c.looks)
		var at []string
		for _, l := range cut {
			at = append(at, strings.TrimSuffix(l.Span.Start.Boot.String(), "s"))
		}
		if got := strings.Join(at, " "); got != c.cut || len(answered)+len(cut) != len(c.looks) {
			t.Errorf("%s: cut off at %q, want %q", name, got, c.cut)
		}
	}
}
