package sshsig

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

const namespace = "lockscene"

func signer(t testing.TB, key any) ssh.Signer {
	t.Helper()
	s, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keys is one of every kind that people have.
func keys(t testing.TB) map[string]ssh.Signer {
	t.Helper()
	_, ed, err1 := ed25519.GenerateKey(rand.Reader)
	ec, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	rs, err3 := rsa.GenerateKey(rand.Reader, 2048)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	return map[string]ssh.Signer{"ed25519": signer(t, ed), "ecdsa": signer(t, ec), "rsa": signer(t, rs)}
}

func public(k ssh.PublicKey) string { return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k))) }

func TestRoundTrip(t *testing.T) {
	message := []byte("manifest\n")
	for kind, key := range keys(t) {
		sig, err := Sign(key, namespace, message)
		if err != nil {
			t.Fatal(kind, err)
		}
		got, err := Verify(sig, namespace, message)
		if err != nil || !bytes.Equal(got.Marshal(), key.PublicKey().Marshal()) {
			t.Errorf("%s: %v", kind, err)
		}
		if _, err := Verify(sig, "git", message); err == nil {
			t.Errorf("%s: a signature for one purpose passed for another", kind)
		}
		if _, err := Verify(sig, namespace, []byte("manifest")); err == nil {
			t.Errorf("%s: a signature fits other bytes", kind)
		}
	}
}

// The same bytes and an Ed25519 key give the same signature: a bundle that is
// signed twice is the same file.
func TestDeterministic(t *testing.T) {
	key := keys(t)["ed25519"]
	a, _ := Sign(key, namespace, []byte("x"))
	b, _ := Sign(key, namespace, []byte("x"))
	if a != b || a == "" {
		t.Error("two signatures of the same bytes differ")
	}
}

// An RSA signature of the old kind verifies as such, and proves nothing.
func TestRefusesSHA1(t *testing.T) {
	key := keys(t)["rsa"]
	signed, _ := spoken(namespace, "", "sha512", []byte("x"))
	s, err := key.(ssh.AlgorithmSigner).SignWithAlgorithm(rand.Reader, signed, ssh.KeyAlgoRSA)
	if err != nil {
		t.Fatal(err)
	}
	blob := ssh.Marshal(envelope{Version: 1, PublicKey: key.PublicKey().Marshal(), Namespace: namespace, Hash: "sha512", Signature: ssh.Marshal(*s)})
	if _, err := Verify(armour(append([]byte(magic), blob...)), namespace, []byte("x")); err == nil || !strings.Contains(err.Error(), "SHA-1") {
		t.Error(err)
	}
}

