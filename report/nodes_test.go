package report

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Each node in a row: what it is, whom it names, how long is left, and how far its
// clock is off.
func TestNodeRows(t *testing.T) {
	base := time.Date(2026, 11, 2, 3, 12, 0, 0, time.UTC)
	look := func(ahead time.Duration, value string, left time.Duration) evidence.Look {
		at := evidence.Stamp{Wall: base, Boot: time.Hour}
		l := evidence.Look{Span: evidence.Span{Start: at, End: at}}
		l.Before, l.After = evidence.Saw("t", base.Add(ahead)), evidence.Saw("t", base.Add(ahead))
		if left == 0 {
			l.Type = evidence.None[string]("t", "no such key")
			l.PTTL, l.End = evidence.None[int64]("t", "no such key"), evidence.None[int64]("t", "no such key")
			return l
		}
		l.Type, l.Value = evidence.Saw("t", "string"), evidence.Saw("t", value)
		l.PTTL, l.End = evidence.Saw("t", left.Milliseconds()), evidence.Saw("t", base.Add(ahead+left).UnixMilli())
		return l
	}
	info := func(role string, offset int64) []evidence.Info {
		return []evidence.Info{{Role: evidence.Saw("i", role), ReplID: evidence.Saw("i", "aa"), Offset: evidence.Saw("i", offset)}}
	}
	refused := evidence.Look{Before: evidence.Refused[time.Time]("t", evidence.Failed, "connection refused")}
	var b evidence.Bundle
	b.Verdict.Holder.Value = "worker-1"
	b.Snapshot.Subject.Redis = "10.0.0.1:6379"
	b.Snapshot.Looks = []evidence.Look{look(0, "worker-1", 7*time.Second)}
	b.Snapshot.Node.Infos = info("master", 900)
	if rows := nodeRows(b); rows != nil {
		t.Errorf("one node: %v", rows)
	}
	b.Snapshot.Nodes = []evidence.Node{
		{Address: "10.0.0.2:6379", Infos: info("slave", 860), Looks: []evidence.Look{look(0, "worker-1", 7*time.Second)}},
		{Address: "10.0.0.3:6379", Infos: info("master", 5), Looks: []evidence.Look{look(time.Minute, "", 0)}},
		{Address: "10.0.0.4:6379", Looks: []evidence.Look{refused}},
		{Address: "10.0.0.5:6379", Looks: []evidence.Look{look(0, "worker-2", -time.Second)}},
	}
	b.Snapshot.Primaries = []evidence.NamedPrimary{
		{Sentinel: "10.0.0.9:26379", Name: "locks", Address: "10.0.0.1:6379"}, {Sentinel: "10.0.0.9:26379", Name: "locks", Address: "10.0.0.2:6379"},
	}
	want := []string{
		"10.0.0.1:6379 primary · held, 7s left",
		"10.0.0.2:6379 replica, 40 bytes behind · held, 7s left",
		"10.0.0.3:6379 primary · no such key · its clock is +60.000 s off the first's",
		"10.0.0.4:6379 no answer: connection refused",
		"10.0.0.5:6379 held by worker-2, past its end and still shown",
		"10.0.0.9:26379 a Sentinel, names 10.0.0.2:6379 as locks",
	}
	var got []string
	for _, r := range nodeRows(b) {
		got = append(got, r.node+" "+r.says)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
