package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Stage writes files, given by relative path, into a fresh folder, for
// [Background] to read. The folder is made in the first place that takes all of
// them: the given ones, the system's temporary folder, and /dev/shm, which is
// memory and so still there when the disks are full. done removes it.
func Stage(files map[string][]byte, dirs ...string) (root string, done func(), err error) {
	for name := range files {
		if !filepath.IsLocal(name) {
			return "", nil, fmt.Errorf("stage %q: path leads out of the folder", name)
		}
	}
	var failed error
	for _, dir := range append(append([]string{}, dirs...), os.TempDir(), "/dev/shm") {
		root, err := stageIn(dir, files)
		if err == nil {
			return root, func() { os.RemoveAll(root) }, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", nil, fmt.Errorf("stage files: %w", failed)
}

func stageIn(dir string, files map[string][]byte) (string, error) {
	root, err := os.MkdirTemp(dir, "lockscene-")
	if err != nil {
		return "", err
	}
	for name, b := range files {
		if err := place(filepath.Join(root, name), b); err != nil {
			return "", errors.Join(err, os.RemoveAll(root))
		}
	}
	return root, nil
}

func place(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}
