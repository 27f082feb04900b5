package kernel

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A victim is what one kill line says.
type victim struct {
	prefix   string // what stands before "Killed process"
	pid      int
	comm     string
	uid      int // Unknown when the line has none
	vm, anon int64
	kind     string
}

// kill reads a kill line and makes the event.
func (c *collector) kill(r *Record, at int) bool {
	text := clip(r.Text)
	v, ok := readKill(text, at)
	if !ok {
		if cutShort(text, at) {
			half := *r
			c.half = &half
			return true
		}
		return false
	}
	c.victim(r, v)
	return true
}

// readKill reads the forms of all kernels since 2.6.1x:
//
//	Killed process 4127, UID 502, (order-worker) total-vm:4813244kB, anon-rss:3524704kB, file-rss:112kB
//	Killed process 24790 (java), UID 1000, total-vm:…
//	Out of memory: Killed process 611 (leased) total-vm:…, UID:7 pgtables:40kB oom_score_adj:0
//	Killed process 77 (old)
//
// A comm may hold any byte, so the numbers are sought from the right.
func readKill(text string, at int) (victim, bool) {
	v := victim{prefix: text[:at], uid: Unknown, vm: Unknown, anon: Unknown}
	s := text[at+len("Killed process "):]
	pid, w := number(s)
	if w == 0 || w > 10 {
		return v, false
	}
	v.pid = int(pid)
	head, tail := s[w:], ""
	if i := max(strings.LastIndex(head, " total-vm:"), strings.LastIndex(head, " vsz:")); i >= 0 {
		head, tail = head[:i], head[i:]
		v.vm = amount(tail, "total-vm:", "vsz:")
		v.anon = amount(tail, "anon-rss:")
		v.uid = int(amount(tail, "UID:"))
	}
	if uid, rest, ok := uidField(head); ok {
		v.uid, head = uid, rest
	}
	open, end := strings.Index(head, "("), strings.LastIndexByte(head, ')')
	if end < 0 || open < 0 || open > 1 || end < open {
		return v, false
	}
	v.comm = head[open+1 : end]
	if uid, _, ok := uidField(head[end+1:]); ok {
		v.uid = uid
	} else if tail == "" && strings.Trim(head[end+1:], ".") != "" {
		return v, false
	}
	return v, true
}

// uidField reads ", UID 502," at the beginning of s.
func uidField(s string) (uid int, rest string, ok bool) {
	s, ok = strings.CutPrefix(s, ", UID ")
	n, w := number(s)
	if !ok || w == 0 || w > 10 || w >= len(s) || s[w] != ',' {
		return 0, s, false
	}
	return int(n), s[w+1:], true
}

// amount reads the number behind the first of the names that occurs.
func amount(s string, names ...string) int64 {
	for _, name := range names {
		if _, rest, ok := strings.Cut(s, name); ok {
			if n, w := number(rest); w > 0 {
				return n
			}
		}
	}
	return Unknown
}

// cutShort says whether a kill line ends inside its comm: a newline in the name
// puts the rest on a line of its own.
func cutShort(text string, at int) bool {
	s := text[at+len("Killed process "):]
	_, w := number(s)
	s = s[w:]
	return w > 0 && strings.HasPrefix(s, " (") && !strings.Contains(s, ")")
}

// mend joins the second half of a kill line to the first.
func (c *collector) mend(r *Record, text string) bool {
	half := c.half
	c.half = nil
	// The rest of a 15-byte comm: the line must close it at once.
	if i := strings.Index(text, ") total-vm:"); i < 0 || i > 15 {
		return false
	}
	half.Text += "\n" + text
	return c.kill(half, strings.Index(half.Text, "Killed process "))
}

// flush ends the log.
func (c *collector) flush() { c.half = nil }

// victim makes an event of a kill, with what the report around it tells.
func (c *collector) victim(r *Record, v victim) {
	forged := !r.fromKernel()
	scope, known := prefixScope(v.prefix)
	ev := newEvent(OOMKill, r)
	ev.Forged = forged || !known
	ev.Kill = &evidence.Kill{
		Victim: v.pid, Comm: v.comm, UID: v.uid, Scope: scope, Kind: v.kind,
		AnonRSSKB: v.anon, TotalVMKB: v.vm,
	}
	ev.Pid, ev.Comm = v.pid, v.comm
	if !ev.Forged {
		if c.seen(r, v) {
			return
		}
		if strings.HasPrefix(v.prefix, allocating) {
			ev.Kill.Kind = "allocating-task"
		}
		c.explain(&ev, r)
	}
	if ev.Kill.Container == "" {
		ev.Kill.Container = containerID(ev.Kill.TaskMemcg)
	}
	c.events = append(c.events, ev)
}

const allocating = "Out of memory (oom_kill_allocating_task)"

// prefixScope reads what stands before the kill line. Anything the kernel does
// not write there is another program quoting it.
func prefixScope(prefix string) (scope string, known bool) {
	switch prefix {
	case "":
		return "", true
	case "Out of memory: ", allocating + ": ":
		return "global", true
	case "Memory cgroup out of memory: ":
		return "memcg", true
	}
	return "", false
}

