package redis

import (
	"bytes"
	"errors"
	"strings"
)

// A Mode is the form in which redis-cli printed a reply.
type Mode string

const (
	Auto Mode = ""     // not known: told by looking
	TTY  Mode = "tty"  // what a terminal gets: (integer) 5, "text", 1) "first"
	Raw  Mode = "raw"  // what a pipe gets: 5, text, one element a line
	JSON Mode = "json" // --json
	CSV  Mode = "csv"  // --csv
)

// ErrTrailing comes beside a value when text followed it that is not part of it.
// The value may be used.
var ErrTrailing = errors.New("read reply: text follows it")

// errUnreadable says that text is not what redis-cli prints.
var errUnreadable = errors.New("read reply: not what redis-cli prints")

// FromText turns what redis-cli printed for one command into the value the
// server sent, as RESP2 would have carried it: maps and sets are arrays, doubles
// and verbatim texts are strings. When no server answered, the error is an
// *[Unanswered]. A piped command whose filter let nothing through printed
// nothing; only the caller knows, so that text is unanswered here.
func FromText(command []string, text []byte, mode Mode) (Value, error) {
	v, rest, err := Next(command, text, mode)
	if rest, _ = Strip(rest); err == nil && len(bytes.TrimSpace(rest)) > 0 {
		err = ErrTrailing
	}
	return v, err
}

// Next reads the first reply of a text and returns what follows it. Only the
// raw form of strings, texts and arrays takes everything there is.
func Next(command []string, text []byte, mode Mode) (v Value, rest []byte, err error) {
	text, aside := Strip(text)
	if why := unanswered(text, aside); why != nil {
		return Value{}, nil, why
	}
	s := shapeOf(command)
	if commandName(command) == "MONITOR" {
		return monitor(text)
	}
	if s == shapeText {
		return wholeText(text)
	}
	if body := bytes.TrimLeft(text, "\r\n"); mode != Raw && len(body) > 0 {
		text = body // in the raw form an empty line is a reply; in the others a ticket put it there
	}
	switch look(text, s, mode) {
	case TTY:
		v, rest, err := fromTTY(text)
		if err != nil && s == shapeBulk && mode == Auto {
			return fromRaw(command, text, s, mode) // a value that begins with a quotation mark
		}
		return v, rest, err
	case JSON:
		return fromJSON(text)
	case CSV:
		return fromCSV(text, s)
	default:
		return fromRaw(command, text, s, mode)
	}
}

// look decides the form of a text. The raw form is what remains: it has no mark
// of its own.
func look(text []byte, s shape, asked Mode) Mode {
	if asked == JSON || asked == CSV {
		return asked
	}
	// A string that was printed raw may look like any other form.
	if asked == Raw && (s == shapeBulk || s == shapeSlice || s == shapeAny) {
		return Raw
	}
	line := firstLine(text)
	trimmed := bytes.TrimLeft(line, " ")
	switch {
	case isTTYMark(trimmed):
		return TTY
	case s == shapeArray && bytes.HasPrefix(trimmed, []byte{'"'}) && bytes.Contains(trimmed, []byte(`",`)):
		return CSV
	case bytes.HasPrefix(trimmed, []byte{'"'}):
		return TTY
	case bytes.HasPrefix(trimmed, []byte(`error:"`)), s == shapeArray && len(trimmed) > 0 && (trimmed[0] == '[' || trimmed[0] == '{'):
		return JSON
	case bytes.HasPrefix(trimmed, []byte("ERROR,")):
		return CSV
	}
	return Raw
}

// isTTYMark says whether a line begins as only the terminal's form does.
func isTTYMark(line []byte) bool {
	if n, _, _ := index(line); n == 1 {
		return true
	}
	for _, mark := range []string{"(integer) ", "(nil)", "(error) ", "(empty ", "(double) ", "(true)", "(false)"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// wholeText reads the commands whose reply every form prints as it came. Some
// sessions show it quoted all the same: through a script, or through --json of
// newer clients.
func wholeText(text []byte) (Value, []byte, error) {
	line := firstLine(text)
	switch {
	case bytes.HasPrefix(line, []byte("(error) ")):
		return fromTTY(text)
	case bytes.HasPrefix(line, []byte(`error:"`)):
		return fromJSON(text)
	case isErrorReply(line):
		return errorReply(string(line)), after(text), nil
	case bytes.HasPrefix(line, []byte{'"'}):
		if v, rest, err := fromTTY(text); err == nil {
			return v, rest, nil
		}
	case bytes.HasPrefix(line, []byte("(nil)")):
		return fromTTY(text)
	}
	return Bulk(string(text)), nil, nil
}

// firstLine is the first line without its end.
func firstLine(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return bytes.TrimRight(text, "\r")
}

// after is what follows the first line.
func after(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[i+1:]
	}
	return nil
}

// errorWords are the words Redis's own errors begin with.
var errorWords = map[string]bool{
	"ERR": true, "WRONGTYPE": true, "NOAUTH": true, "WRONGPASS": true, "NOPERM": true, "LOADING": true, "BUSY": true,
	"READONLY": true, "MOVED": true, "ASK": true, "CLUSTERDOWN": true, "CROSSSLOT": true, "TRYAGAIN": true, "MASTERDOWN": true,
	"MISCONF": true, "OOM": true, "NOSCRIPT": true, "NOREPLICAS": true, "EXECABORT": true, "DENIED": true, "UNKILLABLE": true,
	"NOTBUSY": true, "BUSYKEY": true, "BUSYGROUP": true, "NOGROUP": true, "NOMASTERLINK": true, "NOGOODSLAVE": true,
	"INPROG": true, "NOPROTO": true, "UNBLOCKED": true, "IOERR": true,
}

// isErrorReply says whether a line is an error as the raw form prints it, with
// or without the protocol's minus sign.
func isErrorReply(line []byte) bool {
	word, rest, ok := bytes.Cut(bytes.TrimPrefix(line, []byte{'-'}), []byte{' '})
	return ok && len(rest) > 0 && errorWords[string(word)]
}

func errorReply(text string) Value {
	return Value{Kind: '-', Str: strings.TrimPrefix(oneLine(text), "-")}
}

// oneLine keeps a status or an error on one line, as the protocol demands.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }
