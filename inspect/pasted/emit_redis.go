package pasted

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/inspect/redis"
)

// emitRedis records what was asked of Redis, as a live capture would have: looks
// at the lock tuple, INFO, CLIENT LIST, SLOWLOG, and the small server facts.
func (im *importer) emitRedis() {
	var open, beat tuple
	flush := func() { im.emitTuple(open, false); open = tuple{} }
	drum := func() { im.emitTuple(beat, true); beat = tuple{} }
	var lastTime *reply
	for i := range im.entries {
		e := &im.entries[i]
		if e.cli == nil {
			switch {
			case dates(*e):
				flush()
				drum()
			case !idle(*e) && len(open.replies) > 0:
				open.apart = true
			}
			continue
		}
		r := reply{at: i, command: e.cli.Command}
		node, db := e.nodeOf(), im.dbOf(*e)
		if open.node != node || open.db != db || open.apart && im.axis.surely(output(open.replies[0].at), output(i)) > slowLook {
			flush()
			drum()
			lastTime = nil
		}
		if e.reply == nil {
			im.emitUnanswered(i, r)
			continue
		}
		r.value = *e.reply
		switch {
		case r.verb() == "TIME":
			lastTime = &r
			if !open.takes(r) {
				closing := open.reads() > 0 && open.has("TIME") && !open.apart && !im.longAfter(open, i) // without one at its front it would pass for that
				if closing {
					open.replies = append(open.replies, r)
				}
				flush()
				open.borrowed = closing
			}
			open.node, open.db, open.replies = node, db, append(open.replies, r)
			e.done, e.tuple = true, true
		case r.key() != "" && r.key() == im.opts.Subject.Key && db == im.opts.Subject.DB:
			if !open.takes(r) {
				flush()
			}
			open.node, open.db, open.replies = node, db, append(open.replies, r)
			e.done, e.tuple = true, true
		case r.key() != "" && "key:"+r.key() == im.opts.Subject.Heartbeat:
			if !beat.takes(r) {
				drum()
			}
			if len(beat.replies) == 0 && lastTime != nil {
				beat.replies = append(beat.replies, *lastTime)
			}
			beat.node, beat.replies = node, append(beat.replies, r)
			e.done = true
		default:
			im.emitServer(i, r)
		}
	}
	flush()
	drum()
	im.joinInfos()
}

// slowLook is how long one look may take whose commands were typed among others:
// what is read later may be about another holder.
const slowLook = 5 * time.Second

// longAfter says whether an entry certainly came long after the last of a look, as
// the stamps of prompts tell: they bound that look more narrowly than a TIME does
// that was asked for the next.
func (im *importer) longAfter(t tuple, i int) bool {
	return im.axis.surely(output(t.replies[len(t.replies)-1].at), output(i)) > tolerance
}

// dates says whether a command ends a look: a date bounds what stands before it
// more narrowly than what stands behind it.
func dates(e entry) bool { return !e.Remark && len(e.Argv) > 0 && program(e) == "date" }

// idle says whether a command between two reads of one look takes no time. Others
// leave the look open for what it lacks, but no TIME behind them closes it: it
// would tell less of when the look was than the one in front.
func idle(e entry) bool {
	if e.Remark || len(e.Argv) == 0 {
		return true
	}
	switch program(e) {
	case "sleep", "echo", "clear", "true", ":", "exit", "logout", "hostname":
		return true
	}
	return false
}

// dbOf is the database a command went to.
func (im *importer) dbOf(e entry) int {
	if e.Entry.Redis != nil {
		return e.Entry.Redis.DB
	}
	return e.cli.DB
}

