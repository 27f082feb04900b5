package main

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Schemas are derived from tags, by rules of encoding/json told again. Here the
// encoder itself has the word, on every struct that any document holds.

// What a value writes while nothing in it is known is what is required of it, neither
// more nor less; what it writes when all is known is described.
func TestSchemasSayWhatIsWritten(t *testing.T) {
	for _, d := range documents() {
		root, structs := generate(t, d, published)
		if len(structs) == 0 {
			t.Errorf("%s defines nothing", d.schema)
		}
		structs[""] = d.is
		for _, tt := range []struct {
			admits admission
			make   func(*schema, reflect.Type) reflect.Value
		}{{bare, least}, {closed, most}} {
			strict, _ := generate(t, d, tt.admits)
			text, err := evidence.Indented(strict)
			if err != nil {
				t.Fatal(err)
			}
			c := compile(t, d.id(), text)
			for name, is := range structs {
				fragment := ""
				if name != "" {
					fragment = "#/$defs/" + name
				}
				if _, there := strict.Defs[name]; !there && name != "" {
					continue // nothing that is always written holds it
				}
				line, err := evidence.Line(tt.make(root, is).Interface())
				if err != nil {
					t.Fatal(err)
				}
				if err := validate(c.at(t, fragment), line); err != nil {
					t.Errorf("%s, %v as %s: %v", d.schema, is, line, err)
				}
			}
		}
	}
}

// least is a value in which nothing is known but words that cannot be empty; those in
// a reading can.
func least(root *schema, is reflect.Type) reflect.Value {
	v := reflect.New(is).Elem()
	f := filling{root: root}
	f.fill(v)
	return v
}

// most is a value in which everything is known.
func most(root *schema, is reflect.Type) reflect.Value {
	v := reflect.New(is).Elem()
	f := filling{root: root, all: true}
	f.fill(v)
	return v
}

// A filling puts values into what reflection finds.
type filling struct {
	root *schema
	all  bool
}

func (f filling) fill(v reflect.Value) {
	if !f.all && isReading(v.Type()) {
		return
	}
	if words := f.words(v.Type()); len(words) > 0 && (f.all || !slices.Contains(words, any(""))) {
		v.Set(reflect.ValueOf(words[len(words)-1]).Convert(v.Type()))
		return
	}
	if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() {
		for i := range v.NumField() {
			f.field(v, i)
		}
		return
	}
	if f.all {
		f.value(v)
	}
}

func (f filling) words(t reflect.Type) []any {
	if t.PkgPath() == "" {
		return nil // built in, or without a name
	}
	if d := f.root.Defs[defName(t)]; d != nil {
		return d.Enum
	}
	return nil
}

// field fills one, and names the schema of what is a document by itself.
func (f filling) field(v reflect.Value, i int) {
	if name := v.Type().Field(i).Tag.Get("json"); strings.Contains(name, ",omit") && !f.all {
		return
	} else if name == "schema" {
		for _, d := range documents() {
			if d.is == v.Type() {
				v.Field(i).SetString(d.schema)
			}
		}
		return
	}
	f.fill(v.Field(i))
}

func (f filling) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct: // a time
		v.Set(reflect.ValueOf(time.Date(2026, 11, 29, 3, 12, 11, 120_000_001, time.UTC)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case reflect.Map:
		one := reflect.New(v.Type().Elem()).Elem()
		f.fill(one)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x").Convert(v.Type().Key()), one)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.String:
		v.SetString("x")
	}
}

// set changes one member of a decoded document, or takes it out.
func set(t *testing.T, doc any, path []string, value any) {
	t.Helper()
	for _, name := range path[:len(path)-1] {
		if i, err := strconv.Atoi(name); err == nil {
			doc = doc.([]any)[i]
		} else {
			doc = doc.(map[string]any)[name]
		}
	}
	last := path[len(path)-1]
	switch into := doc.(type) {
	case map[string]any:
		if value == nil {
			delete(into, last)
		} else {
			into[last] = value
		}
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil {
			t.Fatal(err)
		}
		into[i] = value
	default:
		t.Fatalf("%v leads nowhere", path)
	}
}
