package evidence

import "time"

// ProofSchema names the layout of a proof.
const ProofSchema = "lockscene/proof/1"

// ProofOutcome is what runs show of one assertion.
type ProofOutcome string

// The outcomes. Whatever is not evidenced makes a proof none: an expired key proves
// nothing by itself.
const (
	Pass         ProofOutcome = "pass"
	Fail         ProofOutcome = "fail"
	NotEvidenced ProofOutcome = "not-evidenced"
)

// A Result is one assertion over all runs.
type Result struct {
	ID      string       `json:"id"`
	Asserts string       `json:"asserts"` // the assertion, for people
	Outcome ProofOutcome `json:"outcome"`
	Text    string       `json:"text"`              // the figure that was measured, or what is missing
	Mistake string       `json:"mistake,omitempty"` // why what there is proves nothing, as the runbooks' common mistakes have it
	Because []Citation   `json:"because"`           // readings, each behind its run's name
	Passed  int          `json:"passed"`            // runs that show it
	Failed  int          `json:"failed"`            // runs that show the contrary
	Silent  int          `json:"silent"`            // runs that it applies to and that show neither
}

// A ProofRun is one of the bundles that were checked.
type ProofRun struct {
	Name     string `json:"name"`
	Mode     Mode   `json:"mode"` // how the owner disappeared
	Label    Label  `json:"label"`
	Release  *Range `json:"to_safe_release,omitempty"`
	Transfer *Range `json:"to_safe_transfer,omitempty"`
	Sound    bool   `json:"sound"` // no assertion failed in it
}

// Mode is a way for an owner to disappear, each of which wants a proof of its own.
type Mode string

// The modes. Pause is an owner that was held up for longer than its lease.
const (
	ModeCrash     Mode = "crash"
	ModePartition Mode = "partition"
	ModeClock     Mode = "clock-anomaly"
	ModePause     Mode = "pause"
	ModeOther     Mode = "other"
)

// A Spread is a duration over all runs that tell it.
type Spread struct {
	Runs   int           `json:"runs"`
	Min    time.Duration `json:"min"`
	Median time.Duration `json:"median"`
	Max    time.Duration `json:"max"`
}

// A LimitSource is who set a limit.
type LimitSource string

// The sources. What nobody set bounds nothing, and what needs it is not evidenced.
const (
	LimitContract LimitSource = "contract"
	LimitDefault  LimitSource = "default"
	LimitUnstated LimitSource = "not-stated"
)

// A Limit is one threshold that runs were held against.
type Limit struct {
	Name  string      `json:"name"`            // as a contract file spells it
	Value string      `json:"value,omitempty"` // as a contract file would have it; empty: not stated
	From  LimitSource `json:"from"`
}

// A Proof is what runs show of a lease contract.
type Proof struct {
	Schema   string     `json:"schema"`
	Key      string     `json:"key"`
	Proven   bool       `json:"proven"` // every assertion passes
	Results  []Result   `json:"results"`
	Runs     []ProofRun `json:"runs"`
	Release  Spread     `json:"to_safe_release"`
	Transfer Spread     `json:"to_safe_transfer"`
	Gap      Spread     `json:"renewal_gap"`  // the longest time between two renewals of a run
	Rejected int        `json:"rejections"`   // writes that the resource refused, over all runs
	Margin   float64    `json:"lease_margin"` // lease ÷ (interval + worst stall + slowest renewal); zero: not stated
	Contract Contract   `json:"contract"`
	Limits   []Limit    `json:"limits"` // every threshold that was used, and whose it is
	Notes    []string   `json:"notes"`  // what this contract leaves out, and what that means for the proof
}
