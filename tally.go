package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A tally counts the bundles that a verb is done with. Several goroutines may count.
type tally struct {
	verb  string
	total int
	count atomic.Int64
	*progress
}

// newTally begins to count, and to show it on a terminal. done ends that.
func newTally(verb string, total int, stderr io.Writer) *tally {
	t := &tally{verb: verb, total: total, progress: newProgress(stderr)}
	began := time.Now()
	t.say(func(now time.Time) []string { return t.words(now.Sub(began)) })
	return t
}

// one counts one more.
func (t *tally) one() { t.count.Add(1) }

// words are the line after some time.
func (t *tally) words(took time.Duration) []string {
	n := t.count.Load()
	if n == int64(t.total) {
		return []string{fmt.Sprintf("%s %s", t.verb, bundles(t.total)), ": all read"}
	}
	return []string{fmt.Sprintf("%s %d of %s", t.verb, n, bundles(t.total)), remaining(n, int64(t.total), took)}
}

// cut is the error of a verb that an interrupt stopped before the last bundle, and
// what then holds; nil when it was not.
func (t *tally) cut(ctx context.Context, holds string) error {
	n := int(t.count.Load())
	if ctx.Err() == nil || n == t.total {
		return nil
	}
	return interrupted(fmt.Sprintf("%d of %s read, %d left; %s", n, bundles(t.total), t.total-n, holds))
}

func bundles(n int) string {
	if n == 1 {
		return "1 bundle"
	}
	return fmt.Sprintf("%d bundles", n)
}
