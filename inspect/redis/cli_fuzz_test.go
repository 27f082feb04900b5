package redis

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// typed writes a value as redis-cli shows it at a terminal.
func typed(v Value, prefix string) string {
	switch {
	case v.Null:
		return "(nil)\n"
	case v.Kind == ':':
		return fmt.Sprintf("(integer) %d\n", v.Int)
	case v.Kind == '-':
		return "(error) " + v.Str + "\n"
	case v.Kind == '+':
		return v.Str + "\n"
	case v.Kind == '$':
		return repr(v.Str) + "\n"
	case len(v.Array) == 0:
		return "(empty array)\n"
	}
	width := len(fmt.Sprint(len(v.Array)))
	out, indent := "", ""
	for i, item := range v.Array {
		out += fmt.Sprintf("%s%*d) ", indent, width, i+1) + typed(item, prefix+strings.Repeat(" ", width+2))
		indent = prefix
	}
	return out
}

// repr quotes a string as redis-cli does.
func repr(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case strings.IndexByte("\n\r\t\a\b", c) >= 0:
			b.WriteString(map[byte]string{'\n': `\n`, '\r': `\r`, '\t': `\t`, '\a': `\a`, '\b': `\b`}[c])
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return b.String() + `"`
}

func anyValue(r *rand.Rand, depth int) Value {
	kinds := []byte{':', '$', '+', '-', 'n', '*'}
	if depth > 4 {
		kinds = kinds[:5]
	}
	switch kinds[r.IntN(len(kinds))] {
	case ':':
		return Value{Kind: ':', Int: r.Int64() - 1<<62}
	case '$':
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return Bulk(string(b))
	case '+':
		return Value{Kind: '+', Str: []string{"OK", "string", "PONG", "Background saving started"}[r.IntN(4)]}
	case '-':
		return Value{Kind: '-', Str: "ERR no such thing"}
	case 'n':
		return Value{Kind: '$', Null: true}
	}
	v := Value{Kind: '*'}
	for range r.IntN(13) {
		v.Array = append(v.Array, anyValue(r, depth+1))
	}
	return v
}

// Whatever a terminal shows reads back as what the server sent.
func TestTerminalRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		v := Value{Kind: '*'}
		for range 1 + r.IntN(12) {
			v.Array = append(v.Array, anyValue(r, 0))
		}
		text := typed(v, "")
		got, err := FromText([]string{"EXEC"}, []byte(text), TTY)
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Fatalf("%v\n%s\ngot  %+v\nwant %+v", err, text, got, v)
		}
	}
}

func FuzzFromText(f *testing.F) {
	f.Add("SLOWLOG GET", "1) 1) (integer) 9121\n   2) (integer) 1794248536\n", "")
	f.Add("HGETALL k", "1# \"a\" => 1) \"b\"\n", "tty")
	f.Add("GET k", "[\"a\",{\"b\":null}]", "json")
	f.Add("ROLE", "\"master\",0,", "csv")
	f.Add("SLOWLOG GET", "30\n1796014289\n3\nGET\nk\n127.0.0.1:43582\n\n", "raw")
	f.Add("MONITOR", "OK\n1.2 [0 lua] \"GET\" \"k\"\n", "")
	f.Fuzz(func(t *testing.T, command, text, mode string) {
		v, rest, err := Next(strings.Fields(command), []byte(text), Mode(mode))
		if len(rest) > len(text) {
			t.Errorf("the rest is longer than the whole")
		}
		if err != nil {
			return
		}
		raw := v.Append(nil)
		back, err := ParseReplies(raw)
		if err != nil || len(back) != 1 || !bytes.Equal(back[0].Append(nil), raw) {
			t.Errorf("%q became %q, which is no single reply: %v", text, raw, err)
		}
		_, _ = FromText(strings.Fields(command), []byte(text), Mode(mode))
	})
}

func FuzzFiles(f *testing.F) {
	f.Add([]byte("id=3 addr=10.0.0.1:5\n"))
	f.Add([]byte("1) 1) (integer) 9\n"))
	f.Add([]byte("role:master\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, read := range []func([]byte) ([]byte, int, error){ClientListFile, InfoFile, SlowlogFile} {
			raw, skipped, err := read(b)
			if skipped < 0 {
				t.Errorf("%d lines skipped", skipped)
			}
			if values, parseErr := ParseReplies(raw); err == nil && (parseErr != nil || len(values) != 1) {
				t.Errorf("%q became %q", b, raw)
			}
		}
	})
}

func FuzzParseCLI(f *testing.F) {
	f.Add("redis-cli -h 10.0.0.5 -a secret PTTL k")
	f.Add("redis-cli -u redis://a:b@c/1 --json -r 3 HELLO 3 AUTH u p")
	f.Fuzz(func(t *testing.T, line string) {
		c, err := ParseCLI(strings.Fields(line))
		var u *Unanswered
		if errors.As(err, &u) || c.Addr() == "" {
			t.Errorf("%q: %v, %q", line, err, c.Addr())
		}
		if len(c.Command) > 0 && strings.EqualFold(c.Command[0], "auth") && len(c.Command) > 1 && c.Command[1] != withheldArg {
			t.Errorf("%q keeps a password", line)
		}
	})
}
