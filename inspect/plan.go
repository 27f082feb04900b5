package inspect

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/kernel"
	"github.com/lockscene/lockscene/inspect/redis"
)

// A Plan is everything a capture may read, for people to approve.
type Plan struct {
	Redis []string // commands as sent
	Files []string // paths, PID standing for each process looked at
	Other []string // reads that are neither
}

// PlanOf lists what a capture of this target would read.
func PlanOf(t Target) Plan {
	var p Plan
	key := t.Subject.Key
	commands := [][][]string{redis.Hello(), redis.Sample(key), redis.Get(key), redis.HashLength(key), redis.Hash(key), redis.Server(),
		redis.Clients(), redis.Slowlog(), redis.Roles()}
	if hb, ok := strings.CutPrefix(t.Subject.Heartbeat, "key:"); ok {
		commands = append(commands, redis.Heartbeat(hb))
	}
	for _, group := range commands {
		for _, args := range group {
			p.Redis = append(p.Redis, strings.Join(args, " "))
		}
	}
	p.Redis = append(p.Redis,
		"LLEN|SCARD|ZCARD "+key+", then LRANGE|SMEMBERS|ZRANGE "+key+" (at most 100 members, only when the lock is such a key)",
		"GET|GETRANGE|HGET|HMGET|HGETALL|LLEN|LRANGE|ZCARD|ZRANGE|ZSCORE|PTTL|PUBSUB NUMSUB of keys that the lock's library keeps beside it (at most 24 reads)",
		"SCRIPT EXISTS with the digests of lock libraries",
		strings.Join(redis.Commandlog()[0], " ")+" (only where SLOWLOG is refused)",
		"CLUSTER SLOTS, READONLY on replicas, and ASKING while it moves the key's slot (only in a cluster)")
	p.Redis = append(p.Redis, planElsewhere(t)...)
	for _, name := range processFiles() {
		p.Files = append(p.Files, "/proc/PID/"+fileOf(name))
	}
	p.Files = append(p.Files, "/proc/PID/task/*/{stat,schedstat,wchan}", "/proc/PID/limits", "/proc/PID/io",
		"/proc/self/{mountinfo,ns/*,net/tcp,net/tcp6}", "/proc/sys/kernel/{hostname,random/boot_id}",
		"/proc/pressure/{cpu,io,memory}", "/proc/vmstat", "/proc/loadavg", "/dev/kmsg",
		"/proc/*/fd (names of sockets only, to find who holds a connection to Redis), and comm and cgroup of those that do",
		"/proc/*/ns/pid and /proc/*/status (to find a process of another pid namespace that the value names)")
	for _, f := range host.GroupFiles {
		p.Files = append(p.Files, "the owner's control group: "+f.Name)
	}
	if path, ok := strings.CutPrefix(t.Subject.Heartbeat, "file:"); ok {
		p.Files = append(p.Files, path)
	}
	p.Other = []string{
		"call adjtimex(2) with modes 0, which sets nothing",
		"send one tracking request to chronyd at " + chronyAddress,
		fmt.Sprintf("run %s, only when /dev/kmsg cannot be read", strings.Join(kernel.Commands()[0], " ")),
		"ask with signal 0, which is never delivered, whether a process that /proc does not show exists",
	}
	return p
}

// planElsewhere is what is asked to find the lock, and of other nodes.
func planElsewhere(t Target) []string {
	var out []string
	if keys, ok := dialect.Named(t.Subject.Key); ok {
		out = append(out, "TYPE of "+strings.Join(append([]string{t.Subject.Key}, keys...), ", ")+" (which of them is the lock's key)")
	}
	for _, s := range t.Quorum.Sentinels {
		for _, c := range redis.AskQuorum(t.Quorum.Name) {
			out = append(out, strings.Join(c, " ")+" at Sentinel "+s.Addr+", again when the primary is gone")
		}
	}
	for _, o := range t.Others {
		out = append(out, "the same reads of the key, INFO and ROLE at "+o.Addr)
	}
	if len(t.Quorum.Sentinels) > 0 {
		out = append(out, "the same reads of the key, INFO and ROLE at the replicas that Sentinels name")
	}
	return out
}
