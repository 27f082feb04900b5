package transcript

import (
	"regexp"
	"strings"
)

// How a command line goes on in the next line.
type going int

const (
	ends      going = iota
	slashed         // it ends with a backslash: the next line belongs to it
	wanting         // a quote, a loop or a pipe is open: the next line belongs to it if it has the shell's second prompt
	recalling       // it calls up an earlier one, which the shell prints in full
	heredocs        // lines up to a word are what the command reads
)

// goes says whether a command line is complete.
func goes(s string) (g going, heredoc string) {
	if len(s) > maxCommandLine {
		return ends, ""
	}
	quote, slash := openQuote(s)
	switch {
	case slash && quote != '\'':
		return slashed, ""
	case quote != 0:
		return wanting, ""
	}
	loops, last := 0, token{}
	for _, t := range tokenize(s) {
		if t.heredoc {
			heredoc = t.text
		}
		if !t.operator && (last.operator || last.text == "" || last.text == "do" || last.text == "then" || last.text == "else") {
			switch t.text {
			case "for", "while", "until", "if", "case", "{":
				loops++
			case "done", "fi", "esac", "}":
				loops--
			}
		}
		last = t
	}
	switch {
	case heredoc != "":
		return heredocs, heredoc
	case loops > 0, last.operator && last.text != ";" && last.text != "&":
		return wanting, ""
	}
	return ends, ""
}

// openQuote is the quote that a line leaves open, and whether its last character
// is a backslash that hides the line's end.
func openQuote(s string) (quote byte, slash bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			if i == len(s)-1 {
				return quote, true
			}
			i++
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote && c != 0:
			quote = 0
		case c == '#' && quote == 0 && (i == 0 || s[i-1] == ' '):
			return 0, false
		}
	}
	return quote, false
}

// secondPrompt is what shells print before a line that goes on.
var secondPrompt = regexp.MustCompile(`^(?:>|(?:for|while|until|then|else|if|case|pipe|cmdand|cmdor|quote|dquote|bquote|heredoc|cmdsubst|subsh|cursh)(?: [a-z]+)*>|_>)(?: |$)`)

func cutSecondPrompt(s string) (string, bool) {
	m := secondPrompt.FindString(s)
	return s[len(m):], m != ""
}

// joined is a command line with one more line.
func joined(line, more string, g going) string {
	switch {
	case g == slashed:
		return strings.TrimSuffix(line, `\`) + more
	case strings.HasSuffix(strings.TrimSpace(line), "do"), strings.HasSuffix(strings.TrimSpace(line), "then"), strings.HasSuffix(strings.TrimSpace(line), "|"), strings.HasSuffix(strings.TrimSpace(line), "&&"):
		return line + " " + more
	}
	return line + "\n" + more
}
