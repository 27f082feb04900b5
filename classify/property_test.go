package classify

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// Less evidence can only widen what is open: of any story, hide some readings,
// and its label stays, or is still open, or stands among those not ruled out.
// Whose process and whose value it is are not hidden: that asks another question.
func TestLessEvidenceOfStories(t *testing.T) {
	for _, all := range []stories{leaseStories, ownerStories, identityStories, pathStories, clockStories, coordinatorStories, cases, serverCases} {
		for name, s := range all {
			if name == "told a lease that is too long" {
				continue // what was said is believed where nothing that was seen contradicts it
			}
			snap := s.scene().Snapshot
			full := Judge(snap)
			random := rand.New(rand.NewPCG(3, uint64(len(name)))) // the same on every run, whatever the map's order
			data, err := json.Marshal(snap)
			if err != nil {
				t.Fatal(err)
			}
			for range 40 {
				less, hidden := hide(t, data, random)
				v := Judge(less)
				if full.Label == evidence.Inconclusive || v.Label == full.Label || slices.Contains(v.NotRuledOut, full.Label) ||
					v.Label == evidence.Inconclusive && slices.Contains(v.Open, full.Label) {
					continue
				}
				t.Errorf("%s: %s became %s (open %v, not ruled out %v) without %v", name, full.Label, v.Label, v.Open, v.NotRuledOut, hidden)
				break
			}
		}
	}
}

func hide(t *testing.T, data []byte, random *rand.Rand) (less evidence.Snapshot, hidden []string) {
	t.Helper()
	if err := json.Unmarshal(data, &less); err != nil {
		t.Fatal(err)
	}
	density := random.Float64()
	visit(reflect.ValueOf(&less).Elem(), "", func(name string, r reflect.Value) {
		if random.Float64() < density {
			r.Set(reflect.Zero(r.Type()))
			hidden = append(hidden, name)
		}
	})
	return less, hidden
}

func visit(v reflect.Value, name string, f func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		if strings.HasPrefix(v.Type().Name(), "Reading[") {
			f(name, v)
			return
		}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !slices.Contains([]string{"Value", "Fields", "Inodes"}, field.Name) {
				visit(v.Field(i), name+"."+field.Name, f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), name+"["+itoa(i)+"]", f)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), name, f)
		}
	}
}
