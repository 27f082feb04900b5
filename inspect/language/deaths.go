package language

import (
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A lastWord is how a runtime, a shell or a supervisor says that a program
// ended.
type lastWord struct {
	holds string
	start bool // it counts only at the beginning of what the program wrote
	what  string
}

// lastWords stand in order: the first that a line holds names it. An
// OutOfMemoryError by itself may be caught; only a word of the end says that it
// was not.
var lastWords = [...]lastWord{
	{"Terminating due to java.lang.OutOfMemoryError", false, "out-of-memory"},
	{"Aborting due to java.lang.OutOfMemoryError", false, "out-of-memory"},
	{"There is insufficient memory for the Java Runtime Environment to continue", false, "out-of-memory"},
	{"JavaScript heap out of memory", false, "out-of-memory"},
	{"fatal error: runtime: out of memory", false, "out-of-memory"},
	{"runtime: out of memory: cannot allocate", false, "out-of-memory"},
	{"what():  std::bad_alloc", false, "out-of-memory"},
	{"fatal error: all goroutines are asleep - deadlock!", false, "deadlock"},
	{"A fatal error has been detected by the Java Runtime Environment", false, "fatal"},
	{"terminate called after throwing an instance of", true, "fatal"},
	{"fatal error: ", true, "fatal"},
	{"Segmentation fault", true, "fatal"},
	{"Fatal Python error: ", true, "fatal"},
	{"panic: ", true, "panic"},
	{"signal: killed", false, "killed"},
	{"was sent SIGKILL!", false, "killed"},
	{"killed by signal 9", false, "killed"},
	{"command terminated with exit code 137", false, "killed"},
	{"java.lang.OutOfMemoryError", false, "heap-exhausted"},
	{"MemoryError", true, "heap-exhausted"},
}

// shellKilled is a shell's word for a program that SIGKILL ended: "Killed" by
// itself, or behind its own name, the line and the process.
var (
	shellKilled = regexp.MustCompile(`^(?:\S{1,64}: line \d{1,9}: +)?(?:\[\d{1,6}\]\S? +)?(?:\d{1,9} )?Killed(?:\s|$)`)
	rustPanic   = regexp.MustCompile(`^thread '[^']{0,80}'(?: \(\d{1,9}\))? panicked at `)
)

// Deaths finds the last words of programs in their logs, which may come from
// `kubectl logs -p --timestamps`, `docker logs -t` or a terminal.
func Deaths(b []byte, f stamp.Frame) []evidence.DeathNotice {
	if bounded("log", b) != nil {
		return nil
	}
	var out []evidence.DeathNotice
	eachLine(b, func(line string) {
		if len(out) == maxItems || !hopeful(line) {
			return
		}
		d := date(line, f)
		if what := lastWordOf(d.text); what != "" {
			out = append(out, evidence.DeathNotice{At: d.at, What: what, Text: clip(line)})
		}
	})
	return out
}

// hopeful spares most lines of a log the search for a date.
func hopeful(line string) bool {
	for _, w := range lastWords {
		if strings.Contains(line, w.holds) {
			return true
		}
	}
	return strings.Contains(line, "Killed") || strings.Contains(line, "panicked at ")
}

func lastWordOf(text string) string {
	text = strings.TrimSpace(text)
	for _, w := range lastWords {
		if w.start && strings.HasPrefix(text, w.holds) || !w.start && strings.Contains(text, w.holds) {
			return w.what
		}
	}
	switch {
	case rustPanic.MatchString(text):
		return "panic"
	case shellKilled.MatchString(text):
		return "killed"
	}
	return ""
}
