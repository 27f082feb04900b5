package redact

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// collect finds everything that names somebody. The order is policy: a name gets
// the pseudonym of what it is met as first.
func (r *redactor) collect(b evidence.Bundle) {
	r.domains = map[string]bool{}
	r.key = b.Capture.Subject.Key
	r.collectHosts(b)
	r.collectSubject(b.Capture)
	for _, p := range b.Probes {
		r.learnFile(p.Source)
		r.learnSourceHost(p.Source)
		if strings.HasPrefix(p.Name, "redis/") {
			r.learnKeys(p.Commands)
		}
		if !knownVantage(p.Vantage) {
			r.learnWord("view", p.Vantage)
		}
	}
	r.collectProcesses(b.Snapshot)
	r.collectNodes(b.Snapshot)
	r.collectServices(b.Snapshot)
	r.collectRaw(b)
	r.collectValues(b.Snapshot)
}

// learnKeys learns the other keys that were asked about. What begins with the
// lock's own name goes on to.
func (r *redactor) learnKeys(commands []string) {
	for _, c := range commands {
		verb, rest, _ := strings.Cut(c, " ")
		switch strings.ToUpper(verb) {
		case "", "TIME", "CLIENT", "INFO", "CONFIG", "ACL", "SLOWLOG", "LATENCY", "CLUSTER", "SENTINEL", "ROLE", "PING", "COMMANDLOG", "SCRIPT", "HELLO", "AUTH", "SELECT", "READONLY":
			continue
		case "OBJECT", "MEMORY":
			_, rest, _ = strings.Cut(rest, " ")
		}
		other, _, _ := strings.Cut(rest, " ")
		more, companion := strings.CutPrefix(other, r.key)
		switch _, known := r.names.to[other]; {
		case known || rest == r.key || other == "" || r.key == "":
		case companion && more != "" && !isAlnum(more[0]):
			r.put(other, r.exact(r.key)+r.parts(more))
		case !companion && !isNumber(other):
			r.learnKey(strings.Trim(other, `"'`))
		}
	}
}

// learnSourceHost learns the host of a source like redis/db1:6379.
func (r *redactor) learnSourceHost(source string) {
	if addr, ok := strings.CutPrefix(source, "redis/"); ok {
		r.learnHostOf(addr)
	}
}

func (r *redactor) collectHosts(b evidence.Bundle) {
	for _, v := range slices.Concat(b.Capture.Vantages, b.Snapshot.Vantages) {
		r.learnHost(v.Host)
		r.learnHostOf(v.Remote)
		r.learnID(v.BootID)
		if v.Inside.Pod != v.Host {
			r.learnWord("pod", v.Inside.Pod)
		}
		r.learnWord("space", v.Inside.Namespace)
		r.learnWord("box", v.Inside.Container)
		if !knownVantage(v.Name) {
			r.learnWord("view", v.Name)
		}
	}
	for _, h := range slices.Concat([]evidence.Host{b.Snapshot.Host}, b.Snapshot.Others) {
		r.learnHost(h.Name.Value)
		r.learnID(h.BootID.Value)
		r.learnHost(h.Chrony.Value.Name)
		r.learnHost(h.NTP.Value.Source)
	}
	r.learnHostOf(b.Capture.Subject.Redis)
	for _, v := range holders(b.Snapshot) {
		r.learnHost(evidence.NamedIn(v).Host)
	}
}

func knownVantage(name string) bool {
	return slices.Contains([]string{"", "owner", "coordinator", "bastion", "replica", "resource"}, name)
}

// learnID learns an identifier of a machine, a run or a container.
func (r *redactor) learnID(id string) {
	if id = strings.TrimSpace(id); len(id) >= 8 && !isNumber(id) {
		r.put(id, r.scramble(id))
	}
}

func (r *redactor) collectSubject(c evidence.Capture) {
	s := c.Subject
	if !r.keepKey {
		r.learnKey(s.Key)
	}
	r.learnSegment(s.Unit)
	r.learnPath(s.Cgroup)
	if isHexRun(s.Container) {
		r.learnID(s.Container)
	} else {
		r.learnWord("box", s.Container)
	}
	if file, ok := strings.CutPrefix(s.Heartbeat, "file:"); ok {
		r.learnFile(file)
	} else if key, ok := strings.CutPrefix(s.Heartbeat, "key:"); ok {
		r.learnWord("key", key)
	}
	r.learnWord("ticket", c.Ticket)
	for _, v := range c.Vantages {
		for _, cand := range v.Candidates {
			for w := range strings.FieldsSeq(cand.Detail) {
				if strings.HasPrefix(w, "/") {
					r.learnFile(w + "/x")
				}
			}
		}
	}
}

