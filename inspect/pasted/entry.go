package pasted

import (
	"bytes"
	"errors"
	"strings"

	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/secrets"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// Limits of one import.
const (
	maxEntries = 50_000   // commands that somebody may understand, of all texts
	maxForeign = 10_000   // commands that nobody does
	maxHosts   = 64       // hosts, of all texts: each has a clock of its own to be reckoned
	maxBeyond  = 2 << 20  // bytes kept of what comes beyond these
	maxKept    = 24 << 20 // bytes of output kept in all; a bundle wants to stay below 10 MB when packed
	maxEach    = 1 << 20  // bytes of output kept of one command
	maxRest    = 4 << 10  // bytes kept of one command once there is too much
)

// An entry is one command of a text, with what is understood of it.
type entry struct {
	transcript.Entry
	text       int               // which of the texts
	terminal   string            // whose terminal it was typed at, where Host is a pod
	cli        *redis.CLI        // the Redis command, when it is one
	reply      *redis.Value      // what the server answered
	unanswered *redis.Unanswered // why no server did
	odd        error             // why what was printed is no reply
	silent     bool              // a filter let nothing of the reply through
	cut        bool              // its output was shortened here
	done       bool              // recorded under some probe
	repeated   bool              // pasted a second time
	tuple      bool              // a part of a look at the lock
}

// take is handed every entry in the order of the text. What is kept is masked
// first: a password must not even reach memory that is written later.
func (im *importer) take(t transcript.Entry) error {
	e := entry{Entry: t, text: im.text}
	e.Terminal += im.terminals
	e.Output = secrets.Mask(e.Output)
	e.Typed = string(secrets.Mask([]byte(e.Typed)))
	room := maxEach
	if im.kept > maxKept {
		room = maxRest
	}
	if len(e.Output) > room {
		e.Output, e.cut = e.Output[:room], true
	}
	e.readRedis()
	e.Argv = secrets.MaskCommand(e.Argv)
	e.goInside()
	if im.full(e) {
		im.passOver(e)
		return nil
	}
	e.Output = append([]byte(nil), e.Output...)
	im.kept += int64(len(e.Output))
	im.entries = append(im.entries, e)
	return nil
}

// full says whether there is no room for one more command of its kind. Commands
// that nobody understands must not take the place of those that decide, and
// neither may grow without bound.
func (im *importer) full(e entry) bool {
	if im.strange(e.Host) {
		return true
	}
	if e.familiar() {
		im.familiar++
		return im.familiar > maxEntries
	}
	im.foreign++
	return im.foreign > maxForeign
}

// strange says whether a host is one too many. The owner's, where somebody named
// it, never is.
func (im *importer) strange(host string) bool {
	if im.met[host] || host == im.opts.Host {
		return false
	}
	if len(im.met) >= maxHosts {
		return true
	}
	im.met[host] = true
	return false
}

// familiar says whether a command may be understood. What is no command at all is
// not.
func (e *entry) familiar() bool {
	switch {
	case e.cli != nil:
		return true
	case e.Loose, e.Remark, len(e.Argv) == 0:
		return false
	case e.Entry.Redis != nil, textProbe(program(*e), e.Argv) != "":
		return true
	}
	switch program(*e) {
	case "date", "uptime", "cat", "head", "tail", "more", "grep", "sed", "awk", "ps", "top", "ss", "netstat", "lsof", "ls", "readlink", "stat", "kill", "w", "who",
		"hostname", "uname", "id", "last", "mount", "findmnt", "pidof", "pgrep", "lsns", "ssh", "exit", "hostnamectl", "free", "vmstat", "nc", "ping", "busybox":
		return true
	}
	return false
}

// passOver keeps the beginning of what there is no room for, and counts it.
func (im *importer) passOver(e entry) {
	im.passed++
	if len(im.beyond) < maxBeyond {
		im.beyond = append(im.beyond, e.Typed...)
		im.beyond = append(append(im.beyond, '\n'), e.Output[:min(len(e.Output), maxRest)]...)
	}
}

// readRedis understands a Redis command, typed at a shell or at redis-cli's own
// prompt.
func (e *entry) readRedis() {
	switch {
	case e.Entry.Redis != nil && len(e.Argv) > 0:
		e.cli = &redis.CLI{Command: redis.Withhold(e.Argv)}
		if word := strings.ToLower(e.Argv[0]); word == "exit" || word == "quit" || word == "help" {
			e.cli = nil
			return
		}
	case len(e.Argv) > 0 && redis.IsCLI(e.Argv[0]):
		cli, err := redis.ParseCLI(e.Argv)
		if err != nil || len(cli.Command) == 0 {
			return
		}
		e.cli = &cli
	default:
		return
	}
	e.cli.Command = redis.Canonical(e.cli.Command)
	if len(e.Filters) > 0 && len(bytes.TrimSpace(e.Output)) == 0 {
		e.silent = true // the filter let nothing through
		return
	}
	v, err := redis.FromText(e.cli.Command, e.Output, e.cli.Form(len(e.Filters) > 0))
	switch {
	case err == nil || errors.Is(err, redis.ErrTrailing):
		e.reply = &v
	case errors.As(err, &e.unanswered):
	default:
		e.odd = err
	}
}

// nodeOf is the address the command was sent to, host:port.
func (e *entry) nodeOf() string {
	if e.Entry.Redis != nil {
		return withPort(e.Entry.Redis.Addr)
	}
	if e.cli == nil {
		return ""
	}
	return e.cli.Addr()
}

func withPort(addr string) string {
	if addr == "" || strings.HasPrefix(addr, "/") || strings.Contains(addr, ":") {
		return addr
	}
	return addr + ":6379"
}
