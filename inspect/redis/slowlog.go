package redis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A LockOf tells which lock a command takes or extends; no deed for any other.
type LockOf func(args []string) (key string, deed evidence.Deed)

// MaskSlowlog reduces the entries of other keys to command and arity: slow logs have
// leaked passwords and personal data for years. Of other locks that the clients of
// this one take or extend their number is kept, and no name.
func MaskSlowlog(raw []byte, key string, lockOf LockOf) []byte {
	values, _ := ParseReplies(raw)
	if len(values) != 1 || values[0].Kind != '*' {
		return raw
	}
	clients, others := clientsOf(values[0].Array, key), map[string]int{}
	for i := range values[0].Array {
		entry := values[0].Array[i].Array
		if len(entry) < 4 || ofKey(entry[3].Array, key) {
			continue
		}
		other, deed := lockOf(texts(entry[3].Array))
		keep := deed != "" && len(entry) > 4 && clients[entry[4].Str]
		if keep && others[other] == 0 {
			others[other] = len(others) + 1
		}
		entry[3] = maskArgs(entry[3])
		if keep {
			entry[3].Array = append(entry[3].Array, Bulk(fmt.Sprintf(" lock %d %s", others[other], deed)))
		}
		for j := 4; j < len(entry); j++ {
			if j > 4 || !keep {
				entry[j] = Bulk("")
			}
		}
	}
	return values[0].Append(nil)
}

// Refused says whether the server answered with an error.
func Refused(raw []byte) bool {
	values, _ := ParseReplies(raw)
	return len(values) == 1 && values[0].IsError()
}

// clientsOf are the clients whose commands named the lock's key.
func clientsOf(entries []Value, key string) map[string]bool {
	out := map[string]bool{}
	for _, e := range entries {
		if len(e.Array) > 4 && e.Array[4].Str != "" && ofKey(e.Array[3].Array, key) {
			out[e.Array[4].Str] = true
		}
	}
	return out
}

func texts(args []Value) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.Str
	}
	return out
}

// ofKey says whether a command names the lock's key, or a companion key that
// begins or ends with it in the way libraries build them.
// A flush takes the lock as it does every other key.
func ofKey(args []Value, key string) bool {
	if len(args) > 0 && (strings.EqualFold(args[0].Str, "FLUSHALL") || strings.EqualFold(args[0].Str, "FLUSHDB")) {
		return true
	}
	return slices.ContainsFunc(args, func(a Value) bool {
		return a.Str == key || strings.HasPrefix(a.Str, key+":") || strings.HasSuffix(a.Str, ":{"+key+"}")
	})
}

// maskArgs keeps the command's name and, where there is one, its number of
// arguments; the marker begins with a blank, which no real argument list does.
func maskArgs(args Value) Value {
	name := ""
	if len(args.Array) > 0 {
		name = args.Array[0].Str
	}
	arity := len(args.Array)
	return Value{Kind: '*', Array: []Value{Bulk(clip(name)), Bulk(" withheld " + strconv.Itoa(arity))}}
}

// ParseSlowlog reads a SLOWLOG GET reply. Entries have four fields before
// Redis 4.0, six since, seven on newer servers.
func ParseSlowlog(source string, raw []byte, status evidence.Status, why string) evidence.Reading[[]evidence.SlowEntry] {
	name := source + "/slowlog"
	v, refused, status, why := newReplies(source, []string{"SLOWLOG GET"}, raw, status, why).find("SLOWLOG GET", 0)
	if refused || v.Kind != '*' {
		return evidence.Refused[[]evidence.SlowEntry](name, status, why)
	}
	entries := []evidence.SlowEntry{}
	for _, item := range v.Array {
		if e, ok := slowEntry(item.Array); ok {
			entries = append(entries, e)
		}
	}
	return evidence.Saw(name, entries)
}

func slowEntry(f []Value) (evidence.SlowEntry, bool) {
	if len(f) < 4 || f[1].Int < 0 || f[1].Int > 1<<36 {
		return evidence.SlowEntry{}, false
	}
	e := evidence.SlowEntry{
		ID: f[0].Int, Ended: time.Unix(f[1].Int, 0).UTC(),
		Took: time.Duration(f[2].Int) * time.Microsecond, Arity: len(f[3].Array),
	}
	for _, a := range f[3].Array {
		if n, ok := strings.CutPrefix(a.Str, " withheld "); ok {
			e.Withheld = true
			e.Arity, _ = strconv.Atoi(n)
			continue
		}
		if n, ok := strings.CutPrefix(a.Str, " lock "); ok && e.Withheld {
			number, deed, _ := strings.Cut(n, " ")
			e.Lock, _ = strconv.Atoi(number)
			e.Deed = evidence.Deed(deed)
			continue
		}
		e.Args = append(e.Args, evidence.Clip(a.Str, 128))
	}
	if len(f) >= 6 {
		e.Client, e.Name = f[4].Str, f[5].Str
	}
	return e, true
}
