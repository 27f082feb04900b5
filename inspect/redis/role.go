package redis

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParseRoles reads the answers to [Roles] into the node.
func ParseRoles(node *evidence.Node, source string, commands []string, raw []byte, status evidence.Status, why string) {
	r := newReplies(source, commands, raw, status, why)
	node.User = r.text("ACL WHOAMI")
	node.Role = r.role()
	node.Latency = r.latency()
}

func (r replies) role() evidence.Reading[evidence.Role] {
	v, refused, status, why := r.find("ROLE", 0)
	if refused || len(v.Array) == 0 {
		return evidence.Refused[evidence.Role](r.name("ROLE"), status, why)
	}
	role := evidence.Role{Name: v.Array[0].Str}
	switch {
	case role.Name == "master" && len(v.Array) >= 3:
		role.Offset = v.Array[1].Int
		for _, rep := range v.Array[2].Array {
			if len(rep.Array) >= 2 {
				role.Replicas = append(role.Replicas, rep.Array[0].Str+":"+rep.Array[1].Str)
			}
		}
	case role.Name == "slave" && len(v.Array) >= 5:
		role.Master, role.Link, role.Offset = v.Array[1].Str, v.Array[3].Str, v.Array[4].Int
	}
	return evidence.Saw(r.name("ROLE"), role)
}

func (r replies) latency() evidence.Reading[[]evidence.LatencyEvent] {
	v, refused, status, why := r.find("LATENCY LATEST", 0)
	if refused {
		return evidence.Refused[[]evidence.LatencyEvent](r.name("LATENCY LATEST"), status, why)
	}
	var events []evidence.LatencyEvent
	for _, e := range v.Array {
		if len(e.Array) >= 4 {
			events = append(events, evidence.LatencyEvent{
				Event: e.Array[0].Str, At: time.Unix(e.Array[1].Int, 0).UTC(),
				Latest: time.Duration(e.Array[2].Int) * time.Millisecond,
				Max:    time.Duration(e.Array[3].Int) * time.Millisecond,
			})
		}
	}
	return evidence.Saw(r.name("LATENCY LATEST"), events)
}
