package dialect

import (
	"slices"
	"testing"
)

func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"redisson:orders":    "orders",
		"Redisson:a:b":       "a:b",
		"rueidislock:orders": "rueidislock:0:orders",
	} {
		if keys, ok := Named(text); !ok || !slices.Contains(keys, want) {
			t.Errorf("%s: %q %v, want %s among them", text, keys, ok, want)
		}
	}
	for _, text := range []string{"", "orders", "lock:orders", "redisson:", ":x"} {
		if keys, ok := Named(text); ok {
			t.Errorf("%q names a library's lock: %q", text, keys)
		}
	}
}
