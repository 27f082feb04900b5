package evidence

import "time"

// A Host is the machine of the vantage that can see the owner.
type Host struct {
	Name     Reading[string]    `json:"name"`
	BootID   Reading[string]    `json:"boot_id"`
	Kernel   Reading[KernelLog] `json:"kernel"`
	Pressure []HostPressure     `json:"pressure,omitempty"` // first and last look
	VMKills  Reading[int64]     `json:"oom_kill,omitzero"`  // /proc/vmstat: kills of any process since boot
	Adjtimex Reading[Adjtimex]  `json:"adjtimex"`
	Chrony   Reading[Tracking]  `json:"chrony"`
	Peers    Reading[[]Peer]    `json:"peers,omitzero"`   // local processes behind connections to the coordinator
	Load     Reading[Load]      `json:"load,omitzero"`    // /proc/loadavg at the first look
	Groups   []NamedCgroup      `json:"groups,omitempty"` // groups read because the responder named them

	Vantage    string          `json:"vantage,omitempty"`    // whose eyes, for machines other than the owner's
	Processes  []Process       `json:"processes,omitempty"`  // processes looked at on machines other than the owner's; the owner's stand in the snapshot
	NTP        Reading[NTP]    `json:"ntp,omitzero"`         // ntpd's, timesyncd's or w32time's account of the clock
	Steps      []ClockNotice   `json:"steps,omitempty"`      // lines of clock daemons that tell of a moved clock
	Units      []Unit          `json:"units,omitempty"`      // services, as systemd describes them
	Containers []Container     `json:"containers,omitempty"` // containers and pods, as their runtimes describe them
	Pauses     []Pause         `json:"pauses,omitempty"`     // times at which a runtime stopped its own threads
	Collectors []GCTotals      `json:"collectors,omitempty"` // running totals of garbage collection, look by look
	Dumps      []ThreadDump    `json:"dumps,omitempty"`      // thread dumps
	Network    []NetworkNotice `json:"network,omitempty"`    // links, conntrack, NAT, proxies, carriers
	Counters   []NetCounters   `json:"counters,omitempty"`   // /proc/net/snmp and netstat, look by look
	Cluster    []ClusterEvent  `json:"cluster,omitempty"`    // events of the cluster, its kubelets and container runtimes
	Deaths     []DeathNotice   `json:"deaths,omitempty"`     // programs that say they ended and did not mean to
}

// Load is the mean number of running or blocked tasks over the last minutes.
type Load struct {
	One     float64 `json:"one"`
	Five    float64 `json:"five"`
	Fifteen float64 `json:"fifteen"`
}

// HostPressure is one look at /proc/pressure.
type HostPressure struct {
	Look int               `json:"look"`
	Span Span              `json:"span"`
	CPU  Reading[Pressure] `json:"cpu"`
	IO   Reading[Pressure] `json:"io"`
	Mem  Reading[Pressure] `json:"memory"`
}

// A Peer is a local process found behind one connection to the coordinator.
type Peer struct {
	Local string `json:"local"` // the socket's own address, which is the client's addr in CLIENT LIST
	Inode uint64 `json:"inode"`
	Pid   int    `json:"pid"`
	Comm  string `json:"comm"`
	Group string `json:"group,omitempty"` // the path of its control group; empty: not read
}

// A KernelLog is the part of the kernel's log that bears on locks.
type KernelLog struct {
	Source  string        `json:"source"`  // /dev/kmsg, dmesg, …
	Records int           `json:"records"` // how many were read
	Lost    int           `json:"lost"`    // records the ring dropped while or before it was read, by sequence gaps
	Oldest  time.Duration `json:"oldest"`  // printk time of the first record: how far back silence means something
	Events  []KernelEvent `json:"events"`
	Omitted int           `json:"omitted,omitempty"` // events of the middle of a flood, left out; the oldest and newest of each class are kept
}

