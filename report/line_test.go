package report

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"
)

func TestLine(t *testing.T) {
	all := []string{"watching lock:orders: lease ends in 21 s", ", renewal due in 3 s", "; at most 18 s more"}
	for _, tt := range []struct {
		name    string
		clauses []string
		o       Options
		want    string
	}{
		{"all of it", all, Options{Width: 80, Unicode: true}, "watching lock:orders: lease ends in 21 s, renewal due in 3 s; at most 18 s more"},
		{"the last column stays empty", []string{"12345"}, Options{Width: 6}, "12345"},
		{"what does not fit whole is left out", all, Options{Width: 79, Unicode: true}, "watching lock:orders: lease ends in 21 s, renewal due in 3 s"},
		{"a shorter one may fit", []string{"lease ends in 21 s", ", renewal due in 3 s", "; at most 18 s"}, Options{Width: 34, Unicode: true}, "lease ends in 21 s; at most 18 s"},
		{"the first is shortened", all, Options{Width: 20, Unicode: true}, "watching lock:orde…"},
		{"in ASCII", all, Options{Width: 20}, "watching lock:or..."},
		{"wide runes take two columns", []string{"鎖鎖鎖鎖"}, Options{Width: 8, Unicode: true}, "鎖鎖鎖…"},
		{"wide runes in ASCII", []string{"鎖"}, Options{Width: 80}, `\u9396`},
		{"combining runes take none", []string{strings.Repeat("e\u0301", 7)}, Options{Width: 8, Unicode: true}, strings.Repeat("e\u0301", 7)},
		{"controls are escaped", []string{"a\x1b[2J\r\n\x00b\u202e"}, Options{Width: 80, Unicode: true}, `a\x1b[2J\r\n\x00b\u202e`},
		{"broken bytes are escaped", []string{"a\xff\xfe"}, Options{Width: 80, Unicode: true}, `a\xff\xfe`},
		{"escapes are measured as they are drawn", []string{"\x1b\x1b\x1b"}, Options{Width: 9, Unicode: true}, `\x1b\x1…`},
		{"no room for the mark", []string{"abc"}, Options{Width: 3}, "ab"},
		{"no room at all", []string{"abc"}, Options{Width: 1, Unicode: true}, ""},
		{"80 columns where nobody said", []string{strings.Repeat("x", 79), "y"}, Options{}, strings.Repeat("x", 79)},
		{"nothing", nil, Options{Width: 80}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.clauses, tt.o); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// However narrow the terminal and whatever the text, the line does not wrap.
func TestLineNeverWraps(t *testing.T) {
	for _, text := range []string{"plain text of some words", "鎖鎖鎖鎖鎖鎖", "a\x1b[31mb\u200d\u202e\x9b", "☺️☺️☺️☺️", "🇩🇪🇩🇪🇩🇪", "é́́́ a"} {
		for width := 1; width < 40; width++ {
			for _, wide := range []bool{false, true} {
				got := Line([]string{text, text}, Options{Width: width, Unicode: wide})
				if n := lipgloss.Width(got); n >= width || strings.ContainsFunc(got, unicode.IsControl) {
					t.Errorf("width %d: %q takes %d columns", width, got, n)
				}
			}
		}
	}
}
