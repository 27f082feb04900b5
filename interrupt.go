package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// echo is how soon after the first a second signal may be the same Ctrl-C: timeout
// and other wrappers pass on what the terminal has sent already.
const echo = 500 * time.Millisecond

// interruptible is a context that the first SIGINT or SIGTERM cancels, so that what
// there is can be kept. Another one ends the program at once.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := <-heard
		at := time.Now()
		cancel(fmt.Errorf("%s signal received", first))
		for range heard {
			if time.Since(at) >= echo {
				if rewritable(os.Stderr) {
					fmt.Fprint(os.Stderr, "\r\x1b[K") // of what was going on
				}
				os.Exit(exitInterrupted)
			}
		}
	}()
	return ctx, func() { signal.Stop(heard); cancel(nil) }
}

// interrupted is the outcome of a verb that a signal ended.
func interrupted(what string) error {
	return exit{exitInterrupted, errors.New("interrupted: " + what)}
}
