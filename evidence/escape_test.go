package evidence

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	tests := map[string]string{
		"lock:orders":         "lock:orders",
		"größe ✓":             "größe ✓",
		"a\x1b[31mb":          `a\x1b[31mb`,
		"two\nlines\tand\r":   `two\nlines\tand\r`,
		"bell\x07 del\x7f":    `bell\x07 del\x7f`,
		"c1 \u009b2J":         `c1 \u009b2J`,
		"rlo \u202eexe.txt":   `rlo \u202eexe.txt`,
		"isolate \u2066":      `isolate \u2066`,
		"sep \u2028\u2029":    `sep \u2028\u2029`,
		"zero\u200bwidth":     `zero\u200bwidth`,
		"bad \xff\xc3":        `bad \xff\xc3`,
		"tag \U000e0041":      `tag \U000e0041`,
		"no-break\u00a0space": `no-break\u00a0space`,
		`{"a":"b\n"}`:         `{"a":"b\n"}`,
	}
	for in, want := range tests {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 4, "äöüß"}, {"äöüß", 3, "äö…"},
		{"abc", 1, "…"}, {"a", 1, "a"}, {"abc", 0, ""}, {"abc", -1, ""}, {"", 5, ""},
	}
	for _, tt := range tests {
		if got := Clip(tt.in, tt.n); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	tests := map[string]string{
		"<script>alert(1)</script>": `&lt;script&gt;alert(1)&lt;/script&gt;`,
		"a|b":                       `a\|b`,
		"`code`":                    "\\`code\\`",
		"*x* _y_ ~z~":               `\*x\* \_y\_ \~z\~`,
		"[a](http://b)":             `\[a\](http&#58;//b)`,
		"![i](x)":                   `\!\[i\](x)`,
		"www.example.com":           `www\.example.com`,
		"ping @oncall":              "ping @\u200boncall",
		"lock @ host":               "lock @ host",
		"# head":                    `\# head`,
		"- item":                    `\- item`,
		"12. item":                  `12\. item`,
		"10.0.0.5:6379":             `10\.0.0.5:6379`,
		"a\n\n# b":                  `a\\n\\n\# b`,
		"&lt;":                      `&amp;lt;`,
	}
	for in, want := range tests {
		if got := Markdown(in); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzEscapes(f *testing.F) {
	f.Add("a\x1b[31m\u202e<b>|`@x\n")
	f.Add("\xff\xfe\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		p := Printable(s)
		if !utf8.ValidString(p) || strings.ContainsFunc(p, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
			t.Errorf("Printable(%q) = %q", s, p)
		}
		if Printable(p) != p {
			t.Errorf("Printable is not stable on %q", s)
		}
		m := Markdown(s)
		if strings.ContainsAny(m, "<>\n\r\t\x00\x1b\x7f") {
			t.Errorf("Markdown(%q) = %q", s, m)
		}
		for _, n := range []int{1, 7, 100} {
			if c := Clip(p, n); utf8.RuneCountInString(c) > n || !utf8.ValidString(c) {
				t.Errorf("Clip(%q, %d) = %q", p, n, c)
			}
		}
		line, err := Line(map[string]string{"x": s})
		if err != nil || bytes.ContainsFunc(bytes.TrimSuffix(line, []byte("\n")), func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) && r != utf8.RuneError }) {
			t.Errorf("Line(%q) = %q, %v", s, line, err)
		}
		var back map[string]string
		if err := json.Unmarshal(line, &back); err != nil || back["x"] != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("Line(%q) reads back as %q, %v", s, back["x"], err)
		}
	})
}
