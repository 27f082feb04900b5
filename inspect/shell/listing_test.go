package shell_test

import (
	"testing"

	"github.com/lockscene/lockscene/inspect/shell"
)

func TestListed(t *testing.T) {
	const rows = "total 8\n-rw-r--r-- 1 deploy deploy 11 2026-11-26 06:01:44.118204410 -0600 hb-3\n-rw-r--r--. 1 deploy deploy 4.0K 2026-11-26 06:15:44.118204410 -0600 old hb-3\n"
	for _, c := range []struct{ command, output, want string }{
		{"ls -l --time-style=full-iso /run/sidekiq/", rows, "2026-11-26 06:01:44.118204410 -0600"},
		{"ls --full-time /run/sidekiq/hb-3", "-rw-r--r-- 1 deploy deploy 11 2026-11-26 06:01:44.118204410 -0600 /run/sidekiq/hb-3\n", "2026-11-26 06:01:44.118204410 -0600"},
		{"sudo ls -l /run/sidekiq", "-rw-r--r-- 1 deploy deploy 11 Nov 26 06:01 hb-3\n", "Nov 26 06:01"},
		{"ls -l /run/sidekiq/*", "-rw-r--r-- 1 deploy deploy 11 Nov 26 06:01 /run/sidekiq/hb-3\n", "Nov 26 06:01"},
		{"ls -l /tmp /run/sidekiq", "/tmp:\ntotal 0\n-rw-r--r-- 1 a a 11 Nov 26 05:00 hb-3\n\n/run/sidekiq:\ntotal 0\n-rw-r--r-- 1 a a 11 Nov 26 06:01 hb-3\n", "Nov 26 06:01"},
		{"ls -l /tmp", rows, ""},
		{"ls /run/sidekiq", "hb-3\n", ""},
		{"ls -l /run/sidekiq", "-rw-r--r-- 1 deploy deploy 11 Nov 26 06:01 old hb-3\n", ""},
		{"cat /run/sidekiq", rows, ""},
	} {
		if got, ok := shell.Listed(typed(c.command), []byte(c.output), "/run/sidekiq/hb-3"); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}
