package kernel

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// considered bounds how much of a message is looked at, and so the cost of a
// line. The kernel writes at most 2 KiB.
const considered = 4096

// attempts bounds how many words of one line are followed up. Real lines hold
// one or two; a line made of nothing else would cost its length for each.
const attempts = 16

// A collector reads records in order and keeps what explains the next ones.
type collector struct {
	events []evidence.KernelEvent
	report report   // the OOM report being read
	half   *Record  // a kill line that a newline inside a comm cut in two
	anchor *Record  // the last clock anchor kept
	kills  []killed // recent victims, oldest first
}

// Events finds the records that can decide an incident, in their order. A line
// that speaks for the kernel although its facility says user space wrote it
// comes back marked Forged.
func Events(records []Record) []evidence.KernelEvent {
	var c collector
	for i := range records {
		c.add(&records[i])
	}
	c.flush()
	return c.events
}

// add reads one record and says whether any rule took an interest in it.
func (c *collector) add(r *Record) (taken bool) {
	if r.Malformed {
		return false
	}
	text := r.Text[:min(len(r.Text), considered)]
	if c.half != nil && c.mend(r, text) {
		return true
	}
	if c.report.table && c.report.row(text) {
		return true
	}
	tries := 0
	anchors().each(text, func(word, at int) bool {
		taken = true
		if tries++; tries > attempts {
			return true
		}
		rule := &rules[word]
		if rule.note != nil {
			return rule.note(c, r, at)
		}
		return c.event(rule, r, text, at)
	})
	return taken
}

// event makes an event of a rule that fits.
func (c *collector) event(rule *rule, r *Record, text string, at int) bool {
	if rule.find == nil && at != 0 && (rule.from != "" || r.fromKernel()) {
		return false
	}
	if rule.from != "" && writer(r) != rule.from || rule.from == "" && quotes(r) {
		return false
	}
	ev := newEvent(rule.class, r)
	if rule.find != nil && !rule.find(&ev, text, at) {
		return false
	}
	ev.Forged = rule.from == "" && !r.fromKernel()
	c.events = append(c.events, ev)
	return true
}

// quotes says whether a record is some program's own log line: it may quote the
// kernel, but does not pass for it.
func quotes(r *Record) bool { return r.Host != "" && !r.fromKernel() }

func newEvent(class string, r *Record) evidence.KernelEvent {
	return evidence.KernelEvent{
		Class:  class,
		Printk: r.Printk,
		Wall:   r.Wall.Interval(),
		Text:   strings.Clone(r.Text[:min(len(r.Text), considered)]),
	}
}

// writer is the program that wrote a record. Programs that write to the ring
// itself put their tag in front of the text.
func writer(r *Record) string {
	if r.Tag != "" && r.Tag != "kernel" || r.Facility == 0 {
		return r.Tag
	}
	tag, _, _ := splitTag(r.Text)
	return tag
}

// crashContext is how far behind a crash the line that names its task may be.
const crashContext = time.Second

// nameTask gives the crash just seen the task of a "PID: N Comm: C" line.
func (c *collector) nameTask(r *Record, at int) bool {
	if !r.fromKernel() {
		return false
	}
	pid, comm, ok := taskOf(r.Text[:min(len(r.Text), considered)], at)
	if !ok {
		return false
	}
	for i := len(c.events) - 1; i >= 0 && i >= len(c.events)-3; i-- {
		ev := &c.events[i]
		switch ev.Class {
		case KernelBug, Oops, Panic:
		default:
			return true
		}
		if ev.Pid != 0 || ev.Forged || r.HasPrintk && r.Printk-ev.Printk > crashContext {
			return true
		}
		ev.Pid, ev.Comm = pid, comm
	}
	return true
}

// taskOf reads "CPU: 2 PID: 24811 Comm: java Not tainted 3.10…" and the older
// "Pid: 4127, comm: order-worker Not tainted…". at is where "omm: " stands.
func taskOf(text string, at int) (pid int, comm string, ok bool) {
	i := max(strings.LastIndex(text[:at], "PID: "), strings.LastIndex(text[:at], "Pid: "))
	if i < 0 {
		return 0, "", false
	}
	n, w := number(text[i+5:])
	if w == 0 || w > 10 {
		return 0, "", false
	}
	rest := text[at+len("omm: "):]
	end := len(rest)
	for _, mark := range [...]string{" Not tainted", " Tainted: ", " Kdump: "} {
		if j := strings.LastIndex(rest, mark); j >= 0 {
			end = min(end, j)
		}
	}
	return int(n), rest[:end], true
}
