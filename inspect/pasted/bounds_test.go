package pasted_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// A text may name as many hosts as it likes. Each has a clock to be reckoned, so
// only so many are read; the owner's is, wherever it stands.
func TestTooManyHosts(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "root@fig-%d:~# date\nMon Oct  5 09:31:%02d UTC 2026\n", i, i/10)
	}
	b.WriteString("root@quince-3:~# date\nMon Oct  5 09:32:00 UTC 2026\n")
	s, r := imported(t, b.String(), pasted.Options{Host: "quince-3"})
	if n := len(s.Vantages); n > 100 {
		t.Errorf("%d vantages of one text", n)
	}
	if !slices.ContainsFunc(s.Vantages, func(v evidence.Vantage) bool { return v.Host == "quince-3" }) {
		t.Error("the owner's host was passed over")
	}
	if !strings.Contains(strings.Join(r.Unknown, "\n"), "436 commands and remarks too many") {
		t.Errorf("it does not say what was left out: %q", r.Unknown)
	}
}

// What nobody understands takes no room from what decides.
func TestForeignCommandsLeaveRoom(t *testing.T) {
	text := strings.Repeat("root@fig-1:~# frobnicate --all\ndone\n", 20_000) + asked(1, "GET lk", `"a"`, "PTTL lk", "(integer) 20000")
	s, r := imported(t, text, pasted.Options{})
	if len(s.Looks) != 1 || s.Looks[0].PTTL.State != evidence.Seen {
		t.Errorf("the look behind them was not read: %+v", s.Looks)
	}
	if !strings.Contains(strings.Join(r.Unknown, "\n"), "10000 commands and remarks too many") {
		t.Errorf("it does not say what was left out: %q", r.Unknown[max(0, len(r.Unknown)-3):])
	}
}
