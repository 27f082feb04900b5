package events

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lockscene/lockscene/evidence"
)

// A Mapping says which lines of a log are events. docs/events.md describes the
// file it is read from.
type Mapping struct {
	Name    string
	rules   []rule
	server  bool // lines of redis-server and Sentinel are recognised
	chronyd bool // lines of chronyd are
}

// A rule is one entry of a mapping.
type rule struct {
	name     string            // of the mapping file it came from, for the report
	match    *regexp.Regexp    // nil: the rule is about fields
	literals []string          // every match contains one of these; none: not known
	kind     string            // event, clock, server, cluster
	event    string            // the deed, kind, class or reason, where it is fixed
	ok       *bool             // where it is fixed
	clock    string            //
	object   string            // what kind of thing the group object names: pod, process
	layouts  []string          // of the group at; empty: any form package stamp knows
	fields   map[string]string // plain name -> the name it is written under, lower case
	words    map[string]string // a word as written -> the deed
}

// Limits of a mapping file.
const (
	maxMapping = 256 << 10 // bytes
	maxRules   = 500
	maxPattern = 2_000 // bytes of an expression; RE2 keeps matching linear whatever it says
)

var kinds = []string{"event", "clock", "server", "cluster"}

// groups are the names a group of an expression may have.
var groups = []string{"at", "event", "key", "owner", "token", "request", "took_ms", "ok", "actor", "text", "clock", "by", "object", "node"}

// A fault is a mistake in a mapping file, with its line.
func fault(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: %w", n.Line, fmt.Errorf(format, args...))
}

// ParseMapping reads a mapping file. Its errors name the line.
func ParseMapping(name string, b []byte) (*Mapping, error) {
	if len(b) > maxMapping {
		return nil, fmt.Errorf("parse mapping %s: more than %d bytes", name, maxMapping)
	}
	m := &Mapping{Name: name}
	if err := m.parse(b, 0); err != nil {
		return nil, fmt.Errorf("parse mapping %s: %w", name, err)
	}
	if len(m.rules) == 0 && !m.server && !m.chronyd {
		return nil, fmt.Errorf("parse mapping %s: it has no rules", name)
	}
	return m, nil
}

// parse adds the rules of a file. Mappings may include the ready-made ones, and
// one of those the others: depth keeps them from going in circles.
func (m *Mapping) parse(b []byte, depth int) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		why := strings.TrimPrefix(err.Error(), "yaml: ")
		// What is never closed is missed at the end.
		if !strings.Contains(why, "line ") {
			why = fmt.Sprintf("line %d: %s", bytes.Count(b, []byte("\n"))+1, why)
		}
		return errors.New(why)
	}
	if len(doc.Content) == 0 {
		return nil
	}
	list := doc.Content[0]
	if list.Kind != yaml.SequenceNode {
		return fault(list, "a mapping is a list of rules")
	}
	for _, n := range list.Content {
		if len(m.rules) >= maxRules {
			return fault(n, "more than %d rules", maxRules)
		}
		if err := m.add(n, depth); err != nil {
			return err
		}
	}
	return nil
}

// add reads one rule.
func (m *Mapping) add(n *yaml.Node, depth int) error {
	if n.Kind != yaml.MappingNode {
		return fault(n, "a rule has the form name: value")
	}
	r := rule{name: m.Name, kind: "event"}
	whole := true
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, v := n.Content[i], n.Content[i+1]
		switch name.Value {
		case "include", "reader":
			whole = false
			if err := m.refer(name.Value, v, depth); err != nil {
				return err
			}
		default:
			if err := r.set(name, v); err != nil {
				return err
			}
		}
	}
	if !whole && len(n.Content) == 2 {
		return nil
	}
	if err := r.check(n); err != nil {
		return err
	}
	m.rules = append(m.rules, r)
	return nil
}

