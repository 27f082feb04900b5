package evidence

import (
	"slices"
	"time"
)

// A Process is one pid that may own or renew the lock, over all looks at it.
type Process struct {
	Pid   int            `json:"pid"`
	Ways  []Candidate    `json:"ways"`           // how it was found
	Means Reading[Means] `json:"means,omitzero"` // /proc/PID/limits and io at the first look
	Looks []ProcLook     `json:"looks"`
}

// Means are what a process may use and has used: they colour a report and
// decide nothing.
type Means struct {
	OpenFiles  uint64 `json:"open_files_limit"` // soft limit of descriptors
	ReadBytes  uint64 `json:"read_bytes"`       // from storage, since it began
	WriteBytes uint64 `json:"write_bytes"`      // to storage; int64 in the kernel, never negative here
}

// A ProcLook is one look at one process.
type ProcLook struct {
	Look     int                   `json:"look"` // the number its probes share
	Span     Span                  `json:"span"`
	Stat     Reading[ProcStat]     `json:"stat"` // absent: no such process, and not because of hidepid
	Status   Reading[ProcStatus]   `json:"status"`
	Wchan    Reading[string]       `json:"wchan"` // where it sleeps in the kernel; "0" is read as unread: running, refused and unknown look alike
	Tasks    Reading[[]Task]       `json:"tasks"`
	Sockets  Reading[[]Socket]     `json:"sockets"` // rows of /proc/PID/net/tcp{,6}: the whole namespace's, towards the coordinator only
	Inodes   Reading[[]uint64]     `json:"inodes"`  // sockets in /proc/PID/fd
	Groups   Reading[[]CgroupPath] `json:"groups"`  // /proc/PID/cgroup
	Cgroup   Cgroup                `json:"cgroup"`  // the owner's control group
	OOMScore Reading[int64]        `json:"oom_score,omitzero"`
	PidNS    Reading[string]       `json:"pid_ns,omitzero"` // readlink ns/pid
	NetNS    Reading[string]       `json:"net_ns,omitzero"` // readlink ns/net

	Vantage   string                 `json:"vantage,omitempty"`    // whose eyes; empty where there is only one vantage
	Elapsed   Reading[time.Duration] `json:"elapsed,omitzero"`     // how long ago it began, whole seconds rounded down: ps etime
	Began     Reading[Interval]      `json:"began,omitzero"`       // when it began, as ps dates it on the host's clock: lstart, START
	TasksPart bool                   `json:"tasks_part,omitempty"` // of text: Tasks may lack threads, or some of their CPU clocks
}

// ProcStat is /proc/PID/stat.
type ProcStat struct {
	Comm    string `json:"comm"`  // at most 15 bytes, set by the process itself: hostile
	State   string `json:"state"` // one letter
	PPid    int    `json:"ppid"`
	UTime   uint64 `json:"utime"` // ticks of 10 ms
	STime   uint64 `json:"stime"`
	Threads int    `json:"threads"`
	Start   uint64 `json:"starttime"` // ticks of 10 ms since boot, sleep included: with boot id and pid it is the process's identity; zero: not told (ps)
	RSS     int64  `json:"rss_pages"`
	Exit    int    `json:"exit_code"` // wait status of a zombie; zero without ptrace access
	BlockIO uint64 `json:"blkio_ticks"`
	CPU     int    `json:"processor"`
}

// StartAfterBoot is when the process began, on CLOCK_BOOTTIME, to 10 ms.
func (p ProcStat) StartAfterBoot() time.Duration {
	return time.Duration(p.Start) * 10 * time.Millisecond
}

// ProcStatus is what lockscene takes from /proc/PID/status.
type ProcStatus struct {
	Told      []string `json:"told,omitempty"` // which lines were there, when a filter left some out; empty: the whole file was, and what it lacks is zero
	Name      string   `json:"name"`
	State     string   `json:"state"` // one letter
	TracerPid int      `json:"tracer_pid"`
	Tgid      int      `json:"tgid"`
	NSpid     []int    `json:"ns_pid"` // from the reader's namespace inwards; the last is the process's own idea of its pid
	Threads   int      `json:"threads"`
	Uid       int      `json:"uid"` // real
	VmSwapKB  int64    `json:"vm_swap_kb"`
	VmRSSKB   int64    `json:"vm_rss_kb"`
	SigPnd    uint64   `json:"sig_pnd"` // bit n-1 is signal n
	ShdPnd    uint64   `json:"shd_pnd"`
	Voluntary int64    `json:"voluntary_ctxt_switches"`
	Forced    int64    `json:"nonvoluntary_ctxt_switches"`
}

// Has says whether a line of the file was there to be read: TracerPid, Threads,
// voluntary_ctxt_switches, …. Where it was not, its zero means nothing.
func (p ProcStatus) Has(line string) bool {
	return len(p.Told) == 0 || slices.Contains(p.Told, line)
}

