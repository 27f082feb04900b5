package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

const hybridMounts = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:10 master:2 - cgroup cgroup rw,memory
37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`

func TestCgroupSample(t *testing.T) {
	var want struct{ Freezer, Memory, Unified string }
	expect(t, "22_proc/7316/cgroup", &want)
	paths, err := host.ParseCgroup(read(t, "22_proc/7316/cgroup"))
	if err != nil {
		t.Fatal(err)
	}
	mounts, err := host.ParseMountinfo([]byte(hybridMounts))
	if err != nil {
		t.Fatal(err)
	}
	for controller, path := range map[string]string{
		"memory": want.Memory, "freezer": want.Freezer, "io": want.Unified,
	} {
		p, ok := host.Serving(paths, controller)
		equal(t, controller+" found", ok, true)
		equal(t, controller, p.Path, path)
	}
	for controller, dir := range map[string]string{
		"memory":  "/sys/fs/cgroup/memory" + want.Memory,
		"freezer": "/sys/fs/cgroup/freezer" + want.Freezer,
		"cpu":     "/sys/fs/cgroup/cpu,cpuacct" + want.Memory,
		"cpuacct": "/sys/fs/cgroup/cpu,cpuacct" + want.Memory,
		"io":      "/sys/fs/cgroup/unified" + want.Unified,
	} {
		got, _ := host.Dir(paths, mounts, controller)
		equal(t, controller, got, dir)
	}
	unified, _ := host.UnifiedDir(paths, mounts)
	equal(t, "unified", unified, "/sys/fs/cgroup/unified"+want.Unified)
	if dir, ok := host.Dir(paths, mounts, "devices"); ok {
		t.Errorf("devices is not mounted, got %s", dir)
	}
}

func TestDirBelowMounts(t *testing.T) {
	for _, c := range []struct{ name, cgroup, root, want string }{
		{"host", "0::/system.slice/a.service", "/", "/sys/fs/cgroup/system.slice/a.service"},
		{"the root group", "0::/", "/", "/sys/fs/cgroup"},
		{"container without a namespace", "0::/docker/c1/app", "/docker/c1", "/sys/fs/cgroup/app"},
		{"its own root", "0::/docker/c1", "/docker/c1", "/sys/fs/cgroup"},
		{"another container", "0::/docker/c12", "/docker/c1", ""},
		{"outside the namespace", "0::/../other", "/", ""},
		{"outside, but so is the mount", "0::/../other", "/..", "/sys/fs/cgroup/other"},
		{"a way out of the mount", "0::/docker/c1/../../etc", "/docker/c1", ""},
		{"removed", "0::/system.slice/a.service (deleted)", "/", ""},
	} {
		paths, err := host.ParseCgroup([]byte(c.cgroup + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		mounts, err := host.ParseMountinfo([]byte("30 23 0:26 " + c.root + " /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := host.Dir(paths, mounts, "memory")
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
}

// In a container that has the host's root at /host the kernel names both its own
// mounts and the host's, and only the latter show the host's groups.
func TestMountsUnder(t *testing.T) {
	mounts, err := host.ParseMountinfo([]byte(`30 23 0:26 /kubepods/me /sys/fs/cgroup ro - cgroup2 cgroup2 rw
