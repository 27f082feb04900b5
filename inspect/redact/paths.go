package redact

import (
	"path"
	"regexp"
	"strings"
)

// path learns the names in a path: every folder that is not one of those all
// machines have. A control group's path names units, containers and pods.
func (r *redactor) learnPath(p string) {
	if len(p) > 4096 {
		return
	}
	for seg := range strings.SplitSeq(p, "/") {
		r.learnSegment(seg)
	}
}

var (
	unitSuffix = regexp.MustCompile(`\.(?:service|scope|slice|socket|timer|mount|path|target|sock|log|conf|json|txt|pid|beat|aof|rdb|jar|py|rb|js|sh)$`)
	machinery  = regexp.MustCompile(`^(?:docker|cri-containerd|crio|libpod|kubepods|kubepods-(?:burstable|besteffort)|session|user)(?:[-_].*)?$`)
	kernelFile = regexp.MustCompile(`^(?:cgroup|memory|cpu|cpuacct|cpuset|freezer|io|pids|blkio)\.[a-z0-9_.]+$`)
)

// learnSegment learns one folder or file. A unit is known by its whole name and
// by the part before the suffix, as people write both.
func (r *redactor) learnSegment(seg string) {
	if seg == "" || isNumber(seg) || isCommon(seg) || kernelFile.MatchString(seg) || strings.ContainsAny(seg, " \t\n\"") {
		return
	}
	suffix := unitSuffix.FindString(seg)
	stem := strings.TrimSuffix(seg, suffix)
	base, instance, _ := strings.Cut(stem, "@")
	switch {
	case machinery.MatchString(base), isCommon(base), identifier.MatchString(stem):
	case suffix != "":
		r.learnWord("unit", base)
		if to, there := r.names.to[base]; there {
			r.put(seg, to+strings.TrimPrefix(stem, base)+suffix)
		}
	default:
		r.learnWord("dir", base)
	}
	if instance != "" && !isNumber(instance) {
		r.learnWord("dir", instance)
	}
}

// learnWord learns a name as what it is.
func (r *redactor) learnWord(kind, name string) {
	name = strings.TrimSpace(name)
	if _, there := r.names.to[name]; !there && !isCommon(name) && strings.Trim(name, "*?.-_") != "" {
		r.put(name, r.word(kind, name))
	}
}

// learnProgram learns the name of a process or thread. Words that say what a
// thread is for stay: the rules tell renewers and runtimes from workers by them.
func (r *redactor) learnProgram(comm string) {
	comm = strings.TrimSpace(comm)
	if _, there := r.names.to[comm]; there || comm == "" || isCommon(comm) || isMachinery(comm) {
		return
	}
	to := r.word("proc", comm)
	low := strings.ToLower(comm)
	for _, w := range purposes() {
		if strings.Contains(low, w) {
			to += "-" + strings.TrimSpace(w)
			break
		}
	}
	r.put(comm, to)
}

// purposes are what the names of threads tell of their work.
func purposes() []string {
	return []string{"renew", "watchdog", "heartbeat", "lease", "keepalive", "keep-alive", "extend", "refresh", "redisson-timer", "hashedwheel", "lock-", "sweeper"}
}

// isMachinery says whether a thread is a runtime's own or the kernel's: those
// name nobody.
func isMachinery(comm string) bool {
	low := strings.ToLower(comm)
	for _, w := range []string{"gc thread", "g1 ", "vm thread", "vm periodic", "c1 compiler", "c2 compiler", "compilerthre", "signal dispatch", "finalizer",
		"reference handl", "gmain", "gdbus", "kworker", "ksoftirqd", "migration/", "rcu_", "swapper", "kswapd", "khungtaskd", "jbd2", "irq/"} {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return false
}

// learnHost learns a host name, and the domain it is of.
func (r *redactor) learnHost(h string) {
	h = strings.TrimSuffix(strings.TrimSpace(h), ".")
	label, domain, full := strings.Cut(h, ".")
	if h == "" || len(h) > maxName || strings.ContainsAny(h, "/ \t\"") || addressLike(h) || isCommon(h) {
		return
	}
	if !isNumber(label) {
		r.learnWord("host", label)
	}
	if full && domain != "" && label != "" && len(r.domains) < maxNames {
		r.domains[domain] = true
		r.put(h, r.host(h))
		if strings.Contains(domain, ".") {
			r.put(domain, r.word("zone", domain))
		}
	}
}

func addressLike(s string) bool {
	return strings.Trim(s, "0123456789.:abcdefABCDEF[]") == "" && strings.ContainsAny(s, ".:")
}

// learnHostOf learns the host of a host:port, a socket's path, or nothing.
func (r *redactor) learnHostOf(address string) {
	if strings.HasPrefix(address, "/") {
		r.learnPath(address)
		return
	}
	host := address
	if i := strings.LastIndexByte(address, ':'); i >= 0 {
		host = address[:i]
	}
	r.learnHost(strings.Trim(host, "[]"))
}

// learnFile learns the folders of a file and the file, but not what all machines
// have.
func (r *redactor) learnFile(p string) {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "/proc/") || strings.HasPrefix(p, "/dev/") {
		return
	}
	if strings.HasPrefix(p, "/sys/fs/cgroup/") {
		p = path.Dir(p)
	}
	r.learnPath(p)
}
