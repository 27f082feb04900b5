package redact

import (
	"regexp"
	"slices"
	"strings"
)

// names is the dictionary of one copy: every name met, and its pseudonym.
type names struct {
	to      map[string]string
	lengths [256][]int // of the names that begin with a byte, the longest first
}

// maxNames bounds the dictionary. A capture names some hundreds; what comes after
// so many is rewritten where it stands in a field, not in free text.
const maxNames = 50_000

// maxName bounds a name: each length of one is a look-up at every word.
const maxName = 160

// put adds a name. The first kind a name is met as stays.
func (n *names) put(name, pseudonym string) {
	if _, there := n.to[name]; there || len(name) < 2 || len(name) > maxName || isCommon(name) || isNumber(name) || len(n.to) >= maxNames {
		return
	}
	n.to[name] = pseudonym
}

// seal makes the dictionary ready for searching.
func (n *names) seal() {
	for name := range n.to {
		if l := n.lengths[name[0]]; !slices.Contains(l, len(name)) {
			n.lengths[name[0]] = append(l, len(name))
		}
	}
	for _, l := range n.lengths {
		slices.SortFunc(l, func(a, b int) int { return b - a })
	}
}

// at finds the longest name that stands at s[i:] as a whole word.
func (n *names) at(s string, i int) (name, pseudonym string, ok bool) {
	for _, l := range n.lengths[s[i]] {
		if i+l > len(s) {
			continue
		}
		if to, there := n.to[s[i:i+l]]; there && bounded(s, i, i+l) {
			return s[i : i+l], to, true
		}
	}
	return "", "", false
}

// bounded says whether s[from:to] stands by itself. A short word without digits
// is a name only where no hyphen, point or underscore ties it to another: a host
// called vm is not meant by total-vm.
func bounded(s string, from, to int) bool {
	ties := func(c byte) bool { return isAlnum(c) }
	if !distinct(s[from:to]) {
		ties = func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }
		if to+1 < len(s) && s[to] == '.' && isAlnum(s[to+1]) || from > 1 && s[from-1] == '.' && isAlnum(s[from-2]) {
			return false
		}
	}
	if from > 0 && isAlnum(s[from]) && ties(s[from-1]) {
		return false
	}
	return to >= len(s) || !isAlnum(s[to-1]) || !ties(s[to])
}

// distinct says whether a name can hardly be an ordinary word.
func distinct(name string) bool {
	return len(name) >= 7 || len(name) >= 4 && strings.ContainsAny(name, "0123456789-_:.")
}

// isCommon lists the words that name nobody: programs everybody runs, and words
// that the formats themselves are made of, which must never be replaced.
func isCommon(name string) bool {
	if len(name) > 40 || strings.Contains(name, " ") {
		return false
	}
	low := strings.ToLower(name)
	return strings.Contains(commonWords, " "+low+" ") || commonProgram.MatchString(low)
}

var commonProgram = regexp.MustCompile(`^(?:(?:redis|valkey|keydb)-(?:server|cli|sentinel|benchmark|check-[a-z]+)|systemd(?:-(?:journald?|logind|udevd|networkd|resolved|timesyncd|oomd|hostnamed|shutdown|executor))?(?:\.service)?|python[23]?(?:\.\d+)?|containerd-shim(?:-runc-v2)?|kworker/.*|ksoftirqd/.*)$`)

// commonWords are separated by blanks.
const commonWords = ` redis valkey keydb dragonfly sentinel master slave replica primary string hash list set zset stream none ok default root nobody ` +
	`localhost localhost.localdomain kernel host hostname node nodes unknown lockscene normal pong yes no on off true false null nil ` +
	`java python python2 python3 node nodejs ruby perl php php-fpm go dotnet beam.smp bash sh dash zsh ash busybox init systemd sshd ssh sudo su login cron crond ` +
	`dockerd containerd containerd-shim runc crun podman kubelet kubectl docker crio conmon tini dumb-init gunicorn celery uwsgi puma sidekiq nginx apache2 httpd haproxy envoy ` +
	`postgres mysqld mongod gdb strace perf top htop ps cat head tail grep awk sed sleep curl wget chronyd chronyc ntpd ntpq timesyncd journald udevd rsyslogd dbus-daemon agetty ` +
	`oom oom-kill oom-killer killed kill process task memory cgroup out of pid uid gid tgid comm cpu rss swap total anon file shmem name state status type value key field ` +
	`link up down tcp udp eth0 lo bond0 ens3 socket net ipv4 ipv6 info error warning notice debug fatal panic bug call trace event events ` +
	`lock locks locked lease owner holder worker workers client clients server service thread threads main pool time ttl token fence epoch seq nonce uuid id ids host_name ` +
	`acquire acquired renew renewed renewer renewal release released heartbeat write read reject start exit pause resume watchdog keepalive refresh extend exclusive shared mode ` +
	`proc sys fs dev run var tmp etc usr bin sbin lib lib64 opt home srv mnt mem io stat stats self maps conf config data log logs cache local share system user users session app apps ` +
	`system.slice user.slice machine.slice init.scope user.service unified cpuacct cpuset freezer devices blkio pids hugetlb net_cls net_prio perf_event rdma misc ` +
	`get getrange strlen pttl pexpiretime object idletime usage hget hgetall hlen del unlink expire pexpire evalsha eval slowlog ping client|list ` +
	`coordinator bastion resource `
