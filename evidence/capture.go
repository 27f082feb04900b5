package evidence

import "time"

// A Stamp is one moment on two local clocks. Durations are only ever measured
// on Boot: the wall clock may step, and Go's own monotonic clock stands still
// while the machine sleeps.
type Stamp struct {
	Wall time.Time     `json:"wall"` // CLOCK_REALTIME, UTC
	Boot time.Duration `json:"boot"` // CLOCK_BOOTTIME, nanoseconds since boot, sleep included; zero where the system has none
}

// A Probe is the record of one read: what was asked, when, how it ended, and
// where in raw/ the answer lies.
type Probe struct {
	Name      string   `json:"name"`                // the kind of read: redis/sample, proc/status, kernel/kmsg, …
	Source    string   `json:"source"`              // whom or what: redis/10.0.0.5:6379, /proc/41207/status, chronyd
	Commands  []string `json:"commands,omitempty"`  // Redis commands as sent, in order
	Look      int      `json:"look,omitempty"`      // reads of one look share its number; 1 is the first, 0 belongs to none
	Pid       int      `json:"pid,omitempty"`       // whose /proc folder, on the vantage's host
	Tid       int      `json:"tid,omitempty"`       // which thread of it
	Start     Stamp    `json:"start"`               // just before the first byte was asked for
	End       Stamp    `json:"end"`                 // just after the last byte came
	Status    Status   `json:"status"`              //
	Why       string   `json:"why,omitempty"`       //
	Vantage   string   `json:"vantage"`             // whose eyes: the name of an entry in capture.json
	File      string   `json:"file,omitempty"`      // below data/raw/; several probes may share one
	Offset    int64    `json:"offset,omitempty"`    // where in File the bytes begin
	Bytes     int64    `json:"bytes"`               // how many bytes were kept
	Truncated bool     `json:"truncated,omitempty"` //
	Step      int      `json:"step,omitempty"`      // of text: the place of its command in the order of its terminal; zero: none
	Asked     Stretch  `json:"asked,omitzero"`      // of text: when what is left of the lease was asked, where that is known better than the whole read; zero: it is not
}

// A Stretch is two moments of the axis of Stamp.Boot between which something came.
type Stretch struct {
	From time.Duration `json:"from"`
	To   time.Duration `json:"to"`
}

// Took is how long the read lasted, on the steady clock.
func (p Probe) Took() time.Duration { return p.End.Boot - p.Start.Boot }

// A Capture says who looked at what, from where, and when.
type Capture struct {
	Schema   string    `json:"schema"`
	Tool     string    `json:"tool"` // name and version of the program that looked
	Subject  Subject   `json:"subject"`
	Contract Contract  `json:"contract"`
	Vantages []Vantage `json:"vantages"`
	Ticket   string    `json:"ticket,omitempty"`
	Note     string    `json:"note,omitempty"`
	Cut      string    `json:"cut,omitempty"`      // why the watch ended early, when a signal or the budget ended it
	At       time.Time `json:"at,omitzero"`        // the past moment that is asked about (--at); zero: the end of the evidence
	Zone     string    `json:"zone,omitempty"`     // where times without a zone were written, as --tz gave it; empty: not said
	Redacted bool      `json:"redacted,omitempty"` // a copy made for strangers: names in it are pseudonyms
	Clashes  []string  `json:"clashes,omitempty"`  // what the merged captures were told differently, a sentence each
}

// A Subject is the lock that is judged, and what the responder said of its owner.
type Subject struct {
	Key       string `json:"key"`
	Asked     string `json:"asked,omitempty"` // what was typed for it, where a library's own name for the lock was turned into its key
	Redis     string `json:"redis"`           // host:port or socket path; never a user or password
	DB        int    `json:"db"`
	TLS       bool   `json:"tls,omitempty"`
	Pid       int    `json:"pid,omitempty"`         // --pid
	Renewer   int    `json:"renewer_pid,omitempty"` // --renewer-pid
	Unit      string `json:"unit,omitempty"`
	Cgroup    string `json:"cgroup,omitempty"`
	Container string `json:"container,omitempty"`
	Heartbeat string `json:"heartbeat,omitempty"` // file:PATH or key:NAME
}

// A Contract is what the lock promises, as far as somebody stated it. Zero
// means not stated; no rule may then assume a number without naming it.
type Contract struct {
	Lease      time.Duration `json:"lease,omitempty"`
	RenewEvery time.Duration `json:"renew_every,omitempty"`
	MaxSkew    time.Duration `json:"max_skew,omitempty"`
	WorstStall time.Duration `json:"worst_stall,omitempty"`
	NeedsToken bool          `json:"fencing_required,omitempty"`
	LeaseMax   time.Duration `json:"lease_max,omitempty"`
	Margin     float64       `json:"margin,omitempty"`
	WorstRenew time.Duration `json:"worst_renewal,omitempty"`
	ReleaseIn  time.Duration `json:"release_within,omitempty"`
	TakeoverIn time.Duration `json:"takeover_within,omitempty"`
	Key        string        `json:"key,omitempty"`        // whose contract it is; empty: any lock's
	TokenFrom  string        `json:"token_from,omitempty"` // where a fencing token stands: events, value or key:NAME; empty: events
	TokenIn    string        `json:"token_in,omitempty"`   // a pattern whose first group is the token in a value
	Modes      []Mode        `json:"modes,omitempty"`      // that the drills must cover; empty: crash, partition and clock-anomaly
}

