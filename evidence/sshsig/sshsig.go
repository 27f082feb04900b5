// Package sshsig makes and checks detached signatures as ssh-keygen -Y does, so
// that whoever doubts a bundle needs nothing of ours: OpenSSH's own program
// checks them, and makes them as well. The format is OpenSSH's PROTOCOL.sshsig,
// version 1.
//
// [Sign] wants a key, in a file or an agent. [Verify] proves that a key signed
// these bytes, and not whose key it is; [Allowed] says that, from the list in
// which people already keep it.
//
// Refused on purpose: SHA-1 signatures, which the format allows nobody to make,
// and keys inside certificates, whose authority nothing here checks.
package sshsig

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

const (
	magic   = "SSHSIG"
	version = 1
	head    = "-----BEGIN SSH SIGNATURE-----"
	foot    = "-----END SSH SIGNATURE-----"
	// columns of the armour, as ssh-keygen writes them.
	columns = 70
	// maxArmour bounds a signature from outside: one by an RSA key of 16384 bits
	// takes some six thousand bytes.
	maxArmour = 64 << 10
)

// envelope is a signature as it travels, behind the magic word.
type envelope struct {
	Version   uint32
	PublicKey []byte
	Namespace string
	Reserved  string
	Hash      string
	Signature []byte
}

// statement is what a key really signs, behind the magic word.
type statement struct {
	Namespace string
	Reserved  string
	Hash      string
	Digest    []byte
}

// Sign returns the armoured signature of a message. The namespace says what it
// is for, so that a signature made for one thing cannot pass for another.
// Ed25519 and RSA keys sign the same message to the same bytes each time; ECDSA
// keys do not.
func Sign(key ssh.Signer, namespace string, message []byte) (string, error) {
	signed, err := spoken(namespace, "", "sha512", message)
	if err != nil {
		return "", err
	}
	signature, err := sign(key, signed)
	if err != nil {
		return "", fmt.Errorf("sign message: %w", err)
	}
	blob := ssh.Marshal(envelope{
		Version: version, PublicKey: key.PublicKey().Marshal(), Namespace: namespace,
		Hash: "sha512", Signature: ssh.Marshal(*signature),
	})
	return armour(append([]byte(magic), blob...)), nil
}

// sign uses the key as this format wants it. An RSA key's default is SHA-1.
func sign(key ssh.Signer, data []byte) (*ssh.Signature, error) {
	if key.PublicKey().Type() != ssh.KeyAlgoRSA {
		return key.Sign(rand.Reader, data)
	}
	with, ok := key.(ssh.AlgorithmSigner)
	if !ok {
		return nil, errors.New("this RSA key can only sign with SHA-1")
	}
	return with.SignWithAlgorithm(rand.Reader, data, ssh.KeyAlgoRSASHA512)
}

// Verify returns the key that made a signature, when the signature is of this
// message and for this namespace.
func Verify(armoured, namespace string, message []byte) (ssh.PublicKey, error) {
	blob, err := unarmour(armoured)
	if err != nil {
		return nil, fmt.Errorf("read signature: %w", err)
	}
	var e envelope
	if err := ssh.Unmarshal(blob, &e); err != nil {
		return nil, fmt.Errorf("read signature: %w", err)
	}
	if e.Version != version {
		return nil, fmt.Errorf("read signature: version %d is not known", e.Version)
	}
	if e.Namespace != namespace {
		return nil, fmt.Errorf("check signature: it was made for %q, not for %q", clip(e.Namespace), namespace)
	}
	key, err := plainKey(e.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("read signature: %w", err)
	}
	var s ssh.Signature
	if err := ssh.Unmarshal(e.Signature, &s); err != nil {
		return nil, fmt.Errorf("read signature: %w", err)
	}
	if s.Format == ssh.KeyAlgoRSA {
		return nil, errors.New("check signature: it rests on SHA-1")
	}
	signed, err := spoken(e.Namespace, e.Reserved, e.Hash, message)
	if err != nil {
		return nil, err
	}
	if err := key.Verify(signed, &s); err != nil {
		return nil, errors.New("check signature: it is not of these bytes")
	}
	return key, nil
}

func plainKey(blob []byte) (ssh.PublicKey, error) {
	key, err := ssh.ParsePublicKey(blob)
	if err != nil {
		return nil, err
	}
	if _, isCert := key.(*ssh.Certificate); isCert {
		return nil, errors.New("made with a certificate, which is not checked here; ssh-keygen -Y verify can")
	}
	return key, nil
}

// spoken is the statement in the bytes that are signed.
func spoken(namespace, reserved, hash string, message []byte) ([]byte, error) {
	if namespace == "" {
		return nil, errors.New("sign message: no namespace")
	}
	s := statement{Namespace: namespace, Reserved: reserved, Hash: hash}
	switch hash {
	case "sha512":
		sum := sha512.Sum512(message)
		s.Digest = sum[:]
	case "sha256":
		sum := sha256.Sum256(message)
		s.Digest = sum[:]
	default:
		return nil, fmt.Errorf("check signature: digest %q is not known", clip(hash))
	}
	return append([]byte(magic), ssh.Marshal(s)...), nil
}

func armour(blob []byte) string {
	var out strings.Builder
	out.WriteString(head + "\n")
	for text := base64.StdEncoding.EncodeToString(blob); text != ""; {
		n := min(columns, len(text))
		out.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	out.WriteString(foot + "\n")
	return out.String()
}

func unarmour(text string) ([]byte, error) {
	if len(text) > maxArmour {
		return nil, errors.New("too long")
	}
	_, rest, found := strings.Cut(text, head)
	body, _, closed := strings.Cut(rest, foot)
	if !found || !closed {
		return nil, errors.New("no SSH SIGNATURE block")
	}
	blob, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(body), ""))
	if err != nil {
		return nil, err
	}
	blob, found = bytes.CutPrefix(blob, []byte(magic))
	if !found {
		return nil, errors.New("not an SSH signature")
	}
	return blob, nil
}

func clip(s string) string { return s[:min(len(s), 60)] }
