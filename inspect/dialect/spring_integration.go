package dialect

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Spring Integration's RedisLockRegistry: REGISTRY:LOCK, as the value the random UUID
// of the registry object, which is the same for all its locks and all its threads.
// Nothing renews but a scheduler that the program sets (since 6.4) or its own call.
// Releases 4.x wrote host, lock, thread and time instead.
func springIntegration() Dialect {
	return Dialect{Name: "spring-integration", Keys: verbatim, Clients: []string{"Lettuce", "jedis"}, Recognise: func(s Shape) Reading {
		registry, lock, _ := strings.Cut(s.Key, ":")
		if s.Type != "string" || registry == "" || lock == "" {
			return misfit
		}
		if l, ok := springOld(s); ok {
			return Reading{
				Fit: evidence.Certain, Because: []string{"the value packs host, lock, thread and time, as 4.x does"},
				Dialect: springForm(s, l, "Compare the whole value: it names the thread, and the time tells this hold from its next. "+
					"The holder's unlock throws afterwards, as it does when the lease ran out."),
			}
		}
		if version, ok := uuid(s.Value); !ok || version != 4 || !strings.Contains("89ab", s.Value[19:20]) {
			return misfit
		}
		return Reading{
			Fit: evidence.Possible, Because: []string{"a random UUID under REGISTRY:LOCK"},
			Dialect: springForm(s, evidence.Locker{Text: s.Value},
				"Compare the whole value; it names the registry of one JVM, whose other locks carry the same. "+
					"Where the registry works by PUB_SUB_LOCK, its waiters sleep for a lease unless the key's name comes on its channel; spinning ones look every 100 ms. "+
					"The holder's unlock throws afterwards, as it does when the lease ran out."),
		}
	}}
}

func springForm(s Shape, l evidence.Locker, release string) evidence.Dialect {
	const lease = time.Minute
	d := evidence.Dialect{
		Form: "lock", Lease: lease, Renews: evidence.ByCall, Release: release,
		Holders: []evidence.Locker{l},
		Notes:   []string{"with a renewal scheduler, which is not the default, it is extended every third of the lease"},
	}
	if s.Left > lease {
		d.Lease = 0 // not the default, then
	}
	return d
}

// springOld reads the value of 4.x: three texts, each behind its length in a byte,
// and 8 bytes of ms.
func springOld(s Shape) (evidence.Locker, bool) {
	host, rest, ok1 := springText(s.Value)
	lock, rest, ok2 := springText(rest)
	thread, rest, ok3 := springText(rest)
	if !ok1 || !ok2 || !ok3 || len(rest) != 8 || host == "" || lock == "" || !strings.HasSuffix(s.Key, ":"+lock) {
		return evidence.Locker{}, false
	}
	at := binary.BigEndian.Uint64([]byte(rest))
	if at == 0 || at > 1e14 || evidence.Printable(host) != host {
		return evidence.Locker{}, false
	}
	thread = evidence.Printable(thread)
	return evidence.Locker{Text: host + " " + thread, Host: host, Thread: thread, Since: time.UnixMilli(int64(at)).UTC()}, true
}

// springText takes one text off the front; Java's byte has a sign.
func springText(s string) (text, rest string, ok bool) {
	if s == "" || s[0] > 127 || len(s) <= int(s[0]) {
		return "", "", false
	}
	n := 1 + int(s[0])
	return s[1:n], s[n:], true
}
