package service

import (
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/kernel"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A word is what one program writes of containers, pods or the node, and the
// reason under which it is kept. The reasons are the cluster's own where it has
// one.
type word struct {
	from   string // the program
	holds  string
	reason string
}

// words stand in order: the first that a line holds names it.
var words = [...]word{
	{"kubelet", "Killing container with a grace period", "Killing"},
	{"kubelet", "Killing container ", "Killing"},
	{"kubelet", "Killing unwanted", "Killing"},
	{"kubelet", "must evict pod", "Evicting"},
	{"kubelet", "pod is evicted successfully", "Evicted"},
	{"kubelet", "evicted, waiting for pod to be cleaned up", "Evicted"},
	{"kubelet", "attempting to reclaim", "EvictionThresholdMet"},
	{"kubelet", "Probe failed", "Unhealthy"},
	{"kubelet", "iveness probe", "Unhealthy"},
	{"kubelet", "failed liveness", "Unhealthy"},
	{"kubelet", "PLEG is not healthy", "NodeNotReady"},
	{"kubelet", "Node became not ready", "NodeNotReady"},
	{"kubelet", "skipping pod synchronization", "NodeNotReady"},
	{"kubelet", "NodeNotReady", "NodeNotReady"},
	{"kubelet", "ContainerDied", "ContainerDied"},
	{"kubelet", "OOMKilled", "OOMKilled"},
	{"kubelet", "System OOM encountered", "SystemOOM"},
	{"kubelet", "CrashLoopBackOff", "BackOff"},
	{"containerd", "TaskOOM", "OOM"},
	{"containerd", "TaskExit", "TaskExit"},
	{"containerd", "shim disconnected", "TaskExit"},
	{"containerd", "StopContainer for", "Killing"},
	{"containerd", "Kill container", "Killing"},
	{"dockerd", "TaskOOM", "OOM"},
	{"dockerd", "/tasks/oom", "OOM"},
	{"dockerd", "/tasks/exit", "TaskExit"},
	{"dockerd", "task-delete", "TaskExit"},
	{"dockerd", "failed to exit within", "Killing"},
	{"dockerd", "Container failed to stop after sending signal", "Killing"},
	{"crio", "OOM", "OOM"},
	{"crio", "Stopped container", "Killing"},
	{"conmon", "OOM received", "OOM"},
	{"conmon", "exited with status", "TaskExit"},
}

// The programs' own fields that say of whom they speak.
var (
	podField       = regexp.MustCompile(`\b(?:pod|pods)="?\[?"?([a-z0-9][a-z0-9.-]{0,252}/[a-z0-9][a-z0-9.-]{0,252})`)
	containerField = regexp.MustCompile(`(?:ContainerStatus|containerID|container_id|container|id)[=:]\s*\\?"?(?:[a-z-]{1,20}://)?([0-9a-f]{64})`)
	nodeField      = regexp.MustCompile(`\bnode="([A-Za-z0-9][A-Za-z0-9.-]{0,252})"`)
)

// Notices finds what kubelets and container runtimes logged of containers, pods
// and the node. A record has to say who wrote it; one that names nobody and has
// the date that Kubernetes' own programs print is taken for the kubelet's.
func Notices(records []kernel.Record, f stamp.Frame) []evidence.ClusterEvent {
	var out []evidence.ClusterEvent
	for i := range records {
		r := &records[i]
		program, at := r.Tag, r.Wall.Interval().On(f.Clock)
		if program == "" && isKlog(r.Text) {
			program = "kubelet"
			at, _, _ = f.Leading(r.Text)
		}
		reason := reasonOf(program, r.Text)
		if reason == "" {
			continue
		}
		if out = append(out, evidence.ClusterEvent{
			At: at, Reason: reason, Object: objectOf(r.Text[:min(len(r.Text), maxWord)]), Text: clip(r.Text), Count: r.Repeat,
		}); len(out) == maxItems {
			break
		}
	}
	return out
}

// isKlog says whether a line begins as klog's do: severity, month and day.
func isKlog(s string) bool {
	return len(s) > 22 && strings.IndexByte("IWEF", s[0]) >= 0 && s[5] == ' ' && s[8] == ':' && s[14] == '.'
}

func reasonOf(program, text string) string {
	if program == "" || program == "kernel" || len(program) > 32 {
		return ""
	}
	text = text[:min(len(text), maxWord)]
	for _, w := range words {
		if program == w.from && strings.Contains(text, w.holds) {
			return w.reason
		}
	}
	return ""
}

// objectOf names the pod, else the container, else the node of a line.
func objectOf(text string) string {
	for _, o := range [...]struct {
		field *regexp.Regexp
		kind  string
	}{{podField, "pod/"}, {containerField, "container/"}, {nodeField, "node/"}} {
		if m := o.field.FindStringSubmatch(text); m != nil {
			return o.kind + strings.Clone(m[1])
		}
	}
	return ""
}
