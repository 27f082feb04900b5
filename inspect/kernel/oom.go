package kernel

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The lines of an OOM report. Only the kill line makes an event: the header,
// the table and the summary are rate-limited to ten in five seconds, the kill
// line never.
var oomRules = []rule{
	{anchor: "Killed process ", note: (*collector).kill},
	{anchor: " invoked oom-killer: gfp_mask=", note: (*collector).header},
	{anchor: "oom-kill:constraint=", note: (*collector).summary},
	{anchor: ",oom_memcg=", note: (*collector).summaryRest},
	{anchor: ",global_oom", note: (*collector).summaryRest},
	{anchor: " killed as a result of limit of ", note: (*collector).taskIn},
	{anchor: "Kill process ", note: (*collector).scored},
	{anchor: "kill process ", note: (*collector).scored},
	{anchor: "are going to be killed due to memory.oom.group set", note: (*collector).group},
	{anchor: "tgid total_vm", note: (*collector).heading},
	{anchor: ": OOM victim ", class: OOMExiting, find: findExiting},
	{anchor: "Out of memory and no killable process", class: OOMNone},
	{anchor: "Memory cgroup out of memory and no killable process", class: OOMNone},
	{anchor: "oom_reaper: unable to reap pid:", class: ReaperFailed, find: findUnreaped},
	{anchor: "Manual OOM execution", class: SysrqOOM, find: func(ev *evidence.KernelEvent, text string, at int) bool {
		return strings.HasPrefix(text, "sysrq")
	}},
}

// A report is what the lines around a kill said, as far as they came.
type report struct {
	last    *Record // the newest line of the report
	invoker string
	sysrq   bool
	sum     string          // the summary line, both halves
	sumAt   *Record         // its first half
	scope   string          // memcg or global, from the scored line or the old memcg line
	task    string          // the old memcg line's two groups
	limit   string          //
	scored  int             // the process with the highest score: not always the victim
	grouped string          // the cgroup that dies as a whole
	spent   bool            // a kill line has used the report
	table   bool            // rows of the task table follow
	uids    map[int]taskRow // from that table
}

// A taskRow is what the task table says of one task.
type taskRow struct{ uid, tgid int }

// together is how long a report can be in the printing: what lies further
// apart belongs to another. Slow consoles take seconds for a long table.
const together = 2 * time.Second

// within says whether r may continue the report.
func (p *report) within(r *Record) bool {
	if p.last == nil {
		return false
	}
	d, ok := apart(p.last, r)
	return !ok || d <= together
}

// part readies the report for a line that belongs before a kill.
func (c *collector) part(r *Record) *report {
	if c.report.spent || !c.report.within(r) {
		c.report = report{}
	}
	c.report.last = r
	return &c.report
}

func (c *collector) header(r *Record, at int) bool {
	if !r.fromKernel() {
		return false
	}
	c.report = report{
		last:    r,
		invoker: r.Text[:at],
		sysrq:   strings.Contains(r.Text[at:min(len(r.Text), considered)], "order=-1,"),
	}
	return true
}

// taskIn reads "Task in /a killed as a result of limit of /b", before 5.0.
func (c *collector) taskIn(r *Record, at int) bool {
	task, ok := strings.CutPrefix(r.Text[:at], "Task in ")
	if !ok || !r.fromKernel() {
		return false
	}
	p := c.part(r)
	p.scope, p.task = "memcg", task
	p.limit = clip(r.Text[at+len(" killed as a result of limit of "):])
	return true
}

// scored reads "[Memory cgroup o|O]ut of memory: Kill process P (C) score N or
// sacrifice child" (names the victim only until a child is preferred), and
// "Kill process P (C) sharing same memory", which is a kill of its own.
func (c *collector) scored(r *Record, at int) bool {
	prefix := r.Text[:at]
	text := r.Text[at+len("kill process ") : min(len(r.Text), considered)]
	pid, w := number(text)
	if w == 0 || w > 10 || !r.fromKernel() {
		return false
	}
	if head, ok := strings.CutSuffix(text, ") sharing same memory"); ok && prefix == "" && strings.HasPrefix(head[w:], " (") {
		c.report.spent = false
		c.victim(r, victim{pid: int(pid), comm: head[w+2:], uid: Unknown, anon: Unknown, vm: Unknown, kind: "shared"})
		return true
	}
	if !strings.HasSuffix(prefix, "ut of memory: ") {
		return false
	}
	p := c.part(r)
	p.scored = int(pid)
	p.scope = scopeOf(prefix)
	return true
}

