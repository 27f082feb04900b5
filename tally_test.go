package main

import (
	"strings"
	"testing"
	"time"
)

func TestTallyWords(t *testing.T) {
	tally := &tally{verb: "prove", total: 1000}
	for n, want := range map[int64]string{
		0:    "prove 0 of 1000 bundles",
		312:  "prove 312 of 1000 bundles, about 3 s left",
		1000: "prove 1000 bundles: all read",
	} {
		tally.count.Store(n)
		if got := strings.Join(tally.words(time.Second), ""); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
