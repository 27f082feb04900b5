package transcript

import (
	"bytes"
	"slices"

	"github.com/lockscene/lockscene/inspect/redis"
)

// takeReply cuts the answer of a redis-cli off the front of what several commands
// printed, where the answer itself tells its end: a row of CLIENT LIST begins
// with id=, and the form for terminals numbers and indents.
func takeReply(e Entry, next []Entry, body []byte) (part, rest []byte, ok bool) {
	command := asked(e)
	if len(command) == 0 || len(body) == 0 {
		return nil, nil, false
	}
	skip, _ := cutLines(body, 0)
	for n := 0; isWarning(firstLine(body[len(skip):])); n++ {
		skip = body[:min(len(body), len(skip)+len(firstLine(body[len(skip):]))+1)]
	}
	after := body[len(skip):]
	if startOfReply(command) == startOfReplies["CLIENT"] {
		if after, ok = pastRows(e, next, after); !ok {
			return nil, nil, false
		}
	} else if len(e.Filters) > 0 {
		return nil, nil, false
	} else if after, ok = redis.PastReply(command, after); !ok {
		return nil, nil, false
	}
	return body[:len(body)-len(after)], body[len(body)-len(after):], true
}

// pastRows is what follows the rows of CLIENT LIST. Where the next command prints
// rows as well nobody can tell whose a row is.
func pastRows(e Entry, next []Entry, body []byte) (rest []byte, ok bool) {
	row := startOfReplies["CLIENT"]
	for _, n := range next {
		if h, known := height(n, nil); known && h == 0 {
			continue
		}
		if startOfReply(asked(n)) == row {
			return nil, false
		}
		break
	}
	if slices.ContainsFunc(e.Filters, func(f []string) bool { return !keepsLines(f) }) {
		return nil, false
	}
	rest = body
	for len(rest) > 0 && row.Match(firstLine(rest)) {
		rest = rest[min(len(rest), len(firstLine(rest))+1):]
	}
	if len(rest) < len(body) {
		return rest, true
	}
	// No row: a refusal, or a filter let none through.
	if line := firstLine(body); len(e.Filters) == 0 || bytes.HasPrefix(line, []byte("Could not connect to ")) {
		return body[min(len(body), len(line)+1):], true
	}
	return body, true
}

// keepsLines says whether what a filter lets through is whole lines as they came.
func keepsLines(f []string) bool {
	if len(f) == 0 {
		return false
	}
	switch base(f[0]) {
	case "grep", "egrep", "fgrep":
		return !slices.ContainsFunc(f[1:], func(w string) bool {
			return len(w) > 1 && w[0] == '-' && w[1] != '-' && bytes.ContainsAny([]byte(w), "onbcHT") || w == "--only-matching" || w == "--count" || w == "--line-number"
		})
	case "sort", "head", "tail", "cat", "tee", "uniq":
		return len(f) == 1 || f[1][0] == '-' && f[1] != "-c"
	}
	return false
}

// rowsAlike says whether two commands print nothing but rows of one kind: then no
// row tells where the second one's begin.
func rowsAlike(a, b Entry) bool {
	if len(a.Argv) == 0 || len(b.Argv) == 0 {
		return false
	}
	if row := startOfReplies["CLIENT"]; startOfReply(asked(a)) == row {
		return startOfReply(asked(b)) == row
	}
	list := func(e Entry) bool {
		return base(e.Argv[0]) == "cat" && len(e.Argv) == 2 && bytes.ContainsAny([]byte(e.Argv[1]), "*?[")
	}
	return list(a) && list(b) && base(a.Argv[1]) == base(b.Argv[1])
}
