package classify

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// wordsToEnd is how long a program may take from its last words to its end.
const wordsToEnd = time.Minute

// notices adds what the program, or whoever started it, wrote at its end. A line
// without a date, or of another time, is not counted.
func (c *incident) notices(x *exam) {
	for _, d := range c.s.Host.Deaths {
		at, rough := c.around(d.At)
		const slack = 2 * time.Second
		if !at.Closed() || at.After(c.death.Shift(0, slack)) || at.Before(c.death.Shift(-slack, 0)) {
			continue
		}
		if own := c.ownWords(d, at); !c.death.Closed() && !own {
			continue
		} else if own {
			c.datedByWords(x, at, rough)
		}
		x.source("last words")
		x.cite("log", "%s", line(d.Text))
		if c.cause == "gone" && (d.What == "panic" || d.What == "out-of-memory") {
			c.cause = d.What
		}
		return
	}
}

// ownWords says whether a line of a system's log is the owner's own: it is tagged
// with its number, as name[pid]. A first process's number is every container's. A
// program may survive that its heap was exhausted, and a line whose date is known to
// the hour only dates nothing.
func (c *incident) ownWords(d evidence.DeathNotice, at evidence.Interval) bool {
	const vague = time.Minute
	return c.owner != nil && c.owner.proc.Pid > 1 && d.What != "heap-exhausted" && at.Bound() <= vague &&
		contains(d.Text, "["+itoa(c.owner.proc.Pid)+"]: ")
}

// datedByWords: it lived to write its last words and, as a rule, not for long after:
// the run-time writes them, and what is left to do is to write a core.
func (c *incident) datedByWords(x *exam, at evidence.Interval, rough bool) {
	x.cap = x.cap || rough || !c.death.Closed() || c.death.To.After(at.To.Add(wordsToEnd))
	c.death = narrowed(c.death, at.Shift(0, wordsToEnd))
}
