package dialect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestShedlock(t *testing.T) {
	at := time.Date(2026, 1, 5, 3, 10, 0, 4e6, time.UTC)
	for value, want := range map[string]struct{ host, since string }{
		"ADDED:2026-01-05T03:10:00.004Z@host-7":                         {"host-7", "before 6.7.0"},
		"ADDED:2026-01-05T03:10:00.004Z@host-7:" + clientA:              {"host-7", "since 6.7.0"},
		"ADDED:2026-01-05T03:10:00.004Z@ledger-7c9f.prod.local":         {"ledger-7c9f.prod.local", "before 6.7.0"},
		"ADDED:2026-01-05T03:10:00.004Z@fe80::1:" + clientA:             {"fe80::1", "since 6.7.0"},
		"ADDED:2026-01-05T03:10:00.004Z@unknown host":                   {"unknown host", "before 6.7.0"},
		"ADDED:2026-01-05T03:10:00.004Z@host-7:" + clientA[:35] + "g":   {"host-7:" + clientA[:35] + "g", "before 6.7.0"},
		"ADDED:2026-01-05T03:10:00.004Z@" + clientA[:35] + ":" + "host": {clientA[:35] + ":host", "before 6.7.0"},
	} {
		r := wantFit(t, shedlock(), expiring("job-lock:default:report", value), evidence.Certain)
		d := r.Dialect
		if l := d.Holders[0]; l.Host != want.host || !l.Since.Equal(at) || l.Text != value {
			t.Errorf("%s: %+v", value, l)
		}
		if !slices.ContainsFunc(r.Because, func(b string) bool { return strings.Contains(b, want.since) }) {
			t.Errorf("%s: %q", value, r.Because)
		}
		if d.Lease != 0 || d.RenewEvery != 0 || d.Share != 0 || d.Renews != evidence.ByCall || !noted(d, "runs out by design") {
			t.Errorf("%s: %+v", value, d)
		}
	}
	// any key will do: the prefix can be chosen
	wantFit(t, shedlock(), expiring("x", "ADDED:2026-01-05T03:10:00Z@h"), evidence.Certain)
	if got := shedlock().Keys("report"); got[0] != "job-lock:default:report" {
		t.Errorf("keys %q", got)
	}
}

func TestShedlockNearMisses(t *testing.T) {
	for _, value := range []string{
		"", "ADDED:", "ADDED:@", "ADDED:2026-01-05T03:10:00.004Z", "ADDED:2026-01-05T03:10:00.004Z@", "added:2026-01-05T03:10:00.004Z@h",
		"ADDED:2026-01-05 03:10:00.004Z@h", "ADDED:2026-13-05T03:10:00.004Z@h", "ADDED:2026-01-05T03:10:00.004@h", "ADDED:2026-01-05T03:10:00,004Z@h",
		"ADDED:2026-01-05T03:10:00.00400000000000000000Z@h", "ADDED:2026-01-05T03:10:00.004Z@a@b", "ADDED:2026-01-05T03:10:00.004Z@h\x1b[31m",
		"ADDED:2026-01-05T03:10:00.004Z@\xff", "ADDED:2026-01-05T03:10:00.004Z@" + strings.Repeat("h", 70000), "ADDED:99999-01-05T03:10:00.004Z@h",
	} {
		wantFit(t, shedlock(), expiring("job-lock:default:report", value), evidence.Misfit)
	}
	s := expiring("job-lock:default:report", "ADDED:2026-01-05T03:10:00.004Z@h")
	s.Type = "hash"
	wantFit(t, shedlock(), s, evidence.Misfit)
}

func TestShedlockHostile(t *testing.T) {
	survive(t, shedlock(), expiring("job-lock:default:report", "ADDED:2026-01-05T03:10:00.004Z@host-7"))
}
