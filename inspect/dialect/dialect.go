// Package dialect knows lock libraries by what they leave in Redis.
//
// A responder rarely wrote the lock; a library did. One file holds one library:
// how its keys and values look, whom they name, how long its leases are and who
// renews them, which companion keys tell more, and what a release by hand must
// not forget. [Table] lists them all, and [Recognise] tries every one on a
// lock's [Shape]: the best fits are kept, and where several fit equally well the
// answer is "one of". The script digests of scripts.tsv, seen in SLOWLOG or
// known to SCRIPT EXISTS, and the client library of whoever renews decide between
// libraries of one shape.
//
// The package reads nothing: it says what to read ([Companions]) and what the
// answers mean.
package dialect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// A Dialect is one lock library.
type Dialect struct {
	Name string // as its users call it, and as KEY may begin: "redisson:orders"

	// Keys are the keys under which this library keeps the lock that its users
	// call name, the likeliest first.
	Keys func(name string) []string

	// Recognise says how well a lock fits, and what it is if it does. It looks at
	// the shape alone; a Misfit's reading is not used.
	Recognise func(Shape) Reading

	// Scripts are the names under which scripts.tsv has its scripts; empty: Name.
	Scripts []string

	// Clients are the client libraries, as lib-name begins, through which this
	// one speaks; empty: any, or none that says its name.
	Clients []string
}

// A Shape is what a lock shows without its companions.
type Shape struct {
	Key     string
	Type    string // as TYPE answers
	Value   string // of a string, as it is
	Fields  []evidence.Field
	Scored  []Scored      // members of a sorted set
	Members []string      // of a set or a list, as far as they were read
	Left    time.Duration // the longest that was left of its lease at any look; zero: not known
	Endless bool          // it has no expiry
	Now     time.Time     // the coordinator's time; zero: not known
}

// Scored is a member of a sorted set.
type Scored struct {
	Member string
	Score  float64
}

// A Reading is what one dialect makes of a shape.
type Reading struct {
	Fit     evidence.Fit
	Because []string // what fits, for people
	Dialect evidence.Dialect
	Shape   Shape // what was recognised; filled in by Recognise

	// Ask are the bounded reads that tell more of a lock of this form.
	Ask [][]string
	// Learn puts the replies to Ask into the dialect. Replies that did not come
	// are absent from the answers.
	Learn func(*Reading, Answers)
}

// Answers are replies by the command that was sent, its words joined by blanks.
type Answers map[string]redis.Value

// Get is the reply to a command, if one came and was no refusal. People ask for
// other ranges than a capture does, and for a value by GET: that answers as well.
func (a Answers) Get(command ...string) (redis.Value, bool) {
	v, ok := a[join(command)]
	if !ok && len(command) > 2 {
		v, ok = a.like(command)
	}
	return v, ok && !v.IsError() && !v.Null
}

func (a Answers) like(command []string) (redis.Value, bool) {
	verb, key := command[0], command[1]
	switch verb {
	case "GETRANGE":
		v, ok := a["GET "+key]
		return v, ok
	case "LRANGE", "ZRANGE":
		scores := strings.EqualFold(command[len(command)-1], "WITHSCORES")
		for asked, v := range a {
			f := strings.Fields(asked)
			if len(f) > 3 && strings.EqualFold(f[0], verb) && f[1] == key && f[2] == "0" && scores == strings.EqualFold(f[len(f)-1], "WITHSCORES") {
				return v, true
			}
		}
	}
	return redis.Value{}, false
}

// misfit is what a dialect says of a lock that is not its own.
var misfit = Reading{}

func verbatim(name string) []string { return []string{name} }
