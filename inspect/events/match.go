package events

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A found is what a rule found in a line.
type found map[string]string

// match keeps what the first rule that matches a line makes of it.
func (c *reading) match(s string, w where) bool {
	for i := range c.m.rules {
		r := &c.m.rules[i]
		if r.match == nil || !r.possible(s) {
			continue
		}
		m := r.match.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		f := found{}
		for g, name := range r.match.SubexpNames() {
			if name != "" && m[g] != "" {
				f[name] = strings.TrimSpace(m[g])
			}
		}
		c.report.Matched[r.name]++
		c.take(r, f, s, w)
		return true
	}
	return false
}

// take keeps a line by the kind of the rule that matched it.
func (c *reading) take(r *rule, f found, s string, w where) {
	at := c.when(r, f, s, w).Interval(c.o.Context)
	word := first(r.event, r.word(f["event"]))
	text := evidence.Clip(first(f["text"], s), maxText)
	switch r.kind {
	case "clock":
		n := evidence.ClockNotice{Kind: word, By: seconds(f["by"]), Text: text}
		c.place(at, func(i evidence.Interval) { n.At = i.On(c.o.Clock); c.seq++; c.clock.Add(c.seq, n) })
	case "cluster":
		n := evidence.ClusterEvent{Reason: word, Object: clip(f["object"]), Text: text}
		if n.Object != "" && r.object != "" {
			n.Object = r.object + "/" + n.Object
		}
		c.place(at, func(i evidence.Interval) { n.At = i.On(c.o.Clock); c.seq++; c.cluster.Add(c.seq, n) })
	case "server":
		n := evidence.ServerNotice{Class: word, Node: clip(f["node"]), Text: text, Source: c.cite()}
		c.place(at, func(i evidence.Interval) { n.At = i.On(c.o.Clock); c.seq++; c.server.Add(c.seq, n) })
	default:
		c.takeEvent(r, f, at, text, s, w)
	}
}

func (c *reading) takeEvent(r *rule, f found, at evidence.Interval, text, s string, w where) {
	e := evidence.AppEvent{Event: deedOf(first(r.event, r.word(f["event"]))), Key: clip(f["key"]), Owner: clip(f["owner"]), Token: clip(f["token"]),
		OK: r.ok, Request: clip(f["request"]), Took: took(f["took_ms"]), Text: text, Source: c.cite()}
	if e.OK == nil {
		e.OK = truth(f["ok"])
	}
	e.Actor = clip(first(f["actor"], w.actor))
	if e.Actor == "" {
		if _, _, after, ok := stamp.Find(s); ok {
			e.Actor = clip(writer(after))
		}
	}
	clock := clockOf(first(f["clock"], r.clock), c.o.Clock)
	if clock != c.o.Clock {
		e.At = at.On(clock)
		c.event(e)
		return
	}
	c.place(at, func(i evidence.Interval) { e.At = i.On(clock); c.event(e) })
}

// when is the date of a matched line: the group at, the line's own, or its
// carrier's.
func (c *reading) when(r *rule, f found, s string, w where) stamp.Stamp {
	if written := f["at"]; written != "" {
		at, ok := stamp.Layout(r.layouts, written)
		if !ok {
			at, ok = stamp.Parse(written)
		}
		if ok {
			return stamp.Settle(at, w.carrier)
		}
		c.problem("%q is no date", evidence.Clip(written, 60))
	}
	at, _ := c.dateOf(s, w)
	return at
}

// word is the deed a mapping says a word means.
func (r *rule) word(w string) string {
	if to, ok := r.words[strings.ToLower(w)]; ok {
		return to
	}
	return w
}

// renaming is the first rule for fields that fits an object: all the fields it
// renames to a deed or a key are there.
func (m *Mapping) renaming(f fields) *rule {
	for i := range m.rules {
		r := &m.rules[i]
		if r.match != nil || len(r.fields) == 0 {
			continue
		}
		if written := r.fields["event"]; written != "" && f[written] != "" || written == "" && f[r.fields["key"]] != "" {
			return r
		}
	}
	return nil
}

// apply gives an object's fields the names the rule says they stand for.
func (r *rule) apply(f fields) {
	f.rename(r.fields)
	if word := first(r.word(f["event"]), r.event); word != "" {
		f["event"] = word
	}
	if r.clock != "" && f["clock"] == "" {
		f["clock"] = r.clock
	}
	if r.ok != nil && f["ok"] == "" {
		f["ok"] = strconv.FormatBool(*r.ok)
	}
}

// chronyd keeps what chronyd says of a clock that moved or is not kept.
func (c *reading) chronyd(s string, w where) bool {
	// Its three expressions are dear for a log that has nothing to do with clocks.
	if !strings.Contains(s, "System clock") && !strings.Contains(s, "time jump") && !strings.Contains(s, "synchronise") {
		return false
	}
	n, ok := clock.ParseChronydLine(s)
	if !ok {
		return false
	}
	c.report.Matched["chronyd"]++
	at, _ := c.dateOf(s, w)
	notice := evidence.ClockNotice{Kind: n.Kind, By: n.By, Text: evidence.Clip(n.Text, maxText)}
	c.place(at.Interval(c.o.Context), func(i evidence.Interval) { notice.At = i.On(c.o.Clock); c.seq++; c.clock.Add(c.seq, notice) })
	return true
}

// seconds reads a signed number of seconds; zero when it is none, or of more
// than a century.
func seconds(s string) time.Duration {
	x, err := strconv.ParseFloat(strings.TrimPrefix(s, "+"), 64)
	if err != nil || !(x > -3e9 && x < 3e9) {
		return 0
	}
	return time.Duration(x * float64(time.Second))
}
