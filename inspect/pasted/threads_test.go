package pasted_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// The clocks of threads that were listed without their numbers are the same
// threads' as long as the lists are as long; another list's numbers are theirs.
func TestThreadsListedWithoutNumbers(t *testing.T) {
	const (
		cat   = "fig-1$ cat /proc/4120/task/*/schedstat\n"
		sleep = "fig-1$ sleep 5\nfig-1$ date -u +%FT%TZ\n2026-10-05T09:31:02Z\n"
	)
	named := "fig-1$ cat /proc/4120/task/*/stat\n" + strings.Replace(threadStat, "4125 (job (1))", "4120 (main)", 1) + threadStat
	for name, tt := range map[string]struct {
		text     string
		run      []time.Duration // of the threads in both looks, how much they ran between
		comm     string
		unlisted bool
	}{
		"as many":           {cat + "100 1 1\n200 1 1\n" + sleep + cat + "150 1 1\n900 1 1\n", []time.Duration{50, 700}, "", false},
		"one more":          {cat + "100 1 1\n200 1 1\n" + sleep + cat + "150 1 1\n900 1 1\n9 1 1\n", nil, "", false},
		"one alone":         {cat + "100 1 1\n" + sleep + cat + "150 1 1\n", []time.Duration{50}, "", false},
		"with their stat":   {named + cat + "100 1 1\n200 1 1\n" + sleep + cat + "150 1 1\n900 1 1\n", []time.Duration{50, 700}, "job (1)", false},
		"behind a filter":   {strings.Replace(cat, "\n", " | sort\n", 1) + "100 1 1\n200 1 1\n", nil, "", true},
		"the first's twice": {"fig-1$ cat /proc/4120/schedstat\n100 1 1\n" + cat + "100 1 1\n200 1 1\n" + sleep + cat + "150 1 1\n900 1 1\n", []time.Duration{50, 700}, "", false},
	} {
		s, _ := imported(t, session(tt.text), pasted.Options{Subject: evidence.Subject{Key: "lk", Pid: 4120}})
		var looks []evidence.ProcLook
		for _, p := range s.Processes {
			for _, l := range p.Looks {
				if l.Tasks.State == evidence.Seen {
					looks = append(looks, l)
				}
			}
		}
		if tt.unlisted {
			if len(looks) > 0 {
				t.Errorf("%s: %+v", name, looks)
			}
			continue
		}
		if len(looks) != 2 || looks[0].TasksPart || looks[1].TasksPart {
			t.Errorf("%s: %d looks: %+v", name, len(looks), looks)
			continue
		}
		after := looks[1].Tasks.Value
		if run := ranBetween(looks[0].Tasks.Value, after); !slices.Equal(run, tt.run) {
			t.Errorf("%s: ran %v, want %v", name, run, tt.run)
		}
		if last := after[len(after)-1]; tt.comm != "" && (last.Comm != tt.comm || last.Tid != 4125) {
			t.Errorf("%s: %+v", name, last)
		}
	}
}

// ranBetween is how long each thread of both lists ran.
func ranBetween(before, after []evidence.Task) []time.Duration {
	var out []time.Duration
	for _, b := range after {
		for _, a := range before {
			if a.Tid == b.Tid {
				out = append(out, b.Run-a.Run)
			}
		}
	}
	slices.Sort(out)
	return out
}
