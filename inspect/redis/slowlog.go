package redis

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// MaskSlowlog reduces the entries of other keys to command and arity: slow
// logs have leaked passwords and personal data for years.
func MaskSlowlog(raw []byte, key string) []byte {
	values, _ := ParseReplies(raw)
	if len(values) != 1 || values[0].Kind != '*' {
		return raw
	}
	for i := range values[0].Array {
		entry := values[0].Array[i].Array
		if len(entry) < 4 || ofKey(entry[3].Array, key) {
			continue
		}
		entry[3] = maskArgs(entry[3])
		for j := 4; j < len(entry); j++ {
			entry[j] = Bulk("")
		}
	}
	return values[0].Append(nil)
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
		e.Args = append(e.Args, evidence.Clip(a.Str, 128))
	}
	if len(f) >= 6 {
		e.Client, e.Name = f[4].Str, f[5].Str
	}
	return e, true
}