// emitTuple records one look. A refused first command still makes a look: its
// status is evidence.
func (im *importer) emitTuple(t tuple, beat bool) {
	if len(t.replies) == 0 || (beat || t.borrowed) && t.reads() == 0 {
		return
	}
	if before, after, torn := t.tear(); torn {
		im.emitTuple(before, beat)
		im.emitTuple(after, beat)
		return
	}
	commands, raw := t.bytes()
	p := evidence.Probe{Name: "redis/sample", Source: "redis/" + t.node, Commands: commands, Status: evidence.OK}
	file := "redis/" + t.node + "/samples.resp"
	if beat {
		p.Name, file = "redis/heartbeat", "redis/"+t.node+"/heartbeat.resp"
	}
	first, last := t.replies[0].at, t.replies[len(t.replies)-1].at
	var lines []int
	for _, r := range t.replies {
		lines = append(lines, im.entries[r.at].Line)
	}
	p.Why = lineNote(lines)
	p.Asked = im.askedWhen(t)
	im.recordSpan(min(first, last), max(first, last), p, file, raw)
	for _, r := range t.replies {
		name, kept := "redis/hash", "hash.resp"
		switch verb := r.verb(); {
		case beat:
			continue
		case verb == "ZRANGE", verb == "LRANGE", verb == "SMEMBERS":
			name, kept = "redis/members", "members.resp"
		case verb != "HGETALL":
			continue
		}
		im.recordSpan(r.at, r.at, evidence.Probe{Name: name, Source: "redis/" + t.node, Commands: []string{r.line()}, Status: evidence.OK},
			"redis/"+t.node+"/"+kept, r.value.Append(nil))
	}
}

// askedWhen is when what is left of the lease was asked, where the stamps of its own
// prompts tell that more narrowly than those around the whole look.
func (im *importer) askedWhen(t tuple) evidence.Stretch {
	all := im.axis.solution.Steps[output(t.replies[len(t.replies)-1].at)]
	for _, r := range t.replies {
		if s := im.axis.solution.Steps[output(r.at)]; r.verb() == "PTTL" && im.axis.trusted && s.Closed() && s.Hi+tolerance < all.Hi {
			return evidence.Stretch{From: s.Lo - im.axis.zero, To: s.Hi - im.axis.zero}
		}
	}
	return evidence.Stretch{}
}

// emitUnanswered records a command without a reply: no server answered, a filter
// let nothing through, or what was printed is none.
func (im *importer) emitUnanswered(i int, r reply) {
	e := im.entries[i]
	p := evidence.Probe{Name: nameOf(r, im.opts.Subject.Key), Source: "redis/" + e.nodeOf(), Commands: []string{r.line()}}
	switch {
	case e.unanswered != nil:
		p.Status, p.Why = e.unanswered.Status, e.unanswered.Why
	case e.silent:
		p.Status, p.Why = evidence.Truncated, "a filter let nothing of the reply through"
		p.Truncated = true
		if r.verb() == "CLIENT LIST" {
			im.record(i, p, "redis/"+e.nodeOf()+"/clients.resp", redis.Bulk("").Append(nil))
			return
		}
	default:
		p.Status, p.Why = evidence.Failed, "what was printed is no reply"
		im.unknown = append(im.unknown, "line "+lineOf(e)+": "+evidence.Clip(evidence.Printable(e.Typed), 100))
	}
	im.record(i, p, "", nil)
	im.keepText(i)
}

// nameOf is the probe that a command belongs to.
func nameOf(r reply, key string) string {
	switch verb := r.verb(); {
	case r.key() == key && key != "", verb == "TIME", verb == "PING":
		return "redis/sample"
	case verb == "INFO":
		return "redis/info"
	case verb == "CLIENT LIST":
		return "redis/clients"
	case verb == "SLOWLOG GET", verb == "COMMANDLOG GET" && slowest(r.command):
		return "redis/slowlog"
	case verb == "ROLE", verb == "LATENCY LATEST", verb == "ACL WHOAMI":
		return "redis/roles"
	case verb == "SCRIPT EXISTS":
		return "redis/scripts"
	case verb == "SENTINEL" && len(r.command) == 3 && strings.EqualFold(r.command[1], "GET-MASTER-ADDR-BY-NAME"):
		return "redis/sentinel"
	case companion(verb):
		return "redis/companions"
	}
	return "redis/other"
}

