package pasted

import (
	"io"

	"github.com/lockscene/lockscene/evidence"
)

// A File is a whole file that the responder has, and what it is.
type File struct {
	Kind string // the flag that named it: dmesg, client-list, …
	Name string
	Open func() (io.ReadCloser, error)
}

func (im *importer) takeFiles() error { return nil }

func (im *importer) fromFiles(_ *evidence.Vantage, _ string) {}

// A Kind is one sort of whole file that may be imported.
type Kind struct{ Flag, Usage string }

// Kinds lists them, for the command line.
func Kinds() []Kind {
	return []Kind{
		{"dmesg", "kernel log of the owner's host, as dmesg or journalctl -k printed it, in any form"},
		{"client-list", "output of CLIENT LIST"},
		{"slowlog", "output of SLOWLOG GET"},
		{"info", "output of INFO"},
		{"chrony", "output of chronyc tracking"},
		{"pod", "output of kubectl get pod -o json or yaml, or of kubectl describe pod"},
		{"docker", "output of docker inspect"},
		{"events", "what the application or the protected resource recorded (NDJSON, logfmt, or text by --mapping)"},
		{"redis-log", "log of redis-server, Sentinel or Valkey"},
		{"aof", "append-only file of Redis, or its folder: the lock's whole history"},
		{"gc-log", "garbage collector's log of the owner"},
		{"thread-dump", "thread dump of the owner (jstack, goroutines)"},
		{"journal", "system log of the owner's host: clock daemons, systemd, OOM daemons, kubelet"},
	}
}
