package pasted

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/service"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
	"github.com/lockscene/lockscene/inspect/transcript"
)

// What was read inside of a container or a pod. Its host name and its pids are its
// own. A pod runs on a machine that its exec does not name, so it stands for a host
// of its own; a container runs on the host where its exec was typed, and shares
// kernel and clocks with it.

// An eye is where processes were looked at from: a host, or a container on it.
type eye struct{ host, in string }

// A room is one container or pod that somebody went into.
type room struct {
	transcript.Inside
	called string // its host name; empty: not known
}

// maxRooms bounds the containers that are told apart.
const maxRooms = 1024

// goInside turns a pod into a host. Redis answers for itself, wherever it was asked
// from.
func (e *entry) goInside() {
	if !e.In.Pod() {
		return
	}
	e.terminal = e.Host
	if e.cli == nil && e.Entry.Redis == nil {
		e.Host = podHost(e.In)
	}
}

// podHost is the host that a pod stands for. Containers of one pod have pids of
// their own.
func podHost(in transcript.Inside) string {
	if in.Part != "" {
		return in.Name + "/" + in.Part
	}
	return in.Name
}

// contained says whether a command ran in a container of the host where it was
// typed.
func (e *entry) contained() bool { return e.In.Name != "" && !e.In.Pod() }

// typedAt is whose clock stamps the prompt of an entry.
func (e *entry) typedAt() string {
	if e.terminal != "" && e.In.Host == "" {
		return e.terminal
	}
	return e.Host
}

// eye is where an entry looked from.
func (e *entry) eye() eye {
	if e.contained() {
		return eye{e.Host, e.In.Name}
	}
	return eye{host: e.Host}
}

// ofOwner says whether the pids that an entry shows are the owner's namespace's.
func (im *importer) ofOwner(e entry) bool { return e.eye() == eye{im.owner, im.inside} }

// tellRooms gathers the containers and pods that were gone into, and what their
// hosts are called.
func (im *importer) tellRooms() {
	im.pods, im.rooms = map[string]*room{}, map[eye]*room{}
	whole := im.wholePods()
	for i := range im.entries {
		e := &im.entries[i]
		if e.In.Name == "" {
			continue
		}
		if e.In.Pod() && e.Host == podHost(e.In) && whole[e.In.Name] {
			e.Host = e.In.Name
		}
		r := im.roomOf(*e)
		if r == nil {
			continue
		}
		if r.Host == "" {
			r.Host = e.In.Host
		}
		if name := hostNameIn(*e); r.called == "" && name != "" {
			r.called = name
		}
	}
	named, ids := im.valueHost(), im.containerIDs()
	for _, r := range im.rooms {
		r.call(named, ids)
	}
	for _, r := range im.pods {
		r.call(named, ids)
	}
}

// wholePods are the pods of which only one container was ever named: it is not told
// from the pod.
func (im *importer) wholePods() map[string]bool {
	parts, out := map[string]string{}, map[string]bool{}
	for _, e := range im.entries {
		if !e.In.Pod() || e.Host != podHost(e.In) {
			continue
		}
		part, seen := parts[e.In.Name]
		out[e.In.Name] = !seen || out[e.In.Name] && part == e.In.Part
		parts[e.In.Name] = e.In.Part
	}
	return out
}

// roomOf is the room an entry looked from; nil where there is none, or where Redis
// was asked from a pod.
func (im *importer) roomOf(e entry) *room {
	switch {
	case e.In.Pod() && e.Host == e.terminal && e.Host != podHost(e.In):
		return nil
	case e.In.Pod():
		return intoRoom(im.pods, e.Host, e.In)
	case e.contained():
		return intoRoom(im.rooms, e.eye(), e.In)
	}
	return nil
}

func intoRoom[K comparable](rooms map[K]*room, at K, in transcript.Inside) *room {
	if rooms[at] == nil && len(rooms) < maxRooms {
		rooms[at] = &room{Inside: in}
	}
	return rooms[at]
}

