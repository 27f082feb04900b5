//go:build !linux

package clock

import (
	"errors"
	"runtime"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// began is when this process started. It is only ever read through its
// monotonic part.
var began = time.Now()

// Now reads the wall clock. This system has no clock that counts from boot
// through sleep, so Boot counts from the start of this process: good for the
// length of a read, not for comparing two captures.
func Now() evidence.Stamp {
	return evidence.Stamp{Wall: time.Now().UTC().Round(0), Boot: time.Since(began)}
}

// Mono counts from the start of this process.
func Mono() time.Duration { return time.Since(began) }

// ReadAdjtimex has nothing to ask here.
func ReadAdjtimex() (Timex, evidence.Status, error) {
	return Timex{}, evidence.Unsupported, errors.New("read adjtimex: not available on " + runtime.GOOS)
}
