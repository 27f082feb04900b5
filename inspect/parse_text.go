package inspect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// What only text brings: the output of ps, ss and ls in place of files, threads
// of which only one file was read, and looks placed by their neighbours.

// textProcess parses what a shell command said of one process.
func (p *parser) textProcess(name string, probe evidence.Probe, b []byte) {
	look := p.processes.look(probe)
	argv, filters := typed(probe)
	switch name {
	case "ps":
		look.fromPS(probe, p.frame(probe), b)
	case "ss":
		look.fromSS(probe, argv, filters, b)
	case "alive":
		look.fromKill(probe, b)
	}
}

// typed splits the command that a probe of text carries.
func typed(probe evidence.Probe) (argv []string, filters [][]string) {
	if len(probe.Commands) == 0 {
		return nil, nil
	}
	return transcript.Split(probe.Commands[0])
}

// fromPS takes a process's row, or its absence, and the rows of its threads.
func (l procLook) fromPS(probe evidence.Probe, f stamp.Frame, b []byte) {
	argv, filters := typed(probe)
	t, err := shell.PS(argv, filters, b)
	if probe.Status != evidence.OK || err != nil {
		if l.Stat.State == evidence.Unread {
			l.Stat = read(probe, evidence.ProcStat{}, err)
		}
		return
	}
	row := t.Row(probe.Pid)
	switch {
	case row == nil && t.Absent(probe.Pid):
		l.Stat = evidence.None[evidence.ProcStat](probe.Source, "no such process")
		return
	case row == nil:
		return
	}
	if l.Stat.State != evidence.Seen && row.Stat != "" {
		l.Stat = evidence.Saw(probe.Source, evidence.ProcStat{Comm: evidence.Clip(row.Name(), 64), State: row.Stat[:1], PPid: row.PPid, Threads: row.Threads})
	}
	if row.Elapsed.Unit > 0 {
		l.Elapsed = evidence.Saw(probe.Source, row.Elapsed.Least)
	}
	if at, ok := began(*row, f); ok {
		l.Began = evidence.Saw(probe.Source, at)
	}
	if l.Wchan.State != evidence.Seen && len(row.Wchan) > 1 {
		l.Wchan = evidence.Saw(probe.Source, row.Wchan)
	}
	if t.Threads {
		for _, r := range t.Rows {
			if r.Pid == probe.Pid || r.Pid == 0 && r.Tid != 0 {
				l.thread(r.Tid).row = &r
			}
		}
		l.threads().whole = !t.Partial
	}
}

// fromSS takes the sockets that ss says are the process's own.
func (l procLook) fromSS(probe evidence.Probe, argv []string, filters [][]string, b []byte) {
	list, err := shell.ListSockets(argv, filters, b)
	if err != nil {
		return
	}
	own := []evidence.Socket{}
	inodes := []uint64{}
	for _, r := range list.Rows {
		if slices.ContainsFunc(r.Procs, func(u evidence.Peer) bool { return u.Pid == probe.Pid }) {
			own = append(own, r.Socket)
			inodes = append(inodes, r.Socket.Inode)
		}
	}
	if len(own) == 0 || l.Sockets.State == evidence.Seen {
		return
	}
	l.Sockets, l.Inodes = evidence.Saw(probe.Source, own), evidence.Saw(probe.Source, inodes)
}

// fromKill takes what kill -0 says, which delivers nothing: no such process, or
// one that is there.
func (l procLook) fromKill(probe evidence.Probe, b []byte) {
	text := strings.ToLower(string(b))
	switch {
	case strings.Contains(text, "no such process"):
		l.Stat = evidence.None[evidence.ProcStat](probe.Source, "no such process")
	case strings.Contains(text, "not permitted"), len(strings.TrimSpace(text)) == 0:
		if l.Stat.State == evidence.Absent {
			l.Stat = evidence.Refused[evidence.ProcStat](probe.Source, evidence.Denied, "the process lives but /proc hides it (hidepid)")
		}
	}
}

// threadParts are what was read of one thread.
type threadParts struct {
	stat, sched []byte
	wchan       string
	row         *shell.Row
}

// threadSet are the threads of one look at one process.
type threadSet struct {
	parts map[int]*threadParts
	whole bool // every thread was listed
}

type lookKey struct{ pid, look int }

func (l procLook) threads() *threadSet {
	key := lookKey{l.pid, l.Look}
	s := l.texts[key]
	if s == nil {
		s = &threadSet{parts: map[int]*threadParts{}}
		l.texts[key] = s
	}
	return s
}

func (l procLook) thread(tid int) *threadParts {
	s := l.threads()
	if s.parts[tid] == nil {
		s.parts[tid] = &threadParts{}
	}
	return s.parts[tid]
}

// textThread takes one file of one thread, in whatever order it comes.
func (p *parser) textThread(name string, probe evidence.Probe, b []byte) {
	if probe.Status != evidence.OK && probe.Status != evidence.Truncated || probe.Tid == 0 {
		return
	}
	look := p.processes.look(probe)
	t := look.thread(probe.Tid)
	switch name {
	case "stat":
		t.stat = b
	case "schedstat":
		t.sched = b
	case "wchan":
		t.wchan, _ = host.ParseWchan(b)
	}
	if strings.Contains(strings.Join(probe.Commands, " "), "/task/*/") {
		look.threads().whole = !probe.Truncated && !cutShort(probe)
	}
}

