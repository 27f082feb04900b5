package service

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

func utc(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// frame is a text read at 18:30 on a host that keeps UTC.
func frame() stamp.Frame {
	return stamp.Frame{Clock: "host:b", Zone: time.UTC, Now: evidence.At(utc("2026-11-09T18:30:00Z"), 0, "host:b")}
}

// span prints an interval as the tables below spell it.
func span(i evidence.Interval) string {
	if !i.Closed() {
		return ""
	}
	return i.From.Format("15:04:05.999") + "+" + i.To.Sub(i.From).String()
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestDocker(t *testing.T) {
	const running = `[{"Id":"9f31c0de","Name":"/ledger","RestartCount":2,"State":{"Status":"running","Running":true,"Paused":true,"Pid":4711,"StartedAt":"2026-11-09T18:00:00.5Z","FinishedAt":"2026-11-09T17:59:59.123456789Z"}}]`
	list, err := ParseDocker([]byte(running), frame())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	c := list[0]
	equal(t, "status", c.Status, "paused")
	equal(t, "name", c.Name, "ledger")
	equal(t, "started", span(c.Started), "18:00:00.5+1ms")
	equal(t, "exit", c.Exit.State, evidence.Unread)
	if c.Previous == nil || c.Previous.Exit != Untold || span(c.Previous.Finished) != "17:59:59.123+1µs" {
		t.Errorf("previous run: %+v", c.Previous)
	}

	const exited = `{"Id":"9f31c0de","Name":"/ledger","State":{"Status":"exited","OOMKilled":true,"ExitCode":137,"StartedAt":"2026-11-09T18:00:00Z","FinishedAt":"2026-11-09T18:22:06Z"}}`
	if list, err = ParseDocker([]byte(exited), frame()); err != nil {
		t.Fatal(err)
	}
	c = list[0]
	equal(t, "exit", c.Exit.Or(-9), 137)
	equal(t, "reason", c.Reason, "OOMKilled")
	equal(t, "finished", span(c.Finished), "18:22:06+1s")
	if c.Previous != nil {
		t.Errorf("a run before the first: %+v", c.Previous)
	}
}

func TestDockerPS(t *testing.T) {
	const text = `CONTAINER ID   IMAGE          COMMAND                  CREATED          STATUS                       PORTS      NAMES
4f3e0a11c2d9   ledger:7.1     "/usr/bin/tini -- le…"   2 hours ago      Up 3 minutes (Paused)        8080/tcp   ledger
77aa0b12c3d4   ledger:7.1     "/usr/bin/tini -- le…"   2 hours ago      Exited (137) 2 minutes ago              other/db,parcel
88aa0b12c3d4   redis:7        "docker-entrypoint.s…"   2 hours ago      Up About an hour (healthy)   6379/tcp   redis
`
	list, err := ParseDockerPS([]byte(text), frame())
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	equal(t, "status", list[0].Status, "paused")
	equal(t, "id", list[0].ID, "4f3e0a11c2d9")
	equal(t, "started", span(list[0].Started), "18:26:00+1m0s")
	equal(t, "status", list[1].Status, "exited")
	equal(t, "name", list[1].Name, "parcel")
	equal(t, "exit", list[1].Exit.Or(0), 137)
	equal(t, "finished", span(list[1].Finished), "18:27:00+1m0s")
	equal(t, "status", list[2].Status, "running")
	equal(t, "exit of a running one", list[2].Exit.State, evidence.Unread)

	short, err := ParseDockerPS([]byte("NAMES     STATUS\nledger    Exited (0) 5 seconds ago\n"), frame())
	if err != nil || len(short) != 1 || short[0].Name != "ledger" || short[0].Exit.State != evidence.Seen {
		t.Errorf("chosen columns: %+v, %v", short, err)
	}
	if _, err := ParseDockerPS([]byte("permission denied\n"), frame()); err == nil {
		t.Error("a denial was taken for a table")
	}
}

func TestDockerEvents(t *testing.T) {
	const text = `2026-11-09T18:22:05.900000001Z container oom 4f3e (image=ledger:7.1, name=ledger)
2026-11-09T18:22:06.120456789Z container die 4f3e (execDuration=44, exitCode=137, image=ledger:7.1, name=ledger)
2026-11-09T18:22:06.200000000Z network disconnect 77 (container=4f3e, name=bridge)
2026-11-09T18:22:07.120456789Z container exec_create: sh 4f3e (image=x)
`
	list := ParseDockerEvents([]byte(text), frame())
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	equal(t, "reason", list[1].Reason, "die")
	equal(t, "object", list[1].Object, "container/ledger")
	equal(t, "at", span(list[1].At), "18:22:06.12+1ns")
	equal(t, "object without a name", list[2].Object, "container/4f3e")
}

func TestCrictl(t *testing.T) {
	const text = `{"status":{"id":"9f31","metadata":{"attempt":3,"name":"worker"},"state":"CONTAINER_EXITED","createdAt":"2026-11-09T18:00:00Z",
"startedAt":"2026-11-09T18:00:01.5Z","finishedAt":1794248526120000000,"exitCode":137,"reason":"Error",
"labels":{"io.kubernetes.pod.name":"ledger-0","io.kubernetes.pod.namespace":"pay"}},"info":{"pid":0}}`
	list, err := ParseCrictl([]byte(text), frame())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	equal(t, "pod", list[0].Pod, "pay/ledger-0")
	equal(t, "status", list[0].Status, "exited")
	equal(t, "restarts", list[0].Restarts, 3)
	equal(t, "started", span(list[0].Started), "18:00:01.5+1ms")
	equal(t, "finished", span(list[0].Finished), "18:22:06.12+1ms")
	equal(t, "oom", list[0].OOMKilled, false)
}
