package dialect

import (
	"fmt"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// redis-py's Lock: a key of the caller's, by default without an expiry, and as its
// value a UUID of version 1 without dashes: when the holder began to ask for the
// lock, and the network address of its host. Nothing extends the lock but the
// program. valkey-py is its fork.
func redisPy() Dialect {
	return Dialect{Name: "redis-py", Keys: verbatim, Clients: []string{"redis-py", "valkey-py"}, Recognise: func(s Shape) Reading {
		l, notes, ok := redisPyToken(s)
		if s.Type != "string" || !ok {
			return misfit
		}
		return Reading{
			Fit: evidence.FitsWell, Because: []string{"the value is a UUID of version 1 without dashes, from a time that can be"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall, Endless: true, Holders: []evidence.Locker{l}, Notes: notes,
				Release: "Compare the whole value, as redis-py's own release does, and delete only while it is that. " +
					"Waiters ask again every 0.1 s by default and need no message; a holder that lives learns of its loss only at its next extend or release.",
			},
		}
	}}
}

// redisPyToken reads a token that redis-py made itself. Of 64 tokens of another
// kind one has a version 1's two digits; that the time can be keeps the rest out.
func redisPyToken(s Shape) (l evidence.Locker, notes []string, ok bool) {
	began, ok := uuidTime(s.Value)
	// Read as text first: digits from other centuries overflow as nanoseconds.
	const earliest, latest = "1d0", "250" // of the time's upper 12 bits: about 1996 to 2110
	if !ok || s.Value[13:16] < earliest || s.Value[13:16] > latest {
		return l, nil, false
	}
	const slip = 366 * 24 * time.Hour // a holder's clock may be wrong, and that is worth seeing
	if ahead := began.Sub(s.Now); !s.Now.IsZero() && ahead > slip {
		return l, nil, false
	} else if !s.Now.IsZero() && ahead > time.Second {
		notes = append(notes, fmt.Sprintf("the time in the value is %v ahead of the coordinator's: the clock of the holder's host is, or was", ahead.Round(time.Millisecond)))
	}
	notes = append(notes, "the time in the value is when the holder began to ask, by its own clock: it may have waited for the lock after that", redisPyNode(s.Value[20:]))
	return evidence.Locker{Text: s.Value, Since: began}, notes, true
}

// redisPyNode says which host made a token: the last 12 digits are its address.
func redisPyNode(hex string) string {
	b, err := strconv.ParseUint(hex, 16, 48)
	if err != nil {
		return "the value names no host"
	}
	if b>>40&1 == 1 { // no card has the bit of a group: uuid sets it on what it drew
		return "the address in the value is random: it names a process, no host"
	}
	note := "the holder's host has the network address"
	for i := 40; i >= 0; i -= 8 {
		sep := ":"
		if i == 40 {
			sep = " "
		}
		note += fmt.Sprintf("%s%02x", sep, b>>i&0xff)
	}
	if b>>32 == 0x0242 { // made of the IPv4 address by Docker, unless one is configured
		note += fmt.Sprintf(", as Docker gives it to a container at %d.%d.%d.%d", b>>24&0xff, b>>16&0xff, b>>8&0xff, b&0xff)
	}
	return note
}
