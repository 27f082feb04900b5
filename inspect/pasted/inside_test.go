package pasted_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

const (
	stat17 = "17 (node) T 0 17 17 0 -1 4194560 210331 0 212 0 38423 2893 0 0 20 0 11 0 61203318 1011044352 31022 18446744073709551615 1 1 1 0 0 0 0 4096 16898 0 0 0 17 1 0 0 0 0 0 1 1 1 1 1 1 1 0\n"
	kernel = "17 (kworker/2:0) I 2 0 0 0 -1 69238880 0 0 0 0 0 5 0 0 20 0 1 0 102 0 0 18446744073709551615 0 0 0 0 0 0 0 2147483647 0 0 0 0 17 2 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
)

// get is a look at the lock from a terminal.
func get(prompt, value string) string {
	return prompt + "redis-cli GET lk\n\"" + value + "\"\n"
}

// What was read inside of a pod or a container is of its own process, whatever else
// has the number outside, and its host goes by the pod's name or the container's id.
func TestReadInside(t *testing.T) {
	const lap, dock, pod, id = "pavel@lap:~$ ", "ops@dock-1:~$ ", "web-6f9c8d7b5-h4tq2", "3f2a9c1d04be"
	inPod, inBox := evidence.Inside{Pod: pod}, evidence.Inside{Container: "worker"}
	for name, c := range map[string]struct {
		text   string
		o      evidence.Subject
		host   string // what the owner's vantage says
		inside evidence.Inside
		way    string // how pid 17 was found
	}{
		"a pod, one command":               {lap + "kubectl exec " + pod + " -- cat /proc/17/stat\n" + stat17 + get(lap, pod+":17:7"), evidence.Subject{}, pod, inPod, "value"},
		"a pod of a namespace":             {lap + "kubectl -n pay exec pod/" + pod + " -c app -- cat /proc/17/stat\n" + stat17 + get(lap, pod+":17:7"), evidence.Subject{Pid: 17}, pod, evidence.Inside{Pod: pod, Namespace: "pay", Container: "app"}, "value"},
		"a pod's shell that names it":      {lap + "kubectl exec -it " + pod + " -- bash\nroot@" + pod + ":/app# cat /proc/17/stat\n" + stat17 + "root@" + pod + ":/app# exit\nexit\n" + get(lap, pod+":17:7"), evidence.Subject{}, pod, inPod, "value"},
		"a pod's shell without a name":     {lap + "kubectl exec -it " + pod + " -- sh\n/app $ cat /proc/17/stat\n" + stat17 + "/app $ exit\n" + get(lap, pod+":17:7"), evidence.Subject{}, pod, inPod, "value"},
		"a sign, and nobody said exit":     {lap + "kubectl exec -it " + pod + " -- sh\n# cat /proc/17/stat\n" + stat17 + get(lap, pod+":17:7"), evidence.Subject{}, pod, inPod, "value"},
		"the container flag":               {lap + "kubectl exec " + pod + " -- cat /proc/17/stat\n" + stat17 + get(lap, pod+":17:7"), evidence.Subject{Container: "pay/" + pod}, pod, inPod, "value"},
		"a value that names nobody":        {lap + "kubectl exec " + pod + " -- cat /proc/17/stat\n" + stat17 + get(lap, "77aa"), evidence.Subject{Pid: 17}, pod, inPod, "flag"},
		"another's first process":          {lap + "kubectl exec " + pod + " -- cat /proc/17/stat\n" + stat17 + lap + "cat /proc/17/stat\n" + kernel + get(lap, pod+":17:7"), evidence.Subject{}, pod, inPod, "value"},
		"one of a deployment's pods":       {lap + "kubectl exec deploy/web -- cat /proc/17/stat\n" + stat17 + get(lap, pod+":17:7"), evidence.Subject{Pid: 17}, "", evidence.Inside{Pod: "deploy/web"}, "flag"},
		"the sidecar was looked at first":  {lap + "kubectl exec " + pod + " -c proxy -- cat /proc/17/stat\n" + kernel + lap + "kubectl exec " + pod + " -c app -- cat /proc/17/stat\n" + stat17 + get(lap, pod+":17:7"), evidence.Subject{Container: "app"}, pod, evidence.Inside{Pod: pod, Container: "app"}, "value"},
		"a container by the value":         {dock + "docker exec -it worker bash\nroot@" + id + ":/# cat /proc/17/stat\n" + stat17 + "root@" + id + ":/# exit\n" + get(dock, id+":17:7"), evidence.Subject{}, id, inBox, "value"},
		"a container that is named so":     {dock + "docker exec worker cat /proc/17/stat\n" + stat17 + get(dock, "worker:17:7"), evidence.Subject{}, "worker", inBox, "value"},
		"a container whose id is not told": {dock + "docker exec worker cat /proc/17/stat\n" + stat17 + get(dock, id+":17:7"), evidence.Subject{Pid: 17}, "", inBox, "flag"},
		"a container whose host says so":   {dock + "docker exec worker hostname\n" + id + "\n" + dock + "docker exec worker cat /proc/17/stat\n" + stat17 + get(dock, id+":17:7"), evidence.Subject{}, id, inBox, "value"},
		"inside, and the host's own 17":    {dock + "cat /proc/17/stat\n" + kernel + dock + "docker exec -it worker bash\nroot@" + id + ":/# cat /proc/17/stat\n" + stat17 + "root@" + id + ":/# exit\n" + get(dock, id+":17:7"), evidence.Subject{}, id, inBox, "value"},
	} {
		c.o.Key = "lk"
		s, _ := imported(t, c.text, pasted.Options{Subject: c.o})
		v := s.Vantages[0]
		if v.Host != c.host || v.Inside != c.inside {
			t.Errorf("%s: the owner's vantage is %q of %+v", name, v.Host, v.Inside)
		}
		if len(s.Processes) != 1 || s.Processes[0].Pid != 17 || !slices.ContainsFunc(s.Processes[0].Ways, func(w evidence.Candidate) bool { return w.Way == c.way }) {
			t.Errorf("%s: %+v", name, s.Processes)
			continue
		}
		if l := s.Processes[0].Looks; len(l) != 1 || l[0].Stat.Value.Comm != "node" {
			t.Errorf("%s: what was seen of it: %+v", name, l)
		}
	}
}

