package classify

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// What the library that wrote the lock tells the questions.

// dialect is that of the lock, when its shape tells more than that somebody
// wrote SET NX.
func (c *incident) dialect() (evidence.Dialect, bool) {
	d, ok := c.s.Dialect.Get()
	return d, ok && len(d.OneOf) > 0 && d.OneOf[0].Fit >= evidence.FitsWell
}

// libraries names those that may have written a lock.
func libraries(d evidence.Dialect) string {
	names := make([]string, len(d.OneOf))
	for i, l := range d.OneOf {
		names[i] = l.Name
	}
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}
