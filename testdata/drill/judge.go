package drill

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

type question struct {
	name   string
	answer evidence.Answer
}

func questions(a evidence.Answers) []question {
	return []question{{"lease", a.Lease}, {"owner", a.Owner}, {"path", a.Path}, {"clock", a.Clock}, {"coordinator", a.Coordinator}}
}

// judge compares the verdict with the row and prints every difference at once.
func (s *Scene) judge() {
	s.T.Helper()
	s.T.Log(s.seen.summary())
	want := s.Row.Want
	if s.Lab.Script {
		want = want.likewise()
	}
	wrong := want.differences(s.seen)
	if s.Row.Want.FindsOwner && s.seen.Verdict.Holder.Pid != s.owner {
		wrong = append(wrong, fmt.Sprintf("holder pid %d, want %d", s.seen.Verdict.Holder.Pid, s.owner))
	}
	if why := s.verify(); why != "" {
		wrong = append(wrong, why)
	}
	for _, w := range wrong {
		s.T.Error(w)
	}
	if len(wrong) > 0 {
		s.T.Logf("lockscene %s\n%s", strings.Join(s.seen.Args, " "), s.seen.Stderr)
	}
}

// differences lists what the verdict says otherwise than wanted.
func (w Want) differences(i *Inspection) (wrong []string) {
	v := i.Verdict
	differ := func(what, got, want string) {
		if want != "" && !slices.Contains(strings.Split(want, "|"), got) {
			wrong = append(wrong, fmt.Sprintf("%s is %q, want %s", what, got, want))
		}
	}
	differ("label", string(v.Label), string(w.Label))
	differ("cause", v.Cause, w.Cause)
	differ("grade", string(v.Grade), string(w.Grade))
	differ("state", string(v.State), w.State)
	differ("exit code", fmt.Sprint(i.Exit), fmt.Sprint(w.exit()))
	wants := []string{w.Lease, w.Owner, w.Path, w.Clock, w.Coordinator}
	for n, q := range questions(v.Answers) {
		differ(q.name, q.answer.Value, wants[n])
	}
	wrong = append(wrong, lacks("open", v.Open, w.Open)...)
	wrong = append(wrong, lacks("also", v.Also, w.Also)...)
	wrong = append(wrong, lacks("not_ruled_out", v.NotRuledOut, w.NotRuledOut)...)
	return append(wrong, w.findings(v.Findings)...)
}

func (w Want) findings(found []evidence.Finding) []string {
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ID)
	}
	wrong := lacks("findings", ids, w.Findings)
	for _, id := range w.Absent {
		if slices.Contains(ids, id) {
			wrong = append(wrong, "finding "+id+" is there and must not be")
		}
	}
	return wrong
}

func lacks[T ~string](what string, got, want []T) (wrong []string) {
	for _, x := range want {
		if !slices.Contains(got, x) {
			wrong = append(wrong, fmt.Sprintf("%s %v lacks %s", what, got, x))
		}
	}
	return wrong
}

// verify asks whether the frozen evidence is whole: hashes, and that the verdict
// follows from the raw bytes again.
func (s *Scene) verify() string {
	if _, err := os.Stat(s.seen.Bundle); err != nil {
		return "the bundle is missing: " + err.Error()
	}
	out, err := exec.CommandContext(s.Ctx, s.Lab.Bin, "evidence", "verify", s.seen.Bundle).CombinedOutput()
	if err != nil {
		return fmt.Sprintf("verify the bundle: %v\n%s", err, out)
	}
	return ""
}
