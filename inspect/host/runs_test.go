package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// tasks reads one of the two snapshots of sample 26.
func tasks(t *testing.T, look string) []evidence.Task {
	t.Helper()
	var out []evidence.Task
	for _, tid := range []int{7316, 7330, 7341} {
		dir := fmt.Sprintf("26_task_progress/%s/7316/task/%d/", look, tid)
		task, err := host.ParseTask(tid, read(t, dir+"stat"), read(t, dir+"schedstat"), nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, task)
	}
	return out
}

func TestProgressSample(t *testing.T) {
	var want struct {
		Run    map[string]int64  `json:"deltas_ns"`
		Slices map[string]uint64 `json:"slices"`
	}
	expect(t, "26_task_progress", &want)
	for _, a := range host.Progress(tasks(t, "t0"), tasks(t, "t1")) {
		tid := fmt.Sprint(a.Tid)
		equal(t, tid+" ran", int64(a.Run), want.Run[tid])
		if n, ok := want.Slices[tid]; ok {
			equal(t, tid+" slices", a.Slices, n)
		}
		equal(t, tid+" fresh", a.Fresh, false)
	}
}

func TestProgressOfThreadsThatComeAndGo(t *testing.T) {
	task := func(tid int, run time.Duration, slices uint64) evidence.Task {
		return evidence.Task{Tid: tid, Run: run, Slices: slices}
	}
	got := host.Progress(
		[]evidence.Task{task(9, 50, 5), task(8, 40, 4), task(7, 30, 3)},
		[]evidence.Task{task(9, 60, 6), task(8, 10, 1), task(6, 20, 2)})
	want := []host.Advance{
		{Tid: 6, Run: 20, Slices: 2, Fresh: true}, // born in between
		{Tid: 8, Run: 10, Slices: 1, Fresh: true}, // the id was reused
		{Tid: 9, Run: 10, Slices: 1},
	}
	equal(t, "threads", len(got), len(want))
	for i := range want {
		equal(t, fmt.Sprint("thread ", want[i].Tid), got[i], want[i])
	}
}

func TestTaskWithoutSchedstatIsNotIdle(t *testing.T) {
	stat := read(t, "26_task_progress/t0/7316/task/7330/stat")
	if task, err := host.ParseTask(7330, stat, nil, nil); err == nil {
		t.Errorf("read as %+v", task)
	}
}

func TestDockerSample(t *testing.T) {
	var want struct {
		HostPid   int       `json:"host_pid"`
		OOMKilled bool      `json:"oom_killed_flag"`
		Previous  time.Time `json:"previous_finished"`
		Restarts  int       `json:"restart_count"`
		Running   bool
		Started   time.Time
	}
	expect(t, "32_docker_inspect.json", &want)
	list, err := host.ParseDocker(read(t, "32_docker_inspect.json"))
	if err != nil {
		t.Fatal(err)
	}
	c := list[0]
	equal(t, "name", c.Name, "orders")
	equal(t, "pid", c.Pid, want.HostPid)
	equal(t, "killed", c.OOMKilled, want.OOMKilled)
	equal(t, "restarts", c.Restarts, want.Restarts)
	equal(t, "running", c.Running, want.Running)
	equal(t, "started", c.Started, want.Started)
	equal(t, "previous end", c.Previous, want.Previous)
	equal(t, "still runs", c.Finished.IsZero(), true)
	equal(t, "limit", c.Memory, 536870912)
}

