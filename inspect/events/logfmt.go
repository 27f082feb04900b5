package events

import (
	"strings"

	"github.com/lockscene/lockscene/inspect/stamp"
)

// logfmt reads key=value pairs, and says whether they made an event. What
// stands between them is passed over: a level, a message without its key.
func (c *reading) logfmt(s string, w where) bool {
	if strings.Count(s, "=") < 2 {
		return false
	}
	f := pairs(s)
	if len(f) < 2 {
		return false
	}
	w.actor = first(f.actor(), w.actor)
	if _, dated := stampOf(f); !dated {
		if at, _, after, ok := stamp.Find(s); ok {
			w.carrier = stamp.Settle(at, w.carrier)
			w.actor = first(w.actor, writer(after))
		}
	}
	return c.fielded(f, w, "logfmt")
}

func pairs(s string) fields {
	f := fields{}
	for s != "" && len(f) < maxFields {
		s = strings.TrimLeft(s, " \t,;")
		end := strings.IndexAny(s, "= \t")
		if end < 0 {
			break
		}
		name := s[:end]
		if s[end] != '=' || name == "" || len(name) > 100 {
			s = s[end+1:]
			continue
		}
		var value string
		value, s = valueOf(s[end+1:])
		f[strings.ToLower(strings.TrimLeft(name, "{[("))] = value
	}
	return f
}

// valueOf reads a value, quoted or not, and returns what follows it.
func valueOf(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " \t")
		if end < 0 {
			return s, ""
		}
		return strings.TrimRight(s[:end], ",;"), s[end:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '"':
			return b.String(), s[i+1:]
		default:
			b.WriteByte(s[i])
		}
	}
	// The quote never closes: the line was cut.
	return b.String(), ""
}
