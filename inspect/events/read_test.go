package events

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

var utc = stamp.Context{Zone: time.UTC, Ref: time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)}

func read(t *testing.T, text string, m *Mapping, o Options) Harvest {
	t.Helper()
	h, err := Read(strings.NewReader(text), "app.log", m, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// brief is an event in one line, as tables compare it.
func brief(e evidence.AppEvent) string {
	s := string(e.Event)
	if e.OK != nil && !*e.OK {
		s += "!"
	}
	at := "undated"
	if e.At.Closed() {
		at = e.At.From.Format("15:04:05.000") + "+" + e.At.To.Sub(e.At.From).String()
	}
	for _, v := range []string{e.Key, e.Owner, e.Token, e.Request, e.Actor} {
		if v != "" {
			s += " " + v
		}
	}
	return at + " " + s
}

func briefs(events []evidence.AppEvent) []string {
	out := []string{}
	for _, e := range events {
		out = append(out, brief(e))
	}
	return out
}

// One renewal of one lock, as every carrier brings it.
func TestReadUndoesCarriers(t *testing.T) {
	const event = `{"at":"2026-11-29T03:11:52.611Z","event":"renew","key":"lock:orders","owner":"quince-3:41207"}`
	const want = "03:11:52.611+1ms renew lock:orders quince-3:41207"
	quoted := fmt.Sprintf("%q", event)
	tests := []struct{ name, text, want string }{
		{"plain", event, want},
		{"other letters", `{"At":"2026-11-29T03:11:52.611Z","EVENT":"Renewed","Key":"lock:orders","Owner":"quince-3:41207"}`, want},
		{"epoch", `{"at":1795921912611,"event":"renew","key":"lock:orders","owner":"quince-3:41207"}`, want},
		{"epoch, seconds with a fraction", `{"ts":1795921912.611,"event":"renew","key":"lock:orders","owner":"quince-3:41207"}`, want},
		{"epoch, exponent", `{"ts":1.795921912611e9,"event":"renew","key":"lock:orders","owner":"quince-3:41207"}`, want},
		{"logfmt", `ts=2026-11-29T03:11:52.611Z level=info event=renew key=lock:orders owner="quince-3:41207"`, want},
		{"logfmt behind a date", `2026-11-29T03:11:52.611Z info event=renew key=lock:orders owner=quince-3:41207`, want},
		{"zap", `{"level":"info","ts":"2026-11-29T03:11:52.611Z","msg":"lock renewed","event":"renew","key":"lock:orders","owner":"quince-3:41207"}`, want},
		{"bunyan", `{"name":"ledgerd","hostname":"quince-3","pid":41207,"level":30,"time":"2026-11-29T03:11:52.611Z","event":"renew","lock":"lock:orders","v":0}`, "03:11:52.611+1ms renew lock:orders quince-3:41207"},
		{"pino", `{"level":30,"time":1795921912611,"event":"renew","key":"lock:orders","owner":"quince-3:41207"}`, want},
		{"json-file", `{"log":` + strings.TrimSuffix(quoted, `"`) + `\n","stream":"stderr","time":"2026-11-29T03:11:52.700Z"}`, want},
		{"json-file, undated inside", `{"log":"{\"event\":\"renew\",\"key\":\"lock:orders\"}\n","stream":"stdout","time":"2026-11-29T03:11:52.700Z"}`, "03:11:52.700+1ms renew lock:orders"},
		{"journald", `{"MESSAGE":` + quoted + `,"__REALTIME_TIMESTAMP":"1795921912700000","_HOSTNAME":"quince-3","_PID":"41207"}`, want + " quince-3:41207"},
		{"journald, bytes", `{"MESSAGE":[101,118,101,110,116,61,114,101,110,101,119,32,107,101,121,61,97],"__REALTIME_TIMESTAMP":"1795921912611000"}`, "03:11:52.611+1µs renew a"},
		{"GCP", `{"insertId":"x","jsonPayload":` + event + `,"timestamp":"2026-11-29T03:11:52.9Z"}`, want},
		{"GCP text", `{"textPayload":"event=renew key=lock:orders owner=quince-3:41207","timestamp":"2026-11-29T03:11:52.611Z"}`, want},
		{"ECS", `{"@timestamp":"2026-11-29T03:11:52.611Z","event.action":"renew","lock":{"key":"lock:orders","owner":"quince-3:41207"}}`, want},
		{"Elastic", `{"hits":{"total":1,"hits":[{"_source":{"@timestamp":"2026-11-29T03:11:52.611Z","event":{"action":"renew"},"key":"lock:orders","owner":"quince-3:41207"}}]}}`, want},
		{"Loki", `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"ledger-0"},"values":[["1795921912700000000",` + quoted + `]]}]}}`, want + " ledger-0"},
		{"Loki push", `{"streams":[{"stream":{"app":"x"},"values":[["1795921912700000000",` + quoted + `]]}]}`, want},
		{"logcli jsonl", `{"labels":{"pod":"ledger-0"},"line":` + quoted + `,"timestamp":"2026-11-29T03:11:52.7Z"}`, want + " ledger-0"},
		{"logcli text", `2026-11-29T03:11:52.7Z {app="x"} ` + event, want},
		{"CloudWatch", `{"events":[{"timestamp":1795921912700,"message":` + quoted + `,"ingestionTime":1795921913000}]}`, want},
		{"Insights", `{"results":[[{"field":"@timestamp","value":"2026-11-29 03:11:52.700"},{"field":"@message","value":` + quoted + `},{"field":"@ptr","value":"x"}]],"status":"Complete"}`, want},
		{"Insights, undated inside", `{"results":[[{"field":"@timestamp","value":"2026-11-29 03:11:52.611"},{"field":"@message","value":"event=renew key=lock:orders owner=quince-3:41207"}]]}`, want},
		{"a node's container log", `2026-11-29T03:11:52.7Z stdout F ` + event, want},
		{"syslog", `Nov 29 03:11:52 quince-3 ledgerd[41207]: ` + event, want + " quince-3:41207"},
		{"compose, in colour", "\x1b[36mworker-1  | \x1b[0m" + event, want},
		{"an array", "[" + event + "]", want},
		{"pretty-printed", "{\n  \"at\": \"2026-11-29T03:11:52.611Z\",\n  \"event\": \"renew\",\n  \"data\": {\"key\": \"lock:orders\", \"owner\": \"quince-3:41207\"}\n}\n", want},
	}
	for _, tt := range tests {
		h := read(t, tt.text+"\r\n", nil, Options{Context: utc})
		if got := briefs(h.Events); !slices.Equal(got, []string{tt.want}) || h.Report.Malformed > 0 {
			t.Errorf("%s: got %q, want %q; %+v", tt.name, got, tt.want, h.Report)
		}
	}
}

func TestReadOfFields(t *testing.T) {
	h := read(t, `{"at":"2026-11-29T03:12:11Z","clock":"host:quince-3","actor":"w1","event":"write","key":"order:7","token":34,"ok":"no","request":"r-9","took_ms":12.5,"text":"stale","more":[1]}`, nil, Options{})
	if len(h.Events) != 1 {
		t.Fatalf("got %+v", h)
	}
	no := false
	got, want := h.Events[0], evidence.AppEvent{
		At:    evidence.Interval{From: time.Date(2026, 11, 29, 3, 12, 11, 0, time.UTC), To: time.Date(2026, 11, 29, 3, 12, 12, 0, time.UTC), Clock: "host:quince-3"},
		Actor: "w1", Event: "write", Key: "order:7", Token: "34", OK: &no, Request: "r-9", Took: 12500 * time.Microsecond, Text: "stale", Source: "app.log:1",
	}
	if got.OK == nil || *got.OK {
		t.Fatalf("ok: got %v", got.OK)
	}
	got.OK = want.OK
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestReadOfClocks(t *testing.T) {
	for clock, want := range map[string]evidence.Clock{"": "app:app.log", "coordinator": "coordinator", "host:a": "host:a", "app:b": "app:b", "b": "app:b"} {
		h := read(t, `{"at":"2026-11-29T03:12:11Z","event":"renew","clock":"`+clock+`"}`, nil, Options{})
		if h.Events[0].At.Clock != want {
			t.Errorf("clock %q: got %q, want %q", clock, h.Events[0].At.Clock, want)
		}
	}
}

func TestReadOfALocalTime(t *testing.T) {
	const line = `{"at":"2026-11-29 03:12:11.000","event":"renew"}`
	if e := read(t, line, nil, Options{}).Events[0]; e.At.To.Sub(e.At.From) != 26*time.Hour+time.Millisecond {
		t.Errorf("without a zone: got %v", e.At)
	}
	east := stamp.Context{Zone: time.FixedZone("IST", 19800)}
	if e := read(t, line, nil, Options{Context: east}).Events[0]; !e.At.From.Equal(time.Date(2026, 11, 28, 21, 42, 11, 0, time.UTC)) {
		t.Errorf("with one: got %v", e.At)
	}
	shipped := `{"log":"{\"at\":\"2026-11-29 03:12:11.000\",\"event\":\"renew\"}","time":"2026-11-28T21:42:11.2Z"}`
	if e := read(t, shipped, nil, Options{}).Events[0]; !e.At.From.Equal(time.Date(2026, 11, 28, 21, 42, 11, 0, time.UTC)) {
		t.Errorf("with one that its carrier tells: got %v", e.At)
	}
}

func TestALineWithoutADateStandsBetweenItsNeighbours(t *testing.T) {
	h := read(t, "2026-11-29T03:12:10Z worker: job 84 begins\n"+
		"Error: Missing lock for job 84. moveToFinished\n    at finishedErrors (scripts.js:135:24)\n"+
		"2026-11-29T03:12:15Z worker: bye\n"+
		"Error: could not renew lock for job 84\n", nil, Options{})
	if len(h.Events) != 2 {
		t.Fatalf("got %q", briefs(h.Events))
	}
	at := h.Events[0].At
	if at.From.Second() != 10 || at.To.Second() != 16 || at.Clock != "app:app.log" {
		t.Errorf("between two: got %v", at)
	}
	if at := h.Events[1].At; at.From.Second() != 15 || !at.To.IsZero() {
		t.Errorf("after the last: got %v", at)
	}
	if h.Report.Undated != 2 || h.Report.Other != 3 {
		t.Errorf("got %+v", h.Report)
	}
}

// A date that a line talks about is not the line's.
func TestTheDateOfALine(t *testing.T) {
	const lost = "could not renew lock for job 84"
	tests := []struct{ name, text, want string }{
		{"at its beginning", "2026-11-29T03:12:04Z " + lost + " due 2026-12-01T00:00:00Z", "03:12:04.000+1s"},
		{"behind a level and a thread", "[ERROR] [worker 7] 2026-11-29T03:12:04Z " + lost, "03:12:04.000+1s"},
		{"talked about", "error while working on the payout of 2026-12-01T00:00:00Z: " + lost, "undated"},
		{"talked about, carried", `{"log":"payout of 2026-12-01T00:00:00Z: ` + lost + `","time":"2026-11-29T03:12:04Z"}`, "03:12:04.000+1s"},
		{"its own, carried late", `{"log":"2026-11-29T03:12:04.2Z ` + lost + `","time":"2026-11-29T04:00:00Z"}`, "03:12:04.200+100ms"},
		{"its own, local, in a container's log", "2026-11-29T03:12:04.5Z stderr F 2026-11-29 05:12:04.120 " + lost, "03:12:04.120+1ms"},
		{"its own, behind a level, carried", `{"log":"ERROR 2026-11-29 05:12:04.120 ` + lost + `","time":"2026-11-29T03:12:04.5Z"}`, "03:12:04.120+1ms"},
	}
	for _, tt := range tests {
		h := read(t, tt.text, nil, Options{})
		if got := briefs(h.Events); len(got) != 1 || !strings.HasPrefix(got[0], tt.want+" renew! 84") {
			t.Errorf("%s: got %q, want %s", tt.name, got, tt.want)
		}
	}
}

func TestInventedWordsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `{"at":1795921912,"event":"w%d","key":"a"}`+"\n", i)
	}
	h := read(t, b.String(), nil, Options{Limit: 10})
	if len(h.Report.Seen) > 101 || h.Report.Seen["others"] != 900 || len(h.Report.Dropped) > 101 {
		t.Errorf("%d words seen, %d dropped", len(h.Report.Seen), len(h.Report.Dropped))
	}
}

