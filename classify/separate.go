package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// separate says of each label that is left open which answers would make it so: of the
// questions that are undecided, those whose values tell it from the others.
func (c *incident) separate(v evidence.Verdict) []evidence.OpenLabel {
	if len(v.Open) < 2 {
		return nil
	}
	var out []evidence.OpenLabel
	all := c.cells(v.Answers)
	for _, label := range v.Open {
		open := evidence.OpenLabel{Label: label}
		for _, q := range fiveQuestions() {
			possible := q.values(all, func(cell) bool { return true })
			fitting := q.values(all, func(x cell) bool { return read(x).label == label })
			if len(fitting) > 0 && len(fitting) < len(possible) {
				open.If = append(open.If, evidence.Separation{Question: q.name, Values: fitting})
			}
		}
		out = append(out, open)
	}
	return out
}

// An inquiry is one of the five questions, and where a cell keeps its answer.
type inquiry struct {
	name string
	of   func(cell) string
}

func fiveQuestions() []inquiry {
	return []inquiry{
		{"lease", func(c cell) string { return c.lease }},
		{"owner", func(c cell) string { return c.owner }},
		{"path", func(c cell) string { return c.path }},
		{"clock", func(c cell) string { return c.clock }},
		{"coordinator", func(c cell) string { return c.coordinator }},
	}
}

// values are the answers to a question in the cells that are wanted, each once.
func (q inquiry) values(all []cell, wanted func(cell) bool) []string {
	var out []string
	for _, x := range all {
		if v := q.of(x); wanted(x) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
