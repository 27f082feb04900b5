package events

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"at":"2026-11-29T03:11:52.611Z","event":"renew","key":"a","ok":1,"took_ms":"3"}`,
		`{"streams":[{"stream":{"pod":"p"},"values":[["1795921912000000000","event=renew key=a"]]}]}`,
		`{"results":[[{"field":"@timestamp","value":"2026-11-29 03:11:52.700"},{"field":"@message","value":"x"}]]}`,
		`{"log":"{\"log\":\"could not renew lock for job 84\"}","time":1.7e9}`,
		"[{\n\"a\":[[[[[[[[[[[[[[]]]]]]]]]]]]]]}]",
		"Nov 29 03:12:04 q ntpd[611]: time reset +5.2 s\nat=\"x event=\nkey==",
		"1:M 29 Nov 2026 03:12:04.120 * MASTER MODE enabled",
	} {
		f.Add(s)
	}
	auto, err := Load("auto", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := Read(strings.NewReader(text), "x", auto, Options{Context: utc, Key: "a", Limit: 4})
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Events) > 4 {
			t.Errorf("kept %d events", len(h.Events))
		}
		for _, e := range h.Events {
			if e.Event == "" || e.Took < 0 || e.At.Closed() && e.At.To.Before(e.At.From) || len([]rune(e.Text)) > maxText {
				t.Errorf("%q gave %+v", text, e)
			}
		}
		if _, err := evidence.Line(h.Events); err != nil {
			t.Error(err)
		}
	})
}

func FuzzMapping(f *testing.F) {
	f.Add("- {match: '(?P<at>\\S+) (?P<event>\\w+)', layout: '2006-01-02 15:04:05', words: {a: renew}}", "2026-11-29 renew")
	f.Add("- fields: {event: action}\n- include: auto", `{"action":"renew"}`)
	f.Add("- &a {match: x, event: y}\n- *a", "x")
	f.Fuzz(func(t *testing.T, text, line string) {
		m, err := ParseMapping("m", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "parse mapping m: ") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if _, err := Read(strings.NewReader(line), "x", m, Options{}); err != nil {
			t.Error(err)
		}
	})
}
