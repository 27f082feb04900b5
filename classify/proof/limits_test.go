package proof

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Whatever a contract file can state is named among the limits, with its source, and
// nothing else is.
func TestLimits(t *testing.T) {
	var fields []string
	var named func(reflect.Type, string)
	named = func(of reflect.Type, prefix string) {
		for i := range of.NumField() {
			name := prefix + of.Field(i).Tag.Get("yaml")
			if of.Field(i).Type.Kind() == reflect.Struct {
				named(of.Field(i).Type, name+".")
			} else if name != "key" {
				fields = append(fields, name)
			}
		}
	}
	named(reflect.TypeFor[contractYAML](), "")
	full, err := ReadContract([]byte("key: k\nlease: 30s\nrenew_every: 10s\nmax_clock_skew: 1s\nworst_stall: 4s\nworst_renewal: 300ms\nmargin: 2\nlease_max: 60s\n" +
		"release_within: 31s\ntakeover_within: 1h\nfencing: {required: true, from: value, pattern: \":([0-9]+)$\"}\nmodes: [pause]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range limits(full) {
		names = append(names, l.Name)
		if l.From != evidence.LimitContract || l.Value == "" {
			t.Errorf("%s: %q by %s", l.Name, l.Value, l.From)
		}
	}
	if !slices.Equal(names, fields) {
		t.Errorf("limits %v, a contract has %v", names, fields)
	}
	for name, want := range map[string]evidence.Limit{
		"lease":            {Name: "lease", From: evidence.LimitUnstated},
		"max_clock_skew":   {Name: "max_clock_skew", Value: "250ms", From: evidence.LimitDefault},
		"margin":           {Name: "margin", Value: "1.5", From: evidence.LimitDefault},
		"fencing.required": {Name: "fencing.required", Value: "false", From: evidence.LimitDefault},
		"fencing.from":     {Name: "fencing.from", Value: "events", From: evidence.LimitDefault},
		"modes":            {Name: "modes", Value: "crash, partition, clock-anomaly", From: evidence.LimitDefault},
	} {
		if all := limits(evidence.Contract{}); !slices.Contains(all, want) {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// A duration is written as people write it, and read back as the same.
func TestPlain(t *testing.T) {
	for d, want := range map[time.Duration]string{
		30 * time.Second: "30s", time.Minute: "1m", 90 * time.Second: "1m30s", time.Hour: "1h", 10 * time.Hour: "10h", 61 * time.Minute: "1h1m", 250 * time.Millisecond: "250ms", 10 * time.Minute: "10m",
	} {
		back, err := time.ParseDuration(plain(d))
		if got := plain(d); got != want || back != d || err != nil {
			t.Errorf("%v: %s, %v", d, got, err)
		}
	}
}

// Notes stand where a reader could take a proof for more than it is, and only there.
func TestNotes(t *testing.T) {
	if all := notes(evidence.Contract{}); len(all) != 2 || !strings.Contains(all[0], "does not require a fencing token") || !strings.Contains(all[1], "does not state lease") {
		t.Errorf("of nothing: %v", all)
	}
	if all := notes(lease); len(all) != 1 || !strings.Contains(all[0], "no run of partition, clock-anomaly") {
		t.Errorf("of crash alone: %v", all)
	}
	c := lease
	c.Modes = nil
	if all := notes(c); len(all) != 0 {
		t.Errorf("of a whole contract: %v", all)
	}
}
