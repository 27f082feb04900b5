package evidence

import "time"

// A Dialect is what a lock's own shape tells of the library that wrote it: type,
// key, value, companion keys, scripts and clients. Where several libraries write
// locks of this shape it names them all.
type Dialect struct {
	OneOf      []Library       `json:"one_of"`                // the likeliest first; never empty
	Form       string          `json:"form"`                  // what kind of lock: lock, fair lock, read lock, task lease, …
	Holders    []Locker        `json:"holders,omitempty"`     // whom the lock names, decoded
	Lease      time.Duration   `json:"lease,omitempty"`       // the library's default; zero: the caller chooses it, or the lock has none
	RenewEvery time.Duration   `json:"renew_every,omitempty"` // how often a live holder renews by default; zero: not by itself, or in proportion to the lease
	Share      float64         `json:"share,omitempty"`       // … as a part of the lease, where that is the rule: 0.5 is half of it; zero: no such rule
	Renews     Renewing        `json:"renews"`                //
	Endless    bool            `json:"endless,omitempty"`     // a key without an expiry is normal use
	RunsOut    bool            `json:"runs_out,omitempty"`    // by design a lease is left to end by itself, also after the work is done
	FencedBy   string          `json:"fenced_by,omitempty"`   // the key that carries a fencing token; empty: this library has none
	Fence      Reading[string] `json:"fence,omitzero"`        // the token, as that key shows it
	Waiters    Reading[int64]  `json:"waiters,omitzero"`      // how many wait for the lock, where they leave a trace
	Queue      []Waiter        `json:"queue,omitempty"`       // … and who, in their order
	Alive      []Alive         `json:"alive,omitempty"`       // signs of life that the library itself keeps in Redis
	Notes      []string        `json:"notes,omitempty"`       // what else its keys told, for people
	Release    string          `json:"release"`               // what a safe release by hand means for this library, for people
	Companions []string        `json:"companions,omitempty"`  // the keys that were read beside the lock
}

// A Library is one that may have written the lock.
type Library struct {
	Name     string   `json:"name"`
	Versions string   `json:"versions,omitempty"` // for people: ">= 3.46", "6.7.0"; empty: not decidable
	Fit      Fit      `json:"fit"`                //
	Because  []string `json:"because"`            // what fits, for people
}

// Fit is how well a lock's shape fits a library.
type Fit int

// The fits. A possible library shares its shape with whoever wrote a lock the same
// way by hand; a certain one writes what nobody else does.
const (
	Misfit   Fit = iota
	Possible     // the shape is common
	FitsWell     // the shape is unusual, or its script was run here
	Certain      // nothing else looks like this
)

// Renewing says who extends the lease.
type Renewing string

// How libraries renew.
const (
	ByDefault   Renewing = "by default" // as ByItself, unless the program gave a lease of its own: then never, and nothing in Redis tells which
	ByItself    Renewing = "by itself"  // a timer or thread in the holder's process, without being asked
	ByCall      Renewing = "by call"    // only when the program asks
	NeverRenews Renewing = "never"      // there is no lease, or nothing extends it
)

// A Locker is a holder as the lock names it.
type Locker struct {
	Text   string    `json:"text"`             // the part of the value or the field that names it
	Host   string    `json:"host,omitempty"`   //
	Pid    int       `json:"pid,omitempty"`    // zero: not named
	Thread string    `json:"thread,omitempty"` // of the process, in the library's own count
	Worker string    `json:"worker,omitempty"` // the name it gave itself
	Since  time.Time `json:"since,omitzero"`   // when it took the lock, by its own clock
	Ends   time.Time `json:"ends,omitzero"`    // when its part of the lock ends, where each holder has an end of its own
	Holds  int64     `json:"holds,omitempty"`  // how often it holds the lock at once; zero: not counted
	Writes bool      `json:"writes,omitempty"` // of a read-write lock: it writes
}

// A Waiter is one who waits for the lock.
type Waiter struct {
	Text string    `json:"text"`
	Till time.Time `json:"till,omitzero"` // when it gives up, by its own clock
}

// An Alive is a sign of life that the library keeps in Redis.
type Alive struct {
	Key    string        `json:"key"`
	Who    string        `json:"who,omitempty"`
	Host   string        `json:"host,omitempty"`   // of the process that beats, where it is named
	Pid    int           `json:"pid,omitempty"`    // there; zero: not named
	Holder bool          `json:"holder,omitempty"` // it is of whoever holds this lock, by the library's own word
	Beat   time.Time     `json:"beat,omitzero"`    // its latest beat, by whoever beats
	Every  time.Duration `json:"every,omitempty"`  // how often it beats; zero: not known
	Dead   bool          `json:"dead,omitempty"`   // the sign is gone, or older than the library allows
	Text   string        `json:"text"`
}
