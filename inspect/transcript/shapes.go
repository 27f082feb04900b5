package transcript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/shell"
)

// height is how many lines a command prints, where that is known. body is what
// it may have printed, or nil.
func height(e Entry, body []byte) (lines int, known bool) {
	if len(e.Argv) == 0 {
		return 0, true
	}
	if len(e.Filters) > 0 {
		last := e.Filters[len(e.Filters)-1]
		return 1, base(last[0]) == "wc" || strings.HasSuffix(base(last[0]), "grep") && slices.ContainsFunc(last[1:], countsMatches)
	}
	switch name := base(e.Argv[0]); name {
	case "date", "hostname", "uptime", "whoami", "id", "nproc", "uname", "pwd", "readlink", "realpath":
		return 1, true
	case "sleep", "true", ":", "cd", "export", "set", "unset", "clear", "wait", "test", "[":
		return 0, true
	case "echo":
		return 1 + strings.Count(strings.Join(e.Argv[1:], " "), "\n"), !unterminated(e)
	case "cat":
		files := e.Argv[1:]
		return len(files), len(files) > 0 && !slices.ContainsFunc(files, func(f string) bool { return !oneLine(f) })
	case "head", "tail":
		return 1, len(e.Argv) == 3 && (e.Argv[1] == "-1" || e.Argv[1] == "-n1") && !strings.ContainsAny(e.Argv[2], "*?") || len(e.Argv) == 4 && e.Argv[1] == "-n" && e.Argv[2] == "1" && !strings.ContainsAny(e.Argv[3], "*?")
	default:
		if !redis.IsCLI(name) {
			return 0, false
		}
	}
	command := asked(e)
	if len(command) == 0 {
		return 0, false
	}
	n, open := redis.Shape(command)
	if line := firstLine(body); n > 1 && body != nil && !isWarning(line) && !arrayStart.Match(line) {
		n = 1 // a refusal
	}
	return n, !open
}

var arrayStart = regexp.MustCompile(`^(?:1\) |[0-9]+$)`)

func countsMatches(w string) bool {
	return w == "--count" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.IndexByte(w, 'c') > 0
}

// asked is the Redis command of an entry, nil when it is none.
func asked(e Entry) []string {
	if e.Redis != nil {
		return e.Argv
	}
	if len(e.Argv) == 0 || !redis.IsCLI(e.Argv[0]) {
		return nil
	}
	c, err := redis.ParseCLI(e.Argv)
	if err != nil || c.Repeat != 0 {
		return nil
	}
	return redis.Canonical(c.Command)
}

