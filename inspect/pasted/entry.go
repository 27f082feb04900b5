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
	maxEntries = 200_000  // commands of all texts
	maxKept    = 24 << 20 // bytes of output kept in all; a bundle wants to stay below 10 MB when packed
	maxEach    = 1 << 20  // bytes of output kept of one command
	maxRest    = 4 << 10  // bytes kept of one command once there is too much
)

// An entry is one command of a text, with what is understood of it.
type entry struct {
	transcript.Entry
	text       int               // which of the texts
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
	if im.kept > maxKept || len(im.entries) > maxEntries {
		room = maxRest
	}
	if len(e.Output) > room {
		e.Output, e.cut = e.Output[:room], true
	}
	if len(im.entries) > 4*maxEntries {
		return nil // nobody pastes a million commands: the rest is noise
	}
	e.Output = append([]byte(nil), e.Output...)
	im.kept += int64(len(e.Output))
	e.readRedis()
	e.Argv = secrets.MaskCommand(e.Argv)
	im.entries = append(im.entries, e)
	return nil
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