// A Vantage is one machine that somebody looked from.
type Vantage struct {
	Name       string        `json:"name"` // owner, coordinator, bastion, replica, resource
	Host       string        `json:"host"` // UTS host name
	BootID     string        `json:"boot_id,omitempty"`
	Zone       string        `json:"zone,omitempty"`   // where its programs print local times without naming their zone, as an offset or a zone's name; empty: not known
	PidNS      string        `json:"pid_ns,omitempty"` // the pid namespace the tool looked from, as the kernel's link names it
	Inside     Inside        `json:"inside,omitzero"`  // the container or pod that was gone into to look; zero: none, or nobody said
	Start      Stamp         `json:"start"`
	End        Stamp         `json:"end"`
	Slept      time.Duration `json:"slept,omitempty"`  // CLOCK_BOOTTIME minus CLOCK_MONOTONIC at the start: all sleep since boot
	Self       int           `json:"self,omitempty"`   // the tool's own pid, so that it never takes itself for a client of interest
	Remote     string        `json:"remote,omitempty"` // the coordinator's address as it resolved, host:port; what the socket table shows
	Candidates []Candidate   `json:"candidates,omitempty"`
	Reckoned   *Reckoning    `json:"reckoned,omitempty"` // set when the evidence came as text, or from another capture
	From       string        `json:"from,omitempty"`     // the bundle it was merged from: its name and SHA-256; empty: not merged
	Shift      time.Duration `json:"shift,omitempty"`    // what was added to Stamp.Boot of its own capture; the stamps here are on the first vantage's axis
	Width      time.Duration `json:"width,omitempty"`    // by how much that may be wrong to either side; its probes' spans were widened by it
	Placed     Placing       `json:"placed,omitempty"`   // what the shift was learned from; empty: it is the axis, or was not merged
}

// A Placing is how one vantage's steady clock was tied to another's.
type Placing string

const (
	SameBoot      Placing = "same-boot"   // both counted from one boot of one machine: exact
	ByCoordinator Placing = "coordinator" // both read TIME of one Redis
	ByWall        Placing = "wall-clocks" // both hosts' wall clocks are kept, and say how well
	ByPromise     Placing = "promise"     // nobody measured: the wall clocks were said to be this close
	Unplaced      Placing = "unplaced"    // nothing ties them, so that nothing is ordered between them
)

// A Reckoning ties the stamps of a vantage that did not read its own clocks, or
// not this capture's, to the other clocks of the incident. Text tells times only
// here and there, so a probe's Start is the earliest moment at which it can have
// been read and its End the latest; both may lie far apart.
//
// Stamp.Boot of all such vantages counts on one axis. Stamp.Wall is this host's
// own wall clock as its own dates bound it, zero where none does: the only local
// clock that Redis's TIME may be held against, because the axis itself may have
// been built from TIME.
type Reckoning struct {
	Coordinator time.Time     `json:"coordinator,omitzero"` // what the coordinator's clock showed at Boot zero; zero: the axis is a host's wall clock, because TIME was not read or could not be trusted
	WallFrom    time.Time     `json:"wall_from,omitzero"`   // this host's wall clock at Boot zero lies in [WallFrom, WallTo]; zero: not known
	WallTo      time.Time     `json:"wall_to,omitzero"`     //
	Booted      bool          `json:"booted,omitempty"`     // something tied the kernel's seconds since boot to the axis
	BootFrom    time.Duration `json:"boot_from,omitempty"`  // the host's kernel began to count at a Boot in [BootFrom, BootTo]
	BootTo      time.Duration `json:"boot_to,omitempty"`    //
	Terminals   int           `json:"terminals,omitempty"`  // how many terminals were pasted one after the other: order is known only within one
}

// A Candidate is a process that may be the owner, and the way it was found.
type Candidate struct {
	Pid    int    `json:"pid"`
	Way    string `json:"way"`    // flag, value, socket, unit, cgroup, container, renewer
	Detail string `json:"detail"` // for people: which field named it
}

// SinceBoot places seconds that this host's kernel counted since boot on the
// axis of Stamp.Boot. It is not ok when nothing ties the two together.
func (v Vantage) SinceBoot(d time.Duration) (from, to time.Duration, ok bool) {
	r := v.Reckoned
	switch {
	case r == nil:
		return d, d, true
	case !r.Booted:
		return 0, 0, false
	}
	return d + r.BootFrom, d + r.BootTo, true
}

// WallAt is this host's wall clock while Stamp.Boot was in [from, to]; the zero
// interval where nothing ties the two together. It wants a reckoning: a live
// vantage stamped both clocks itself.
func (v Vantage) WallAt(from, to time.Duration) Interval {
	r := v.Reckoned
	if r == nil || r.WallFrom.IsZero() {
		return Interval{}
	}
	return Interval{From: r.WallFrom.Add(from), To: r.WallTo.Add(to), Clock: v.HostClock()}
}

// HostClock is the clock of a vantage's host.
func (v Vantage) HostClock() Clock {
	if v.BootID == "" {
		return Clock("host:" + v.Host) // text that does not tell the boot
	}
	return Clock("host:" + v.BootID)
}
