package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// Less evidence never turns one verdict into another. Commands are taken out of
// the cases' transcripts at random, with what they printed; the label stays, or
// becomes inconclusive with the old one open, or stands among those not ruled out.
// What says whose lock and which process it is is left in: without it another
// question would be asked.
func TestCasesWithLess(t *testing.T) {
	texts, _ := filepath.Glob("testdata/cases/*.txt")
	const rounds = 40
	for _, text := range texts {
		name := strings.TrimSuffix(filepath.Base(text), ".txt")
		t.Run(name, func(t *testing.T) {
			w := readWanted(t, strings.TrimSuffix(text, ".txt")+".yaml")
			whole := judged(t, w.commandLine(text))
			if whole.Label == evidence.Inconclusive {
				return
			}
			source, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			blocks := blocksOf(t, string(source))
			r := rand.New(rand.NewPCG(7, uint64(len(source))))
			for round := range rounds {
				less := filepath.Join(t.TempDir(), fmt.Sprintf("less-%d.txt", round))
				var kept strings.Builder
				share := 0.1 + 0.7*r.Float64()
				for _, b := range blocks {
					if b.identity || r.Float64() > share {
						kept.WriteString(b.text)
					}
				}
				if err := os.WriteFile(less, []byte(kept.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				v := judged(t, w.commandLine(less))
				if !stands(whole.Label, v) {
					t.Errorf("%s with less became %s (open %v, not ruled out %v):\n%s", whole.Label, v.Label, v.Open, v.NotRuledOut, kept.String())
					return
				}
			}
		})
	}
}

// stands says whether a verdict leaves a label standing.
func stands(l evidence.Label, v evidence.Verdict) bool {
	return v.Label == l || slices.Contains(v.NotRuledOut, l) || v.Label == evidence.Inconclusive && slices.Contains(v.Open, l)
}

// A block is one command of a transcript with its output.
type block struct {
	text     string
	identity bool
}

func blocksOf(t *testing.T, source string) []block {
	t.Helper()
	lines := strings.SplitAfter(source, "\n")
	var starts []int
	names := map[int]bool{}
	err := transcript.Scan(strings.NewReader(source), transcript.Options{}, func(e transcript.Entry) error {
		starts = append(starts, e.Line-1)
		typed := strings.ToUpper(e.Typed)
		for _, word := range []string{"GET ", "HGETALL", "SSH", "EXIT", "/CGROUP", "NSPID", "SYSTEMCTL", "MOUNTS"} {
			if strings.Contains(typed, word) {
				names[e.Line-1] = true
			}
		}
		if cli, err := redis.ParseCLI(e.Argv); err == nil && len(cli.Command) == 0 {
			names[e.Line-1] = true // it opens the prompt that other commands are typed at
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	var out []block
	for i, from := range starts {
		to := len(lines)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		out = append(out, block{strings.Join(lines[from:to], ""), names[from]})
	}
	return out
}
