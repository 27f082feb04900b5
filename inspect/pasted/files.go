package pasted

import (
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/inspect/kernel"
	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/redis/serverlog"
)

// A File is a whole file that the responder has, and what it is.
type File struct {
	Kind   string // the flag that named it: dmesg, client-list, …
	Name   string
	Open   func() (io.ReadCloser, error)
	Folder fs.FS // set where the name is that of a folder, which only an append-only file may be
}

// A Kind is one sort of whole file that may be imported.
type Kind struct{ Flag, Usage string }

// Kinds lists them, for the command line.
func Kinds() []Kind {
	var out []Kind
	for _, s := range sorts() {
		out = append(out, Kind{s.flag, s.usage})
	}
	return out
}

// Whose file it is: the owner's host's, or the server's.
const (
	ofOwner  = "owner"
	ofServer = "coordinator"
)

// A sort is a Kind and what becomes of it.
type sort struct {
	flag, usage string
	probe       string // the kind of read it stands for
	from        string // whose it is
	keep        func(key string) func(line string) bool
	convert     func(im *importer, b []byte) (raw []byte, skipped int, err error) // nil: the bytes as they came
}

func sorts() []sort {
	return []sort{
		{"dmesg", "kernel log of the owner's host, as dmesg or journalctl -k printed it, in any form", "kernel/dmesg", ofOwner, keepKernel, nil},
		{"client-list", "output of CLIENT LIST", "redis/clients", ofServer, nil, saved(redis.ClientListFile)},
		{"slowlog", "output of SLOWLOG GET", "redis/slowlog", ofServer, nil, savedSlowlog},
		{"info", "output of INFO", "redis/info", ofServer, nil, saved(redis.InfoFile)},
		{"chrony", "output of chronyc tracking", "clock/chronyc", ofOwner, nil, nil},
		{"pod", "output of kubectl get pod -o json or yaml, or of kubectl describe pod", "pod/get", ofOwner, nil, nil},
		{"docker", "output of docker inspect", "container/inspect", ofOwner, nil, nil},
		{"events", "what the application or the protected resource recorded (NDJSON, logfmt, or text by --mapping)", "log/app", ofOwner, keepEvents, nil},
		{"redis-log", "log of redis-server, Sentinel or Valkey", "redis/log", ofServer, keepServer, nil},
		{"aof", "append-only file of Redis, or its folder: the lock's whole history", "redis/aof", ofServer, nil, nil},
		{"gc-log", "garbage collector's log of the owner", "runtime/gclog", ofOwner, keepPauses, nil},
		{"thread-dump", "thread dump of the owner (jstack, goroutines)", "runtime/dump", ofOwner, nil, nil},
		{"journal", "system log of the owner's host: clock daemons, systemd, OOM daemons, kubelet", "kernel/journal", ofOwner, keepJournal, nil},
	}
}

func sortOf(flag string) (sort, bool) {
	all := sorts()
	i := slices.IndexFunc(all, func(s sort) bool { return s.flag == flag })
	if i < 0 {
		return sort{}, false
	}
	return all[i], true
}

func saved(parse func([]byte) ([]byte, int, error)) func(*importer, []byte) ([]byte, int, error) {
	return func(_ *importer, b []byte) ([]byte, int, error) { return parse(b) }
}

func savedSlowlog(im *importer, b []byte) ([]byte, int, error) {
	raw, skipped, err := redis.SlowlogFile(b)
	return redis.MaskSlowlog(raw, im.opts.Subject.Key, dialect.OfLock), skipped, err
}

// What is kept of a log that is too long to be kept whole. A line counts when it
// may bear on a lock; what none of these words stands in bears on none.

func keepKernel(string) func(string) bool {
	return func(line string) bool { return len(kernel.Mask([]byte(line))) > 0 }
}

func keepJournal(key string) func(string) bool {
	events := keepEvents(key)
	return func(line string) bool {
		return anyOf(line, "chronyd", "ntpd", "timesyncd", "kubelet", "containerd", "dockerd", "oomd", "earlyoom", "systemd[1]") ||
			events(line) || len(kernel.Mask([]byte(line))) > 0
	}
}

func keepServer(string) func(string) bool {
	return func(line string) bool { return serverlog.ClassOf(line) != "" }
}

func keepPauses(string) func(string) bool {
	return func(line string) bool { return anyOf(line, "ause", "GC", "gc", "afepoint", "stopped", "ms: ") }
}

func keepEvents(key string) func(string) bool {
	return func(line string) bool {
		return strings.Contains(line, key) || anyOf(strings.ToLower(line), "heartbeat", "acquire", "renew", "release", "reject", "lock", "lease", "fenc", "pause", "write")
	}
}

func anyOf(line string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) })
}

// sideOf is the vantage that a file of a sort speaks for.
func (im *importer) sideOf(s sort) string {
	if s.from == ofServer {
		return im.besides(ofServer, redis.Host(im.node))
	}
	if len(im.entries) > 0 && slices.Contains(im.hosts(), im.owner) {
		return im.vantageOf(im.owner)
	}
	return im.besides(ofOwner, im.opts.Host)
}

// besides adds a vantage that no shell of the text has.
func (im *importer) besides(name, host string) string {
	for _, h := range im.hosts() {
		if im.vantageOf(h) == name {
			return name
		}
	}
	if !slices.ContainsFunc(im.more, func(v evidence.Vantage) bool { return v.Name == name }) {
		im.more = append(im.more, evidence.Vantage{Name: name, Host: host})
	}
	return name
}
