package report

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The bundles below are made by hand: the report must print whatever a verdict
// says, so that none of them needs a judge.

var end = time.Date(2026, 11, 29, 3, 12, 11, 0, time.UTC)

func at(clock string, bound time.Duration) *evidence.Interval {
	t, err := time.Parse("15:04:05.000", clock)
	if err != nil {
		panic(err)
	}
	y, m, d := end.Date()
	i := evidence.At(time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC), bound, evidence.Coordinator)
	return &i
}

func answer(value, says string, possible ...string) evidence.Answer {
	a := evidence.Answer{Value: value, Says: says, Possible: possible, Grade: evidence.Proven}
	if len(possible) == 0 {
		a.Possible = []string{value}
	}
	return a
}

func cite(reading, text string) evidence.Citation {
	return evidence.Citation{Reading: reading, Text: text}
}

func probe(name, source string, status evidence.Status, took time.Duration, n int64, commands ...string) evidence.Probe {
	start := evidence.Stamp{Wall: end.Add(-20 * time.Second), Boot: time.Hour}
	return evidence.Probe{
		Name: name, Source: source, Commands: commands, Start: start,
		End: evidence.Stamp{Wall: start.Wall.Add(took), Boot: start.Boot + took}, Status: status, Vantage: "owner", Bytes: n,
	}
}

func base() evidence.Bundle {
	sample := []string{"TIME", "PTTL lock:orders", "PEXPIRETIME lock:orders", "TIME"}
	denied := probe("kernel/kmsg", "/dev/kmsg", evidence.Denied, time.Millisecond, 0)
	denied.Why = "open /dev/kmsg: operation not permitted"
	return evidence.Bundle{
		Name: "lockscene-lock-orders-20261129T031211Z",
		Capture: evidence.Capture{
			Schema: evidence.CaptureSchema, Tool: "lockscene 0.1.0",
			Subject: evidence.Subject{Key: "lock:orders", Redis: "10.0.0.5:6379"},
			Vantages: []evidence.Vantage{{
				Name: "owner", Host: "quince-3", BootID: "b-1",
				Start: evidence.Stamp{Wall: end.Add(-20 * time.Second)}, End: evidence.Stamp{Wall: end},
			}},
		},
		Probes: []evidence.Probe{
			probe("redis/sample", "redis/10.0.0.5:6379", evidence.OK, 400*time.Microsecond, 310, sample...),
			probe("redis/sample", "redis/10.0.0.5:6379", evidence.OK, 500*time.Microsecond, 310, sample...),
			probe("proc/status", "/proc/41207/status", evidence.OK, 80*time.Microsecond, 1402),
			denied,
		},
		Snapshot: evidence.Snapshot{
			Schema: evidence.SnapshotSchema,
			Looks: []evidence.Look{
				{PTTL: evidence.Saw("redis/pttl", int64(11_511)), After: evidence.Saw("redis/time", end), Value: evidence.Saw("redis/value", "quince-3:41207:9b1e77c4")},
			},
			Host: evidence.Host{Kernel: evidence.Refused[evidence.KernelLog]("kernel/kmsg", evidence.Denied, "operation not permitted")},
		},
	}
}

