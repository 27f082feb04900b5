package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A suite is JUnit's, as CI systems read it: its parts in the order that the common
// schema wants.
type suite struct {
	XMLName    xml.Name        `xml:"testsuite"`
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`  // always none: what could not be read ends prove before
	Skipped    int             `xml:"skipped,attr"` // always none
	Properties []suiteProperty `xml:"properties>property,omitempty"`
	Cases      []testCase      `xml:"testcase"`
	Out        string          `xml:"system-out,omitempty"`
}

type suiteProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
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
	class := cmp.Or(show(p.Key, longName), "any lock")
	s := suite{Name: "lockscene prove " + class, Tests: len(p.Results), Out: suiteOut(p)}
	for _, l := range p.Limits {
		s.Properties = append(s.Properties, suiteProperty{show(l.Name, longName), joined(" ", show(l.Value, longName), "("+string(l.From)+")")})
	}
	for _, r := range p.Results {
		c := testCase{Class: class, Name: show(r.ID, longName)}
		var lines []string
		for _, b := range r.Because {
			lines = append(lines, joined(": ", show(b.Reading, longName), show(b.Text, longText)))
		}
		text := strings.Join(lines, "\n")
		if r.Outcome == evidence.Pass {
			c.Out = joined("\n", show(r.Text, longText), text)
		} else {
			s.Failures++
			c.Failure = &testFailure{string(r.Outcome), show(r.Text, longText), joined("\n", show(r.Asserts, longText), show(r.Mistake, longText), text)}
		}
		s.Cases = append(s.Cases, c)
	}
	out, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return write(w, xml.Header+string(out)+"\n")
}

// suiteOut lists the runs, and what the contract leaves out.
func suiteOut(p evidence.Proof) string {
	var lines []string
	for _, r := range p.Runs {
		lines = append(lines, joined(" · ", show(r.Name, longName), string(r.Mode), "judged "+show(string(r.Label), longName), soundWord(r.Sound)))
	}
	for _, note := range p.Notes {
		lines = append(lines, "note: "+show(note, longText))
	}
	return strings.Join(lines, "\n")
}
