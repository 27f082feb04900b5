package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lockscene": main})
}

// Scripts are the command line as a user meets it, against a real Redis.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPO", mustWd(t))
			env.Setenv("TERM", "dumb")
			env.Setenv("LANG", "C.UTF-8")
			host, err := os.Hostname()
			env.Setenv("HOST", host)
			env.Setenv("SELF", strconv.Itoa(os.Getpid()))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"redis":    cmdRedis,
			"do":       cmdDo,
			"scripted": cmdScripted,
			"status":   cmdStatus,
			"root":     cmdRoot,
			"unpack":   cmdUnpack,
			"doctor":   cmdDoctor,
			"lacks":    cmdLacks,
			"says":     cmdSays,
			"reseal":   cmdReseal,
			"fill":     cmdFill,
			"port":     cmdPort,
			"sentinel": cmdSentinel,
			"certs":    cmdCerts,
		},
	})
}

func mustWd(t *testing.T) string {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return wd
}

// scriptTB lets a script start servers with the helpers that tests use.
type scriptTB struct {
	testing.TB
	ts *testscript.TestScript
}

func (s scriptTB) Helper()                   {}
func (s scriptTB) Fatal(args ...any)         { s.ts.Fatalf("%s", fmt.Sprint(args...)) }
func (s scriptTB) Fatalf(f string, a ...any) { s.ts.Fatalf(f, a...) }
func (s scriptTB) Cleanup(f func())          { s.ts.Defer(f) }
func (s scriptTB) TempDir() string           { return s.ts.MkAbs(".") }

// redis [config…]: start a real server; $REDIS is its address.
func cmdRedis(ts *testscript.TestScript, _ bool, args []string) {
	s := startRedis(scriptTB{ts: ts}, args...)
	ts.Setenv("REDIS", s.addr)
	ts.Setenv("PORT", s.port())
}

// do COMMAND…: one Redis command. {N*x} in an argument repeats x N times.
func cmdDo(ts *testscript.TestScript, neg bool, args []string) {
	rdb := goredis.NewClient(&goredis.Options{Addr: ts.Getenv("REDIS"), Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	words := make([]any, len(args))
	for i, a := range args {
		if u, err := strconv.Unquote(`"` + a + `"`); err == nil {
			a = u
		}
		words[i] = a
	}
	_, err := rdb.Do(context.Background(), words...).Result()
	if err != nil && err != goredis.Nil && !neg {
		ts.Fatalf("do %v: %v", args, err)
	}
}

// fill KEY BYTES: a value of that many bytes.
func cmdFill(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	rdb := goredis.NewClient(&goredis.Options{Addr: ts.Getenv("REDIS"), Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	ts.Check(rdb.Set(context.Background(), args[0], strings.Repeat("x", n), 0).Err())
}

// scripted REPLY: a server that answers REPLY to everything; $REDIS is its address.
func cmdScripted(ts *testscript.TestScript, _ bool, args []string) {
	addr := scripted(scriptTB{ts: ts}, strings.Join(args, " ")+"\r\n")
	ts.Setenv("REDIS", addr)
}

// status CODE ARGS…: run lockscene, want this exit code.
func cmdStatus(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("lockscene", args[1:]...)
	got := 0
	if e, ok := err.(*exec.ExitError); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("run: %v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// root: what follows needs root; without it the script says so and ends.
func cmdRoot(ts *testscript.TestScript, _ bool, _ []string) {
	if os.Getuid() != 0 {
		ts.Logf("NOT RUN: needs root")
		fmt.Println("NOT RUN:", ts.Name(), "needs root")
		ts.Check(fmt.Errorf("%s", "needs root")) // reported as a failure: a silent skip would hide it
	}
}

// unpack BUNDLE DIR: with plain tar, as anybody would.
func cmdUnpack(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.MkdirAll(ts.MkAbs(args[1]), 0o755))
	ts.Check(ts.Exec("tar", "xzf", ts.MkAbs(args[0]), "-C", ts.MkAbs(args[1]), "--strip-components=1"))
}

// doctor BUNDLE MEMBER OLD NEW: change one member's text and leave the rest.
func cmdDoctor(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	z, err := gzip.NewReader(bytes.NewReader(b))
	ts.Check(err)
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	tw := tar.NewWriter(zw)
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		ts.Check(err)
		data, err := io.ReadAll(tr)
		ts.Check(err)
		if strings.HasSuffix(h.Name, args[1]) {
			changed := bytes.Replace(data, []byte(args[2]), []byte(args[3]), 1)
			if bytes.Equal(changed, data) {
				ts.Fatalf("%s does not hold %q", args[1], args[2])
			}
			data, h.Size = changed, int64(len(changed))
		}
		ts.Check(tw.WriteHeader(h))
		_, err = tw.Write(data)
		ts.Check(err)
	}
	ts.Check(tw.Close())
	ts.Check(zw.Close())
	ts.Check(os.WriteFile(path, out.Bytes(), 0o644))
}

// lacks DIR TEXT: no file below DIR holds TEXT, gzipped ones included.
func cmdLacks(ts *testscript.TestScript, _ bool, args []string) {
	files := 0
	err := filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if err == nil && bytes.Contains(b, []byte(args[1])) {
			ts.Fatalf("%s holds %q", path, args[1])
		}
		return err
	})
	ts.Check(err)
	if files == 0 {
		ts.Fatalf("%s has no files", args[0])
	}
}

// says TEXT: the last output has this text, wherever its lines were broken.
func cmdSays(ts *testscript.TestScript, neg bool, args []string) {
	text := strings.Join(strings.Fields(ts.ReadFile("stdout")), " ")
	if strings.Contains(text, strings.Join(args, " ")) == neg {
		ts.Fatalf("the output does not agree with %q", args)
	}
}

// reseal BUNDLE: write fresh manifests, as a careful forger would.
func cmdReseal(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	ts.Check(ts.Exec("sh", "-c", `set -e; d=$(mktemp -d); tar xzf "$0" -C $d; cd $d/*; n=$(basename $PWD)
awk '{print $2}' manifest-sha256.txt >list; xargs sha256sum <list >m; rm list; mv m manifest-sha256.txt
sed 's/  */  /' -i manifest-sha256.txt
awk '{print $2}' tagmanifest-sha256.txt >list; xargs sha256sum <list >m; rm list; mv m tagmanifest-sha256.txt
cd ..; tar czf "$0" --owner=0 --group=0 --numeric-owner --sort=name $n; rm -rf $d`, path))
}

// Through a pipe COLUMNS says how wide text is drawn, if it says anything sensible.
func TestColumnsOfAPipe(t *testing.T) {
	for said, want := range map[string]int{"120": 120, "": 80, "wide": 80, "7": 80, "-1": 80} {
		t.Setenv("COLUMNS", said)
		if got := textOptions(io.Discard, "").Width; got != want {
			t.Errorf("COLUMNS=%q: %d columns, want %d", said, got, want)
		}
	}
}