func crash() evidence.Bundle {
	b := base()
	owner := answer("gone", "pid 41207 killed by the OOM killer in /system.slice/ledger.service")
	owner.Because = []evidence.Citation{cite("kernel log", "Memory cgroup out of memory: Killed process 41207 (ledgerd)"), cite("cgroup counter", "oom_kill 2 → 3")}
	path := answer(evidence.Unknown, "not needed: its connection left CLIENT LIST with it", "up", "broken")
	path.Grade = ""
	b.Verdict = evidence.Verdict{
		Schema: evidence.VerdictSchema, Rules: evidence.Rules, Key: "lock:orders",
		Label: evidence.Crash, Cause: "oom-kill", Grade: evidence.Proven, Headline: "crash: OOM-killed", Open: []evidence.Label{evidence.Crash},
		Answers: evidence.Answers{
			Lease: answer("lapsing", "ends 03:12:22.611Z ±0.002; the renewal due 03:12:02.6Z did not come"),
			Owner: owner, Path: path,
			Clock:       answer("steady", "redis − this host +0.4 ms ±0.2, no step while watched"),
			Coordinator: answer("kept", "same run_id, no failover, evicted_keys unchanged"),
		},
		State:  evidence.StaleHolder,
		Holder: evidence.Holder{Value: "quince-3:41207:9b1e77c4", Comm: "ledgerd", Client: "redis-py 5.0"},
		Parties: []evidence.Party{
			{Client: "id=7 127.0.0.1:50162 ledgerd redis-py 5.0", Did: []evidence.Deed{evidence.DeedRenew}, Because: []string{"its last command, evalsha, came when a renewal was seen"}, Where: evidence.OwnersOwn, Pid: 41207, Comm: "ledgerd", Unit: "ledger.service"},
			{Client: "id=31 10.0.0.60:55012", Tried: []evidence.Deed{evidence.DeedAcquire}, Because: []string{"in SLOWLOG 4 times with this key"}, Where: evidence.Elsewhere},
			{Client: "id=40 127.0.0.1:50400", Because: []string{"its last command, expire, can extend a key"}, Where: evidence.Scheduled, Pid: 612, Comm: "sh", Unit: "cron.service"},
		},
		Findings: []evidence.Finding{
			{ID: "no-fencing-token", Severity: evidence.Notice, Text: "the value carries no number that grows", Advice: "hand out a token with every acquire"},
			{ID: "memory-pressure", Severity: evidence.Warning, Text: "some avg10=61 in the owner's cgroup", Advice: "raise memory.high or lower the load", Because: []evidence.Citation{cite("cgroup/memory.pressure", "some avg10=61.20")}},
			{ID: "stale-holder", Severity: evidence.Critical, Text: "the lock is held for a process that is gone", Advice: "let the lease end; do not delete the key"},
			{ID: "lease-too-long", Severity: evidence.Notice, Text: "lease of 30 s for work of 2 s", Advice: "shorten the lease"},
		},
		Times: evidence.Times{
			Acquired: at("02:25:40.000", time.Millisecond), LastRenewal: at("03:11:52.611", 2*time.Millisecond), Due: at("03:12:02.611", 2*time.Millisecond),
			Disappeared: at("03:11:57.106", 4*time.Millisecond), LeaseEnds: at("03:12:22.611", 2*time.Millisecond),
		},
		Next: []evidence.Step{
			{Why: "the lease frees the key at 03:12:22.611Z by itself; run again then to see who takes it"},
			{Why: "do not delete the key; before any release by hand", Command: "lockscene explain release"},
		},
	}
	return b
}

func inconclusive() evidence.Bundle {
	b := crash()
	v := &b.Verdict
	v.Label, v.Cause, v.Grade, v.Headline = evidence.Inconclusive, "", "", "the renewal stopped; why cannot be told from here"
	v.Open = []evidence.Label{evidence.Crash, evidence.Stall, evidence.Partition}
	v.NotRuledOut = []evidence.Label{evidence.ClockAnomaly}
	v.Answers.Owner = answer(evidence.Unknown, "", "running", "stalled", "gone")
	v.Answers.Owner.Missing = []evidence.Citation{cite("proc/41207/stat", "hidepid hides other users' processes"), cite("kernel/kmsg", "operation not permitted")}
	v.Answers.Path = answer(evidence.Unknown, "no socket of the owner could be read", "up", "broken")
	v.Answers.Path.Missing = []evidence.Citation{cite("proc/41207/net/tcp", "no such process in this namespace")}
	v.Answers.Clock = answer(evidence.Unknown, "one TIME only, nothing to hold it against", "steady", "off")
	v.Times.Disappeared = nil
	v.State = evidence.Held
	v.Findings = nil
	v.Next = []evidence.Step{
		{Why: "the owner's process would settle most", Command: "ssh quince-3 'sudo lockscene script --pid 41207' | lockscene evidence import - --key lock:orders"},
		{Why: "the kernel log would prove a kill", Command: "ssh quince-3 sudo dmesg --time-format iso > dmesg.txt"},
		{Why: "look again", Command: "lockscene inspect lock:orders"},
		{Why: "ask the owner", Command: "lockscene explain inconclusive"},
	}
	return b
}

