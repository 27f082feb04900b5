package redis

import (
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// ParseClient reads one line of CLIENT LIST. Fields end at the next blank and
// are cut at their first '=', because a name may hold another; fields nobody
// knows are passed over, and older servers simply have fewer.
//
// Its texts are parts of the line, and keep that in memory: whoever keeps one for
// long makes a copy ([own]).
func ParseClient(line string) (evidence.Client, bool) {
	c := evidence.Client{}
	seen := false
	var path *string // an address that may go on: a unix socket's path has blanks now and then
	for len(line) > 0 {
		var field string
		field, line, _ = strings.Cut(line, " ")
		if path != nil && strings.IndexByte(field, '=') < 0 {
			*path += " " + field
			continue
		}
		path = nil
		if !ofInterest(field) {
			continue
		}
		name, value, ok := strings.Cut(field, "=")
		if !ok {
			continue
		}
		switch name {
		case "id":
			c.ID, seen = number(value), true
		case "addr":
			c.Addr, seen, path = value, true, &c.Addr
		case "laddr":
			c.LAddr, path = value, &c.LAddr
		case "name":
			c.Name = value
		case "age":
			c.Age = number(value)
		case "idle":
			c.Idle = number(value)
		case "flags":
			c.Flags = value
		case "db":
			c.DB = int(number(value))
		case "cmd":
			c.Cmd = value
		case "user":
			c.User = value
		case "lib-name":
			c.Lib = value
		case "lib-ver":
			c.LibVer = value
		case "tot-cmds":
			c.TotCmds = number(value)
		}
	}
	return c, seen
}

// ofInterest says whether a field may be one that is read, by its first letter: most
// of a line is of buffers and subscriptions.
func ofInterest(field string) bool {
	if field == "" {
		return false
	}
	switch field[0] {
	case 'i', 'a', 'l', 'n', 'f', 'd', 'c', 'u', 't':
		return true
	}
	return false
}

// own gives a client texts of its own.
func own(c evidence.Client) evidence.Client {
	for _, text := range []*string{&c.Addr, &c.LAddr, &c.Name, &c.Flags, &c.Cmd, &c.User, &c.Lib, &c.LibVer} {
		*text = strings.Clone(*text)
	}
	return c
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Host is the address of a client without its port.
func Host(addr string) string {
	i := strings.LastIndexByte(addr, ':')
	if i < 0 {
		return addr
	}
	return strings.Trim(addr[:i], "[]")
}

// withheld stands where a foreign connection's address or name was dropped.
const withheld = "-"

// MaskClients drops what identifies connections that have nothing to do with
// this lock: of those only id, age, idle, flags, db, cmd and library stay. How
// many of one host there are, and how long they have been silent, is kept by a
// number in place of the host, because a whole host falling silent at once is
// evidence.
func MaskClients(raw []byte, keep func(evidence.Client) bool) []byte {
	values, _ := ParseReplies(raw)
	if len(values) != 1 || values[0].Kind != '$' {
		return raw // an error reply, or a broken one: nothing to mask
	}
	hosts := map[string]int{}
	out := make([]byte, 0, len(raw)/2)
	for line := range strings.Lines(values[0].Str) {
		line = strings.TrimRight(line, "\r\n")
		c, ok := ParseClient(line)
		if !ok {
			continue
		}
		if keep(c) {
			out = append(append(out, line...), '\n')
			continue
		}
		host := Host(c.Addr)
		number, ok := hosts[host]
		if !ok {
			number = len(hosts) + 1
			hosts[host] = number
		}
		out = appendMasked(out, c, number)
	}
	framed := make([]byte, 0, len(out)+16)
	framed = strconv.AppendInt(append(framed, '$'), int64(len(out)), 10)
	return append(append(append(framed, "\r\n"...), out...), "\r\n"...)
}

func appendMasked(out []byte, c evidence.Client, host int) []byte {
	out = strconv.AppendInt(append(out, "id="...), c.ID, 10)
	out = strconv.AppendInt(append(out, " addr="+withheld...), int64(host), 10)
	out = strconv.AppendInt(append(out, ":0 age="...), c.Age, 10)
	out = strconv.AppendInt(append(out, " idle="...), c.Idle, 10)
	out = append(out, " flags="+c.Flags...)
	out = strconv.AppendInt(append(out, " db="...), int64(c.DB), 10)
	out = append(out, " cmd="+c.Cmd...)
	if c.Lib != "" {
		out = append(out, " lib-name="+c.Lib+" lib-ver="+c.LibVer...)
	}
	return append(out, '\n')
}

// maxKept bounds the connections a snapshot holds one by one.
const maxKept = 512

// ParseClients reads one CLIENT LIST reply, masked or not. Connections whose
// address was withheld are counted by host; the others are kept.
func ParseClients(source string, raw []byte, span evidence.Span, status evidence.Status, why string) evidence.ClientList {
	name := source + "/client-list"
	list := evidence.ClientList{Span: span}
	text := newReplies(source, []string{"CLIENT LIST"}, raw, status, why).text("CLIENT LIST")
	if text.State != evidence.Seen {
		list.Total = evidence.Refused[int](name, text.Status, text.Why)
		list.Clients = evidence.Refused[[]evidence.Client](name, text.Status, text.Why)
		return list
	}
	total := 0
	kept := []evidence.Client{}
	quiet := silences{}
	for line := range strings.Lines(text.Value) {
		c, ok := ParseClient(strings.TrimRight(line, "\r\n"))
		if !ok {
			continue
		}
		total++
		if strings.HasPrefix(c.Addr, withheld) || len(kept) >= maxKept {
			quiet.add(c)
			continue
		}
		kept = append(kept, own(c))
	}
	list.Total = evidence.Saw(name, total)
	list.Clients = evidence.Saw(name, kept)
	list.Quiet = evidence.Saw(name, quiet.list)
	return list
}

// silences sums connections up by host, in the order hosts first appear.
type silences struct {
	list  []evidence.Silence
	index map[string]int
}

func (s *silences) add(c evidence.Client) {
	host := Host(c.Addr)
	if s.index == nil {
		s.index = map[string]int{}
	}
	i, ok := s.index[host]
	if !ok {
		if len(s.list) >= maxKept {
			return
		}
		i, host = len(s.list), strings.Clone(host)
		s.index[host] = i
		s.list = append(s.list, evidence.Silence{Host: host, MinIdle: c.Idle, MaxIdle: c.Idle})
	}
	e := &s.list[i]
	e.Clients++
	e.MinIdle, e.MaxIdle = min(e.MinIdle, c.Idle), max(e.MaxIdle, c.Idle)
}