// A killed is a recent victim.
type killed struct {
	at   *Record
	pid  int
	comm string
}

// again is how soon the same victim may be named twice: the first member of a
// group usually is.
const again = time.Second

// remembered bounds the list of recent victims; a second holds few kills.
const remembered = 256

// seen says whether the victim was named before, and remembers it.
func (c *collector) seen(r *Record, v victim) bool {
	for i := len(c.kills) - 1; i >= 0; i-- {
		k := &c.kills[i]
		if k.pid != v.pid || k.comm != v.comm {
			continue
		}
		if d, ok := apart(k.at, r); !ok || d <= again {
			return true
		}
	}
	if len(c.kills) == remembered {
		c.kills = append(c.kills[:0], c.kills[remembered/2:]...)
	}
	c.kills = append(c.kills, killed{at: r, pid: v.pid, comm: v.comm})
	return false
}

// explain adds what the report says of this victim. A report serves one kill;
// only members of a group share it.
func (c *collector) explain(ev *evidence.KernelEvent, r *Record) {
	p, k := &c.report, ev.Kill
	if !p.within(r) || p.spent && p.grouped == "" && k.Kind != "shared" {
		c.report = report{last: r, spent: true}
		return
	}
	if k.Kind == "" && p.grouped != "" && p.spent {
		k.Kind = "group"
	}
	if k.Kind == "" && p.sysrq {
		k.Kind = "sysrq"
	}
	k.Invoker = p.invoker
	if k.Scope == "" {
		k.Scope = p.scope
	}
	if p.limit != "" {
		k.Constraint, k.OOMMemcg = "CONSTRAINT_MEMCG", p.limit
		if !p.spent {
			k.TaskMemcg = p.task
		}
	}
	c.addSummary(k)
	if p.grouped != "" && k.OOMMemcg == "" {
		k.Scope, k.OOMMemcg = "memcg", p.grouped
	}
	if row, ok := p.uids[k.Victim]; ok {
		ev.Pid = row.tgid // the victim may be a thread whose leader has gone
		if k.UID == Unknown {
			k.UID = row.uid
		}
	}
	p.last, p.spent = r, true
}

// addSummary takes from the summary what holds for this victim: all of it when
// it names the same pid, only the constraint when the victim is a child of the
// process it names or a member of the group that dies with it.
func (c *collector) addSummary(k *evidence.Kill) {
	p := &c.report
	if p.sum == "" {
		return
	}
	s := readSummary(p.sum, k.Comm)
	same := s.pid == k.Victim
	related := s.pid == p.scored && p.scored != 0 || p.spent || s.pid == Unknown
	if !same && !related {
		return
	}
	k.Constraint, k.OOMMemcg = s.constraint, s.oomMemcg
	if s.oomMemcg != "" {
		k.Scope = "memcg"
	} else if k.Scope == "" && s.global {
		k.Scope = "global"
	}
	if !same {
		return
	}
	k.TaskMemcg = s.taskMemcg
	if k.UID == Unknown {
		k.UID = s.uid
	}
	if k.Container = containerID(s.taskMemcg); k.Container == "" {
		k.Container = containerID(s.cpuset)
	}
}

// A summary is the line "oom-kill:constraint=…,task=C,pid=P,uid=U".
type summary struct {
	constraint, cpuset, taskMemcg, oomMemcg string
	global                                  bool
	pid, uid                                int
}

// readSummary reads from both ends towards the comm in the middle, which may
// hold commas and equals signs; comm is the victim's, from its kill line.
func readSummary(text, comm string) summary {
	s := summary{pid: Unknown, uid: Unknown}
	s.constraint, _, _ = strings.Cut(strings.TrimPrefix(text, "oom-kill:constraint="), ",")
	if _, rest, ok := strings.Cut(text, ",cpuset="); ok {
		s.cpuset, _, _ = strings.Cut(rest, ",mems_allowed=")
	}
	s.global = strings.Contains(text, ",global_oom,")
	rest := text
	if i := strings.LastIndex(rest, ",uid="); i >= 0 {
		s.uid, rest = digits(rest[i+len(",uid="):]), rest[:i]
	}
	if i := strings.LastIndex(rest, ",pid="); i >= 0 {
		s.pid, rest = digits(rest[i+len(",pid="):]), rest[:i]
	}
	if cut, ok := strings.CutSuffix(rest, ",task="+comm); ok {
		rest = cut
	} else if i := strings.LastIndex(rest, ",task="); i >= 0 {
		rest = rest[:i]
	}
	rest, s.taskMemcg, _ = strings.Cut(rest, ",task_memcg=")
	_, s.oomMemcg, _ = strings.Cut(rest, ",oom_memcg=")
	return s
}

func digits(s string) int {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return Unknown
	}
	return int(n)
}

// containerID is the last run of exactly 64 hex digits: the id container
// runtimes put into cgroup names.
func containerID(path string) string {
	id, run := "", 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && hexDigit(path[i]) < 16 {
			run++
			continue
		}
		if run == 64 {
			id = path[i-64 : i]
		}
		run = 0
	}
	return id
}
