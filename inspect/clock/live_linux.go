package clock

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lockscene/lockscene/evidence"
)

// Now reads the wall clock and the time since boot, sleep included.
func Now() evidence.Stamp {
	return evidence.Stamp{Wall: time.Now().UTC().Round(0), Boot: read(unix.CLOCK_BOOTTIME)}
}

// Mono is CLOCK_MONOTONIC: since boot, without sleep. It is the clock of
// systemd's Monotonic timestamps.
func Mono() time.Duration { return read(unix.CLOCK_MONOTONIC) }

// read is zero on a kernel without the clock; none that runs Go lacks these.
func read(id int32) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(id, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

// ReadAdjtimex asks the kernel for its account of the clock. Modes stays zero,
// so the call sets nothing and needs no privilege. [EncodeAdjtimex] makes the
// raw form of the answer.
func ReadAdjtimex() (Timex, evidence.Status, error) {
	var buf unix.Timex
	state, err := unix.Adjtimex(&buf)
	if err != nil {
		return Timex{}, refusal(err), fmt.Errorf("read adjtimex: %w", err)
	}
	return Timex{
		State: state, Offset: int64(buf.Offset), Freq: int64(buf.Freq),
		MaxError: int64(buf.Maxerror), EstError: int64(buf.Esterror), Status: int(buf.Status),
		Constant: int64(buf.Constant), Precision: int64(buf.Precision),
		Tolerance: int64(buf.Tolerance), Tick: int64(buf.Tick), TAI: int(buf.Tai),
	}, evidence.OK, nil
}

func refusal(err error) evidence.Status {
	switch {
	case errors.Is(err, os.ErrPermission):
		return evidence.Denied
	case errors.Is(err, errors.ErrUnsupported):
		return evidence.Unsupported
	}
	return evidence.Failed
}
