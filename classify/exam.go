package classify

import (
	"fmt"
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// An exam answers one question. It starts with every answer possible; evidence
// excludes. What was consulted and what was missing is noted on the way.
type exam struct {
	values  []string // every answer, in the question's order
	left    map[string]bool
	sources map[string]bool // independent sources that support what is left
	because []evidence.Citation
	missing []evidence.Citation
	cap     bool // something is presumed: likely at most
	at      *evidence.Interval
	says    string
}

func ask(values ...string) *exam {
	x := &exam{values: values, left: map[string]bool{}, sources: map[string]bool{}}
	for _, v := range values {
		x.left[v] = true
	}
	return x
}

// only excludes every answer but the given ones. It never brings back an answer
// that other evidence excluded, and never excludes the last one.
func (x *exam) only(values ...string) {
	var keep []string
	for _, v := range values {
		if x.left[v] {
			keep = append(keep, v)
		}
	}
	if len(keep) == 0 {
		return
	}
	for _, v := range x.values {
		x.left[v] = slices.Contains(keep, v)
	}
}

// exclude takes answers out, unless none would be left.
func (x *exam) exclude(values ...string) {
	var rest []string
	for _, v := range x.possible() {
		if !slices.Contains(values, v) {
			rest = append(rest, v)
		}
	}
	x.only(rest...)
}

// reopen brings answers back before anything else is said: the evidence that
// excluded them does not reach as far as the question.
func (x *exam) reopen(values ...string) {
	for _, v := range values {
		x.left[v] = true
	}
}

func (x *exam) possible() []string {
	out := []string{}
	for _, v := range x.values {
		if x.left[v] {
			out = append(out, v)
		}
	}
	return out
}

// cite notes what a reading showed.
func (x *exam) cite(reading, format string, args ...any) {
	x.because = append(x.because, evidence.Citation{Reading: reading, Text: fmt.Sprintf(format, args...)})
}

// source notes an independent source of what is concluded.
func (x *exam) source(name string) { x.sources[name] = true }

// need takes a reading, and notes it as missing when nobody could read it. An
// absent reading is an answer and is not missing.
func need[T any](x *exam, r evidence.Reading[T], name string) (T, bool) {
	if r.State == evidence.Unread {
		x.miss(cmpOr(r.Source, name), string(r.Status), r.Why)
	}
	return r.Get()
}

func (x *exam) miss(reading, status, why string) {
	text := cmpOr(status, "unread")
	if why != "" {
		text += ": " + why
	}
	for _, m := range x.missing {
		if m.Reading == reading {
			return
		}
	}
	x.missing = append(x.missing, evidence.Citation{Reading: reading, Text: text})
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// answer closes the exam.
func (x *exam) answer() evidence.Answer {
	a := evidence.Answer{
		Value: evidence.Unknown, Possible: x.possible(), At: x.at, Says: x.says,
		Because: x.because, Missing: x.missing,
	}
	if a.Because == nil {
		a.Because = []evidence.Citation{}
	}
	if a.Missing == nil {
		a.Missing = []evidence.Citation{}
	}
	if len(a.Possible) == 1 {
		a.Value = a.Possible[0]
		a.Grade = evidence.Likely
		if len(x.sources) >= 2 && !x.cap {
			a.Grade = evidence.Proven
		}
	}
	return a
}

// moment is the moment a question is about, in memory of its own: a verdict that
// pointed into the incident would keep all of its evidence alive.
func (c *incident) moment() *evidence.Interval {
	if !c.when.Known() {
		return nil
	}
	at := c.when
	return &at
}
