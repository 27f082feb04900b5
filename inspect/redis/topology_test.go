package redis

import (
	"slices"
	"strings"
	"testing"
)

func TestSlot(t *testing.T) {
	// 12739 is the value in the cluster specification.
	for key, want := range map[string]int{"123456789": 12739, "{user1000}.following": Slot("user1000"), "foo{}{bar}": Slot("foo{}{bar}"), "foo{{bar}}zap": Slot("{bar"), "": 0} {
		if got := Slot(key); got != want {
			t.Errorf("%q: slot %d, want %d", key, got, want)
		}
	}
}

func TestMoved(t *testing.T) {
	for raw, want := range map[string]string{
		"-MOVED 3999 127.0.0.1:6381\r\n":                         "127.0.0.1:6381",
		"*2\r\n$1\r\n1\r\n$1\r\n2\r\n-MOVED 3999 :6381\r\n":      "10.0.0.1:6381",
		"-ASK 3999 [2001:db8::1]:6381\r\n":                       "[2001:db8::1]:6381",
		"-MOVED 3999\r\n":                                        "",
		"-CLUSTERDOWN Hash slot not served\r\n":                  "",
		"+OK\r\n":                                                "",
		"-MOVED 3999 nonsense\r\n-MOVED 3999 127.0.0.1:6382\r\n": "127.0.0.1:6382",
	} {
		if got, asking := Moved([]byte(raw), "10.0.0.1:6379"); got != want || asking != strings.HasPrefix(raw, "-ASK") {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestParseShards(t *testing.T) {
	node := func(host, port string) string {
		return "*3\r\n$" + string(rune('0'+len(host))) + "\r\n" + host + "\r\n:" + port + "\r\n$1\r\nx\r\n"
	}
	raw := "*1\r\n*4\r\n:0\r\n:5460\r\n" + node("10.0.0.2", "7000") + node("", "7001")
	got := ParseShards([]byte(raw), "10.0.0.9:7000")
	if len(got) != 1 || got[0].To != 5460 || !slices.Equal(got[0].Nodes, []string{"10.0.0.2:7000", "10.0.0.9:7001"}) {
		t.Errorf("%+v", got)
	}
}

func TestParseQuorum(t *testing.T) {
	for text, want := range map[string]struct {
		sentinels []string
		name      string
		db        int
		password  string
	}{
		"redis-sentinel://10.0.0.1:26379,10.0.0.2/locks": {[]string{"10.0.0.1:26379", "10.0.0.2:26379"}, "locks", 0, ""},
		"redis-sentinel://u:p@w@s1:1234/locks/3":         {[]string{"s1:1234"}, "locks", 3, "p@w"},
		"redis-sentinel://s1#locks":                      {[]string{"s1:26379"}, "locks", 0, ""},
	} {
		q, primary, ok, err := ParseQuorum(text, TLSFiles{})
		var got []string
		for _, s := range q.Sentinels {
			got = append(got, s.Addr)
			if s.Password != "" {
				t.Errorf("%s: the primary's password goes to a Sentinel", text)
			}
		}
		if !ok || err != nil || q.Name != want.name || primary.DB != want.db || primary.Password != want.password || !slices.Equal(got, want.sentinels) {
			t.Errorf("%s: %v %+v %v, %v", text, got, q.Name, primary.DB, err)
		}
	}
	for _, text := range []string{"redis-sentinel://", "redis-sentinel://s1", "redis-sentinel:///locks", "redis-sentinel://s1:x/locks"} {
		if _, _, ok, err := ParseQuorum(text, TLSFiles{}); !ok || err == nil {
			t.Errorf("%q: accepted", text)
		}
	}
	if _, _, ok, _ := ParseQuorum("redis://s1", TLSFiles{}); ok {
		t.Error("redis:// is no Sentinel address")
	}
}
