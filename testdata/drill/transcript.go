package drill

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// scriptSeconds lies between the script's two looks: longer than any lease here
// that a verdict waits for.
const scriptSeconds = "12"

// byScript prepares a shell that is fed lockscene's script on its standard
// input, as ssh HOST sh is, in the place the inspection would have looked from.
func (i *Inspection) byScript(view View, r *Redis, flags []string) {
	s := i.s
	s.T.Helper()
	out, err := exec.CommandContext(s.Ctx, s.Lab.Bin, append([]string{"script",
		"--redis", "redis://" + r.Addr, "--key", s.Key, "--full", "--seconds", scriptSeconds}, flags...)...).Output()
	s.check(err, "write the script")
	args := append([]string(view), "sh")
	i.cmd = exec.CommandContext(s.Ctx, args[0], args[1:]...)
	i.cmd.Stdin = strings.NewReader(string(out))
	file := filepath.Join(s.Dir, "transcript.txt")
	i.Args = append([]string{"evidence", "import", file, "--key", s.Key, "--redis", r.Addr}, i.told(flags)...)
}

// judgeTranscript imports what the script printed.
func (i *Inspection) judgeTranscript() error {
	s := i.s
	s.T.Helper()
	i.transcript = append([]byte(nil), i.out.Bytes()...)
	if !strings.HasSuffix(i.out.String(), "## end of lockscene script\n") {
		s.T.Fatalf("the script did not come to its end: %s\n%s", i.err.String(), i.out.String())
	}
	s.check(os.WriteFile(i.Args[2], i.transcript, 0o644), "keep the transcript")
	i.out.Reset()
	i.cmd = exec.CommandContext(s.Ctx, s.Lab.Bin, i.Args...)
	i.cmd.Stdout, i.cmd.Stderr = &i.out, &i.err
	if err := i.cmd.Start(); err != nil {
		return err
	}
	return i.ended()
}
