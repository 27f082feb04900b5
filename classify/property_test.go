package classify

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Less evidence can only widen what is open: of any story, hide some readings,
// and its label stays, or is still open, or stands among those not ruled out.
// Whose process and whose value it is are not hidden: that asks another question.
func TestLessEvidenceOfStories(t *testing.T) {
	for _, all := range []stories{leaseStories, ownerStories, identityStories, pathStories, clockStories, coordinatorStories, cases, serverCases, supervisedStories, pauseStories, rebootStories, sayingStories, networkStories, deedStories, pastStories, noticeStories, quorumStories, slowHolderStories, signStories} {
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

// The same of what was written down: leave out one kind of event, or a whole log,
// or its end, or lines here and there, or the coordinator's file, and nothing is
// concluded that the fuller record contradicts. The beginning stays: whose tenure
// is asked about is not hidden.
func TestLessRecordOfStories(t *testing.T) {
	decided := 0
	for _, all := range []stories{deedStories, pastStories} {
		for name, s := range all {
			snap := s.scene().Snapshot
			if len(snap.Looks) == 0 {
				snap.At = recordEnd(snap) // else the end of what is left would be asked about
			}
			full := Judge(snap)
			if full.Label != evidence.Inconclusive {
				decided++
			}
			random := rand.New(rand.NewPCG(5, uint64(len(name))))
			for range 200 {
				less, hidden := forget(snap, random)
				v := Judge(less)
				if full.Label == evidence.Inconclusive || v.Label == full.Label || slices.Contains(v.NotRuledOut, full.Label) ||
					v.Label == evidence.Inconclusive && slices.Contains(v.Open, full.Label) {
					continue
				}
				t.Errorf("%s: %s became %s (open %v, not ruled out %v; %s) without %s", name, full.Label, v.Label, v.Open, v.NotRuledOut, v.Answers.Lease.Says, hidden)
				break
			}
		}
	}
	if decided < 8 {
		t.Errorf("only %d stories are decided: this proves little", decided)
	}
}

// recordEnd is when the last record was made, on the coordinator's clock as far as
// the stories have one.
func recordEnd(s evidence.Snapshot) time.Time {
	var end time.Time
	for _, r := range open(s).record {
		if r.on.From.After(end) {
			end = r.on.From
		}
	}
	for _, w := range s.History.Value.Writes {
		if w.At.From.After(end) {
			end = w.At.From
		}
	}
	return end
}

// forget leaves out a part of what was recorded.
func forget(s evidence.Snapshot, random *rand.Rand) (less evidence.Snapshot, hidden string) {
	events := slices.Clone(s.Events)
	drop := func(what string, is func(i int, e evidence.AppEvent) bool) {
		var kept []evidence.AppEvent
		for i, e := range events {
			if !is(i, e) {
				kept = append(kept, e)
			}
		}
		s.Events, hidden = kept, what
	}
	if len(events) == 0 || random.IntN(8) == 0 {
		s.History = evidence.Reading[evidence.History]{}
		return s, "the file"
	}
	one := events[random.IntN(len(events))]
	switch random.IntN(4) {
	case 0:
		drop("every "+string(one.Event), func(_ int, e evidence.AppEvent) bool { return e.Event == one.Event })
	case 1:
		drop("the log "+string(one.At.Clock), func(_ int, e evidence.AppEvent) bool { return e.At.Clock == one.At.Clock })
	case 2:
		drop("the end of "+string(one.At.Clock)+" from "+one.At.From.Format("15:04:05"), func(_ int, e evidence.AppEvent) bool {
			return e.At.Clock == one.At.Clock && !e.At.From.Before(one.At.From)
		})
	default:
		// A log that goes on and leaves heartbeats out is no less evidence, but false.
		share := random.Float64()
		drop("lines", func(_ int, e evidence.AppEvent) bool {
			return e.Event != evidence.DeedHeartbeat && random.Float64() < share
		})
	}
	return s, hidden
}
