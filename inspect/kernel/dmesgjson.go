package kernel

import (
	"bytes"
	"encoding/json"
	"strings"
)

// dmesgEntry is one message of dmesg -J. With -x the priority is split into
// words; with -T or --time-format iso the time is a string.
type dmesgEntry struct {
	Facility string          `json:"fac"`
	Priority json.RawMessage `json:"pri"`
	Time     json.RawMessage `json:"time"`
	Caller   string          `json:"caller"`
	Message  string          `json:"msg"`
}

// ParseDmesgJSON reads dmesg -J. Output cut off in the middle yields the
// messages before the cut.
func ParseDmesgJSON(b []byte) []Record {
	d := json.NewDecoder(bytes.NewReader(b))
	for _, want := range []json.Token{json.Delim('{'), "dmesg", json.Delim('[')} {
		if t, err := d.Token(); err != nil || t != want {
			return nil
		}
	}
	var out []Record
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			break
		}
		var e dmesgEntry
		if json.Unmarshal(raw, &e) != nil {
			out = append(out, Record{Facility: Unknown, Level: Unknown, Text: string(raw), Raw: string(raw), Malformed: true})
			continue
		}
		out = append(out, e.record(string(raw)))
	}
	return out
}

func (e *dmesgEntry) record(raw string) Record {
	r := Record{Facility: Unknown, Level: Unknown, Caller: e.Caller, Text: e.Message, Raw: raw}
	pri := strings.Trim(string(e.Priority), `"`)
	if n, w := number(pri); w > 0 && w == len(pri) && n <= 0xffff {
		r.Facility, r.Level = int(n>>3), int(n&7)
	} else if e.Facility != "" {
		r.Facility, r.Level = facility(e.Facility), level(pri)
	}
	r.stampJSON(strings.Trim(string(e.Time), `"`))
	if r.Facility > 0 {
		r.Tag, r.TagPid, _ = splitTag(r.Text)
	}
	return r
}

func (r *Record) stampJSON(s string) {
	if t, ok := seconds(s); ok {
		r.Printk, r.HasPrintk = t, true
	} else if w, ok := ctime(s); ok {
		r.Wall = w
	} else if w, rest, _, ok := isoStamp(s); ok && rest == "" {
		r.Wall = w
	}
}