func (r *redactor) collectProcesses(s evidence.Snapshot) {
	for _, p := range s.Processes {
		for _, l := range p.Looks {
			r.learnProgram(l.Stat.Value.Comm)
			r.learnProgram(l.Status.Value.Name)
			for _, t := range l.Tasks.Value {
				r.learnProgram(t.Comm)
			}
			for _, g := range l.Groups.Value {
				r.learnPath(g.Path)
			}
			r.learnPath(strings.TrimPrefix(l.Cgroup.Memory, "/sys/fs/cgroup"))
		}
	}
	for _, h := range slices.Concat([]evidence.Host{s.Host}, s.Others) {
		for _, p := range h.Peers.Value {
			r.learnProgram(p.Comm)
		}
		for _, g := range h.Groups {
			r.learnPath(g.Path)
		}
		for _, e := range h.Kernel.Value.Events {
			r.learnProgram(e.Comm)
			if k := e.Kill; k != nil {
				r.learnProgram(k.Comm)
				r.learnProgram(k.Invoker)
				r.learnPath(k.TaskMemcg)
				r.learnPath(k.OOMMemcg)
			}
		}
	}
}

func (r *redactor) collectNodes(s evidence.Snapshot) {
	for _, n := range slices.Concat([]evidence.Node{s.Node}, s.Nodes) {
		r.learnHostOf(n.Address)
		r.learnHost(n.Role.Value.Master)
		for _, rep := range n.Role.Value.Replicas {
			r.learnHostOf(rep)
		}
		r.learnWord("user", n.User.Value)
		for _, i := range n.Infos {
			r.learnID(i.RunID.Value)
			r.learnID(i.ReplID.Value)
			r.learnID(i.ReplID2.Value)
		}
		for _, list := range n.Clients {
			for _, c := range list.Clients.Value {
				r.learnWord("user", c.User)
				r.learnHostOf(c.Addr)
			}
			for _, q := range list.Quiet.Value {
				if !strings.HasPrefix(q.Host, "-") {
					r.learnHost(q.Host)
				}
			}
		}
	}
}

func (r *redactor) collectServices(s evidence.Snapshot) {
	for _, h := range slices.Concat([]evidence.Host{s.Host}, s.Others) {
		for _, u := range h.Units {
			r.learnSegment(u.Name)
			r.learnPath(u.Group)
			r.learnID(u.Invocation)
		}
		for _, c := range h.Containers {
			r.learnWord("box", strings.TrimPrefix(c.Name, "/"))
			r.learnHost(c.Node)
			ns, pod, _ := strings.Cut(c.Pod, "/")
			r.learnWord("pod", pod)
			r.learnWord("space", ns)
			r.learnID(c.ID)
		}
	}
	for _, e := range s.Events {
		if e.Key != r.key {
			r.learnWord("key", e.Key)
		}
	}
}

// collectValues learns the values of locks: as a whole, and each word in them
// that can be told from ordinary ones, since logs quote both.
func (r *redactor) collectValues(s evidence.Snapshot) {
	r.seal() // values are made of the names known so far
	for _, v := range holders(s) {
		to := r.shape(v)
		if to == v {
			continue
		}
		r.put(v, to)
		for _, w := range strings.FieldsFunc(v, func(c rune) bool { return c > 127 || !isAlnum(byte(c)) }) {
			if len(w) >= 6 && !isNumber(w) && !isCommon(w) && strings.ContainsAny(w, "0123456789") {
				r.put(w, r.run(w))
			}
		}
	}
	for _, n := range slices.Concat([]evidence.Node{s.Node}, s.Nodes) {
		for _, list := range n.Clients {
			for _, c := range list.Clients.Value {
				if c.Name != "" && c.Name != "lockscene" {
					r.put(c.Name, r.shape(c.Name))
				}
			}
		}
	}
}

// holders lists what the lock's key was seen to hold, and what events say of
// who held it.
func holders(s evidence.Snapshot) []string {
	var out []string
	add := func(v string) {
		if v != "" && len(v) <= maxName && !slices.Contains(out[max(0, len(out)-64):], v) {
			out = append(out, v)
		}
	}
	looks := slices.Clone(s.Looks)
	for _, n := range s.Nodes {
		looks = append(looks, n.Looks...)
	}
	for _, l := range looks {
		add(l.Value.Value)
		for _, f := range l.Fields.Value {
			add(f.Name)
			add(f.Value)
		}
	}
	for _, e := range s.Events {
		add(e.Owner)
		add(e.Actor)
		add(e.Request)
	}
	for _, w := range s.History.Value.Writes {
		add(w.Value)
	}
	return out
}
