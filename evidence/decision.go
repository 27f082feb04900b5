package evidence

// An Action is what to do about the lock now.
type Action string

const (
	Wait          Action = "wait"            // do nothing to the lock; it comes free by itself, or more must be known
	FailClosed    Action = "fail-closed"     // stop guarded writes, or let only the newest token through
	ReleaseByHand Action = "release-by-hand" // a human may release it, once what stands in First is true
)

// A Decision is the checklist's: keep running with degraded safety, fail closed,
// or release by hand. It holds no command that writes.
type Decision struct {
	Action Action    `json:"action"`
	Why    string    `json:"why"`
	First  []string  `json:"first,omitempty"` // what must be true before anybody goes on
	Until  *Interval `json:"until,omitempty"` // of wait: when the lease ends, on the coordinator's clock
	Token  string    `json:"token,omitempty"` // what the key holds of the owner the incident is about: record it
}
