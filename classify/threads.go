package classify

import (
	"fmt"

	"github.com/lockscene/lockscene/evidence"
)

// threadName is how a thread is spoken of. One of a list without numbers is known
// by no name.
func threadName(t evidence.Task, of int) string {
	if t.Tid < 0 {
		return fmt.Sprintf("one of %d threads", of)
	}
	return fmt.Sprintf("thread %d %s", t.Tid, quote(t.Comm))
}
