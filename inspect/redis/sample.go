package redis

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParseSample turns one sample's replies into a Look. commands are what was
// sent, in order; replies that did not come are unread.
func ParseSample(source string, commands []string, raw []byte, span evidence.Span, status evidence.Status, why string) evidence.Look {
	r := newReplies(source, commands, raw, status, why)
	look := evidence.Look{
		Span:   span,
		Before: r.time("TIME", 0),
		After:  r.time("TIME", 1),
		Type:   r.typeName(),
		PTTL:   r.expiry("PTTL"),
		End:    r.expiry("PEXPIRETIME"),
		Idle:   r.integer("OBJECT IDLETIME"),
		Memory: r.integer("MEMORY USAGE"),
		Length: r.integer("STRLEN"),
		Value:  r.text("GETRANGE"),
	}
	r.typed(&look)
	if look.Type.State == evidence.Absent || look.PTTL.State == evidence.Absent || look.End.State == evidence.Absent {
		// GETRANGE answers an absent key with an empty string.
		look.Value = evidence.None[string](look.Value.Source, "no such key")
	}
	return look
}

// typed adds what only people ask: a capture never sends these, and what was not
// asked leaves no trace. TTL and EXPIRETIME are rounded to whole seconds, so
// they stand apart from what is exact.
func (r replies) typed(look *evidence.Look) {
	if r.asked("TTL") {
		look.TTL = r.expiry("TTL")
	}
	if r.asked("EXPIRETIME") {
		look.EndSec = r.expiry("EXPIRETIME")
	}
	if r.asked("GET") && !r.asked("GETRANGE") {
		look.Value = r.text("GET")
	}
	if r.asked("TYPE") {
		return
	}
	exists := r.integer("EXISTS")
	gone := exists.State == evidence.Seen && exists.Value == 0
	for _, state := range []evidence.State{look.TTL.State, look.EndSec.State, look.Value.State} {
		gone = gone || state == evidence.Absent
	}
	if gone {
		look.Type = evidence.None[string](look.Type.Source, "no such key")
	}
}

// asked says whether a command was among those sent.
func (r replies) asked(command string) bool {
	_, _, status, why := r.find(command, 0)
	return status != evidence.Skipped || why != notAsked
}

// AddValue puts a plain GET's answer into a look whose GETRANGE was refused.
func AddValue(look *evidence.Look, source string, raw []byte) {
	v := newReplies(source, []string{"GET"}, raw, evidence.OK, "").text("GET")
	if v.State == evidence.Seen && look.Value.State != evidence.Seen {
		look.Value = v
	}
}

// AddFields puts a hash's fields into a look.
func AddFields(look *evidence.Look, source string, raw []byte) {
	v, err, status, why := newReplies(source, []string{"HGETALL"}, raw, evidence.OK, "").find("HGETALL", 0)
	name := source + "/hgetall"
	if err || len(v.Array) > 2*MaxFields {
		look.Fields = evidence.Refused[[]evidence.Field](name, status, why)
		return
	}
	var fields []evidence.Field
	for i := 0; i+1 < len(v.Array); i += 2 {
		fields = append(fields, evidence.Field{Name: v.Array[i].Str, Value: v.Array[i+1].Str})
	}
	look.Fields = evidence.Saw(name, fields)
}

// AddMembers puts the elements of a sorted set, a set or a list into a look.
func AddMembers(look *evidence.Look, source string, commands []string, raw []byte) {
	values, _ := ParseReplies(raw)
	for i, v := range values[:min(len(values), len(commands))] {
		verb, _, _ := strings.Cut(commands[i], " ")
		step := 1
		switch verb {
		case "ZRANGE":
			step = 2
		case "LRANGE", "SMEMBERS":
		default:
			continue // how many there are
		}
		name := source + "/" + strings.ToLower(verb)
		if v.Kind != '*' || len(v.Array) > 2*MaxMembers {
			look.Members = evidence.Refused[[]evidence.Member](name, evidence.Failed, "not a list of members")
			continue
		}
		members := []evidence.Member{}
		for j := 0; j+step <= len(v.Array); j += step {
			m := evidence.Member{Name: v.Array[j].Str}
			if step == 2 {
				m.Score, _ = strconv.ParseFloat(v.Array[j+1].Str, 64)
			}
			if m.Score != m.Score || m.Score > math.MaxFloat64 || m.Score < -math.MaxFloat64 {
				m.Score = 0 // JSON has no such number
			}
			members = append(members, m)
		}
		look.Members = evidence.Saw(name, members)
	}
}

