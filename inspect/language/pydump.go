package language

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// py-spy names the process first and then every thread, innermost frame on top:
//
//	Process 4711: python worker.py
//	Thread 4711 (idle): "MainThread"
//	    wait (threading.py:320)
//
// Python's own handler of faults prints addresses instead of names, and does not
// tell states.
var (
	pyProcess = regexp.MustCompile(`^Process (\d{1,9}): `)
	pyThread  = regexp.MustCompile(`^Thread (0x[0-9A-Fa-f]{1,16}|\d{1,9}) \(([a-z+ ]{1,40})\)(?:: "(.*)")?$`)
	pyFault   = regexp.MustCompile(`^(?:Current thread|Thread) (0x[0-9a-f]{1,16})(?: \[[^\]]{0,64}\])? \(most recent call first\):$`)
)

// python reads one line of a dump of Python's threads.
func (d *dumper) python(text string) bool {
	if m := pyProcess.FindStringSubmatch(text); m != nil {
		d.pid = int(count(m[1]))
		d.open("python")
		return true
	}
	if m := pyThread.FindStringSubmatch(text); m != nil {
		d.within("python", m[1])
		t := evidence.DumpThread{Name: clip(m[3]), State: "waiting"}
		if strings.HasPrefix(m[2], "active") {
			t.State = "runnable"
		}
		if n, err := strconv.Atoi(m[1]); err == nil {
			t.Tid = n
		}
		d.begin(t, false)
		return true
	}
	if m := pyFault.FindStringSubmatch(text); m != nil {
		d.within("python", m[1])
		d.begin(evidence.DumpThread{Name: m[1], State: "waiting"}, false)
		return true
	}
	if d.thread == nil || len(d.list) == 0 || d.list[len(d.list)-1].Runtime != "python" {
		return false
	}
	d.top(text)
	return true
}
