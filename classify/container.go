package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// containersOfOwner reads containers and pods, each of which may have been shown
// several times.
func (c *incident) containersOfOwner() []supervisor {
	var out []supervisor
	name := func(k evidence.Container) string { return k.Pod + "\x00" + cmpOr(k.Name, k.ID) }
	for _, shown := range grouped(c.s.Host.Containers, name) {
		if c.isOwnersContainer(shown) {
			out = append(out, c.superviseContainer(shown))
		}
	}
	return out
}

// isOwnersContainer: the responder named it, or the owner's process ran in it, or
// the lock's value names its pod, and it is the one of the pod that can be meant.
func (c *incident) isOwnersContainer(shown []evidence.Container) bool {
	k := filledOut(shown)
	said := c.s.Subject.Container
	switch {
	case said != "" && (k.Name == said || k.ID != "" && (k.ID == said || len(said) >= 12 && strings.HasPrefix(k.ID, said))):
		return true
	case said != "" && (k.Pod == said || podName(k) == said || k.Pod != "" && strings.HasSuffix(said, "/"+k.Pod)):
		return c.chiefOfPod(k)
	}
	if slices.ContainsFunc(shown, func(k evidence.Container) bool { return c.owner != nil && k.Pid > 0 && k.Pid == c.owner.proc.Pid }) {
		return true
	}
	if len(k.ID) >= 12 && c.inGroup(func(path string) bool { return strings.Contains(path, k.ID) }) {
		return true
	}
	if said == "" && k.Pod == "" && len(c.s.Host.Containers) == len(shown) && c.kin(k.Name) {
		return true
	}
	return said == "" && c.holderNames(k) && (k.Pod == "" || c.chiefOfPod(k))
}

func podName(k evidence.Container) string { return k.Pod[strings.LastIndexByte(k.Pod, '/')+1:] }

// holderNames says whether a part of the lock's value is the container's host name:
// its pod's name, or the first twelve digits of its id.
func (c *incident) holderNames(k evidence.Container) bool {
	words := strings.FieldsFunc(c.first.Holder, func(r rune) bool { return strings.ContainsRune(`:|/,;@ "{}`, r) })
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) >= 3 && w == podName(k) || len(w) >= 12 && strings.HasPrefix(k.ID, w)
	})
}

// chiefOfPod says whether a container is the one of its pod that does the pod's
// work: the only one, or the only one whose name the pod's begins with. Of others
// nobody can tell, and the death of a sidecar is not the owner's.
func (c *incident) chiefOfPod(k evidence.Container) bool {
	const most = 32 // containers of one pod
	var names []string
	for _, o := range c.s.Host.Containers {
		// A table of pods names no container, and is none more than those that are named.
		if o.Pod == k.Pod && (o.Name != "" || k.Name == "") && !slices.Contains(names, o.Name) && !initContainer(o) {
			names = append(names, o.Name)
		}
		if len(names) > most {
			return false
		}
	}
	if len(names) == 1 {
		return names[0] == k.Name
	}
	begins := func(name string) bool { return len(name) >= 3 && strings.HasPrefix(podName(k)+"-", name+"-") }
	return begins(k.Name) && len(slices.DeleteFunc(names, func(n string) bool { return !begins(n) })) == 1
}

// initContainer: it did what it had to do before the others began.
func initContainer(k evidence.Container) bool {
	return k.Status == "exited" && k.Reason == "Completed" && k.Exit.State == evidence.Seen && k.Exit.Value == 0
}

// filledOut is a container as it was last shown, with what was shown before of the
// same run and this one leaves out: a table of containers tells less, and in round
// numbers, than its runtime's own record.
func filledOut(shown []evidence.Container) evidence.Container {
	k := shown[len(shown)-1]
	for _, e := range slices.Backward(shown[:len(shown)-1]) {
		apart := func(a, b evidence.Interval) bool { return a.Before(b) || a.After(b) }
		if e.Status != k.Status || !strings.HasPrefix(e.ID, k.ID) && !strings.HasPrefix(k.ID, e.ID) ||
			apart(e.Started, k.Started) || apart(e.Finished, k.Finished) || e.Pid > 0 && k.Pid > 0 && e.Pid != k.Pid {
			continue
		}
		if len(e.ID) > len(k.ID) {
			k.ID = e.ID
		}
		k.Reason, k.OOMKilled = cmpOr(k.Reason, e.Reason), k.OOMKilled || e.OOMKilled
		k.Started, k.Finished = sharper(k.Started, e.Started), sharper(k.Finished, e.Finished)
		k.Pid = max(k.Pid, e.Pid)
		if k.Exit.State != evidence.Seen {
			k.Exit = e.Exit
		}
		if k.Previous == nil {
			k.Previous = e.Previous
		}
	}
	return k
}