func TestRefusesDamage(t *testing.T) {
	sig, _ := Sign(keys(t)["ed25519"], namespace, []byte("x"))
	for name, text := range map[string]string{
		"empty":       "",
		"no foot":     strings.Split(sig, foot)[0],
		"no base64":   head + "\n!!\n" + foot,
		"other magic": head + "\n" + "AAAABBBB" + "\n" + foot,
		"cut":         head + "\n" + "U1NIU0lHAAAAAQ==" + "\n" + foot,
		"endless":     head + strings.Repeat("A", maxArmour) + foot,
	} {
		if _, err := Verify(text, namespace, []byte("x")); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// OpenSSH checks ours, and we check OpenSSH's.
func TestBesideOpenSSH(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Fatal("ssh-keygen is not installed: testdata/setup.sh installs it")
	}
	for _, kind := range []string{"ed25519", "ecdsa", "rsa"} {
		dir := t.TempDir()
		key, message, allowed := filepath.Join(dir, "key"), filepath.Join(dir, "m"), filepath.Join(dir, "allowed")
		run(t, nil, "ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "ada@host", "-f", key)
		pub, _ := os.ReadFile(key + ".pub")
		private, _ := os.ReadFile(key)
		write(t, allowed, "ada@example.net namespaces=\"lockscene,file\" "+string(pub))
		write(t, message, "manifest\n")
		s, err := ssh.ParsePrivateKey(private)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := Sign(s, namespace, []byte("manifest\n"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, message+".ours", ours)
		run(t, []byte("manifest\n"), "ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "ada@example.net", "-n", namespace, "-s", message+".ours")
		run(t, nil, "ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace, message)
		theirs, _ := os.ReadFile(message + ".sig")
		if _, err := Verify(string(theirs), namespace, []byte("manifest\n")); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		// But for the random number inside an ECDSA one, they are the same bytes.
		if kind != "ecdsa" && string(theirs) != ours {
			t.Errorf("%s: ours differs from ssh-keygen's:\n%s%s", kind, ours, theirs)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, stdin []byte, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = bytes.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestWho(t *testing.T) {
	all := keys(t)
	mine, other := all["ed25519"].PublicKey(), all["ecdsa"].PublicKey()
	now := time.Date(2026, 11, 29, 3, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, list, identity string
		want                 string // part of the reason; empty: allowed
	}{
		{"plain", "ada@example.net " + public(mine), "", ""},
		{"comment and blank", "# team\n\n ada@example.net\t" + public(mine) + " laptop\n", "ada@example.net", ""},
		{"any of several lines", "eve " + public(other) + "\nada " + public(mine), "ada", ""},
		{"another key", "ada " + public(other), "", "not in the list"},
		{"empty list", "", "", "not in the list"},
		{"another name", "ada " + public(mine), "eve", "speak for"},
		{"pattern", "*@example.net,!root@example.net " + public(mine), "ada@example.net", ""},
		{"pattern forbids", "*@example.net,!root@example.net " + public(mine), "root@example.net", "speak for"},
		{"namespace", `ada namespaces="file,lock*" ` + public(mine), "", ""},
		{"another namespace", `ada namespaces="git" ` + public(mine), "", "not allow its key for lockscene"},
		{"authority", "ada cert-authority " + public(mine), "", "certificates only"},
		{"not yet", `ada valid-after="20261201" ` + public(mine), "", "at this time"},
		{"no more", `ada valid-before="202611290259Z" ` + public(mine), "", "at this time"},
		{"in time", `ada valid-after="20261128",valid-before="20261130" ` + public(mine), "", ""},
		{"first line refuses, second allows", `ada namespaces="git" ` + public(mine) + "\nada " + public(mine), "", ""},
		{"quoted name", `"ada lovelace" ` + public(mine), "ada lovelace", ""},
	} {
		a, err := ParseAllowed([]byte(c.list))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		names, err := a.Who(mine, namespace, c.identity, now)
		switch {
		case c.want == "" && (err != nil || len(names) == 0):
			t.Errorf("%s: %v %v", c.name, names, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A line that is not understood may have been the one that forbids.
func TestParseAllowedRefuses(t *testing.T) {
	key := public(keys(t)["ed25519"].PublicKey())
	for _, list := range []string{"ada", "ada ssh-ed25519 AAAA", "ada no-such-option " + key, `ada valid-before="tomorrow" ` + key, strings.Repeat("a", maxLine+1)} {
		if _, err := ParseAllowed([]byte(list)); err == nil {
			t.Errorf("%.60q was accepted", list)
		}
	}
}

func FuzzVerify(f *testing.F) {
	sig, _ := Sign(keys(f)["ed25519"], namespace, []byte("x"))
	f.Add(sig, "ada "+public(keys(f)["ed25519"].PublicKey()), "a*b?c")
	f.Fuzz(func(t *testing.T, sig, list, pattern string) {
		_, err := Verify(sig, namespace, []byte("another message"))
		if err == nil {
			t.Fatal("a signature of a message nobody signed")
		}
		_, _ = ParseAllowed([]byte(list))
		if !wild(pattern, strings.ReplaceAll(strings.ReplaceAll(pattern, "*", "**"), "?", "x")) {
			t.Fatalf("%q does not match itself", pattern)
		}
	})
}
