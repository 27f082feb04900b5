package report

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// How long the lock took to become safe stands on the card and in the ticket, with
// the sources of the moment it counts from.
func TestRecovery(t *testing.T) {
	b := crash()
	b.Verdict.Times.DisappearedBy = []string{"events", "unit ledger.service"}
	b.Verdict.Times.ToSafeRelease = &evidence.Range{Least: 25 * time.Second, Most: 25500 * time.Millisecond}
	b.Verdict.Times.ToSafeTransfer = &evidence.Range{Least: 26 * time.Second, Most: 26 * time.Second}
	card := text(t, b, Options{Width: 120})
	var out strings.Builder
	if err := Markdown(&out, b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"events, unit ledger.service", "time to safe release 25.0 s to 25.5 s", "time to safe transfer 26.0 s"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	for _, want := range []string{"time to safe release: 25.0 s to 25.5 s", "time to safe transfer: 26.0 s"} {
		if !strings.Contains(strings.ReplaceAll(out.String(), `\`, ""), want) {
			t.Errorf("the ticket lacks %q", want)
		}
	}
	if strings.Contains(text(t, crash(), Options{Width: 120}), "recovery") {
		t.Error("a recovery is told that nobody measured")
	}
}
