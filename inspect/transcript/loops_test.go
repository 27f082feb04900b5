package transcript

import "testing"

// A loop's variable stands for the words of the loop where its rounds can be told
// apart, and for nothing where they cannot.
func TestLoopVariables(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"named by echo": {
			"$ for t in 15236 15240; do echo $t; cat /proc/15220/task/$t/schedstat; done\n15236\n1 2 3\n15240\n4 5 6\n",
			[]string{"echo 15236 → 15236", "cat /proc/15220/task/15236/schedstat → 1 2 3", "echo 15240 → 15240", "cat /proc/15220/task/15240/schedstat → 4 5 6"},
		},
		"as many rounds as words": {
			"$ for t in 7 8; do cat /proc/7/task/${t}/stat; done\n7 (a) S\n8 (b) S\n",
			[]string{"cat /proc/7/task/7/stat → 7 (a) S", "cat /proc/7/task/8/stat → 8 (b) S"},
		},
		"in a filter, and behind the loop": {
			"$ for k in a b; do redis-cli PTTL $k; done; date -u +%FT%TZ\n(integer) 9\n(integer) 8\n2026-10-05T09:31:24Z\n",
			[]string{"redis-cli PTTL a → (integer) 9", "redis-cli PTTL b → (integer) 8", "date -u +%FT%TZ → 2026-10-05T09:31:24Z"},
		},
		"on other hosts": {
			"q-3$ for h in fig-1 fig-2; do ssh $h uptime; done\n up 3 days\n up 4 days\nq-3$ true\n",
			[]string{"fig-1 uptime →  up 3 days", "fig-2 uptime →  up 4 days", "q-3 true"},
		},
		"over several lines": {
			"$ for t in 7 8\n> do\n>   echo \"== $t\"\n>   cat /proc/7/task/$t/wchan\n> done\n== 7\nep_poll== 8\nfutex_wait\n",
			[]string{"echo ==_7 → == 7", "cat /proc/7/task/7/wchan → ep_poll", "echo ==_8 → == 8", "cat /proc/7/task/8/wchan → futex_wait"},
		},
		"stopped, but named": {
			"$ for t in 7 8 9; do echo $t; cat /proc/7/task/$t/stat; sleep 1; done\n7\n7 (a) S\n8\n8 (b) S\n^C\n",
			[]string{"echo 7 → 7", "cat /proc/7/task/7/stat → 7 (a) S", "sleep 1", "echo 8 → 8", "cat /proc/7/task/8/stat → 8 (b) S", "sleep 1", "loose → ^C"},
		},
		"one of two printed nothing": {
			"$ for t in 7 8; do cat /proc/7/task/$t/stat 2>/dev/null; done\n8 (b) S\n",
			[]string{"cat /proc/7/task/$t/stat → 8 (b) S"},
		},
		"words that the shell makes": {
			"$ for t in $(ls /proc/7/task); do cat /proc/7/task/$t/stat; done\n7 (a) S\n8 (b) S\n",
			[]string{"cat /proc/7/task/$t/stat → 7 (a) S", "cat /proc/7/task/$t/stat → 8 (b) S"},
		},
		"a longer name": {
			"$ for t in 7 8; do cat /proc/$tid/stat; done\n7 (a) S\n7 (a) S\n",
			[]string{"cat /proc/$tid/stat → 7 (a) S", "cat /proc/$tid/stat → 7 (a) S"},
		},
		"another language's": {
			"$ for t in 7 8; do awk '{print $t}' /proc/uptime | wc -l; done\n1\n1\n",
			[]string{"awk {print_$t} /proc/uptime | wc -l → 1", "awk {print_$t} /proc/uptime | wc -l → 1"},
		},
		"an echo that says otherwise": {
			"$ for t in 7 8; do echo $t; cat /proc/7/task/$t/stat; done\n8\n8 (b) S\n7\n7 (a) S\n",
			[]string{"echo $t → 8", "cat /proc/7/task/$t/stat → 8 (b) S", "echo $t → 7", "cat /proc/7/task/$t/stat → 7 (a) S"},
		},
	} {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
}
