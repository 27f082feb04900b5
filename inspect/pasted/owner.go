package pasted

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// chooseOwner settles whose host the owner's is, among those whose shells were
// pasted or that were gone into: the one the responder named, else the one the
// lock's value names, else the one where somebody looked at a process, else the
// only one.
func (im *importer) chooseOwner() {
	eyes := im.eyes()
	for _, said := range []string{im.opts.Host, im.valueHost()} {
		named := slices.DeleteFunc(slices.Clone(eyes), func(at eye) bool { return said == "" || !sameHost(im.called(at), said) })
		if len(named) > 0 {
			im.takeOwner(im.likeliest(named))
			return
		}
	}
	if at, ok := im.lookedInside(); ok {
		im.takeOwner(at)
		return
	}
	for _, h := range im.hosts() {
		if said := im.processHost(); said != "" && sameHost(h, said) {
			im.owner = h
			return
		}
	}
	if hosts := im.hosts(); len(hosts) > 0 {
		im.owner = hosts[0]
	}
}

// takeOwner takes a host for the owner's; a container on it where the lock's value
// names that, or where the owner's process was only looked at in there.
func (im *importer) takeOwner(at eye) {
	im.owner, im.inside = at.host, at.in
	if at.in != "" {
		return
	}
	named := slices.DeleteFunc(im.eyes(), func(o eye) bool {
		return o.host != at.host || o.in == "" || im.valueHost() == "" || !sameHost(im.called(o), im.valueHost())
	})
	inner, ok := im.lookedAt(im.mayBeOwner(), named)
	if !ok {
		inner, ok = im.lookedInside()
	}
	if ok && inner.host == at.host {
		im.inside = inner.in
	}
}

// eyes are the hosts of the text, and the containers on them, in the order they
// first appear.
func (im *importer) eyes() []eye {
	var out []eye
	seen := map[eye]bool{}
	for _, e := range im.entries {
		at := e.eye()
		if e.cli != nil || e.Entry.Redis != nil {
			at.in = ""
		}
		if !e.Remark && !e.Loose && !seen[at] {
			seen[at], out = true, append(out, at)
		}
	}
	return out
}

// likeliest is the one of several containers of one name, as those of a pod are,
// that the responder named, or in which the owner's process was looked at.
func (im *importer) likeliest(eyes []eye) eye {
	for _, at := range eyes {
		if r := im.pods[at.host]; r != nil && r.Part != "" && im.namesContainer(r.Part) {
			return at
		}
	}
	if at, ok := im.lookedAt(im.mayBeOwner(), eyes); ok {
		return at
	}
	return eyes[0]
}

// mayBeOwner is the number of the process that the flag names, else the value.
func (im *importer) mayBeOwner() int {
	if im.opts.Subject.Pid > 0 {
		return im.opts.Subject.Pid
	}
	return evidence.NamedIn(im.firstValue()).Pid
}

// lookedAt is the first of some eyes that saw a process of a number there.
func (im *importer) lookedAt(pid int, eyes []eye) (eye, bool) {
	folder := "/proc/" + strconv.Itoa(pid) + "/"
	for i, e := range im.entries {
		if pid == 0 || e.cli != nil || !strings.Contains(e.Typed, folder) || !slices.Contains(eyes, e.eye()) {
			continue
		}
		for _, f := range im.filesOf(i) {
			if f.Status == evidence.OK && strings.HasPrefix(f.Path, folder) {
				return e.eye(), true
			}
		}
	}
	return eye{}, false
}

// lookedInside is the container or pod in which the owner's process, or the only
// one that anybody looked at, was seen. A number that was looked at outside as well
// is the outer one: it is how responders learn it.
func (im *importer) lookedInside() (eye, bool) {
	var out []eye
	pid := im.opts.Subject.Pid
	if pid == 0 && im.namesRoom() {
		pid = evidence.NamedIn(im.firstValue()).Pid
	}
	for _, e := range im.entries {
		if e.cli == nil && looksAt(e, pid) && !slices.Contains(out, e.eye()) {
			out = append(out, e.eye())
		}
	}
	if len(out) == 0 {
		return eye{}, false
	}
	inside := func(at eye) bool { return im.rooms[at] != nil || im.pods[at.host] != nil }
	if slices.ContainsFunc(out, func(at eye) bool { return !inside(at) }) {
		return eye{}, false
	}
	for _, at := range out {
		if r := cmpRoom(im.rooms[at], im.pods[at.host]); im.namesContainer(r.Name) || r.Part != "" && im.namesContainer(r.Part) {
			return at, true
		}
	}
	return out[0], len(out) == 1 || pid > 0
}

func cmpRoom(a, b *room) *room {
	if a != nil {
		return a
	}
	return b
}

// looksAt says whether a command looks at a process: at one of a number, or, where
// that is zero, at any.
func looksAt(e entry, pid int) bool {
	switch {
	case len(e.Argv) == 0:
		return false
	case pid > 0:
		return strings.Contains(e.Typed, "/proc/"+strconv.Itoa(pid)+"/") || program(e) == "ps" && slices.Contains(e.Argv, strconv.Itoa(pid))
	}
	return strings.Contains(e.Typed, "/proc/") || program(e) == "ps"
}

// namesContainer says whether the responder named a container or pod so; a pod may
// be named with its namespace.
func (im *importer) namesContainer(name string) bool {
	said := im.opts.Subject.Container
	return said != "" && (said == name || strings.HasSuffix(said, "/"+name) || len(said) >= 12 && isID(name) && strings.HasPrefix(name, said))
}

// namesRoom says whether the lock's value names a container or pod that was gone
// into.
func (im *importer) namesRoom() bool {
	named := im.valueHost()
	for _, at := range im.eyes() {
		if r := cmpRoom(im.rooms[at], im.pods[at.host]); r != nil && named != "" && sameHost(r.called, named) {
			return true
		}
	}
	return false
}