// A KernelEvent is one thing the kernel said that can decide an incident.
type KernelEvent struct {
	Class   string        `json:"class"`  // oom-kill, segfault, hung-task, link, …
	Printk  time.Duration `json:"printk"` // on the printk clock, since boot: stops while the machine sleeps, not slewed by NTP
	Wall    Interval      `json:"wall"`   // the same on the host's wall clock, as wide as that conversion is uncertain
	Pid     int           `json:"pid,omitempty"`
	Comm    string        `json:"comm,omitempty"`
	Text    string        `json:"text"`             // the deciding line, escapes undone
	Forged  bool          `json:"forged,omitempty"` // facility is not kern: user space wrote it
	Kill    *Kill         `json:"kill,omitempty"`
	Seconds float64       `json:"seconds,omitempty"` // how long a task or CPU was stuck; of a clock step its size, forward positive
	Device  string        `json:"device,omitempty"`  // interface or disk
	Group   string        `json:"group,omitempty"`   // control group that systemd-oomd killed
	Up      *bool         `json:"up,omitempty"`      // link state
}

// A Kill is one victim of the kernel's OOM killer.
type Kill struct {
	Victim     int    `json:"victim"` // a task id of the initial pid namespace
	Comm       string `json:"comm"`
	UID        int    `json:"uid"`   // -1 when no line names it
	Scope      string `json:"scope"` // memcg, global
	Constraint string `json:"constraint,omitempty"`
	Kind       string `json:"kind,omitempty"`    // empty for the ordinary kill; allocating-task, sysrq, group
	Invoker    string `json:"invoker,omitempty"` // who allocated; not the cause
	TaskMemcg  string `json:"task_memcg,omitempty"`
	OOMMemcg   string `json:"oom_memcg,omitempty"` // whose limit was hit
	Container  string `json:"container,omitempty"` // 64 hex digits
	AnonRSSKB  int64  `json:"anon_rss_kb"`         // -1 when no line names it
	TotalVMKB  int64  `json:"total_vm_kb"`
}

// Adjtimex is the kernel's own account of its clock, read with modes 0.
type Adjtimex struct {
	State    int           `json:"state"`  // 0 OK … 5 ERROR
	Status   int           `json:"status"` // STA_ bits; 0x40 is UNSYNC: "no claim", not "wrong"
	Offset   time.Duration `json:"offset"`
	MaxError time.Duration `json:"max_error"`
	EstError time.Duration `json:"est_error"`
	FreqPPM  float64       `json:"freq_ppm"`
	TAI      int           `json:"tai"`
}

// Synchronised says whether the kernel claims its clock is kept.
func (a Adjtimex) Synchronised() bool { return a.Status&0x40 == 0 && a.State != 5 }

// Tracking is chronyd's account of the host clock.
type Tracking struct {
	RefID      string        `json:"ref_id"` // 8 hex digits
	Name       string        `json:"name,omitempty"`
	Stratum    int           `json:"stratum"` // 0: not synchronised
	Leap       string        `json:"leap"`    // normal, insert, delete, unsynchronised
	RefTime    time.Time     `json:"ref_time"`
	Correction time.Duration `json:"correction"` // NTP time minus system time: positive, the system is behind
	LastOffset time.Duration `json:"last_offset"`
	RMSOffset  time.Duration `json:"rms_offset"`
	FreqPPM    float64       `json:"freq_ppm"`
	ResidPPM   float64       `json:"resid_ppm"`
	SkewPPM    float64       `json:"skew_ppm"`
	RootDelay  time.Duration `json:"root_delay"`
	RootDisp   time.Duration `json:"root_dispersion"`
	Interval   time.Duration `json:"interval"`
}

// Synchronised says whether chronyd follows a source. When it does not, its
// offset is zero and says nothing.
func (t Tracking) Synchronised() bool {
	return t.Stratum > 0 && t.Leap != "unsynchronised" && t.RefID != "00000000"
}

// Bound is chronyd's own limit of the clock's error: offset, root dispersion
// and half the root delay.
func (t Tracking) Bound() time.Duration {
	off := t.Correction
	if off < 0 {
		off = -off
	}
	return off + t.RootDisp + t.RootDelay/2
}
