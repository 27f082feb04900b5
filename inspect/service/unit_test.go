package service

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/inspect/stamp"
)

func TestShow(t *testing.T) {
	const text = "ExecMainStatus=9\nExecMainCode=2\nResult=oom-kill\nMainPID=0\nActiveState=failed\nSubState=failed\nNRestarts=0\n" +
		"ExecMainExitTimestamp=Mon 2026-11-09 18:22:06 UTC\nExecMainStartTimestamp=Mon 2026-11-09 18:00:00 UTC\nId=ledger.service\n" +
		"\nId=parcel.service\nMainPID=4711\nActiveState=active\nNRestarts=3\nActiveExitTimestamp=Mon 2026-11-09 18:22:06.120456 UTC\nActiveEnterTimestamp=Mon 2026-11-09 18:22:08 UTC\nInvocationID=0a1b\n"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		list, err := ParseShow([]byte(text), frame())
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		u := list[0]
		equal(t, "name", u.Name, "ledger.service")
		equal(t, "result", u.Result, "oom-kill")
		equal(t, "code", u.Code, 2)
		equal(t, "status", u.Status, 9)
		equal(t, "started", span(u.Started), "18:00:00+1s")
		equal(t, "exited", span(u.Exited), "18:22:06+1s")
		equal(t, "previous", span(u.Previous), "")
		u = list[1]
		equal(t, "pid", u.MainPID, 4711)
		equal(t, "restarts", u.Restarts, 3)
		equal(t, "started", span(u.Started), "18:22:08+1s")
		equal(t, "previous", span(u.Previous), "18:22:06.12+1µs")
		equal(t, "exited", span(u.Exited), "")
	}
	one, err := ParseShow([]byte("ExecMainExitTimestamp=Mon 2026-11-09 19:22:06 CET\nResult=signal\n"), stamp.Frame{})
	if err != nil || len(one) != 1 || one[0].Exited.To.Sub(one[0].Exited.From).Hours() < 26 {
		t.Errorf("an abbreviation is no zone: %+v, %v", one, err)
	}
	if _, err := ParseShow([]byte("Failed to connect to bus\n"), frame()); err == nil {
		t.Error("a failure was taken for a unit")
	}
}

const failed = `× ledger.service - Ledger worker
     Loaded: loaded (/etc/systemd/system/ledger.service; enabled; preset: enabled)
     Active: failed (Result: signal) since Mon 2026-11-09 18:22:06 UTC; 7min ago
   Duration: 22min 6s
    Process: 4700 ExecStartPre=/bin/true (code=exited, status=0/SUCCESS)
    Process: 4711 ExecStart=/usr/bin/ledgerd (code=killed, signal=KILL)
   Main PID: 4711 (code=killed, signal=KILL)
        CPU: 1.204s

Nov 09 18:22:06 quince-3 systemd[1]: ledger.service: Main process exited, code=killed, status=9/KILL

● parcel.service - Parcel worker
   Loaded: loaded (/etc/systemd/system/parcel.service; enabled)
   Active: active (running) since Mon 2026-11-09 18:22:08 UTC; 7min ago
 Main PID: 4801 (parceld)
   Status: "serving"
   CGroup: /system.slice/parcel.service
           └─4801 /usr/bin/parceld --listen 10.0.0.4:80

Nov 09 18:22:08 quince-3 systemd[1]: Started parcel.service.
`

func TestStatus(t *testing.T) {
	list, journal, err := ParseStatus([]byte(failed), frame())
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	u := list[0]
	equal(t, "name", u.Name, "ledger.service")
	equal(t, "active", u.Active, "failed")
	equal(t, "result", u.Result, "signal")
	equal(t, "code", u.Code, 2)
	equal(t, "status", u.Status, 9)
	equal(t, "pid", u.MainPID, 0)
	equal(t, "exited", span(u.Exited), "18:22:06+1s")
	u = list[1]
	equal(t, "pid", u.MainPID, 4801)
	equal(t, "sub", u.Sub, "running")
	equal(t, "group", u.Group, "/system.slice/parcel.service")
	equal(t, "started", span(u.Started), "18:22:08+1s")
	equal(t, "lines of the journal", strings.Count(string(journal), "Nov 09"), 2)
	equal(t, "lines of the head in the journal", strings.Contains(string(journal), "parceld --listen"), false)

	again, _, err := ParseStatus([]byte("* a.service\n   Active: activating (auto-restart) (Result: exit-code) since Mon 2026-11-09 18:29:58 UTC; 2s ago\n  Process: 9 ExecStart=/a (code=exited, status=1/FAILURE)\n"), frame())
	if err != nil || len(again) != 1 {
		t.Fatal(again, err)
	}
	equal(t, "sub", again[0].Sub, "auto-restart")
	equal(t, "exited", span(again[0].Exited), "18:29:58+1s")
	equal(t, "code", again[0].Code*10+again[0].Status, 11)
	equal(t, "result", again[0].Result, "exit-code")
	if _, _, err := ParseStatus([]byte("Unit ledger.service could not be found.\n"), frame()); err == nil {
		t.Error("a unit that is not there was found")
	}
}

func TestIsActive(t *testing.T) {
	if u, err := ParseIsActive([]byte("failed\n")); err != nil || u.Active != "failed" {
		t.Error(u, err)
	}
	if _, err := ParseIsActive([]byte("sudo: a password is required\n")); err == nil {
		t.Error("a denial was taken for a state")
	}
}
