package transcript

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/redis"
)

// piped turns echo CMD | redis-cli, and printf 'CMD\nCMD\n' | redis-cli, into what
// was asked: a command a line. What cannot be read so stays as it is.
func (c command) piped() []command {
	if len(c.filters) == 0 || len(c.argv) < 2 {
		return []command{c}
	}
	lines, ok := printedBy(c.argv)
	client := expand(command{argv: c.filters[0]}, 0)
	if !ok || len(client) != 1 || len(client[0].argv) == 0 || !redis.IsCLI(client[0].argv[0]) || len(client[0].filters) > 0 {
		return []command{c}
	}
	if cli, err := redis.ParseCLI(client[0].argv); err != nil || !cli.Interactive {
		return []command{c} // its command stands behind it, and what it is fed is a value
	}
	var out []command
	for _, line := range lines {
		words := redisWords(line)
		if len(words) == 0 || len(out) >= maxCommands {
			continue
		}
		in := c
		in.argv, in.filters = slices.Concat(client[0].argv, words), c.filters[1:]
		in.host, in.user, in.in = client[0].host, client[0].user, client[0].in
		if len(out) > 0 {
			in.joint = ";"
		}
		out = append(out, in)
	}
	if len(out) == 0 {
		return []command{c}
	}
	for i := range out {
		if len(out) > 1 {
			out[i].typed = strings.Join(out[i].argv, " ")
		}
	}
	return out
}

// printedBy are the lines that echo or printf prints; not ok for another command,
// and where its arguments do not tell.
func printedBy(argv []string) (lines []string, ok bool) {
	text := ""
	switch base(argv[0]) {
	case "echo":
		text, ok = echoes(argv[1:]), true
	case "printf":
		text, ok = formats(argv[1:])
	}
	return strings.Split(strings.ReplaceAll(text, "\r", ""), "\n"), ok
}

// echoes is what echo prints. Not every shell's wants -e to know \n, so it is read
// wherever it stands: no command to Redis has one.
func echoes(words []string) string {
	raw := false
	for len(words) > 0 && len(words[0]) > 1 && strings.Trim(words[0][1:], "neE") == "" && words[0][0] == '-' {
		raw = strings.HasSuffix(words[0], "E")
		words = words[1:]
	}
	if text := strings.Join(words, " "); raw {
		return text
	} else {
		return unescape(text)
	}
}

// formats is what printf prints: its format once, and again for as long as
// arguments are left. It knows %s, %b, %d and %%.
func formats(words []string) (string, bool) {
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return "", false
	}
	format, args := words[0], words[1:]
	var out strings.Builder
	for first := true; first || len(args) > 0; first = false {
		left := len(args)
		text, rest, ok := formatted(format, args)
		if !ok || out.Len() > maxCommandLine {
			return "", false
		}
		out.WriteString(text)
		if args = rest; len(args) == left {
			break // it takes none
		}
	}
	return out.String(), true
}

// formatted is one round of a format.
func formatted(format string, args []string) (text string, rest []string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			end := i + 1
			for end < len(format) && format[end] != '%' {
				end++
			}
			out.WriteString(unescape(format[i:end]))
			i = end - 1
			continue
		}
		if i++; i == len(format) {
			return "", nil, false
		}
		arg := ""
		if format[i] != '%' && len(args) > 0 {
			arg, args = args[0], args[1:]
		}
		switch format[i] {
		case '%':
			out.WriteByte('%')
		case 's':
			out.WriteString(arg)
		case 'b':
			out.WriteString(unescape(arg))
		case 'd', 'i', 'u':
			if _, err := strconv.ParseInt(arg, 10, 64); err != nil {
				return "", nil, false
			}
			out.WriteString(arg)
		default:
			return "", nil, false
		}
	}
	return out.String(), args, true
}

// unescape reads what echo -e and printf write with a backslash. What redis-cli
// reads itself, within its double quotes, stays.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\012`, "\n", `\015`, "\r", `\x0a`, "\n", `\x0d`, "\r", `\"`, `"`).Replace(s)
}
