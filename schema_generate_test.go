package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A schema is a JSON Schema, as far as ours need it; its members stand in the order
// in which people read them.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Type        any                `json:"type,omitempty"` // a name, or several
	Format      string             `json:"format,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Properties  properties         `json:"properties,omitempty"`
	Others      any                `json:"additionalProperties,omitempty"` // a *schema or a bool
	Defs        map[string]*schema `json:"$defs,omitempty"`
}

type property struct {
	name string
	is   *schema
}

type properties []property

// MarshalJSON keeps the order of the Go fields.
func (p properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		data, err := evidence.Line(one.is)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%q:%s", one.name, data)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// An admission is how much of a document a schema admits. The published one is open;
// the others are for tests, which hold it against what is really written.
type admission int

const (
	published admission = iota
	closed              // no member that has no description
	bare                // no member that need not be there
)

// A generator derives schemas from Go types as encoding/json writes them.
type generator struct {
	t      testing.TB
	source []goSource
	admits admission
	defs   map[string]*schema
	seen   map[string]reflect.Type
	unread map[reflect.Type]bool // structs that a reading holds: written empty while it is not seen
}

// readAhead stands on every document, because consumers decide by it whether to fail.
const readAhead = "Members that are not listed here may stand in it: later minor versions add some, and readers pass over those they do not know. " +
	"Required members are always written. A member that is left out is zero, empty or not known, as its description says."

// generate is the schema of one document. Its definitions are all structs and all
// lists of words that it uses.
func generate(t testing.TB, d document, admits admission) (*schema, map[string]reflect.Type) {
	t.Helper()
	g := generator{
		t: t, source: []goSource{readSource(t, "evidence"), readSource(t, ".")}, admits: admits,
		defs: map[string]*schema{}, seen: map[string]reflect.Type{}, unread: map[reflect.Type]bool{},
	}
	root := g.object(d.is)
	root.Dialect, root.ID, root.Title = "https://json-schema.org/draft/2020-12/schema", d.id(), d.schema
	if d.is.PkgPath() != reflect.TypeFor[evidence.Verdict]().PkgPath() {
		root.Description = "" // our own types say to us what they are
	}
	root.Description = sentences(sentences(d.where, root.Description), readAhead)
	root.Defs = g.defs
	return root, g.seen
}

// openWords are types of words that others may write, too: their constants are those
// that the rules know.
func openWords() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[evidence.Clock](), reflect.TypeFor[evidence.Deed]()}
}

func (g *generator) of(t reflect.Type) *schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &schema{Type: "integer", Description: "In nanoseconds."}
	case reflect.TypeFor[time.Time]():
		return &schema{Type: "string", Format: "date-time", Description: "0001-01-01T00:00:00Z where it is not known."}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.Struct:
		return g.ref(t, g.object)
	case reflect.Slice:
		return &schema{Type: "array", Items: g.of(t.Elem())}
	case reflect.Map:
		return &schema{Type: "object", Others: g.of(t.Elem())}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Uint64:
		return &schema{Type: "integer", Minimum: new(int)}
	case reflect.Int, reflect.Int64:
		return g.words(t, "integer")
	case reflect.String:
		return g.words(t, "string")
	}
	g.t.Fatalf("no rule for how %v is written", t)
	return nil
}

func (g *generator) ref(t reflect.Type, make func(reflect.Type) *schema) *schema {
	name := defName(t)
	if other, known := g.seen[name]; known && other != t {
		g.t.Fatalf("%v and %v would share the name %s", t, other, name)
	}
	if _, known := g.seen[name]; !known {
		g.seen[name] = t // before it is made, for types that hold themselves
		g.defs[name] = make(t)
	}
	return &schema{Ref: "#/$defs/" + name}
}

var packagePath = regexp.MustCompile(`[\w./-]*\.(\w)`)

// defName is a type's name without what a reference would have to escape:
// Reading[[]evidence.Field] becomes ReadingFieldList.
func defName(t reflect.Type) string {
	name := strings.TrimSuffix(packagePath.ReplaceAllString(t.Name(), "$1"), "JSON")
	name = strings.ToUpper(name[:1]) + name[1:]
	base, of, generic := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if !generic {
		return name
	}
	suffix := ""
	if rest, is := strings.CutPrefix(of, "[]"); is {
		of, suffix = rest, "List"
	}
	if rest, is := strings.CutPrefix(of, "map[string]"); is {
		of, suffix = rest, "Map"
	}
	return base + strings.ToUpper(of[:1]) + of[1:] + suffix
}

// words is a type whose constants are all it can be, or a plain one.
func (g *generator) words(t reflect.Type, kind string) *schema {
	all := g.constants(t)
	if len(all) == 0 || slices.Contains(openWords(), t) {
		return &schema{Type: kind, Description: knownWords(all)}
	}
	return g.ref(t, func(t reflect.Type) *schema {
		s := &schema{Type: kind, Description: g.doc(t, "")}
		for _, w := range all {
			s.Enum = append(s.Enum, w.value)
			if w.means != "" {
				s.Description += fmt.Sprintf("\n- %s: %s", wordOf(w.value), w.means)
			}
		}
		return s
	})
}

// isReading says whether a type is a Reading of anything: its second field is what it
// holds.
func isReading(t reflect.Type) bool {
	return strings.HasPrefix(t.Name(), "Reading[") && t.NumField() > 1 && t.Field(1).Name == "Value"
}

// isWords says whether a type has words of its own and no empty one.
func (g *generator) isWords(t reflect.Type) bool {
	all := g.constants(t)
	return t.Kind() == reflect.String && len(all) > 0 && !slices.Contains(openWords(), t) &&
		!slices.ContainsFunc(all, func(w word) bool { return w.value == "" })
}

func wordOf(v any) string {
	if v == "" {
		return "empty"
	}
	return fmt.Sprint(v)
}

func knownWords(all []word) string {
	if len(all) < 2 {
		return ""
	}
	var known []string
	for _, w := range all {
		known = append(known, wordOf(w.value))
	}
	return "Any word; those that are known: " + strings.Join(known, ", ") + "."
}

// from is the source that declares a type.
func (g *generator) from(t reflect.Type) goSource {
	if strings.HasSuffix(t.PkgPath(), "/evidence") {
		return g.source[0]
	}
	return g.source[1]
}

func (g *generator) constants(t reflect.Type) []word {
	if t.PkgPath() == "" {
		return nil
	}
	return g.from(t).words[t.Name()]
}

func (g *generator) doc(t reflect.Type, field string) string {
	base, _, _ := strings.Cut(t.Name(), "[")
	return g.from(t).docs[base+field]
}

// written are the types that write themselves, by what they write.
func written() map[reflect.Type]reflect.Type {
	return map[reflect.Type]reflect.Type{
		reflect.TypeFor[evidence.Interval](): reflect.TypeFor[writtenInterval](),
		reflect.TypeFor[evidence.Verdict]():  reflect.TypeFor[evidence.Verdict](),
		reflect.TypeFor[evidence.Answer]():   reflect.TypeFor[evidence.Answer](),
		reflect.TypeFor[evidence.Finding]():  reflect.TypeFor[evidence.Finding](),
	}
}

// writtenInterval is an Interval as its MarshalJSON writes it.
type writtenInterval struct {
	From  moment         `json:"from,omitempty"`  // left out: it may have been at any time before to
	To    moment         `json:"to,omitempty"`    // left out: it may have been at any time after from
	Clock evidence.Clock `json:"clock,omitempty"` // coordinator, host:BOOT-ID or app:SOURCE; moments of different clocks cannot be compared
}

// moment is a time in the form that FormatTime gives it.
type moment string

func (g *generator) object(t reflect.Type) *schema {
	s := &schema{Type: "object", Description: g.doc(t, ""), Others: true}
	as := t
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		as = written()[t]
		if as == nil {
			g.t.Fatalf("%v writes itself, and nothing here says how", t)
		}
	}
	if isReading(t) {
		g.unread[t.Field(1).Type] = true
	}
	for i := range as.NumField() {
		g.field(s, as, as.Field(i), t.Implements(reflect.TypeFor[json.Marshaler]()))
	}
	if g.admits != published {
		s.Others = false
	}
	return s
}

// field adds one member. It can be left out as encoding/json understands it: a struct
// is never empty, and omitempty keeps it.
func (g *generator) field(s *schema, t reflect.Type, f reflect.StructField, listsStay bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" || f.Anonymous || !f.IsExported() || f.Type.Kind() == reflect.Array {
		g.t.Fatalf("no rule for how %v.%s is written", t, f.Name)
	}
	required := !(options == "omitzero" || options == "omitempty" && f.Type.Kind() != reflect.Struct)
	if required {
		s.Required = append(s.Required, name)
	} else if g.admits == bare {
		return
	}
	is := g.of(f.Type)
	switch {
	case name == "schema":
		is.Pattern = "^" + regexp.QuoteMeta(schemaOf(g.t, t)) + `(\.[0-9]+)?$`
	case f.Type == reflect.TypeFor[moment]():
		is.Format, is.Pattern = "date-time", `\.[0-9]{6}Z$`
	case required && f.Type.Kind() == reflect.Pointer:
		g.t.Fatalf("no rule for how %v.%s is written when it is nil", t, f.Name)
	case required && !listsStay && (f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map):
		is.Type = []any{is.Type, "null"} // what is never filled is null and not empty
	case required && g.unread[t] && g.isWords(f.Type):
		is = &schema{AnyOf: []*schema{is, {Enum: []any{""}}}, Description: "Empty where the reading was not seen."}
	}
	if says := g.doc(t, "."+f.Name); !strings.Contains(says, "nanoseconds") {
		is.Description = sentences(says, is.Description)
	} else {
		is.Description = says
	}
	s.Properties = append(s.Properties, property{name, is})
}

// sentences joins two remarks, of which the second is one sentence or none.
func sentences(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, ".") + ". " + b
}

// schemaOf is what documents of a type call themselves.
func schemaOf(t testing.TB, of reflect.Type) string {
	for _, d := range documents() {
		if d.is == of {
			return d.schema
		}
	}
	t.Fatalf("%v names a schema, and is no document", of)
	return ""
}
