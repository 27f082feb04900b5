package kernel

import (
	"regexp"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A Detail is what a deciding line says beyond the event's own fields. It is
// read from the event's text when somebody asks, so that frozen events stay
// small. A zero value means the line does not say.
type Detail struct {
	CPU       string        // the processor that was stuck or took the fault
	Address   string        // hex, of a segfault
	Owner     int           // the task that likely owns what a hung task waits for
	OwnerComm string        //
	IOWait    bool          // a hung task waits for I/O
	Jiffies   int64         // the age of an RCU stall; the tick is 1 to 10 ms
	Via       string        // the bond that reported a link
	Netns     string        // inode of a network namespace; empty is the first
	Addr      string        // of a listener; empty when the kernel prints the port alone
	Port      int           //
	Dropping  bool          // requests are dropped, not answered with cookies
	Count     int64         // lines suppressed, processes killed, or restarts so far
	Unit      string        // systemd's
	Cgroup    string        // killed by systemd-oomd
	Trigger   string        // whose pressure led to it
	Percent   float64       // memory pressure, avg10
	Limit     float64       // what it was held against
	For       time.Duration // how long it was above
	MemUsed   int64         // bytes, as are the next three
	MemTotal  int64         //
	SwapUsed  int64         //
	SwapTotal int64         //
	Signal    string        // what a watcher of user space sent; a number in systemd's lines
	UID       string        //
	RSSMiB    int64         //
	Score     string        // oom_score
	ScoreAdj  string        //
	Code      string        // how a unit's main process ended: exited, killed, dumped
	Result    string        // systemd's word for a unit's end
	Resource  string        // what the kubelet ran short of
	Pod       string        // namespace/name
}

// A shape is one expression whose group names are those of the table below.
type shape struct {
	class string
	re    *regexp.Regexp
}

var shapes = []shape{
	{Segfault, regexp.MustCompile(`\]: segfault at (?P<address>[0-9a-f]+) ip `)},
	{Segfault, regexp.MustCompile(` likely on CPU (?P<cpu>\d+)`)},
	{HungTask, regexp.MustCompile(` blocked (?P<iowait>in I/O wait) for more than `)},
	{HungOwner, regexp.MustCompile(` likely owned by task (?P<ownercomm>.*):(?P<owner>\d+)\.?$`)},
	{SoftLockup, regexp.MustCompile(` CPU#(?P<cpu>\d+) `)},
	{HardLockup, regexp.MustCompile(` LOCKUP on cpu (?P<cpu>\d+)`)},
	{RCUStall, regexp.MustCompile(`[( ]t=(?P<jiffies>\d+) jiffies`)},
	{RCUStarved, regexp.MustCompile(` starved for (?P<jiffies>\d+) jiffies`)},
	{Link, regexp.MustCompile(`^(?P<via>[^ :]+): .*link status definitely`)},
	{ConntrackFull, regexp.MustCompile(` in netns (?P<netns>\d+)`)},
	{SynFlood, regexp.MustCompile(` on port (?:\[?(?P<addr>[0-9a-fA-F:.]+?)\]?:)?(?P<port>\d+)\. `)},
	{SynFlood, regexp.MustCompile(`(?P<dropping>Dropping request)`)},
	{RateLimited, regexp.MustCompile(`: (?P<count>\d+) callbacks`)},
	{OomdKill, regexp.MustCompile(`Killed (?P<cgroup>.+) due to memory `)},
	{OomdMark, regexp.MustCompile(`Marked (?P<cgroup>.+) for killing due to memory `)},
	{OomdKill, pressure},
	{OomdMark, pressure},
	{OomdKill, usage},
	{OomdMark, usage},
	{UnitOomd, regexp.MustCompile(`(?P<unit>[^ ]+): systemd-oomd killed (?P<count>\d+) process`)},
	{UnitOOM, regexp.MustCompile(`(?P<unit>[^ ]+): A process of this unit`)},
	{UnitExit, regexp.MustCompile(`(?P<unit>[^ ]+): Main process exited, code=(?P<code>\w+), status=(?P<signal>\d+)`)},
	{UnitFailed, regexp.MustCompile(`(?P<unit>[^ ]+): Failed with result '(?P<result>[^']*)'`)},
	{UnitRestart, regexp.MustCompile(`(?P<unit>[^ ]+): Scheduled restart job, restart counter is at (?P<count>\d+)`)},
	{EarlyoomKill, regexp.MustCompile(`sending (?P<signal>SIG[A-Z]+) to process \d+ uid (?P<uid>\d+) `)},
	{EarlyoomKill, regexp.MustCompile(`": oom_score (?P<score>-?\d+)`)},
	{EarlyoomKill, regexp.MustCompile(`, oom_score_adj (?P<scoreadj>-?\d+)`)},
	{EarlyoomKill, regexp.MustCompile(`, VmRSS (?P<rss>\d+) MiB`)},
	{KubeletEvict, regexp.MustCompile(` resourceName="(?P<resource>[^"]+)"`)},
	{KubeletEvicted, regexp.MustCompile(` pod="(?P<pod>[^"]+)"`)},
}

var (
	pressure = regexp.MustCompile(` due to memory pressure for (?P<trigger>.+) being (?P<percent>[\d.]+)% > (?P<limit>[\d.]+)% for > (?P<for>\d+)s`)
	usage    = regexp.MustCompile(` memory used \((?P<memused>\d+)\) / total \((?P<memtotal>\d+)\) and swap used \((?P<swapused>\d+)\) / total \((?P<swaptotal>\d+)\) being more than (?P<limit>[\d.]+)%`)
)

// DetailOf reads what the line of ev says beyond ev's own fields.
func DetailOf(ev evidence.KernelEvent) Detail {
	var d Detail
	for _, s := range shapes {
		if s.class != ev.Class {
			continue
		}
		m := s.re.FindStringSubmatch(ev.Text)
		for i, name := range s.re.SubexpNames() {
			if i > 0 && i < len(m) && m[i] != "" {
				d.set(name, m[i])
			}
		}
	}
	return d
}

// set stores one group. Numbers that overflow stay zero: the line does not say.
func (d *Detail) set(name, v string) {
	texts := map[string]*string{
		"cpu": &d.CPU, "address": &d.Address, "ownercomm": &d.OwnerComm, "via": &d.Via, "netns": &d.Netns,
		"addr": &d.Addr, "unit": &d.Unit, "cgroup": &d.Cgroup, "trigger": &d.Trigger, "signal": &d.Signal,
		"uid": &d.UID, "score": &d.Score, "scoreadj": &d.ScoreAdj, "code": &d.Code, "result": &d.Result,
		"resource": &d.Resource, "pod": &d.Pod,
	}
	counts := map[string]*int64{
		"jiffies": &d.Jiffies, "count": &d.Count, "memused": &d.MemUsed, "memtotal": &d.MemTotal,
		"swapused": &d.SwapUsed, "swaptotal": &d.SwapTotal, "rss": &d.RSSMiB,
	}
	if p := texts[name]; p != nil {
		*p = v
		return
	}
	if p := counts[name]; p != nil {
		*p, _ = strconv.ParseInt(v, 10, 64)
		return
	}
	switch name {
	case "iowait":
		d.IOWait = true
	case "dropping":
		d.Dropping = true
	case "owner":
		d.Owner = max(digits(v), 0)
	case "port":
		d.Port = max(digits(v), 0)
	case "percent":
		d.Percent, _ = strconv.ParseFloat(v, 64)
	case "limit":
		d.Limit, _ = strconv.ParseFloat(v, 64)
	case "for":
		d.For = time.Duration(max(digits(v), 0)) * time.Second
	}
}
