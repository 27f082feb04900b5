package classify

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What to do next is pasted into a shell: it names the same lock, and what came
// from outside is quoted.
func TestNext(t *testing.T) {
	for name, tt := range map[string]struct {
		scene *scene
		want  string // in one of the steps, command or reason
	}{
		"the owner runs elsewhere": {newScene().looks(0, 5, 1, heldBy(rival, 25)), "lockscene inspect lock:orders --redis 10.0.0.5:6379 --lease 30s --renew-every 10s --pid 3391"},
		"the owner runs elsewhere, and nothing may be installed": {newScene().looks(0, 5, 1, heldBy(rival, 25)),
			"lockscene script --pid 3391 --redis 10.0.0.5:6379 --key lock:orders | ssh plum-8 sh | lockscene evidence import - --key lock:orders --redis 10.0.0.5:6379 --lease 30s --renew-every 10s"},
		"the owner runs in a pod": {newScene().looks(0, 5, 1, heldBy("ledger-7d9f8-x2x9k:1:9b1e77c4", 25)),
			"lockscene script --pid 1 --redis 10.0.0.5:6379 --key lock:orders | kubectl exec -i ledger-7d9f8-x2x9k -- sh | lockscene"},
		"nobody is named, and nothing may be installed": {newScene().looks(0, 5, 1, heldBy("9b1e77c4a11b22c3", 25)),
			"lockscene script --redis 10.0.0.5:6379 --key lock:orders | ssh HOST sh | lockscene evidence import - --key lock:orders"},
		"nobody is named":            {newScene().looks(0, 5, 1, heldBy("9b1e77c4a11b22c3", 25)), "--pid PID"},
		"no key":                     {newScene().looks(0, 5, 1, noKey), "the key is not there"},
		"nobody asked Redis":         {newScene(), "nobody read the key"},
		"Redis is silent":            {newScene().blind(0).blind(5), "Redis did not answer: i/o timeout"},
		"a worker that may wait":     {ownerStories["a worker that waits"].scene(), "--heartbeat file:PATH"},
		"a crash":                    {ownerStories["killed for memory"].scene(), "do not delete the key"},
		"a crash, and the end":       {ownerStories["killed for memory"].scene(), "by itself at"},
		"a crash without an end":     {leaseStories["without an expiry"].scene(), "nothing frees this key by itself"},
		"a renewer without a worker": {ownerStories["renewed by a thread while the worker beats no more"].scene(), "stop what renews it"},
	} {
		var all []string
		for _, s := range tt.scene.judge().Next {
			all = append(all, s.Why, s.Command)
		}
		if text := strings.Join(all, "\n"); !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q is not in\n%s", name, tt.want, text)
		}
	}
}

func TestNextQuotesWhatIsPasted(t *testing.T) {
	s := newScene().looks(0, 5, 1, heldBy("x", 25))
	s.Subject.Key = "a'b; rm -rf \x1b[2J"
	for _, step := range s.judge().Next {
		if step.Command != "" && !strings.Contains(step.Command, ` $'a\'b; rm -rf \x1b[2J' `) || strings.Contains(step.Command, "\x1b") {
			t.Errorf("not safe to paste: %q", step.Command)
		}
	}
	for in, want := range map[string]string{"plain-1.x:y": "plain-1.x:y", "": "''", "-rf": "'-rf'", "a b": "'a b'", "it's": `'it'\''s'`, "a\nb\xff": `$'a\x0ab\xff'`} {
		if got := shell(in); got != want {
			t.Errorf("shell(%q) is %s, want %s", in, got, want)
		}
	}
}

// Scripts read the verdict: a list without members is [], never null. And what is
// judged twice is judged alike.
func TestVerdictHasNoNullLists(t *testing.T) {
	for i, v := range told(t) {
		line, err := evidence.Line(v)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(line, []byte(":null")) {
			t.Errorf("verdict %d holds a null: %s", i, line)
		}
	}
	empty, err := evidence.Line(Judge(evidence.Snapshot{}))
	if err != nil || bytes.Contains(empty, []byte(":null")) {
		t.Errorf("nothing read: %v, %s", err, empty)
	}
}