// sharper is the narrower of two intervals of one moment.
func sharper(a, b evidence.Interval) evidence.Interval {
	if b.Closed() && (!a.Closed() || b.Bound() < a.Bound()) {
		return b
	}
	return a
}

// endedContainer says whether a name is that of a container, or of a pod, that was
// last shown when it had ended: nobody can go into it any more.
func (c *incident) endedContainer(name string) bool {
	ended := false
	for _, k := range c.s.Host.Containers {
		if len(name) >= 12 && strings.HasPrefix(k.ID, name) || name != "" && (k.Name == name || podName(k) == name) {
			ended = k.Status == "exited" || k.Status == "dead"
		}
	}
	return ended
}

// superviseContainer puts a container's runs in order, the newest first. Docker
// keeps the end of the run before beside the present one's start; Kubernetes keeps
// one run before, and no other.
func (c *incident) superviseContainer(shown []evidence.Container) supervisor {
	k := filledOut(shown)
	out := supervisor{name: "container " + cmpOr(k.Name, k.ID), span: k.Span, id: k.ID, pod: podName(k), node: k.Node, paused: k.Status == "paused"}
	place := func(i evidence.Interval) evidence.Interval {
		at, rough := c.around(i)
		out.rough = out.rough || rough
		return at
	}
	runs := k.Status == "running" || k.Status == "paused" || k.Pid > 0
	switch {
	case runs:
		out.runs = append(out.runs, stint{pid: k.Pid, began: place(k.Started)})
	case k.Status == "waiting" && k.Previous != nil: // between two runs
	default:
		how, cause := containerEnd(k.Reason, k.Exit, 0)
		out.runs = append(out.runs, stint{began: place(k.Started), ended: place(k.Finished), over: true, how: how, cause: cause, oom: k.OOMKilled || k.Reason == "OOMKilled"})
	}
	switch p := k.Previous; {
	case p != nil:
		how, cause := containerEnd(p.Reason, evidence.Saw("", p.Exit), p.Signal)
		out.runs = append(out.runs, stint{began: place(p.Started), ended: place(p.Finished), over: true, hidden: runs, how: how, cause: cause, oom: p.Reason == "OOMKilled"})
	case runs && k.Finished.Known() && k.Started.Known() && !k.Finished.After(k.Started):
		out.runs = append(out.runs, stint{ended: place(k.Finished), over: true, hidden: true, how: "the run before ended", cause: "gone"})
	}
	for _, e := range shown[:len(shown)-1] {
		if e.Pid > 0 {
			c.sawRun(&out, e.Pid, e.Span, place(e.Started))
		}
	}
	return out
}

// containerEnd reads how a run ended. An exit code above 128 is a signal's number
// that the first process's parent saw, or one that a program chose itself.
func containerEnd(reason string, exit evidence.Reading[int], signal int) (how, cause string) {
	code, told := exit.Get()
	told = told && code >= 0
	how, cause = "its run ended", "gone"
	switch {
	case reason != "" && told:
		how += " (" + quote(reason) + ", exit code " + itoa(code) + ")"
	case reason != "":
		how += " (" + quote(reason) + ")"
	case told:
		how += " with exit code " + itoa(code)
	}
	switch {
	case reason == "Evicted":
		cause = "pod-evicted"
	case signal > 0:
		cause = causeOfSignal(signal)
	case told && code > 128 && code < 160:
		cause = causeOfSignal(code - 128)
	case told:
		cause = "exited"
	}
	return how, cause
}
