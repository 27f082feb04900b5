package classify

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Facts worth fixing beside the label, those that no other test meets.
var findingStories = stories{
	"a lease longer than the contract allows": {
		"",
		func() *scene {
			s := healthy()
			s.Contract.LeaseMax = 20 * time.Second
			return s
		},
		want{with: []string{"lease-too-long"}},
	},
	"milliseconds taken for seconds": {
		"",
		func() *scene { return newScene().looks(0, 5, 1, heldBy(holder, 30000)).info(0).info(5) },
		want{with: []string{"ttl-unit-error"}, clock: "steady"},
	},
	"a list": {
		"",
		func() *scene {
			s := healthy()
			for i := range s.Looks {
				s.Looks[i].Type = saw("list")
			}
			return s
		},
		want{with: []string{"wrong-type"}},
	},
	"a cached page": {
		"",
		func() *scene { return newScene().looks(0, 5, 1, hash(3590, "title", "body", "etag")).info(0).info(5) },
		want{with: []string{"cache-collision"}, without: []string{"wrong-type"}},
	},
	"a fencing token": {
		"",
		func() *scene { return newScene().looks(0, 5, 1, heldBy("quince-3:41207:token=17", 29)).info(0).info(5) },
		want{without: []string{"no-fencing-token"}},
	},
	"a group short of memory": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			tight := func(l *evidence.ProcLook) {
				l.Cgroup.Mem = saw(evidence.Pressure{Some: &evidence.PressureLine{Avg10: 61}})
				l.Cgroup.MemoryMax, l.Cgroup.MemoryNow = saw(int64(1000)), saw(int64(990))
			}
			s.process(pidOne, "value").look(0, "S", 0, tight).look(9, "S", 2, tight)
			return s
		},
		want{label: evidence.NoFailure, with: []string{"memory-pressure", "oom-risk"}},
	},
	"renewed by somebody else": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			return s.clients(9, client(7, ownAddr, "get", 0), client(8, "10.0.0.77:4000", "evalsha", 4))
		},
		want{with: []string{"non-owner-renewal"}, without: []string{"renewer-shares-process"}},
	},
	"renewals far apart": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 29, 1, heldBy(holder, 35)).looks(30, 31, 1, heldBy(holder, 60)).info(0).info(31)
			s.Contract.RenewEvery = 25 * time.Second
			working(s, 0, 31)
			return s
		},
		want{with: []string{"renewal-gap"}},
	},
	"the work outlasts the lease": {
		"",
		func() *scene {
			s := newScene().looks(0, 24, 1, heldBy(holder, 25)).looks(26, 31, 1, noKey).info(0).info(31)
			s.Contract.RenewEvery = 0
			working(s, 0, 24, 31)
			return s.clients(0, client(7, ownAddr, "get", 0)).clients(31, client(7, ownAddr, "get", 0))
		},
		want{label: evidence.ContractFault, cause: "not-renewed", with: []string{"lease-shorter-than-work"}},
	},
	"the same with a library that lets leases run out": {
		"it keeps the key for a while after the work is done: whether the work was done does not show",
		func() *scene {
			s := newScene().looks(0, 24, 1, heldBy(holder, 25)).looks(26, 31, 1, noKey).info(0).info(31)
			s.Contract.RenewEvery = 0
			s.Dialect = saw(evidence.Dialect{OneOf: []evidence.Library{{Name: "shedlock", Fit: evidence.Certain}}, Form: "task lock", RunsOut: true})
			working(s, 0, 24, 31)
			return s.clients(0, client(7, ownAddr, "get", 0)).clients(31, client(7, ownAddr, "get", 0))
		},
		want{label: evidence.Inconclusive, lease: "lapsed", open: []evidence.Label{evidence.ContractFault, evidence.NoFailure}, notOpen: []evidence.Label{evidence.Crash}},
	},
	"a host that slept": {
		"",
		func() *scene {
			return healthy().kernel(1, evidence.KernelEvent{Class: "suspend", Text: "PM: suspend entry"})
		},
		want{with: []string{"vm-suspended"}},
	},
	"a clock nobody keeps": {
		"",
		func() *scene {
			s := healthy()
			s.Host.Adjtimex = saw(evidence.Adjtimex{State: 5, Status: 0x40})
			return s
		},
		want{with: []string{"clock-unsynchronised"}},
	},
}

func healthy() *scene {
	s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
	working(s, 0, 9)
	return s
}

func TestFindings(t *testing.T) { findingStories.tell(t) }

// told are the verdicts of every story, and of the incidents that were recorded.
func told(t *testing.T) []evidence.Verdict {
	t.Helper()
	var out []evidence.Verdict
	for _, all := range []stories{leaseStories, ownerStories, identityStories, pathStories, clockStories, coordinatorStories, cases, serverCases, findingStories, nodeStories, noticeStories, quorumStories, neighbourStories, successionStories, serverFaultStories, deedStories, pastStories, supervisedStories, pauseStories, rebootStories, sayingStories, networkStories} {
		for _, s := range all {
			out = append(out, s.scene().judge())
		}
	}
	paths, err := filepath.Glob("../testdata/incidents/*.tar.gz")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recorded incidents: %v", err)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := evidence.Open(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, Judge(b.Snapshot))
	}
	return out
}

// A rule, a cause or an answer that nothing brings about is untested or dead.
func TestEverythingIsSaid(t *testing.T) {
	said := map[string]bool{}
	for _, v := range told(t) {
		said["label "+string(v.Label)], said["cause "+v.Cause], said["state "+string(v.State)] = true, true, true
		for _, f := range v.Findings {
			said["finding "+f.ID] = true
			if f.Advice == "" || f.Text == "" || len(f.Because) == 0 {
				t.Errorf("finding %s lacks a text, a reason or advice: %+v", f.ID, f)
			}
		}
		for _, a := range []evidence.Answer{v.Answers.Lease, v.Answers.Owner, v.Answers.Path, v.Answers.Clock, v.Answers.Coordinator} {
			for _, p := range a.Possible {
				said["answer "+p] = true
			}
			if len(a.Possible) == 1 {
				said["only "+p1(a)] = true
			}
		}
	}
	var want []string
	for _, family := range [][]rule{leaseRules(), ownerRules(), renewalRules(), serverRules(), nodeRules(), quorumRules(), neighbourRules(), eventRules(), runtimeRules(), networkRules(), clockRules()} {
		for _, r := range family {
			want = append(want, "finding "+r.id)
		}
	}
	for cause := range causes() {
		want = append(want, "cause "+cause)
	}
	for _, c := range []string{"unreachable", "removed-by-another", "not-renewed", "renewal-missing", "clock-step", "clock-frozen"} {
		want = append(want, "cause "+c)
	}
	for _, r := range table() {
		want = append(want, "label "+string(r.label))
	}
	// That a renewal is not due yet never excludes that one came: held is never alone.
	for _, a := range []string{renewing, lapsing, lapsed, lost, released, endless, running, stalled, gone, up, broken, steady, off, kept, broke} {
		want = append(want, "only "+a)
	}
	want = append(want, "answer "+held, "label inconclusive", "state free", "state held", "state overdue", "state stale-holder", "state contested", "state unknown")
	for _, w := range want {
		if !said[w] {
			t.Errorf("no test brings about %s", w)
		}
	}
}

func p1(a evidence.Answer) string { return a.Possible[0] }
