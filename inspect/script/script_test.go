package script

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden settings")

var redisAt = Redis{Host: "10.0.0.5", Port: 6379}

// The settings are all that differs from script to script.
func TestSettings(t *testing.T) {
	for name, o := range map[string]Options{
		"pid":       {Pid: 41207, Seconds: 5},
		"redis":     {Pid: 41207, Renewer: 41300, Key: "lock:orders", Redis: redisAt, Seconds: 5, Full: true},
		"unit":      {Unit: "ledger.service", Heartbeat: "file:/run/ledger/beat", Seconds: 10},
		"container": {Container: "3f2a9c1d7b60", Heartbeat: "key:beat", Redis: Redis{Host: "db", Port: 6390, User: "ops", DB: 2, TLS: true}, Seconds: 5},
		"socket":    {Cgroup: "/system.slice/ledger.service/", Key: "lk", Redis: Redis{Socket: "/run/redis.sock"}, Seconds: 1},
		"quotes":    {Unit: "it's $(odd) `unit`", Key: `back\slash "key"`, Redis: redisAt, Seconds: 1},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := Text(o)
			if err != nil {
				t.Fatal(err)
			}
			got, rest, ok := strings.Cut(text, "\n# --- how it speaks")
			if !ok || !strings.HasSuffix(rest, "\n) </dev/null 2>&1\n") {
				t.Fatal("the script lacks its body or its end")
			}
			golden := filepath.Join("testdata", name+".sh")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("settings differ from %s:\n%s", golden, got)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for want, o := range map[string]Options{
		"whom to look at":      {Seconds: 5},
		"process numbers":      {Pid: -1, Seconds: 5},
		"--renewer-pid":        {Pid: 1, Renewer: 1 << 30, Seconds: 5},
		"--seconds":            {Pid: 1, Seconds: 61},
		"--unit":               {Unit: "a\nb.service", Seconds: 5},
		"--key":                {Pid: 1, Key: "\x1b]0;title\a", Redis: redisAt, Seconds: 5},
		"--container":          {Container: strings.Repeat("c", 5000), Seconds: 5},
		"out of the hierarchy": {Cgroup: "/system.slice/../../etc", Seconds: 5},
		"file:PATH or key":     {Pid: 1, Heartbeat: "/run/beat", Seconds: 5},
		"path from the root":   {Pid: 1, Heartbeat: "file:beat", Seconds: 5},
		"NAME wants --redis":   {Pid: 1, Heartbeat: "key:beat", Seconds: 5},
		"--redis: control ch":  {Redis: Redis{Host: "a\rb", Port: 1}, Seconds: 5},
	} {
		text, err := Text(o)
		if err == nil || !strings.Contains(err.Error(), want) || text != "" {
			t.Errorf("Text(%+v): %v, want an error with %q and no script", o, err, want)
		}
	}
}

// What the script must never do can be read off its text.
func TestHandsOff(t *testing.T) {
	text := scriptOf(t, Options{Pid: 1, Unit: "u", Container: "c", Redis: redisAt, Seconds: 1, Full: true})
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "# ")
		for _, word := range []string{"environ", "cmdline", "/mem", "kill -9", "MONITOR", "KEYS", "CONFIG", "EVAL", "\t", "\r"} {
			if strings.Contains(line, word) {
				t.Errorf("line %d holds %q: %s", n+1, word, line)
			}
		}
		for _, to := range regexp.MustCompile(`[0-9]?>+ *[^ ;|)]*`).FindAllString(line, -1) {
			if to != "2>&1" && to != ">/dev/null" && to != "2>/dev/null" && !strings.Contains(line, "fd:$/{") {
				t.Errorf("line %d writes somewhere: %s", n+1, line)
			}
		}
	}
}

// Every Redis command in the script only reads.
func TestAsksOnly(t *testing.T) {
	reads := []string{"TIME", "MEMORY USAGE", "OBJECT IDLETIME", "TYPE", "PTTL", "PEXPIRETIME", "STRLEN", "GET", "HLEN",
		"HGETALL", "GETRANGE", "INFO everything", "ROLE", "CLIENT LIST", "SLOWLOG GET", "LATENCY LATEST"}
	asked := 0
	for line := range strings.Lines(scriptOf(t, Options{Pid: 1, Redis: redisAt, Seconds: 1})) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "redis ")
		if !ok {
			continue
		}
		asked++
		known := false
		for _, r := range reads {
			known = known || command == r || strings.HasPrefix(command, r+" ")
		}
		if !known {
			t.Errorf("the script sends %q", command)
		}
	}
	if asked < len(reads) {
		t.Errorf("only %d commands were found", asked)
	}
}

func TestShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("not run: shellcheck is not installed")
	}
	file := filepath.Join(t.TempDir(), "script.sh")
	text := scriptOf(t, Options{Pid: 1, Redis: redisAt, Seconds: 1})
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	// ls is read on purpose: the links of /proc/PID/fd have no other portable reader.
	out, err := exec.Command("shellcheck", "--shell=sh", "--exclude=SC2010,SC2012", file).CombinedOutput()
	if err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}

func scriptOf(t *testing.T, o Options) string {
	t.Helper()
	text, err := Text(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
