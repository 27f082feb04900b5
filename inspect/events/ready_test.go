package events

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What each ready-made mapping makes of lines as the library or daemon prints
// them, through the formats people log in.
func TestReadyMadeEvents(t *testing.T) {
	tests := []struct{ mapping, line, want string }{
		{"redisson", "2026-11-29 03:12:02.613 ERROR 41207 --- [redisson-netty-2-5] org.redisson.RedissonLock                : Can't update lock lock:orders expiration", "03:12:02.613+1ms renew! lock:orders"},
		{"redisson", "03:12:02.613 [redisson-timer-4-1] ERROR org.redisson.renewal.RenewalTask - Can't update locks [lock:orders, lock:invoices] expiration", "undated renew! lock:orders"},
		{"redisson", "2026-11-29 03:12:02 WARN  [redisson-timer-4-1] An exception was thrown by TimerTask. java.lang.NullPointerException: Cannot invoke \"org.redisson.renewal.LockEntry.getFirstThreadId()\" because \"entry\" is null", "03:12:02.000+1s renew!"},
		{"redisson", `{"@timestamp":"2026-11-29T03:12:40.1Z","message":"job failed","error":{"message":"attempt to unlock lock, not locked by current thread by node id: 1ac5cc00-74a5-43e4-9756-d16d91c8cced thread-id: 126"}}`,
			"03:12:40.100+100ms release! 1ac5cc00-74a5-43e4-9756-d16d91c8cced thread-id: 126"},
		{"redisson", "2026-11-29 03:12:02.613 org.redisson.client.RedisTimeoutException: Command still hasn't been written into connection!", "03:12:02.613+1ms redis-unreachable!"},
		{"bullmq", "2026-11-29T03:12:04.598667Z Error: Missing lock for job 84 failed", "03:12:04.598+1µs release! 84 failed"},
		{"bullmq", "2026-11-29T03:12:04.598Z Error: Missing lock for job repeat:4caf15:1576522800000. moveToFinished", "03:12:04.598+1ms release! repeat:4caf15:1576522800000 moveToFinished"},
		{"bullmq", `{"level":50,"time":1795921924598,"pid":7,"hostname":"w-1","err":{"type":"Error","message":"could not renew lock for job 84"},"msg":"worker error"}`, "03:12:04.598+1ms renew! 84 w-1:7"},
		{"bullmq", "2026-11-29T03:12:04Z Missing key for job 84. moveToDelayed", "03:12:04.000+1s job-missing! 84"},
		{"bullmq", "2026-11-29T03:12:04Z failed: job stalled more than allowable limit", "03:12:04.000+1s stalled!"},
		{"bullmq", "2026-11-29T03:12:04Z warn: job 84 has stalled", "03:12:04.000+1s stalled 84"},
		{"sidekiq", "2026-11-29T03:12:04.841Z pid=4 tid=24m8 WARN: RuntimeError: Did not find our own heartbeat within 10 seconds, that's bad", "03:12:04.841+1ms heartbeat!"},
		{"sidekiq", "2026-11-29T03:12:35.002Z pid=4 tid=24m8 ERROR: heartbeat: Connection refused - connect(2) for 10.33.64.7:6379", "03:12:35.002+1ms heartbeat!"},
		{"sidekiq", `2026-11-29T03:12:35Z 41808 TID-ovgd2eqgs WARN: {:context=>"heartbeat"}`, "03:12:35.000+1s heartbeat!"},
		{"sidekiq", "2026-11-29T03:12:35.002Z pid=4 tid=24m8 class=PayoutJob jid=b4a577edbccf1d805744efa9 INFO: start", "03:12:35.002+1ms job-start b4a577edbccf1d805744efa9 4"},
		{"sidekiq", "2026-11-29T03:12:36.002Z pid=4 tid=24m8 class=PayoutJob jid=b4a577edbccf1d805744efa9 elapsed=1.0 INFO: done", "03:12:36.002+1ms job-done b4a577edbccf1d805744efa9 4"},
		{"sidekiq", "2026-11-29T03:12:36.002Z pid=4 tid=24m8 INFO: Bye!", "03:12:36.002+1ms exit 4"},
		{"sidekiq", "2026-11-29T03:12:36.002Z pid=4 tid=24m8 WARN: Timed out after 0s while waiting for primed token (digest: uniquejobs:3f2a, job_id: b4a577)", "03:12:36.002+1ms acquire! uniquejobs:3f2a b4a577"},
		{"node-redlock", `2026-11-29T03:12:04Z LockError: Exceeded 10 attempts to lock the resource "lock:orders".`, "03:12:04.000+1s acquire! lock:orders"},
		{"node-redlock", `{"time":"2026-11-29T03:12:04Z","msg":"LockError: Cannot extend lock on resource \"lock:orders\" because the lock has already expired."}`, "03:12:04.000+1s renew! lock:orders"},
		{"node-redlock", `2026-11-29T03:12:04Z Unable to fully release the lock on resource "lock:orders".`, "03:12:04.000+1s release! lock:orders"},
		{"node-redlock", "2026-11-29T03:12:04Z ExecutionError: The operation was unable to achieve a quorum during its retry window.", "03:12:04.000+1s quorum!"},
		{"redis-py", "2026-11-29 03:12:04,598 ERROR beat redis.exceptions.LockNotOwnedError: Cannot extend a lock that's no longer owned", "03:12:04.598+1ms renew!"},
		{"redis-py", "[2026-11-29 03:12:04,598: CRITICAL/MainProcess] LockNotOwnedError(\"Cannot release a lock that's no longer owned\")", "03:12:04.598+1ms release!"},
		{"python-redis-lock", "2026-11-29 03:12:04,598 DEBUG redis_lock.refresh.thread Refreshing Lock('orders').", "03:12:04.598+1ms renewing orders"},
		{"python-redis-lock", "2026-11-29 03:12:04,598 INFO redis_lock.acquire Acquired Lock('orders').", "03:12:04.598+1ms acquire orders"},
		{"python-redis-lock", "2026-11-29 03:12:04,598 WARNING redis_lock.acquire Failed to acquire Lock('orders').", "03:12:04.598+1ms acquire! orders"},
		{"go-locks", `time=2026-11-29T03:12:04.598Z level=ERROR msg="renew" err="redsync: failed to extend lock"`, "03:12:04.598+1ms renew!"},
		{"go-locks", "2026/11/29 03:12:04 release: redislock: lock not held", "03:12:04.000+1s release!"},
		{"redis-refusals", "2026-11-29T03:12:04.598Z WARNING renew lock:orders failed: MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.", "03:12:04.598+1ms renew! lock:orders"},
		{"redis-refusals", "2026-11-29T03:12:04.598Z level=error could not extend: extending lock 'lock:orders' failed: ReplyError: READONLY You can't write against a read only replica.", "03:12:04.598+1ms renew! lock:orders"},
		{"loki", `{"streams":[{"stream":{"pod":"w-1"},"values":[["1795921924598000000","Error: could not renew lock for job 84"]]}]}`, "03:12:04.598+1ns renew! 84 w-1"},
		{"cloudwatch", `{"events":[{"timestamp":1795921924598,"message":"Error: could not renew lock for job 84"}]}`, "03:12:04.598+1ms renew! 84"},
	}
	tested := map[string]bool{}
	for _, tt := range tests {
		tested[tt.mapping] = true
		for _, name := range []string{tt.mapping, "auto"} {
			m, err := Load(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := read(t, tt.line, m, Options{Context: utc})
			if got := briefs(h.Events); !slices.Equal(got, []string{tt.want}) {
				t.Errorf("%s: %s\n\tgot %q, want %q; %+v", name, tt.line, got, tt.want, h.Report)
			}
		}
	}
	others := []string{"redis-server", "sentinel", "chronyd", "ntpd", "kubelet"}
	for _, name := range Mappings() {
		if !tested[name] && !slices.Contains(others, name) {
			t.Errorf("no line of %s is tested", name)
		}
	}
}

// What daemons say of clocks, servers and nodes is no application's event.
func TestReadyMadeNotices(t *testing.T) {
	tests := []struct{ mapping, line, want string }{
		{"chronyd", "Nov 29 03:12:04 quince-3 chronyd[611]: System clock was stepped by -41.200117 seconds", "clock stepped -41.200117s"},
		{"chronyd", `{"MESSAGE":"Forward time jump detected!","__REALTIME_TIMESTAMP":"1795921924000000","_PID":"611"}`, "clock jump-forward 0s"},
		{"ntpd", "Nov 29 03:12:04 quince-3 ntpd[611]: time reset +5.201244 s", "clock stepped 5.201244s"},
		{"ntpd", "29 Nov 03:12:04 ntpdate[77]: step time server 10.0.0.2 offset -3.5 sec", "clock stepped -3.5s"},
		{"ntpd", "Nov 29 03:12:04 quince-3 ntpd[611]: kernel reports TIME_ERROR: 0x41: Clock Unsynchronized", "clock unsynchronised 0s"},
		{"ntpd", "Nov 29 03:12:04 quince-3 ntpd[611]: time correction of 1201 seconds exceeds sanity limit (1000); set clock manually to the correct UTC time.", "clock wrong 20m1s"},
		{"ntpd", "Nov 29 03:12:04 quince-3 systemd-timesyncd[113]: System clock time unset or jumped backwards, restoring from recorded timestamp: Sun 2026-11-29 03:12:03 UTC", "clock jump-backward 0s"},
		{"redis-server", "611:M 29 Nov 2026 03:12:04.120 * MASTER MODE enabled (user request from 'id=9 addr=10.33.64.12:60636')", "server promoted "},
		{"redis-server", `{"log":"1:M 29 Nov 2026 03:12:04.120 # User requested shutdown...\n","stream":"stdout","time":"2026-11-29T03:12:04.130Z"}`, "server stopping "},
		{"sentinel", "611:X 29 Nov 2026 03:12:04.120 # +switch-master orders 10.33.64.7 6379 10.33.64.9 6379", "server switch 10.33.64.9:6379"},
		{"kubelet", "Nov 29 03:12:04 node-7 kubelet[1450]: I1129 03:12:04.934473    1450 kubelet.go:1778] skipping pod synchronization - [PLEG is not healthy: pleg was last seen active 3m5s ago; threshold is 3m0s]", "cluster PLEGUnhealthy "},
		{"kubelet", `I1129 03:12:04.934473    1450 kuberuntime_container.go:745] "Killing container with a grace period" pod="shop/ledger-0" podUID="x" containerName="ledger" gracePeriod=30`, "cluster Killing pod/shop/ledger-0"},
		{"kubelet", `I1129 03:12:04.934473    1450 kubelet.go:2453] "SyncLoop (PLEG): event for pod" pod="shop/ledger-0" event={"ID":"x","Type":"ContainerDied","Data":"y"}`, "cluster ContainerDied pod/shop/ledger-0"},
		{"kubelet", "E1129 03:12:04.934473    1450 oom_watcher_linux.go:90] System OOM encountered, victim process: ledgerd, pid: 41207", "cluster SystemOOM process/ledgerd"},
		{"kubelet", `I1129 03:12:04.934473    1450 eviction_manager.go:349] "Eviction manager: must evict pod(s) to reclaim" resourceName="memory"`, "cluster EvictionThresholdMet "},
		{"kubelet", `I1129 03:12:04.934473    1450 eviction_manager.go:614] "Eviction manager: pod is evicted successfully" pod="shop/ledger-0"`, "cluster Evicted pod/shop/ledger-0"},
	}
	for _, tt := range tests {
		for _, name := range []string{tt.mapping, "auto"} {
			m, err := Load(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := read(t, tt.line, m, Options{Context: utc, Clock: "host:quince-3"})
			var got []string
			for _, n := range h.Clock {
				got = append(got, fmt.Sprintf("clock %s %s at %s", n.Kind, n.By, n.At.From.Format("15:04:05 ")+string(n.At.Clock)))
			}
			for _, n := range h.Server {
				got = append(got, fmt.Sprintf("server %s %s at %s", n.Class, n.Node, n.At.From.Format("15:04:05 ")+string(n.At.Clock)))
			}
			for _, n := range h.Cluster {
				got = append(got, fmt.Sprintf("cluster %s %s at %s", n.Reason, n.Object, n.At.From.Format("15:04:05 ")+string(n.At.Clock)))
			}
			if want := []string{tt.want + " at 03:12:04 host:quince-3"}; !slices.Equal(got, want) || len(h.Events) > 0 {
				t.Errorf("%s: %s\n\tgot %q, want %q; %+v", name, tt.line, got, want, h.Report)
			}
		}
	}
}

// Lines that only resemble what the mappings look for.
func TestReadyMadeMappingsLeaveOthersAlone(t *testing.T) {
	lines := []string{
		"2026-11-29T03:12:04Z INFO heartbeat: ok, 12 workers",
		"2026-11-29T03:12:04Z INFO renewed lock:orders",
		"2026-11-29T03:12:04Z GET /locks/orders 200",
		`{"time":"2026-11-29T03:12:04Z","msg":"user logged in","event":"login","user":"u"}`,
		"Nov 29 03:12:04 quince-3 CRON[99]: (root) CMD (run-parts)",
		`level=info msg="event stream opened" event=opened`,
	}
	h := read(t, strings.Join(lines, "\n"), nil, Options{Context: utc})
	if len(h.Events)+len(h.Clock)+len(h.Server)+len(h.Cluster) > 0 || h.Report.Other != len(lines) || h.Report.Malformed > 0 {
		t.Errorf("got %+v", h)
	}
}
