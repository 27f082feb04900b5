package report

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Evidence that came as text was read by somebody else: what it took, and what
// reached whom, is not ours to say. These parts say only what was pasted.

// asText are the vantages whose evidence came as text.
func asText(b evidence.Bundle) map[string]bool {
	out := map[string]bool{}
	for _, v := range b.Capture.Vantages {
		if v.Reckoned != nil {
			out[v.Name] = true
		}
	}
	return out
}

// period is from when to when a vantage looked, by its own clock; text may not
// tell one end or both.
func period(v evidence.Vantage) string {
	from, to := stampOf(v.Start.Wall), stampOf(v.End.Wall)
	switch {
	case from == "" && to == "":
		return "at a time its own clock does not tell"
	case from == "":
		return "until " + to
	case to == "":
		return "from " + from
	}
	return from + " to " + to
}

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return evidence.FormatTime(t)
}

// pastedRules is what holds for evidence that came as text.
const pastedRules = `
This evidence came as text: somebody else ran these commands, and lockscene asked nothing of any server or host. Its times are stretches between the
dates, TIMEs and stamped prompts around each command. Passwords in commands and outputs were masked before anything was stored.
`

// pasted counts the commands that the text shows.
func (m *document) pasted(b evidence.Bundle) {
	text := asText(b)
	counts, kept := map[string]int{}, 0
	for _, p := range b.Probes {
		if !text[p.Vantage] {
			continue
		}
		for _, c := range p.Commands {
			counts[c]++
		}
		if p.Status == evidence.Unsupported {
			kept++
		}
	}
	if len(text) == 0 {
		return
	}
	m.section("Commands in the text")
	m.out.WriteString(pastedRules)
	if kept > 0 {
		m.line("%s", fmt.Sprintf("\n%d commands are not understood, and kept as they came.", kept))
	}
	m.line("")
	m.line("| times | command |")
	m.line("|---:|---|")
	for _, c := range slices.Sorted(maps.Keys(counts)) {
		m.line("| %d | %s |", counts[c], evidence.Markdown(evidence.Clip(c, longSource)))
	}
}
