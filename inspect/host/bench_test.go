package host_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"testing"

	"github.com/lockscene/lockscene/inspect/host"
)

// BenchmarkTCP reads the table of a busy host for the one peer that matters.
func BenchmarkTCP(b *testing.B) {
	var table bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&table, "%4d: 110200C0:%04X 096433C6:%04X 01 00000000:00000000 02:00000A1B 00000000  1004        0 %d 2 0000000000000000 20 4 30 10 -1\n",
			i, 1024+i%60000, 8000+i%500, 885900+i)
	}
	redis := netip.MustParseAddrPort("198.51.100.9:8003")
	b.SetBytes(int64(table.Len()))
	for b.Loop() {
		rows, err := host.ParseTCPWhere(table.Bytes(), false, func(_, r netip.AddrPort) bool { return r == redis })
		if err != nil || len(rows) != 40 {
			b.Fatal(len(rows), err)
		}
	}
}

// BenchmarkPressure sets the parser beside the library's, which needs a folder.
func BenchmarkPressure(b *testing.B) {
	text := read(b, "27_cgroup_v2/memory.pressure")
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			if _, err := host.ParsePressure(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("staged", func(b *testing.B) {
		for b.Loop() {
			root, done, err := host.Stage(map[string][]byte{"pressure/memory": text}, b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			bg, err := host.OpenBackground(root)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := bg.Pressure("memory"); err != nil {
				b.Fatal(err)
			}
			done()
		}
	})
}
