package shell

import (
	"slices"
	"strings"
)

// A column is one column of a process table.
type column struct {
	field  string // what it means, one of the names in fieldOf
	name   string // for people
	title  string // the heading that -o asked for
	titled bool   // -o asked for a heading of its own, perhaps an empty one
	at     int    // where its heading begins; meaningful only when the heading was seen
}

// fields by the names that ps accepts behind -o. Those it does not list have
// one word and do not matter here.
var fieldOf = map[string]string{
	"pid": "pid", "tgid": "pid", "ppid": "ppid", "tid": "tid", "lwp": "tid", "spid": "tid",
	"s": "stat", "state": "stat", "stat": "stat",
	"etime": "elapsed", "etimes": "elapsed",
	"time": "cpu", "cputime": "cpu", "times": "cpu", "cputimes": "cpu", "bsdtime": "cpu",
	"lstart": "lstart", "start": "start", "start_time": "start", "stime": "start", "bsdstart": "start",
	"wchan": "wchan", "nwchan": "word", "nlwp": "threads", "thcount": "threads",
	"rss": "rss", "rssize": "rss", "rsz": "rss", "psr": "psr", "cpuid": "psr",
	"user": "user", "euser": "user", "ruser": "word", "uname": "user",
	"comm": "comm", "ucmd": "comm", "ucomm": "comm",
	"cmd": "cmd", "args": "cmd", "command": "cmd",
}

// headings by the words that ps, top and busybox print.
var headings = map[string]string{
	"PID": "pid", "TGID": "pid", "PPID": "ppid", "TID": "tid", "LWP": "tid", "SPID": "tid",
	"S": "stat", "STAT": "stat", "STATE": "stat", "ELAPSED": "elapsed", "TIME": "cpu", "TIME+": "cpu",
	"STARTED": "start", "START": "start", "STIME": "start", "WCHAN": "wchan", "NLWP": "threads", "THCNT": "threads",
	"RSS": "rss", "RSZ": "rss", "PSR": "psr", "USER": "user", "UID": "user", "EUSER": "user",
	"COMMAND": "cmd", "CMD": "cmd", "ARGS": "cmd", "COMM": "comm",
}

// plainHeadings are columns of one word that do not matter here. A line is only
// taken for a heading when all its words are known or look like one.
var plainHeadings = []string{
	"%CPU", "%MEM", "C", "CP", "PRI", "NI", "TTY", "TT", "VSZ", "SZ", "F", "ADDR", "CLS", "POL", "RTPRIO", "PR", "VIRT", "RES",
	"SHR", "PGID", "PGRP", "SID", "SESS", "RUSER", "GROUP", "EGROUP", "RGROUP", "GID", "RUID", "EUID", "UNIT", "CGROUP", "LABEL",
	"PENDING", "BLOCKED", "IGNORED", "CAUGHT", "SIGNAL", "TPGID", "MAJFL", "MINFL", "TRS", "DRS", "LIM", "%WAIT", "MACHINE",
	"PIDNS", "NETNS", "USERNS", "MNTNS", "UTSNS", "IPCNS", "SUPGRP", "STACKP", "ESP", "EIP", "NWCHAN", "P", "nTH", "MAJ", "MIN",
	"SWAP", "CODE", "DATA", "OOMS", "OOMADJ", "nMaj", "nMin", "PSS", "USS", "STACK", "RSZ", "VSIZE", "%MEM", "%VSZ", "CPU",
}

// headingColumns reads a heading; ok is false for a line that is none.
func headingColumns(line string, a psCall) ([]column, bool) {
	if len(line) > 2048 || !strings.Contains(line, "P") && !strings.Contains(line, "C") && !strings.Contains(line, "S") {
		return nil, false
	}
	var cols []column
	known := 0
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		end := i
		for end < len(line) && line[end] != ' ' && line[end] != '\t' {
			end++
		}
		word := line[i:end]
		field, ok := headings[word]
		switch {
		case ok:
			known++
		case slices.Contains(plainHeadings, word):
			field = "word"
		default:
			return nil, false
		}
		cols = append(cols, column{field: field, name: word, at: i})
		i = end
	}
	for i := range cols {
		// Without -f, ps ends its default table with the name alone.
		if cols[i].name == "CMD" && !a.full && len(a.columns) == 0 {
			cols[i].field = "comm"
		}
	}
	return cols, known > 0
}

// formatColumns reads one list behind -o: pid,wchan:20,comm=NAME. A heading of
// one's own takes the rest of the list.
func formatColumns(list string) []column {
	var out []column
	for list != "" && len(out) < 64 {
		end := strings.IndexAny(list, ", =")
		word := list
		if end >= 0 {
			word = list[:end]
		}
		name, _, _ := strings.Cut(word, ":")
		c := column{field: fieldOf[strings.ToLower(name)], name: columnName(name)}
		if c.field == "" {
			c.field = "word"
		}
		switch {
		case end < 0:
			list = ""
		case list[end] == '=':
			c.titled, c.title = true, list[end+1:]
			// procps gives the rest to the title, unless it is empty there.
			if rest, ok := strings.CutPrefix(c.title, ","); ok {
				c.title, list = "", rest
			} else {
				list = ""
			}
		default:
			list = list[end+1:]
		}
		if name != "" {
			out = append(out, c)
		}
	}
	return out
}

func columnName(name string) string {
	switch fieldOf[strings.ToLower(name)] {
	case "pid":
		return "PID"
	case "tid":
		return "TID"
	}
	return strings.ToUpper(name)
}

// usual are the columns of a table whose heading a filter took away, where the
// command's options make them plain.
func (a psCall) usual() []column {
	heading := ""
	switch {
	case a.letterf == 'f' && a.threads:
		heading = "UID PID PPID LWP C NLWP STIME TTY TIME CMD"
	case a.letterf == 'f':
		heading = "UID PID PPID C STIME TTY TIME CMD"
	case a.letterf == 'F' && !a.threads:
		heading = "UID PID PPID C SZ RSS PSR STIME TTY TIME CMD"
	case a.letterf == 'u' && !a.threads:
		heading = "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND"
	case a.letterf == 0 && a.full && !a.threads:
		heading = "PID TTY STAT TIME COMMAND"
	case a.letterf == 0 && a.threads && (a.all || len(a.pids) > 0):
		heading = "PID LWP TTY TIME CMD"
	case a.letterf == 0 && (a.all || len(a.pids) > 0):
		heading = "PID TTY TIME CMD"
	}
	cols, _ := headingColumns(heading, a)
	for i := range cols {
		cols[i].at = 0
	}
	return cols
}
