package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// Of an output that is too long its beginning and its end are kept, in whole
// lines, and it says so.
func TestLongOutput(t *testing.T) {
	var text strings.Builder
	text.WriteString("q-3$ dmesg\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	text.WriteString("q-3$ true\n")
	var entries []Entry
	const most = 4096
	err := Scan(strings.NewReader(text.String()), Options{MaxOutput: most}, func(e Entry) error {
		entries = append(entries, e)
		return nil
	})
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	e := entries[0]
	if !e.Truncated || len(e.Output) > most || len(e.Output) < most/2 {
		t.Errorf("truncated %v, %d bytes", e.Truncated, len(e.Output))
	}
	if !bytes.HasPrefix(e.Output, []byte("line 0\nline 1\n")) || !bytes.HasSuffix(e.Output, []byte("\nline 99998\nline 99999\n")) {
		t.Errorf("kept %q … %q", e.Output[:20], e.Output[len(e.Output)-20:])
	}
	for line := range bytes.Lines(e.Output) {
		var n int
		if _, err := fmt.Sscanf(string(line), "line %d\n", &n); err != nil {
			t.Errorf("half a line: %q", line)
		}
	}
	if e.Offset != int64(len("q-3$ dmesg\n")) || e.Offset+e.Bytes != int64(text.Len()-len("q-3$ true\n")) {
		t.Errorf("output at %d, %d bytes of %d", e.Offset, e.Bytes, text.Len())
	}
	if entries[1].Truncated {
		t.Error("the next entry is truncated too")
	}
}

// Loose lines are handed over in parts: none is left out.
func TestLongLoose(t *testing.T) {
	text := strings.Repeat("nothing that anybody typed\n", 10_000)
	var got strings.Builder
	n, line := 0, 0
	err := Scan(strings.NewReader(text), Options{MaxOutput: 4096}, func(e Entry) error {
		if !e.Loose || e.Truncated || e.Line <= line {
			t.Errorf("entry %d: %+v", n, e)
		}
		n, line = n+1, e.Line
		got.Write(e.Output)
		return nil
	})
	if err != nil || got.String() != text || n < 2 {
		t.Errorf("%d entries hold %d of %d bytes, %v", n, got.Len(), len(text), err)
	}
}

// One endless line is cut, and says so.
func TestLongLine(t *testing.T) {
	entries := scan(t, "q-3$ cat blob\n"+strings.Repeat("x", 3*maxLine)+"\nq-3$ true\n")
	if len(entries) != 2 || !entries[0].Truncated || len(entries[0].Output) > 1<<20 || len(entries[0].Output) == 0 {
		t.Errorf("%d entries, truncated %v, %d bytes", len(entries), entries[0].Truncated, len(entries[0].Output))
	}
}

// Whatever was read before a failure is handed over before it is told.
func TestReadFailure(t *testing.T) {
	broken := errors.New("broken")
	var got []string
	err := Scan(io.MultiReader(strings.NewReader("q-3$ date\nMon\n"), failing{broken}), Options{}, func(e Entry) error {
		got = append(got, brief(e))
		return nil
	})
	if !errors.Is(err, broken) || len(got) != 1 || got[0] != "q-3 date → Mon" {
		t.Errorf("%q, %v", got, err)
	}
	stop := errors.New("stop")
	if err := Scan(strings.NewReader("$ a\n$ b\n$ c\n"), Options{}, func(Entry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the caller's own error: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// hostile texts are cheap to write and used to be dear to read.
func hostile() map[string]string {
	return map[string]string{
		"quotes":          "q-3$ " + strings.Repeat(`'"`, 30_000) + "\n",
		"operators":       "q-3$ " + strings.Repeat("a;", 30_000) + "\n" + strings.Repeat("x\n", 10_000),
		"substitutions":   "q-3$ " + strings.Repeat("$(", 30_000) + "\n",
		"backquotes":      "q-3$ " + strings.Repeat("`", 60_000) + "\n",
		"loops":           "q-3$ " + strings.Repeat("for i in 1; do ", 4000) + "\n",
		"nested shells":   "q-3$ " + strings.Repeat("ssh a sh -c ", 5000) + "\n",
		"many open loops": strings.Repeat("q-3$ while true; do date; done\n"+strings.Repeat("\n", 100), 500),
		"hosts":           manyHosts(20_000),
		"escapes":         strings.Repeat("\x1b]", 500_000) + "\n",
		"backspaces":      strings.Repeat("a\b", 500_000) + "\n",
		"continuations":   strings.Repeat("q-3$ a \\\n", 50_000),
		"remarks":         "q-3$ a\n" + strings.Repeat("## ...\n", 50_000),
		"fences":          strings.Repeat("```\n", 50_000),
		"prompts":         "q-3$ a\n" + strings.Repeat("q-3$ ", 200_000),
		"rounds":          "q-3$ while true; do dmesg; ps; done\n" + strings.Repeat("  PID\n", 100_000),
	}
}

func manyHosts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "u%d@h%d:~$ ssh h%d\nMon\n", i, i, i+1)
	}
	return b.String()
}

func TestHostile(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			kept := 0
			err := Scan(strings.NewReader(text), Options{}, func(e Entry) error {
				kept += len(e.Output)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if kept > len(text) {
				t.Errorf("%d bytes of output from %d", kept, len(text))
			}
		})
	}
}

// generated is a scrollback of n bytes, made while it is read.
type generated struct {
	left  int64
	piece []byte
	at    int
}

func (g *generated) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, g.piece[g.at:])
	if g.at += n; g.at == len(g.piece) {
		g.at = 0
	}
	g.left -= int64(n)
	return n, nil
}

func scrollback(n int64) *generated {
	var b strings.Builder
	b.WriteString("[2026-10-05T09:31:24Z] ops@quince-3:~$ redis-cli -h 10.40.64.7 CLIENT LIST\n")
	for i := range 300 {
		fmt.Fprintf(&b, "id=%d addr=10.40.64.11:%d laddr=10.40.64.7:6379 fd=8 name=ledgerd age=7209 idle=6 flags=N db=0 sub=0 psub=0 events=r cmd=evalsha user=default\n", i, 30000+i)
	}
	b.WriteString("[2026-10-05T09:31:25Z] ops@quince-3:~$ dmesg\n")
	for i := range 300 {
		fmt.Fprintf(&b, "[%d.123456] ledgerd invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0\n", i)
	}
	b.WriteString("[2026-10-05T09:31:26Z] ops@quince-3:~$ ls -l /proc/41207/fd\n")
	for i := range 300 {
		fmt.Fprintf(&b, "lrwx------ 1 ops ops 64 Oct  5 09:31 %d -> socket:[%d]\n", i, 99000+i)
	}
	return &generated{left: n, piece: []byte(b.String())}
}

// Memory follows the longest output, not the text.
func TestMemory(t *testing.T) {
	peak := func(size int64) uint64 {
		var most uint64
		n := 0
		var m runtime.MemStats
		err := Scan(scrollback(size), Options{}, func(Entry) error {
			if n++; n%50 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return most
	}
	small, large := peak(8<<20), peak(50<<20)
	if large > small+4<<20 {
		t.Errorf("%d bytes of heap for 50 MB, %d for 8", large, small)
	}
}

func BenchmarkScan(b *testing.B) {
	const size = 50 << 20
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if err := Scan(scrollback(size), Options{}, func(Entry) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
