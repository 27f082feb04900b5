package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// talk is what a responder hears while the watch goes on. It goes to stderr:
// the first look always, progress only to a terminal, where it is wiped again.
type talk struct {
	w    io.Writer
	live bool
	last string
}

func newTalk(w io.Writer) *talk {
	f, ok := w.(*os.File)
	return &talk{w: w, live: ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"}
}

// first says in one line what the first look shows.
func (t *talk) first(v evidence.Verdict, s evidence.Snapshot) {
	lease := v.Answers.Lease.Says
	if lease == "" {
		lease = "lease " + v.Answers.Lease.Value
	}
	owner := v.Answers.Owner.Says
	if owner == "" {
		owner = "owner " + v.Answers.Owner.Value
	}
	fmt.Fprintf(t.w, "first look: %s; %s; watching\n", evidence.Clip(evidence.Printable(lease), 120), evidence.Clip(evidence.Printable(owner), 120))
}

// tick redraws the progress line.
func (t *talk) tick(p inspect.Progress) {
	if !t.live {
		return
	}
	left := (p.Most - p.Elapsed).Round(time.Second)
	t.last = fmt.Sprintf("watching: %d looks, at most %s more (Ctrl-C freezes what there is)", p.Looks, left)
	fmt.Fprintf(t.w, "\r\x1b[K%s", t.last)
}

// done wipes the progress line.
func (t *talk) done() {
	if t.live && t.last != "" {
		fmt.Fprint(t.w, "\r\x1b[K")
	}
}
