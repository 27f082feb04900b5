package kernel

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// perClass bounds how many events of one class a summary keeps: a dying disk
// writes a hundred thousand lines that say the same. The oldest half shows when
// it began, the newest half what led to now.
const perClass = 512

// Summarise reduces a log to what bears on locks.
func Summarise(records []Record, source string) evidence.KernelLog {
	log := evidence.KernelLog{Source: source}
	dated := false
	var last uint64
	var numbered bool
	for i := range records {
		r := &records[i]
		if r.Malformed {
			continue
		}
		log.Records++
		if r.HasPrintk && !dated {
			log.Oldest, dated = r.Printk, true
		}
		if r.HasSeq {
			if numbered {
				log.Lost += gap(last, r.Seq)
			}
			last, numbered = r.Seq, true
		}
	}
	log.Events, log.Omitted = trim(Events(records))
	return log
}

// maxGap keeps a forged sequence number from overflowing the count.
const maxGap = 1 << 31

// gap is how many numbers lie between two records. Fragments share the
// sequence, and a number that falls begins another boot.
func gap(last, next uint64) int {
	if next <= last+1 || next-last > maxGap {
		return 0
	}
	return int(next - last - 1)
}

// trim drops the middle of every class that has too many events.
func trim(events []evidence.KernelEvent) (kept []evidence.KernelEvent, omitted int) {
	total := map[string]int{}
	for i := range events {
		total[events[i].Class]++
	}
	seen := map[string]int{}
	kept = events[:0]
	for _, ev := range events {
		n := seen[ev.Class]
		seen[ev.Class]++
		if n >= perClass/2 && n < total[ev.Class]-perClass/2 {
			omitted++
			continue
		}
		kept = append(kept, ev)
	}
	return kept, omitted
}

// A Now is one moment on three clocks of the machine whose log it is.
type Now struct {
	Wall  time.Time
	Boot  time.Duration  // CLOCK_BOOTTIME: goes on in suspend
	Mono  time.Duration  // CLOCK_MONOTONIC: stops in suspend, as printk's clock does
	Clock evidence.Clock // what the interval's clock is called
}

// The printk clock is the scheduler's: NTP does not slew it, and a crystal is
// off by 500 ppm at worst. Both clocks are read a moment apart, and printk's
// starts a little earlier at boot.
const (
	driftPPM = 500
	slack    = time.Millisecond
)

// Place puts an event's printk seconds on the wall clock. Whatever the machine
// has slept since boot may lie before the event or after it, so the interval is
// as wide as all sleep together, plus drift. A date the line carried itself is
// kept. It says nothing of the wall clock's having been stepped since: the
// result is in today's time scale.
func Place(ev *evidence.KernelEvent, now Now) {
	if ev.Wall.Known() {
		if ev.Wall.Clock == "" {
			ev.Wall.Clock = now.Clock
		}
		return
	}
	if ev.Printk <= 0 || now.Wall.IsZero() {
		return
	}
	slept := max(now.Boot-now.Mono, 0)
	awake := max(now.Mono-ev.Printk, 0)
	width := (awake+slept)/1_000_000*driftPPM + slack
	from := now.Wall.Add(-(awake + slept + width))
	to := now.Wall.Add(-awake + width)
	if to.After(now.Wall) {
		to = now.Wall
	}
	ev.Wall = evidence.Interval{From: from.UTC(), To: to.UTC(), Clock: now.Clock}
}

// PlaceAll places every event of a log.
func PlaceAll(log *evidence.KernelLog, now Now) {
	for i := range log.Events {
		Place(&log.Events[i], now)
	}
}
