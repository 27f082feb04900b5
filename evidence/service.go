package evidence

import "time"

// A Unit is what systemd says of one service. Result and the exit fields belong
// to the latest run: after an automatic restart they read success, and the death
// before it shows only in Restarts and Previous.
type Unit struct {
	Span       Span     `json:"span"`
	Name       string   `json:"name"`
	MainPID    int      `json:"main_pid"` // zero: no process now
	Active     string   `json:"active"`   // ActiveState
	Sub        string   `json:"sub"`      // SubState
	Result     string   `json:"result,omitempty"`
	Code       int      `json:"code,omitempty"`   // 1 exited, 2 killed, 3 dumped core; zero: not told
	Status     int      `json:"status,omitempty"` // exit code, or signal; meaningful with Code
	Restarts   int      `json:"restarts,omitempty"`
	Invocation string   `json:"invocation,omitempty"`
	Group      string   `json:"group,omitempty"`     // ControlGroup
	Started    Interval `json:"started,omitzero"`    // of the latest run, on the host's wall clock
	Exited     Interval `json:"exited,omitzero"`     // of the latest run
	Previous   Interval `json:"previous,omitzero"`   // end of the run before it
	OOMKills   int64    `json:"oom_kills,omitempty"` // systemd 259 and later; zero: none or not told
}

// A Container is what a container runtime says of one container. OOMKilled and
// Exit belong to the run that Pid and Started name; a restart policy clears them,
// and the flag is set when any process inside was killed, not only the first.
type Container struct {
	Span      Span         `json:"span"`
	ID        string       `json:"id,omitempty"`
	Name      string       `json:"name,omitempty"`
	Pod       string       `json:"pod,omitempty"`    // namespace/name; empty outside Kubernetes
	Node      string       `json:"node,omitempty"`   // the Kubernetes node
	Status    string       `json:"status"`           // running, exited, paused, waiting, …
	Reason    string       `json:"reason,omitempty"` // OOMKilled, Error, CrashLoopBackOff, Evicted, …
	Pid       int          `json:"pid,omitempty"`    // on the host; zero when it does not run or is not told
	Exit      Reading[int] `json:"exit,omitzero"`    // exit code of a run that ended; 137 alone says nothing of why
	OOMKilled bool         `json:"oom_killed,omitempty"`
	Restarts  int          `json:"restarts,omitempty"`
	Started   Interval     `json:"started,omitzero"`
	Finished  Interval     `json:"finished,omitzero"`
	Previous  *Run         `json:"previous,omitempty"` // the run before, where the runtime keeps it
}

// A Run is one finished run of a container.
type Run struct {
	Reason   string   `json:"reason,omitempty"`
	Exit     int      `json:"exit"`
	Signal   int      `json:"signal,omitempty"`
	ID       string   `json:"id,omitempty"`
	Started  Interval `json:"started,omitzero"`
	Finished Interval `json:"finished,omitzero"`
}

// NTP is a clock daemon's own account of the host's clock, other than chronyd's.
type NTP struct {
	Daemon string        `json:"daemon"` // ntpd, timesyncd, w32time, timedatectl
	Synced bool          `json:"synced"`
	Offset time.Duration `json:"offset,omitempty"` // NTP time minus system time: positive, the system is behind
	Bound  time.Duration `json:"bound,omitempty"`  // the daemon's limit of the clock's error; zero: not told
	Source string        `json:"source,omitempty"`
}

// A ClockNotice is one line of a clock daemon's log that tells of a clock that
// moved or is not kept.
type ClockNotice struct {
	At   Interval      `json:"at"`           // on the host's wall clock
	Kind string        `json:"kind"`         // stepped, wrong, jump-forward, jump-backward, leap, unsynchronised
	By   time.Duration `json:"by,omitempty"` // positive: moved forward; zero: not told
	Text string        `json:"text"`
}

// A ClusterEvent is one thing that a cluster, its kubelets or a container
// runtime noted of a container, a pod or a node.
type ClusterEvent struct {
	At     Interval `json:"at"`               // of the latest occurrence, where it was folded; unbounded where nothing dates it
	Since  Interval `json:"since,omitzero"`   // of the first one, where it was folded
	Count  int      `json:"count,omitempty"`  // how often, where it was folded; zero: once, or not told
	Reason string   `json:"reason"`           // as the writer calls it: Evicted, OOMKilling, Unhealthy, die, oom, …
	Object string   `json:"object,omitempty"` // kind/name, with the namespace between where it is told
	Text   string   `json:"text"`
}