func TestOtherLocksAreOnlyCounted(t *testing.T) {
	h := read(t, strings.Join([]string{
		`{"at":1795921912,"event":"renew","key":"lock:orders"}`,
		`{"at":1795921912,"event":"renew","key":"lock:orders2"}`,
		`{"at":1795921912,"event":"acquire","key":"lock:invoices"}`,
		`{"at":1795921912,"event":"acquire","key":"orders"}`,
		`{"at":1795921912,"event":"write","key":"invoice:9"}`,
		`{"at":1795921912,"event":"release"}`,
	}, "\n"), nil, Options{Key: "lock:orders"})
	want := []string{"renew lock:orders", "acquire orders", "write invoice:9", "release"}
	var got []string
	for _, b := range briefs(h.Events) {
		_, rest, _ := strings.Cut(b, " ")
		got = append(got, rest)
	}
	if !slices.Equal(got, want) || h.Report.Foreign != 2 {
		t.Errorf("got %q, %d foreign", got, h.Report.Foreign)
	}
}

func TestAFloodOfHeartbeatsHidesNoTakeover(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, `{"at":%d,"event":"heartbeat","actor":"w"}`+"\n", 1795921912+i)
		if i == 250 {
			b.WriteString(`{"at":1795922162,"event":"acquire","owner":"other"}` + "\n")
		}
	}
	h := read(t, b.String(), nil, Options{Limit: 20})
	kinds := map[evidence.Deed]int{}
	for _, e := range h.Events {
		kinds[e.Event]++
	}
	if kinds["acquire"] != 1 || kinds["heartbeat"] != 10 || h.Report.Dropped["heartbeat"] != 490 || h.Report.Seen["heartbeat"] != 500 {
		t.Errorf("kept %v of %+v", kinds, h.Report)
	}
	if !slices.IsSortedFunc(h.Events, func(a, b evidence.AppEvent) int { return a.At.From.Compare(b.At.From) }) {
		t.Error("the events are out of order")
	}
}