// A process of the host stays the host's, whoever was gone into besides.
func TestReadOutside(t *testing.T) {
	text := "ops@dock-1:~$ docker exec cache cat /proc/17/stat\n" + stat17 + "ops@dock-1:~$ cat /proc/17/stat\n" + kernel + get("ops@dock-1:~$ ", "dock-1:17:7")
	s, _ := imported(t, text, pasted.Options{})
	if v := s.Vantages[0]; v.Host != "dock-1" || v.OwnPids() {
		t.Errorf("%+v", v)
	}
	if len(s.Processes) != 1 || len(s.Processes[0].Looks) != 1 || s.Processes[0].Looks[0].Stat.Value.Comm != "kworker/2:0" {
		t.Errorf("%+v", s.Processes)
	}
}

// A container sees its own control group as the root of all, and asks Redis on its
// owner's way.
func TestInsideItsOwnGroup(t *testing.T) {
	const pod = "web-6f9c8d7b5-h4tq2"
	in := "pavel@lap:~$ kubectl exec " + pod + " -- "
	text := in + "cat /proc/17/stat\n" + stat17 + in + "cat /sys/fs/cgroup/cpu.stat\nusage_usec 5\nnr_periods 41\nnr_throttled 38\nthrottled_usec 99\n" +
		in + "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory.current\nmax\n4096\n" + in + "redis-cli -h 10.0.0.5 GET lk\n\"" + pod + ":17:7\"\n"
	s, got := imported(t, text, pasted.Options{})
	if len(got.Unknown) > 0 || len(s.Processes) != 1 {
		t.Fatalf("%v %+v", got.Unknown, s.Processes)
	}
	throttled := slices.ContainsFunc(s.Processes[0].Looks, func(l evidence.ProcLook) bool { return l.Cgroup.Throttles.Value == 38 })
	if !throttled {
		t.Errorf("%+v", s.Processes[0].Looks)
	}
	for _, p := range got.Probes {
		if strings.HasPrefix(p.Name, "redis/") && p.Vantage != "owner" {
			t.Errorf("asked from %s", p.Vantage)
		}
	}
}
