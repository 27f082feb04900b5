package classify

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// SLOWLOG keeps the commands that a script ran as entries of their own, right before
// the script's: what it wrote shows for whom it got what it asked. An entry of SET NX
// does not: it is kept whether it took the lock or was turned away.

// A holding is the server serving somebody as the lock's holder, or the key's end.
type holding struct {
	recorded
	id    int64         // of the entry; they are numbered in order
	lease time.Duration // that was given; zero: not told
	over  bool          // the key was removed
}

// quickest is how little the fastest way to remove a key takes: a log that keeps
// commands as quick keeps removals too.
const quickest = 4 * time.Microsecond

// twiceByServer finds two holders inside one lease in the server's own log of slow
// commands. That nobody let go in between is known only where that log keeps
// everything; else b is not sure.
func (c *incident) twiceByServer() (a, b recorded, found bool) {
	var have holding
	for _, h := range c.holdings() {
		lease := cmp.Or(have.lease, c.leaseLo)
		inside := have.At.Known() && lease > 0 && h.At.To.Before(have.At.From.Add(lease))
		switch {
		case h.over:
			have = holding{}
		case inside && h.Actor != have.Actor && !(evidence.Sight{Holder: have.party}).SameHolder(evidence.Sight{Holder: h.party}):
			h.sure = c.oneDatabase() && c.logsAll(have.id, h.id)
			return have.recorded, h.recorded, true
		default:
			have = h
		}
	}
	return a, b, false
}

// logsAll says whether no command between two entries can be missing from the log.
func (c *incident) logsAll(from, to int64) bool {
	quick, n := false, int64(0)
	for _, e := range c.s.Node.Slowlog.Value {
		if e.ID >= from && e.ID <= to {
			n++
			quick = quick || e.Took <= quickest
		}
	}
	return quick && n == to-from+1
}

// oneDatabase says whether the server has keys in the lock's database only: the log
// does not tell which database a command was for.
func (c *incident) oneDatabase() bool {
	told := false
	for _, i := range c.s.Node.Infos {
		for db, n := range i.Keys.Or(nil) {
			if told = true; n > 0 && db != itoa(c.s.Subject.DB) {
				return false
			}
		}
	}
	return told
}

// holdings are what the entries of this key show, in order.
func (c *incident) holdings() []holding {
	if c.served == nil {
		c.served = c.readHoldings()
	}
	return c.served
}

func (c *incident) readHoldings() []holding {
	entries := slices.Clone(c.s.Node.Slowlog.Or(nil))
	slices.SortFunc(entries, func(a, b evidence.SlowEntry) int { return int(a.ID - b.ID) })
	out := []holding{}
	for i, e := range entries {
		h := holding{id: e.ID}
		switch {
		case flushes(e):
			h.over = true
		case e.Withheld || len(e.Args) < 2 || e.Args[1] != c.s.Subject.Key:
			continue
		default:
			if hashed := strings.HasPrefix(strings.ToLower(e.Args[0]), "h"); hashed && c.shared() || !h.read(e, entries[i+1:]) {
				continue
			}
		}
		h.At = endedAt(e)
		h.Actor, h.on, h.Event, h.Source = e.Client, h.At, evidence.DeedAcquire, c.read("slowlog")
		out = append(out, h)
	}
	return out
}

// shared says whether several may hold a lock that is a hash at once: readers, or as
// many as some limit. Only Redisson's plain locks are known to have one holder.
func (c *incident) shared() bool {
	d, ok := c.dialect()
	return !ok || len(d.OneOf) != 1 || !strings.HasPrefix(d.OneOf[0].Name, "redisson") || strings.Contains(d.Form, "read") || strings.Contains(d.Form, "multi")
}

// read takes the holder from a command that cannot have failed: one that writes
// whatever was there, or one that a script ran after it had looked.
func (h *holding) read(e evidence.SlowEntry, later []evidence.SlowEntry) bool {
	arg := func(n int) string {
		if n < len(e.Args) {
			return e.Args[n]
		}
		return ""
	}
	switch strings.ToLower(e.Args[0]) {
	case "set":
		h.party = arg(2)
		return h.options(e.Args[min(3, len(e.Args)):])
	case "setex":
		h.party, h.lease = arg(3), lasting(arg(2), time.Second)
	case "psetex":
		h.party, h.lease = arg(3), lasting(arg(2), time.Millisecond)
	case "hset", "hincrby":
		h.party = arg(2)
	case "expire":
		h.party, h.lease = scriptFor(e, later), lasting(arg(2), time.Second)
	case "pexpire":
		h.party, h.lease = scriptFor(e, later), lasting(arg(2), time.Millisecond)
	case "del", "unlink", "getdel", "rename", "renamenx", "move":
		h.over = true
		return true
	}
	return h.party != ""
}

// options reads those of SET; not ok where it may have been turned away.
func (h *holding) options(args []string) bool {
	for i, word := range args {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch strings.ToLower(word) {
		case "nx", "xx", "ifeq", "ifne", "ifdeq", "ifdne":
			return false
		case "px":
			h.lease = lasting(next, time.Millisecond)
		case "ex":
			h.lease = lasting(next, time.Second)
		}
	}
	return h.party != ""
}

func lasting(text string, unit time.Duration) time.Duration {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > int64(24*366*time.Hour/unit) {
		return 0
	}
	return time.Duration(n) * unit
}

// scriptFor is for whom the script ran that ran a command: the one argument that is
// neither its key nor a number. The script is the same client's next entry of its
// kind, and took no less.
func scriptFor(inner evidence.SlowEntry, later []evidence.SlowEntry) string {
	i := slices.IndexFunc(later, func(e evidence.SlowEntry) bool {
		return e.Client != inner.Client || len(e.Args) > 0 && strings.HasPrefix(strings.ToLower(e.Args[0]), "eval")
	})
	if i < 0 || later[i].Client != inner.Client || later[i].Withheld || later[i].Took < inner.Took || len(later[i].Args) < 4 {
		return ""
	}
	who := ""
	for _, a := range later[i].Args[3:] {
		if _, err := strconv.ParseFloat(a, 64); err == nil || a == inner.Args[1] || a == "" {
			continue
		}
		if who != "" {
			return "" // which of them names the holder is not known
		}
		who = a
	}
	return who
}
