package transcript

import (
	"slices"
	"strings"
	"time"
)

// maxPrompts bounds the prompts remembered for finding one glued to an output.
const maxPrompts = 32

// A scanner turns lines into entries.
type scanner struct {
	opts    Options
	each    func(Entry) error
	shells  []frame  // the shell the prompts belong to is the last
	redis   *Session // the session last seen or opened
	prompts []string // prompts with a name, as they were written

	open     []Entry // the commands of the line under way; their output is collected in body
	commands []command
	body     []byte
	cut      bool
	waiting  string // a command line that goes on in the next line
	head     found
	at       int
	terminal int
	last     time.Time // the newest stamp
}

// A frame is one shell within another.
type frame struct {
	host, user, in string
	nameless       bool // its prompts need not name a host
	named          bool // a prompt with a name was seen in it
}

func newScanner(opts Options, each func(Entry) error) *scanner {
	return &scanner{opts: opts, each: each, shells: []frame{{host: opts.Host, nameless: true}}}
}

func (s *scanner) shell() *frame { return &s.shells[len(s.shells)-1] }

// line takes the next line of the text.
func (s *scanner) line(l rawLine) error {
	if s.waiting != "" {
		return s.goOn(l)
	}
	if strings.HasPrefix(l.text, "## ") {
		if err := s.flush(); err != nil {
			return err
		}
		return s.each(Entry{Line: l.number, Host: s.shell().host, Terminal: s.terminal, Remark: true, Typed: l.text[3:]})
	}
	f, ok := findPrompt(l.text)
	if !ok || !slices.Contains(s.prompts, f.text) {
		// What looks like a new name may be an old one with output before it.
		if before, inner, glued := s.glued(l.text); glued {
			s.collect(before, false)
			return s.opens(inner, l)
		}
	}
	if ok && s.believes(f) {
		return s.opens(f, l)
	}
	s.collect(l.text, l.ended)
	s.leave(l.text)
	return nil
}

// believes decides whether what looks like a prompt is one.
func (s *scanner) believes(f found) bool {
	known := slices.Contains(s.prompts, f.text)
	switch f.kind {
	case redisIs:
		return true
	case named:
		if known || f.user != "" && likeCommand(f.rest) {
			return true
		}
		word, _, _ := strings.Cut(strings.TrimSpace(f.rest), " ")
		return likeCommand(f.rest) && f.rest != "" && (!s.anyNamed() || knownProgram(word) || s.expects(f.host))
	case plain:
		return known || likeCommand(f.rest) && strings.TrimSpace(f.rest) != "" && (s.shell().nameless || !s.anyNamed())
	}
	// A sign alone.
	if !s.shell().nameless || s.shell().named || !likeCommand(f.rest) {
		return false
	}
	if f.text[0] == '#' && sectionLike(f.rest) {
		return false
	}
	word, _, _ := strings.Cut(strings.TrimSpace(f.rest), " ")
	return known || knownProgram(word) || len(s.open) == 0 && f.text[0] != '#' || f.text[0] == '$' && f.rest != ""
}

// anyNamed says whether a prompt with a name was seen at all.
func (s *scanner) anyNamed() bool {
	return slices.ContainsFunc(s.shells, func(f frame) bool { return f.named })
}

// expects says whether an ssh to that host is under way.
func (s *scanner) expects(host string) bool {
	return slices.ContainsFunc(s.shells, func(f frame) bool {
		return f.host != "" && strings.HasPrefix(f.host, host) || strings.HasPrefix(host, f.host) && f.host != ""
	})
}

// glued finds a prompt seen before in the middle of a line: what the command
// before it printed had no newline at its end.
func (s *scanner) glued(text string) (before string, f found, ok bool) {
	if len(text) > 1<<16 || len(s.open) == 0 {
		return "", f, false
	}
	for _, p := range s.prompts {
		i := strings.Index(text, p)
		if i <= 0 || strings.TrimSpace(p) == "$" || strings.TrimSpace(p) == "#" {
			continue
		}
		from := i
		if j := strings.LastIndexByte(text[:i], '['); j >= 0 {
			if _, precision, _, rest := cutStamp(text[j:]); precision > 0 && strings.HasPrefix(rest, p) {
				from = j
			}
		}
		f, ok = findPrompt(text[from:])
		if ok && f.text == p && likeCommand(f.rest) {
			return text[:from], f, true
		}
	}
	return "", found{}, false
}

// opens begins the entries of one command line.
func (s *scanner) opens(f found, l rawLine) error {
	if err := s.flush(); err != nil {
		return err
	}
	s.enter(f)
	s.head, s.at = f, l.number
	if unfinished(f.rest) {
		s.waiting = f.rest
		return nil
	}
	return s.begin(f.rest)
}

// goOn joins a command line that was broken, with or without the shell's own
// second prompt.
func (s *scanner) goOn(l rawLine) error {
	const most = 1 << 16
	if f, ok := findPrompt(l.text); ok && f.kind != bare && s.believes(f) && slices.Contains(s.prompts, f.text) {
		line := s.waiting // it never went on: the responder gave up
		s.waiting = ""
		if err := s.begin(line); err != nil {
			return err
		}
		return s.line(l)
	}
	more := strings.TrimPrefix(strings.TrimPrefix(l.text, ">"), " ")
	if strings.HasSuffix(s.waiting, `\`) {
		s.waiting = strings.TrimSuffix(s.waiting, `\`) + " " + more
	} else {
		s.waiting += "\n" + more
	}
	if unfinished(s.waiting) && len(s.waiting) < most {
		return nil
	}
	line := s.waiting
	s.waiting = ""
	return s.begin(line)
}

// collect adds a line to the output under way.
func (s *scanner) collect(text string, ended bool) {
	if len(s.body)+len(text) > s.opts.MaxOutput {
		s.cut = true
		return
	}
	s.body = append(s.body, text...)
	if ended {
		s.body = append(s.body, '\n')
	}
}

// close ends the text.
func (s *scanner) close() error {
	if s.waiting != "" {
		line := s.waiting
		s.waiting = ""
		if err := s.begin(line); err != nil {
			return err
		}
	}
	return s.flush()
}
