package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/term"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/evidence/sshsig"
)

// namespace is what our signatures are for: one made for a commit or a file
// cannot be put under a bundle.
const namespace = "lockscene"

func signCommand() *cobra.Command {
	var keyFile, passFile string
	cmd := &cobra.Command{
		Use:   "sign BUNDLE --key FILE",
		Short: "Put an SSH signature into a bundle",
		Long: `Signs the bundle's tagmanifest-sha256.txt, which covers every byte of it, and puts
the signature beside it; nothing else in the bundle changes. The key is an OpenSSH
private key, or the .pub file of one that the ssh-agent holds. A bundle that is not
whole is not signed. Whoever has no lockscene checks it after tar xzf with

  ssh-keygen -Y verify -f ALLOWED_SIGNERS -I NAME -n lockscene \
    -s tagmanifest-sha256.txt.sig < tagmanifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt manifest-sha256.txt`,
		Example: `  lockscene evidence sign incident.tar.gz --key ~/.ssh/id_ed25519
  lockscene evidence sign incident.tar.gz --key ~/.ssh/id_ed25519.pub    # ssh-agent`,
		Args: exactlyOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if keyFile == "" {
				return usage("evidence sign wants --key FILE")
			}
			return signBundle(args[0], keyFile, passFile, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&keyFile, "key", "", "OpenSSH private key, or a .pub file whose key the ssh-agent holds")
	cmd.Flags().StringVar(&passFile, "passphrase-file", "", "file with the key's passphrase; without it the terminal is asked")
	return cmd
}

func signBundle(path, keyFile, passFile string, w io.Writer) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usage("sign %s: give the archive, not a folder", path)
	}
	problems, old, err := verify(path, trust{})
	if err != nil {
		return err
	}
	if broken := unsound(problems); broken != "" {
		return exit{exitUnverified, fmt.Errorf("sign %s: not signed, because %s", path, broken)}
	}
	key, done, err := signerOf(keyFile, passFile)
	if err != nil {
		return err
	}
	defer done()
	sum, err := replaceFile(path, func(out io.Writer, in io.Reader) (string, error) {
		sum, _, err := evidence.Seal(out, in, func(manifest []byte) (string, error) {
			return sshsig.Sign(key, namespace, manifest)
		})
		return sum, err
	})
	if err != nil {
		return err
	}
	if strings.HasPrefix(old, "signed by") {
		fmt.Fprintf(w, "%s: was %s; that signature is replaced\n", path, old)
	}
	_, err = fmt.Fprintf(w, "%s: signed by %s  sha256 %s\n", path, nameOf(key.PublicKey()), sum)
	return err
}

// unsound is why a bundle must not be signed: a signature would vouch for what
// does not hold. One that its owner's key no longer fits may get another.
func unsound(problems []evidence.Problem) string {
	for _, p := range problems {
		if p.Kind != evidence.OtherRules && p.Kind != evidence.BadSignature {
			return p.Text
		}
	}
	return ""
}

// replaceFile writes a new version of a file beside it and renames: it is there
// whole, old or new. Its permissions stay.
func replaceFile(path string, write func(io.Writer, io.Reader) (string, error)) (sum string, err error) {
	if to, linkErr := filepath.EvalSymlinks(path); linkErr == nil {
		path = to
	}
	in, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open bundle: %w", err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return "", fmt.Errorf("open bundle: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".lockscene-*")
	if err != nil {
		return "", fmt.Errorf("write bundle: %w", err)
	}
	defer os.Remove(tmp.Name()) // gone already after the rename
	sum, err = write(tmp, in)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Close())
	if err != nil {
		return "", err
	}
	return sum, os.Rename(tmp.Name(), path)
}

// maxKey bounds a key file; an RSA key of 16384 bits takes twelve thousand bytes.
const maxKey = 64 << 10

// signerOf finds the key: in its file, or, where that holds only the public half
// or a passphrase is in the way, in the agent. done closes what it opened.
func signerOf(keyFile, passFile string) (key ssh.Signer, done func(), err error) {
	done = func() {}
	text, err := readAtMost(keyFile, maxKey)
	if err != nil {
		return nil, done, usage("read --key: %w", err)
	}
	if public, _, _, _, err := ssh.ParseAuthorizedKey(text); err == nil {
		key, done, err := agentKey(public)
		if err != nil {
			return nil, done, usage("read --key %s: %w", keyFile, err)
		}
		return key, done, nil
	}
	key, err = ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	switch {
	case err == nil:
		return key, done, nil
	case !errors.As(err, &locked):
		return nil, done, usage("read --key %s: not an OpenSSH private key, nor a public one", keyFile)
	}
	if passFile == "" && locked.PublicKey != nil {
		if key, done, err := agentKey(locked.PublicKey); err == nil {
			return key, done, nil
		}
	}
	pass, err := passphrase(keyFile, passFile)
	if err != nil {
		return nil, done, err
	}
	if key, err = ssh.ParsePrivateKeyWithPassphrase(text, pass); err != nil {
		return nil, done, usage("read --key %s: the passphrase does not open it", keyFile)
	}
	return key, done, nil
}

func readAtMost(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than %d bytes", path, limit)
	}
	return text, err
}

// passphrase is read from a file, or from the terminal without an echo: never
// from the command line, which every user of the machine can see.
func passphrase(keyFile, passFile string) ([]byte, error) {
	if passFile != "" {
		text, err := readAtMost(passFile, 4096)
		if err != nil {
			return nil, usage("read --passphrase-file: %w", err)
		}
		return []byte(strings.TrimRight(string(text), "\r\n")), nil
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil, usage("read --key %s: it has a passphrase; give --passphrase-file, or load it into the ssh-agent", keyFile)
	}
	fmt.Fprintf(os.Stderr, "Passphrase for %s: ", evidence.Printable(keyFile))
	pass, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(os.Stderr)
	return pass, err
}

// agentKey is the agent's key with this public half.
func agentKey(public ssh.PublicKey) (ssh.Signer, func(), error) {
	none := func() {}
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return nil, none, errors.New("this is a public key, and no ssh-agent runs (SSH_AUTH_SOCK)")
	}
	conn, err := net.DialTimeout("unix", socket, 5*time.Second)
	if err != nil {
		return nil, none, fmt.Errorf("ask the ssh-agent: %w", err)
	}
	signers, err := agent.NewClient(conn).Signers()
	for _, s := range signers {
		if string(s.PublicKey().Marshal()) == string(public.Marshal()) {
			return s, func() { conn.Close() }, nil
		}
	}
	conn.Close()
	if err != nil {
		return nil, none, fmt.Errorf("ask the ssh-agent: %w", err)
	}
	return nil, none, fmt.Errorf("the ssh-agent does not hold %s", nameOf(public))
}

// nameOf is a key as ssh-keygen -l names it.
func nameOf(key ssh.PublicKey) string {
	return ssh.FingerprintSHA256(key) + " (" + strings.TrimPrefix(key.Type(), "ssh-") + ")"
}
