package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/report"
)

const never = "Never"

// parts are what each kind of text must have, beside what it begins with.
var parts = map[string][]string{
	report.Labels:     {"What to check next", "Common mistakes", "Safe fixes", "Prove the fix", never},
	report.Answers:    {"What shows it", "What it does not show", "What to do"},
	report.States:     {"What shows it", "What it does not show", "What to do"},
	report.Grades:     {"What shows it", "What it does not show", "What to do"},
	report.Statuses:   {"What shows it", "What it does not show", "What to do"},
	report.Findings:   {"What to check next"},
	report.Assertions: {"What shows it", "What to do"},
	report.Libraries:  {"Its own means", "Keys of its lock", "What to compare", "Know first"},
}

// mustExplain are the words that must be explained, by kind, and no others.
func mustExplain() map[string][]string {
	out := map[string][]string{
		report.Labels: words(evidence.ClockAnomaly, evidence.CoordinatorFault, evidence.RenewalAfterLoss, evidence.Crash, evidence.Stall,
			evidence.Partition, evidence.ContractFault, evidence.NoFailure, evidence.Inconclusive),
		report.States:     words(evidence.Free, evidence.Held, evidence.Overdue, evidence.StaleHolder, evidence.Contested, evidence.StateUnknown),
		report.Grades:     words(evidence.Proven, evidence.Likely),
		report.Statuses:   words(evidence.OK, evidence.Missing, evidence.Denied, evidence.Unsupported, evidence.Disabled, evidence.Timeout, evidence.Truncated, evidence.Skipped, evidence.Failed),
		report.Findings:   classify.FindingIDs(),
		report.Assertions: proof.Assertions(),
		report.Answers:    {evidence.Unknown},
	}
	for _, q := range classify.Questions() {
		out[report.Questions] = append(out[report.Questions], q.Name)
		for _, a := range q.Answers {
			if a != evidence.Unknown {
				out[report.Answers] = append(out[report.Answers], q.Name+"/"+a)
			}
		}
	}
	for _, d := range dialect.Table() {
		switch d.Name {
		case "not a lock":
		case "SET NX pattern":
			out[report.Libraries] = append(out[report.Libraries], "set-nx")
		default:
			out[report.Libraries] = append(out[report.Libraries], d.Name)
		}
	}
	return out
}

func words[T ~string](words ...T) []string {
	var out []string
	for _, w := range words {
		out = append(out, string(w))
	}
	return out
}

func TestExplainCoversEveryWord(t *testing.T) {
	for kind, want := range mustExplain() {
		var have []string
		for _, e := range report.Entries(kind) {
			have = append(have, e.Name)
			if !slices.Contains(want, e.Name) {
				t.Errorf("%s/%s explains what nothing is called", kind, e.Name)
			}
			if !slices.Contains(explained(), e.Word()) {
				t.Errorf("the shell does not complete %s", e.Word())
			}
		}
		for _, name := range want {
			if !slices.Contains(have, name) {
				t.Errorf("there is no text %s/%s", kind, name)
			}
		}
	}
}

func TestExplainHasItsParts(t *testing.T) {
	for kind, want := range parts {
		for _, e := range report.Entries(kind) {
			text, _ := e.Text()
			var titles []string
			for _, s := range report.Sections(text) {
				titles = append(titles, s.Title)
				if s.Body == "" {
					t.Errorf("%s/%s has nothing under %q", e.Kind, e.Name, s.Title)
				}
			}
			if kind != report.Libraries {
				want = append([]string{""}, parts[kind]...) // what it means
			}
			for _, title := range want {
				if !slices.Contains(titles, title) {
					t.Errorf("%s/%s has no %q", e.Kind, e.Name, title)
				}
			}
			for _, title := range titles {
				if !slices.Contains(want, title) && title != "" && title != "Prove the fix" {
					t.Errorf("%s/%s has a heading of its own: %q", e.Kind, e.Name, title)
				}
			}
		}
	}
}

// everySheet is all that explain prints.
func everySheet(t *testing.T, look func(t *testing.T, e report.Entry, text string)) {
	t.Helper()
	n := 0
	for _, g := range groups() {
		for _, e := range report.Entries(g.kind) {
			n++
			look(t, e, sheet(g, e))
		}
	}
	if n < 150 {
		t.Errorf("only %d texts", n)
	}
}

func TestExplainFitsATerminal(t *testing.T) {
	var list strings.Builder
	if err := listTopics(&list); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(list.String(), "\n"); n > 42 {
		t.Errorf("the list has %d lines", n)
	}
	check := func(what, text string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 78 || strings.TrimRight(line, " \t") != line {
				t.Errorf("%s: a line is too wide, or ends in blanks: %q", what, line)
			}
		}
		if evidence.Printable(strings.ReplaceAll(text, "\n", "")) != strings.ReplaceAll(text, "\n", "") || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s is not plain text", what)
		}
	}
	check("the list", list.String())
	everySheet(t, func(_ *testing.T, e report.Entry, text string) { check(e.Kind+"/"+e.Name, text) })
}