func TestDockerOtherStates(t *testing.T) {
	list, err := host.ParseDocker([]byte(`{"Id":"c1","State":{"Status":"exited","OOMKilled":true,"ExitCode":137,
		"StartedAt":"2026-03-03T02:00:00Z","FinishedAt":"2026-03-03T02:14:07Z"}}`))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "killed", list[0].OOMKilled, true)
	equal(t, "end", list[0].Finished, time.Date(2026, 3, 3, 2, 14, 7, 0, time.UTC))
	equal(t, "no run before it is known", list[0].Previous.IsZero(), true)

	list, err = host.ParseDocker([]byte(`[{"Id":"c1","State":{"Running":true,"FinishedAt":"0001-01-01T00:00:00Z"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "first run has no end before it", list[0].Previous.IsZero(), true)

	for name, text := range map[string]string{
		"empty": "", "no list": `"x"`, "no id": `[{}]`, "odd time": `[{"Id":"c","State":{"StartedAt":"soon"}}]`,
	} {
		if c, err := host.ParseDocker([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, c)
		}
	}
}

func TestShowSample(t *testing.T) {
	var want struct {
		Result   string    `json:"current_result"`
		MainPID  int       `json:"main_pid"`
		Restarts int       `json:"nrestarts"`
		Kills    int64     `json:"oom_kills"`
		ExitMono int64     `json:"previous_exit_mono_us"`
		ExitWall time.Time `json:"previous_exit_wall"`
	}
	expect(t, "34_systemctl_show.txt", &want)
	u, err := host.ParseShow(read(t, "34_systemctl_show.txt"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "id", u.ID, "orders.service")
	equal(t, "result", u.Result, want.Result)
	equal(t, "main pid", u.MainPID, want.MainPID)
	equal(t, "restarts", u.Restarts, want.Restarts)
	equal(t, "invocation", u.InvocationID, "5d0c7e41b7a94f2d8a6c1e93f0b2d448")
	equal(t, "group", u.ControlGroup, "/system.slice/orders.service")
	saw(t, "kills", u.OOMKills, want.Kills)
	exit, ok := u.PreviousExit()
	equal(t, "previous exit known", ok, true)
	equal(t, "previous exit", exit, host.Moment{Wall: want.ExitWall, Mono: time.Duration(want.ExitMono) * time.Microsecond})
	equal(t, "the main process has not ended", u.ExecMainExit, host.Moment{})
}

func TestShowLines(t *testing.T) {
	u, err := host.ParseShow([]byte("Id=a.service\nActiveEnterTimestamp=Tue 2026-03-03 03:14:12 CET\n" +
		"ActiveEnterTimestampMonotonic=5000000\nOOMKills=[not set]\n\nId=b.service\nMainPID=9\n"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "only the first unit", u.ID+fmt.Sprint(u.MainPID), "a.service0")
	equal(t, "a zone nobody can tell", u.ActiveEnter, host.Moment{Mono: 5 * time.Second})
	equal(t, "kills", u.OOMKills.State, evidence.Absent)
	if _, ok := u.PreviousExit(); ok {
		t.Error("a unit that never stopped has a previous exit")
	}
	u, err = host.ParseShow([]byte("ActiveExitTimestamp=@1772504047\n"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "unix style", u.ActiveExit.Wall, time.Unix(1772504047, 0).UTC())
	for name, text := range map[string]string{
		"empty": "", "prose": "Unit x.service could not be found.\n", "bad pid": "MainPID=none\n",
		"bad clock": "ActiveExitTimestampMonotonic=-1\n",
	} {
		if u, err := host.ParseShow([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, u)
		}
	}
}

func TestStageFeedsBackground(t *testing.T) {
	files := map[string][]byte{"loadavg": []byte("0.50 1.25 2.00 1/300 4242\n")}
	for name, sample := range map[string]string{
		"7316/io": "22_proc/7316/io", "7316/limits": "22_proc/7316/limits",
		"pressure/cpu": "29_psi/cpu_pre_5.13",
	} {
		files[name] = read(t, sample)
	}
	notADir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notADir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := t.TempDir()
	root, done, err := host.Stage(files, notADir, good)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the first place that takes files", filepath.Dir(root), good)
	b, err := host.OpenBackground(root)
	if err != nil {
		t.Fatal(err)
	}
	checkBackground(t, b)
	done()
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if _, _, err := host.Stage(map[string][]byte{"../x": nil}); err == nil {
		t.Error("a path out of the folder was staged")
	}
}

func checkBackground(t *testing.T, b host.Background) {
	t.Helper()
	var wantIO struct {
		Read  uint64 `json:"read_bytes"`
		Write uint64 `json:"write_bytes"`
	}
	var wantLimits struct {
		Soft uint64 `json:"open_files_soft"`
	}
	expect(t, "22_proc/7316/io", &wantIO)
	expect(t, "22_proc/7316/limits", &wantLimits)
	io, err := b.IO(7316)
	equal(t, "io error", err, nil)
	equal(t, "read", io.ReadBytes, wantIO.Read)
	equal(t, "written", io.WriteBytes, wantIO.Write)
	limits, err := b.Limits(7316)
	equal(t, "limits error", err, nil)
	equal(t, "open files", limits.OpenFiles, wantLimits.Soft)
	one, five, fifteen, err := b.Load()
	equal(t, "load error", err, nil)
	equal(t, "load", fmt.Sprint(one, five, fifteen), "0.5 1.25 2")
	stats, err := b.Pressure("cpu")
	equal(t, "pressure error", err, nil)
	ours, err := host.ParsePressure(read(t, "29_psi/cpu_pre_5.13"))
	equal(t, "our pressure error", err, nil)
	equal(t, "procfs and this package agree", stats.Some.Total, uint64(ours.Some.Total.Microseconds()))
	equal(t, "no full line", stats.Full == nil && ours.Full == nil, true)
	if _, err := b.IO(1); err == nil {
		t.Error("io of a process that was not staged")
	}
}
