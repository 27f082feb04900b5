package events

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func mapping(t *testing.T, text string) *Mapping {
	t.Helper()
	m, err := ParseMapping("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMapping(t *testing.T) {
	tests := []struct{ name, mapping, line, want string }{
		{"groups", `- {match: '^(?P<at>\S+) (?P<event>\w+) (?P<key>\S+) by (?P<owner>\S+) (?P<ok>\w+)$'}`,
			"2026-11-29T03:11:52.611Z renewed lock:orders by w1 failed", "03:11:52.611+1ms renew! lock:orders w1"},
		{"a date of its own form", `- {match: 'at (?P<at>.*) beat', event: heartbeat, layout: ["02.01.06 15:04", "02.01.2006 15:04:05"]}`,
			"at 29.11.2026 03:11:52,611 beat", "03:11:52.611+1ms heartbeat"},
		{"no group at, the line is dated", `- {match: 'beat', event: heartbeat}`, "[2026-11-29 03:11:52] beat", "03:11:52.000+1s heartbeat"},
		{"no group at, the carrier is dated", `- {match: 'beat', event: heartbeat}`, `{"log":"beat\n","time":"2026-11-29T03:11:52.611Z"}`, "03:11:52.611+1ms heartbeat"},
		{"words", `- {match: 'lock (?P<event>\w+) (?P<key>\S+)', words: {bumped: renew}}`, "03:11 lock Bumped lock:orders", "undated renew lock:orders"},
		{"fixed outcome and access log", `- {match: '\[(?P<at>[^\]]+)\] "PUT /(?P<key>\S+) .* (?P<ok>\d{3}) (?P<token>\d+) (?P<request>\S+)$', event: write}`,
			`10.0.0.9 - - [29/Nov/2026:03:11:52 +0000] "PUT /order/7 HTTP/1.1" 409 33 r-9`, "03:11:52.000+1s write! order/7 33 r-9"},
		{"fields", `- {fields: {event: action, key: lock.id, token: epoch}, words: {bump: renew}}`,
			`{"time":"2026-11-29T03:11:52Z","action":"bump","lock":{"id":"lock:orders"},"epoch":34}`, "03:11:52.000+1s renew lock:orders 34"},
		{"fields, in logfmt, one event", `- {fields: {key: lockid}, event: heartbeat, ok: false}`, `t=2026-11-29T03:11:52Z lockid=lock:orders n=1`, "03:11:52.000+1s heartbeat! lock:orders"},
		{"what is ready-made, too", "- {match: 'beat', event: heartbeat}\n- include: bullmq", "2026-11-29T03:11:52Z Error: could not renew lock for job 84", "03:11:52.000+1s renew! 84"},
		{"JSON events need no rule", `- {match: 'beat', event: heartbeat}`, `{"at":"2026-11-29T03:11:52Z","event":"renew"}`, "03:11:52.000+1s renew"},
	}
	for _, tt := range tests {
		h := read(t, tt.line, mapping(t, tt.mapping), Options{Context: utc})
		if got := briefs(h.Events); !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%s: got %q, want %q; %+v", tt.name, got, tt.want, h.Report)
		}
	}
}

func TestMappingNamesAClock(t *testing.T) {
	h := read(t, "2026-11-29T03:11:52Z beat", mapping(t, `- {match: 'beat', event: heartbeat, clock: "host:quince-3"}`), Options{})
	if got := h.Events[0].At.Clock; got != "host:quince-3" {
		t.Errorf("got %q", got)
	}
}

func TestMappingMistakes(t *testing.T) {
	tests := []struct{ name, text, why string }{
		{"no list", "match: x", "line 1: a mapping is a list"},
		{"no YAML", "- match: 'x", "line"},
		{"no rule", "- match: a\n  event: renew\n- beat", "line 3: a rule has the form"},
		{"an unknown field", "- match: a\n  evnt: renew", `line 2: no field is called "evnt"`},
		{"a bad expression", "- event: renew\n  match: '('", "line 2: match:"},
		{"an unknown group", "- match: '(?P<who>a)'\n  event: renew", `line 1: no event has a field "who"`},
		{"no event", "- match: a", "line 1: neither event nor a group"},
		{"no match", "- event: renew", "line 1: a rule has a match"},
		{"a bad kind", "- match: a\n  event: b\n  kind: weather", "line 1: kind is one of"},
		{"a bad outcome", "- match: a\n  event: b\n  ok: perhaps", "line 3: ok is true or false"},
		{"a layout without a day", "- match: a\n  event: b\n  layout: '15:04:05'", "line 3: layout"},
		{"a field no event has", "- fields: {colour: c}", `no event has a field "colour"`},
		{"an unknown mapping", "- include: nobody", `line 1: no ready-made mapping is called "nobody"`},
		{"a path", "- include: ../events", "line 1: no ready-made"},
		{"an unknown reader", "- reader: nginx", "line 1: reader is redis-server or chronyd"},
		{"an alias", "- &a {match: x, event: y}\n- *a", "line 2: a rule has the form"},
		{"too large", "# " + strings.Repeat("x", maxMapping), "more than"},
		{"empty", "", "it has no rules"},
	}
	for _, tt := range tests {
		m, err := ParseMapping("m.yaml", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.why) || !strings.HasPrefix(err.Error(), "parse mapping m.yaml: ") {
			t.Errorf("%s: got %v, %v; want %q", tt.name, m, err, tt.why)
		}
	}
}

func TestLoad(t *testing.T) {
	open := func(path string) (io.ReadCloser, error) {
		if path != "mine.yaml" {
			return nil, os.ErrNotExist
		}
		return io.NopCloser(strings.NewReader("- {match: a, event: renew}")), nil
	}
	for _, name := range append(Mappings(), "auto", "mine.yaml") {
		if _, err := Load(name, open); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"nobody.yaml", "../mappings/loki"} {
		if _, err := Load(name, open); err == nil || !strings.Contains(err.Error(), "redisson") {
			t.Errorf("%s: got %v, want the names there are", name, err)
		}
	}
}

// The example of the manual is the one that is tested.
func TestTheManualsExample(t *testing.T) {
	b, err := os.ReadFile("../../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	m := mapping(t, block(t, text, "yaml"))
	h := read(t, block(t, text, "text"), m, Options{Context: utc})
	want := strings.Split(strings.TrimSpace(block(t, text, "result")), "\n")
	if got := briefs(h.Events); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, name := range Mappings() {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the manual does not list the mapping %s", name)
		}
	}
	for _, d := range evidence.Deeds() {
		if !strings.Contains(text, "`"+string(d)+"`") {
			t.Errorf("the manual does not list the event %s", d)
		}
	}
}

// block is the first fenced block of a kind.
func block(t *testing.T, text, kind string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n```"+kind+"\n")
	body, _, closed := strings.Cut(rest, "\n```")
	if !ok || !closed {
		t.Fatalf("no block of %s", kind)
	}
	return body
}

func TestLiteralsOf(t *testing.T) {
	for pattern, want := range map[string][]string{
		`could not renew lock for job (?P<key>\S+)`: {"could not renew lock for job "},
		`^(?P<at>\S+) (a|b) renewed`:                {" renewed"},
		`(?:released|renewed) \S+$`:                 {"leased", "newed"}, // what both begin with is parted from them
		`(?:x*|renewed)`:                            nil,
		`(?i)renewed`:                               nil,
		`(lock)? x*`:                                {" "},
		`(?:)`:                                      nil,
	} {
		if got := literalsOf(pattern); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
}
