package pasted

import (
	"bytes"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

// emitText records the output of commands that have parsers of their own: logs,
// clock daemons, supervisors, runtimes.
func (im *importer) emitText(i int, name string) bool {
	e := &im.entries[i]
	probe := textProbe(name, e.Argv)
	if probe == "" {
		return false
	}
	p := evidence.Probe{Name: probe, Commands: []string{e.Typed}, Status: evidence.OK, Truncated: e.Partial()}
	p.Status, p.Why = denial(name, e.Output)
	im.record(i, p, strings.ReplaceAll(probe, "/", "-"), e.Output)
	return true
}

// textProbe is the probe that a command's output belongs to; empty for commands
// nobody reads.
func textProbe(name string, argv []string) string {
	sub := ""
	for _, a := range argv[1:] {
		if !strings.HasPrefix(a, "-") {
			sub = a
			break
		}
	}
	switch name {
	case "dmesg":
		return "kernel/dmesg"
	case "journalctl":
		return "kernel/journal"
	case "chronyc":
		return "clock/chronyc"
	case "ntpq", "timedatectl", "w32tm", "ntpstat":
		return "clock/" + name
	case "systemctl":
		return "unit/systemctl"
	case "docker", "podman", "nerdctl":
		switch sub {
		case "inspect", "container":
			return "container/inspect"
		case "ps":
			return "container/ps"
		case "logs":
			return "log/app"
		case "events":
			return "container/events"
		}
	case "crictl":
		return "container/crictl"
	case "kubectl", "oc":
		switch sub {
		case "get":
			return "pod/get"
		case "describe":
			return "pod/describe"
		case "logs":
			return "log/app"
		case "events":
			return "pod/get"
		}
	case "jstat":
		return "runtime/jstat"
	case "jstack", "jcmd":
		return "runtime/dump"
	case "nstat":
		return "net/counters"
	case "ip", "ethtool", "conntrack":
		return "net/text"
	}
	return ""
}

// denials are what tools print instead of an answer. Each looks like absence to
// whoever only counts lines.
var denials = []struct {
	text   string
	status evidence.Status
}{
	{"read kernel buffer failed", evidence.Denied},
	{"klogctl: Operation not permitted", evidence.Denied},
	{"506 Cannot talk to daemon", evidence.Failed},
	{"Could not open connection to daemon", evidence.Failed},
	{"-- No entries --", evidence.Unsupported},
	{"Hint: You are currently not seeing messages from other users", evidence.Denied},
	{"No journal files were found", evidence.Unsupported},
	{"No journal files were opened due to insufficient permissions", evidence.Denied},
	{"Connection refused", evidence.Failed},
	{"permission denied while trying to connect to the Docker daemon", evidence.Denied},
	{"Error from server (Forbidden)", evidence.Denied},
	{"Error from server (NotFound)", evidence.Missing},
	{"command not found", evidence.Unsupported},
	{": not found", evidence.Unsupported},
	{"No such object", evidence.Missing},
	{"could not be found", evidence.Missing},
	{"Failed to connect to bus", evidence.Denied},
	{"System has not been booted with systemd", evidence.Unsupported},
}

// denial tells a refusal from an answer. Long outputs are answers, whatever one
// of their lines says.
func denial(name string, out []byte) (evidence.Status, string) {
	if text := bytes.TrimSpace(out); len(text) < 600 && bytes.Count(text, []byte("\n")) < 4 {
		for _, d := range denials {
			if bytes.Contains(text, []byte(d.text)) {
				return d.status, evidence.Clip(evidence.Printable(firstLine(text)), 160)
			}
		}
	}
	return evidence.OK, ""
}

func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return string(bytes.TrimRight(line, "\r"))
}

// emitLog records a file that is a log: by what it is called.
func (im *importer) emitLog(i int, f shell.File) bool {
	probe := logProbe(f.Path)
	if probe == "" || f.Status != evidence.OK {
		return false
	}
	im.record(i, evidence.Probe{Name: probe, Source: f.Path, Status: f.Status, Why: f.Why, Truncated: f.Partial}, f.Path, f.Bytes)
	return true
}

// logProbe guesses what a file is from its name.
func logProbe(path string) string {
	name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	switch {
	case strings.Contains(name, "kern"), strings.HasPrefix(name, "messages"), strings.HasPrefix(name, "syslog"), strings.HasPrefix(name, "dmesg"):
		return "kernel/journal"
	case strings.Contains(name, "redis"), strings.Contains(name, "valkey"), strings.Contains(name, "sentinel"):
		return "redis/log"
	case strings.Contains(name, "gc") && strings.Contains(name, "log"):
		return "runtime/gclog"
	case strings.HasSuffix(name, ".log"), strings.HasSuffix(name, ".ndjson"), strings.HasSuffix(name, ".jsonl"):
		return "log/app"
	}
	return ""
}
