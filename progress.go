package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/lockscene/lockscene/report"
)

const (
	redraw  = 250 * time.Millisecond // between two drawings of the line
	patient = 500 * time.Millisecond // what is done sooner shows nothing: a flash tells nobody anything
)

// progress is the one line on a terminal's stderr that says what is waited for and
// how long that may take. It is rewritten in place and wiped when the work is done.
// Where stderr is no terminal, or plain text is asked for, it is nil, and silent.
type progress struct {
	now   func() time.Time
	width func() int // of the terminal; zero: it does not say
	o     report.Options
	began time.Time
	words atomic.Pointer[func(time.Time) []string]

	writing sync.Mutex // guards what follows: a terminal may keep whoever writes waiting
	w       io.Writer
	shown   string
	ended   bool

	end     chan struct{}
	stopped sync.WaitGroup
}

// newProgress begins a line on w, or none.
func newProgress(w io.Writer) *progress {
	file, ok := w.(*os.File)
	if !ok || !rewritable(file) {
		return nil
	}
	p := &progress{w: w, now: time.Now, began: time.Now(), o: report.Options{Unicode: unicodeLocale()}, end: make(chan struct{})}
	p.width = func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
	p.stopped.Go(p.run)
	return p
}

// rewritable says whether a line may be drawn over on a file: it is a terminal, and
// nobody asked for plain text.
func rewritable(file *os.File) bool {
	return os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(file.Fd()))
}

// run draws until done is called. Time left counts down while the work waits, so the
// line does not depend on how often the work reports.
func (p *progress) run() {
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-tick.C:
			p.draw()
		}
	}
}

// say sets what the line says: clauses, the most important first, as of a moment.
func (p *progress) say(words func(now time.Time) []string) {
	if p != nil {
		p.words.Store(&words)
	}
}

// draw writes the line, if it has changed and the work takes long enough to show it.
func (p *progress) draw() {
	words, now := p.words.Load(), p.now()
	if words == nil || now.Sub(p.began) < patient {
		return
	}
	o := p.o
	o.Width = p.width()
	line := report.Line((*words)(now), o)
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.ended || line == p.shown {
		return
	}
	// The rest is erased after the text, not before: the line would flicker.
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
	p.shown = line
}

// aside lets something else be printed, on a line that is free.
func (p *progress) aside(print func() error) error {
	if p == nil {
		return print()
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	p.wipe()
	return print()
}

func (p *progress) wipe() {
	if p.shown != "" {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = ""
	}
}

// done wipes the line for good. It may be called twice.
func (p *progress) done() {
	if p == nil {
		return
	}
	p.writing.Lock()
	ended := p.ended
	p.wipe()
	p.ended = true
	p.writing.Unlock()
	if !ended {
		close(p.end)
		p.stopped.Wait()
	}
}

// seconds is a time that is still to pass, in the one unit that suits it, rounded up:
// what is promised is kept.
func seconds(d time.Duration) string {
	up := func(unit time.Duration) int64 { return int64((d + unit - 1) / unit) }
	switch {
	case d <= 0:
		return "0 s"
	case d <= 99*time.Second:
		return fmt.Sprintf("%d s", up(time.Second))
	case d <= 99*time.Minute:
		return fmt.Sprintf("%d min", up(time.Minute))
	case d <= 48*time.Hour:
		return fmt.Sprintf("%d h", up(time.Hour))
	}
	return fmt.Sprintf("%d days", up(24*time.Hour))
}

// remaining is about how long the rest takes at the pace so far; empty where nothing
// is done yet, or all is.
func remaining(done, total int64, took time.Duration) string {
	if done <= 0 || total <= done || took <= 0 {
		return ""
	}
	return ", about " + seconds(time.Duration(float64(took)/float64(done)*float64(total-done))) + " left"
}