// hostNameIn is the host name that a command run inside printed.
func hostNameIn(e entry) string {
	if e.cli != nil || len(e.Argv) == 0 || len(e.Output) > 4096 {
		return ""
	}
	if name, err := shell.Hostname(e.Argv, e.Output); err == nil {
		return name
	}
	files, _ := shell.Files(e.Argv, e.Filters, e.Output)
	for _, f := range files {
		if name, ok := shell.HostnameFile(f.Bytes); ok && f.Status == evidence.OK && placeOf(f.Path).name == "host/hostname" {
			return name
		}
	}
	return ""
}

// call settles what a room's host is called when no command of it said so: as its
// prompts do, a pod's by the pod's name, a container's by its id. named is the host
// that the lock's value names.
func (r *room) call(named string, ids map[string]string) {
	switch workload := strings.LastIndexByte(r.Name, '/'); {
	case r.called != "":
	case r.Host != "":
		r.called = r.Host
	case r.Pod() && workload < 0:
		r.called = r.Name
	case r.Pod() && strings.HasPrefix(named, r.Name[workload+1:]+"-"): // one of its pods, and nobody can tell which
	case isID(r.Name):
		r.called = r.Name[:12]
	case ids[r.Name] != "":
		r.called = ids[r.Name][:12]
	case r.Pod() || len(named) != 12 || !isID(named): // an id that the value names may be any container's
		r.called = r.Name[workload+1:]
	}
}

// isID says whether a word can be a container's id, whole or cut to twelve digits.
func isID(s string) bool { return len(s) >= 12 && strings.Trim(s, "0123456789abcdef") == "" }

// containerIDs are the ids of containers by their names, as a runtime shows them.
func (im *importer) containerIDs() map[string]string {
	out := map[string]string{}
	for _, e := range im.entries {
		if e.cli != nil || len(e.Argv) < 2 || !isRuntime(program(e)) || len(e.Output) > 1<<20 || len(out) >= maxRooms {
			continue
		}
		list, _ := service.ParseDocker(e.Output, stamp.Frame{}) // what is none names nobody
		for _, k := range list {
			if isID(k.ID) {
				out[k.Name] = k.ID
			}
		}
	}
	return out
}

// called is the name of the host that an eye sees; empty: not known.
func (im *importer) called(at eye) string {
	if r := im.rooms[at]; r != nil {
		return r.called
	}
	if r := im.pods[at.host]; r != nil && at.in == "" {
		return r.called
	}
	return at.host
}

// eyeOf is what a host's vantage looks with: of the owner's, what sees the owner.
func (im *importer) eyeOf(host string) eye {
	if host == im.owner {
		return eye{host, im.inside}
	}
	return eye{host: host}
}

// isCalled says whether a host, or the owner's container on it, goes by a name.
func (im *importer) isCalled(host, name string) bool {
	return sameHost(host, name) || sameHost(im.called(im.eyeOf(host)), name)
}

// ownersName is the name of the owner's host, or of its container's.
func (im *importer) ownersName() string { return im.called(eye{im.owner, im.inside}) }

// askFromOwner moves the questions to Redis that were asked from within the owner's
// pod to it: they tell of its own way to the server.
func (im *importer) askFromOwner() {
	r := im.pods[im.owner]
	if r == nil {
		return
	}
	for i := range im.entries {
		if e := &im.entries[i]; e.In.Pod() && e.In.Name == r.Name && (e.cli != nil || e.Entry.Redis != nil) {
			e.Host = im.owner
		}
	}
}

// insideOf is what a vantage's record says of its container or pod.
func (im *importer) insideOf(host string) evidence.Inside {
	if r := im.pods[host]; r != nil {
		return evidence.Inside{Pod: r.Name, Namespace: r.Namespace, Container: r.Part}
	}
	if host == im.owner && im.inside != "" {
		return evidence.Inside{Container: im.inside}
	}
	return evidence.Inside{}
}
