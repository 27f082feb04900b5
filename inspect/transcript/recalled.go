package transcript

import (
	"regexp"
	"strings"
)

// designator is how a command line calls up an earlier one: !!, !$, !-2, !41,
// !dmesg, !?oom?, each with what may cut it (:h, :s/a/b/).
var designator = regexp.MustCompile(`!(?:[!$*^]|-?[0-9]+|\?[^?]*\??|[A-Za-z_./][^\s:;|&"']*)(?:[!$*^]|:[^\s;|&"']+)*`)

// recalled reads a command line that calls up an earlier one, as a pattern of what
// the shell prints in the next line before it runs it: the line in full. Within
// single quotes, and behind a backslash or a dollar, the sign stands for itself.
func recalled(line string) (*regexp.Regexp, bool) {
	line = strings.TrimSpace(line)
	if len(line) > maxRecalled || strings.IndexByte(line, '!') < 0 && !strings.HasPrefix(line, "^") {
		return nil, false
	}
	if parts := strings.Split(line, "^"); line[0] == '^' && len(parts) >= 3 && len(parts) <= 4 && parts[1] != "" { // ^old^new^
		re, err := regexp.Compile("^.*" + regexp.QuoteMeta(parts[2]) + ".*$")
		return re, err == nil
	}
	var pattern strings.Builder
	at, found := 0, false
	for _, m := range designator.FindAllStringIndex(line, -1) {
		if quote, _ := openQuote(line[:m[0]]); quote == '\'' || m[0] > 0 && strings.IndexByte(`\$`, line[m[0]-1]) >= 0 {
			continue
		}
		pattern.WriteString(regexp.QuoteMeta(line[at:m[0]]) + wordIn(line[m[0]:m[1]]) + `.*`)
		at, found = m[1], true
	}
	re, err := regexp.Compile("^" + pattern.String() + regexp.QuoteMeta(line[at:]) + "$")
	return re, found && err == nil
}

// maxRecalled bounds a line that may call up others.
const maxRecalled = 1024

// wordIn is what the line that a designator calls up begins with or holds.
func wordIn(designator string) string {
	word := strings.TrimPrefix(designator, "!")
	switch c := word[0]; {
	case c == '?':
		text, _, _ := strings.Cut(word[1:], "?")
		return ".*" + regexp.QuoteMeta(text)
	case c == '!' || c == '$' || c == '*' || c == '^' || c == '-' || c >= '0' && c <= '9', strings.Contains(word, ":"):
		return `\S`
	}
	return regexp.QuoteMeta(word)
}

// recalls says whether a line is what a pending command line called up. Nothing but
// the last command must be that, where the text shows it.
func (s *scanner) recalls(line string) bool {
	asked := strings.TrimSpace(s.pending.line)
	re, ok := recalled(asked)
	if !ok || !re.MatchString(line) || strings.HasPrefix(line, "-bash: ") || strings.HasPrefix(line, "bash: ") {
		return false
	}
	if f, prompt := findPrompt(line); prompt && f.kind != bare {
		return false
	}
	return asked != "!!" || s.typed == "" || s.typed == line
}

// recall takes the line after a command line that called up an earlier one.
func (s *scanner) recall(l rawLine) error {
	text := strings.TrimRight(string(l.text), " ")
	if !s.recalls(text) {
		if err := s.giveUp(); err != nil {
			return err
		}
		return s.line(l)
	}
	s.pending = nil
	s.said.at = l.at + l.size
	return s.begin(text, nil)
}
