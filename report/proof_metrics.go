package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The signals that the runbooks ask to expose apart from one another: how long
// renewals lag, how often the resource refuses a token, how long takeovers take, how
// wide the lease's margin is.

// ProofMetrics writes a proof in the OpenMetrics text format.
func ProofMetrics(w io.Writer, p evidence.Proof) error {
	m := &metrics{key: labelValue(p.Key)}
	m.family("lockscene_proven", "gauge", "", "1 when every assertion of the lease contract passes")
	m.sample("lockscene_proven", "", number(p.Proven))
	m.family("lockscene_assertion", "gauge", "", "the outcome of one assertion: 1 pass, 0 fail, -1 not evidenced")
	for _, r := range p.Results {
		value := map[evidence.ProofOutcome]string{evidence.Pass: "1", evidence.Fail: "0"}[r.Outcome]
		m.sample("lockscene_assertion", `,id="`+labelValue(r.ID)+`"`, cmp.Or(value, "-1"))
	}
	m.spread("lockscene_time_to_safe_release_seconds", "from the disappearance of the owner to the lock being free", p.Release)
	m.spread("lockscene_time_to_safe_transfer_seconds", "from the disappearance of the owner to the next holder: takeover latency", p.Transfer)
	m.spread("lockscene_renewal_gap_seconds", "the longest time between two renewals of a run: renewal lag", p.Gap)
	m.family("lockscene_fencing_rejections", "gauge", "", "writes that the protected resource refused, over all runs")
	m.sample("lockscene_fencing_rejections", "", fmt.Sprint(p.Rejected))
	if p.Margin > 0 {
		m.family("lockscene_lease_margin_ratio", "gauge", "ratio", "lease over renewal interval, worst stall and slowest renewal together")
		m.sample("lockscene_lease_margin_ratio", "", fmt.Sprintf("%.4g", p.Margin))
	}
	m.limits(p.Limits)
	return write(w, m.out.String()+"# EOF\n")
}

// limits are the contract's durations, so that an alert compares with the contract
// and not with a copy of it.
func (m *metrics) limits(all []evidence.Limit) {
	const name = "lockscene_limit_seconds"
	first := true
	for _, l := range all {
		d, err := time.ParseDuration(l.Value)
		if err != nil {
			continue
		}
		if first {
			m.family(name, "gauge", "seconds", "what the lease contract allows, or the default where it does not say")
			first = false
		}
		m.sample(name, `,limit="`+labelValue(l.Name)+`"`, fmt.Sprintf("%.6g", d.Seconds()))
	}
}

type metrics struct {
	out strings.Builder
	key string
}

func (m *metrics) family(name, kind, unit, help string) {
	fmt.Fprintf(&m.out, "# TYPE %s %s\n", name, kind)
	if unit != "" {
		fmt.Fprintf(&m.out, "# UNIT %s %s\n", name, unit)
	}
	fmt.Fprintf(&m.out, "# HELP %s %s\n", name, help)
}

func (m *metrics) sample(name, labels, value string) {
	fmt.Fprintf(&m.out, "%s{key=\"%s\"%s} %s\n", name, m.key, labels, value)
}

func (m *metrics) spread(name, help string, s evidence.Spread) {
	if s.Runs == 0 {
		return
	}
	m.family(name, "gauge", "seconds", help)
	for _, v := range []struct {
		stat string
		d    time.Duration
	}{{"min", s.Min}, {"median", s.Median}, {"max", s.Max}} {
		m.sample(name, `,stat="`+v.stat+`"`, fmt.Sprintf("%.6g", v.d.Seconds()))
	}
}

// labelValue is a text between quotes: made printable first, so that of what the format
// escapes a backslash and a quote are all that can be in it.
func labelValue(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(show(s, longName))
}

func number(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
