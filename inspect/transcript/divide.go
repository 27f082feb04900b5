package transcript

import (
	"bytes"
	"slices"
)

// maxRounds bounds into how many rounds a loop's output is divided.
const maxRounds = 10_000

// divide gives each command of a list its part of what they printed together,
// and repeats those of a loop as often as their output shows.
func divide(open []Entry, list []command, body []byte) []Entry {
	if len(open) == 1 && !open[0].Loop {
		open[0].Output = body
		return open
	}
	var out []Entry
	rest := body
	for i := 0; i < len(open); {
		j := i + 1
		for open[i].Loop && j < len(open) && open[j].Loop {
			j++
		}
		if open[i].Loop {
			var of *each
			if i < len(list) {
				of = list[i].each
			}
			rounds, left := of.divide(open[i:j], open[j:], rest)
			if len(rounds) == 0 {
				rounds, left = divideLoop(open[i:j], open[j:], rest)
			}
			if len(rounds) > 0 {
				out, rest, i = append(out, rounds...), left, j
				continue
			}
		}
		part, left, ok := take(open[i], open[i+1:], rest)
		if !ok {
			// Whose line is whose can only be guessed: the first has them all.
			open[i].Output = rest
			for k := i; k < len(open); k++ {
				open[k].Shared = true
			}
			return append(out, open[i:]...)
		}
		e := open[i]
		e.Output, e.Shared = part, i < len(list) && list[i].joint == "||" || i+1 < len(list) && list[i+1].joint == "||"
		out, rest, i = append(out, e), left, i+1
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		last := open[len(open)-1]
		if last.Loop {
			out = append(out, Entry{Line: last.Line, Host: last.Host, User: last.User, In: last.In, Terminal: last.Terminal, Loose: true, Output: rest})
		} else {
			e := &out[len(out)-1]
			e.Output = slices.Concat(e.Output, rest)
		}
	}
	return out
}

// divideLoop takes rounds of a loop's body for as long as each command's part
// can be told.
func divideLoop(body, after []Entry, text []byte) (out []Entry, rest []byte) {
	return divideRounds(func(int) []Entry { return body }, after, text)
}

// divideRounds is handed what each round ran, and nothing for those that are one
// too many.
func divideRounds(ran func(n int) []Entry, after []Entry, text []byte) (out []Entry, rest []byte) {
	rest = text
	for n := 0; n < maxRounds && len(bytes.TrimSpace(rest)) > 0; n++ {
		left := rest
		var round []Entry
		body, next := ran(n), ran(n+1)
		last := len(next) == 0 // it is known to be the last
		if last {
			next = after
		}
		for i, e := range body {
			part, more, ok := take(e, slices.Concat(body[i+1:], next[:min(1, len(next))]), left)
			if !ok && i == len(body)-1 && len(after) == 0 && (last || starts(e, firstLine(left))) {
				part, more, ok = left, nil, true // the last round has no other behind it
			}
			if !ok || contradicted(e, part) || n > 0 && i == 0 && len(after) > 0 && starts(after[0], firstLine(part)) {
				return out, rest
			}
			e.Output, left = part, more
			round = append(round, e)
		}
		if len(left) == len(rest) {
			return out, rest
		}
		out, rest = append(out, round...), left
	}
	return out, rest
}

// take cuts what one command printed off the front. next are the commands whose
// output follows.
func take(e Entry, next []Entry, body []byte) (part, rest []byte, ok bool) {
	if len(next) == 0 && !e.Loop {
		return body, nil, true
	}
	if n, known := height(e, body); known {
		part, rest = cutLines(body, n)
		return part, rest, true
	}
	if unterminated(e) && len(next) > 0 {
		for i := 1; i < len(body) && i < 64 && body[i-1] != '\n'; i++ {
			if starts(next[0], firstLine(body[i:])) {
				return body[:i], body[i:], true
			}
		}
	}
	if end := lastOf(e); end != "" {
		if i := lineWith(body, end); i >= 0 {
			part, rest = cutLines(body[i:], 1)
			return body[:i+len(part)], rest, true
		}
	}
	if part, rest, ok = takeReply(e, next, body); ok {
		return part, rest, true
	}
	return takeBefore(e, next, body)
}

// takeBefore cuts where the output of a later command can be seen to begin, or
// where it must, because all that follow print a known number of lines.
func takeBefore(e Entry, next []Entry, body []byte) (part, rest []byte, ok bool) {
	lines := 0
	for _, n := range next {
		if i := startOf(n, body, e); i >= 0 {
			i = linesUp(body, i, lines)
			return body[:i], body[i:], true
		}
		h, known := height(n, nil)
		if !known {
			return nil, nil, false
		}
		lines += h
	}
	if e.Loop {
		return nil, nil, false
	}
	i := linesUp(body, len(body), lines)
	return body[:i], body[i:], true
}

// linesUp is where the line begins that is n lines above i.
func linesUp(body []byte, i, n int) int {
	for ; n > 0 && i > 0; n-- {
		i = bytes.LastIndexByte(body[:i-1], '\n') + 1
	}
	return i
}

// startOf is where the first line is that a command's output begins with. before
// is the command before it: its own first line is not meant.
func startOf(e Entry, body []byte, before Entry) int {
	if !starter(e) || rowsAlike(before, e) {
		return -1
	}
	at := 0
	for line := range bytes.Lines(body) {
		text := bytes.TrimRight(line, "\n")
		if starts(e, text) && (at > 0 || !starts(before, text)) {
			return at
		}
		at += len(line)
	}
	return -1
}

// lineWith is where the first line is that begins so.
func lineWith(body []byte, prefix string) int {
	if bytes.HasPrefix(body, []byte(prefix)) {
		return 0
	}
	if i := bytes.Index(body, []byte("\n"+prefix)); i >= 0 {
		return i + 1
	}
	return -1
}

// cutLines takes n lines from the front. What redis-cli warns of before it
// answers does not count.
func cutLines(b []byte, n int) (front, rest []byte) {
	i := 0
	for n > 0 && i < len(b) {
		line := firstLine(b[i:])
		i = min(len(b), i+len(line)+1)
		if !isWarning(line) {
			n--
		}
	}
	return b[:i], b[i:]
}

func isWarning(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Warning: Using a password with ")) || bytes.HasPrefix(line, []byte("AUTH failed: "))
}

func firstLine(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i]
	}
	return b
}
