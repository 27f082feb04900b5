package evidence_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// hostile is a bundle as its author likes it.
type hostile struct {
	Capture  evidence.Capture
	Probes   []evidence.Probe
	Snapshot evidence.Snapshot
	Raw      map[string][]byte
}

// FuzzMerge merges two bundles from strangers: nothing they may say makes merging,
// parsing, judging, comparing or freezing fall over, or end in two ways.
func FuzzMerge(f *testing.F) {
	vantage := `{"name":"owner","host":"%","boot_id":"b","start":{"wall":"2026-11-29T03:12:11Z","boot":9000000000},"end":{"wall":"2026-11-29T03:12:12Z","boot":9900000000},"candidates":[{"pid":7,"way":"flag"}]}`
	look := `{"span":{"start":{"wall":"2026-11-29T03:12:11Z","boot":9000000000},"end":{"wall":"2026-11-29T03:12:11Z","boot":9000100000}},"before":{"state":"seen","value":"2026-11-29T03:12:11Z"},"after":{"state":"seen","value":"2026-11-29T03:12:11Z"}}`
	one := `{"Capture":{"subject":{"key":"k","redis":"r:1"},"vantages":[` + vantage + `]},"Snapshot":{"looks":[` + look + `]},` +
		`"Probes":[{"name":"redis/sample","source":"redis/r:1","look":1,"vantage":"owner","status":"ok","file":"owner/x","bytes":3,"start":{"boot":9000000000},"end":{"boot":9000100000}}],"Raw":{"owner/x":"KjENCg=="}}`
	two := `{"Capture":{"subject":{"key":"k","redis":"r:1"},"vantages":[{"name":"../x","host":"h","shift":-9223372036854775808,"width":9223372036854775807,"reckoned":{"coordinator":"9999-12-31T23:59:59Z","wall_from":"0001-01-01T00:00:01Z","boot_to":9223372036854775807}},{"name":"../x"}]},` +
		`"Probes":[{"name":"proc/stat","pid":7,"look":-3,"vantage":"nobody","end":{"boot":-9223372036854775808}}]}`
	f.Add([]byte(one), []byte(two), int64(0))
	f.Add([]byte(one), []byte(one), int64(time.Second))
	f.Fuzz(func(t *testing.T, a, b []byte, skew int64) {
		var x, y hostile
		if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
			return
		}
		merge := func() (evidence.Bundle, []byte) {
			var sources []evidence.Source
			for _, h := range []hostile{x, y} {
				sources = append(sources, evidence.Source{Name: "x", Bundle: evidence.Bundle{Capture: h.Capture, Probes: h.Probes, Snapshot: h.Snapshot, Raw: h.Raw}})
			}
			m, err := evidence.Merge(sources, max(time.Duration(skew), 0))
			if err != nil {
				return m, nil
			}
			if m.Snapshot, err = inspect.Parse(m.Capture, m.Probes, m.Raw); err != nil {
				return m, nil
			}
			m.Verdict = classify.Judge(m.Snapshot)
			_ = evidence.Diff(sources[0].Bundle, m)
			var out bytes.Buffer
			if _, _, err := evidence.Freeze(&out, m); err != nil {
				return m, nil // what no reader would take is refused, aloud
			}
			return m, out.Bytes()
		}
		m, first := merge()
		if _, second := merge(); !bytes.Equal(first, second) {
			t.Fatal("merged twice, differs")
		}
		if first == nil {
			return
		}
		if got, want := len(m.Probes), len(x.Probes)+len(y.Probes); got != want {
			t.Fatalf("%d probes of %d", got, want)
		}
		if got, want := len(m.Raw), len(x.Raw)+len(y.Raw); got != want {
			t.Fatalf("%d raw files of %d", got, want)
		}
		for _, p := range m.Probes {
			if p.End.Boot < p.Start.Boot && p.Vantage == "" {
				t.Fatalf("a probe of nobody: %+v", p)
			}
		}
	})
}
