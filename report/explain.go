package report

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The texts that explain, one file each: the label crash is topics/labels/crash.md,
// an answer to a question topics/answers/lease/held.md, and topics/*.md are about no
// single word. Everything under a heading is indented.
//
//go:embed topics
var topics embed.FS

// The kinds of texts: the folder that each lies in. General is the root.
const (
	General    = "."
	Labels     = "labels"
	Questions  = "questions"
	Answers    = "answers"
	States     = "states"
	Grades     = "grades"
	Findings   = "findings"
	Assertions = "assertions"
	Statuses   = "statuses"
	Libraries  = "libraries"
)

// An Entry is one text: its kind and its name. The name of an answer is
// QUESTION/ANSWER, but for the one that all questions share.
type Entry struct{ Kind, Name string }

// Word is what people type to see it.
func (e Entry) Word() string { return path.Base(e.Name) }

// Entries lists the texts of a kind by name.
func Entries(kind string) []Entry {
	var out []Entry
	root := path.Join("topics", kind)
	_ = fs.WalkDir(topics, root, func(file string, d fs.DirEntry, _ error) error { // embedded: it cannot fail
		switch {
		case !d.IsDir():
			out = append(out, Entry{kind, strings.TrimSuffix(strings.TrimPrefix(file, root+"/"), ".md")})
		case kind == General && file != root:
			return fs.SkipDir
		}
		return nil
	})
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return out
}

// Text is what stands in a text's file; not ok where there is none.
func (e Entry) Text() (string, bool) {
	b, err := topics.ReadFile(path.Join("topics", e.Kind, e.Name+".md"))
	return string(b), err == nil
}

// A Section is a heading and the indented lines under it. The first of a text may
// have no heading: it says what the word means, or sums it up.
type Section struct{ Title, Body string }

// Sections takes a text apart. A heading is a line that is not indented, right
// above one that is.
func Sections(text string) []Section {
	out := []Section{{}}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if !indented(line) && strings.TrimSpace(line) != "" && i+1 < len(lines) && indented(lines[i+1]) {
			out = append(out, Section{Title: strings.TrimSpace(line)})
			continue
		}
		out[len(out)-1].Body += line
	}
	for i := range out {
		out[i].Body = strings.Trim(out[i].Body, "\n")
	}
	return slices.DeleteFunc(out, func(s Section) bool { return s == Section{} })
}

func indented(line string) bool { return strings.HasPrefix(line, "  ") }

// Sheet puts sections below one another, as a text is printed.
func Sheet(sections []Section) string {
	var parts []string
	for _, s := range sections {
		parts = append(parts, strings.TrimPrefix(s.Title+"\n"+s.Body, "\n"))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// Paragraph wraps a text for a sheet, every line indented by so many columns.
func Paragraph(text string, indent int) string {
	const width = 78 // what every terminal has, with a little to spare
	in := strings.Repeat(" ", indent)
	return in + strings.Join(wrap(text, width-indent), "\n"+in)
}
