package transcript

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// A scanner turns lines into entries.
type scanner struct {
	opts     Options
	each     func(Entry) error
	shells   []frame  // the shell the prompts belong to is the last
	session  *Session // the redis-cli last seen or opened
	within   *frame   // where that redis-cli runs
	prompts  []string // as they were written, newest first
	hosts    []string // those that prompts named
	users    []string // the same, as user@host
	clocks   clocks
	terminal int

	open    []Entry   // the commands of the line under way
	list    []command // what they are, of a shell's
	said    output    // what they have printed so far
	pending *pending  // a command line that goes on in the next line
	head    found     // the prompt before it
	at      int       // that prompt's line

	fenced bool   // within a ticket's code block
	moved  bool   // ssh, exit or their like since the last prompt
	left   bool   // the command under way ended a shell
	opened bool   // … or opened one
	traced bool   // set -x was typed
	typed  string // the shell command line before
	names  found
	held   *heldLine // it may be the first line of a prompt
	heads  []string  // lines that were
}

func newScanner(opts Options, each func(Entry) error) *scanner {
	return &scanner{opts: opts, each: each, shells: []frame{{host: opts.Host, nameless: true}}, said: output{most: opts.MaxOutput}}
}

// line takes the next line of the text.
func (s *scanner) line(l rawLine) error {
	if s.held != nil {
		if err := s.release(string(l.text)); err != nil {
			return err
		}
	}
	switch {
	case s.pending != nil:
		return s.goOn(l)
	case isFence(l.text):
		if done, err := s.fence(l); done {
			return err
		}
	case bytes.HasPrefix(l.text, []byte("## ")):
		return s.remark(string(l.text[3:]), l, !aside.Match(l.text[3:]))
	case bytes.HasPrefix(l.text, []byte("Script ")) && scriptMark.Match(l.text):
		return s.remark(string(l.text), l, true)
	case isStatusLine(l.text), s.isNotice(l.text):
		s.said.skip(l)
		return nil
	case signed(l.text) && len(l.text) <= maxCommandLine:
		if done, err := s.prompted(string(l.text), l); done {
			return err
		}
	}
	if s.hold(l) {
		return nil
	}
	return s.printed(l)
}

// prompted takes a line if a prompt is in it.
func (s *scanner) prompted(text string, l rawLine) (bool, error) {
	if before, head, ok := headIn(text); ok {
		if len(before) > 0 {
			if err := s.printed(l.before(len(before))); err != nil {
				return true, err
			}
		}
		s.names = head
		return true, s.flush()
	}
	f, ok := findPrompt(text)
	if !ok || !slices.Contains(s.prompts, f.text) && !s.whole(f) {
		// What looks like a new name may be an old one with output before it.
		if before, inner, glued := s.glued(text); glued {
			part := l.before(len(before))
			l.at, l.size = l.at+part.size, l.size-part.size
			s.said.add(part)
			return true, s.opens(inner, l)
		}
	}
	if ok && s.believes(f) {
		return true, s.opens(f, l)
	}
	return false, nil
}