// oneLine says whether a file of /proc or a control group is one line.
func oneLine(path string) bool {
	if path == "/proc/stat" || path == "/proc/schedstat" || strings.ContainsAny(path, "*?[") {
		return false
	}
	return oneLines[base(path)] && (strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/sys/") || path == "/etc/hostname")
}

var oneLines = programSet(`uptime loadavg stat statm schedstat boot_id hostname comm oom_score oom_score_adj oom_adj syscall sessionid loginuid ostype osrelease version
	cpu.max cpu.weight cgroup.freeze cgroup.type memory.current memory.max memory.high memory.low memory.min memory.peak memory.oom.group memory.swap.max memory.swap.current pids.max pids.current
	freezer.state freezer.self_freezing memory.limit_in_bytes memory.usage_in_bytes memory.max_usage_in_bytes memory.failcnt cpu.cfs_quota_us cpu.cfs_period_us cpu.shares cpuacct.usage current_clocksource`)

// unterminated says whether what a command prints lacks the newline at its end.
func unterminated(e Entry) bool {
	switch base(e.Argv[0]) {
	case "echo":
		return len(e.Argv) > 1 && e.Argv[1] == "-n"
	case "cat":
		return len(e.Argv) == 2 && (strings.HasSuffix(e.Argv[1], "/wchan") || strings.HasSuffix(e.Argv[1], "/cmdline"))
	}
	return false
}

// lastOf is how the last line begins of what a command prints, where that is
// known.
func lastOf(e Entry) string {
	switch {
	case len(e.Filters) > 0:
	case base(e.Argv[0]) == "cat" && len(e.Argv) == 2 && strings.HasPrefix(e.Argv[1], "/proc/") && strings.HasSuffix(e.Argv[1], "/status"):
		return "nonvoluntary_ctxt_switches:"
	case base(e.Argv[0]) == "chronyc" && slices.Contains(e.Argv, "tracking") && !slices.Contains(e.Argv, "-c"):
		return "Leap status"
	}
	return ""
}

// starter says whether the beginning of a command's output can be told by
// looking.
func starter(e Entry) bool {
	if len(e.Argv) == 0 || len(e.Filters) > 0 && !everyLineAlike(e) {
		return false
	}
	switch base(e.Argv[0]) {
	case "date", "ps", "chronyc", "uptime", "free", "ss", "vmstat":
		return true
	case "echo":
		return len(e.Argv) > 1 && !unterminated(e) && !strings.ContainsAny(strings.Join(e.Argv[1:], ""), "$`\\*")
	case "cat":
		return len(e.Argv) == 2 && startOfFile[base(e.Argv[1])] != nil
	}
	return startOfReply(asked(e)) != nil
}

// everyLineAlike says whether any line of what a command prints would do for its
// first: then a grep behind it takes nothing away.
func everyLineAlike(e Entry) bool {
	command := asked(e)
	return len(command) > 0 && strings.EqualFold(command[0], "CLIENT") && !slices.ContainsFunc(e.Filters, func(f []string) bool { return !strings.HasSuffix(base(f[0]), "grep") })
}

// starts says whether a line is the first of what a command prints.
func starts(e Entry, line []byte) bool {
	if !starter(e) || len(line) > 4096 {
		return false
	}
	switch name := base(e.Argv[0]); name {
	case "date":
		if len(line) > 100 {
			return false
		}
		s, err := shell.Date(e.Argv, line)
		return err == nil && s.Known()
	case "echo":
		words, _, _ := strings.Cut(strings.Join(e.Argv[1:], " "), "\n")
		return string(line) == words
	case "cat":
		return startOfFile[base(e.Argv[1])].Match(line)
	default:
		if r := startOfTool[name]; r != nil {
			return r.Match(line)
		}
	}
	r := startOfReply(asked(e))
	return r != nil && r.Match(line)
}

var startOfTool = map[string]*regexp.Regexp{
	"ps":      regexp.MustCompile(`^ *(?:PID|TID|LWP|SPID|PPID|UID|USER|F|S|STAT|TTY|COMMAND|CMD|COMM|PGID|PSR|%CPU)(?: |$)`),
	"chronyc": regexp.MustCompile(`^(?:Reference ID|MS Name|210 Number|[0-9A-F]{8},)`),
	"uptime":  regexp.MustCompile(`^ *[0-9:]{5,8} up .*load average`),
	"free":    regexp.MustCompile(`^ +total +used`),
	"ss":      regexp.MustCompile(`^(?:State|Netid|Recv-Q) `),
	"vmstat":  regexp.MustCompile(`^procs -`),
}

var startOfFile = map[string]*regexp.Regexp{
	"status":        regexp.MustCompile(`^Name:\t`),
	"stat":          regexp.MustCompile(`^[0-9]+ \(`),
	"uptime":        regexp.MustCompile(`^[0-9]+\.[0-9]{2} [0-9]+\.[0-9]{2}$`),
	"schedstat":     regexp.MustCompile(`^[0-9]+ [0-9]+ [0-9]+$`),
	"limits":        regexp.MustCompile(`^Limit +Soft Limit`),
	"tcp":           regexp.MustCompile(`^ *sl +local_address`),
	"tcp6":          regexp.MustCompile(`^ *sl +local_address`),
	"meminfo":       regexp.MustCompile(`^MemTotal:`),
	"cpu.stat":      regexp.MustCompile(`^(?:usage_usec|nr_periods) `),
	"memory.events": regexp.MustCompile(`^low [0-9]+$`),
	"cgroup.events": regexp.MustCompile(`^populated [01]$`),
	"loadavg":       regexp.MustCompile(`^[0-9.]+ [0-9.]+ [0-9.]+ [0-9]+/`),
}

var startOfReplies = map[string]*regexp.Regexp{
	"TIME":        regexp.MustCompile(`^(?:1\) )?"?[0-9]{10}"?$`),
	"INFO":        regexp.MustCompile(`^# [A-Z][A-Za-z_]+$`),
	"CLIENT":      regexp.MustCompile(`^id=[0-9]+ addr=`),
	"PTTL":        regexp.MustCompile(`^\(integer\) -?[0-9]+$`),
	"TTL":         regexp.MustCompile(`^\(integer\) -?[0-9]+$`),
	"PEXPIRETIME": regexp.MustCompile(`^\(integer\) -?[0-9]+$`),
	"TYPE":        regexp.MustCompile(`^(?:string|hash|list|set|zset|stream|none)$`),
	"ROLE":        regexp.MustCompile(`^(?:1\) )?"?(?:master|slave|sentinel)"?$`),
}

// startOfReply is how what redis-cli prints for a command begins.
func startOfReply(command []string) *regexp.Regexp {
	if len(command) == 0 {
		return nil
	}
	return startOfReplies[strings.ToUpper(command[0])]
}
