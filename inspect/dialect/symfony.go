package dialect

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// symfony/lock: a sorted set under a key of the caller's. A member is a holder's 32
// random bytes in base64, its score the millisecond in which its part ends; __write__
// beside it says that it does not share. Before version 5.2 it was a plain string.
// Nothing extends it but refresh().
func symfony() Dialect {
	// phpredis and Relay give no name that the record knows; should they, it is theirs.
	return Dialect{Name: "symfony", Keys: verbatim, Scripts: []string{"symfony/lock"}, Clients: phpClients(), Recognise: func(s Shape) Reading {
		switch s.Type {
		case "zset":
			return symfonySet(s)
		case "string":
			return symfonyString(s)
		}
		return misfit
	}}
}

func phpClients() []string { return []string{"predis", "phpredis", "relay"} }

func symfonyForm(form string) evidence.Dialect {
	return evidence.Dialect{
		Form: form, Lease: 300 * time.Second, Renews: evidence.ByCall,
		Release: "Take out only the holder's own member, while it is still there, and the write mark with it if that holder wrote: the key holds all who share the lock, and goes with its last member. " +
			"Waiters ask again every 0.1 s or so and need no message.",
	}
}

// symfonyString is the lock of versions before 5.2. The value of the first redsync
// looks the same.
func symfonyString(s Shape) Reading {
	if s.Endless || !base64Of(s.Value, 32) {
		return misfit
	}
	r := Reading{Fit: evidence.Possible, Because: []string{"the value is 32 random bytes in base64, as before version 5.2"}, Dialect: symfonyForm("lock")}
	r.Dialect.Holders = []evidence.Locker{{Text: s.Value}}
	r.Dialect.Release = "Compare the whole value before the delete. Waiters ask again every 0.1 s or so and need no message."
	return r
}

const symfonyWrite = "__write__"

// symfonySet reads the members that hold. One whose time has passed stays until the
// next holder comes, and holds nothing.
func symfonySet(s Shape) Reading {
	const most = 100
	var holders []evidence.Locker
	tokens, passed, writes := 0, 0, false
	for _, m := range s.Scored[:min(len(s.Scored), most)] {
		end := epochOf(m.Score / 1000)
		if end.IsZero() || m.Member != symfonyWrite && !base64Of(m.Member, 32) {
			return misfit
		}
		over := !s.Now.IsZero() && end.Before(s.Now)
		if m.Member == symfonyWrite {
			writes = !over
			continue
		}
		if tokens++; over {
			passed++
			continue
		}
		holders = append(holders, evidence.Locker{Text: m.Member, Ends: end})
	}
	if tokens == 0 {
		return misfit
	}
	r := Reading{Fit: evidence.FitsWell, Because: []string{"a sorted set of 32 random bytes in base64 by the time in which each ends"}, Dialect: symfonyForm("read lock")}
	if writes {
		r.Fit, r.Dialect.Form = evidence.Certain, "lock"
		r.Because = append(r.Because, "one member is the mark of a writer")
		if len(holders) == 1 {
			holders[0].Writes = true
		}
	}
	r.Dialect.Holders = holders
	r.Dialect.Notes = symfonyNotes(s, len(holders), passed, writes)
	return r
}

func symfonyNotes(s Shape, holders, passed int, writes bool) (notes []string) {
	if passed > 0 {
		notes = append(notes, fmt.Sprintf("%d members have ended and hold nothing: they go when the next one takes the lock", passed))
	}
	if writes && holders > 1 {
		notes = append(notes, fmt.Sprintf("%d members hold it although one writes: which one, the set does not say", holders))
	}
	if s.Endless {
		notes = append(notes, "it has no expiry, which symfony/lock always sets")
	}
	return notes
}
