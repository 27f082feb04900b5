package inspect

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/inspect/redis"
)

// Which library wrote the lock: its shape from the looks, its companions and
// scripts from reads of their own.

// lore is what was read beside the lock.
type lore struct {
	answers dialect.Answers
	scripts []string // digests that SCRIPT EXISTS knows
}

// addCompanions keeps the replies about keys that lie beside the lock. Of several
// reads of one key the latest counts.
func (l *lore) addCompanions(probe evidence.Probe, b []byte) {
	values, _ := redis.ParseReplies(b) // what did not come is absent
	if l.answers == nil {
		l.answers = dialect.Answers{}
	}
	for i, v := range values[:min(len(values), len(probe.Commands))] {
		if len(l.answers) < maxListed {
			l.answers[probe.Commands[i]] = v
		}
	}
}

// addScripts keeps the digests that the server has seen. Those it does not know
// say nothing: it forgets them, and replicas never learn them.
func (l *lore) addScripts(probe evidence.Probe, b []byte) {
	values, _ := redis.ParseReplies(b)
	for i, v := range values[:min(len(values), len(probe.Commands))] {
		words := strings.Fields(probe.Commands[i])
		for j, known := range v.Array {
			if j+2 < len(words) && known.Int == 1 {
				l.scripts = append(l.scripts, words[j+2])
			}
		}
	}
}

// finishDialect recognises the lock.
func (p *parser) finishDialect() {
	for i, e := range p.snap.Node.Slowlog.Value {
		if !e.Withheld {
			p.snap.Node.Slowlog.Value[i].Deed = dialect.Verb(e.Args)
		}
	}
	shape, ok := shapeOf(p.snap)
	if !ok {
		return
	}
	d, known := dialect.Recognise(shape, p.lore.answers, dialect.Traces{Scripts: append(p.lore.scripts, slowScripts(p.snap)...), Client: renewersLib(p.snap)})
	if !known {
		p.snap.Dialect = evidence.None[evidence.Dialect]("dialect", "no library that is known writes such a lock")
		return
	}
	p.snap.Dialect = evidence.Saw("dialect", d)
}

// shapeOf is the lock at the first look that showed it: what came later may be a
// successor's, of another library.
func shapeOf(s evidence.Snapshot) (dialect.Shape, bool) {
	out := dialect.Shape{Key: s.Subject.Key}
	for _, l := range s.Looks {
		kind, typed := l.Type.Get()
		value, valued := l.Value.Get()
		switch {
		case l.PTTL.State == evidence.Absent || l.End.State == evidence.Absent || l.Type.State == evidence.Absent:
			continue
		case !typed && valued && value != "":
			kind = "string" // nobody asked, and GET answered
		case !typed && l.Fields.State == evidence.Seen:
			kind = "hash"
		case !typed:
			continue
		}
		if out.Type != "" && kind != out.Type {
			break
		}
		out.Type = kind
		if out.Value == "" {
			out.Value = value
		}
		if f, ok := l.Fields.Get(); ok && out.Fields == nil {
			out.Fields = f
		}
		for _, m := range l.Members.Or(nil) {
			if kind == "zset" && out.Members == nil {
				out.Scored = append(out.Scored, dialect.Scored{Member: m.Name, Score: m.Score})
			} else if kind != "zset" {
				out.Members = append(out.Members, m.Name)
			}
		}
		if left := l.PTTL.Or(-1); left >= 0 && left < 1<<40 {
			out.Left = max(out.Left, time.Duration(left)*time.Millisecond)
		}
		out.Endless = out.Endless || l.PTTL.Or(0) == -1
		if out.Now.IsZero() {
			out.Now = l.Now().Mid()
		}
		if out.Value != "" || out.Fields != nil || out.Scored != nil || out.Members != nil {
			return out, true
		}
	}
	return out, out.Type != ""
}

// slowScripts are the digests of scripts in SLOWLOG entries of the lock's own keys.
func slowScripts(s evidence.Snapshot) []string {
	var out []string
	for _, e := range s.Node.Slowlog.Or(nil) {
		if len(e.Args) < 2 || e.Withheld {
			continue
		}
		switch strings.ToLower(e.Args[0]) {
		case "evalsha":
			out = append(out, strings.ToLower(e.Args[1]))
		case "eval":
			for _, script := range dialect.ByText(e.Args[1]) {
				out = append(out, script.SHA1)
			}
		}
	}
	return out
}

// renewersLib is the client library of whoever may have renewed the lock, when all
// such connections have the same.
func renewersLib(s evidence.Snapshot) string {
	var libs []string
	for _, list := range s.Node.Clients {
		for _, k := range list.Clients.Or(nil) {
			if v := evidence.VerbOf(k.Cmd); v != evidence.NoVerb && v != evidence.Releases && !slices.Contains(libs, k.Lib) {
				libs = append(libs, k.Lib)
			}
		}
	}
	if len(libs) != 1 {
		return ""
	}
	return libs[0]
}