// slowest says whether COMMANDLOG was asked for slow commands: its other kinds count
// bytes where these have microseconds.
func slowest(command []string) bool {
	return len(command) == 4 && strings.EqualFold(command[3], "slow")
}

// companion says whether a command reads a key that a lock library may keep beside
// the lock. Which of them do the library's own file says.
func companion(verb string) bool {
	switch verb {
	case "GET", "GETRANGE", "TYPE", "PTTL", "EXISTS", "HGET", "HMGET", "HGETALL", "LLEN", "LRANGE", "ZCARD", "ZRANGE", "ZSCORE", "SCARD", "SMEMBERS",
		"XREVRANGE", "PUBSUB NUMSUB", "PUBSUB SHARDNUMSUB":
		return true
	}
	return false
}

func lineOf(e entry) string { return strconv.Itoa(e.Line) }

// keepText keeps the text of an entry whose probe has no bytes of its own.
func (im *importer) keepText(i int) {
	if e := im.entries[i]; len(e.Output) > 0 {
		im.recordSpan(i, i, evidence.Probe{Name: "text/kept", Status: evidence.OK}, "kept", e.Output)
	}
}

// emitServer records what was asked of the server itself.
func (im *importer) emitServer(i int, r reply) {
	e := &im.entries[i]
	node := "redis/" + e.nodeOf()
	p := evidence.Probe{Source: node, Commands: []string{r.line()}, Status: evidence.OK}
	p.Truncated = e.Partial()
	raw := r.value.Append(nil)
	p.Name = nameOf(r, im.opts.Subject.Key)
	switch p.Name {
	case "redis/slowlog":
		raw = redis.MaskSlowlog(raw, im.opts.Subject.Key, dialect.OfLock)
	case "redis/other", "redis/sample":
		if r.verb() == "COMMANDLOG GET" {
			raw = redis.MaskSlowlog(raw, im.opts.Subject.Key, dialect.OfLock)
		}
		p.Name, p.Why = "redis/other", "kept; no rule reads it"
		if !redis.Known(r.command) {
			im.listUnknown(*e)
		}
	}
	im.record(i, p, node+"/"+strings.TrimPrefix(p.Name, "redis/")+".resp", raw)
}

// joinInfos puts INFO sections that were asked one after the other together: a
// rule that compares the first INFO with the last wants whole ones.
func (im *importer) joinInfos() {
	var out []evidence.Probe
	last := map[string]int{}
	for _, p := range im.probes {
		if p.Name != "redis/info" || p.File == "" {
			out = append(out, p)
			continue
		}
		key := p.Source + " " + p.Vantage
		if j, ok := last[key]; ok && im.disjoint(out[j], p) {
			text := im.infoText(out[j]) + im.infoText(p)
			b := redis.Bulk(text).Append(nil)
			out[j].Offset, out[j].Bytes = int64(len(im.raw[p.File])), int64(len(b))
			im.raw[p.File] = append(im.raw[p.File], b...)
			out[j].End = p.End
			out[j].Commands = append(out[j].Commands, p.Commands...)
			continue
		}
		last[key] = len(out)
		out = append(out, p)
	}
	im.probes = out
}

func (im *importer) infoText(p evidence.Probe) string {
	v, _ := redis.ParseReplies(im.raw[p.File][p.Offset : p.Offset+p.Bytes])
	if len(v) != 1 || v[0].Kind != '$' {
		return ""
	}
	return strings.TrimRight(v[0].Str, "\r\n") + "\r\n"
}

// disjoint says whether two INFO replies share no field.
func (im *importer) disjoint(a, b evidence.Probe) bool {
	fields := func(text string) []string {
		var out []string
		for line := range strings.Lines(text) {
			if name, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
				out = append(out, name)
			}
		}
		return out
	}
	ours, theirs := im.infoText(a), im.infoText(b)
	if ours == "" || theirs == "" {
		return false
	}
	mine := fields(ours)
	return !slices.ContainsFunc(fields(theirs), func(f string) bool { return slices.Contains(mine, f) })
}
