package transcript

import (
	"bytes"
	"slices"
	"strings"
)

// An each is a loop's variable, and the words that it stands for in turn where the
// command line itself names them: for t in 4120 4125; do …; done.
type each struct {
	name   string
	values []string
}

const maxValues = 256

// eachOf reads the head of a loop. Words that the shell would have made others of
// are not known.
func eachOf(words []string) *each {
	if len(words) < 4 || len(words) > maxValues || words[0] != "for" || words[2] != "in" || !isName(words[1]) {
		return nil
	}
	values := words[3:]
	if slices.ContainsFunc(values, func(w string) bool { return w == "" || strings.ContainsAny(w, "$*?[]{}`~!\\") }) {
		return nil
	}
	return &each{name: words[1], values: slices.Clone(values)}
}

func isName(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) && (word[0] < '0' || word[0] > '9')
}

// divide divides a loop's output into its rounds, and puts in each the word that
// the variable stood for. It does so only where nothing is guessed: there are as
// many rounds as words, or each begins with a line in which echo names its word.
func (o *each) divide(body, after []Entry, text []byte) (rounds []Entry, rest []byte) {
	if o == nil || !o.plain(body) {
		return nil, text
	}
	rounds, rest = divideRounds(o.round(body), after, text)
	whole := len(rounds) == len(body)*len(o.values)
	named := slices.ContainsFunc(body, o.names)
	more := bytes.TrimSpace(rest)
	if !whole && !named || len(after) == 0 && len(more) > 0 && string(more) != "^C" {
		return nil, text
	}
	return rounds, rest
}

// round is the body of a loop as it was in one round; nil beyond the last word.
func (o *each) round(body []Entry) func(n int) []Entry {
	return func(n int) []Entry {
		if n >= len(o.values) {
			return nil
		}
		out := make([]Entry, len(body))
		for i, e := range body {
			out[i] = o.put(e, o.values[n])
		}
		return out
	}
}

// plain says whether the variable stands in a loop's body at all, and only where
// the shell puts its word for it.
func (o *each) plain(body []Entry) bool {
	used := false
	for _, e := range body {
		typed := e.Typed
		used = used || o.replace(typed, "") != typed
		if strings.Contains(strings.ReplaceAll(typed, "${"+o.name+"}", ""), "${"+o.name) || strings.Contains(typed, "$((") {
			return false
		}
		for i, part := range strings.Split(typed, "'") {
			if i%2 == 1 && o.replace(part, "") != part && !strings.Contains(typed, `"`) {
				return false // within single quotes the name stays as it is
			}
		}
	}
	return used
}

// names says whether a command prints the variable and nothing that is not known.
func (o *each) names(e Entry) bool {
	return isEcho(e) && o.replace(strings.Join(e.Argv[1:], " "), "") != strings.Join(e.Argv[1:], " ")
}

// isEcho: echo of plain words, which prints them as they are.
func isEcho(e Entry) bool {
	return len(e.Argv) > 1 && e.Argv[0] == "echo" && len(e.Filters) == 0 && !strings.HasPrefix(e.Argv[1], "-")
}

// contradicted says whether what a command printed cannot be its own.
func contradicted(e Entry, part []byte) bool {
	words := strings.Join(strings.Fields(strings.Join(e.Argv[min(1, len(e.Argv)):], " ")), " ")
	return isEcho(e) && !strings.ContainsAny(words, "$`*?") && strings.Join(strings.Fields(string(part)), " ") != words
}

// put replaces the variable by one of its words.
func (o *each) put(e Entry, value string) Entry {
	set := func(s string) string { return o.replace(s, value) }
	all := func(words []string) []string {
		out := make([]string, len(words))
		for i, w := range words {
			out[i] = set(w)
		}
		return out
	}
	e.Typed, e.Argv, e.Host, e.User = set(e.Typed), all(e.Argv), set(e.Host), set(e.User)
	e.In.Name, e.In.Part, e.In.Namespace = set(e.In.Name), set(e.In.Part), set(e.In.Namespace)
	filters := make([][]string, len(e.Filters))
	for i, f := range e.Filters {
		filters[i] = all(f)
	}
	if e.Filters != nil {
		e.Filters = filters
	}
	return e
}

// replace puts a word where $name or ${name} stands.
func (o *each) replace(s, value string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	s = strings.ReplaceAll(s, "${"+o.name+"}", value)
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "$"+o.name)
		out.WriteString(before)
		switch {
		case !found:
			return out.String()
		case after != "" && isName("_"+after[:1]):
			out.WriteString("$" + o.name) // a longer name
		default:
			out.WriteString(value)
		}
		s = after
	}
}
