// Package script writes a POSIX shell script that looks at a lock's owner where
// nothing may be installed, and prints what it saw as a terminal transcript.
//
// The body is fixed text, kept in sh/ in the order it is printed; only the
// settings in front of it differ, and each is one quoted word. So what a flag
// says can never become part of a command, and the script can be read and
// approved once.
//
// What a prompt shows is what was executed, and one function does both. The
// whole is one subshell, which a shell reads to its end before it begins:
// nothing in it can eat the script off standard input, and nothing of it stays
// behind in a shell it was pasted into. It reads files, asks programs that only
// tell, and sends no signal but 0, which is never delivered.
package script

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed sh/*.sh
var body embed.FS

// Options say what the script is to look at.
type Options struct {
	Pid, Renewer            int    // processes of the host; zero: not named
	Unit, Cgroup, Container string // their groups; empty: not named
	Heartbeat               string // file:PATH or key:NAME
	Key                     string // the lock; empty: the coordinator is not asked about it
	Redis                   Redis
	Seconds                 int  // between the two looks
	Full                    bool // CLIENT LIST and SLOWLOG too, which tell of others
}

// Redis is the coordinator, as the host reaches it. The zero value is none. A
// password is never part of a script: redis-cli takes it from REDISCLI_AUTH.
type Redis struct {
	Host, User string
	Port       uint16 // zero with a socket
	Socket     string // path of a unix socket, instead of host and port
	DB         int
	TLS        bool
}

// MaxSeconds bounds the wait between the looks: somebody sits in front of it.
const MaxSeconds = 60

// maxPid is the largest process number Linux gives.
const maxPid = 1 << 22

const head = `# lockscene script: prints what this host can tell about the owner of a lock, as
# a transcript, in two looks. It only reads; it needs no root and says what it
# was refused. Send it to a shell:
#   lockscene script ... | ssh HOST sh
#   lockscene script ... | kubectl exec -i POD -- sh
#   lockscene script ... | docker exec -i CONTAINER sh
# or paste it after typing: sh
# What it prints goes to: lockscene evidence import -
(
`

// Text is the script. Its errors name the flag that is wrong.
func Text(o Options) (string, error) {
	if err := o.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head)
	settings(&b, o)
	names, err := fs.Glob(body, "sh/*.sh")
	if err != nil {
		return "", fmt.Errorf("list script parts: %w", err)
	}
	for _, name := range names {
		part, err := body.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("read script part: %w", err)
		}
		b.WriteString("\n")
		b.Write(part)
	}
	b.WriteString(") </dev/null 2>&1\n")
	return b.String(), nil
}

func (o Options) check() error {
	for _, f := range []struct{ flag, value string }{
		{"--unit", o.Unit}, {"--cgroup", o.Cgroup}, {"--container", o.Container}, {"--heartbeat", o.Heartbeat},
		{"--key", o.Key}, {"--redis", o.Redis.Host + o.Redis.Socket + o.Redis.User},
	} {
		// A line break would end a prompt in the transcript; other control
		// characters act on a terminal that the script is pasted into.
		if strings.ContainsFunc(f.value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("%s: control characters cannot go through a terminal", f.flag)
		}
		if len(f.value) > 4096 {
			return fmt.Errorf("%s: longer than 4096 bytes", f.flag)
		}
	}
	file, isFile := strings.CutPrefix(o.Heartbeat, "file:")
	_, isKey := strings.CutPrefix(o.Heartbeat, "key:")
	switch {
	case o.Pid < 0 || o.Renewer < 0 || o.Pid > maxPid || o.Renewer > maxPid:
		return errors.New("--pid and --renewer-pid want process numbers")
	case o.Seconds < 1 || o.Seconds > MaxSeconds:
		return fmt.Errorf("--seconds wants 1 to %d", MaxSeconds)
	case o.Heartbeat != "" && !isFile && !isKey:
		return errors.New("--heartbeat wants file:PATH or key:NAME")
	case isFile && !strings.HasPrefix(file, "/"):
		return errors.New("--heartbeat file:PATH wants a path from the root: another shell starts elsewhere")
	case isKey && !o.Redis.given():
		return errors.New("--heartbeat key:NAME wants --redis")
	case strings.Contains("/"+o.Cgroup+"/", "/../"):
		return errors.New("--cgroup: .. leads out of the hierarchy")
	case o.Pid == 0 && o.Renewer == 0 && o.Unit == "" && o.Cgroup == "" && o.Container == "" && !o.Redis.given():
		return errors.New("whom to look at: --pid, --unit, --cgroup, --container, or --redis to find who talks to it")
	}
	return nil
}

func (r Redis) given() bool { return r.Host != "" || r.Socket != "" }
