package pasted

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis/serverlog"
	"github.com/lockscene/lockscene/inspect/shell"
)

// emitLog records a file that is a log: by what it is called and what is in it.
func (im *importer) emitLog(i int, f shell.File) bool {
	probe := logProbe(f.Path, f.Bytes)
	if probe == "" || f.Status != evidence.OK {
		return false
	}
	im.record(i, evidence.Probe{Name: probe, Source: f.Path, Status: f.Status, Why: f.Why, Truncated: f.Partial}, f.Path, f.Bytes)
	return true
}

// gcName is the name of a collector's own log: gc.log, gc.log.0.current, app-gc.log.
var gcName = regexp.MustCompile(`(^|[^a-z])gc([^a-z]|$)`)

// logProbe guesses what a file is. A name promises little: a worker's log may be
// called redis-worker.log, so what a server wrote is told by its lines.
func logProbe(path string, b []byte) string {
	name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	switch {
	case strings.HasPrefix(name, "kern"), strings.HasPrefix(name, "messages"), strings.HasPrefix(name, "syslog"), strings.HasPrefix(name, "dmesg"),
		strings.HasPrefix(name, "daemon.log"):
		return "kernel/journal"
	case ownLines(b):
		return "redis/log"
	case gcName.MatchString(name):
		return "runtime/gclog"
	case strings.Contains(name, "threaddump"), strings.Contains(name, "thread-dump"), strings.Contains(name, "jstack"):
		return "runtime/dump"
	case strings.HasSuffix(name, ".log"), strings.HasSuffix(name, ".ndjson"), strings.HasSuffix(name, ".jsonl"), strings.HasSuffix(name, ".out"),
		strings.HasSuffix(name, ".err"), strings.Contains(name, ".log."), strings.HasPrefix(path, "/var/log/"):
		return "log/app"
	}
	return ""
}

// ownLines says whether most of the first lines are a server's own.
func ownLines(b []byte) bool {
	own, all := 0, 0
	for line := range bytes.Lines(b[:min(len(b), 16<<10)]) {
		if len(bytes.TrimSpace(line)) > 0 {
			all++
			if serverlog.Own(strings.TrimRight(string(line), "\r\n")) {
				own++
			}
		}
	}
	return 2*own > all
}
