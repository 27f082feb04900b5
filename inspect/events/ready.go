package events

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/lockscene/lockscene/evidence"
)

//go:embed mappings/*.yaml
var ready embed.FS

// Mappings lists the ready-made mappings by name, "auto" aside, which is all of
// them.
func Mappings() []string {
	files, err := fs.Glob(ready, "mappings/*.yaml")
	if err != nil {
		return nil
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "mappings/"), ".yaml")
	}
	slices.Sort(files)
	return files
}

// Load finds a mapping: a ready-made one by its name, all of them by "auto",
// else the file that open opens. A nil open knows no files.
func Load(nameOrPath string, open func(path string) (io.ReadCloser, error)) (*Mapping, error) {
	switch {
	case nameOrPath == "auto":
		return auto()
	case slices.Contains(Mappings(), nameOrPath):
		return readyMade(nameOrPath)
	}
	if open == nil {
		return nil, fmt.Errorf("read mapping %s: no such mapping; ready-made are auto, %s", evidence.Clip(nameOrPath, 80), strings.Join(Mappings(), ", "))
	}
	f, err := open(nameOrPath)
	if err != nil {
		return nil, fmt.Errorf("read mapping: %w (ready-made are auto, %s)", err, strings.Join(Mappings(), ", "))
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxMapping+1))
	if err != nil {
		return nil, fmt.Errorf("read mapping %s: %w", nameOrPath, err)
	}
	return ParseMapping(nameOrPath, b)
}

// auto is all of them, put together once: a scrollback may hold hundreds of logs, a
// proof a thousand runs. Nobody writes into a mapping that is loaded.
var auto = sync.OnceValues(func() (*Mapping, error) { return readyMade("auto") })

func readyMade(name string) (*Mapping, error) {
	m := &Mapping{Name: name}
	if err := m.include(name, 0); err != nil {
		return nil, fmt.Errorf("read mapping %s: %w", name, err)
	}
	return m, nil
}

// include adds the rules of a ready-made mapping, or with "auto" of all.
func (m *Mapping) include(name string, depth int) error {
	if name == "auto" {
		for _, n := range Mappings() {
			if slices.Contains(shippers, n) {
				continue
			}
			if err := m.include(n, depth); err != nil {
				return err
			}
		}
		return nil
	}
	b, err := ready.ReadFile("mappings/" + name + ".yaml")
	if err != nil || strings.ContainsAny(name, "/.") {
		return fmt.Errorf("no ready-made mapping is called %q", evidence.Clip(name, 40))
	}
	own := m.Name
	m.Name = name
	err = m.parse(b, depth+1)
	m.Name = own
	return err
}

// shippers are the mappings that only say what carries the lines, and include
// all the others for what is in them.
var shippers = []string{"cloudwatch", "loki"}
