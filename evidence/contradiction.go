package evidence

import (
	"fmt"
	"slices"
	"time"
)

// A Contradiction is what two vantages say of one thing at one time, and cannot
// both be true. It is shown, never settled: whoever averaged two witnesses would
// believe neither.
type Contradiction struct {
	Text    string   `json:"text"`
	A       Citation `json:"a"`
	B       Citation `json:"b"`
	Touches string   `json:"touches,omitempty"` // the question whose answer it makes doubtful: lease, owner, coordinator; empty: none
}

// maxWitnesses bounds how many vantages are held against each other.
const maxWitnesses = 2 * maxSources

// maxContradictions bounds the list: after some, the rest says the same.
const maxContradictions = 16

// Contradict lists what the vantages of a snapshot contradict each other in. One
// vantage cannot contradict itself: what changed under its eyes, changed. So a
// witness is only contradicted by another who saw the same before and after: a
// key that was there with one end before and after somebody else missed it.
func Contradict(s Snapshot, told []string) []Contradiction {
	var out []Contradiction
	for _, t := range told {
		out = append(out, Contradiction{Text: t})
	}
	out = append(out, contradictedLooks(s)...)
	out = append(out, contradictedServer(s)...)
	out = append(out, contradictedLives(s)...)
	return out[:min(len(out), maxContradictions)]
}

// A witness is one vantage's word at one time.
type witness struct {
	vantage  string
	from, to time.Duration // on the axis
	word     string        // what it says, in words that are equal when it says the same
	source   string
}

// sandwiched finds words of one vantage that another contradicts by saying
// something else both before and after; words must come in the order of time.
// Only the neighbours are asked: what lies further apart may have changed twice.
func sandwiched(all []witness, say func(a, b witness) Contradiction) []Contradiction {
	var out []Contradiction
	last := map[string]witness{}
	between := map[string][]witness{} // since the last word of each vantage, what others said
	for _, w := range all {
		if before, ok := last[w.vantage]; ok && before.word == w.word {
			for _, o := range between[w.vantage] {
				if o.word != w.word && before.to < o.from && o.to < w.from && len(out) < maxContradictions {
					out = append(out, say(w, o))
				}
			}
		}
		if _, known := last[w.vantage]; !known && len(last) == maxWitnesses {
			continue
		}
		last[w.vantage], between[w.vantage] = w, nil
		for v := range last {
			if v != w.vantage && len(between[v]) < maxContradictions {
				between[v] = append(between[v], w)
			}
		}
	}
	return out
}

// contradictedLooks: the key, as the coordinator gave it to two vantages. A value
// and an end that are the same before and after were never another's in between:
// every new holder gets a later end.
func contradictedLooks(s Snapshot) []Contradiction {
	var all []witness
	for _, sight := range s.Sights() {
		l := s.Looks[sight.Look]
		w := witness{vantage: l.Vantage, from: l.Span.Start.Boot, to: l.Span.End.Boot, word: "no such key", source: lookSource(l)}
		if sight.Here {
			if l.End.State != Seen || sight.Endless {
				continue // an end counted from PTTL wavers, and an endless one says nothing of time
			}
			w.word = "a key that ends " + FormatTime(sight.Ends.From)
		}
		all = append(all, w)
	}
	// Two that miss the key while a third sees it prove a short life, no lie.
	return slices.DeleteFunc(sandwiched(all, func(a, b witness) Contradiction {
		return Contradiction{
			Text: fmt.Sprintf("%s saw %s before and after %s saw %s", a.vantage, a.word, b.vantage, b.word),
			A:    Citation{a.source, a.word}, B: Citation{b.source, b.word},
			Touches: "lease",
		}
	}), func(c Contradiction) bool { return c.A.Text == "no such key" })
}

func lookSource(l Look) string {
	if l.End.Source != "" {
		return l.End.Source
	}
	return l.PTTL.Source
}

// contradictedServer: a server never gets an old run_id back.
func contradictedServer(s Snapshot) []Contradiction {
	var all []witness
	for _, i := range s.Node.Infos {
		if id, ok := i.RunID.Get(); ok {
			all = append(all, witness{i.Vantage, i.Span.Start.Boot, i.Span.End.Boot, id, i.RunID.Source})
		}
	}
	return sandwiched(all, func(a, b witness) Contradiction {
		return Contradiction{
			Text: fmt.Sprintf("%s reached run_id %.8s before and after %s reached %.8s: one address, two servers", a.vantage, a.word, b.vantage, b.word),
			A:    Citation{a.source, a.word}, B: Citation{b.source, b.word},
			Touches: "coordinator",
		}
	})
}

// contradictedLives: a process that one vantage saw before and after, begun at
// one moment, was never gone in between.
func contradictedLives(s Snapshot) []Contradiction {
	var out []Contradiction
	for _, p := range s.Processes {
		var all []witness
		for _, l := range p.Looks {
			w := witness{vantage: l.Vantage, from: l.Span.Start.Boot, to: l.Span.End.Boot, source: l.Stat.Source}
			switch st, seen := l.Stat.Get(); {
			case seen:
				w.word = fmt.Sprintf("begun %d ticks after boot", st.Start)
			case l.Stat.State == Absent:
				w.word = "no such process"
			default:
				continue
			}
			all = append(all, w)
		}
		out = append(out, slices.DeleteFunc(sandwiched(all, func(a, b witness) Contradiction {
			return Contradiction{
				Text: fmt.Sprintf("pid %d: %s saw it %s before and after %s saw %s", p.Pid, a.vantage, a.word, b.vantage, b.word),
				A:    Citation{a.source, a.word}, B: Citation{b.source, b.word},
				Touches: "owner",
			}
		}), func(c Contradiction) bool { return c.A.Text == "no such process" })...)
	}
	return out
}

// wordless says whether the coordinator answered nothing at all to a look.
func (l Look) wordless() bool {
	_, told := l.sight()
	return !told && l.Before.State == Unread && l.After.State == Unread && l.Value.State == Unread && l.Type.State == Unread
}

// SplitUnanswered takes out the looks that the coordinator did not answer from
// one vantage although it answered another then or later: it was there, and the
// way to it was not. Once a vantage is known to be cut off, its silence says
// nothing of the server until it is answered again. What is left, in its order,
// tells of the lock.
func SplitUnanswered(looks []Look) (answered, unanswered []Look) {
	first, second := lastAnswers(looks)
	cut := make(map[string]bool)
	for _, l := range looks {
		other := first
		if l.Vantage == first.Vantage {
			other = second
		}
		elsewhere := other.Vantage != "" && other.Span.End.Boot >= l.Span.Start.Boot
		failed := l.wordless() && l.Before.Status != Skipped && l.Before.Status != Denied
		if cut[l.Vantage] = failed && (elsewhere || cut[l.Vantage]); cut[l.Vantage] {
			unanswered = append(unanswered, l)
		} else {
			answered = append(answered, l)
		}
	}
	return answered, unanswered
}

// lastAnswers are the last answers that any two vantages got: for every vantage
// one of them is another's.
func lastAnswers(looks []Look) (first, second Look) {
	for _, l := range looks {
		switch {
		case l.wordless():
		case l.Vantage == first.Vantage:
			first.Span.End.Boot = max(first.Span.End.Boot, l.Span.End.Boot)
		case first.Vantage == "" || l.Span.End.Boot > first.Span.End.Boot:
			first, second = l, first
		case second.Vantage == "" || l.Span.End.Boot > second.Span.End.Boot:
			second = l
		}
	}
	return first, second
}
