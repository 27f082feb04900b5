// Package kernel turns kernel and system logs into evidence.
//
// It works in three steps that know nothing of each other. A carrier parser
// ([ParseKmsg], [ParseDmesg], [ParseDmesgJSON], [ParseJournalJSON],
// [ParsePstore], or [Parse], which guesses) undoes one way of writing the log
// down and yields records. [Events] finds the few records that can decide a
// lock incident. [Place] puts their seconds on the host's wall clock, as an
// interval, because the kernel's own clock stops while the machine sleeps.
// [ReadKmsg] and [ReadDmesg] are the only functions that touch the system.
//
// What the package trusts: the line that says a process was killed, never the
// report around it, since the kernel rate-limits the report and not that line;
// and the facility, since user space may write to the kernel's log but not as
// the kernel. Every parser takes bytes from strangers: whatever is malformed is
// kept aside, nothing is fatal, and no line costs more than its length.
package kernel

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Unknown is the facility, level or number a line does not tell.
const Unknown = -1

// A Record is one message of the log, with what its carrier said of it.
type Record struct {
	Facility  int           // 0 kern … 23 local7; Unknown where the carrier drops it
	Level     int           // 0 emerg … 7 debug; Unknown where the carrier drops it
	Seq       uint64        // the ring's own number; meaningful with HasSeq
	HasSeq    bool          //
	Printk    time.Duration // the kernel's clock since boot; stops in suspend; meaningful with HasPrintk
	HasPrintk bool          //
	Delta     time.Duration // since the line before, where dmesg prints that; else zero
	Wall      Wall          // a date the line carries itself; zero when it carries none
	Caller    string        // T<tid> or C<cpu>, on kernels that print it
	Host      string        // the host name of a syslog or journal line
	Tag       string        // who wrote it: kernel, systemd, chronyd, …; empty in the ring itself
	TagPid    int           // zero when the tag has none
	Repeat    int           // how often a syslog daemon folded it; zero means once, as written
	Boot      string        // the journal's boot id, 32 hex digits
	Journal   *Stamps       // the journal's own clocks; nil elsewhere
	Text      string        // the message, escapes undone
	Raw       string        // the bytes it came from
	Malformed bool          // not a record of its carrier: Raw and Text are the bytes as they came
}

// Stamps are the two clocks at the moment the journal received a record. Their
// difference moves only when the wall clock is stepped, so a series of them
// shows past steps.
type Stamps struct {
	Real time.Time     // CLOCK_REALTIME
	Mono time.Duration // CLOCK_MONOTONIC, sleep not included
}

// A Wall is a date found in a line: the moment lies in [Time, Time+Precision].
type Wall struct {
	Time      time.Time     // read as UTC when Zone is false; year 0 when the line has none
	Precision time.Duration // how coarse the stamp is: a minute, a second, a microsecond
	Zone      bool          // the line, or who dated it, told the zone
}

// Known says whether the line carried a date with its year.
func (w Wall) Known() bool { return !w.Time.IsZero() && w.Time.Year() > 0 }

// Zones reach from UTC-12 to UTC+14; a local time without its zone may be any.
const (
	eastmost = 14 * time.Hour
	westmost = 12 * time.Hour
)

// Interval is the stretch of wall time the date stands for, on a clock still to
// be named. Without a zone it is 26 hours wide; without a year it is unknown.
func (w Wall) Interval() evidence.Interval {
	if !w.Known() {
		return evidence.Interval{}
	}
	i := evidence.Interval{From: w.Time.UTC(), To: w.Time.Add(w.Precision).UTC()}
	if !w.Zone {
		i = i.Shift(-eastmost, westmost)
	}
	return i
}

// fromKernel says whether the kernel wrote the record; when the carrier does
// not tell, it may have.
func (r *Record) fromKernel() bool {
	if r.Facility != Unknown {
		return r.Facility == 0
	}
	return r.Tag == "" || r.Tag == "kernel"
}

// apart is how far two records are from each other, by the finest clock both
// carry; ok is false when they share none.
func apart(a, b *Record) (d time.Duration, ok bool) {
	switch {
	case a.HasPrintk && b.HasPrintk:
		d = b.Printk - a.Printk
	case !a.Wall.Time.IsZero() && !b.Wall.Time.IsZero():
		d = b.Wall.Time.Sub(a.Wall.Time)
	default:
		return 0, false
	}
	if d < 0 {
		d = -d
	}
	return d, true
}
