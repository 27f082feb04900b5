package aof

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What is kept of a history is all of it, and reads back.
func TestLinesRoundTrip(t *testing.T) {
	at := time.Date(2026, 10, 5, 9, 30, 0, 0, time.UTC)
	want := evidence.History{Source: "appendonly.aof", Base: "rdb", Omitted: 3, Cut: "a torn tail", Writes: []evidence.KeyWrite{
		{Command: "set", Deed: evidence.DeedAcquire, Value: "fig-1:7:x\n\u202e", Ends: at, At: evidence.At(at, time.Second, evidence.Coordinator), Offset: 7, File: "1.incr.aof"},
		{Command: "del", Deed: evidence.DeedGone, Offset: 90},
	}}
	b, err := Lines(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseLines(b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\n%+v", err, got, want)
	}
	if n := strings.Count(string(b), "\n"); n != 3 {
		t.Errorf("%d lines for two writes", n)
	}
}

// A damaged line ends the history and is said; a damaged head is no history.
func TestLinesDamaged(t *testing.T) {
	got, err := ParseLines([]byte("{\"source\":\"x\"}\n{\"command\":\"set\",\"offset\":1}\n\nnot json\n{\"command\":\"del\",\"offset\":2}\n"))
	if err != nil || len(got.Writes) != 1 || got.Cut == "" {
		t.Errorf("%v %+v", err, got)
	}
	for _, text := range []string{"", "REDIS0011", "[1]"} {
		if _, err := ParseLines([]byte(text)); err == nil {
			t.Errorf("%q was read as a history", text)
		}
	}
}
