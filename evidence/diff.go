package evidence

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Change is one thing that two captures of a lock show differently.
type Change struct {
	Where  string `json:"where"`            // what it is of, as a path: verdict/label, client 41/idle
	Before string `json:"before,omitempty"` // as the first capture has it; empty: not there, or not read
	After  string `json:"after,omitempty"`  // as the second has it
	Note   string `json:"note,omitempty"`   // what it means, where that is certain
}

// maxChanges bounds the rows of one kind: of a thousand connections that came and
// went, the number is what matters.
const maxChanges = 40

// Diff lists what changed between two captures, what was concluded first, then
// what was seen. Moments that overlap have not changed: they were measured twice.
// It compares what the bundles hold; parsing both by the same rules is for the
// caller.
func Diff(a, b Bundle) []Change {
	d := differ{a: a, b: b}
	d.subject()
	d.verdict()
	d.lease()
	d.server()
	d.clients()
	d.processes()
	d.findings()
	d.reads()
	return d.out
}

// A differ is a comparison under way.
type differ struct {
	a, b Bundle
	out  []Change
}

// say notes a change, unless there is none.
func (d *differ) say(where, before, after, note string) {
	if before != after {
		d.out = append(d.out, Change{where, before, after, note})
	}
}

func (d *differ) subject() {
	x, y := d.a.Capture.Subject, d.b.Capture.Subject
	if x.Key != y.Key || x.DB != y.DB {
		d.say("key", fmt.Sprintf("%s db %d", x.Key, x.DB), fmt.Sprintf("%s db %d", y.Key, y.DB), "two locks: what follows is no change of one")
	}
	d.say("redis", x.Redis, y.Redis, "")
	d.say("hosts", hostsOf(d.a), hostsOf(d.b), "")
	told, now := d.a.Capture.Contract, d.b.Capture.Contract
	d.say("contract/lease", quantity(told.Lease), quantity(now.Lease), "told, not seen")
	d.say("contract/renew_every", quantity(told.RenewEvery), quantity(now.RenewEvery), "told, not seen")
}

func hostsOf(b Bundle) string {
	var out []string
	for _, v := range b.Capture.Vantages {
		out = append(out, v.Host)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

func quantity(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func (d *differ) verdict() {
	x, y := d.a.Verdict, d.b.Verdict
	d.say("verdict/label", string(x.Label), string(y.Label), "")
	d.say("verdict/cause", x.Cause, y.Cause, "")
	d.say("verdict/grade", string(x.Grade), string(y.Grade), "")
	if x.Label == y.Label {
		d.say("verdict/open", labelList(x.Open), labelList(y.Open), "")
	}
	d.say("verdict/not_ruled_out", labelList(x.NotRuledOut), labelList(y.NotRuledOut), "")
	d.say("state", string(x.State), string(y.State), "")
	for _, q := range []struct {
		name string
		a, b Answer
	}{
		{"lease", x.Answers.Lease, y.Answers.Lease}, {"owner", x.Answers.Owner, y.Answers.Owner}, {"path", x.Answers.Path, y.Answers.Path},
		{"clock", x.Answers.Clock, y.Answers.Clock}, {"coordinator", x.Answers.Coordinator, y.Answers.Coordinator},
	} {
		d.say("answers/"+q.name, answered(q.a), answered(q.b), "")
	}
	d.times(x.Times, y.Times)
}

func answered(a Answer) string {
	if a.Value == Unknown && len(a.Possible) > 1 {
		return strings.Join(a.Possible, " or ")
	}
	return strings.TrimSpace(a.Value + " " + string(a.Grade))
}

func labelList(labels []Label) string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = string(l)
	}
	return strings.Join(out, ", ")
}

func (d *differ) times(x, y Times) {
	for _, t := range []struct {
		name string
		a, b *Interval
	}{
		{"acquired", x.Acquired, y.Acquired}, {"last_renewal", x.LastRenewal, y.LastRenewal}, {"renewal_due", x.Due, y.Due},
		{"disappeared", x.Disappeared, y.Disappeared}, {"lease_ends", x.LeaseEnds, y.LeaseEnds},
		{"safe_release", x.SafeRelease, y.SafeRelease}, {"safe_transfer", x.SafeTransfer, y.SafeTransfer},
	} {
		if t.a != nil && t.b != nil && t.a.Clock == t.b.Clock && !t.a.Before(*t.b) && !t.a.After(*t.b) {
			continue
		}
		note := ""
		if t.a != nil && t.b != nil && t.a.Closed() && t.b.Closed() {
			note = later(t.b.Mid().Sub(t.a.Mid()))
		}
		d.say("times/"+t.name, interval(t.a), interval(t.b), note)
	}
	for _, r := range []struct {
		name string
		a, b *Range
	}{
		{"after_renewal", x.AfterRenewal, y.AfterRenewal}, {"to_safe_release", x.ToSafeRelease, y.ToSafeRelease}, {"to_safe_transfer", x.ToSafeTransfer, y.ToSafeTransfer},
	} {
		if r.a == nil || r.b == nil || r.a.Most < r.b.Least || r.b.Most < r.a.Least {
			d.say("times/"+r.name, took(r.a), took(r.b), "")
		}
	}
}

// took is how long something took, for people.
func took(r *Range) string {
	switch {
	case r == nil:
		return ""
	case r.Least == r.Most:
		return r.Least.Round(time.Millisecond).String()
	}
	return r.Least.Round(time.Millisecond).String() + " to " + r.Most.Round(time.Millisecond).String()
}

func interval(i *Interval) string {
	switch {
	case i == nil || !i.Known():
		return ""
	case !i.Closed():
		return FormatTime(i.Mid()) + " at one end"
	}
	return FormatTime(i.Mid()) + " ±" + i.Bound().Round(time.Microsecond).String()
}

// later says by how much something moved.
func later(by time.Duration) string {
	switch {
	case by > 0:
		return by.Round(time.Microsecond).String() + " later"
	case by < 0:
		return (-by).Round(time.Microsecond).String() + " earlier"
	}
	return ""
}

func (d *differ) findings() {
	x, y := findingsByID(d.a), findingsByID(d.b)
	for _, id := range union(x, y) {
		f, had := x[id]
		g, has := y[id]
		switch {
		case !had:
			d.say("finding "+id, "", string(g.Severity), Clip(g.Text, 160))
		case !has:
			d.say("finding "+id, string(f.Severity), "", Clip(f.Text, 160))
		default:
			d.say("finding "+id, string(f.Severity), string(g.Severity), "")
		}
	}
}

func findingsByID(b Bundle) map[string]Finding {
	out := make(map[string]Finding)
	for _, f := range b.Verdict.Findings {
		out[f.ID] = f
	}
	return out
}

// union is every key of two maps, sorted.
func union[K interface{ ~string | ~int | ~int64 }, V any](x, y map[K]V) []K {
	all := maps.Clone(x)
	maps.Copy(all, y)
	return slices.Sorted(maps.Keys(all))
}

// reads compares how each kind of read ended: a source that was denied to one
// capture explains what the other knows more.
func (d *differ) reads() {
	x, y := d.a.Snapshot.Sources, d.b.Snapshot.Sources
	if x == nil {
		x = map[string]Outcome{}
	}
	for _, name := range union(x, y) {
		d.say("read "+name, string(x[name].Status), string(y[name].Status), firstOf(y[name].Why, x[name].Why))
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
