package pasted

import (
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/redis"
)

// A reply is one Redis command of the text with its answer.
type reply struct {
	at      int // index of its entry
	command []string
	value   redis.Value
}

// words are the command's first words in the form probes use: the subcommand
// belongs to it, the key does not.
func (r reply) verb() string {
	if len(r.command) == 0 {
		return ""
	}
	first := strings.ToUpper(r.command[0])
	switch first {
	case "OBJECT", "MEMORY", "CLIENT", "SLOWLOG", "LATENCY", "ACL", "CLUSTER", "SCRIPT", "PUBSUB", "DEBUG", "CONFIG", "COMMANDLOG":
		if len(r.command) > 1 {
			return first + " " + strings.ToUpper(r.command[1])
		}
	}
	return first
}

// key is the key a command of the lock tuple names; empty for others.
func (r reply) key() string {
	n := 1 + strings.Count(r.verb(), " ")
	if !ofTuple(r.verb()) || len(r.command) <= n {
		return ""
	}
	return r.command[n]
}

// ofTuple says whether a command reads a part of the lock tuple.
func ofTuple(verb string) bool {
	switch verb {
	case "TYPE", "PTTL", "TTL", "PEXPIRETIME", "EXPIRETIME", "OBJECT IDLETIME", "MEMORY USAGE", "STRLEN", "GET", "GETRANGE", "EXISTS":
		return true
	}
	return aside(verb)
}

// aside says whether a command reads a lock that is no string: such reads are
// probes of their own beside the look.
func aside(verb string) bool {
	switch verb {
	case "HGETALL", "HLEN", "ZRANGE", "ZCARD", "LRANGE", "LLEN", "SMEMBERS", "SCARD":
		return true
	}
	return false
}

// line is the command as probes list it.
func (r reply) line() string { return strings.Join(r.command, " ") }

// A tuple is one look at a key: what was read of it between two moments, TIME
// first and last where it was asked.
type tuple struct {
	node     string
	db       int
	replies  []reply
	borrowed bool // its first TIME closed the look before: alone it is no look
	apart    bool // other commands were typed among its own
}

func (t tuple) has(verb string) bool {
	for _, r := range t.replies {
		if r.verb() == verb {
			return true
		}
	}
	return false
}

func (t tuple) reads() int {
	n := 0
	for _, r := range t.replies {
		if r.verb() != "TIME" {
			n++
		}
	}
	return n
}

// takes says whether a reply belongs to the look under way: a repeated command
// is a second look, and so is a TIME after the key was read.
func (t tuple) takes(r reply) bool {
	if r.verb() == "TIME" {
		return len(t.replies) == 0
	}
	return !t.has(r.verb())
}

// tear divides a look during which the key came or went: commands that are typed
// one by one are no transaction.
func (t tuple) tear() (before, after tuple, torn bool) {
	was, known := false, false
	for i, r := range t.replies {
		here, says := r.shows()
		if says && known && here != was {
			before, after = t, t
			before.replies, after.replies = t.replies[:i], t.replies[i:]
			after.borrowed = false
			return before, after, true
		}
		if says {
			was, known = here, true
		}
	}
	return t, tuple{}, false
}

// shows says whether the key was there when a command was answered, where the
// answer tells.
func (r reply) shows() (here, says bool) {
	v := r.value
	switch verb := r.verb(); {
	case v.IsError():
		return false, false
	case verb == "TYPE":
		return v.Str != "none", v.Str != ""
	case verb == "PTTL" || verb == "TTL" || verb == "PEXPIRETIME" || verb == "EXPIRETIME":
		return v.Int != -2, v.Kind == ':'
	case verb == "EXISTS":
		return v.Int > 0, v.Kind == ':'
	case verb == "GET":
		return !v.Null, v.Kind == '$'
	}
	return false, false
}

// bytes is the look as a pipeline would have brought it.
func (t tuple) bytes() (commands []string, raw []byte) {
	for _, r := range t.replies {
		if aside(r.verb()) {
			continue
		}
		commands = append(commands, r.line())
		raw = r.value.Append(raw)
	}
	return commands, raw
}

// ints shortens a list of entry indexes for a probe's remark.
func lineNote(lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	first, last := lines[0], lines[len(lines)-1]
	if first == last {
		return "line " + strconv.Itoa(first)
	}
	return "lines " + strconv.Itoa(first) + " to " + strconv.Itoa(last)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