// refer follows an include or reader entry.
func (m *Mapping) refer(what string, v *yaml.Node, depth int) error {
	switch {
	case what == "reader" && v.Value == "redis-server":
		m.server = true
	case what == "reader" && v.Value == "chronyd":
		m.chronyd = true
	case what == "reader":
		return fault(v, "reader is redis-server or chronyd, not %q", evidence.Clip(v.Value, 40))
	case depth > 1:
		return fault(v, "include goes too deep")
	default:
		if err := m.include(v.Value, depth); err != nil {
			return fault(v, "%w", err)
		}
	}
	return nil
}

// set reads one field of a rule.
func (r *rule) set(name, v *yaml.Node) error {
	switch name.Value {
	case "layout":
		return r.setLayouts(v)
	case "fields", "words":
		return r.setTable(name.Value, v)
	}
	if v.Kind != yaml.ScalarNode {
		return fault(v, "%s is one word or sentence", evidence.Clip(name.Value, 40))
	}
	switch name.Value {
	case "name":
	case "match":
		if len(v.Value) > maxPattern {
			return fault(v, "match has more than %d bytes", maxPattern)
		}
		re, err := regexp.Compile(v.Value)
		if err != nil {
			return fault(v, "match: %w", err)
		}
		r.match, r.literals = re, literalsOf(v.Value)
	case "kind":
		r.kind = v.Value
	case "event":
		r.event = evidence.Clip(v.Value, 40)
	case "clock":
		r.clock = v.Value
	case "object":
		r.object = evidence.Clip(v.Value, 40)
	case "ok":
		if r.ok = truth(v.Value); r.ok == nil {
			return fault(v, "ok is true or false, not %q", evidence.Clip(v.Value, 40))
		}
	default:
		return fault(name, "no field is called %q", evidence.Clip(name.Value, 40))
	}
	return nil
}

func (r *rule) setLayouts(v *yaml.Node) error {
	list := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		list = v.Content
	}
	// A day on which no two numbers of a date are alike.
	ref := time.Date(2026, 11, 29, 15, 4, 5, 0, time.UTC)
	for _, n := range list {
		back, err := time.Parse(n.Value, ref.Format(n.Value))
		if err != nil || back.Month() != ref.Month() || back.Day() != ref.Day() {
			return fault(n, "layout %q tells no day, or is no layout such as 2006-01-02 15:04:05", evidence.Clip(n.Value, 60))
		}
		r.layouts = append(r.layouts, n.Value)
	}
	return nil
}

func (r *rule) setTable(name string, v *yaml.Node) error {
	if v.Kind != yaml.MappingNode || len(v.Content) > 2*maxFields {
		return fault(v, "%s is a table of words", name)
	}
	table := make(map[string]string)
	for i := 0; i+1 < len(v.Content); i += 2 {
		from, to := v.Content[i], v.Content[i+1]
		if from.Kind != yaml.ScalarNode || to.Kind != yaml.ScalarNode {
			return fault(to, "%s is a table of words", name)
		}
		if name == "fields" && !slices.Contains(groups, from.Value) {
			return fault(from, "no event has a field %q", evidence.Clip(from.Value, 40))
		}
		key, value := from.Value, to.Value
		if name == "words" {
			key = strings.ToLower(key)
		} else {
			value = strings.ToLower(value)
		}
		table[key] = value
	}
	if name == "words" {
		r.words = table
	} else {
		r.fields = table
	}
	return nil
}

// check says whether a rule is whole.
func (r *rule) check(n *yaml.Node) error {
	switch {
	case !slices.Contains(kinds, r.kind):
		return fault(n, "kind is one of %s, not %q", strings.Join(kinds, ", "), evidence.Clip(r.kind, 40))
	case r.match == nil && len(r.fields) == 0:
		return fault(n, "a rule has a match, for lines, or fields, for JSON and logfmt")
	case r.match == nil && r.kind != "event":
		return fault(n, "a rule of kind %s has a match", r.kind)
	case r.match == nil:
		return nil
	}
	for _, g := range r.match.SubexpNames() {
		if g != "" && !slices.Contains(groups, g) {
			return fault(n, "no event has a field %q", evidence.Clip(g, 40))
		}
	}
	if r.event == "" && !slices.Contains(r.match.SubexpNames(), "event") {
		return fault(n, "neither event nor a group of that name says what the lines mean")
	}
	return nil
}
