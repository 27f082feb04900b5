package redis

import (
	"bytes"
	"errors"
	"net"
	"strconv"
	"sync"
)

// guard wraps the connection itself. It is the second lock on the door: client
// libraries send commands of their own, and some of their code paths bypass
// hooks, so every command is checked once more on the bytes that would leave.
// It also keeps the bytes that arrive, as the raw evidence.
type guard struct {
	net.Conn
	pending []byte // the beginning of a command whose end has not been written yet
	tape    *tape
}

// Write sends only whole commands that the table allows. Half a command waits
// for its other half: sending it first and checking it later would be too late.
func (g *guard) Write(p []byte) (int, error) {
	g.pending = append(g.pending, p...)
	whole, err := wholeCommands(g.pending)
	if err != nil {
		g.pending = nil
		return 0, err
	}
	if whole == 0 {
		return len(p), nil
	}
	if _, err := g.Conn.Write(g.pending[:whole]); err != nil {
		return 0, err
	}
	g.pending = append(g.pending[:0], g.pending[whole:]...)
	return len(p), nil
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.Conn.Read(p)
	g.tape.add(p[:n])
	return n, err
}

// wholeCommands returns how many leading bytes are complete, allowed commands.
func wholeCommands(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		args, n, err := parseCommand(b[done:])
		if errors.Is(err, errShort) {
			return done, nil
		}
		if err != nil {
			return 0, err
		}
		if err := Allowed(args); err != nil {
			return 0, err
		}
		done += n
	}
	return done, nil
}

// parseCommand reads one request, an array of bulk strings.
func parseCommand(b []byte) (args []string, n int, err error) {
	if b[0] != '*' {
		return nil, 0, errors.New("refuse redis command: not an array of bulk strings")
	}
	v, rest, err := parseValue(b, 0)
	if err != nil {
		if short(b) {
			return nil, 0, errShort
		}
		return nil, 0, err
	}
	for _, a := range v.Array {
		args = append(args, a.Str)
	}
	return args, len(b) - len(rest), nil
}

// short says whether an unparsable request may still become whole: only the
// promise of its first line can tell, because parseArray refuses counts that
// the bytes at hand cannot hold.
func short(b []byte) bool {
	line, _, ok := bytes.Cut(b, []byte("\r\n"))
	if !ok {
		return len(b) < 32
	}
	count, err := strconv.Atoi(string(line[1:]))
	return err == nil && count >= 0 && count <= 1024
}

// tape keeps what the server sent since the last take.
type tape struct {
	mu    sync.Mutex
	bytes []byte
}

func (t *tape) add(p []byte) {
	t.mu.Lock()
	t.bytes = append(t.bytes, p...)
	t.mu.Unlock()
}

func (t *tape) take() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.bytes
	t.bytes = nil
	return b
}
