package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// down is a server that no longer listens at its address.
func down(l *evidence.Look, _ float64) {
	l.Before = evidence.Refused[time.Time]("test", evidence.Failed, "connect: connection refused")
	l.After, l.Type, l.PTTL, l.End = l.Before, evidence.Reading[string]{}, evidence.Reading[int64]{}, evidence.Reading[int64]{}
	l.Value = evidence.Reading[string]{}
}

// server adds another server of the set, asked twice; a nil sample did not answer.
func (s *scene) server(addr string, first, last sample) *scene {
	n := evidence.Node{Address: addr}
	for i, see := range []sample{first, last} {
		look := evidence.Look{Span: span(float64(9 * i))}
		if see != nil {
			one := newScene().look(float64(9*i), see)
			look = one.Looks[0]
			id := addr
			n.Infos = append(n.Infos, evidence.Info{Span: look.Span, RunID: saw(id), ReplID: saw(id), Role: saw("master")})
		}
		n.Looks = append(n.Looks, look)
	}
	s.Nodes = append(s.Nodes, n)
	return s
}

func held5() sample { return heldBy(holder, 30) }

var quorumStories = stories{

	"held by all five": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			for _, a := range []string{"b:1", "c:1", "d:1", "e:1"} {
				s.server(a, held5(), heldBy(holder, 35))
			}
			return s
		},
		want{label: evidence.NoFailure, without: []string{"quorum-weak", "quorum-lost"}},
	},
	"two of five are lost": {
		"three are a majority",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			return s.server("b:1", held5(), heldBy(holder, 35)).server("c:1", held5(), heldBy(holder, 35)).server("d:1", nil, nil).server("e:1", nil, nil)
		},
		want{label: evidence.NoFailure, with: []string{"quorum-weak"}, without: []string{"quorum-lost"}},
	},
	"the first that was named is one of the lost": {
		"the majority speaks for the lock",
		func() *scene {
			s := newScene().blind(0).blind(9)
			working(s, 0, 9)
			for _, a := range []string{"b:1", "c:1", "d:1"} {
				s.server(a, held5(), heldBy(holder, 35))
			}
			return s.server("e:1", nil, nil)
		},
		want{state: evidence.Held, with: []string{"quorum-weak"}, without: []string{"quorum-lost"}},
	},
	"three of five are lost": {
		"whoever holds the rest holds nothing",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 30)).info(0).info(9)
			working(s, 0, 9)
			return s.server("b:1", held5(), held5()).server("c:1", held5(), down).server("d:1", held5(), down).server("e:1", held5(), noKey)
		},
		want{label: evidence.CoordinatorFault, cause: "quorum-lost", coordinator: "broke", with: []string{"quorum-lost"}},
	},
	"a silent majority": {
		"what those that did not answer hold is not known",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 30)).info(0).info(9)
			working(s, 0, 9)
			return s.server("b:1", nil, nil).server("c:1", nil, nil).server("d:1", nil, nil).server("e:1", nil, nil)
		},
		want{without: []string{"quorum-lost"}},
	},
	"two servers are no set": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			return s.server("b:1", noKey, noKey)
		},
		want{label: evidence.NoFailure, without: []string{"quorum-weak", "quorum-lost"}},
	},
}

func TestQuorum(t *testing.T) { quorumStories.tell(t) }
