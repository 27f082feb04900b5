package evidence

// State says whether a value was seen. Its zero value is unread, so a field
// nobody filled can never pass for a fact: absence of evidence is not evidence
// of absence.
type State string

const (
	Unread State = ""       // nobody could look; Status and Why say why
	Seen   State = "seen"   // Value is what the source said
	Absent State = "absent" // the source was read and the thing is not there
)

// Status is how one read ended.
type Status string

const (
	OK          Status = "ok"
	Missing     Status = "absent"      // the source answered: no such thing
	Denied      Status = "denied"      // permission, ACL, hidepid
	Unsupported Status = "unsupported" // this server, kernel or system has no such source
	Disabled    Status = "disabled"    // it exists but is switched off
	Timeout     Status = "timeout"     // the deadline passed first
	Truncated   Status = "truncated"   // only a part was kept
	Skipped     Status = "skipped"     // not tried, on purpose; Why says the purpose
	Failed      Status = "failed"      // anything else that went wrong
)

// A Reading is one value as a source gave it: seen, absent, or unread and why.
type Reading[T any] struct {
	State  State  `json:"state"`
	Value  T      `json:"value,omitempty"`  // meaningful only when seen; a seen zero value is left out of JSON and comes back as zero
	Status Status `json:"status,omitempty"` // why it is unread; empty when seen
	Why    string `json:"why,omitempty"`    // a sentence for people
	Source string `json:"source,omitempty"` // the reading's name, as citations print it
}

// Saw is a reading that succeeded.
func Saw[T any](source string, v T) Reading[T] {
	return Reading[T]{State: Seen, Value: v, Source: source}
}

// None is a reading whose source answered that there is no such thing.
func None[T any](source, why string) Reading[T] {
	return Reading[T]{State: Absent, Status: Missing, Why: why, Source: source}
}

// Refused is a reading that could not be taken. A Missing status makes it
// Absent: the source did answer.
func Refused[T any](source string, s Status, why string) Reading[T] {
	if s == Missing {
		return None[T](source, why)
	}
	return Reading[T]{Status: s, Why: why, Source: source}
}

// Get returns the value and whether it was seen.
func (r Reading[T]) Get() (T, bool) { return r.Value, r.State == Seen }

// Or returns the value when seen, else the fallback.
func (r Reading[T]) Or(fallback T) T {
	if r.State == Seen {
		return r.Value
	}
	return fallback
}

// Map carries a reading over to a value derived from it.
func Map[T, U any](r Reading[T], f func(T) U) Reading[U] {
	out := Reading[U]{State: r.State, Status: r.Status, Why: r.Why, Source: r.Source}
	if r.State == Seen {
		out.Value = f(r.Value)
	}
	return out
}
