package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What a cluster or a container runtime noted of the owner when nobody described
// its container: events are all that is left of a pod that was evicted.

// goneByCluster: the holder's pod was evicted, or its container died, by the notes
// of whoever ran it.
func (c *incident) goneByCluster(x *exam) bool {
	for _, e := range slices.Backward(c.s.Host.Cluster) {
		cause, ends := clusterEnds(e.Reason)
		at, rough := c.around(e.At)
		if !ends || !at.Known() || !c.holdersObject(e.Object) {
			continue
		}
		heard := c.lastHeard()
		if c.renewed.Known() && at.Before(c.renewed) && len(c.renewals) == 0 || at.Before(heard) {
			continue
		}
		if at.From.Before(heard.From) {
			at.From = heard.From // a date without a zone may be any time of that day
		}
		if c.missedOne() && at.After(c.lateBy()) {
			x.cite("cluster events", "%s at %s, after the renewal was missed: that is not why", quote(e.Reason), moment(at))
			return false
		}
		x.only(gone)
		x.source("cluster")
		x.cite("cluster events", "%s %s: %s", quote(e.Object), quote(e.Reason), line(e.Text))
		x.says = quote(e.Object) + " ended at " + moment(at) + " (" + quote(e.Reason) + ")"
		c.death, c.cause, c.recorded = at, cause, true
		c.undated = c.missedOne() && !c.beforeMiss()
		x.cap = x.cap || rough || c.undated
		c.notices(x)
		return true
	}
	return false
}

// clusterEnds tells the notes of an end from those of what may lead to one: a kill
// that was sent is not a death yet.
func clusterEnds(reason string) (cause string, ends bool) {
	switch reason {
	case "Evicted":
		return "pod-evicted", true
	case "die", "died":
		return "gone", true
	}
	return "", false
}

// holdersObject says whether an event's object is the pod or the container that
// the lock's value or the responder names.
func (c *incident) holdersObject(object string) bool {
	name := object[strings.LastIndexByte(object, '/')+1:]
	if said := c.s.Subject.Container; said != "" {
		// NAMESPACE/POD names the pod as well as the pod's own name does.
		return name == said || strings.HasSuffix(said, "/"+name) && name != "" || len(said) >= 12 && strings.HasPrefix(name, said)
	}
	return len(name) >= 3 && c.holderNames(evidence.Container{Pod: name, ID: name})
}

// nodeGrace is how long a control plane waits before it calls a silent node lost:
// 40 s by default, 50 s in newer versions.
const nodeGrace = time.Minute

// nodeLost is the note that the node of the holder's pod fell silent by T*, and no
// later one that it came back. A node that reports nothing may be dead, stalled or
// cut off: it decides nothing, and says where to look.
func (c *incident) nodeLost() (evidence.ClusterEvent, bool) {
	var lost evidence.ClusterEvent
	found := false
	for _, e := range c.s.Host.Cluster {
		at, _ := c.around(e.At)
		switch e.Reason {
		case "NodeNotReady", "NodeStatusUnknown":
			if !found && at.Known() && !(c.missedOne() && at.After(c.lateBy().Shift(0, nodeGrace))) && c.holdersNode(e.Object) {
				lost, found = e, true
			}
		case "NodeReady":
			if found && at.Known() && c.missedOne() && at.Before(c.when) {
				found = false
			}
		}
	}
	return lost, found
}

// holdersNode says whether a node is the one that runs the holder's pod, or none
// is known to.
func (c *incident) holdersNode(object string) bool {
	name := object[strings.LastIndexByte(object, '/')+1:]
	for _, s := range c.supervisors() {
		if s.node != "" && strings.HasPrefix(object, "node/") {
			return s.node == name
		}
	}
	return true
}