// A Task is one thread of a process.
type Task struct {
	Tid    int           `json:"tid"` // below zero: of text, known only by its place in lists of the same length
	Comm   string        `json:"comm"`
	State  string        `json:"state"`
	Run    time.Duration `json:"run"`    // on a CPU since it began (schedstat field 1), nanoseconds; of text perhaps by the ticks of stat: then TasksPart
	Delay  time.Duration `json:"delay"`  // runnable but waiting for one
	Slices uint64        `json:"slices"` // times it was scheduled
	Wchan  string        `json:"wchan,omitempty"`
}

// A Socket is one row of /proc/net/tcp or tcp6, with the columns libraries drop.
type Socket struct {
	Local   string        `json:"local"` // host:port, v4-mapped addresses as v4
	Remote  string        `json:"remote"`
	State   string        `json:"state"`    // ESTABLISHED, SYN_SENT, …
	TxQueue uint64        `json:"tx_queue"` // bytes sent and not acknowledged
	RxQueue uint64        `json:"rx_queue"` // bytes the process has not read
	Timer   string        `json:"timer"`    // none, retransmit, keepalive, timewait, zero-window
	Expires time.Duration `json:"expires"`  // until that timer fires
	Retrans int           `json:"retrnsmt"` // timeouts without an answer
	Probes  int           `json:"probes"`   // unanswered keepalive or zero-window probes
	RTO     time.Duration `json:"rto"`      // zero on the short rows of TIME_WAIT
	UID     int           `json:"uid"`
	Inode   uint64        `json:"inode"` // zero: no process owns it any more
	Cwnd    int           `json:"cwnd"`
}

// A CgroupPath is one line of /proc/PID/cgroup.
type CgroupPath struct {
	Hierarchy   int      `json:"hierarchy"` // 0 is cgroup v2
	Controllers []string `json:"controllers,omitempty"`
	Path        string   `json:"path"`
	Deleted     bool     `json:"deleted,omitempty"` // the group's folder is gone though the process still counts to it
}

// A Cgroup is the state of one process's control group, whichever version each
// controller is bound to. Counters are cumulative.
type Cgroup struct {
	Memory        string                 `json:"memory_path,omitempty"` // folder of the memory controller, below the cgroup mount
	Frozen        Reading[bool]          `json:"frozen"`                // v2 cgroup.events, or v1 freezer.state FROZEN or FREEZING
	FrozenSelf    Reading[bool]          `json:"frozen_self,omitzero"`  // v2 cgroup.freeze, or v1 freezer.self_freezing: false while Frozen means an ancestor was frozen
	FrozenFor     Reading[time.Duration] `json:"frozen_usec,omitzero"`  // v2 cgroup.stat.local: total, freezes that are over included; in nanoseconds, though the name is the file's
	OOMKills      Reading[int64]         `json:"oom_kill"`
	OOMKillsLocal Reading[int64]         `json:"oom_kill_local,omitzero"`
	UnderOOM      Reading[bool]          `json:"under_oom,omitzero"`  // v1: tasks wait for memory because the killer is off
	MemoryMax     Reading[int64]         `json:"memory_max,omitzero"` // bytes; -1 no limit
	MemoryNow     Reading[int64]         `json:"memory_current,omitzero"`
	MemoryPeak    Reading[int64]         `json:"memory_peak,omitzero"`        // bytes, the most it ever used
	OOMGroup      Reading[bool]          `json:"oom_group,omitzero"`          // one kill takes every process of the group
	MemoryHigh    Reading[int64]         `json:"memory_high_events,omitzero"` // times memory.high throttled it
	Periods       Reading[int64]         `json:"nr_periods"`
	Throttles     Reading[int64]         `json:"nr_throttled"`
	Throttled     Reading[time.Duration] `json:"throttled"` // summed over CPUs
	Usage         Reading[time.Duration] `json:"usage,omitzero"`
	Quota         Reading[float64]       `json:"quota_cpus,omitzero"` // CPUs; -1 no quota
	CPU           Reading[Pressure]      `json:"cpu_pressure,omitzero"`
	IO            Reading[Pressure]      `json:"io_pressure,omitzero"`
	Mem           Reading[Pressure]      `json:"memory_pressure,omitzero"`
}

// A NamedCgroup is a control group that was read by its path.
type NamedCgroup struct {
	Path   string `json:"path"`
	Cgroup Cgroup `json:"cgroup"`
}

// A Pressure is one PSI file. A missing line is nil, which is not zero: cpu has
// no full line before Linux 5.13, irq never has a some line.
type Pressure struct {
	Some *PressureLine `json:"some,omitempty"`
	Full *PressureLine `json:"full,omitempty"`
}

// A PressureLine is the share of time in which tasks waited.
type PressureLine struct {
	Avg10  float64       `json:"avg10"` // percent
	Avg60  float64       `json:"avg60"`
	Avg300 float64       `json:"avg300"`
	Total  time.Duration `json:"total"` // since boot; the difference of two is what an incident needs
}

// Fullest is the path that says most of where a process runs: where several
// hierarchies are mounted, most of them put it at their root.
func Fullest(groups []CgroupPath) string {
	longest := ""
	for _, g := range groups {
		if len(g.Path) > len(longest) {
			longest = g.Path
		}
	}
	return longest
}
