package evidence

// A Party is a connection that took, extended or removed the lock while anybody
// looked or logged, or whose last command could have: together they are the answer
// to who can renew this lock.
type Party struct {
	Client    string   `json:"client"`              // id, address, name and library, for people
	Did       []Deed   `json:"did,omitempty"`       // what the server is known to have served it: acquire, renew, release
	Tried     []Deed   `json:"tried,omitempty"`     // what it sent, served or not: SLOWLOG keeps those that were turned away, too
	Because   []string `json:"because"`             // what shows it, for people
	Where     Whose    `json:"where"`               //
	Pid       int      `json:"pid,omitempty"`       // of the process behind it; zero: not on this host, or not found
	Comm      string   `json:"comm,omitempty"`      //
	Unit      string   `json:"unit,omitempty"`      // of systemd, that it runs in
	Container string   `json:"container,omitempty"` // its id's first twelve digits
}

// Whose says where a party runs, seen from the owner's process.
type Whose string

// The places, the nearest first.
const (
	OwnersOwn Whose = "owner"     // the owner's own process
	Sidecar   Whose = "sidecar"   // another process of its unit, pod or container
	Scheduled Whose = "scheduled" // a job that cron or a timer's unit started
	SameHost  Whose = "same host" // another process of this host
	Elsewhere Whose = "elsewhere" // another host's
	NotKnown  Whose = "not known"
)
