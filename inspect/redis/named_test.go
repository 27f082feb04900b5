package redis

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestNamedPrimary(t *testing.T) {
	raw := func(words ...string) []byte {
		v := Value{Kind: '*'}
		for _, w := range words {
			v.Array = append(v.Array, Bulk(w))
		}
		return v.Append(nil)
	}
	asked := []string{"SENTINEL get-master-addr-by-name berths"}
	for name, tt := range map[string]struct {
		commands []string
		raw      []byte
		want     string
	}{
		"v4":           {asked, raw("10.71.2.14", "6379"), "10.71.2.14:6379"},
		"v6":           {asked, raw("2001:db8::9", "6380"), "[2001:db8::9]:6380"},
		"no such name": {asked, []byte("*-1\r\n"), ""},
		"no port":      {asked, raw("10.71.2.14", "x"), ""},
		"no address":   {asked, raw("", "6379"), ""},
		"refused":      {asked, []byte("-ERR unknown command\r\n"), ""},
		"no name":      {[]string{"SENTINEL"}, raw("10.71.2.14", "6379"), ""},
		"replicas":     {asked, []byte("*2\r\n*2\r\n$2\r\nip\r\n$1\r\n1\r\n*0\r\n"), ""},
	} {
		got, ok := ParseNamedPrimary("redis/127.0.0.1:26379", tt.commands, tt.raw, evidence.Span{Step: 3})
		if got.Address != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %+v %v", name, got, ok)
		}
		if ok && (got.Name != "berths" || got.Sentinel != "127.0.0.1:26379" || got.Span.Step != 3) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
