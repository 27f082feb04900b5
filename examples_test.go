package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
)

// Every line of every example runs, as far as its first pipe: against a real Redis, on
// bundles that real captures made, under the names that the line uses.
func TestExamplesRun(t *testing.T) {
	stage := stageOfExamples(t)
	seen := 0
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			seen++
			t.Run(cmd.CommandPath()+" "+strconv.Itoa(seen), func(t *testing.T) { stage.play(t, cmd, strings.TrimSpace(line)) })
		}
	})
	if seen < 30 {
		t.Errorf("only %d examples", seen)
	}
}

// A stage is what examples speak of.
type stage struct {
	folder   string // copied for each example, because some change their bundles
	testdata string
	plain    *server
	tls      string // the same server's address where it speaks TLS
	owner    int    // a process of this host
}

// play runs one line and holds its exit code against what the command may say.
func (s stage) play(t *testing.T, cmd *cobra.Command, line string) {
	if strings.ContainsAny(line, `"'\$`) {
		t.Fatalf("%s: quoting is more than this test reads", line)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(s.folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(s.testdata, filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	s.lockIt(t)
	args := s.words(t, cmd, line)
	if !strings.Contains(line, cmd.CommandPath()+" ") && !strings.HasSuffix(line, cmd.CommandPath()) {
		t.Errorf("%s: no example of %s", line, cmd.CommandPath())
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), args, &out, &errs)
	if want := mayExit(args); !slices.Contains(want, code) || out.Len() == 0 {
		t.Errorf("%s\nexit %d, want one of %v\n%s%s", line, code, want, out.String(), errs.String())
	}
}

// words are the arguments of a line, with variables set, patterns spread, and the
// addresses and the process of the example replaced by real ones.
func (s stage) words(t *testing.T, cmd *cobra.Command, line string) []string {
	for _, end := range []string{" | ", " > ", "    # "} {
		line, _, _ = strings.Cut(line, end)
	}
	live := strings.HasPrefix(cmd.CommandPath(), "lockscene inspect")
	if live {
		line = strings.NewReplacer("rediss://10.0.0.5", "rediss://"+s.tls, "10.0.0.5:6379", s.plain.addr, "10.0.0.5", s.plain.addr, "41207", strconv.Itoa(s.owner)).Replace(line)
	}
	var args []string
	for _, w := range strings.Fields(line) {
		name, value, assigned := strings.Cut(w, "=")
		home, isHome := strings.CutPrefix(w, "~/")
		switch {
		case len(args) == 0 && assigned:
			t.Setenv(name, value)
		case isHome:
			args = append(args, filepath.Join(os.Getenv("HOME"), home))
		case strings.Contains(w, "*"):
			found, err := filepath.Glob(w)
			if err != nil || len(found) == 0 {
				t.Fatalf("%s names nothing", w)
			}
			args = append(args, found...)
		default:
			args = append(args, w)
		}
	}
	if len(args) < 2 || args[0] != "lockscene" {
		t.Fatalf("%s: not a command of ours", line)
	}
	if cmd.CommandPath() == "lockscene inspect" && !slices.Contains(args, "--acl") {
		args = append(args, "--watch", "0") // one look is enough to know that the line is right
	}
	return args[1:]
}

// mayExit lists what an example may end with: a verdict where one is given, and never
// that it was asked wrongly or saw nothing.
func mayExit(args []string) []int {
	if slices.Contains(args, "--dry-run") || slices.Contains(args, "--acl") || slices.Contains(args, "--expect") {
		return []int{exitNone}
	}
	judges := args[0] == "classify" || args[0] == "evidence" && slices.Contains([]string{"import", "merge"}, args[1])
	if args[0] == "inspect" {
		judges = !slices.ContainsFunc(sources(), func(s source) bool { return s.name == args[1] })
	}
	if judges {
		return []int{exitNone, exitFailure, exitInconclusive}
	}
	return []int{exitNone}
}

// stageOfExamples makes the servers, bundles, keys and files once.
func stageOfExamples(t *testing.T) stage {
	s := stage{folder: t.TempDir(), testdata: filepath.Join(mustWd(t), "testdata")}
	s.plain, s.tls = startBoth(t)
	s.owner = startOwner(t)
	s.lockIt(t)
	home := filepath.Join(s.folder, "home", ".ssh")
	mustDo(t, os.MkdirAll(home, 0o700))
	mustDo(t, os.Mkdir(filepath.Join(s.folder, "drills"), 0o700))
	proofs, err := filepath.Glob(filepath.Join(s.testdata, "proofs", "fenced-*"))
	mustDo(t, err)
	for _, p := range proofs {
		copyTo(t, p, filepath.Join(s.folder, "drills", filepath.Base(p)))
	}
	copyTo(t, filepath.Join(s.testdata, "proofs", "lease.yaml"), filepath.Join(s.folder, "lease.yaml"))
	copyTo(t, filepath.Join(s.testdata, "incidents", "oom-kill.tar.gz"), filepath.Join(s.folder, "incident.tar.gz"))
	for name, vantage := range map[string]string{"before": "owner", "after": "owner", "owner": "owner", "bastion": "bastion", "lockscene-lock-orders-20261129T031211Z": "owner"} {
		s.lockscene(t, "inspect", "lock:orders", "--redis", s.plain.addr, "--watch", "0", "--vantage", vantage, "--out", filepath.Join(s.folder, name+".tar.gz"))
	}
	key := filepath.Join(home, "id_ed25519")
	shell(t, `ssh-keygen -q -t ed25519 -N '' -C ada -f "$1"
{ printf 'ada@example.net namespaces="lockscene" '; cat "$1.pub"; } >"$2"`, key, filepath.Join(home, "allowed_signers"))
	s.lockscene(t, "evidence", "sign", filepath.Join(s.folder, "incident.tar.gz"), "--key", key)
	startAgent(t, key)
	s.pasted(t)
	return s
}

// pasted writes what evidence import reads.
func (s stage) pasted(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(s.testdata, "cases", "02-oom-killed-owner.txt"))
	mustDo(t, err)
	for name, text := range map[string]string{
		"ticket-4711.txt": strings.NewReplacer("lock:payrun:close", "lock:orders", "28807", "41207").Replace(string(b)),
		"worker.ndjson": `{"at":"2026-11-29T03:11:42.604Z","event":"acquire","key":"lock:orders","owner":"w1","token":33}
{"at":"2026-11-29T03:11:52.611Z","event":"renew","key":"lock:orders","owner":"w1","token":33,"ok":true}
`,
		"dmesg.txt": "2026-11-29T03:11:57,106000+00:00 Out of memory: Killed process 41207 (ledgerd) total-vm:812344kB, anon-rss:655360kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:1400kB oom_score_adj:0\n",
	} {
		mustDo(t, os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600))
	}
}

