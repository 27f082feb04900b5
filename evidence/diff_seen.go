package evidence

import (
	"fmt"
	"strconv"
	"time"
)

// What the two captures saw of lock, server, connections and processes: the last
// look of each, since that is what each left behind.

func (d *differ) lease() {
	x, okX := lastSight(d.a.Snapshot)
	y, okY := lastSight(d.b.Snapshot)
	d.say("holder/value", x.Holder, y.Holder, d.holderNote(x, y))
	d.say("holder/pid", number(d.a.Verdict.Holder.Pid), number(d.b.Verdict.Holder.Pid), "")
	d.say("holder/client", d.a.Verdict.Holder.Client, d.b.Verdict.Holder.Client, "")
	d.say("holder/renewer", d.a.Verdict.Holder.Renewer, d.b.Verdict.Holder.Renewer, "")
	d.say("lock/key", presence(x, okX), presence(y, okY), "")
	note := ""
	if x.Ends.Closed() && y.Ends.Closed() {
		note = later(y.Ends.Mid().Sub(x.Ends.Mid()))
	}
	if !x.Ends.Closed() || !y.Ends.Closed() || x.Ends.Before(y.Ends) || x.Ends.After(y.Ends) {
		d.say("lock/ends", ends(x), ends(y), note)
		note = ""
	} else {
		note = "its end did not move: not renewed in between"
	}
	d.say("lock/left", left(d.a.Snapshot, x, okX), left(d.b.Snapshot, y, okY), note)
}

func (d *differ) holderNote(x, y Sight) string {
	if x.Holder != "" && y.Holder != "" && x.Holder != y.Holder && x.SameHolder(y) {
		return "the same process by its name"
	}
	return ""
}

func lastSight(s Snapshot) (Sight, bool) {
	all := s.Sights()
	if len(all) == 0 {
		return Sight{}, false
	}
	return all[len(all)-1], true
}

func presence(s Sight, ok bool) string {
	switch {
	case !ok:
		return ""
	case s.Here:
		return "there"
	}
	return "absent"
}

func ends(s Sight) string {
	if s.Endless {
		return "never"
	}
	return interval(&s.Ends)
}

