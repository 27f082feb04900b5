package evidence

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestSealAddsOnlyTheSignature(t *testing.T) {
	archive := freeze(t, sample())
	want, err := TagManifest(sample())
	if err != nil {
		t.Fatal(err)
	}
	var sealed bytes.Buffer
	sum, n, err := Seal(&sealed, bytes.NewReader(archive), func(tags []byte) (string, error) {
		if string(tags) != want {
			t.Errorf("asked to sign %q", tags)
		}
		return "signed", nil
	})
	if err != nil || len(sum) != 64 || n != int64(sealed.Len()) {
		t.Fatalf("%q %d %v", sum, n, err)
	}
	tags, signature, err := Signed(bytes.NewReader(sealed.Bytes()))
	if err != nil || string(tags) != want || signature != "signed" {
		t.Errorf("Signed: %q %q %v", tags, signature, err)
	}
	if problems, err := Check(bytes.NewReader(sealed.Bytes())); err != nil || len(problems) > 0 {
		t.Errorf("Check: %v %v", problems, err)
	}
	// Signed on the way out or afterwards, the archive is the same.
	b := sample()
	b.Signature = "signed"
	if !bytes.Equal(freeze(t, b), sealed.Bytes()) {
		t.Error("sealing and freezing give different archives")
	}
	if _, signature, err := Signed(bytes.NewReader(archive)); err != nil || signature != "" {
		t.Errorf("unsigned: %q %v", signature, err)
	}
}

func TestSealFails(t *testing.T) {
	refuse := func([]byte) (string, error) { return "", errors.New("no key") }
	if _, _, err := Seal(&bytes.Buffer{}, bytes.NewReader(freeze(t, sample())), refuse); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("no key: %v", err)
	}
	if _, _, err := Seal(&bytes.Buffer{}, strings.NewReader("x"), refuse); !errors.Is(err, ErrNotBundle) {
		t.Errorf("no bundle: %v", err)
	}
	bare := pack(t, members(t, func(files map[string][]byte) { delete(files, tagFile) })...)
	if _, _, err := Seal(&bytes.Buffer{}, bytes.NewReader(bare), refuse); !errors.Is(err, ErrDamaged) {
		t.Errorf("no tag manifest: %v", err)
	}
}