// Snapshots come out of files that anybody may have written.
func TestJudgeSurvivesNonsense(t *testing.T) {
	never := evidence.Interval{}
	for name, spoil := range map[string]func(*scene){
		"nothing":          func(s *scene) { s.Snapshot = evidence.Snapshot{} },
		"no vantage":       func(s *scene) { s.Vantages = nil },
		"spans backwards":  func(s *scene) { s.Looks[0].Span.End.Boot = -1 << 62 },
		"the end of time":  func(s *scene) { s.Looks[0].End = saw(int64(1<<63 - 1)) },
		"no process looks": func(s *scene) { s.Processes[0].Looks = nil },
		"no ways":          func(s *scene) { s.Processes[0].Ways = nil },
		"a socket for ever": func(s *scene) {
			s.Processes[0].Looks[1].Sockets.Value[0] = evidence.Socket{Remote: server, Timer: "zero-window", Probes: 1 << 30, RTO: 1<<63 - 1, TxQueue: 1}
		},
		"timeouts below nil": func(s *scene) { s.Processes[0].Looks[1].Sockets.Value[0].Retrans = -5 },
		"born before boot":   func(s *scene) { s.Processes[0].Looks[0].Stat.Value.Start = 1<<64 - 1 },
		"idle for ever":      func(s *scene) { s.clients(0, client(7, ownAddr, "get", 1<<63-1)) },
		"a lease below nil":  func(s *scene) { s.Contract = evidence.Contract{Lease: -time.Hour, RenewEvery: -time.Hour} },
		"a kill of nobody": func(s *scene) {
			s.kernel(1, evidence.KernelEvent{Class: "oom-kill", Kill: &evidence.Kill{}, Wall: never})
		},
	} {
		s := healthy()
		spoil(s)
		v := s.judge()
		if v.Label == "" || v.Open == nil {
			t.Errorf("%s: no label", name)
		}
		Timeline(s.Snapshot, v)
	}
}

// A host's name out of a lock's value is pasted behind ssh: it must be nothing
// else than a name.
func TestHostName(t *testing.T) {
	for name, want := range map[string]bool{
		"quince-3": true, "quince-3.prod.example": true, "a_b": true, "": false,
		"-oProxyCommand=x": false, "root@h": false, "h sh": false, "$(x)": false, "..": false, strings.Repeat("h", 254): false,
	} {
		if got := hostName(name); got != want {
			t.Errorf("hostName(%q) is %v", name, got)
		}
	}
}

// What nobody read is not said to be away.
func TestNextClaimsNothingUnread(t *testing.T) {
	for _, step := range newScene().judge().Next {
		if strings.Contains(step.Why, "not there") || strings.Contains(step.Why, "did not answer") {
			t.Errorf("nothing was read, and it says: %s", step.Why)
		}
	}
}

// The owner's shell is reached again the way it was reached before.
func TestIntoTheOwnersShell(t *testing.T) {
	const pod = "ledger-7d9f8-x2x9k"
	typed := &evidence.Reckoning{}
	for name, tt := range map[string]struct {
		first     evidence.Vantage
		container string
		named     evidence.Named
		want      string
	}{
		"a pod that was gone into": {evidence.Vantage{Host: pod, Reckoned: typed, Inside: evidence.Inside{Pod: pod, Namespace: "pay", Container: "app"}}, "", evidence.Named{Host: pod, Pid: 17},
			"kubectl exec -i -n pay " + pod + " -c app -- sh"},
		"a pod that nothing names":        {evidence.Vantage{Host: pod, Reckoned: typed, Inside: evidence.Inside{Pod: pod}}, "", evidence.Named{Pid: 1}, "kubectl exec -i " + pod + " -- sh"},
		"a container that was gone into":  {evidence.Vantage{Host: "3f2a9c1d04be", Reckoned: typed, Inside: evidence.Inside{Container: "worker"}}, "", evidence.Named{Host: "3f2a9c1d04be", Pid: 17}, "docker exec -i worker sh"},
		"a laptop is no pod":              {evidence.Vantage{Host: "dev-laptop", Reckoned: typed}, "", evidence.Named{Pid: 1}, "ssh dev-laptop sh"},
		"a pod that the responder named":  {evidence.Vantage{Host: pod, Reckoned: typed}, "pay/" + pod, evidence.Named{Pid: 1}, "kubectl exec -i " + pod + " -- sh"},
		"another than what was gone into": {evidence.Vantage{Host: pod, Reckoned: typed, Inside: evidence.Inside{Pod: pod}}, "", evidence.Named{Host: "plum-8", Pid: 3391}, "ssh plum-8 sh"},
	} {
		c := incident{s: evidence.Snapshot{Vantages: []evidence.Vantage{tt.first}, Subject: evidence.Subject{Container: tt.container}}}
		if got := c.into(tt.named); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
