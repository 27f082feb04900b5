package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Proof writes what runs show of a contract, for people.
func Proof(w io.Writer, proof evidence.Proof, o Options) error {
	p := newPage(o)
	p.blank()
	p.heading(provenWords(proof), joined(" · ", show(proof.Key, longName), count(len(proof.Runs), "run")))
	p.blank()
	column := 0
	for _, r := range proof.Results {
		column = max(column, len(r.ID)+2)
	}
	for _, r := range proof.Results {
		p.put(outcomeWord(r.Outcome), r.ID, column, show(r.Text, longText))
		if r.Outcome != evidence.Pass && r.Mistake != "" {
			p.put("", "", column, show(r.Mistake, longText))
		}
		if o.Full || r.Outcome == evidence.Fail {
			for _, c := range r.Because {
				p.put("", "", column, joined(": ", show(c.Reading, longName), show(c.Text, longText)))
			}
		}
	}
	p.blank()
	for _, run := range proof.Runs {
		p.row("run", joined(" · ", show(run.Name, longName), string(run.Mode), "judged "+show(string(run.Label), 40), soundWord(run.Sound)))
	}
	p.blank()
	p.limits(proof.Limits)
	for _, note := range proof.Notes {
		p.row("note", show(note, longText))
	}
	return write(w, p.out.String())
}

// limits says what the runs were held against, by who set it.
func (p *page) limits(all []evidence.Limit) {
	for _, of := range []struct {
		from  evidence.LimitSource
		label string
	}{{evidence.LimitContract, "contract"}, {evidence.LimitDefault, "default"}, {evidence.LimitUnstated, "not stated"}} {
		var set []string
		for _, l := range all {
			if l.From == of.from {
				set = append(set, joined(" ", show(l.Name, longName), show(l.Value, longName)))
			}
		}
		if len(set) > 0 {
			p.row(of.label, strings.Join(set, " · "))
		}
	}
}

func provenWords(p evidence.Proof) string {
	if p.Proven {
		return "proven: the lock recovers as its contract says"
	}
	fails, silent := 0, 0
	for _, r := range p.Results {
		switch r.Outcome {
		case evidence.Fail:
			fails++
		case evidence.NotEvidenced:
			silent++
		}
	}
	return fmt.Sprintf("not a proof: %d of %d assertions fail, %d are not evidenced", fails, len(p.Results), silent)
}

func outcomeWord(o evidence.ProofOutcome) string {
	switch o {
	case evidence.Pass:
		return "pass"
	case evidence.Fail:
		return "FAIL"
	}
	return "not shown"
}

func soundWord(sound bool) string {
	if sound {
		return "nothing failed"
	}
	return "an assertion failed in it"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ProofJSON writes a proof as one line.
func ProofJSON(w io.Writer, p evidence.Proof) error {
	line, err := evidence.Line(p)
	if err != nil {
		return fmt.Errorf("write proof: %w", err)
	}
	return write(w, string(line))
}
