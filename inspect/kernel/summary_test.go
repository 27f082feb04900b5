package kernel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The interval is as wide as all sleep since boot, 500 ppm of the age to each
// side, and a millisecond to each side.
func TestPlace(t *testing.T) {
	wall := time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name              string
		printk, mono, run time.Duration // run is boot time
		from, to          time.Duration // before now
	}{
		{"no sleep", 1000 * time.Second, 2000 * time.Second, 2000 * time.Second, 1000*time.Second + 501*time.Millisecond, 1000*time.Second - 501*time.Millisecond},
		{"an hour of sleep", 1000 * time.Second, 2000 * time.Second, 5600 * time.Second, 4600*time.Second + 2301*time.Millisecond, 1000*time.Second - 2301*time.Millisecond},
		{"just now", 2000 * time.Second, 2000 * time.Second, 2000 * time.Second, time.Millisecond, 0},
		{"ahead of the monotonic clock", 2001 * time.Second, 2000 * time.Second, 2000 * time.Second, time.Millisecond, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := evidence.KernelEvent{Printk: c.printk}
			Place(&ev, Now{Wall: wall, Boot: c.run, Mono: c.mono, Clock: "host:b"})
			if from, to := wall.Sub(ev.Wall.From), wall.Sub(ev.Wall.To); from != c.from || to != c.to || ev.Wall.Clock != "host:b" {
				t.Errorf("from %v to %v before now on %q, want %v to %v", from, to, ev.Wall.Clock, c.from, c.to)
			}
		})
	}
}

func TestPlaceKeepsTheLinesOwnDate(t *testing.T) {
	log := Summarise(ParseJournalJSON(sample(t, "21_journal_k.json")), "journal")
	PlaceAll(&log, Now{Wall: time.Unix(0, 0), Boot: time.Hour, Mono: time.Hour, Clock: "host:b"})
	if w := log.Events[0].Wall; w.From.UnixMicro() != 1772504047329282 || w.Clock != "host:b" {
		t.Errorf("wall %+v, want the journal's own, on host:b", w)
	}
}

func TestPlaceWithoutSeconds(t *testing.T) {
	ev := evidence.KernelEvent{}
	Place(&ev, Now{Wall: time.Unix(1772504047, 0), Boot: time.Hour, Mono: time.Hour})
	if ev.Wall.Known() {
		t.Errorf("wall %+v of an event without seconds, want unknown", ev.Wall)
	}
}

func TestLostRecords(t *testing.T) {
	for _, c := range []struct {
		name string
		seqs []uint64
		want int
	}{
		{"none", []uint64{5, 6, 7}, 0},
		{"a gap", []uint64{5, 9}, 3},
		{"another boot", []uint64{900, 1, 2}, 0},
		{"nonsense", []uint64{1, 1 << 60, 2}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			for _, s := range c.seqs {
				fmt.Fprintf(&b, "6,%d,1,-;x\n", s)
			}
			if got := Summarise(ParseKmsg([]byte(b.String())), "").Lost; got != c.want {
				t.Errorf("lost %d, want %d", got, c.want)
			}
		})
	}
}

// A flood of one class keeps its two ends; other classes lose nothing.
func TestFloodIsTrimmed(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "[%5d.000000] I/O error, dev sda, sector 1\n", i)
		if i == 1000 {
			b.WriteString("[ 1000.500000] Out of memory: Killed process 5 (x) total-vm:9kB, anon-rss:8kB, \n")
		}
	}
	log := Summarise(ParseDmesg([]byte(b.String())), "")
	if len(log.Events) != perClass+1 || log.Omitted != 2000-perClass {
		t.Fatalf("%d events, %d omitted, want %d and %d", len(log.Events), log.Omitted, perClass+1, 2000-perClass)
	}
	if log.Events[perClass/2].Class != OOMKill || log.Events[perClass].Printk != 1999*time.Second {
		t.Errorf("middle %+v, last %+v", log.Events[perClass/2], log.Events[perClass])
	}
}
