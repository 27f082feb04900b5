package report

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	promlabels "github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/lockscene/lockscene/evidence"
)

// A sampled is one sample as Prometheus itself reads it.
type sampled struct {
	labels promlabels.Labels
	value  float64
}

// A read is an exposition: its families in order, and all samples.
type read struct {
	families []string
	samples  []sampled
}

// parseMetrics reads OpenMetrics with Prometheus's own parser, and checks what that
// one leaves to others: each family is told once, with its help, before its samples,
// which have its name; only counters end in _total.
func parseMetrics(text string) (read, []string, error) {
	p := textparse.NewOpenMetricsParser([]byte(text), promlabels.NewSymbolTable())
	var out read
	var faults []string
	var family, help string
	for {
		entry, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out, faults, nil
		case err != nil:
			return out, faults, err
		}
		switch entry {
		case textparse.EntryType:
			name, kind := p.Type()
			if family, help = string(name), ""; slices.Contains(out.families, family) {
				faults = append(faults, family+" is told twice")
			}
			if string(kind) == "counter" || string(kind) == "unknown" || strings.HasSuffix(family, "_total") {
				faults = append(faults, family+" is a "+string(kind))
			}
			out.families = append(out.families, family)
		case textparse.EntryUnit:
			if name, unit := p.Unit(); string(name) != family || !strings.HasSuffix(family, "_"+string(unit)) {
				faults = append(faults, family+" is no name of a unit "+string(unit))
			}
		case textparse.EntryHelp:
			_, text := p.Help()
			help = string(text)
		case textparse.EntrySeries:
			_, stamp, value := p.Series()
			var s sampled
			p.Labels(&s.labels)
			s.value = value
			out.samples = append(out.samples, s)
			if name := s.labels.Get(promlabels.MetricName); name != family || help == "" || stamp != nil {
				faults = append(faults, name+" stands in the family "+family)
			}
		}
	}
}

// Prometheus reads what is written, and the key comes back from it as it was shown.
func TestProofMetricsParse(t *testing.T) {
	for name, key := range map[string]string{
		"plain": "lock:orders", "quotes": `lock:"orders"`, "backslashes": `C:\locks\n`, "ends in one": `lock\`,
		"breaks out": "x\"} 1\n# EOF\nlockscene_proven{key=\"y", "hidden": "\x00\x1b[2J\u202e\u00a0\xff", "words": "größe, 鍵 🔒", "none": "", "long": strings.Repeat("k", 500),
	} {
		p := someProof()
		p.Key, p.Results[1].ID = key, key+"-id"
		var text strings.Builder
		if err := ProofMetrics(&text, p); err != nil {
			t.Fatal(err)
		}
		got, faults, err := parseMetrics(text.String())
		if err != nil || len(faults) > 0 {
			t.Errorf("%s: %v, %v:\n%s", name, err, faults, text.String())
			continue
		}
		if len(got.families) != 8 || len(got.samples) != 16 {
			t.Errorf("%s: %d families, %d samples", name, len(got.families), len(got.samples))
		}
		for _, s := range got.samples {
			if k := s.labels.Get("key"); k != show(key, longName) {
				t.Errorf("%s: the key is read as %q", name, k)
			}
			if id := s.labels.Get("id"); id == show(key+"-id", longName) && s.value != 0 {
				t.Errorf("%s: the failed assertion is read as %v", name, s.value)
			}
		}
	}
}

// Where nothing was measured nothing is said: a zero would be a figure.
func TestProofMetricsOfNothing(t *testing.T) {
	var text strings.Builder
	if err := ProofMetrics(&text, evidence.Proof{}); err != nil {
		t.Fatal(err)
	}
	got, faults, err := parseMetrics(text.String())
	if want := []string{"lockscene_proven", "lockscene_assertion", "lockscene_fencing_rejections"}; err != nil || len(faults) > 0 || !slices.Equal(got.families, want) {
		t.Errorf("%v, %v, %v", got.families, faults, err)
	}
}

// What checks the metrics finds what is wrong with them.
func TestMetricsCheckFinds(t *testing.T) {
	const good = "# TYPE a_seconds gauge\n# UNIT a_seconds seconds\n# HELP a_seconds what it is\na_seconds{key=\"x\"} 1\n"
	for name, text := range map[string]string{
		"no end":         good,
		"a foreign unit": strings.Replace(good, "UNIT a_seconds seconds", "UNIT a_seconds bytes", 1) + "# EOF\n",
		"no help":        strings.Replace(good, "# HELP a_seconds what it is\n", "", 1) + "# EOF\n",
		"a raw quote":    strings.Replace(good, `"x"`, `"x"y"`, 1) + "# EOF\n",
		"a stray sample": good + "b 1\n# EOF\n",
		"a counter":      "# TYPE a counter\n# HELP a what it is\na_total 1\n# EOF\n",
		"told twice":     good + good + "# EOF\n",
	} {
		if _, faults, err := parseMetrics(text); err == nil && len(faults) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
	}
	if _, faults, err := parseMetrics(good + "# EOF\n"); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", err, faults)
	}
}
