package pasted

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// What an interrupt leaves. A text that ends early is what scrollback is anyway, but
// for the command that was being read: half of what it printed would hide the rest.
// Half a log shows a silence that is none, and half a history a lock that nobody
// released, so of whole files there is all or nothing.

// interrupted says whether reading ended because it was told to.
func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

// scan reads one text.
func (im *importer) scan(t Text) error {
	l := latest{take: im.take}
	err := transcript.Scan(t.From, transcript.Options{}, l.add)
	if interrupted(err) {
		im.cut = append(im.cut, shortName(t.Name)+" was not read to its end")
		return nil
	}
	if err != nil {
		return err
	}
	return l.hand()
}

// latest holds back the entries of the line that was typed last, until the next one
// shows that their output is whole.
type latest struct {
	take func(transcript.Entry) error
	held []transcript.Entry
}

func (l *latest) add(e transcript.Entry) error {
	if len(l.held) > 0 && !e.Remark && e.Offset != l.held[0].Offset {
		if err := l.hand(); err != nil {
			return err
		}
	}
	l.held = append(l.held, e)
	return nil
}

func (l *latest) hand() error {
	for _, e := range l.held {
		if err := l.take(e); err != nil {
			return err
		}
	}
	clear(l.held)
	l.held = l.held[:0]
	return nil
}

// leaveOut keeps a row for a file that was not read to its end.
func (im *importer) leaveOut(f File, p evidence.Probe) {
	p.Status, p.Why, p.Truncated = evidence.Skipped, "interrupted before it was read to its end: half of it would show a silence that is none", false
	im.whole = append(im.whole, p)
	im.cut = append(im.cut, "--"+f.Kind+" "+shortName(f.Name)+" was left out")
}

func shortName(path string) string { return evidence.Clip(evidence.Printable(filepath.Base(path)), 60) }

// cutShort is what an interrupt left unread, in one sentence.
func (im *importer) cutShort() string {
	if len(im.cut) == 0 {
		return ""
	}
	return evidence.Clip("interrupted: "+strings.Join(im.cut, ", "), 300)
}
