package report

import (
	"encoding/xml"
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
	return write(w, p.out.String())
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

// A suite is JUnit's, as CI systems read it.
type suite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Cases    []testCase
}

type testCase struct {
	XMLName xml.Name     `xml:"testcase"`
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Failure *testFailure `xml:"failure,omitempty"`
	Out     string       `xml:"system-out,omitempty"`
}

type testFailure struct {
	Type    string `xml:"type,attr"` // fail or not-evidenced: neither is a proof
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// ProofJUnit writes a test case for each assertion. What is not evidenced is a
// failure too: skipped tests are how a proof that proves nothing passes for one.
func ProofJUnit(w io.Writer, p evidence.Proof) error {
	s := suite{Name: "lockscene prove " + show(p.Key, longName), Tests: len(p.Results)}
	for _, r := range p.Results {
		c := testCase{Class: show(p.Key, longName), Name: r.ID}
		var lines []string
		for _, b := range r.Because {
			lines = append(lines, joined(": ", show(b.Reading, longName), show(b.Text, longText)))
		}
		text := strings.Join(lines, "\n")
		if r.Outcome == evidence.Pass {
			c.Out = joined("\n", show(r.Text, longText), text)
		} else {
			s.Failures++
			c.Failure = &testFailure{string(r.Outcome), show(r.Text, longText), joined("\n", r.Asserts, r.Mistake, text)}
		}
		s.Cases = append(s.Cases, c)
	}
	out, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return write(w, xml.Header+string(out)+"\n")
}
