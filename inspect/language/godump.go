package language

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A goroutine's first line:
//
//	goroutine 12 [chan receive, 14 minutes]:
//	goroutine 18 gp=0xc000102380 m=nil [select, 2 minutes, locked to thread]:
var (
	goRoutine = regexp.MustCompile(`^goroutine (\d{1,18})(?: gp=\S{1,20} m=\S{1,24}(?: mp=\S{1,20})?)? \[([^\[\]]{1,120})\]:$`)
	goMinutes = regexp.MustCompile(`, (\d{1,9}) minutes`)
	goPlace   = regexp.MustCompile(`\.(?:go|s):\d{1,9}(?: \+0x[0-9a-f]{1,16})?$`)
)

// golang reads one line of a dump of goroutines.
func (d *dumper) golang(text string) bool {
	if m := goRoutine.FindStringSubmatch(text); m != nil {
		name := "goroutine " + m[1]
		d.within("go", name)
		why, _, _ := strings.Cut(m[2], ",")
		t := evidence.DumpThread{Name: name, State: goState(why)}
		if t.State != "runnable" {
			t.Lock = clip(why)
		}
		if w := goMinutes.FindStringSubmatch(m[2]); w != nil {
			t.Waits = time.Duration(min(count(w[1]), int64(limit/time.Minute))) * time.Minute
		}
		d.begin(t, goOwn(why))
		return true
	}
	if d.thread == nil || len(d.list) == 0 || d.list[len(d.list)-1].Runtime != "go" {
		return false
	}
	if !goPlace.MatchString(text) && !strings.HasPrefix(text, "created by ") {
		d.top(text)
	}
	return true
}

// goState puts the scheduler's words for why a goroutine does not run in ours.
func goState(why string) string {
	switch {
	case why == "running", why == "runnable":
		return "runnable"
	case why == "syscall":
		return "syscall"
	case why == "IO wait":
		return "io"
	case why == "sleep":
		return "timed-waiting"
	case strings.HasPrefix(why, "semacquire"), strings.HasPrefix(why, "sync.Mutex"), strings.HasPrefix(why, "sync.RWMutex"):
		return "blocked"
	}
	return "waiting"
}

// goOwn says whether a goroutine is the runtime's own, by what it waits for.
func goOwn(why string) bool {
	return strings.HasPrefix(why, "GC ") || strings.HasPrefix(why, "force gc") || strings.HasPrefix(why, "finalizer wait") || strings.HasPrefix(why, "cleanup wait")
}
