package transcript

import "testing"

// kubectl debug of a node runs on that machine, and what kubectl says of its own
// is no output.
func TestDebugOfNodes(t *testing.T) {
	const made = "Creating debugging pod node-debugger-fig-7-x2lqp with container debugger on node fig-7.\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one command": {
			"q-3$ kubectl debug node/fig-7 -q -it --image=busybox -- chroot /host dmesg -T | tail -2\n[Mon] a\nq-3$ true\n",
			[]string{"fig-7 dmesg -T | tail -2 → [Mon] a", "q-3 true"},
		},
		"with kubectl's notice": {
			"q-3$ kubectl -n kube-system debug -it node/fig-7 --image=busybox -- cat /proc/uptime\n" + made + "100.00 90.00\nq-3$ true\n",
			[]string{"fig-7 cat /proc/uptime → 100.00 90.00", "q-3 true"},
		},
		"a shell's line": {
			"q-3$ kubectl debug node/fig-7 --image=busybox -- chroot /host sh -c 'date; cat /proc/uptime'\nMon\n100.00 90.00\n",
			[]string{"fig-7 date → Mon", "fig-7 cat /proc/uptime → 100.00 90.00"},
		},
		"a shell": {
			"q-3$ kubectl debug node/fig-7 -it --image=busybox\n" + made + "If you don't see a command prompt, try pressing enter.\n/ # cat /host/proc/uptime\n100.00 90.00\n/ # exit\nq-3$ true\n",
			[]string{"fig-7 sh", "fig-7 cat /host/proc/uptime → 100.00 90.00", "fig-7 exit", "q-3 true"},
		},
		"a shell in the machine's own files": {
			"q-3$ kubectl debug node/fig-7 -it --image=busybox -- chroot /host\nroot@fig-7:/# uptime\n up 3 days\n",
			[]string{"fig-7 sh", "root@fig-7 uptime →  up 3 days"},
		},
		"of a pod": {
			"q-3$ kubectl debug worker-0 --image=busybox -- cat /proc/uptime\nq-3$ true\n",
			[]string{"q-3 kubectl debug worker-0 --image=busybox -- cat /proc/uptime", "q-3 true"},
		},
		"exec, which names a container by itself": {
			"q-3$ kubectl exec worker-0 -- cat /proc/uptime\nDefaulted container \"app\" out of: app, istio-proxy\n100.00 90.00\n",
			[]string{"q-3{worker-0} cat /proc/uptime → 100.00 90.00"},
		},
	} {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
}
