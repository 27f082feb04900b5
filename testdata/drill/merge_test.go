package drill

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// mergeRows look from two places at once: from the owner host, which is cut off,
// and from another that is not. Neither alone can say what both say together.
var mergeRows = []Row{
	{
		Slug:  "merged-one-machine",
		Story: "The network between the owner and Redis is cut. One responder looks from the owner host and gets no answer; another looks from a container on the same machine, which reaches Redis and sees none of the owner's processes. Merged, it is proven.",
		Drill: func(s *Scene) { s.merged(container) },
		Want: Want{Label: evidence.Partition, Grade: evidence.Proven, Lease: "lapsing|lapsed", Owner: "running", Path: "broken",
			Clock: "steady", Coordinator: "kept"},
	},
	{
		Slug:  "merged-two-machines",
		Story: "The same from a bastion: another machine that was booted a day earlier, whose wall clock is promised to be within 50 ms of the owner's. Merged, it is proven.",
		Drill: func(s *Scene) { s.merged(s.machine(), "--max-skew", "50ms") },
		Want: Want{Label: evidence.Partition, Grade: evidence.Proven, Lease: "lapsing|lapsed", Owner: "running", Path: "broken",
			Clock: "steady", Coordinator: "kept"},
	},
	{
		Slug:  "merged-unordered",
		Story: "The same, but nobody says how far apart the two machines' clocks are, and neither knows. What was seen on one cannot be ordered against the other, so that it is not proven.",
		Drill: func(s *Scene) { s.merged(s.machine()) },
		Want:  Want{Label: evidence.Partition, Grade: evidence.Likely, Path: "broken"},
	},
}

// container is a view without the owner's processes and host name, on this
// machine and its clocks.
var container = View{"unshare", "--uts", "--pid", "--fork", "--mount-proc", "--", "sh", "-c", `hostname bastion-1 && exec "$0" "$@"`}

// machine is a view from what looks like another machine: its own processes,
// name, boot id and time since boot.
func (s *Scene) machine() View {
	s.T.Helper()
	s.needs("unshare")
	id := filepath.Join(s.Dir, "boot_id")
	s.check(os.WriteFile(id, []byte("5d1c7a90-6a3f-4c52-9d0e-2b7f51c0a7e4\n"), 0o644), "write a boot id")
	if err := exec.Command("unshare", "--time", "--boottime", "86400", "--fork", "true").Run(); err != nil {
		s.NotRun("this kernel has no time namespaces: %v", err)
	}
	return View{"unshare", "--uts", "--pid", "--fork", "--mount", "--mount-proc", "--time", "--boottime", "86400", "--", "sh", "-c",
		"hostname bastion-1 && mount --bind " + id + ` /proc/sys/kernel/random/boot_id && exec "$0" "$@"`}
}

// merged cuts the owner off, looks from both sides at once and merges.
func (s *Scene) merged(elsewhere View, flags ...string) {
	s.T.Helper()
	s.needs("unshare")
	n, r, w := s.partitioned((*Netns).Cut)
	owner, bastion := filepath.Join(s.Dir, "owner.tar.gz"), filepath.Join(s.Dir, "bastion.tar.gz")
	s.seen = &Inspection{s: s, Bundle: filepath.Join(s.Dir, s.Row.Slug+".tar.gz")}
	if s.Lab.Bin == "" {
		return
	}
	inspect := append([]string{"inspect", s.Key, "--redis", "redis://" + r.Addr, "--watch", "6s", "--format", "json"}, s.Contract...)
	var both sync.WaitGroup
	var inside, outside evidence.Verdict
	both.Go(func() { inside, _, _ = s.answer(n.Enter(), append(inspect, pidFlag(w), "--out", owner)...) })
	both.Go(func() { outside, _, _ = s.answer(elsewhere, append(inspect, "--out", bastion)...) })
	both.Wait()
	s.T.Logf("from the owner host: %s %s; from elsewhere: %s %v", inside.Label, inside.Grade, outside.Label, outside.Open)
	if inside.Grade == evidence.Proven || outside.Label == evidence.Partition {
		s.T.Error("one side alone says as much: the drill shows nothing of merging")
	}
	// The order of the arguments must not matter.
	i := s.seen
	i.Args = append([]string{"evidence", "merge", bastion, owner, "-o", i.Bundle, "--format", "json"}, flags...)
	i.Verdict, i.Exit, i.Stderr = s.answer(nil, i.Args...)
	s.T.Log(i.Stderr)
}

// answer runs lockscene in a place and reads the verdict it prints.
func (s *Scene) answer(view View, args ...string) (evidence.Verdict, int, string) {
	all := append(append([]string(view), s.Lab.Bin), args...)
	cmd := exec.CommandContext(s.Ctx, all[0], all[1:]...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.T.Errorf("run %s: %v", strings.Join(all, " "), err)
		return evidence.Verdict{}, -1, ""
	}
	var answer struct{ Verdict evidence.Verdict }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		s.T.Errorf("read the answer of %s: %v\n%s", strings.Join(all, " "), err, talk.String())
	}
	return answer.Verdict, cmd.ProcessState.ExitCode(), talk.String()
}

func TestMerge(t *testing.T) {
	if err := Sweep(); err != nil {
		t.Fatal(err)
	}
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}}
	t.Cleanup(func() { publish(t, "from two places", lab.Tally) })
	for n, row := range mergeRows {
		t.Run(row.Slug, func(t *testing.T) {
			t.Parallel()
			Stage(t, lab, len(rows())+n, row)
		})
	}
}
