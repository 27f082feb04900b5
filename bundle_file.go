package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lockscene/lockscene/evidence"
)

// Where bundles come from: an archive, a folder, or - for standard input.

// openBundle reads a bundle for a command that does not ask whether it is whole.
func openBundle(path string) (evidence.Bundle, error) {
	b, err := fromFile(path, unchecked(evidence.Open), unchecked(evidence.OpenFS))
	return b.Bundle, namely(path, err)
}

// openWhole reads a bundle that has to be what was frozen.
func openWhole(path string) (evidence.Bundle, error) {
	b, err := fromFile(path, checked(evidence.OpenChecked), checked(evidence.OpenCheckedFS))
	if err == nil || len(b.problems) > 0 {
		return b.Bundle, unproven(path, b.problems)
	}
	return b.Bundle, namely(path, err)
}

// unproven is the error of a bundle that cannot count as evidence; nil where nothing
// is wrong with it, or only its rules are of another version.
func unproven(path string, problems []evidence.Problem) error {
	for _, p := range problems {
		if p.Kind != evidence.OtherRules {
			return exit{exitUnverified, fmt.Errorf("%s proves nothing: %s: %s: %s", path, p.Kind, evidence.Printable(p.Path), evidence.Printable(p.Text))}
		}
	}
	return nil
}

func namely(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrNotExist):
		return exit{exitUsage, fmt.Errorf("no such bundle: %s", path)}
	}
	return fmt.Errorf("open %s: %w", path, err)
}

// A checkedBundle is a bundle with what is wrong with its bytes.
type checkedBundle struct {
	evidence.Bundle
	problems []evidence.Problem
}

func unchecked[T any](open func(T) (evidence.Bundle, error)) func(T) (checkedBundle, error) {
	return func(from T) (checkedBundle, error) {
		b, err := open(from)
		return checkedBundle{b, nil}, err
	}
}

func checked[T any](open func(T) (evidence.Bundle, []evidence.Problem, error)) func(T) (checkedBundle, error) {
	return func(from T) (checkedBundle, error) {
		b, problems, err := open(from)
		return checkedBundle{b, problems}, err
	}
}

// fromFile reads what a path names by the way that suits it.
func fromFile[T any](path string, archive func(io.Reader) (T, error), folder func(fs.FS) (T, error)) (T, error) {
	var none T
	if path == "-" {
		return archive(os.Stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return none, err
	}
	if info.IsDir() {
		return folder(os.DirFS(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	defer f.Close()
	return archive(f)
}
