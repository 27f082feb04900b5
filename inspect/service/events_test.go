package service

import (
	"testing"

	"github.com/lockscene/lockscene/inspect/kernel"
)

func TestEvents(t *testing.T) {
	const table = `LAST SEEN             TYPE      REASON          OBJECT            MESSAGE
2m13s (x3 over 10m)   Warning   Unhealthy       pod/ledger-0      Liveness probe failed: i/o timeout
7m54s                 Warning   OOMKilling      node/node-7       Memory cgroup out of memory: Killed process 4711 (ledgerd)
<unknown>             Normal    Scheduled       pod/ledger-0      Successfully assigned pay/ledger-0 to node-7
`
	const all = `NAMESPACE   LAST SEEN   TYPE      REASON       OBJECT         MESSAGE
pay         7m54s       Warning   OOMKilling   pod/ledger-0   x
`
	const list = `{"kind":"List","items":[
{"kind":"Event","reason":"Unhealthy","message":"Liveness probe failed","count":3,"firstTimestamp":"2026-11-09T18:19:30Z","lastTimestamp":"2026-11-09T18:27:46Z","involvedObject":{"kind":"Pod","name":"ledger-0","namespace":"pay"}},
{"kind":"Event","reason":"Preempted","note":"by another","eventTime":"2026-11-09T18:22:06.120456Z","regarding":{"kind":"Pod","name":"ledger-0","namespace":"pay"}}]}`
	const doc = "apiVersion: v1\nkind: Event\nreason: Evicted\nmessage: low on memory\nlastTimestamp: \"2026-11-09T18:22:06Z\"\ninvolvedObject:\n  kind: Pod\n  name: ledger-0\n  namespace: pay\n"
	tests := []struct {
		name, text, reason, object, at, since string
		row, rows, count                      int
	}{
		{"folded", table, "Unhealthy", "pod/ledger-0", "18:27:46+1s", "18:19:00+1m0s", 0, 3, 3},
		{"plain", table, "OOMKilling", "node/node-7", "18:22:05+1s", "", 1, 3, 0},
		{"undated", table, "Scheduled", "pod/ledger-0", "", "", 2, 3, 0},
		{"all namespaces", all, "OOMKilling", "pod/pay/ledger-0", "18:22:05+1s", "", 0, 1, 0},
		{"json", list, "Unhealthy", "pod/pay/ledger-0", "18:27:46+1s", "18:19:30+1s", 0, 2, 3},
		{"newer json", list, "Preempted", "pod/pay/ledger-0", "18:22:06.12+1s", "", 1, 2, 0},
		{"yaml", doc, "Evicted", "pod/pay/ledger-0", "18:22:06+1s", "", 0, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseEvents([]byte(tt.text), frame())
			if err != nil || len(got) != tt.rows {
				t.Fatalf("%+v, %v", got, err)
			}
			e := got[tt.row]
			equal(t, "reason", e.Reason, tt.reason)
			equal(t, "object", e.Object, tt.object)
			equal(t, "at", span(e.At), tt.at)
			equal(t, "since", span(e.Since), tt.since)
			equal(t, "count", e.Count, tt.count)
		})
	}
}

func TestNotices(t *testing.T) {
	const id = "9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de"
	tests := []struct{ line, reason, object string }{
		{`2026-11-09T18:22:06+0000 node-7 kubelet[1203]: I1109 18:22:06.120456    1203 kuberuntime_container.go:779] "Killing container with a grace period" pod="pay/ledger-0" podUID=7 containerName="worker" containerID="containerd://` + id + `" gracePeriod=30`, "Killing", "pod/pay/ledger-0"},
		{`2026-11-09T18:22:06+0000 node-7 kubelet[1203]: I1109 18:22:06.1    1203 prober.go:107] "Probe failed" probeType="Liveness" pod="pay/ledger-0"`, "Unhealthy", "pod/pay/ledger-0"},
		{`2026-11-09T18:22:06+0000 node-7 kubelet[1203]: E1109 18:22:06.1 1203 kubelet.go:2359] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m7s ago"`, "NodeNotReady", ""},
		{`2026-11-09T18:22:06+0000 node-7 containerd[901]: time="2026-11-09T18:22:06.120456789Z" level=info msg="TaskOOM event container_id:\"` + id + `\""`, "OOM", "container/" + id},
		{`2026-11-09T18:22:06+0000 node-7 containerd[901]: time="x" level=info msg="TaskExit event in podsandbox handler container_id:\"` + id + `\" id:\"` + id + `\" pid:4711 exit_status:137"`, "TaskExit", "container/" + id},
		{`2026-11-09T18:22:06+0000 node-7 dockerd[900]: time="x" level=info msg="Container failed to exit within 10s of signal 15 - using the force" container=` + id, "Killing", "container/" + id},
		{`I1109 18:22:06.120456    1203 setters.go:559] "Node became not ready" node="node-7"`, "NodeNotReady", "node/node-7"},
		// Another program's line that quotes one.
		{`2026-11-09T18:22:06+0000 node-7 ledgerd[4711]: PLEG is not healthy`, "", ""},
		{`2026-11-09T18:22:06+0000 node-7 kubelet[1203]: I1109 18:22:06.1 1203 kubelet.go:1] "SyncLoop ADD" pods=["pay/ledger-0"]`, "", ""},
	}
	for _, tt := range tests {
		records, _ := kernel.Parse([]byte(tt.line + "\n"))
		got := Notices(records, frame())
		if tt.reason == "" {
			if len(got) > 0 {
				t.Errorf("%s: got %+v", tt.line, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Reason != tt.reason || got[0].Object != tt.object || got[0].At.From.Format("15:04:05") != "18:22:06" || got[0].At.Clock != "host:b" {
			t.Errorf("%s: got %+v", tt.line, got)
		}
	}
}
