package host_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/inspect/host"
)

const samples = "../../testdata/host"

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expect decodes the right values of one sample, which stand in
// testdata/host/expected.json.
func expect(t testing.TB, name string, into any) {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(read(t, "expected.json"), &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[name], into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func seconds(f float64) time.Duration {
	return time.Duration(f * float64(time.Second)).Round(time.Microsecond)
}

func TestStatSamples(t *testing.T) {
	for _, name := range []string{"22_proc/7316/stat", "23_proc_stat_zombie.txt"} {
		t.Run(name, func(t *testing.T) {
			var want struct {
				CommHex string `json:"comm_hex"`
				State   string
				PPid    int
				UTime   uint64  `json:"utime_ticks"`
				STime   uint64  `json:"stime_ticks"`
				Threads int     `json:"threads"`
				Start   uint64  `json:"starttime_ticks"`
				After   float64 `json:"start_after_boot_s"`
				RSS     int64   `json:"rss_pages"`
				CPU     int     `json:"processor"`
				BlockIO uint64  `json:"blkio_delay_ticks"`
				Exit    int     `json:"exit_code_word"`
			}
			expect(t, name, &want)
			got, err := host.ParseStat(read(t, name))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "state", got.State, want.State)
			equal(t, "start", got.Start, want.Start)
			equal(t, "exit", got.Exit, want.Exit)
			if want.CommHex == "" {
				return // the zombie's entry gives no more than this
			}
			equal(t, "comm", hex.EncodeToString([]byte(got.Comm)), want.CommHex)
			equal(t, "ppid", got.PPid, want.PPid)
			equal(t, "utime", got.UTime, want.UTime)
			equal(t, "stime", got.STime, want.STime)
			equal(t, "threads", got.Threads, want.Threads)
			equal(t, "start after boot", got.StartAfterBoot(), seconds(want.After))
			equal(t, "rss", got.RSS, want.RSS)
			equal(t, "cpu", got.CPU, want.CPU)
			equal(t, "block i/o", got.BlockIO, want.BlockIO)
		})
	}
}

func TestStatRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":           "",
		"no name":         "7316 T 1 7316",
		"bracket order":   "7316 )lock( T 1",
		"no pid":          "(lock) T 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22",
		"cut":             "7316 (lock) T 1 7316 7316 0 -1",
		"start no number": "7316 (lock) T 1 7316 7316 0 -1 1 0 0 0 0 1 1 0 0 20 0 23 0 soon 4 21 1",
	} {
		if p, err := host.ParseStat([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
}

func TestStatusSample(t *testing.T) {
	var want struct {
		State     string
		NSpid     []int
		Threads   int
		Swap      int64 `json:"vmswap_kb"`
		Voluntary int64 `json:"nvcsw"`
		Forced    int64 `json:"nivcsw"`
		Pending   []int `json:"shared_pending_signals"`
		Container int   `json:"container_pid"`
	}
	expect(t, "22_proc/7316/status", &want)
	got, err := host.ParseStatus(read(t, "22_proc/7316/status"))
	if err != nil {
		t.Fatal(err)
	}
	stat, err := host.ParseStat(read(t, "22_proc/7316/stat"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "name, as in stat", got.Name, stat.Comm)
	equal(t, "state", got.State, want.State)
	equal(t, "tgid", got.Tgid, 7316)
	equal(t, "tracer", got.TracerPid, 0)
	equal(t, "uid", got.Uid, 1004)
	equal(t, "threads", got.Threads, want.Threads)
	equal(t, "swap", got.VmSwapKB, want.Swap)
	equal(t, "rss", got.VmRSSKB, 841328)
	equal(t, "voluntary", got.Voluntary, want.Voluntary)
	equal(t, "forced", got.Forced, want.Forced)
	equal(t, "pending", got.ShdPnd, uint64(1)<<(want.Pending[0]-1))
	equal(t, "levels", len(got.NSpid), len(want.NSpid))
	for i := range want.NSpid {
		equal(t, "ns pid", got.NSpid[i], want.NSpid[i])
	}
	equal(t, "own idea of its pid", got.NSpid[len(got.NSpid)-1], want.Container)
}

func TestStatusRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":       "",
		"other file":  "MemTotal:  1 kB\n",
		"bad tracer":  "State:\tS\nTgid:\t1\nTracerPid:\tnobody\n",
		"too nested":  "State:\tS\nTgid:\t1\nNSpid:" + strings.Repeat("\t1", 40) + "\n",
		"bad pending": "State:\tS\nTgid:\t1\nShdPnd:\txyz\n",
	} {
		if p, err := host.ParseStatus([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
}

// A status that a filter has cut keeps apart what was told from what is zero.
func TestStatusInParts(t *testing.T) {
	for name, c := range map[string]struct {
		text       string
		told, lost string
	}{
		"by pattern":   {"State:\tt (tracing stop)\nTracerPid:\t52011\nThreads:\t9\n", "TracerPid", "voluntary_ctxt_switches"},
		"first lines":  {"Name:\tquotad\nState:\tZ (zombie)\nTgid:\t59707\n", "Tgid", "TracerPid"},
		"zeros":        {"State:\tS (sleeping)\nTracerPid:\t0\n", "TracerPid", "Threads"},
		"counters":     {"voluntary_ctxt_switches:\t90120\nnonvoluntary_ctxt_switches:\t412\n", "nonvoluntary_ctxt_switches", "State"},
		"empty value":  {"State:\nThreads:\t1\n", "Threads", "State"},
		"foreign line": {"VmPeak:\t1 kB\nThreads:\t1\n", "Threads", "VmPeak"},
	} {
		p, err := host.ParseStatus([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !p.Has(c.told) || p.Has(c.lost) {
			t.Errorf("%s: told %q; want %s in it and %s not", name, p.Told, c.told, c.lost)
		}
	}
	whole, err := host.ParseStatus(read(t, "22_proc/7316/status"))
	if err != nil || whole.Told != nil || !whole.Has("Seccomp") {
		t.Errorf("a whole file told %q (%v); want nothing listed", whole.Told, err)
	}
}

func TestSmallFiles(t *testing.T) {
	t.Run("schedstat", func(t *testing.T) {
		var want struct {
			Run    int64  `json:"run_ns"`
			Delay  int64  `json:"run_delay_ns"`
			Slices uint64 `json:"slices"`
		}
		expect(t, "22_proc/7316/schedstat", &want)
		got, err := host.ParseSchedstat(read(t, "22_proc/7316/schedstat"))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "all", got, host.Sched{Run: time.Duration(want.Run), Delay: time.Duration(want.Delay), Slices: want.Slices})
	})
	t.Run("wchan", func(t *testing.T) {
		if name, ok := host.ParseWchan(read(t, "22_proc/7316/wchan")); ok {
			t.Errorf("0 read as %q", name)
		}
		name, ok := host.ParseWchan([]byte("do_signal_stop"))
		equal(t, "name", name, "do_signal_stop")
		equal(t, "ok", ok, true)
	})
	t.Run("oom_score", func(t *testing.T) {
		var want struct {
			Score int64 `json:"oom_score"`
		}
		expect(t, "22_proc/7316/oom_score", &want)
		got, err := host.ParseOOMScore(read(t, "22_proc/7316/oom_score"))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "score", got, want.Score)
	})
	t.Run("vmstat", func(t *testing.T) {
		got, ok, err := host.ParseVMKills([]byte("pgfault 18446744073709551615\noom_kill 3\n"))
		equal(t, "kills", got, 3)
		equal(t, "ok", ok && err == nil, true)
		if _, ok, _ := host.ParseVMKills([]byte("pgfault 1\n")); ok {
			t.Error("kills seen on a kernel that does not count them")
		}
	})
}

func TestPressureSamples(t *testing.T) {
	type line struct {
		Avg10 float64 `json:"avg10"`
		Total int64   `json:"total_us"`
	}
	var memory struct{ Some, Full line }
	expect(t, "27_cgroup_v2/memory.pressure", &memory)
	got, err := host.ParsePressure(read(t, "27_cgroup_v2/memory.pressure"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "some avg10", got.Some.Avg10, memory.Some.Avg10)
	equal(t, "some total", got.Some.Total.Microseconds(), memory.Some.Total)
	equal(t, "full avg10", got.Full.Avg10, memory.Full.Avg10)
	equal(t, "full total", got.Full.Total.Microseconds(), memory.Full.Total)

	for _, c := range []struct {
		file       string
		some, full *int64 // totals in microseconds; nil: no such line
	}{
		{"29_psi/cpu_pre_5.13", us(21902275), nil},
		{"29_psi/cpu_5.13", us(21902275), us(0)},
		{"29_psi/irq", nil, us(4021)},
	} {
		got, err := host.ParsePressure(read(t, c.file))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, c.file+" has some", got.Some != nil, c.some != nil)
		equal(t, c.file+" has full", got.Full != nil, c.full != nil)
		if got.Some != nil && c.some != nil {
			equal(t, c.file+" some", got.Some.Total.Microseconds(), *c.some)
		}
		if got.Full != nil && c.full != nil {
			equal(t, c.file+" full", got.Full.Total.Microseconds(), *c.full)
		}
	}
}

func us(n int64) *int64 { return &n }

func TestPressureRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":    "",
		"cut":      "some avg10=0.00 avg60=0.00",
		"no total": "some avg10=0.00 avg60=0.00 avg300=0.00\n",
		"NaN":      "some avg10=NaN avg60=0.00 avg300=0.00 total=1\n",
		"negative": "some avg10=0.00 avg60=0.00 avg300=0.00 total=-1\n",
		"too long": "some avg10=0.00 avg60=0.00 avg300=0.00 total=9300000000000000000\n",
	} {
		if p, err := host.ParsePressure([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
	newer := "some avg10=1.00 avg60=0.00 avg300=0.00 total=7 avg900=3\nthird avg10=9\n"
	if p, err := host.ParsePressure([]byte(newer)); err != nil || p.Some.Total != 7*time.Microsecond {
		t.Errorf("a newer kernel's lines: %+v, %v", p, err)
	}
}
