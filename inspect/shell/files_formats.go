package shell

import (
	"path"
	"regexp"
	"strings"
)

// oneLine are the files that are a single line, with what it looks like.
var oneLine = map[string]*regexp.Regexp{
	"stat":           regexp.MustCompile(`^\d+ \(.*\) [A-Za-z] `),
	"schedstat":      regexp.MustCompile(`^\d+ \d+ \d+\s*$`),
	"uptime":         regexp.MustCompile(`^\d+\.\d\d \d+\.\d\d\s*$`),
	"loadavg":        regexp.MustCompile(`^\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+/\d+ \d+\s*$`),
	"boot_id":        regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$`),
	"cpu.max":        regexp.MustCompile(`^(max|\d+) \d+\s*$`),
	"memory.max":     regexp.MustCompile(`^(max|\d+)\s*$`),
	"memory.high":    regexp.MustCompile(`^(max|\d+)\s*$`),
	"memory.current": regexp.MustCompile(`^\d+\s*$`),
	"memory.peak":    regexp.MustCompile(`^\d+\s*$`),
	"cgroup.freeze":  regexp.MustCompile(`^[01]\s*$`),
	"freezer.state":  regexp.MustCompile(`^[A-Z]+\s*$`),
	"comm":           regexp.MustCompile(`^.{1,63}\s*$`),
	"hostname":       regexp.MustCompile(`^[A-Za-z0-9.-]+\s*$`),
	"oom_score":      regexp.MustCompile(`^-?\d+\s*$`),
	"oom_score_adj":  regexp.MustCompile(`^-?\d+\s*$`),

	"cpu.cfs_quota_us":          wholeNumber,
	"cpu.cfs_period_us":         wholeNumber,
	"cpu.shares":                wholeNumber,
	"cpu.weight":                wholeNumber,
	"cpuacct.usage":             wholeNumber,
	"memory.limit_in_bytes":     wholeNumber,
	"memory.usage_in_bytes":     wholeNumber,
	"memory.max_usage_in_bytes": wholeNumber,
	"memory.failcnt":            wholeNumber,
	"memory.low":                wholeNumber,
	"memory.min":                wholeNumber,
	"memory.oom.group":          wholeNumber,
	"memory.swap.max":           wholeNumber,
	"memory.swap.current":       wholeNumber,
	"pids.max":                  wholeNumber,
	"pids.current":              wholeNumber,
	"cgroup.type":               regexp.MustCompile(`^[a-z ]+\s*$`),
	"statm":                     regexp.MustCompile(`^\d+( \d+){6}\s*$`),
	"sessionid":                 wholeNumber,
	"loginuid":                  wholeNumber,
}

var wholeNumber = regexp.MustCompile(`^(max|-?\d+)\s*$`)

// oneLiner says whether a file is a single line, and whether the line can be its.
// What the kernel shows as a value of its own below /proc/sys and /sys is one,
// unless it is known to be a table.
func oneLiner(p, line string) bool {
	if one, ok := oneLine[kindOf(p)]; ok {
		return p != "/proc/stat" && one.MatchString(line)
	}
	_, many := manyLines[kindOf(p)]
	return !many && (strings.HasPrefix(p, "/proc/sys/") || strings.HasPrefix(p, "/sys/") && !strings.HasPrefix(p, "/sys/fs/cgroup"))
}

// manyLines are the files of several lines: how each looks, and how the first
// does when that differs.
var manyLines = map[string]struct{ first, each *regexp.Regexp }{
	"status":             {regexp.MustCompile(`^Name:\t`), regexp.MustCompile(`^[A-Za-z_]+:\s`)},
	"cgroup":             {nil, regexp.MustCompile(`^\d+:[^:]*:/`)},
	"tcp":                {regexp.MustCompile(`^\s*sl\s+local_address`), regexp.MustCompile(`^\s*\d+: [0-9A-F]{8}:`)},
	"tcp6":               {regexp.MustCompile(`^\s*sl\s+local_address`), regexp.MustCompile(`^\s*\d+: [0-9A-F]{32}:`)},
	"cpu.pressure":       {nil, pressureLine},
	"io.pressure":        {nil, pressureLine},
	"memory.pressure":    {nil, pressureLine},
	"cpu":                {nil, pressureLine},
	"io":                 {nil, pressureLine},
	"memory":             {nil, pressureLine},
	"cpu.stat":           {nil, flatLine},
	"memory.events":      {nil, flatLine},
	"cgroup.events":      {nil, flatLine},
	"cgroup.stat":        {nil, flatLine},
	"cgroup.procs":       {nil, regexp.MustCompile(`^\d+\s*$`)},
	"memory.stat":        {nil, flatLine},
	"pids.events":        {nil, flatLine},
	"memory.swap.events": {nil, flatLine},
}

var (
	pressureLine = regexp.MustCompile(`^(some|full) avg10=`)
	flatLine     = regexp.MustCompile(`^[a-z_.]+ \d+\s*$`)
)

// firstKeys begin the flat files: with them a following file is told apart from
// the one before.
var firstKeys = map[string][]string{
	"cpu.stat":           {"usage_usec", "nr_periods"},
	"memory.events":      {"low"},
	"cgroup.events":      {"populated"},
	"cgroup.stat":        {"nr_descendants"},
	"memory.stat":        {"anon", "cache"},
	"pids.events":        {"max"},
	"memory.swap.events": {"high", "max"},
}

func kindOf(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, ".local")
}

// takes is how many of the lines belong to a file, when that can be told. The
// last file takes the rest if it fits.
func takes(p string, lines []string, last bool) (int, bool) {
	kind := kindOf(p)
	if one, ok := oneLine[kind]; ok && !(kind == "stat" && p == "/proc/stat") {
		return 1, len(lines) > 0 && one.MatchString(lines[0])
	}
	many, ok := manyLines[kind]
	if !ok {
		return len(lines), last
	}
	n := 0
	seen := map[string]bool{}
	for n < len(lines) {
		first, _, _ := strings.Cut(lines[n], " ")
		key := strings.TrimSpace(first)
		switch {
		case n == 0 && many.first != nil:
			if !many.first.MatchString(lines[0]) {
				return 0, false
			}
		case !many.each.MatchString(lines[n]):
			return n, n > 0
		case many.each == pressureLine && seen[key], many.each == flatLine && (seen[key] || n == 0 && !startsFlat(kind, key) || n > 0 && beginsOther(kind, key)):
			return n, n > 0
		case kind == "status" && strings.HasPrefix(lines[n], "Name:\t"):
			return n, true
		}
		seen[key] = true
		n++
	}
	return n, n > 0
}

func startsFlat(kind, key string) bool {
	for _, k := range firstKeys[kind] {
		if k == key {
			return true
		}
	}
	return false
}

// beginsOther says whether a key begins another flat file and is not a later
// key of this one: "max" and "high" are of several.
func beginsOther(kind, key string) bool {
	if key == "max" || key == "high" || kind == "memory.stat" {
		return false
	}
	for other, keys := range firstKeys {
		for _, k := range keys {
			if k == key && other != kind && !(kind == "cpu.stat" && key == "nr_periods") {
				return true
			}
		}
	}
	return false
}

var (
	statStart = regexp.MustCompile(`^(\d+) \(`)
	statusPid = regexp.MustCompile(`^Pid:\s*(\d+)`)
)

// byNumber divides what cat printed for a pattern such as
// /proc/41207/task/*/stat: stat and status name their thread themselves.
func (r *fileReader) byNumber(typed string) ([]File, bool) {
	unknown := func() ([]File, bool) {
		if len(r.rest) == 0 {
			return nil, true
		}
		return r.undivided(r.rest, "a pattern, and nothing tells which file is which"), false
	}
	before, after, _ := strings.Cut(typed, "*")
	kind := kindOf(typed)
	if kind == "schedstat" && strings.HasSuffix(before, "/task/") && after == "/schedstat" && !hasWildcard(before) && (r.name == "cat" || r.name == "less") {
		return r.byPlace(typed)
	}
	if hasWildcard(before) || hasWildcard(after) || kind != "stat" && kind != "status" {
		return unknown()
	}
	var out []File
	var number string
	var body []byte
	flush := func() bool {
		if body == nil {
			return true
		}
		if number == "" || len(out) >= maxFiles {
			return false
		}
		out = append(out, r.file(before+number+after, body))
		number, body = "", nil
		return true
	}
	for line := range strings.Lines(string(r.rest)) {
		begin := statStart.FindStringSubmatch(line)
		if kind == "stat" && begin != nil || kind == "status" && strings.HasPrefix(line, "Name:") {
			if !flush() {
				return unknown()
			}
		}
		if kind == "stat" && begin != nil {
			number = begin[1]
		} else if m := statusPid.FindStringSubmatch(line); kind == "status" && m != nil {
			number = m[1]
		}
		body = append(body, line...)
	}
	if !flush() {
		return unknown()
	}
	return out, true
}

// byPlace divides the clocks of a process's threads, a line each and no number in
// it: the shell lists the threads in an order of its own, which is the same as
// long as they are.
func (r *fileReader) byPlace(pattern string) ([]File, bool) {
	var out []File
	for line := range strings.Lines(string(r.rest)) {
		if len(out) == maxFiles || !oneLine["schedstat"].MatchString(line) {
			return r.undivided(r.rest, "a pattern, and nothing tells which file is which"), false
		}
		f := r.file(pattern, []byte(line))
		f.Nth = len(out) + 1
		out = append(out, f)
	}
	return out, true
}