// replies finds the answer to each command of a pipeline.
type replies struct {
	source   string
	commands []string
	values   []Value
	status   evidence.Status
	why      string
}

func newReplies(source string, commands []string, raw []byte, status evidence.Status, why string) replies {
	values, _ := ParseReplies(raw) // what is missing is reported per command
	if status == evidence.OK {
		status, why = evidence.Truncated, "the reply ended early"
	}
	return replies{source, commands, values, status, why}
}

// notAsked is why a reading is missing whose command was not sent.
const notAsked = "not asked"

// find returns the nth answer to a command, or why there is none.
func (r replies) find(command string, nth int) (v Value, refused bool, status evidence.Status, why string) {
	for i, c := range r.commands {
		if c != command && !strings.HasPrefix(c, command+" ") {
			continue
		}
		if nth > 0 {
			nth--
			continue
		}
		if i >= len(r.values) {
			return Value{}, true, r.status, r.why
		}
		if v := r.values[i]; v.IsError() {
			status, why = StatusOfError(v.Str)
			return v, true, status, why
		}
		return r.values[i], false, evidence.OK, ""
	}
	return Value{}, true, evidence.Skipped, notAsked
}

func (r replies) name(command string) string {
	word := command[strings.LastIndexByte(command, ' ')+1:]
	if command == "MEMORY USAGE" {
		word = "memory_usage"
	}
	return r.source + "/" + strings.ToLower(word)
}

func (r replies) time(command string, nth int) evidence.Reading[time.Time] {
	v, refused, status, why := r.find(command, nth)
	if refused || len(v.Array) != 2 {
		return evidence.Refused[time.Time](r.name(command), status, why)
	}
	s, err1 := strconv.ParseInt(v.Array[0].Str, 10, 64)
	us, err2 := strconv.ParseInt(v.Array[1].Str, 10, 64)
	if err1 != nil || err2 != nil || us < 0 || us > 999_999 || s < 0 || s > 1<<36 {
		return evidence.Refused[time.Time](r.name(command), evidence.Failed, "TIME did not answer with a time")
	}
	return evidence.Saw(r.name(command), time.Unix(s, us*1000).UTC())
}

func (r replies) integer(command string) evidence.Reading[int64] {
	v, refused, status, why := r.find(command, 0)
	switch {
	case refused:
		return evidence.Refused[int64](r.name(command), status, why)
	case v.Null:
		return evidence.None[int64](r.name(command), "no such key")
	case v.Kind != ':':
		return evidence.Refused[int64](r.name(command), evidence.Failed, "not a number")
	}
	return evidence.Saw(r.name(command), v.Int)
}

// expiry reads PTTL and PEXPIRETIME: -2 is absent, -1 is no expiry.
func (r replies) expiry(command string) evidence.Reading[int64] {
	n := r.integer(command)
	if n.State == evidence.Seen && n.Value == -2 {
		return evidence.None[int64](n.Source, "no such key")
	}
	return n
}

func (r replies) text(command string) evidence.Reading[string] {
	v, refused, status, why := r.find(command, 0)
	switch {
	case refused:
		return evidence.Refused[string](r.name(command), status, why)
	case v.Null:
		return evidence.None[string](r.name(command), "no such key")
	}
	return evidence.Saw(r.name(command), v.Str)
}

func (r replies) typeName() evidence.Reading[string] {
	t := r.text("TYPE")
	if t.State == evidence.Seen && t.Value == "none" {
		return evidence.None[string](t.Source, "no such key")
	}
	return t
}