// group reads "Tasks in /cg are going to be killed due to memory.oom.group set".
func (c *collector) group(r *Record, at int) bool {
	cg, ok := strings.CutPrefix(r.Text[:at], "Tasks in ")
	if !ok || !r.fromKernel() {
		return false
	}
	if !c.report.within(r) {
		c.report = report{}
	}
	c.report.last, c.report.grouped = r, strings.TrimSuffix(cg, " ")
	return true
}

// summary reads "oom-kill:constraint=…", which 5.0 split in two records.
func (c *collector) summary(r *Record, at int) bool {
	if at != 0 || !r.fromKernel() {
		return false
	}
	p := c.part(r)
	p.sum, p.sumAt = clip(r.Text), r
	return true
}

// summaryRest joins the second half of a split summary to the first.
func (c *collector) summaryRest(r *Record, at int) bool {
	p := &c.report
	if at != 0 || p.sumAt == nil || !r.fromKernel() || len(p.sum) > considered || strings.Contains(p.sum, ",task_memcg=") {
		return false
	}
	if r.Caller == "" || r.Caller != p.sumAt.Caller {
		if d, ok := apart(p.sumAt, r); ok && d > time.Millisecond && r.HasPrintk {
			return false
		}
	}
	p.sum += clip(r.Text)
	p.last = r
	return true
}

// heading opens the task table.
func (c *collector) heading(r *Record, at int) bool {
	if !strings.HasPrefix(r.Text, "[") || !r.fromKernel() {
		return false
	}
	p := c.part(r)
	p.table, p.uids = true, map[int]taskRow{}
	return true
}

// maxRows bounds the task table; pids end at 4 million, reports seldom exceed
// thousands.
const maxRows = 1 << 16

// row reads "[ 5096]   997  5096   601204 …"; anything else closes the table.
func (p *report) row(text string) bool {
	if len(text) < 12 || text[0] != '[' {
		p.table = false
		return false
	}
	var n [3]int64
	rest := text[1:]
	for i := range n {
		rest = strings.TrimLeft(rest, " ")
		v, w := number(rest)
		if w == 0 || w > 10 {
			p.table = false
			return false
		}
		n[i], rest = v, rest[w:]
		if i == 0 {
			rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "]")
		}
	}
	if len(p.uids) < maxRows {
		p.uids[int(n[0])] = taskRow{uid: int(n[1]), tgid: int(n[2])}
	}
	return true
}

func findExiting(ev *evidence.KernelEvent, text string, at int) bool {
	if at != len("Out of memory") && at != len("Memory cgroup out of memory") || !strings.Contains(text, "already exiting") {
		return false
	}
	return pidAndComm(ev, text[at+len(": OOM victim "):])
}

func findUnreaped(ev *evidence.KernelEvent, text string, at int) bool {
	return at == 0 && pidAndComm(ev, text[len("oom_reaper: unable to reap pid:"):])
}

// pidAndComm reads "P (C)…".
func pidAndComm(ev *evidence.KernelEvent, s string) bool {
	pid, w := number(s)
	if w == 0 || w > 10 {
		return false
	}
	ev.Pid = int(pid)
	if end := strings.LastIndexByte(s, ')'); end > w+2 && strings.HasPrefix(s[w:], " (") {
		ev.Comm = s[w+2 : end]
	}
	return true
}

func clip(s string) string { return s[:min(len(s), considered)] }

func scopeOf(prefix string) string {
	switch {
	case strings.HasPrefix(prefix, "Memory cgroup out of memory"):
		return "memcg"
	case strings.HasPrefix(prefix, "Out of memory"):
		return "global"
	}
	return ""
}
