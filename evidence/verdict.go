package evidence

import "time"

// Label is the name of a failure. The rules decide which; this package only
// lists the words.
type Label string

const (
	ClockAnomaly     Label = "clock-anomaly"
	CoordinatorFault Label = "coordinator-fault"
	RenewalAfterLoss Label = "renewal-after-lost-liveness"
	Crash            Label = "crash"
	Stall            Label = "stall"
	Partition        Label = "partition"
	ContractFault    Label = "contract-fault"
	NoFailure        Label = "none"
	Inconclusive     Label = "inconclusive"
)

// Grade is how well an answer or a verdict is supported. Empty means it has
// none: an unknown answer, an inconclusive verdict, or a label of none.
type Grade string

const (
	Proven Grade = "proven" // two independent sources say so
	Likely Grade = "likely" // one does, or something is presumed
)

// A Citation names a reading and says what it showed.
type Citation struct {
	Reading string `json:"reading"`
	Text    string `json:"text"`
}

// Unknown is the value of an answer the evidence leaves open.
const Unknown = "unknown"

// An Answer to one of the five questions is the set of values the evidence
// leaves possible.
type Answer struct {
	Value    string     `json:"value"`    // the only possible one, or unknown
	Possible []string   `json:"possible"` // sorted as the question lists them
	Grade    Grade      `json:"grade,omitempty"`
	At       *Interval  `json:"at,omitempty"`   // the moment it speaks of
	Says     string     `json:"says,omitempty"` // one clause for people
	Because  []Citation `json:"because"`
	Missing  []Citation `json:"missing"` // readings that would have helped, and why they are not there
}

// Answers are the five questions of the method.
type Answers struct {
	Lease       Answer `json:"lease"`
	Owner       Answer `json:"owner"`
	Path        Answer `json:"path"`
	Clock       Answer `json:"clock"`
	Coordinator Answer `json:"coordinator"`
}

// Severity orders findings.
type Severity string

const (
	Notice   Severity = "info"
	Warning  Severity = "warning"
	Critical Severity = "critical"
)

// A Finding is a fact worth fixing that is not the label.
type Finding struct {
	ID       string     `json:"id"`
	Severity Severity   `json:"severity"`
	Text     string     `json:"text"`
	Because  []Citation `json:"because"`
	Advice   string     `json:"advice"`
}

// LockState is the second axis: who may act on the lock now.
type LockState string

const (
	Free         LockState = "free"
	Held         LockState = "held"
	Overdue      LockState = "overdue"      // still there past its lease
	StaleHolder  LockState = "stale-holder" // held, its owner gone or stalled
	Contested    LockState = "contested"    // two parties may believe they hold it
	StateUnknown LockState = "unknown"
)

// Times are the moments people ask for, each on the coordinator's clock.
type Times struct {
	Acquired     *Interval `json:"acquired,omitempty"`
	LastRenewal  *Interval `json:"last_renewal,omitempty"`
	Due          *Interval `json:"renewal_due,omitempty"` // the first renewal that did not come
	Disappeared  *Interval `json:"disappeared,omitempty"`
	LeaseEnds    *Interval `json:"lease_ends,omitempty"`
	SafeRelease  *Interval `json:"safe_release,omitempty"`  // the key was first seen gone
	SafeTransfer *Interval `json:"safe_transfer,omitempty"` // another holder was first seen

	DisappearedBy  []string `json:"disappeared_by,omitempty"`   // the sources that agree on Disappeared; empty: those that the owner's answer cites
	AfterRenewal   *Range   `json:"after_renewal,omitempty"`    // from the last renewal to the disappearance
	ToSafeRelease  *Range   `json:"to_safe_release,omitempty"`  // from the disappearance to the safe release
	ToSafeTransfer *Range   `json:"to_safe_transfer,omitempty"` // from the disappearance to the safe transfer
}

// A Range is how long something took: between Least and Most, since the moments
// it lies between are intervals.
type Range struct {
	Least time.Duration `json:"least"`
	Most  time.Duration `json:"most"`
}

// A Step is what to do next.
type Step struct {
	Why     string `json:"why"`
	Command string `json:"command,omitempty"`
}

// A Verdict is what the rules concluded from one snapshot.
type Verdict struct {
	Schema      string    `json:"schema"`
	Rules       int       `json:"rules"` // version of the rules that judged
	Key         string    `json:"key"`
	Label       Label     `json:"label"`
	Cause       string    `json:"cause,omitempty"`
	Grade       Grade     `json:"grade,omitempty"`
	Headline    string    `json:"headline"` // one clause for people
	Open        []Label   `json:"open"`     // the labels the evidence leaves possible
	Also        []Label   `json:"also"`     // lower rows of the table that hold as well
	Answers     Answers   `json:"answers"`
	State       LockState `json:"state"`
	Holder      Holder    `json:"holder"`
	Parties     []Party   `json:"parties,omitempty"` // who renews the lock, or could
	Findings    []Finding `json:"findings"`
	Times       Times     `json:"times"`
	NotRuledOut []Label   `json:"not_ruled_out"`
	Next        []Step    `json:"next"`
	Decision    *Decision `json:"decision,omitempty"` // wait, fail closed or release by hand; absent while no failure is found

	Thresholds []Threshold `json:"thresholds,omitempty"` // what was compared with, and who said so
}

// A Threshold is a number that rules compared with.
type Threshold struct {
	Name  string          `json:"name"`  // where it may stand in a contract, by its name there
	Value string          `json:"value"` // with its unit
	From  ThresholdSource `json:"from"`
}

// A ThresholdSource says who set a threshold.
type ThresholdSource string

const (
	FromContract ThresholdSource = "contract" // the file, or a flag
	FromLibrary  ThresholdSource = "library"  // the default of the library that wrote the lock
	FromLooks    ThresholdSource = "seen"     // what was seen of the lock itself
	FromLease    ThresholdSource = "lease"    // nobody said; the lease stands in for it
	FromDefault  ThresholdSource = "default"  // lockscene's own
)

// A Holder is whom the coordinator names.
type Holder struct {
	Value   string `json:"value,omitempty"`
	Pid     int    `json:"pid,omitempty"` // on the vantage's host; zero when it was not found
	Comm    string `json:"comm,omitempty"`
	Client  string `json:"client,omitempty"`  // its connection: id, address, name, library
	Renewer string `json:"renewer,omitempty"` // the connection that renews, when it is another
}