// lockscene runs a command that has to work for the examples to be played.
func (s stage) lockscene(t *testing.T, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, &out, &errs); !slices.Contains([]int{exitNone, exitFailure, exitInconclusive}, code) {
		t.Fatalf("%q: exit %d: %s", args, code, errs.String())
	}
}

// startBoth starts a server that speaks TLS on a second port, and lets the environment
// say how to trust it, as a site would.
func startBoth(t *testing.T) (plain *server, tls string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	mustDo(t, err)
	tls = l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(tls)
	at := inFolder{t, t.TempDir()}
	certificates(at)
	t.Setenv("LOCKSCENE_TLS_CA", at.MkAbs("ca.pem"))
	return startRedis(t, "--tls-port", port, "--tls-auth-clients", "no",
		"--tls-cert-file", at.MkAbs("server.pem"), "--tls-key-file", at.MkAbs("server.key"), "--tls-ca-cert-file", at.MkAbs("ca.pem")), tls
}

// inFolder is a test's folder for certificates.
type inFolder struct {
	t   *testing.T
	dir string
}

func (f inFolder) Check(err error)          { mustDo(f.t, err) }
func (f inFolder) MkAbs(name string) string { return filepath.Join(f.dir, name) }

// startAgent starts an ssh-agent that holds the key.
func startAgent(t *testing.T, key string) {
	socket := filepath.Join(t.TempDir(), "agent")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	mustDo(t, agent.Start())
	t.Cleanup(func() { _ = agent.Process.Kill(); _, _ = agent.Process.Wait() })
	t.Setenv("SSH_AUTH_SOCK", socket)
	eventually(t, "the ssh-agent listens", func() bool {
		c, err := net.Dial("unix", socket)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	shell(t, `ssh-add -q "$1"`, key)
}

// startOwner starts a process that a lock can belong to: none looks at itself.
func startOwner(t *testing.T) int {
	owner := exec.Command("sleep", "600")
	mustDo(t, owner.Start())
	t.Cleanup(func() { _ = owner.Process.Kill(); _, _ = owner.Process.Wait() })
	return owner.Process.Pid
}

// lockIt takes the lock of the examples.
func (s stage) lockIt(t *testing.T) {
	t.Helper()
	rdb := goredis.NewClient(&goredis.Options{Addr: s.plain.addr, Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	mustDo(t, rdb.Set(t.Context(), "lock:orders", fmt.Sprintf("elsewhere:%d:9b1e77c4", s.owner), 30*time.Second).Err())
}

func shell(t *testing.T, script string, args ...string) {
	t.Helper()
	if out, err := exec.Command("sh", append([]string{"-ec", script, "sh"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	mustDo(t, err)
	mustDo(t, os.WriteFile(to, b, 0o600))
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