func TestAFloodOfNoticesIsCounted(t *testing.T) {
	text := strings.Repeat("Nov 29 03:12:04 quince-3 chronyd[611]: System clock was stepped by 0.5 seconds\n", maxNotices+7) +
		strings.Repeat("611:X 29 Nov 2026 03:12:04.120 # +tilt #tilt mode entered\n", 100)
	h := read(t, text, nil, Options{Context: utc})
	if len(h.Clock) != maxNotices || h.Report.Flooded["clock"] != 7 || len(h.Server)+h.Report.Flooded["tilt"] != 100 || h.Report.Flooded["tilt"] == 0 {
		t.Errorf("kept %d and %d; %v", len(h.Clock), len(h.Server), h.Report.Flooded)
	}
}

func TestWhatCannotBeReadIsReported(t *testing.T) {
	tests := []struct {
		name, text, why  string
		events, problems int
	}{
		{"half a line", `{"at":"2026-11-29T03:11:52Z","event":"renew"}` + "\n" + `{"at":"2026-11-29T03:1`, "begins like JSON", 1, 1},
		{"half a first line", `{"at":"2026-11-29T03:1` + "\n" + `{"at":"2026-11-29T03:11:52Z","event":"renew"}`, "begins like JSON", 1, 1},
		{"no date", `{"at":"yesterday","event":"renew"}`, `"yesterday" is no date`, 1, 1},
		{"half a document", "{\"streams\":[\n{\"stream\":{},\"values\":[[\"1795921912000000000\",\"event=renew key=a\"],\n", "breaks off", 1, 1},
		{"labels in braces", "{app=\"x\"} event=renew key=a", "", 1, 0},
	}
	for _, tt := range tests {
		h := read(t, tt.text, nil, Options{})
		if len(h.Events) != tt.events || h.Report.Malformed != tt.problems || tt.problems > 0 && !strings.Contains(h.Report.Problems[0].Why, tt.why) {
			t.Errorf("%s: got %q, %+v", tt.name, briefs(h.Events), h.Report)
		}
	}
}

func TestAFailingReaderKeepsWhatCameBefore(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, text := range []string{`{"at":1795921912,"event":"renew"}` + "\n", "[\n" + `{"at":1795921912,"event":"renew"},` + "\n"} {
		h, err := Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "app.log", nil, Options{})
		if !errors.Is(err, broken) || len(h.Events) != 1 {
			t.Errorf("%q: got %d events, %v", text, len(h.Events), err)
		}
	}
}

// A record larger than any event must not be held in memory.
func TestALargeRecordEndsItsDocument(t *testing.T) {
	text := `{"streams":[{"stream":{},"values":[["1795921912000000000","event=renew key=a"],["1795921913000000000","` + strings.Repeat("x", 3*maxRecord) + `"]]}]}`
	h := read(t, text, nil, Options{})
	if len(h.Events) != 1 || h.Report.Malformed != 1 || !strings.Contains(h.Report.Problems[0].Why, "more than") {
		t.Errorf("got %d events, %+v", len(h.Events), h.Report)
	}
}
