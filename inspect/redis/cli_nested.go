package redis

import (
	"bytes"
	"net/netip"
	"strconv"
	"strings"
)

// rawRole reads ROLE printed flat.
func rawRole(l []string) (Value, bool) {
	if len(l) == 0 {
		return Value{}, false
	}
	switch {
	case l[0] == "master" && len(l) >= 2 && isDigits(l[1]):
		replicas := Value{Kind: '*'}
		for rest := l[2:]; len(rest) >= 3; rest = rest[3:] {
			replicas.Array = append(replicas.Array, bulks(rest[:3]))
		}
		return Value{Kind: '*', Array: []Value{Bulk("master"), numberOr(l[1]), replicas}}, true
	case l[0] == "slave" && len(l) >= 5:
		return Value{Kind: '*', Array: []Value{Bulk("slave"), Bulk(l[1]), numberOr(l[2]), Bulk(l[3]), numberOr(l[4])}}, true
	case l[0] == "sentinel":
		return Value{Kind: '*', Array: []Value{Bulk("sentinel"), bulks(l[1:])}}, true
	}
	return Value{}, false
}

// rawLatency reads LATENCY LATEST printed flat: a name, then numbers. Servers
// differ in how many.
func rawLatency(l []string) (Value, bool) {
	v := Value{Kind: '*'}
	for _, word := range l {
		if !isDigits(word) {
			v.Array = append(v.Array, Value{Kind: '*', Array: []Value{Bulk(word)}})
			continue
		}
		if len(v.Array) == 0 {
			return Value{}, false
		}
		last := &v.Array[len(v.Array)-1]
		last.Array = append(last.Array, numberOr(word))
	}
	return v, true
}

// rawSlowlog reads SLOWLOG GET printed flat: id, time and duration of an entry,
// its arguments, and since 4.0 the client's address and name. Nothing says how
// many arguments there are; but ids count down by one from entry to entry, and
// an address ends the arguments.
func rawSlowlog(l []string) (Value, bool) {
	v := Value{Kind: '*'}
	for len(l) > 0 && strings.TrimSpace(l[0]) != "" {
		if !slowHead(l) {
			return v, len(v.Array) > 0
		}
		end := nextSlow(l)
		entry := l[:end]
		args, tail := entry[3:], []string(nil)
		for i := len(args) - 1; i >= max(1, len(args)-3); i-- {
			if isClientAddr(args[i]) {
				args, tail = args[:i], args[i:]
				break
			}
		}
		item := Value{Kind: '*', Array: []Value{numberOr(entry[0]), numberOr(entry[1]), numberOr(entry[2]), bulks(args)}}
		if len(tail) > 0 {
			name := ""
			if len(tail) > 1 {
				name = tail[1]
			}
			item.Array = append(item.Array, Bulk(tail[0]), Bulk(name))
		}
		v.Array = append(v.Array, item)
		l = l[end:]
	}
	return v, true
}

// slowHead says whether lines begin as an entry does: id, a second of this
// century, microseconds.
func slowHead(l []string) bool {
	return len(l) >= 4 && isDigits(l[0]) && len(l[1]) == 10 && isDigits(l[1]) && isDigits(l[2])
}

// nextSlow is where the entry after the first one begins.
func nextSlow(l []string) int {
	id, _ := strconv.ParseInt(l[0], 10, 64)
	for i := 4; i < len(l); i++ {
		if n, err := strconv.ParseInt(l[i], 10, 64); err == nil && n == id-1 && slowHead(l[i:]) {
			return i
		}
	}
	return len(l)
}

// isClientAddr says whether a word is a client's address as Redis prints it:
// ip:port, [ip]:port, a socket path and :0, or ?:0.
func isClientAddr(word string) bool {
	if _, err := netip.ParseAddrPort(word); err == nil {
		return true
	}
	return word == "?:0" || strings.HasPrefix(word, "/") && strings.HasSuffix(word, ":0")
}

// monitor reads MONITOR's stream. Each line becomes an array of four: the time
// in seconds as printed, the database, the client's address or "lua", and the
// array of the command's words. The OK that opens the stream is passed over.
func monitor(text []byte) (Value, []byte, error) {
	v := Value{Kind: '*'}
	for len(text) > 0 && len(v.Array) < maxElements {
		line := firstLine(text)
		entry, ok := monitorLine(line)
		switch {
		case ok:
			v.Array = append(v.Array, entry)
		case string(line) == "OK" && len(v.Array) == 0:
		case isErrorReply(line) || bytes.HasPrefix(line, []byte("(error) ")):
			return errorReply(strings.TrimPrefix(string(line), "(error) ")), after(text), nil
		default:
			return v, text, nil
		}
		text = after(text)
	}
	return v, nil, nil
}

func monitorLine(line []byte) (Value, bool) {
	stamp, rest, ok := bytes.Cut(line, []byte(" ["))
	if !ok || len(stamp) == 0 || stamp[0] < '0' || stamp[0] > '9' || len(stamp) > 32 {
		return Value{}, false
	}
	where, rest, ok := bytes.Cut(rest, []byte("] "))
	if !ok {
		return Value{}, false
	}
	db, addr, _ := bytes.Cut(where, []byte{' '})
	words := Value{Kind: '*'}
	for len(rest) > 0 && rest[0] == '"' {
		var word string
		if word, rest, ok = unquote(rest); !ok {
			return Value{}, false
		}
		words.Array = append(words.Array, Bulk(word))
		rest = bytes.TrimLeft(rest, " ")
	}
	return Value{Kind: '*', Array: []Value{Bulk(string(stamp)), numberOr(string(db)), Bulk(string(addr)), words}}, len(words.Array) > 0
}
