package serverlog

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

var (
	evening = time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)
	cet     = time.FixedZone("CET", 3600)
)

func read(t *testing.T, text string, o Options) Log {
	t.Helper()
	log, err := Read(strings.NewReader(text), "redis.log", o)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestReadOfAFailover(t *testing.T) {
	text, err := os.ReadFile("testdata/failover.log")
	if err != nil {
		t.Fatal(err)
	}
	log := read(t, string(text), Options{Context: stamp.Context{Zone: cet}, Clock: "host:cache-1"})
	var got []string
	for _, n := range log.Notices {
		got = append(got, fmt.Sprintf("%s %s%s %s", n.At.From.Format("15:04:05.000"), n.Class, n.Role, n.Node))
	}
	want := []string{
		"03:12:01.002 startedC ",
		"03:12:01.010 loadingM ",
		"03:12:01.012 loadedM ",
		"03:12:01.012 loadedM ",
		"03:12:01.012 readyM ",
		"03:12:06.120 demotedS ",
		"03:12:06.120 demotedS 10.33.64.9:6379",
		"03:12:07.131 full-resyncS ",
		"03:14:31.880 link-lostS ",
		"03:12:42.000 stopping ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if n := log.Notices[0]; n.Pid != 611 || n.At.Clock != "host:cache-1" || n.Source != "redis.log:1" || n.At.To.Sub(n.At.From) != time.Millisecond {
		t.Errorf("got %+v", n)
	}
	if log.Lines != 12 || log.Own != 12 {
		t.Errorf("%d lines, %d of them a server's; want 12 and 12", log.Lines, log.Own)
	}
}

// The same line, as it comes out of whatever carried it.
func TestReadThroughCarriers(t *testing.T) {
	const at = "2026-11-29T03:12:06.12"
	tests := []struct {
		name, line, from, class, role string
	}{
		{"a file", "611:M 29 Nov 2026 04:12:06.120 * MASTER MODE enabled (user request)", at, "promoted", "M"},
		{"before version 3", "[611] 29 Nov 04:12:06.120 * MASTER MODE enabled (user request)", at, "promoted", ""},
		{"a runtime that knows the zone", "2026-11-29T03:12:06.131000000Z 1:M 29 Nov 2026 03:12:06.120 * MASTER MODE enabled", at, "promoted", "M"},
		{"a node's container log", "2026-11-29T03:12:06.131Z stdout F 1:M 29 Nov 2026 03:12:06.120 * MASTER MODE enabled", at, "promoted", "M"},
		{"compose", "cache-1  | 1:M 29 Nov 2026 04:12:06.120 * MASTER MODE enabled", at, "promoted", "M"},
		{"the journal", "Nov 29 04:12:06 cache-1 redis-server[611]: 611:M 29 Nov 2026 04:12:06.120 * MASTER MODE enabled", at, "promoted", "M"},
		{"syslog-enabled", "Nov 29 04:12:06 cache-1 redis[611]: MASTER MODE enabled (user request)", "2026-11-29T03:12:06", "promoted", ""},
		{"Valkey, iso8601", "611:M 2026-11-29T04:12:06.120+01:00 * PRIMARY MODE enabled (failover)", at, "promoted", "M"},
		{"Valkey, milliseconds", "611:M 1795921926120 * PRIMARY MODE enabled (failover)", at, "promoted", "M"},
		{"Valkey, logfmt", `pid=611 role=replica  timestamp="2026-11-29T04:12:06.120+01:00" level=notice  message="PRIMARY MODE enabled (failover)"`, at, "promoted", "S"},
		{"Valkey, logfmt, a legacy date", `pid=611 role=primary timestamp="29 Nov 2026 04:12:06.120" level=warning message="Out Of Memory allocating 16384 bytes!"`, at, "oom", "M"},
	}
	for _, tt := range tests {
		log := read(t, tt.line+"\r\n", Options{Context: stamp.Context{Zone: cet, Ref: evening}})
		from, _ := time.Parse("2006-01-02T15:04:05", tt.from)
		if len(log.Notices) != 1 || log.Notices[0].Class != tt.class || log.Notices[0].Role != tt.role || !log.Notices[0].At.From.Equal(from) {
			t.Errorf("%s: got %+v, want %s from %v", tt.name, log.Notices, tt.class, from)
		}
	}
}

func TestClassOf(t *testing.T) {
	tests := []struct{ text, class, node string }{
		{"Redis 7.2.5 crashed by signal: 11, si_code: 1", "crashed", ""},
		{"=== REDIS BUG REPORT START: Cut & paste starting from here ===", "crashed", ""},
		{"User requested shutdown...", "stopping", ""},
		{"Redis is now ready to exit, bye bye...", "stopped", ""},
		{"The server is now ready to accept connections on port 6379", "ready", ""},
		{"Setting secondary replication ID to afe320ed107b6f94bf0ae67b9de2a82ce136de46, valid up to offset: 90413. New replication ID is 77a55ec4e95ace44d1d5396e43d2e3c5e396a116", "promoted", ""},
		{"Failover election won: I'm the new master.", "failover", ""},
		{"Replica 10.33.64.9:6379 asks for synchronization", "", ""},
		{"Partial resynchronization request from 10.33.64.9:6379 accepted. Sending 881 bytes of backlog starting from offset 46004.", "resync", "10.33.64.9:6379"},
		{"Connection with replica cache-2.example:6379 lost.", "link-lost", "cache-2.example:6379"},
		{"Disconnecting timedout replica (streaming sync): [2001:db8::9]:6379", "link-lost", "[2001:db8::9]:6379"},
		{"MASTER timeout: no data nor PING received...", "link-lost", ""},
		{"Asynchronous AOF fsync is taking too long (disk is busy?). Writing the AOF buffer without waiting for fsync to complete, this may slow down Redis.", "aof-slow", ""},
		{"Error writing to the AOF file: No space left on device", "refused-writes", ""},
		{"Can't save in background: fork: Cannot allocate memory", "save-failed", ""},
		{"Slow script detected: still in execution after 5003 milliseconds. You can try killing the script using the SCRIPT KILL command.", "slow-script", ""},
		{"Client id=9 addr=10.33.64.11:50162 cmd=psubscribe scheduled to be closed ASAP for overcoming of output buffer limits.", "client-closed", ""},
		{"Marking node 5e1b as failing (quorum reached).", "cluster-fail", ""},
		{"Cluster state changed: fail", "cluster-down", ""},
		{"+sdown master orders 10.33.64.7 6379", "sdown", "10.33.64.7:6379"},
		{"+sdown slave 10.33.64.9:6379 10.33.64.9 6379 @ orders 10.33.64.7 6379", "peer-down", "10.33.64.9:6379"},
		{"+odown master orders 2001:db8::7 6379 #quorum 2/2", "odown", "[2001:db8::7]:6379"},
		{"+failover-state-select-slave master orders 10.33.64.7 6379", "failover", "10.33.64.7:6379"},
		{"-failover-abort-no-good-slave master orders 10.33.64.7 6379", "failover", "10.33.64.7:6379"},
		{"+switch-master orders 10.33.64.7 6379 10.33.64.9 6379", "switch", "10.33.64.9:6379"},
		{"+reboot master orders 10.33.64.7 6379", "reboot", "10.33.64.7:6379"},
		{"+tilt #tilt mode entered", "tilt", ""},
		{"+monitor master orders 10.33.64.7 6379 quorum 2", "", ""},
		{"Background saving started by pid 901", "", ""},
		{"+", "", ""},
	}
	for _, tt := range tests {
		class := ClassOf(tt.text)
		if node := nodeOf(class, tt.text); class != tt.class || class != "" && node != tt.node {
			t.Errorf("%s\n\tgot %q %q, want %q %q", tt.text, class, node, tt.class, tt.node)
		}
	}
}

func TestAServerThatCameUpEmpty(t *testing.T) {
	const begun, ready = "1:C 29 Nov 2026 03:12:01.002 * oO0OoO0OoO0Oo Valkey is starting oO0OoO0OoO0Oo\n", "1:M 29 Nov 2026 03:12:01.010 * Ready to accept connections tcp\n"
	tests := []struct{ name, text, want string }{
		{"nothing to load", begun + ready, "no-keys"},
		{"loaded", begun + "1:M 29 Nov 2026 03:12:01.009 * DB loaded from append only file: 0.001 seconds\n" + ready, "ready"},
		{"the beginning is cut off", ready, "ready"},
		{"another server began", "2" + begun + ready, "ready"},
	}
	for _, tt := range tests {
		log := read(t, tt.text, Options{})
		if got := log.Notices[len(log.Notices)-1].Class; got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestACrashHasNoDateOfItsOwn(t *testing.T) {
	log := read(t, "1:M 29 Nov 2026 03:12:01.000 * Background saving started by pid 901\n\n\n"+
		"=== REDIS BUG REPORT START: Cut & paste starting from here ===\n"+
		"1:M 29 Nov 2026 03:12:02.000 # Redis 7.2.5 crashed by signal: 11, si_code: 1\n", Options{Context: stamp.Context{Zone: time.UTC}})
	at := log.Notices[0].At
	if log.Notices[0].Class != "crashed" || at.From.Second() != 1 || at.To.Second() != 2 {
		t.Errorf("got %+v", log.Notices)
	}
}

func TestAFloodKeepsBothEnds(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "1:M 29 Nov 2026 03:%02d:%02d.000 # MASTER timeout: no data nor PING received...\n", i/60, i%60)
	}
	b.WriteString("1:M 29 Nov 2026 03:59:00.000 # User requested shutdown...\n")
	log := read(t, b.String(), Options{Context: stamp.Context{Zone: time.UTC}})
	last := log.Notices[len(log.Notices)-1]
	if len(log.Notices) != perClass+1 || log.Dropped["link-lost"] != 1000-perClass || last.Class != "stopping" || log.Notices[0].At.From.Minute() != 0 {
		t.Errorf("kept %d, dropped %v, last %+v", len(log.Notices), log.Dropped, last)
	}
}

func TestLinesOfOthers(t *testing.T) {
	for _, line := range []string{
		"", "Ready to accept connections", "2026-11-29T03:12:11Z ledgerd: MASTER MODE enabled", "Nov 29 03:12:11 quince-3 ledgerd[41207]: MASTER MODE enabled",
		"41207:M 29 Nov 2026 03:12:11.120 ? x", "x41207:M 29 Nov 2026 03:12:11.120 * x", "99999999999:M 29 Nov 2026 03:12:11.120 * x",
	} {
		if Own(line) {
			t.Errorf("%q was taken for a server's", line)
		}
	}
}

func FuzzServerLog(f *testing.F) {
	for _, s := range []string{
		"611:M 29 Nov 2026 04:12:06.120 * Ready to accept connections", `pid=1 role=x timestamp="1" level=x message="+sdown master a b c"`,
		"=== REDIS BUG REPORT START", "1:X 29 Nov 04:12:06 # +switch-master a ::1 1 ::1 2", "1:signal-handler (1795921962) Received SIGTERM",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log, err := Read(strings.NewReader(text), "x", Options{Context: stamp.Context{Ref: evening}})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range log.Notices {
			if n.Class == "" || len([]rune(n.Text)) > maxText || n.At.Closed() && n.At.To.Before(n.At.From) {
				t.Errorf("%q gave %+v", text, n)
			}
		}
		_ = evidence.Snapshot{Notices: log.Notices}
	})
}
