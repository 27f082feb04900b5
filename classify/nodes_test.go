package classify

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// Two replication histories.
const (
	historyOne = "567d8c75f48ccb4e0c67cd2165cbf4be6299907c"
	historyTwo = "222722eaefcc6b8b8c0795df5b50fca8a65fbfe3"
)

// beside is a scene with a second server that was asked about the key.
func beside(role, replID, replID2, who string) func() *scene {
	return func() *scene {
		s := newScene().look(0, heldBy(holder, 24.870))
		s.Node.Infos = []evidence.Info{{Span: span(0), Role: saw("master"), ReplID: saw(historyOne), RunID: saw("r")}}
		look := evidence.Look{Span: span(1), Before: saw(at(1))}
		heldBy(who, 20)(&look, 1)
		s.Nodes = []evidence.Node{{Address: "10.0.0.9:6379", Looks: []evidence.Look{look},
			Infos: []evidence.Info{{Span: span(1), Role: saw(role), ReplID: saw(replID), ReplID2: saw(replID2)}}}}
		return s
	}
}

var nodeStories = stories{
	"promoted beside its old master": {
		"neither owner is to blame", beside("master", historyTwo, historyOne, rival),
		want{label: evidence.CoordinatorFault, cause: "failover-split", grade: evidence.Likely, coordinator: "broke", state: evidence.Contested,
			with: []string{"failover-split", "contested"}},
	},
	"a replica that names another holder": {
		"it may lag", beside("slave", historyOne, "", rival),
		want{label: evidence.Inconclusive, with: []string{"replica-diverges"}, without: []string{"failover-split", "contested"}},
	},
	"a Redlock's other node": {
		"unrelated histories are no split", beside("master", historyTwo, "", rival),
		want{label: evidence.Inconclusive, without: []string{"failover-split", "replica-diverges"}},
	},
	"a replica that agrees": {
		"", beside("slave", historyOne, "", holder),
		want{label: evidence.Inconclusive, without: []string{"failover-split", "replica-diverges"}},
	},
}

func TestNodes(t *testing.T) { nodeStories.tell(t) }