// printed takes a line of output.
func (s *scanner) printed(l rawLine) error {
	if len(s.open) > 0 {
		if len(l.text) < 256 && len(s.shells) > 1 {
			s.leave(string(l.text))
		}
		if s.said.bytes == 0 && len(l.text) < 256 && askedPassword.Match(l.text) {
			l.text, l.ended = nil, false
		}
	} else if s.said.full(l) {
		// Loose lines are all there is of them: none is left out.
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.said.bytes == 0 {
		s.said.at, s.said.line = l.at, l.number
	}
	s.said.add(l)
	return nil
}

// opens begins the entries of one command line.
func (s *scanner) opens(f found, l rawLine) error {
	if f.kind != redisIs && strings.ContainsAny(f.text, "❯»➤⇒▶➜") {
		s.said.dropBlank()
	}
	if err := s.flush(); err != nil {
		return err
	}
	if f.parted && strings.TrimSpace(f.rest) == "" && s.names.host == "" {
		s.names, s.names.framed = f, true // the first line of two
		return nil
	}
	if (f.kind == plain || f.kind == bare && s.names.framed) && s.names.host != "" {
		f.kind, f.user, f.host = named, s.names.user, s.names.host
		if !f.stamp.Known() {
			f.stamp = s.names.stamp
		}
	}
	s.names = found{}
	s.enter(f)
	s.head, s.at = f, l.number
	s.said.at = l.at + l.size
	if f.kind != redisIs {
		g, until := goes(f.rest)
		if _, earlier := recalled(f.rest); earlier && g == ends {
			g = recalling
		}
		if g != ends {
			s.pending = &pending{line: f.rest, going: g, until: until}
			return nil
		}
	}
	return s.begin(f.rest, nil)
}

// A remark that only points at the output around it does not end that output.
var aside = regexp.MustCompile(`^(?:\^|<-|\.\.\.|…|\[?\(?(?:snip|cut|\.\.\.|…))`)

// What script(1) says of itself.
var scriptMark = regexp.MustCompile(`^Script (?:started|done)(?: on |, |$|:)`)

func (s *scanner) remark(words string, l rawLine, ends bool) error {
	r := Entry{Line: l.number, Terminal: s.terminal, Host: s.shell().host, Remark: true, Typed: words, Offset: l.at, Bytes: l.size}
	if ends {
		if err := s.flush(); err != nil {
			return err
		}
		return s.each(r)
	}
	s.said.skip(l)
	s.said.remarks = append(s.said.remarks, r)
	const most = 1000
	if len(s.said.remarks) > most {
		return s.flush()
	}
	return nil
}

// fence takes the line before or after a code block, when it is one: within the
// output of a command that began outside of any it is output.
func (s *scanner) fence(l rawLine) (bool, error) {
	if !s.fenced && len(s.open) > 0 {
		return false, nil
	}
	s.fenced = !s.fenced
	return true, s.flush()
}

// close ends the text.
func (s *scanner) close() error {
	if s.held != nil {
		if err := s.release(""); err != nil {
			return err
		}
	}
	if s.pending != nil {
		if err := s.giveUp(); err != nil {
			return err
		}
	}
	return s.flush()
}

// A pending command line goes on in the next line.
type pending struct {
	line  string
	going going
	until string   // the word that ends a here-document
	fed   []string // its lines
	raw   []rawLine
	size  int
}

// goOn joins a command line that was broken, with or without the shell's own
// second prompt.
func (s *scanner) goOn(l rawLine) error {
	p := s.pending
	if p.going == recalling {
		return s.recall(l)
	}
	text := string(l.text)
	more, second := cutSecondPrompt(text)
	if f, ok := findPrompt(text); ok && !second && f.kind != bare && slices.Contains(s.prompts, f.text) || p.going == wanting && !second {
		if err := s.giveUp(); err != nil { // it never went on
			return err
		}
		return s.line(l)
	}
	l.text = []byte(text)
	p.raw, p.size = append(p.raw, l), p.size+len(text)+1
	s.said.at = l.at + l.size
	if p.going == heredocs {
		return s.feed(more)
	}
	p.line = joined(p.line, more, p.going)
	if p.size > maxCommandLine {
		return s.giveUp()
	}
	p.going, p.until = goes(p.line)
	if p.going != ends {
		return nil
	}
	s.pending = nil
	return s.begin(p.line, nil)
}

// feed takes a line of a here-document.
func (s *scanner) feed(line string) error {
	p := s.pending
	if strings.TrimSpace(line) == p.until {
		s.pending = nil
		return s.begin(p.line, p.fed)
	}
	if p.fed = append(p.fed, line); p.size > maxCommandLine {
		return s.giveUp()
	}
	return nil
}

// giveUp takes a command line as it stands. A here-document without an end was
// none: its lines are output.
func (s *scanner) giveUp() error {
	p := s.pending
	s.pending = nil
	if err := s.begin(p.line, nil); err != nil || p.going != heredocs {
		return err
	}
	for _, l := range p.raw {
		if err := s.printed(l); err != nil {
			return err
		}
	}
	return nil
}
