package host

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A GroupFile names one file of a control group by the controller whose folder
// holds it. No controller means the cgroup v2 folder itself.
type GroupFile struct {
	Controller string
	Name       string
}

// GroupFiles are the files [Group] asks for, v2 name before v1 name, in the
// order they are worth reading: what tells a freeze, a kill and throttling
// first, pressure last.
var GroupFiles = [...]GroupFile{
	{"", "cgroup.events"}, {"freezer", "freezer.state"},
	{"memory", "memory.events"}, {"memory", "memory.oom_control"},
	{"cpu", "cpu.stat"},
	{"memory", "memory.events.local"},
	{"", "cgroup.freeze"}, {"freezer", "freezer.self_freezing"},
	{"", "cgroup.stat.local"},
	{"memory", "memory.max"}, {"memory", "memory.limit_in_bytes"},
	{"memory", "memory.current"}, {"memory", "memory.usage_in_bytes"},
	{"memory", "memory.peak"}, {"memory", "memory.max_usage_in_bytes"},
	{"memory", "memory.oom.group"},
	{"cpu", "cpu.max"}, {"cpu", "cpu.cfs_quota_us"}, {"cpu", "cpu.cfs_period_us"},
	{"cpuacct", "cpuacct.usage"},
	{"", "cpu.pressure"}, {"", "io.pressure"}, {"", "memory.pressure"},
}

// Group reads the state of a control group from its files, whichever version
// of cgroups each controller is bound to. get answers for one file: seen with
// its bytes, absent, or unread and why. Seen bytes with the status truncated are
// a part of the file: a key that is not among them is unread, not absent.
//
// Of two names for one fact the one that was seen counts; when neither was, a
// refusal counts before an absence, since the refused file may hold the fact.
func Group(get func(GroupFile) evidence.Reading[[]byte]) evidence.Cgroup {
	f := files{get}
	var g evidence.Cgroup
	f.freezer(&g)
	f.memory(&g)
	f.kills(&g)
	f.cpu(&g)
	// Every v2 group has these, whatever its controllers are bound to; those of
	// the root group are the host's.
	g.CPU = parsed(f.at("", "cpu.pressure"), ParsePressure)
	g.IO = parsed(f.at("", "io.pressure"), ParsePressure)
	g.Mem = parsed(f.at("", "memory.pressure"), ParsePressure)
	return g
}

type files struct {
	get func(GroupFile) evidence.Reading[[]byte]
}

func (f files) at(controller, name string) evidence.Reading[[]byte] {
	return f.get(GroupFile{controller, name})
}

func (f files) flat(controller, name string) evidence.Reading[map[string]int64] {
	return flat(f.at(controller, name))
}

func (f files) freezer(g *evidence.Cgroup) {
	// Both freezers can act on one process of a hybrid host, so a v2 "no"
	// cannot outvote a v1 "yes".
	v2 := truth(key(f.flat("", "cgroup.events"), "frozen"))
	v1 := parsed(f.at("freezer", "freezer.state"), ParseFreezerState)
	g.Frozen = either(v2, v1)
	g.FrozenSelf = either(
		parsed(f.at("", "cgroup.freeze"), ParseFlag),
		parsed(f.at("freezer", "freezer.self_freezing"), ParseFlag))
	g.FrozenFor = counter(key(f.flat("", "cgroup.stat.local"), "frozen_usec"), time.Microsecond)
}

func (f files) memory(g *evidence.Cgroup) {
	limit := func(v2, v1 string) evidence.Reading[int64] {
		return first(parsed(f.at("memory", v2), ParseLimit), parsed(f.at("memory", v1), ParseLimit))
	}
	g.MemoryMax = limit("memory.max", "memory.limit_in_bytes")
	g.MemoryNow = limit("memory.current", "memory.usage_in_bytes")
	g.MemoryPeak = limit("memory.peak", "memory.max_usage_in_bytes")
	g.OOMGroup = parsed(f.at("memory", "memory.oom.group"), ParseFlag)
}

func (f files) kills(g *evidence.Cgroup) {
	events, v1 := f.flat("memory", "memory.events"), f.flat("memory", "memory.oom_control")
	g.MemoryHigh = key(events, "high")
	g.OOMKills = first(key(events, "oom_kill"), key(v1, "oom_kill"))
	// The v1 counter never adds up what happened in groups below.
	g.OOMKillsLocal = first(key(f.flat("memory", "memory.events.local"), "oom_kill"), key(v1, "oom_kill"))
	// under_oom alone is set for a moment by every kill; with the killer
	// switched off the tasks wait until somebody makes room.
	off, under := key(v1, "oom_kill_disable"), truth(key(v1, "under_oom"))
	g.UnderOOM = evidence.Map(under, func(u bool) bool { return u && off.Or(0) == 1 })
}

func (f files) cpu(g *evidence.Cgroup) {
	stat := f.flat("cpu", "cpu.stat")
	g.Periods, g.Throttles = key(stat, "nr_periods"), key(stat, "nr_throttled")
	g.Throttled = first(
		counter(key(stat, "throttled_usec"), time.Microsecond),
		counter(key(stat, "throttled_time"), time.Nanosecond))
	g.Usage = first(
		counter(key(stat, "usage_usec"), time.Microsecond),
		parsed(f.at("cpuacct", "cpuacct.usage"), func(b []byte) (time.Duration, error) {
			return duration(string(b), time.Nanosecond)
		}))
	quota := parsed(f.at("cpu", "cpu.cfs_quota_us"), ParseLimit)
	period := parsed(f.at("cpu", "cpu.cfs_period_us"), ParseLimit)
	g.Quota = first(parsed(f.at("cpu", "cpu.max"), ParseCPUMax), divided(quota, period))
}