31 23 0:26 / /host/sys/fs/cgroup rw - cgroup2 cgroup2 rw
32 23 0:27 / /hostile/cgroup rw - cgroup2 cgroup2 rw
`))
	if err != nil {
		t.Fatal(err)
	}
	got := host.Under(mounts, "/host/")
	if len(got) != 1 || got[0].Point != "/sys/fs/cgroup" || got[0].Root != "/" {
		t.Errorf("below /host: %+v", got)
	}
	equal(t, "the root itself", len(host.Under(mounts, "/")), 3)
	equal(t, "nothing below", len(host.Under(mounts, "/proc/1/root")), 3)
	paths, err := host.ParseCgroup([]byte("0::/kubepods/other\n"))
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := host.UnifiedDir(paths, got)
	equal(t, "another container's folder", dir, "/sys/fs/cgroup/kubepods/other")
}

func TestCgroupLines(t *testing.T) {
	paths, err := host.ParseCgroup([]byte("4:cpu,cpuacct:/a:b (deleted)\n0::/x\n"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "path with a colon", paths[0].Path, "/a:b")
	equal(t, "deleted", paths[0].Deleted, true)
	equal(t, "controllers", strings.Join(paths[0].Controllers, " "), "cpu cpuacct")
	for name, text := range map[string]string{
		"empty": "", "two parts": "0:/x\n", "no path": "0::\n", "no number": "x::/\n",
	} {
		if p, err := host.ParseCgroup([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
	mounts, err := host.ParseMountinfo([]byte(`30 23 0:26 / /my\040cgroups rw - cgroup2 cgroup2 rw` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "escaped mount point", mounts[0].Point, "/my cgroups")
	if _, err := host.ParseMountinfo([]byte("30 23 0:26 / /sys rw\n")); err == nil {
		t.Error("a cut mountinfo line was read")
	}
}

// folder answers for the files of one sample folder; every other file is absent.
func folder(t *testing.T, dir string) func(host.GroupFile) evidence.Reading[[]byte] {
	return func(f host.GroupFile) evidence.Reading[[]byte] {
		b, err := os.ReadFile(filepath.Join(samples, dir, f.Name))
		if err != nil {
			return evidence.None[[]byte]("cgroup/"+f.Name, "no such file")
		}
		return evidence.Saw("cgroup/"+f.Name, b)
	}
}

// texts answers from memory.
func texts(files map[string]string) func(host.GroupFile) evidence.Reading[[]byte] {
	return func(f host.GroupFile) evidence.Reading[[]byte] {
		if text, ok := files[f.Name]; ok {
			return evidence.Saw("cgroup/"+f.Name, []byte(text))
		}
		return evidence.None[[]byte]("cgroup/"+f.Name, "no such file")
	}
}

func saw[T comparable](t *testing.T, what string, r evidence.Reading[T], want T) {
	t.Helper()
	if got, ok := r.Get(); !ok || got != want {
		t.Errorf("%s: %+v, want %v", what, r, want)
	}
}

func TestGroupV2Sample(t *testing.T) {
	var stat struct {
		Periods   int64   `json:"nr_periods"`
		Throttles int64   `json:"nr_throttled"`
		Throttled int64   `json:"throttled_usec"`
		Ratio     float64 `json:"throttled_ratio"`
	}
	var events, local struct {
		High, OOM int64
		Kills     int64 `json:"oom_kill"`
	}
	var size struct{ Bytes int64 }
	var quota struct{ CPUs float64 }
	expect(t, "27_cgroup_v2/cpu.stat", &stat)
	expect(t, "27_cgroup_v2/memory.events", &events)
	expect(t, "27_cgroup_v2/memory.events.local", &local)
	expect(t, "27_cgroup_v2/cpu.max", &quota)

	g := host.Group(folder(t, "27_cgroup_v2"))
	saw(t, "periods", g.Periods, stat.Periods)
	saw(t, "throttles", g.Throttles, stat.Throttles)
	saw(t, "throttled", g.Throttled, time.Duration(stat.Throttled)*time.Microsecond)
	if r := float64(g.Throttles.Value) / float64(g.Periods.Value); r < stat.Ratio-0.0001 || r > stat.Ratio+0.0001 {
		t.Errorf("throttled share %f, want %f", r, stat.Ratio)
	}
	saw(t, "usage", g.Usage, 626005874*time.Microsecond)
	saw(t, "kills", g.OOMKills, events.Kills)
	saw(t, "kills here", g.OOMKillsLocal, local.Kills)
	saw(t, "high", g.MemoryHigh, events.High)
	expect(t, "27_cgroup_v2/memory.current", &size)
	saw(t, "memory", g.MemoryNow, size.Bytes)
	expect(t, "27_cgroup_v2/memory.max", &size)
	saw(t, "limit", g.MemoryMax, size.Bytes)
	expect(t, "27_cgroup_v2/memory.peak", &size)
	saw(t, "peak", g.MemoryPeak, size.Bytes)
	saw(t, "group kill", g.OOMGroup, true)
	saw(t, "quota", g.Quota, quota.CPUs)
	saw(t, "frozen", g.Frozen, true)
	saw(t, "frozen by itself", g.FrozenSelf, false)
	saw(t, "frozen for", g.FrozenFor, 407108*time.Microsecond)
	equal(t, "memory pressure", g.Mem.Value.Some.Avg10, 62.31)
	equal(t, "cpu pressure", g.CPU.State, evidence.Absent)
	equal(t, "under oom, a v1 fact", g.UnderOOM.State, evidence.Absent)
	equal(t, "kills are cited as", g.OOMKills.Source, "cgroup/memory.events/oom_kill")

	high, err := host.ParseLimit(read(t, "27_cgroup_v2/memory.high"))
	equal(t, "memory.high", high, host.NoLimit)
	equal(t, "memory.high error", err, nil)
}

func TestGroupV1(t *testing.T) {
	g := host.Group(texts(map[string]string{
		"freezer.state":         "FREEZING\n",
		"freezer.self_freezing": "0\n",
		"memory.oom_control":    "oom_kill_disable 1\nunder_oom 1\noom_kill 4\n",
		"memory.limit_in_bytes": "9223372036854771712\n",
		"memory.usage_in_bytes": "4096\n",
		"cpu.stat":              "nr_periods 7\nnr_throttled 3\nthrottled_time 1500000000\n",
		"cpu.cfs_quota_us":      "150000\n",
		"cpu.cfs_period_us":     "100000\n",
		"cpuacct.usage":         "2500000000\n",
	}))
	saw(t, "frozen", g.Frozen, true)
	saw(t, "frozen by itself", g.FrozenSelf, false)
	saw(t, "under oom", g.UnderOOM, true)
	saw(t, "kills", g.OOMKills, 4)
	saw(t, "limit", g.MemoryMax, host.NoLimit)
	saw(t, "memory", g.MemoryNow, 4096)
	saw(t, "throttled", g.Throttled, 1500*time.Millisecond)
	saw(t, "quota", g.Quota, 1.5)
	saw(t, "usage", g.Usage, 2500*time.Millisecond)

	thawed := host.Group(texts(map[string]string{
		"freezer.state":      "THAWED\n",
		"memory.oom_control": "oom_kill_disable 0\nunder_oom 1\n",
		"cpu.cfs_quota_us":   "-1\n",
	}))
	saw(t, "thawed", thawed.Frozen, false)
	saw(t, "a kill in progress", thawed.UnderOOM, false)
	saw(t, "no quota needs no period", thawed.Quota, host.NoLimit)
	equal(t, "kills before 4.13", thawed.OOMKills.State, evidence.Absent)
}

func TestGroupKeepsAbsentRefusedAndZeroApart(t *testing.T) {
	none := host.Group(texts(nil))
	for what, state := range map[string]evidence.State{
		"frozen": none.Frozen.State, "kills": none.OOMKills.State, "throttled": none.Throttled.State,
		"quota": none.Quota.State, "memory": none.MemoryNow.State,
	} {
		equal(t, what+" without files", state, evidence.Absent)
	}
	denied := host.Group(func(f host.GroupFile) evidence.Reading[[]byte] {
		if f.Name == "freezer.state" || f.Name == "memory.events" {
			return evidence.Refused[[]byte](f.Name, evidence.Denied, "permission denied")
		}
		return texts(map[string]string{"cgroup.events": "populated 1\nfrozen 0\n"})(f)
	})
	equal(t, "v2 says no, v1 is denied", denied.Frozen.Status, evidence.Denied)
	equal(t, "kills denied", denied.OOMKills.Status, evidence.Denied)

	alone := host.Group(func(f host.GroupFile) evidence.Reading[[]byte] {
		if f.Controller == "freezer" {
			return evidence.Refused[[]byte](f.Name, evidence.Unsupported, "no v1 freezer here")
		}
		return texts(map[string]string{"cgroup.events": "populated 1\nfrozen 0\n", "cpu.stat": "usage_usec 1\n"})(f)
	})
	saw(t, "no v1 freezer to ask", alone.Frozen, false)
	equal(t, "cpu controller off", alone.Throttles.State, evidence.Absent)

	damaged := host.Group(texts(map[string]string{"memory.events": "oom_kill many\n", "cpu.max": "20000\n"}))
	equal(t, "damaged kills", damaged.OOMKills.Status, evidence.Failed)
	equal(t, "damaged quota", damaged.Quota.Status, evidence.Failed)
}

func TestGroupFilesAreAllAsked(t *testing.T) {
	asked := map[host.GroupFile]bool{}
	host.Group(func(f host.GroupFile) evidence.Reading[[]byte] {
		asked[f] = true
		return evidence.Reading[[]byte]{}
	})
	for _, f := range host.GroupFiles {
		if !asked[f] {
			t.Errorf("%v is listed but never asked for", f)
		}
		delete(asked, f)
	}
	for f := range asked {
		t.Errorf("%v is asked for but not listed", f)
	}
}

// A file that somebody filtered shows what it shows; what is not there may
// still have been in the file.
func TestGroupInParts(t *testing.T) {
	group := func(status evidence.Status, text string) evidence.Cgroup {
		return host.Group(func(f host.GroupFile) evidence.Reading[[]byte] {
			if f.Name != "cpu.stat" {
				return evidence.Refused[[]byte]("x/"+f.Name, evidence.Skipped, "not asked for")
			}
			r := evidence.Saw("x/cpu.stat", []byte(text))
			r.Status = status
			return r
		})
	}
	const usage = "usage_usec 609400112\n"
	whole, cut := group("", usage), group(evidence.Truncated, usage)
	if whole.Throttles.State != evidence.Absent {
		t.Errorf("a whole file without nr_throttled: %+v, want absent", whole.Throttles)
	}
	if cut.Throttles.State != evidence.Unread || cut.Throttles.Status != evidence.Truncated {
		t.Errorf("a part without nr_throttled: %+v, want unread", cut.Throttles)
	}
	if u, ok := cut.Usage.Get(); !ok || u != 609400112*time.Microsecond || cut.Usage.Status != "" {
		t.Errorf("the usage that is there: %+v", cut.Usage)
	}
}
