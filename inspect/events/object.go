package events

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// object judges one JSON object: it is an event, or it carries a text that may
// be one.
func (c *reading) object(object map[string]any, w where) bool {
	f := flatten(object)
	if len(f) == 0 {
		return false
	}
	w.actor = first(f.actor(), w.actor)
	if c.fielded(f, w, "json") {
		return true
	}
	msg := f.message()
	if msg == "" {
		c.report.Other++
		return true
	}
	if at, ok := stampOf(f); ok {
		w.carrier = at
	}
	c.text(msg, w)
	return true
}

// eventful says whether an object's fields say that it is an event.
func (c *reading) eventful(f fields) bool { return f.deed() != "" || c.m.renaming(f) != nil }

// fielded keeps an event whose fields say what it is.
func (c *reading) fielded(f fields, w where, by string) bool {
	if r := c.m.renaming(f); r != nil {
		r.apply(f)
		by = r.name
	}
	deed := f.deed()
	if deed == "" {
		return false
	}
	c.report.Matched[by]++
	at, ok := stampOf(f)
	switch written := f.get(namesAt...); {
	case ok:
		at = stamp.Settle(at, w.carrier)
	case written != "":
		c.problem("%q is no date", evidence.Clip(written, 60))
		fallthrough
	default:
		at = w.carrier
	}
	e := evidence.AppEvent{
		Actor: clip(w.actor), Event: deed, Key: clip(f.get(namesKey...)), Owner: clip(f.get(namesOwner...)), Token: clip(f.get(namesToken...)),
		OK: truth(f.get(namesOK...)), Request: clip(f.get(namesRequest...)), Took: took(f.get(namesTook...)),
		Text: evidence.Clip(f.get(namesText...), maxText), Source: c.cite(),
	}
	clock := clockOf(f["clock"], c.o.Clock)
	if clock != c.o.Clock {
		// Another clock's dates do not stand between this one's.
		e.At = at.Interval(c.o.Context).On(clock)
		if !e.At.Known() {
			c.report.Undated++
		}
		c.event(e)
		return true
	}
	c.place(at.Interval(c.o.Context), func(i evidence.Interval) {
		e.At = i.On(clock)
		c.event(e)
	})
	return true
}

// stampOf is the date of an object: the first of its names that is one.
func stampOf(f fields) (stamp.Stamp, bool) {
	for _, name := range namesAt {
		v := f[name]
		if v == "" || len(v) > 64 {
			continue
		}
		at, ok := stamp.Parse(plain(v))
		if !ok {
			continue
		}
		// Insights prints UTC without saying so.
		if f["@message"] != "" && name == "@timestamp" {
			at.Zoned = true
		}
		return at, true
	}
	return stamp.Stamp{}, false
}

// plain writes out a number with an exponent, which some encoders print for
// seconds since 1970.
func plain(v string) string {
	if !strings.ContainsAny(v, "eE") || strings.ContainsAny(v, "-: ") {
		return v
	}
	if x, err := json.Number(v).Float64(); err == nil && x > 0 && x < 1e19 {
		return fmt.Sprintf("%.3f", x)
	}
	return v
}

func clip(s string) string { return evidence.Clip(strings.TrimSpace(s), maxField) }

// cite is where the line being read stands.
func (c *reading) cite() string { return fmt.Sprintf("%s:%d", c.source, c.line) }
