package service

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

const podYAML = `apiVersion: v1
kind: Pod
metadata:
  name: ledger-0
  namespace: pay
spec:
  nodeName: node-7
status:
  phase: Running
  containerStatuses:
  - containerID: containerd://9f31
    name: worker
    restartCount: 4
    lastState:
      terminated:
        containerID: containerd://77aa
        exitCode: 137
        finishedAt: "2026-11-09T18:22:06Z"
        reason: OOMKilled
        startedAt: "2026-11-09T18:00:00Z"
    state:
      running:
        startedAt: "2026-11-09T18:22:08Z"
  - name: proxy
    restartCount: 0
    state:
      waiting:
        reason: CrashLoopBackOff
`

const podJSON = `{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","metadata":{"name":"ledger-0","namespace":"pay"},"spec":{"nodeName":"node-7"},
"status":{"phase":"Running","containerStatuses":[{"name":"worker","containerID":"containerd://9f31","restartCount":4,
"lastState":{"terminated":{"containerID":"containerd://77aa","exitCode":137,"reason":"OOMKilled","startedAt":"2026-11-09T18:00:00Z","finishedAt":"2026-11-09T18:22:06Z"}},
"state":{"running":{"startedAt":"2026-11-09T18:22:08Z"}}},{"name":"proxy","restartCount":0,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}},
{"kind":"Pod","metadata":{"name":"gone","namespace":"pay"},"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory. "}}]}`

const described = `Name:             ledger-0
Namespace:        pay
Priority:         0
Node:             node-7/10.4.0.7
Start Time:       Mon, 09 Nov 2026 17:59:58 +0000
Labels:           app=ledger
Status:           Running
IP:               10.4.1.9
Containers:
  worker:
    Container ID:   containerd://9f31
    Image:          ledger:7.1
    Port:           8080/TCP
    State:          Running
      Started:      Mon, 09 Nov 2026 19:22:08 +0100
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Mon, 09 Nov 2026 19:00:00 +0100
      Finished:     Mon, 09 Nov 2026 19:22:06 +0100
    Ready:          True
    Restart Count:  4
    Environment:
      Reason:       not a state
    Mounts:
      /data from data (rw)
  proxy:
    State:          Waiting
      Reason:       CrashLoopBackOff
    Restart Count:  0
Conditions:
  Type              Status
  Ready             True
Events:
  Type     Reason     Age                   From     Message
  ----     ------     ----                  ----     -------
  Warning  Unhealthy  2m13s (x3 over 10m)   kubelet  Liveness probe failed: HTTP probe failed with statuscode: 500
  Normal   Killing    47s                   kubelet  Container worker failed liveness probe, will be restarted
`

func TestPods(t *testing.T) {
	parse := map[string]func() ([]evidence.Container, error){
		"yaml": func() ([]evidence.Container, error) { return ParsePod([]byte(podYAML), frame()) },
		"json": func() ([]evidence.Container, error) { return ParsePod([]byte(podJSON), frame()) },
		"describe": func() ([]evidence.Container, error) {
			list, _, err := ParseDescribe([]byte(described), frame())
			return list, err
		},
	}
	for name, read := range parse {
		t.Run(name, func(t *testing.T) {
			list, err := read()
			if err != nil || len(list) < 2 {
				t.Fatal(list, err)
			}
			c := list[0]
			equal(t, "pod", c.Pod, "pay/ledger-0")
			equal(t, "node", c.Node, "node-7")
			equal(t, "name", c.Name, "worker")
			equal(t, "id", c.ID, "9f31")
			equal(t, "restarts", c.Restarts, 4)
			equal(t, "status", c.Status, "running")
			equal(t, "reason", c.Reason, "")
			equal(t, "started", span(c.Started), "18:22:08+1s")
			if p := c.Previous; p == nil || p.Reason != "OOMKilled" || p.Exit != 137 || span(p.Finished) != "18:22:06+1s" || span(p.Started) != "18:00:00+1s" {
				t.Errorf("previous run: %+v", p)
			}
			equal(t, "other", list[1].Name, "proxy")
			equal(t, "other's status", list[1].Status, "waiting")
			equal(t, "other's reason", list[1].Reason, "CrashLoopBackOff")
		})
	}
}

func TestEvictedPod(t *testing.T) {
	list, err := ParsePod([]byte(podJSON), frame())
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	equal(t, "status", list[2].Status, "failed")
	equal(t, "reason", list[2].Reason, "Evicted")

	const text = "Name:           gone\nNamespace:      pay\nNode:           node-7/\nStatus:         Failed\nReason:         Evicted\nMessage:        The node was low on resource: memory.\n" +
		"Containers:\n  worker:\n    State:          Terminated\n      Exit Code:    143\n      Finished:     Mon, 09 Nov 2026 18:22:06 +0000\nEvents:  <none>\n"
	list, events, err := ParseDescribe([]byte(text+text), frame())
	if err != nil || len(list) != 2 || len(events) != 0 {
		t.Fatal(list, events, err)
	}
	for _, c := range list {
		equal(t, "status", c.Status, "exited")
		equal(t, "reason", c.Reason, "Evicted")
		equal(t, "exit", c.Exit.Or(0), 143)
		equal(t, "finished", span(c.Finished), "18:22:06+1s")
	}
}

func TestDescribedEvents(t *testing.T) {
	_, events, err := ParseDescribe([]byte(described), frame())
	if err != nil || len(events) != 2 {
		t.Fatal(events, err)
	}
	e := events[0]
	equal(t, "reason", e.Reason, "Unhealthy")
	equal(t, "object", e.Object, "pod/pay/ledger-0")
	equal(t, "count", e.Count, 3)
	equal(t, "at", span(e.At), "18:27:46+1s")
	equal(t, "since", span(e.Since), "18:19:00+1m0s")
	equal(t, "text", strings.HasPrefix(e.Text, "Liveness probe failed: HTTP"), true)
	equal(t, "at", span(events[1].At), "18:29:12+1s")
}

func TestPodTable(t *testing.T) {
	const text = `NAMESPACE   NAME       READY   STATUS             RESTARTS      AGE     IP          NODE
pay         ledger-0   1/1     Running            4 (7m ago)    3d4h    10.4.1.9    node-7
pay         gone       0/1     Evicted            0             3d4h    <none>      node-7
pay         parcel     0/1     CrashLoopBackOff   12 (2m ago)   3d4h    10.4.1.8    <none>
`
	list, err := ParsePods([]byte(text), frame())
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	equal(t, "pod", list[0].Pod, "pay/ledger-0")
	equal(t, "restarts", list[0].Restarts, 4)
	equal(t, "node", list[0].Node, "node-7")
	if p := list[0].Previous; p == nil || p.Exit != Untold || span(p.Finished) != "18:22:00+1m0s" {
		t.Errorf("previous run: %+v", p)
	}
	equal(t, "reason", list[1].Reason, "Evicted")
	equal(t, "status", list[2].Status, "waiting")
	equal(t, "node", list[2].Node, "")
	if _, err := ParsePods([]byte("No resources found in pay namespace.\n"), frame()); err == nil {
		t.Error("nothing was taken for a table")
	}
}
