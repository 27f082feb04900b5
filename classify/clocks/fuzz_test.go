package clocks_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/lockscene/lockscene/classify/clocks"
)

// FuzzSteps feeds arbitrary samples: nothing panics, every range is a range,
// and every place is one of the samples.
func FuzzSteps(f *testing.F) {
	f.Add([]byte("arbitrary bytes, thirty-two for each of the samples"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var samples []clocks.Sample
		for ; len(b) >= 32; b = b[32:] {
			n := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
			samples = append(samples, clocks.Sample{
				Boot0: time.Duration(n(0)), Boot1: time.Duration(n(1)),
				Server0: time.Unix(0, n(2)), Server1: time.Unix(0, n(3)),
			})
		}
		for _, s := range clocks.Steps(samples) {
			if s.Hi < s.Lo || s.After > s.Before || s.After < 0 || s.Before >= len(samples) || s.Lo <= 0 && s.Hi >= 0 {
				t.Fatalf("%+v of %d samples", s, len(samples))
			}
		}
		for _, z := range clocks.Freezes(samples) {
			if z.Hi < z.Lo || z.Lo <= 0 || z.First >= z.Last {
				t.Fatalf("%+v", z)
			}
		}
	})
}