func left(s Snapshot, sight Sight, ok bool) string {
	if !ok {
		return ""
	}
	ms, seen := s.Looks[sight.Look].PTTL.Get()
	if !seen || ms < 0 {
		return ""
	}
	const most = int64(1<<63-1) / int64(time.Millisecond) // some leases last longer than a time.Duration can say
	return (time.Duration(min(ms, most)) * time.Millisecond).String()
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// server compares the last INFO of each. Counters begin anew with a server, so
// that another run_id makes their differences nothing.
func (d *differ) server() {
	x, y := lastInfo(d.a.Snapshot), lastInfo(d.b.Snapshot)
	same := x.RunID.State == Seen && x.RunID.Value == y.RunID.Value
	note := ""
	if x.RunID.State == Seen && y.RunID.State == Seen && !same {
		note = "restarted, or another server"
	}
	d.say("server/run_id", x.RunID.Value, y.RunID.Value, note)
	for _, t := range []struct {
		name string
		a, b Reading[string]
	}{
		{"version", x.Version, y.Version}, {"role", x.Role, y.Role}, {"master_replid", x.ReplID, y.ReplID}, {"maxmemory_policy", x.Policy, y.Policy},
	} {
		d.say("server/"+t.name, t.a.Value, t.b.Value, "")
	}
	for _, n := range []struct {
		name string
		a, b Reading[int64]
	}{
		{"uptime_in_seconds", x.Uptime, y.Uptime}, {"second_repl_offset", x.SecondOff, y.SecondOff}, {"evicted_keys", x.Evicted, y.Evicted},
		{"expired_keys", x.Expired, y.Expired}, {"used_memory", x.UsedMemory, y.UsedMemory}, {"maxmemory", x.MaxMemory, y.MaxMemory},
		{"connected_clients", x.Connected, y.Connected},
	} {
		d.count("server/"+n.name, n.a, n.b, same)
	}
	d.count("host/oom_kill", d.a.Snapshot.Host.VMKills, d.b.Snapshot.Host.VMKills, sameBoot(d.a.Snapshot, d.b.Snapshot))
}

func lastInfo(s Snapshot) Info {
	if n := len(s.Node.Infos); n > 0 {
		return s.Node.Infos[n-1]
	}
	return Info{}
}

// count compares two readings of one counter.
func (d *differ) count(where string, a, b Reading[int64], same bool) {
	text := func(r Reading[int64]) string {
		if r.State != Seen {
			return ""
		}
		return strconv.FormatInt(r.Value, 10)
	}
	note := ""
	if a.State == Seen && b.State == Seen && same {
		note = fmt.Sprintf("%+d", b.Value-a.Value)
	}
	d.say(where, text(a), text(b), note)
}

func sameBoot(x, y Snapshot) bool {
	return len(x.Vantages) > 0 && len(y.Vantages) > 0 && x.Vantages[0].BootID != "" && x.Vantages[0].BootID == y.Vantages[0].BootID
}

// clients compares the connections that concern the lock, by the number the
// server gave them, which it never gives twice.
func (d *differ) clients() {
	x, okX := clientsOf(d.a.Snapshot)
	y, okY := clientsOf(d.b.Snapshot)
	if !okX || !okY {
		return
	}
	if a, b := lastInfo(d.a.Snapshot).RunID, lastInfo(d.b.Snapshot).RunID; a.State == Seen && b.State == Seen && a.Value != b.Value {
		d.say("clients", fmt.Sprint(len(x)), fmt.Sprint(len(y)), "numbered anew by another server")
		return
	}
	rows := 0
	for _, id := range union(x, y) {
		k, had := x[id]
		l, has := y[id]
		if had && has && k.Idle == l.Idle && k.Cmd == l.Cmd {
			continue
		}
		if rows++; rows > maxChanges {
			continue
		}
		where := "client " + strconv.FormatInt(id, 10)
		switch {
		case !had:
			d.say(where, "", clientText(l), "appeared")
		case !has:
			d.say(where, clientText(k), "", "gone")
		default:
			d.say(where, clientText(k), clientText(l), usedNote(k, l))
		}
	}
	if rows > maxChanges {
		d.say("clients", "", fmt.Sprintf("%d more changed", rows-maxChanges), "")
	}
}

// usedNote says whether a connection sent anything in between. Both numbers are
// cut to whole seconds at their own moment, so that one second may be lost.
func usedNote(k, l Client) string {
	lived := l.Age - k.Age
	switch {
	case l.Idle+1 < k.Idle+lived || l.Idle < k.Idle:
		return "used in between"
	case l.Idle >= k.Idle+lived:
		return "not used in between"
	}
	return ""
}

func clientsOf(s Snapshot) (map[int64]Client, bool) {
	out := make(map[int64]Client)
	for i := len(s.Node.Clients) - 1; i >= 0; i-- {
		all, ok := s.Node.Clients[i].Clients.Get()
		if !ok {
			continue
		}
		for _, k := range all {
			out[k.ID] = k
		}
		return out, true
	}
	return out, false
}

func clientText(k Client) string {
	out := k.Addr
	if k.Name != "" {
		out += " " + k.Name
	}
	return fmt.Sprintf("%s idle %d s, %s", out, k.Idle, k.Cmd)
}

// processes compares the last look at every process that either capture looked at.
// A pid is one process on one boot only, and only while it began at one moment.
func (d *differ) processes() {
	x, y := processesOf(d.a.Snapshot), processesOf(d.b.Snapshot)
	same := sameBoot(d.a.Snapshot, d.b.Snapshot)
	for _, pid := range union(x, y) {
		where := "process " + strconv.Itoa(pid)
		k, had := x[pid]
		l, has := y[pid]
		if !had || !has {
			d.say(where, life(k), life(l), "looked at by one capture only")
			continue
		}
		note := ""
		if a, b := k.Stat.Value.Start, l.Stat.Value.Start; a != 0 && b != 0 && (a != b || !same) {
			note = "another process has this number"
		}
		d.say(where+"/state", life(k), life(l), note)
		d.say(where+"/start", startOf(k), startOf(l), note)
		if note != "" {
			continue
		}
		d.count(where+"/oom_kill", k.Cgroup.OOMKills, l.Cgroup.OOMKills, true)
		d.count(where+"/nr_throttled", k.Cgroup.Throttles, l.Cgroup.Throttles, true)
		d.say(where+"/throttled", quantity(k.Cgroup.Throttled.Value), quantity(l.Cgroup.Throttled.Value), more(l.Cgroup.Throttled.Value-k.Cgroup.Throttled.Value))
	}
}

// more is what a running total grew by.
func more(by time.Duration) string {
	if by <= 0 {
		return ""
	}
	return "+" + by.String()
}

func processesOf(s Snapshot) map[int]ProcLook {
	out := make(map[int]ProcLook)
	for _, p := range s.Processes {
		if n := len(p.Looks); n > 0 {
			out[p.Pid] = p.Looks[n-1]
		}
	}
	return out
}

func life(l ProcLook) string {
	st, seen := l.Stat.Get()
	switch {
	case seen:
		return st.State + " " + Clip(Printable(st.Comm), 20)
	case l.Stat.State == Absent:
		return "no such process"
	}
	return string(l.Stat.Status)
}

func startOf(l ProcLook) string {
	if st, ok := l.Stat.Get(); ok && st.Start > 0 {
		return st.StartAfterBoot().String() + " after boot"
	}
	return ""
}
