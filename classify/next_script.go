package classify

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// byScript is how to look at the owner where nothing may be installed: a shell
// script goes there, and its transcript comes back. It says only what is known.
func (c *incident) byScript(named evidence.Named) string {
	look := "lockscene script" + c.scriptFlags(named)
	judge := "lockscene evidence import - --key " + shell(c.s.Subject.Key)
	if c.s.Subject.Redis != "" {
		judge += " " + c.server()
	}
	if c.s.Contract.Lease > 0 {
		judge += " --lease " + c.s.Contract.Lease.String()
	}
	if c.s.Contract.RenewEvery > 0 {
		judge += " --renew-every " + c.s.Contract.RenewEvery.String()
	}
	return look + " | " + c.into(named) + " | " + judge
}

// scriptFlags say whom to look at: who was named, else whoever talks to the
// coordinator.
func (c *incident) scriptFlags(named evidence.Named) string {
	sub, flags, whom := c.s.Subject, "", false
	add := func(name, value string) {
		if value != "" && evidence.Printable(value) == value { // the script takes no control characters
			flags += " --" + name + " " + shell(value)
			whom = whom || name != "heartbeat"
		}
	}
	switch {
	case named.Pid > 0:
		add("pid", itoa(named.Pid))
	case sub.Pid > 0:
		add("pid", itoa(sub.Pid))
	default:
		add("unit", sub.Unit)
		add("cgroup", sub.Cgroup)
		add("container", sub.Container)
	}
	if sub.Redis != "" {
		flags, whom = flags+" "+c.server(), true
		add("key", sub.Key)
	}
	if strings.HasPrefix(sub.Heartbeat, "file:/") || sub.Redis != "" {
		add("heartbeat", sub.Heartbeat)
	}
	if !whom {
		flags += " --pid PID"
	}
	return flags
}

// into is the way to the owner's shell. A first process is a container's, and the
// host that the value names is the container or the pod; what nobody but the text
// names is a host like others, unless somebody had gone into it.
func (c *incident) into(named evidence.Named) string {
	host := named.Host
	if at, ok := c.goneInto(host); ok {
		return at
	}
	if host == "" && c.reckoned() != nil {
		host = c.localHost()
		if said := c.s.Subject.Container; said != host && !strings.HasSuffix(said, "/"+host) {
			named.Pid = 0 // a pid that the responder gave is no sign of a container
		}
	}
	switch {
	case !hostName(host):
		return "ssh HOST sh"
	case named.Pid == 1 && len(host) == 12 && strings.Trim(host, "0123456789abcdef") == "":
		return "docker exec -i " + host + " sh"
	case named.Pid == 1:
		return "kubectl exec -i " + host + " -- sh"
	}
	return "ssh " + host + " sh"
}

// goneInto is the way into the container or pod that somebody went into before, to
// look at the owner, or at the host that the value names.
func (c *incident) goneInto(host string) (string, bool) {
	for i, v := range c.s.Vantages {
		in := v.Inside
		if in == (evidence.Inside{}) || host == "" && i > 0 || host != "" && host != v.Host && host != in.Pod {
			continue
		}
		if in.Pod == "" {
			return "docker exec -i " + shell(in.Container) + " sh", true
		}
		way := "kubectl exec -i "
		if in.Namespace != "" {
			way += "-n " + shell(in.Namespace) + " "
		}
		if way += shell(in.Pod); in.Container != "" {
			way += " -c " + shell(in.Container)
		}
		return way + " -- sh", true
	}
	return "", false
}

// hostName says whether a word out of a lock's value can be nothing but a host's
// name, when it is pasted: no option, no user, no command.
func hostName(s string) bool {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_'
	}
	return s != "" && len(s) <= 253 && s[0] != '-' && s[0] != '.' && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0
}