// commandIn finds what is to be typed, up to a pipe, a redirection or the line's end.
var commandIn = regexp.MustCompile(`(?m)(^[ \t]*|\| |[^ ] )?\blockscene ([a-z][^|>\n]*)`)

// Every command in a text is one, with flags that it has; one that stands on a line of
// its own can be pasted once its capitals are filled in.
func TestExplainNamesRealCommands(t *testing.T) {
	filled := strings.NewReplacer("RPID", "2", "PID", "1", "LEASE", "30s", "EVERY", "10s")
	seen := map[string]bool{}
	everySheet(t, func(t *testing.T, e report.Entry, text string) {
		for _, m := range commandIn.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
			var args []string
			for _, word := range strings.Fields(filled.Replace(m[2])) {
				args = append(args, strings.TrimRight(word, ",;:.)"))
			}
			cmd, rest, err := rootCommand(new(bool)).Find(args)
			if err != nil || !cmd.Runnable() {
				t.Errorf("%s/%s: no such command: lockscene %s (%v)", e.Kind, e.Name, m[2], err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s/%s: lockscene %s: %v", e.Kind, e.Name, m[2], err)
			}
			if alone := strings.TrimSpace(m[1]) == "" || m[1] == "| "; alone && cmd.ValidateArgs(cmd.Flags().Args()) != nil {
				t.Errorf("%s/%s: lockscene %s: %v", e.Kind, e.Name, m[2], cmd.ValidateArgs(cmd.Flags().Args()))
			}
			seen[cmd.CommandPath()] = true
		}
	})
	for _, path := range []string{"lockscene inspect", "lockscene inspect owner", "lockscene evidence import", "lockscene evidence merge", "lockscene script", "lockscene prove"} {
		if !seen[path] {
			t.Errorf("no text says %s", path)
		}
	}
}

func TestExplainRefersToWhatIsThere(t *testing.T) {
	proves := map[string]bool{}
	everySheet(t, func(t *testing.T, e report.Entry, text string) {
		for _, m := range regexp.MustCompile(`lockscene\s+explain\s+([\w.-]+)`).FindAllStringSubmatch(text, -1) {
			if word := strings.TrimRight(m[1], "."); !slices.Contains(explained(), word) {
				t.Errorf("%s/%s refers to %s, of which nothing is known", e.Kind, e.Name, word)
			}
		}
		for _, s := range report.Sections(text) {
			if s.Title != "Prove the fix" {
				continue
			}
			for line := range strings.Lines(s.Body) {
				if strings.HasPrefix(line, "   ") {
					continue // goes on
				}
				id := strings.Fields(line)[0]
				if proves[id] = true; !slices.Contains(proof.Assertions(), id) {
					t.Errorf("%s/%s: prove asserts no %s", e.Kind, e.Name, id)
				}
			}
		}
	})
	for _, id := range proof.Assertions() {
		if !proves[id] {
			t.Errorf("nothing is said to be proven by %s", id)
		}
	}
}

// Nobody is told to take a key away, but where it is said what must be true first.
func TestExplainReleasesNothing(t *testing.T) {
	bare := regexp.MustCompile(`\b(DEL|UNLINK|FLUSH\w*|HDEL|ZREM|SREM|EXPIRE|PERSIST|KEYS|RENAME)\b`)
	takes := regexp.MustCompile(`(?i)\bby hand\b|\bdelet|\b(release|free|clear|remove) (it|the (key|lock)|a lock|its lock|such a lock)\b|forceUnlock|reset\(`)
	everySheet(t, func(t *testing.T, e report.Entry, text string) {
		raw, _ := e.Text()
		for _, s := range report.Sections(raw) {
			if found := bare.FindString(s.Title + s.Body); found != "" && s.Title != never {
				t.Errorf("%s/%s names %s under %q", e.Kind, e.Name, found, s.Title)
			}
		}
		conditions := strings.Contains(text, "lockscene explain release\n") || strings.Contains(text, "Only when all of this is true")
		if takes.MatchString(text) && !conditions {
			t.Errorf("%s/%s speaks of %q and does not point to what must be true first", e.Kind, e.Name, takes.FindString(text))
		}
	})
}

// What a rule advises stands in the rule alone.
func TestExplainRepeatsNoAdvice(t *testing.T) {
	for _, e := range report.Entries(report.Findings) {
		text, _ := e.Text()
		advice, _ := classify.Advice(e.Name)
		flat := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
		for _, clause := range strings.FieldsFunc(advice, func(r rune) bool { return r == ':' || r == ';' || r == '.' }) {
			if len(clause) > 20 && strings.Contains(flat(text), flat(clause)) {
				t.Errorf("%s says again %q", e.Name, clause)
			}
		}
	}
}
