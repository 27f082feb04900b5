// Package transcript splits pasted terminal scrollback into commands and what
// they printed.
//
// A prompt opens an entry; the lines up to the next prompt are its output. What
// makes that hard is what terminals do: output without a final newline leaves the
// next prompt glued to it, "# Server" in a reply looks like a root prompt, one
// line may hold several commands, and ssh changes whose prompts follow. So a
// prompt that names its host is believed at once, and one that is only a sign is
// believed as long as none with a name was seen in the same shell. Lines that
// belong to no command are kept as loose, and nothing is ever fatal: the text may
// be fifty megabytes of anything.
package transcript

import (
	"io"
	"strings"
	"time"
)

// An Entry is one command and what it printed.
type Entry struct {
	Line      int           // of its prompt; the first line of the text is 1. Of a loose entry: its first line
	Host      string        // whose shell; empty where no prompt, ssh or flag says
	User      string        //
	In        Inside        // container or pod it ran in, where docker or kubectl exec was typed
	Terminal  int           // a new one where the stamps of prompts run backwards: two were pasted one after the other
	Redis     *Session      // an interactive redis-cli; nil at a shell
	Typed     string        // the command as typed: one of a list a; b
	Argv      []string      // the first command of its pipeline, split as a shell would; empty: nothing was run
	Filters   [][]string    // what followed its pipes
	Stamp     time.Time     // the date in front of the prompt, read as UTC when Zoned is false; zero: none. Year 0: a time of day only
	Precision time.Duration // how coarse that stamp is
	Zoned     bool          //
	Output    []byte        // without colour codes, carriage returns and questions for a password; bounded
	Truncated bool          // Output was longer: its middle is left out
	Offset    int64         // where in the input the lines begin that Output is from; the commands of one line share them
	Bytes     int64         // and how many bytes they are
	Loop      bool          // the body of a loop, or of watch: Output may hold several rounds where they could not be told apart
	Shared    bool          // which part of a list's output is its own is a guess
	Remark    bool          // a "## …" line, or one of script(1)'s own: Typed holds the words
	Loose     bool          // lines that belong to no command: Output holds them
}

// A Session is an interactive redis-cli.
type Session struct {
	Addr      string // host:port, or a socket's path; empty: not known. Of one without a connection: where it last had or wanted one
	DB        int
	Connected bool
}

// Partial says whether a filter may have hidden lines: silence then proves no
// absence.
func (e Entry) Partial() bool {
	for _, f := range e.Filters {
		if len(f) == 0 {
			continue
		}
		switch base(f[0]) {
		case "cat", "less", "more", "most", "bat", "tee", "sort", "ts", "nl", "tac", "column", "pbcopy", "xclip", "ccze":
		default:
			return true
		}
	}
	return false
}

// Options of a scan.
type Options struct {
	Host      string // the host of prompts without a name
	MaxOutput int    // bytes kept of one command's output; zero: 1 MiB
}

// Scan hands the entries of a text over, in its order. Memory is bounded by the
// longest output that is kept. An Output belongs to whoever is handed it.
func Scan(r io.Reader, opts Options, each func(Entry) error) error {
	if opts.MaxOutput <= 0 {
		opts.MaxOutput = 1 << 20
	}
	s := newScanner(opts, each)
	lines := newLines(r)
	for {
		line, ok := lines.next()
		if !ok {
			break
		}
		if err := s.line(line); err != nil {
			return err
		}
	}
	if err := s.close(); err != nil {
		return err
	}
	return lines.err
}

// Split splits a command as typed into the first command of its pipeline and the
// filters behind it. Of a command that runs another one elsewhere (ssh, docker
// exec, sh -c) it is the inner one.
func Split(typed string) (argv []string, filters [][]string) {
	commands := expandAll(parseList(typed))
	if len(commands) == 0 {
		return nil, nil
	}
	return commands[0].argv, commands[0].filters
}

// base is a program's name without its folder.
func base(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }
