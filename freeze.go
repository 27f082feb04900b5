package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lockscene/lockscene/evidence"
)

// frozen is where a bundle went.
type frozen struct {
	Path   string `json:"path,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Bytes  int64  `json:"bytes,omitempty"`
}

// String is the card's line about the archive.
func (f frozen) String() string {
	if f.Path == "" {
		return ""
	}
	size := fmt.Sprintf("%d kB", (f.Bytes+999)/1000)
	return fmt.Sprintf("%s  %s  sha256 %.6s…", f.Path, size, f.SHA256)
}

// save freezes the bundle where the flags say. It appears by rename, complete,
// or not at all.
func (f *inspectFlags) save(b evidence.Bundle, stdout io.Writer) (frozen, error) {
	switch {
	case f.noBundle:
		return frozen{}, nil
	case f.out == "-":
		sum, n, err := evidence.Freeze(stdout, b)
		return frozen{SHA256: sum, Bytes: n}, err
	case f.out != "":
		return saveTo(b, f.out)
	}
	return saveAs(b, b.Name+".tar.gz", false)
}

// saveTo writes where the responder said. A link is followed, and what is no
// regular file, a pipe or a device, is written into: renaming over it would
// replace it.
func saveTo(b evidence.Bundle, path string) (frozen, error) {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		return saveAs(b, path, true)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return frozen{}, fmt.Errorf("write bundle: %w", err)
	}
	defer f.Close()
	sum, n, err := evidence.Freeze(f, b)
	return frozen{path, sum, n}, err
}

// saveAs writes beside the destination and renames. Without replace an existing
// file is kept and the new one gets a number.
func saveAs(b evidence.Bundle, path string, replace bool) (frozen, error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".lockscene-*")
	if err != nil {
		return frozen{}, fmt.Errorf("write bundle: %w", err)
	}
	defer os.Remove(tmp.Name())            // gone already after a rename
	out := bufio.NewWriterSize(tmp, 1<<16) // gzip writes in small pieces
	sum, n, err := evidence.Freeze(out, b)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = tmp.Chmod(0o600)
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return frozen{}, fmt.Errorf("write bundle: %w", err)
	}
	if replace {
		err = os.Rename(tmp.Name(), path)
		return frozen{path, sum, n}, err
	}
	path, err = linkNew(tmp.Name(), path)
	return frozen{path, sum, n}, err
}

// linkNew gives the file its name without ever replacing another: link fails
// where rename would overwrite.
func linkNew(from, path string) (string, error) {
	base := path[:len(path)-len(".tar.gz")]
	for i := 1; i < 1000; i++ {
		err := os.Link(from, path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return path, os.Rename(from, path) // a file system without links
		}
		path = fmt.Sprintf("%s-%d.tar.gz", base, i+1)
	}
	return path, errors.New("write bundle: too many bundles of this name")
}
