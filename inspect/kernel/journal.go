package kernel

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// journalEntry is the part of an exported journal entry that is read. Each
// field may be a string, a list of strings, a list of bytes, or null.
type journalEntry struct {
	Real      json.RawMessage `json:"__REALTIME_TIMESTAMP"`
	Mono      json.RawMessage `json:"__MONOTONIC_TIMESTAMP"`
	Source    json.RawMessage `json:"_SOURCE_MONOTONIC_TIMESTAMP"`
	Boot      json.RawMessage `json:"_BOOT_ID"`
	Transport json.RawMessage `json:"_TRANSPORT"`
	Priority  json.RawMessage `json:"PRIORITY"`
	Facility  json.RawMessage `json:"SYSLOG_FACILITY"`
	Tag       json.RawMessage `json:"SYSLOG_IDENTIFIER"`
	Pid       json.RawMessage `json:"_PID"`
	Host      json.RawMessage `json:"_HOSTNAME"`
	Message   json.RawMessage `json:"MESSAGE"`
}

// ParseJournalJSON reads journalctl -o json, one object a line.
func ParseJournalJSON(b []byte) []Record {
	s := string(b)
	out := make([]Record, 0, strings.Count(s, "\n")+1)
	eachLine(s, func(line, raw string) {
		if strings.TrimSpace(line) == "" {
			return
		}
		var e journalEntry
		if json.Unmarshal([]byte(line), &e) != nil {
			out = append(out, Record{Facility: Unknown, Level: Unknown, Text: line, Raw: raw, Malformed: true})
			return
		}
		r := e.record()
		r.Raw = raw
		out = append(out, r)
	})
	return out
}

func (e *journalEntry) record() Record {
	r := Record{
		Facility: small(e.Facility), Level: small(e.Priority),
		Boot: journalText(e.Boot), Host: journalText(e.Host), Tag: journalText(e.Tag),
		Text: journalText(e.Message),
	}
	if r.Level > 7 {
		r.Level = Unknown
	}
	if pid := small(e.Pid); pid > 0 {
		r.TagPid = pid
	}
	fromRing := journalText(e.Transport) == "kernel"
	if !fromRing && r.Facility == 0 {
		// Any program may claim facility 0 on the syslog socket; only the
		// transport is the journal's own word.
		r.Facility = 1
	}
	e.stamp(&r)
	return r
}

// stamp dates the record. The journal's date is when it received the message;
// where the kernel's own stamp is there too, the delay between the two is taken
// off.
func (e *journalEntry) stamp(r *Record) {
	real, ok := micros(e.Real)
	if !ok {
		return
	}
	at := time.UnixMicro(real).UTC()
	r.Wall = Wall{Time: at, Precision: time.Microsecond, Zone: true}
	mono, ok := micros(e.Mono)
	if !ok {
		return
	}
	r.Journal = &Stamps{Real: at, Mono: time.Duration(mono) * time.Microsecond}
	if source, ok := micros(e.Source); ok {
		r.Printk, r.HasPrintk = time.Duration(source)*time.Microsecond, true
		r.Wall.Time = at.Add(r.Printk - r.Journal.Mono)
	}
}

// micros reads a count of microseconds that fits a duration.
func micros(raw json.RawMessage) (int64, bool) {
	n, err := strconv.ParseInt(journalText(raw), 10, 64)
	return n, err == nil && n >= 0 && n <= 1<<53
}

// small reads a small number, or Unknown.
func small(raw json.RawMessage) int {
	n, err := strconv.Atoi(journalText(raw))
	if err != nil || n < 0 || n > 1<<31-1 {
		return Unknown
	}
	return n
}

// journalText reads a field in whichever of its shapes; of several values the
// first counts. Messages that are not UTF-8 come as a list of bytes.
func journalText(raw json.RawMessage) string {
	var s string
	switch {
	case len(raw) == 0:
		return ""
	case raw[0] == '[':
		return journalList(raw)
	case json.Unmarshal(raw, &s) == nil:
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) != nil {
		return ""
	}
	return n.String()
}

// journalList reads bytes one by one rather than through the decoder, which
// would spend forty bytes of memory on each.
func journalList(raw json.RawMessage) string {
	rest := strings.TrimLeft(string(raw[1:]), " ")
	if strings.HasPrefix(rest, `"`) {
		var s string
		if json.NewDecoder(strings.NewReader(rest)).Decode(&s) != nil {
			return ""
		}
		return s
	}
	var out []byte
	for rest != "" && len(out) < maxText {
		n, w := number(rest)
		if w == 0 || n > 255 {
			return string(out)
		}
		out = append(out, byte(n))
		rest = strings.TrimLeft(rest[w:], " ,]")
	}
	return string(out)
}
