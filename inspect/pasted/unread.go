package pasted

import (
	"bytes"
	"fmt"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// An Unread is a text in which no prompt was recognised.
type Unread struct {
	Like string // the first line that looks like a command, as "line 12: …"; empty: none does
}

// unread says that nothing of the texts was recognised: whoever pasted them has a
// prompt that the grammar does not know, or they are no terminal's.
func (im *importer) unread() *Unread {
	u := Unread{}
	loose := false
	for _, e := range im.entries {
		switch {
		case e.Remark:
			continue
		case !e.Loose:
			return nil
		}
		loose = true
		line := e.Line
		for text := range bytes.Lines(e.Output) {
			if u.Like == "" && transcript.LooksTyped(string(text)) {
				u.Like = fmt.Sprintf("line %d: %s", line, evidence.Clip(evidence.Printable(string(bytes.TrimSpace(text))), 120))
			}
			line++
		}
	}
	if !loose {
		return nil
	}
	return &u
}
