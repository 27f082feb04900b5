package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// promtool is Prometheus's own checker. Where it is not installed what it would say is
// not known, and the test says so.
func promtool(t *testing.T, stdin string, args ...string) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("not run: promtool is not installed (Debian: prometheus)")
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// The linter has nothing to say of the metrics of a proof, and of what is none.
func TestPromtoolMetrics(t *testing.T) {
	for pattern, want := range map[string]int{"fenced-*": exitNone, "unfenced-*": exitAssertion} {
		paths, err := filepath.Glob("testdata/proofs/" + pattern + ".tar.gz")
		if err != nil || len(paths) < 2 {
			t.Fatalf("no recorded runs: %v", err)
		}
		var out, errs strings.Builder
		args := append([]string{"prove", "--contract", "testdata/proofs/lease.yaml", "--format", "openmetrics"}, paths...)
		if code := run(t.Context(), args, &out, &errs); code != want {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		promtool(t, out.String(), "check", "metrics")
	}
}

// The sample alerts are valid rules, and fire when they should.
func TestPromtoolAlerts(t *testing.T) {
	promtool(t, "", "check", "rules", "docs/prove-alerts.yaml")
	promtool(t, "", "test", "rules", "testdata/promtool/alerts_test.yaml")
}

// Each sample alert is explained, is tried by promtool's test, and asks for metrics
// that prove writes.
func TestSampleAlerts(t *testing.T) {
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal([]byte(textOf(t, "docs/prove-alerts.yaml")), &rules); err != nil || len(rules.Groups) != 1 || len(rules.Groups[0].Rules) < 3 {
		t.Fatalf("%+v, %v", rules, err)
	}
	written := textOf(t, "report/testdata/golden/proof.metrics")
	for _, r := range rules.Groups[0].Rules {
		if !strings.Contains(textOf(t, "docs/prove.md"), "`"+r.Alert+"`") {
			t.Errorf("docs/prove.md does not explain %s", r.Alert)
		}
		if !strings.Contains(textOf(t, "testdata/promtool/alerts_test.yaml"), "alertname: "+r.Alert+",") {
			t.Errorf("%s is not tried", r.Alert)
		}
		for _, word := range strings.FieldsFunc(r.Expr, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') }) {
			if strings.HasPrefix(word, "lockscene_") && !strings.Contains(written, "# TYPE "+word+" ") {
				t.Errorf("%s asks for %s, which is not written", r.Alert, word)
			}
		}
	}
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