// finishThreads puts threads together. A thread's name, where only its clocks
// were read, is what another look gave it.
func (ps *processes) finishThreads() {
	names := map[[2]int]string{}
	for _, p := range ps.of {
		ps.nameThreads(p)
		for i := range p.Looks {
			ps.joinThreads(p.Pid, &p.Looks[i], names)
		}
	}
	for _, p := range ps.of {
		for i := range p.Looks {
			for j := range p.Looks[i].Tasks.Value {
				if t := &p.Looks[i].Tasks.Value[j]; t.Comm == "" {
					t.Comm = names[[2]int{p.Pid, t.Tid}]
				}
			}
		}
	}
}

func (ps *processes) joinThreads(pid int, l *evidence.ProcLook, names map[[2]int]string) {
	set := ps.texts[lookKey{pid, l.Look}]
	if set == nil {
		return
	}
	var tids []int
	for tid := range set.parts {
		tids = append(tids, tid)
	}
	slices.Sort(tids)
	tasks := []evidence.Task{}
	clocks := 0
	for _, tid := range tids {
		t, ran := set.parts[tid].task(tid)
		if ran {
			clocks++
		}
		if t.Comm != "" {
			names[[2]int{pid, tid}] = t.Comm
		}
		tasks = append(tasks, t)
	}
	source := "/proc/" + strconv.Itoa(pid) + "/task"
	l.Tasks = evidence.Saw(source, tasks)
	l.TasksPart = !set.whole || clocks < len(tasks)
}

// task is what is known of one thread, and whether its CPU clock is. Where only
// stat was read its ticks stand for the clock: they show that it ran, and never
// that it did not, since a tick is long.
func (t *threadParts) task(tid int) (evidence.Task, bool) {
	out := evidence.Task{Tid: tid, Wchan: t.wchan}
	if t.row != nil {
		out.Comm, out.Wchan = evidence.Clip(t.row.Name(), 64), cmpText(out.Wchan, t.row.Wchan)
		if t.row.Stat != "" {
			out.State = t.row.Stat[:1]
		}
	}
	if st, err := host.ParseStat(t.stat); err == nil {
		out.Comm, out.State = st.Comm, st.State
		out.Run = host.Ticks(st.UTime + st.STime)
	}
	s, err := host.ParseSchedstat(t.sched)
	if err != nil {
		return out, false
	}
	out.Run, out.Delay, out.Slices = s.Run, s.Delay, s.Slices
	return out, true
}

func cmpText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// place gives looks without a TIME of their own the stretch in which the text
// allows them to have been taken.
func (p *parser) place(l *evidence.Look, probe evidence.Probe) {
	for _, v := range p.snap.Vantages {
		r := v.Reckoned
		if v.Name != probe.Vantage || r == nil || r.Coordinator.IsZero() {
			continue
		}
		l.Placed = evidence.Interval{From: r.Coordinator.Add(probe.Start.Boot), To: r.Coordinator.Add(probe.End.Boot), Clock: evidence.Coordinator}
		if probe.Asked != (evidence.Stretch{}) {
			l.Asked = evidence.Interval{From: r.Coordinator.Add(probe.Asked.From), To: r.Coordinator.Add(probe.Asked.To), Clock: evidence.Coordinator}
		}
	}
}

// reckoned says whether a probe's vantage came as text.
func (p *parser) reckoned(probe evidence.Probe) bool {
	return slices.ContainsFunc(p.snap.Vantages, func(v evidence.Vantage) bool { return v.Name == probe.Vantage && v.Reckoned != nil })
}

// addLook files a look at the lock under the node that was asked.
func (p *parser) addLook(probe evidence.Probe, b []byte) {
	l := lookOf(probe, b)
	p.place(&l, probe)
	if node := p.nodeOf(probe); node != &p.snap.Node {
		node.Looks = append(node.Looks, l)
		return
	}
	p.snap.Looks = append(p.snap.Looks, l)
}

// nodeOf is the Redis node that a probe asked: the subject's own, or another one
// that was asked about the same key.
func (p *parser) nodeOf(probe evidence.Probe) *evidence.Node {
	addr, ok := strings.CutPrefix(probe.Source, "redis/")
	if !ok || addr == p.snap.Subject.Redis || addr == "" || p.snap.Subject.Redis == "" {
		return &p.snap.Node
	}
	for i := range p.snap.Nodes {
		if p.snap.Nodes[i].Address == addr {
			return &p.snap.Nodes[i]
		}
	}
	const most = 64
	if len(p.snap.Nodes) >= most {
		return &p.snap.Nodes[most-1]
	}
	p.snap.Nodes = append(p.snap.Nodes, evidence.Node{Address: addr})
	return &p.snap.Nodes[len(p.snap.Nodes)-1]
}
