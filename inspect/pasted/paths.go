package pasted

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/host"
)

// A place is what a file of the host tells, in the words of a live capture's
// probes.
type place struct {
	name string // of the probe; empty for a file nobody reads
	pid  int
	tid  int
	dir  string // of a control group's file: its folder below the mount
}

var (
	procFile  = regexp.MustCompile(`^/proc/([0-9]{1,9})/([a-z_/0-9]+)$`)
	taskList  = regexp.MustCompile(`^/proc/([0-9]{1,9})/task/\*/schedstat$`)
	taskFile  = regexp.MustCompile(`^/proc/([0-9]{1,9})/task/([0-9]{1,9})/([a-z_]+)$`)
	groupRoot = regexp.MustCompile(`^/sys/fs/cgroup(/.*)?/([a-z0-9_.]+)$`)
)

// placeOf says which probe a file stands for.
func placeOf(file string) place {
	file = path.Clean(file)
	if i := strings.Index(file, "/proc/"); i > 0 { // a mounted root: /host/proc/…
		file = file[i:]
	}
	if m := taskList.FindStringSubmatch(file); m != nil {
		return place{name: "task/schedstat", pid: number(m[1])}
	}
	if m := taskFile.FindStringSubmatch(file); m != nil {
		p := place{pid: number(m[1]), tid: number(m[2])}
		switch m[3] {
		case "stat", "schedstat", "wchan":
			p.name = "task/" + m[3]
		case "status":
			if p.tid == p.pid {
				p.name = "proc/status"
			}
		}
		return p
	}
	if m := procFile.FindStringSubmatch(file); m != nil {
		return processPlace(number(m[1]), m[2])
	}
	if m := groupRoot.FindStringSubmatch(file); m != nil {
		if m[2] == "cgroup.procs" {
			return place{name: "cgroup/procs", dir: path.Dir(file)}
		}
		for _, f := range host.GroupFiles {
			if f.Name == m[2] {
				return place{name: "cgroup/" + f.Name, dir: path.Dir(file)}
			}
		}
		return place{}
	}
	return place{name: hostPlaces()[file]}
}

func processPlace(pid int, file string) place {
	p := place{pid: pid}
	switch file {
	case "stat", "status", "wchan", "cgroup", "oom_score", "limits", "io":
		p.name = "proc/" + file
	case "net/tcp", "net/tcp6":
		p.name = "proc/" + strings.ReplaceAll(file, "/", "_")
	case "schedstat": // the process's own file is its first thread's
		p.name, p.tid = "task/schedstat", pid
	case "syscall", "stack", "comm", "cmdline":
		p.name = "proc/" + file
	case "net/snmp", "net/netstat":
		return place{name: "net/counters"}
	case "mountinfo", "mounts":
		return place{name: "host/" + file}
	}
	return p
}

func hostPlaces() map[string]string {
	return map[string]string{
		"/proc/loadavg": "host/loadavg", "/proc/vmstat": "host/vmstat", "/proc/uptime": "host/uptime", "/proc/stat": "host/stat",
		"/proc/sys/kernel/random/boot_id": "host/boot_id", "/proc/sys/kernel/hostname": "host/hostname", "/etc/hostname": "host/hostname",
		"/proc/mounts": "host/mounts", "/proc/self/mounts": "host/mounts", "/proc/self/mountinfo": "host/mountinfo", "/etc/mtab": "host/mounts",
		"/proc/pressure/cpu": "pressure/cpu", "/proc/pressure/io": "pressure/io", "/proc/pressure/memory": "pressure/memory",
		"/proc/net/snmp": "net/counters", "/proc/net/netstat": "net/counters", "/proc/net/tcp": "net/tcp", "/proc/net/tcp6": "net/tcp6",
		"/proc/self/net/tcp": "net/tcp", "/proc/self/net/tcp6": "net/tcp6",
	}
}

func number(s string) int { n, _ := strconv.Atoi(s); return n }

func number64(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }
