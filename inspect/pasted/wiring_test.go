package pasted_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// imported is the snapshot that a text and some files lead to.
func imported(t *testing.T, text string, o pasted.Options) (evidence.Snapshot, pasted.Result) {
	t.Helper()
	if o.Subject.Key == "" {
		o.Subject.Key = "lk"
	}
	var texts []pasted.Text
	if text != "" {
		texts = append(texts, pasted.Text{Name: "ticket", From: strings.NewReader(text)})
	}
	got, err := pasted.Import(texts, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := inspect.Parse(got.Capture, got.Probes, got.Raw)
	if err != nil {
		t.Fatal(err)
	}
	return s, got
}

func file(kind, name, text string) pasted.File {
	return pasted.File{Kind: kind, Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// session is a terminal on the owner's host with a look at the lock around
// whatever was typed between.
func session(between string) string {
	return "fig-1$ date -u +%FT%TZ\n2026-10-05T09:31:00Z\n" +
		"fig-1$ redis-cli -h 10.0.0.5 TIME\n1) \"1791192660\"\n2) \"100000\"\n" +
		"fig-1$ redis-cli -h 10.0.0.5 PTTL lk\n(integer) 20000\n" + between +
		"fig-1$ redis-cli -h 10.0.0.5 TIME\n1) \"1791192662\"\n2) \"100000\"\n" +
		"fig-1$ date -u +%FT%TZ\n2026-10-05T09:31:03Z\n"
}

// A typed is a command, what it printed, and what must come of it.
type typed struct {
	name, command, printed string
	ok                     func(evidence.Snapshot) bool
}

// What a command printed reaches the field that rules read.
func TestCommandsReachTheSnapshot(t *testing.T) {
	for _, tt := range slices.Concat(clocks(), supervisors(), logs(), hosts()) {
		s, got := imported(t, session("fig-1$ "+tt.command+"\n"+tt.printed), pasted.Options{})
		if !tt.ok(s) {
			t.Errorf("%s: not in the snapshot; unknown %v\n%+v", tt.name, got.Unknown, s.Host)
		}
	}
}

func clocks() []typed {
	return []typed{
		{"a filtered chronyc", "chronyc tracking | grep -E 'System time|Leap'", "System time     : 0.000120 seconds slow of NTP time\nLeap status     : Normal\n",
			func(s evidence.Snapshot) bool {
				v, ok := s.Host.Chrony.Get()
				return ok && v.Correction == 120*time.Microsecond && v.Leap == "normal"
			}},
		{"chronyc with sudo", "sudo chronyc -n tracking", "Reference ID    : 0A000001 (10.0.0.1)\nStratum         : 3\nSystem time     : 0.000001 seconds fast of NTP time\nRoot delay      : 0.01 seconds\nRoot dispersion : 0.002 seconds\nLeap status     : Normal\n",
			func(s evidence.Snapshot) bool {
				v, ok := s.Host.Chrony.Get()
				return ok && v.Synchronised() && v.Stratum == 3
			}},
		{"chronyc that asks Redis's host", "chronyc -h 10.0.0.5 tracking", "System time     : 4.0 seconds slow of NTP time\nLeap status     : Normal\n",
			func(s evidence.Snapshot) bool {
				return s.Host.Chrony.State == evidence.Unread && len(s.Others) == 1 && s.Others[0].Vantage == "coordinator" && s.Others[0].Chrony.Value.Correction == 4*time.Second
			}},
		{"chronyc, host last", "chronyc tracking -h 10.0.0.5", "System time     : 4.0 seconds slow of NTP time\nLeap status     : Normal\n",
			func(s evidence.Snapshot) bool { return len(s.Others) == 1 && s.Others[0].Chrony.State == evidence.Seen }},
		{"chronyc that cannot", "chronyc tracking", "506 Cannot talk to daemon\n",
			func(s evidence.Snapshot) bool {
				return s.Host.Chrony.State == evidence.Unread && s.Host.Chrony.Status == evidence.Failed
			}},
		{"ntpq", "ntpq -pn", "     remote           refid      st t when poll reach   delay   offset  jitter\n==============================================================================\n*10.0.0.1        .GPS.            1 u   33   64  377    0.123   -1.500   0.020\n",
			func(s evidence.Snapshot) bool {
				v, ok := s.Host.NTP.Get()
				return ok && v.Synced && v.Offset == -1500*time.Microsecond
			}},
		{"timedatectl", "timedatectl", "               Local time: Mon 2026-10-05 11:31:01 CEST\n                Time zone: Europe/Berlin (CEST, +0200)\nSystem clock synchronized: no\n              NTP service: inactive\n",
			func(s evidence.Snapshot) bool {
				v, ok := s.Host.NTP.Get()
				return ok && !v.Synced && s.Vantages[0].Zone == "Europe/Berlin"
			}},
	}
}

func supervisors() []typed {
	return []typed{
		{"systemctl show", "systemctl show worker -p MainPID,ActiveState,Result", "MainPID=0\nActiveState=failed\nResult=oom-kill\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Units) == 1 && s.Host.Units[0].Name == "worker.service" && s.Host.Units[0].Result == "oom-kill"
			}},
		{"systemctl is-active", "systemctl is-active worker.service", "inactive\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Units) == 1 && s.Host.Units[0].Active == "inactive" && s.Host.Units[0].Name == "worker.service"
			}},
		{"docker inspect", "docker inspect worker", `[{"Id":"9f31","Name":"/worker","State":{"Status":"exited","Running":false,"OOMKilled":true,"ExitCode":137,"Pid":0,"StartedAt":"2026-10-05T08:00:00Z","FinishedAt":"2026-10-05T09:30:10.5Z"}}]` + "\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Containers) == 1 && s.Host.Containers[0].OOMKilled && s.Host.Containers[0].Exit.Value == 137
			}},
		{"kubectl get, the namespace first", "kubectl -n pay get events", "LAST SEEN   TYPE      REASON    OBJECT        MESSAGE\n47s         Warning   Evicted   pod/worker-0   The node was low on resource: memory.\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Cluster) == 1 && s.Host.Cluster[0].Reason == "Evicted" && s.Host.Cluster[0].At.Known()
			}},
		{"jstat", "jstat -gcutil 4120", "  S0     S1     E      O      M     CCS    YGC     YGCT    FGC    FGCT     GCT\n  0.00  99.80  16.21  98.70  95.80  93.00   1842   41.210    12   96.400  137.610\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Collectors) == 1 && s.Host.Collectors[0].Pid == 4120 && s.Host.Collectors[0].Full == 12
			}},
	}
}

func logs() []typed {
	return []typed{
		{"a chronyd step in the journal", "journalctl -u chronyd -o short-iso --no-pager", "2026-10-05T09:20:00+0000 fig-1 chronyd[611]: System clock was stepped by 37.500000 seconds\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Steps) == 1 && s.Host.Steps[0].By == 37500*time.Millisecond && s.Host.Steps[0].At.Mid().Minute() == 20
			}},
		{"a worker's log by kubectl", "kubectl logs -p worker-0 --timestamps", `2026-10-05T09:30:01.5Z {"event":"renew","key":"lk","owner":"fig-1:7","ok":true}` + "\n",
			func(s evidence.Snapshot) bool {
				return len(s.Events) == 1 && s.Events[0].Event == evidence.DeedRenew && s.Events[0].At.Known()
			}},
		{"a server's log by cat", "cat /var/log/redis/redis-server.log", "1:M 05 Oct 2026 09:30:00.123 # User requested shutdown...\n",
			func(s evidence.Snapshot) bool {
				return len(s.Notices) == 1 && s.Notices[0].Class == evidence.NoticeStopping && s.Notices[0].At.Clock == evidence.Coordinator
			}},
		{"a collector's log", "tail -n 1 /opt/worker/logs/gc.log", "[2026-10-05T09:29:50.000+0000][info][gc] GC(12) Pause Full (Allocation Failure) 1023M->1020M(1024M) 14210.120ms\n",
			func(s evidence.Snapshot) bool {
				return len(s.Host.Pauses) == 1 && s.Host.Pauses[0].Took > 14*time.Second
			}},
	}
}

func hosts() []typed {
	return []typed{
		{"a kernel's log in two parts", "dmesg | tail -1", "[90010.000000] Killed process 77 (other) total-vm:4kB, anon-rss:4kB, file-rss:0kB\nfig-1$ dmesg | grep 'process 7 '\n[90000.000000] Killed process 7 (worker) total-vm:4kB, anon-rss:4kB, file-rss:0kB\nfig-1$ dmesg | grep Killed\n[90000.000000] Killed process 7 (worker) total-vm:4kB, anon-rss:4kB, file-rss:0kB\n[90010.000000] Killed process 77 (other) total-vm:4kB, anon-rss:4kB, file-rss:0kB\n",
			func(s evidence.Snapshot) bool {
				e := s.Host.Kernel.Value.Events
				return len(e) == 2 && e[0].Pid == 7 && e[1].Pid == 77 && s.Host.Kernel.Value.Oldest == 0
			}},
		{"the boot clock", "date -u; cat /proc/uptime", "Mon Oct  5 09:31:01 UTC 2026\n90060.00 100000.00\nfig-1$ dmesg\n[90000.000000] Killed process 7 (worker) total-vm:4kB, anon-rss:4kB, file-rss:0kB\n",
			func(s evidence.Snapshot) bool {
				e := s.Host.Kernel.Value.Events
				return len(e) == 1 && e[0].Wall.Bound() < 3*time.Second && e[0].Wall.Mid().Sub(time.Date(2026, 10, 5, 9, 30, 1, 5e8, time.UTC)).Abs() < 2*time.Second
			}},
		{"boot, namespace and zone", "cat /proc/sys/kernel/random/boot_id", "0a0a0a0a-1111-4222-8333-444444444444\nfig-1$ readlink /proc/self/ns/pid\npid:[4026531836]\nfig-1$ date\nMon Oct  5 09:31:01 UTC 2026\n",
			func(s evidence.Snapshot) bool {
				v := s.Vantages[0]
				return strings.HasPrefix(v.BootID, "0a0a") && v.PidNS == "pid:[4026531836]" && v.Zone == "UTC" && v.HostClock() == evidence.Clock("host:"+v.BootID)
			}},
		{"a filtered CLIENT LIST", "redis-cli -h 10.0.0.5 CLIENT LIST | grep worker", "id=7 addr=10.0.0.9:4000 name=worker age=5 idle=1 flags=N db=0 cmd=get\n",
			func(s evidence.Snapshot) bool { return len(s.Node.Clients) == 1 && s.Node.Clients[0].Partial }},
		{"a whole CLIENT LIST", "redis-cli -h 10.0.0.5 CLIENT LIST", "id=7 addr=10.0.0.9:4000 name=worker age=5 idle=1 flags=N db=0 cmd=get\n",
			func(s evidence.Snapshot) bool { return len(s.Node.Clients) == 1 && !s.Node.Clients[0].Partial }},
	}
}

// A heartbeat file shows by its date or by what is in it.
func TestHeartbeatFile(t *testing.T) {
	o := pasted.Options{Subject: evidence.Subject{Key: "lk", Heartbeat: "file:/run/w/beat"}}
	for name, between := range map[string]string{
		"stat":  "fig-1$ stat -c %y /run/w/beat\n2026-10-05 09:30:00.000000000 +0000\n",
		"ls":    "fig-1$ ls -l --full-time /run/w/beat\n-rw-r--r-- 1 w w 3 2026-10-05 09:30:00.000000000 +0000 /run/w/beat\n",
		"value": "fig-1$ cat /run/w/beat\n1791192600\n",
	} {
		s, _ := imported(t, session(between), o)
		if len(s.Heartbeat) != 1 {
			t.Errorf("%s: %+v", name, s.Heartbeat)
			continue
		}
		if age, ok := s.Heartbeat[0].Age.Get(); !ok || age < 59*time.Second || age > 64*time.Second {
			t.Errorf("%s: %+v", name, s.Heartbeat[0])
		}
	}
}

// Every sort of whole file reaches the field that rules read, with a text and
// without one.
func TestWholeFiles(t *testing.T) {
	for _, tt := range []struct {
		file pasted.File
		ok   func(evidence.Snapshot) bool
	}{
		{file("dmesg", "dmesg.txt", "[90000.000000] Killed process 7 (worker) total-vm:4kB, anon-rss:4kB, file-rss:0kB\n"),
			func(s evidence.Snapshot) bool { return len(s.Host.Kernel.Value.Events) == 1 }},
		{file("journal", "j.txt", "2026-10-05T09:20:00+0000 fig-1 chronyd[611]: System clock was stepped by -2.0 seconds\n"),
			func(s evidence.Snapshot) bool { return len(s.Host.Steps) == 1 && s.Host.Steps[0].By == -2*time.Second }},
		{file("client-list", "c.txt", "10.0.0.5:6379> CLIENT LIST\nid=7 addr=10.0.0.9:4000 name=worker age=5 idle=1 flags=N db=0 cmd=get\n"),
			func(s evidence.Snapshot) bool {
				return len(s.Node.Clients) == 1 && s.Node.Clients[0].Clients.Value[0].ID == 7
			}},
		{file("slowlog", "s.txt", "1) 1) (integer) 4\n   2) (integer) 1791192600\n   3) (integer) 12000\n   4) 1) \"DEL\"\n      2) \"lk\"\n   5) \"10.0.0.9:4000\"\n   6) \"\"\n"),
			func(s evidence.Snapshot) bool {
				v, ok := s.Node.Slowlog.Get()
				return ok && len(v) == 1 && v[0].ID == 4
			}},
		{file("info", "i.txt", "# Server\nredis_version:7.2.4\nrun_id:abc\n"),
			func(s evidence.Snapshot) bool { return len(s.Node.Infos) == 1 && s.Node.Infos[0].RunID.Value == "abc" }},
		{file("chrony", "t.txt", "System time     : 0.5 seconds fast of NTP time\nLeap status     : Normal\n"),
			func(s evidence.Snapshot) bool { return s.Host.Chrony.Value.Correction == -500*time.Millisecond }},
		{file("docker", "d.json", `[{"Id":"9f31","Name":"/worker","State":{"Status":"running","Running":true,"Pid":7,"StartedAt":"2026-10-05T08:00:00Z"}}]`),
			func(s evidence.Snapshot) bool { return len(s.Host.Containers) == 1 && s.Host.Containers[0].Pid == 7 }},
		{file("pod", "p.json", `{"kind":"Pod","metadata":{"name":"w-0","namespace":"pay"},"status":{"phase":"Running","containerStatuses":[{"name":"w","restartCount":2,"containerID":"containerd://aa","state":{"running":{"startedAt":"2026-10-05T09:00:00Z"}}}]}}`),
			func(s evidence.Snapshot) bool {
				return len(s.Host.Containers) == 1 && s.Host.Containers[0].Restarts == 2
			}},
		{file("pod", "p.txt", "Name:         w-0\nNamespace:    pay\nNode:         fig-1/10.0.0.9\nContainers:\n  w:\n    Container ID:   containerd://aa\n    State:          Running\n      Started:      Mon, 05 Oct 2026 09:00:00 +0000\n    Restart Count:  3\n"),
			func(s evidence.Snapshot) bool {
				return len(s.Host.Containers) == 1 && s.Host.Containers[0].Restarts == 3
			}},
		{file("events", "w.ndjson", `{"at":"2026-10-05T09:30:01Z","event":"acquire","key":"lk","owner":"a","token":"4"}`+"\n"),
			func(s evidence.Snapshot) bool {
				return len(s.Events) == 1 && s.Events[0].Token == "4" && s.Events[0].At.Clock == "app:w.ndjson"
			}},
		{file("redis-log", "r.log", "1:M 05 Oct 2026 09:30:00.123 # User requested shutdown...\n"),
			func(s evidence.Snapshot) bool { return len(s.Notices) == 1 }},
		{file("gc-log", "gc.log", "[2026-10-05T09:29:50.000+0000][info][gc] GC(12) Pause Full (Allocation Failure) 1023M->1020M(1024M) 14210.120ms\n"),
			func(s evidence.Snapshot) bool { return len(s.Host.Pauses) == 1 }},
		{file("aof", "appendonly.aof", "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*5\r\n$3\r\nSET\r\n$2\r\nlk\r\n$1\r\na\r\n$4\r\nPXAT\r\n$13\r\n1791192660000\r\n"),
			func(s evidence.Snapshot) bool {
				h, ok := s.History.Get()
				return ok && len(h.Writes) == 1 && h.Writes[0].Deed == evidence.DeedAcquire && h.Writes[0].Value == "a"
			}},
	} {
		for _, text := range []string{"", session("")} {
			s, got := imported(t, text, pasted.Options{Files: []pasted.File{tt.file}, At: time.Date(2026, 10, 5, 9, 31, 0, 0, time.UTC)})
			if !tt.ok(s) {
				t.Errorf("--%s with %d bytes of text: not in the snapshot\n%+v", tt.file.Kind, len(text), got.Probes[len(got.Probes)-1])
			}
			for _, p := range got.Probes {
				if strings.HasPrefix(p.File, "owner/files/") && p.Vantage == "coordinator" {
					t.Errorf("--%s: %+v", tt.file.Kind, p)
				}
			}
		}
	}
}

