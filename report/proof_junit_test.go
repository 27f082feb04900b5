package report

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/lockscene/lockscene/evidence"
)

// A node is an element of any document, so that what is read is what was written, and
// not what the writer's own types would make of it.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

func (n node) attr(name string) string {
	i := slices.IndexFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return ""
	}
	return n.Attrs[i].Value
}

func (n node) children(name string) []node {
	return slices.DeleteFunc(slices.Clone(n.Nodes), func(c node) bool { return c.XMLName.Local != name })
}

// A form is what the schemas that CI systems share allow of an element: the attributes
// it must have, those it may have, and its children in their order.
type form struct{ must, may, children []string }

func forms() map[string]form {
	result := form{must: []string{"type", "message"}}
	return map[string]form{
		"testsuite":  {must: []string{"name", "tests", "failures", "errors"}, may: []string{"skipped"}, children: []string{"properties", "testcase", "system-out", "system-err"}},
		"properties": {children: []string{"property"}},
		"property":   {must: []string{"name", "value"}},
		"testcase":   {must: []string{"name", "classname"}, children: []string{"skipped", "error", "failure", "system-out", "system-err"}},
		"failure":    result, "error": result, "skipped": result, "system-out": {}, "system-err": {},
	}
}

// faults are where an element departs from its form, its children included.
func (n node) faults() []string {
	var out []string
	name := n.XMLName.Local
	f, known := forms()[name]
	if !known || n.XMLName.Space != "" {
		return []string{"no element is called " + name}
	}
	for _, must := range f.must {
		if n.attr(must) == "" {
			out = append(out, name+" has no "+must)
		}
	}
	for _, a := range n.Attrs {
		if !slices.Contains(f.must, a.Name.Local) && !slices.Contains(f.may, a.Name.Local) {
			out = append(out, name+" has an attribute "+a.Name.Local)
		}
		if strings.ContainsFunc(a.Value, unseen) {
			out = append(out, fmt.Sprintf("%s=%q hides something", a.Name.Local, a.Value))
		}
	}
	if strings.ContainsFunc(strings.ReplaceAll(n.Text, "\n", ""), unseen) {
		out = append(out, fmt.Sprintf("%s hides something in %q", name, n.Text))
	}
	last := 0
	for _, c := range n.Nodes {
		at := slices.Index(f.children, c.XMLName.Local)
		if at < last {
			out = append(out, c.XMLName.Local+" does not belong at this place of "+name)
		}
		last = max(last, at)
		out = append(out, c.faults()...)
	}
	return append(out, n.sums()...)
}

func unseen(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// sums checks what no schema can: that a suite's figures add up, and that its cases
// can be told apart.
func (n node) sums() []string {
	if n.XMLName.Local != "testsuite" {
		return nil
	}
	var out []string
	counts, seen := map[string]int{}, map[string]bool{}
	for _, c := range n.children("testcase") {
		counts["tests"]++
		results := 0
		for attr, element := range map[string]string{"failures": "failure", "errors": "error", "skipped": "skipped"} {
			counts[attr] += len(c.children(element))
			results += len(c.children(element))
		}
		if results > 1 {
			out = append(out, c.attr("name")+" has more than one result")
		}
		if id := c.attr("classname") + "\x00" + c.attr("name"); seen[id] {
			out = append(out, c.attr("name")+" is there twice")
		} else {
			seen[id] = true
		}
	}
	for _, attr := range []string{"tests", "failures", "errors", "skipped"} {
		if said, err := strconv.Atoi(n.attr(attr)); err != nil || said != counts[attr] {
			out = append(out, fmt.Sprintf("%s=%q, and there are %d", attr, n.attr(attr), counts[attr]))
		}
	}
	return out
}

func junitOf(t *testing.T, p evidence.Proof) (string, node) {
	t.Helper()
	var text strings.Builder
	if err := ProofJUnit(&text, p); err != nil {
		t.Fatal(err)
	}
	var root node
	if err := xml.Unmarshal([]byte(text.String()), &root); err != nil || !strings.HasPrefix(text.String(), xml.Header) {
		t.Fatalf("%v:\n%s", err, text.String())
	}
	return text.String(), root
}

// The suite is one that CI systems accept, whatever the lock and the bundles are called.
func TestProofJUnitForm(t *testing.T) {
	for name, hostile := range map[string]string{
		"plain": "lock:orders", "none": "", "markup": `"><failure message='x'/>]]>&amp;&#0;<!--`, "hidden": "\x00\x1b[2J\u202e\u00a0\ufffe\xff\r\n\t", "long": strings.Repeat("k<", 500), "words": "größe, 鍵 🔒",
	} {
		p := someProof()
		p.Key, p.Runs[0].Name, p.Limits[0].Value, p.Notes[0] = hostile, hostile, hostile, hostile
		p.Results[1].Text, p.Results[1].Because = "it says "+hostile, []evidence.Citation{cite(hostile, hostile)}
		text, root := junitOf(t, p)
		for _, fault := range root.faults() {
			t.Errorf("%s: %s:\n%s", name, fault, text)
		}
		failed := root.children("testcase")[1].children("failure")
		if len(failed) != 1 || failed[0].attr("message") != "it says "+show(hostile, longText) && name != "long" {
			t.Errorf("%s: the failure is read as %+v", name, failed)
		}
		if n := len(root.children("properties")[0].Nodes); n != len(p.Limits) {
			t.Errorf("%s: %d limits", name, n)
		}
	}
	_, empty := junitOf(t, evidence.Proof{})
	if faults := empty.faults(); len(faults) > 0 {
		t.Errorf("of nothing: %v", faults)
	}
}

// What checks the form finds what is wrong with it.
func TestJUnitCheckFinds(t *testing.T) {
	good, _ := junitOf(t, someProof())
	for name, change := range map[string][2]string{
		"a wrong sum":         {`tests="3"`, `tests="4"`},
		"failures untold":     {`failures="2"`, `failures="1"`},
		"errors untold":       {`errors="0"`, ``},
		"a case of no class":  {`classname="lock:orders" name="one-effect"`, `name="one-effect"`},
		"a case twice":        {`name="one-effect"`, `name="higher-token"`},
		"a silent failure":    {` message="token 41 after 41"`, ``},
		"an unknown element":  {`<properties>`, `<note></note><properties>`},
		"a hidden character":  {`token 41 after 41`, "token\u202e 41"},
		"out before the case": {`  <testcase classname="lock:orders" name="one-effect"`, `  <system-out></system-out><testcase classname="lock:orders" name="one-effect"`},
	} {
		var root node
		bad := strings.Replace(good, change[0], change[1], 1)
		if err := xml.Unmarshal([]byte(bad), &root); err != nil || bad == good {
			t.Errorf("%s: %v", name, err)
		}
		if len(root.faults()) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
	}
}
