package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// redis/rueidis rueidislock: one value of 24 random bytes under several keys,
// rueidislock:0:NAME and on, of which a majority must be held. A goroutine of the
// holder extends them every half lease.
func rueidislock() Dialect {
	keys := func(name string) []string {
		return []string{"rueidislock:0:" + name, "rueidislock:1:" + name, "rueidislock:2:" + name}
	}
	return Dialect{Name: "rueidislock", Keys: keys, Clients: []string{"rueidis"}, Recognise: func(s Shape) Reading {
		prefix, nth, name, named := slot(s.Key)
		if s.Type != "string" || len(s.Value) != 24 || !named {
			return misfit
		}
		r := Reading{
			Fit: evidence.FitsWell, Because: []string{fmt.Sprintf("the value is 24 raw bytes, the key the %s of a set", ordinal(nth))},
			Dialect: evidence.Dialect{
				Form: "lock, majority of several keys", Lease: 5 * time.Second, RenewEvery: 2500 * time.Millisecond, Renews: evidence.ByItself,
				Holders: []evidence.Locker{{Text: fmt.Sprintf("%x", s.Value)}},
				Release: "Every key of the set carries the same value: compare and delete each. A waiter wakes by the invalidation, so a key that is left over keeps the majority.",
			},
			Learn: learnMajority,
		}
		if prefix == "rueidislock" {
			r.Fit, r.Because = evidence.Certain, append(r.Because, "its prefix is rueidislock")
		}
		for i := range 3 {
			if key := prefix + ":" + strconv.Itoa(i) + ":" + name; key != s.Key {
				r.Ask = append(r.Ask, []string{"GETRANGE", key, "0", "63"})
			}
		}
		return r
	}}
}

// slot takes PREFIX:N:NAME apart.
func slot(key string) (prefix string, nth int, name string, ok bool) {
	prefix, rest, ok1 := strings.Cut(key, ":")
	n, name, ok2 := strings.Cut(rest, ":")
	nth, err := strconv.Atoi(n)
	return prefix, nth, name, ok1 && ok2 && err == nil && nth >= 0 && nth < 16 && len(n) == len(strconv.Itoa(nth))
}

// learnMajority counts the keys of the set that the same holder has.
func learnMajority(r *Reading, a Answers) {
	mine, others, read := 1, 0, 1
	for _, command := range r.Ask {
		v, ok := a.Get(command...)
		if !ok {
			continue
		}
		read++
		switch {
		case fmt.Sprintf("%x", v.Str) == r.Dialect.Holders[0].Text:
			mine++
		case v.Str != "":
			others++
		}
	}
	if read > 1 {
		r.Dialect.Notes = append(r.Dialect.Notes, fmt.Sprintf("%d of %d keys that were read carry this holder's value, %d another's", mine, read, others))
	}
}

func ordinal(n int) string {
	return [...]string{"first", "second", "third"}[min(n, 2)]
}