// An append-only file may be a folder.
func TestAOFFolder(t *testing.T) {
	part := "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*5\r\n$3\r\nSET\r\n$2\r\nlk\r\n$1\r\na\r\n$4\r\nPXAT\r\n$13\r\n1791192660000\r\n"
	f := pasted.File{Kind: "aof", Name: "appendonlydir", Folder: fstest.MapFS{
		"appendonly.aof.manifest":   {Data: []byte("file appendonly.aof.1.incr.aof seq 1 type i\n")},
		"appendonly.aof.1.incr.aof": {Data: []byte(part)},
	}}
	s, _ := imported(t, "", pasted.Options{Files: []pasted.File{f}})
	if h, ok := s.History.Get(); !ok || len(h.Writes) != 1 {
		t.Errorf("%+v", s.History)
	}
}

// With nothing but files, the evidence ends at their latest date, or at --at.
func TestFilesAloneHaveATime(t *testing.T) {
	f := file("events", "w.ndjson", `{"at":"2026-10-05T09:30:01Z","event":"acquire","key":"lk"}`+"\n")
	_, got := imported(t, "", pasted.Options{Files: []pasted.File{f}})
	if at := got.Capture.Vantages[0].End.Wall; at.Format("15:04:05") != "09:30:01" {
		t.Errorf("dated by the file: %v", at)
	}
	at := time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)
	_, got = imported(t, "", pasted.Options{At: at, Files: []pasted.File{file("dmesg", "d", "[1.0] x\n")}})
	if !got.Capture.Vantages[0].End.Wall.Equal(at) {
		t.Errorf("dated by --at: %+v", got.Capture.Vantages)
	}
}

// What is secret is masked before it is stored, in files too.
func TestFilesAreMasked(t *testing.T) {
	secret := "hunter2-not-for-you"
	for _, f := range []pasted.File{
		file("events", "w.log", "09:30 connecting to redis://app:"+secret+"@10.0.0.5:6379/0 for lk\n"),
		file("docker", "d.json", `[{"Id":"9f31","Config":{"Env":["REDIS_PASSWORD=`+secret+`"]},"State":{"Status":"running"}}]`),
		file("journal", "j", "Oct 05 09:30:00 fig-1 worker[7]: redis-cli -a "+secret+" PTTL lk\n"),
	} {
		_, got := imported(t, "", pasted.Options{Files: []pasted.File{f}})
		for name, b := range got.Raw {
			if strings.Contains(string(b), secret) {
				t.Errorf("%s is in %s", secret, name)
			}
		}
	}
}

// A log that is too long keeps the lines that may matter, where they stood.
func TestLongLogsAreSifted(t *testing.T) {
	noise := strings.Repeat("2026-10-05T09:00:00Z GET /health 200 took 3 ms, nothing to see here at all\n", 150_000)
	line := `{"at":"2026-10-05T09:30:01Z","event":"acquire","key":"lk","owner":"a"}` + "\n"
	s, got := imported(t, "", pasted.Options{Files: []pasted.File{file("events", "w.log", noise+line+noise)}})
	if len(s.Events) != 1 || !strings.HasSuffix(s.Events[0].Source, ":150001") {
		t.Errorf("%+v", s.Events)
	}
	for _, b := range got.Raw {
		if len(b) > 1<<20 {
			t.Errorf("%d bytes kept", len(b))
		}
	}
	if p := got.Probes[0]; !p.Truncated || p.Why == "" {
		t.Errorf("not said: %+v", p)
	}
}
