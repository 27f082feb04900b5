package main

import (
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/evidence/sshsig"
)

// trust is whose signature the responder wants to see. Its zero value wants
// none, and then a signature still has to fit the bytes it stands beside.
type trust struct {
	wanted   bool
	list     sshsig.Allowed
	identity string
	at       time.Time // keys are allowed for a time, and it is now that somebody trusts them
}

// maxSigners bounds the list of allowed signers.
const maxSigners = 4 << 20

func trustOf(file, identity string, now time.Time) (trust, error) {
	if file == "" {
		if identity != "" {
			return trust{}, usage("--identity wants --signers FILE: a list that says whose key is whose")
		}
		return trust{}, nil
	}
	text, err := readAtMost(file, maxSigners)
	if err != nil {
		return trust{}, usage("read --signers: %w", err)
	}
	list, err := sshsig.ParseAllowed(text)
	if err != nil {
		return trust{}, usage("read --signers %s: %w", file, err)
	}
	return trust{wanted: true, list: list, identity: identity, at: now}, nil
}

// signature holds a bundle's signature against its bytes and against whom the
// reader trusts, and says in words who signed.
func (t trust) signature(path string) (problems []evidence.Problem, says string, err error) {
	manifest, signature, err := signedPart(path)
	if err != nil {
		return nil, "", err
	}
	problem := func(kind evidence.ProblemKind, text string) ([]evidence.Problem, string, error) {
		return []evidence.Problem{{Kind: kind, Path: "tagmanifest-sha256.txt.sig", Text: text}}, "", nil
	}
	if signature == "" {
		if t.wanted {
			return problem(evidence.NotVouched, "nobody signed it, and --signers wants a signature")
		}
		return nil, "unsigned: hashes prove that it is whole, not who made it", nil
	}
	key, err := sshsig.Verify(signature, namespace, manifest)
	if err != nil {
		return problem(evidence.BadSignature, "the signature proves nothing: "+err.Error())
	}
	if !t.wanted {
		return nil, "signed by " + nameOf(key) + ", for whom nobody vouched (--signers)", nil
	}
	names, err := t.list.Who(key, namespace, t.identity, t.at)
	if err != nil {
		return problem(evidence.NotVouched, "signed by "+nameOf(key)+": "+err.Error())
	}
	return nil, "signed by " + evidence.Clip(evidence.Printable(strings.Join(names, ",")), 120) + ", " + nameOf(key), nil
}

func signedPart(path string) ([]byte, string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", err
	}
	if info.IsDir() {
		var folder fs.FS = os.DirFS(path)
		return evidence.SignedFS(folder)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	return evidence.Signed(f)
}
