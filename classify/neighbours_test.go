package classify

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// neighbours are four other connections of the owner's host, idle for so long.
func neighbours(idle int64) []evidence.Client {
	out := []evidence.Client{client(7, ownAddr, "evalsha", 17)}
	for i, port := range []string{"1001", "1002", "1003", "1004"} {
		out = append(out, client(int64(20+i), hostPart(ownAddr)+":"+port, "get", idle))
	}
	return append(out, client(40, "10.9.9.9:5000", "get", 0))
}

var neighbourStories = stories{
	"a whole machine falls silent": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			s.process(pidOne, "value").look(0, "S", 0, unanswered(0)).look(19, "S", 0.1, unanswered(18))
			return s.clients(1, neighbours(0)...).clients(19, neighbours(18)...)
		},
		want{with: []string{"silent-neighbours"}},
	},
	"one process among busy ones": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0, 19)
			return s.clients(1, neighbours(0)...).clients(19, neighbours(1)...)
		},
		want{with: []string{"silent-neighbours"}},
	},
	"a healthy lock": {
		"nothing fell silent",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			return s.clients(1, neighbours(0)...).clients(9, neighbours(0)...)
		},
		want{label: evidence.NoFailure, without: []string{"silent-neighbours"}},
	},
}

func TestNeighbours(t *testing.T) {
	neighbourStories.tell(t)
	for name, want := range map[string]string{
		"a whole machine falls silent": "4 of 4 other connections",
		"one process among busy ones":  "0 of 4 other connections",
	} {
		for _, f := range neighbourStories[name].scene().judge().Findings {
			if f.ID == "silent-neighbours" && !strings.HasPrefix(f.Text, want) {
				t.Errorf("%s: %s, want %s", name, f.Text, want)
			}
		}
	}
}
