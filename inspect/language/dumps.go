package language

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A dumper reads dumps of threads line by line, of whichever runtime.
type dumper struct {
	frame stamp.Frame
	list  []evidence.ThreadDump
	total int
	at    evidence.Interval // the last date seen, which a dump's first line follows
	pid   int               // the last process named
	dead  bool              // a deadlock was told before the dump it belongs to

	thread *evidence.DumpThread // being read; nil: between threads
	system bool                 // it is one of the runtime's own
	seen   map[string]bool      // names of the present dump's threads, where they are unique
}

// Dumps reads dumps of threads: `jstack`, `jcmd Thread.print` and what a JVM
// prints on SIGQUIT; goroutines as Go prints them on SIGQUIT, in a panic, or for
// its profiler; `py-spy dump`. A text may hold several, of several processes.
func Dumps(b []byte, f stamp.Frame) ([]evidence.ThreadDump, error) {
	if err := bounded("thread dump", b); err != nil {
		return nil, err
	}
	d := dumper{frame: f}
	eachLine(b, d.line)
	d.end()
	out := d.list[:0]
	for _, dump := range d.list {
		if len(dump.Threads) > 0 || dump.Dead {
			out = append(out, dump)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("parse thread dump: no threads in it")
	}
	return out, nil
}

func (d *dumper) line(line string) {
	dated := date(line, d.frame)
	if dated.at.Known() {
		d.at = dated.at
	}
	text := strings.TrimSpace(dated.text)
	switch {
	case text == "":
		d.end()
	case strings.HasPrefix(text, "Full thread dump"):
		d.open("jvm")
	case strings.Contains(text, "Found one Java-level deadlock"), strings.Contains(text, "Java-level deadlocks"):
		d.end()
		if n := len(d.list); n > 0 && d.list[n-1].Runtime == "jvm" {
			d.list[n-1].Dead = true
		}
	case strings.Contains(text, "fatal error: all goroutines are asleep"):
		d.dead = true
	case d.java(text), d.golang(text), d.python(text):
	}
}

// open begins a dump.
func (d *dumper) open(runtime string) {
	d.end()
	if len(d.list) < maxItems {
		d.list = append(d.list, evidence.ThreadDump{Runtime: runtime, At: d.at, Pid: d.pid, Dead: d.dead && runtime == "go"})
	}
	d.dead, d.seen = false, map[string]bool{}
	d.pid = 0
}

// within makes sure that a dump of the runtime is open: pastes begin in the
// middle. A name that can stand only once in a dump begins the next.
func (d *dumper) within(runtime, once string) {
	n := len(d.list)
	if n == 0 || d.list[n-1].Runtime != runtime || once != "" && d.seen[once] {
		d.open(runtime)
	}
	if once != "" {
		d.seen[once] = true
	}
}

// begin starts a thread. The runtime's own are read over.
func (d *dumper) begin(t evidence.DumpThread, system bool) {
	d.end()
	d.thread, d.system = &t, system
}

// end completes the thread being read.
func (d *dumper) end() {
	if d.thread != nil && !d.system && d.total < maxThreads && len(d.list) > 0 {
		last := &d.list[len(d.list)-1]
		last.Threads = append(last.Threads, *d.thread)
		d.total++
	}
	d.thread = nil
}

// top keeps the first frame that is told.
func (d *dumper) top(frame string) {
	if d.thread != nil && d.thread.Top == "" {
		d.thread.Top = clip(frame)
	}
}
