package events

import (
	"fmt"
	"strings"
	"testing"
)

// Most of a log is somebody else's: what a line costs that is no event decides
// how long a large file takes.
func BenchmarkRead(b *testing.B) {
	sources := map[string]func(int) string{
		"plain": func(i int) string {
			return fmt.Sprintf("2026-11-29T03:12:%02d.%03dZ INFO ledgerd[41207] request %d handled in 12 ms, 200 OK, for client 10.0.0.%d\n", i%60, i%1000, i, i%250)
		},
		"json": func(i int) string {
			return fmt.Sprintf(`{"at":"2026-11-29T03:12:%02d.%03dZ","event":"renew","key":"lock:orders","owner":"quince-3:41207","took_ms":%d}`+"\n", i%60, i%1000, i%9)
		},
	}
	for name, line := range sources {
		var s strings.Builder
		for i := range 20_000 {
			s.WriteString(line(i))
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(s.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(strings.NewReader(s.String()), "app.log", nil, Options{Context: utc}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoadAuto(b *testing.B) {
	for b.Loop() {
		if _, err := Load("auto", nil); err != nil {
			b.Fatal(err)
		}
	}
}
