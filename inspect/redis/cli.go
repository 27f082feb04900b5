package redis

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// A CLI is one redis-cli command line, understood: whom it asks, what, and in
// which form it prints. Passwords are dropped while it is read.
type CLI struct {
	Host        string // as -h or -u gave it; empty: not given
	Port        string // as -p or -u gave it; empty: not given
	Socket      string // -s
	DB          int
	TLS         bool
	User        string
	Mode        Mode     // the form that flags asked for; Auto: none did, so a terminal or a pipe decides
	Command     []string // the Redis command; a password of AUTH or HELLO in it is withheld
	Repeat      int      // -r; zero: once, below zero: for ever
	Interactive bool     // no command: it opened a prompt
	Stdin       bool     // -x, -X: the last argument came from standard input, so Command is incomplete
	Special     string   // a flag that turns it into something other than one command: latency, bigkeys, scan, eval, pipe, cluster, …
	Unknown     []string // flags nobody knows; what follows them may be misread
}

// withheldArg stands in place of a password in a command.
const withheldArg = "(withheld)"

// ParseCLI reads the command line of redis-cli, or of valkey-cli, keydb-cli and
// their like; argv[0] is the program. A flag it does not know is noted, not an
// error.
func ParseCLI(argv []string) (CLI, error) {
	if len(argv) == 0 || !IsCLI(argv[0]) {
		return CLI{}, errors.New("read redis-cli command line: the program is another one")
	}
	var c CLI
	args := argv[1:]
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		n, err := c.option(args)
		if err != nil {
			return c, fmt.Errorf("read redis-cli command line: %w", err)
		}
		args = args[n:]
	}
	c.Command = Withhold(args)
	c.Interactive = len(args) == 0 && c.Special == "" && !c.Stdin
	return c, nil
}

// IsCLI says whether a program's name or path is that of a Redis command-line
// client.
func IsCLI(program string) bool {
	name := strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/")))
	switch strings.TrimSuffix(name, ".exe") {
	case "redis-cli", "valkey-cli", "keydb-cli", "rdcli", "iredis", "redis6-cli":
		return true
	}
	return false
}

// Typed understands a line typed at a prompt of redis-cli: a number before a
// command repeats it. The command's passwords are withheld.
func Typed(argv []string) (command []string, repeat int) {
	repeat = 1
	if len(argv) > 1 {
		if n, err := strconv.Atoi(argv[0]); err == nil && n > 0 {
			repeat, argv = n, argv[1:]
		}
	}
	return Withhold(argv), repeat
}

// Addr is whom it asks: host:port, or the path of a socket. What is not given is
// redis-cli's own default.
func (c CLI) Addr() string {
	if c.Socket != "" {
		return c.Socket
	}
	host, port := c.Host, c.Port
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = "6379"
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

// Form is the form in which the output is to be read: what a flag asked for,
// else raw when standard output was a pipe. A terminal leaves it open, because
// the terminal's form can be told by looking, and a session recorded without a
// terminal printed the raw one.
func (c CLI) Form(piped bool) Mode {
	if c.Mode == Auto && piped {
		return Raw
	}
	return c.Mode
}

// location takes a -u URL apart: redis://user:password@host:port/db.
func (c *CLI) location(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && u.Path == "" {
		return errors.New("-u is no Redis URL") // never the text: it may hold a password
	}
	c.TLS = c.TLS || u.Scheme == "rediss" || u.Scheme == "valkeys"
	if u.Scheme == "unix" {
		c.Socket = u.Path
		return nil
	}
	c.Host, c.Port = u.Hostname(), u.Port()
	// With one word before the @, redis-cli takes it for the password.
	if _, both := u.User.Password(); both {
		c.User = u.User.Username()
	}
	if db, err := strconv.Atoi(strings.Trim(u.Path, "/")); err == nil {
		c.DB = db
	}
	return nil
}

// Withhold returns a command with what is a password in it replaced.
func Withhold(command []string) []string {
	out := append([]string(nil), command...)
	if len(out) == 0 {
		return out
	}
	switch strings.ToUpper(out[0]) {
	case "AUTH":
		for i := 1; i < len(out); i++ {
			out[i] = withheldArg
		}
	case "HELLO":
		for i := range out {
			if strings.EqualFold(out[i], "AUTH") && i+2 < len(out) {
				out[i+2] = withheldArg
			}
		}
	}
	return out
}
