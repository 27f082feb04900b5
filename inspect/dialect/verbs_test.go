package dialect

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestVerb(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want evidence.Deed
	}{
		{[]string{"evalsha", "e950836ed1e694540c503ef9972b8de518044d3b", "1", "k", "v"}, evidence.DeedRelease}, // redsync
		{[]string{"EVALSHA", "D75BB8B5BD13532DDEDD17762E772346E39B321E", "1", "k", "v", "8000"}, evidence.DeedRenew},
		{[]string{"evalsha", "149c5a8bf18676fd99e9e6e24923bd64d9b62f94", "1", "k"}, evidence.DeedAcquire}, // Redisson
		{[]string{"evalsha", "dbecad63894903ddf755d05d73a3eb7432ef75c0", "1", "k", "id", "8500"}, ""},     // go-zero's does both
		{[]string{"evalsha", "0000000000000000000000000000000000000000", "1", "k"}, ""},
		{[]string{"set", "k", "v", "ex", "8", "nx"}, evidence.DeedAcquire},
		{[]string{"SET", "k", "v", "XX", "PX", "8000"}, evidence.DeedRenew},
		{[]string{"SET", "k", "v", "PX", "8000"}, ""},
		{[]string{"set", "nx", "xx"}, ""}, // a key and a value of these names
		{[]string{"del", "k"}, evidence.DeedRelease},
		{[]string{"pexpire", "k", "8000"}, evidence.DeedRenew},
		{[]string{"pttl", "k"}, ""},
		{[]string{"flushall"}, ""},
		{nil, ""},
	} {
		if got := Verb(tt.args); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.args, got, tt.want)
		}
	}
}