func noneWithFindings() evidence.Bundle {
	b := crash()
	v := &b.Verdict
	v.Label, v.Cause, v.Grade, v.Headline = evidence.NoFailure, "", "", "no failure found"
	v.Open = []evidence.Label{evidence.NoFailure}
	v.Answers.Lease = answer("renewing", "extended 2 times in 20.0 s, every 10.0 s")
	v.Answers.Owner = answer("running", "pid 41207, 12 % of a core in threads that do not renew")
	v.Answers.Path = answer("up", "the renewal is traffic of the owner")
	v.Times.Disappeared = nil
	v.State = evidence.Held
	v.Findings = v.Findings[:2]
	v.Next = nil
	b.Capture.Cut = "the budget of 60s was used up"
	return b
}

// hostile carries every trick a string from outside can play, in every field
// that comes from outside.
func hostile() evidence.Bundle {
	const evil = "x\x1b[2J\u202e|<script>alert(1)</script>\n# y\r`z` @all [a](http://b) \x00\xff\u2028"
	b := crash()
	b.Name = evil
	b.Capture.Subject.Key, b.Capture.Subject.Redis = evil, evil
	b.Capture.Tool, b.Capture.Ticket, b.Capture.Note, b.Capture.Cut = evil, evil, evil, evil
	b.Capture.Vantages[0].Name, b.Capture.Vantages[0].Host = evil, evil
	b.Snapshot.Nodes = []evidence.Node{{Address: evil, Looks: []evidence.Look{{Before: evidence.Refused[time.Time](evil, evidence.Failed, evil)}}}}
	b.Snapshot.Primaries = []evidence.NamedPrimary{{Sentinel: evil, Name: evil, Address: evil}}
	v := &b.Verdict
	v.Key, v.Headline, v.Cause, v.Label, v.Grade = evil, evil, evil, evidence.Label(evil), evidence.Grade(evil)
	v.State = evidence.LockState(evil)
	v.Holder = evidence.Holder{Value: evil, Comm: evil, Client: evil, Renewer: evil, Pid: 1}
	v.Parties = []evidence.Party{{Client: evil, Did: []evidence.Deed{evil}, Tried: []evidence.Deed{evil, evidence.DeedAcquire}, Because: []string{evil}, Where: evil, Pid: 2, Comm: evil, Unit: evil, Container: evil}}
	bad := evidence.Answer{Value: evil, Says: evil, Possible: []string{evil, evil}, Grade: evil, Because: []evidence.Citation{cite(evil, evil)}, Missing: []evidence.Citation{cite(evil, evil)}}
	open := bad
	open.Value, open.Says = evidence.Unknown, ""
	v.Answers = evidence.Answers{Lease: bad, Owner: open, Path: bad, Clock: open, Coordinator: bad}
	v.Open = []evidence.Label{evil, evil}
	v.Also, v.NotRuledOut = v.Open, v.Open
	v.Findings = []evidence.Finding{{ID: evil, Severity: evil, Text: evil, Advice: evil, Because: bad.Because}}
	v.Next = []evidence.Step{{Why: evil, Command: evil}, {Command: evil}}
	v.Times.Disappeared.Clock = evil
	for i := range b.Probes {
		p := &b.Probes[i]
		p.Name, p.Source, p.Why, p.Status = fmt.Sprint(evil, i), evil, evil, evil
		if len(p.Commands) > 0 {
			p.Commands = []string{evil}
		}
	}
	b.Snapshot.Looks[0].Value = evidence.Saw(evil, evil)
	b.Snapshot.Sources = map[string]evidence.Outcome{evil: {Why: evil}}
	return b
}
