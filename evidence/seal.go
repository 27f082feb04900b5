package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
)

// Seal copies a .tar.gz with a signature put in, or another in its place. Every
// other member keeps its bytes, whichever version wrote them; sign is given
// those of tagmanifest-sha256.txt. It returns what [Freeze] returns.
func Seal(w io.Writer, r io.Reader, sign func(tagManifest []byte) (signature string, err error)) (sum string, n int64, err error) {
	files, b, err := unpack(walkTar(r))
	if err != nil {
		return "", 0, err
	}
	signature, err := sign(files[tagFile])
	if err != nil {
		return "", 0, fmt.Errorf("sign bundle: %w", err)
	}
	files[sigFile] = []byte(signature)
	m := &meter{to: w, sum: sha256.New()}
	if err := writeArchive(m, b.folder(), files, b.Capture.Ended()); err != nil {
		return "", 0, fmt.Errorf("sign bundle: %w", err)
	}
	return hex.EncodeToString(m.sum.Sum(nil)), m.n, nil
}

// Signed reads what a signature covers, and the signature: empty when nobody
// signed. Whether one fits the other, and [Check] whether the rest fits what is
// covered, is for the caller.
func Signed(r io.Reader) (tagManifest []byte, signature string, err error) {
	return signed(walkTar(r))
}

// SignedFS does the same for an unpacked bundle.
func SignedFS(fsys fs.FS) (tagManifest []byte, signature string, err error) {
	return signed(walkFS(fsys))
}

func signed(each walk) (tagManifest []byte, signature string, err error) {
	files, _, err := unpack(each)
	if err != nil {
		return nil, "", err
	}
	return files[tagFile], string(files[sigFile]), nil
}

// unpack is a whole bundle, as members and as what they mean.
func unpack(each walk) (map[string][]byte, Bundle, error) {
	files, err := collect(each)
	if err != nil {
		return nil, Bundle{}, err
	}
	b, err := assemble(files)
	if err != nil {
		return nil, Bundle{}, err
	}
	if files, _, err = rooted(files); err != nil {
		return nil, Bundle{}, err
	}
	if _, there := files[tagFile]; !there {
		return nil, Bundle{}, damaged("%s is missing", tagFile)
	}
	return files, b, nil
}
