package host_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// seeded starts a fuzz target from every sample file: a parser must also
// survive what belongs to another one.
func seeded(f *testing.F) {
	err := filepath.WalkDir(samples, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && len(b) < 16<<10 {
			f.Add(b)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

// storable is what every parsed value must be: a bundle keeps it as JSON.
func storable(t *testing.T, v any) {
	t.Helper()
	if _, err := json.Marshal(v); err != nil {
		t.Fatalf("%+v cannot be frozen: %v", v, err)
	}
}

func fuzz[T any](f *testing.F, parse func([]byte) (T, error)) {
	seeded(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := parse(b); err == nil {
			storable(t, v)
		}
	})
}

func FuzzStat(f *testing.F)      { fuzz(f, host.ParseStat) }
func FuzzStatus(f *testing.F)    { fuzz(f, host.ParseStatus) }
func FuzzSchedstat(f *testing.F) { fuzz(f, host.ParseSchedstat) }
func FuzzPressure(f *testing.F)  { fuzz(f, host.ParsePressure) }
func FuzzDocker(f *testing.F)    { fuzz(f, host.ParseDocker) }
func FuzzShow(f *testing.F)      { fuzz(f, host.ParseShow) }

func FuzzOneLiners(f *testing.F) {
	seeded(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		host.ParseWchan(b)
		host.ParseOOMScore(b)
		host.ParseVMKills(b)
		host.ParseLimit(b)
		host.ParseFlag(b)
		host.ParseFreezerState(b)
		if cpus, err := host.ParseCPUMax(b); err == nil {
			storable(t, cpus)
		}
	})
}

func FuzzTCP(f *testing.F) {
	seeded(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, v6 := range []bool{false, true} {
			sockets, _ := host.ParseTCP(b, v6)
			for _, s := range sockets {
				if host.BackoffAge(s) < 0 || s.RTO < 0 || s.Expires < 0 || s.Retrans < 0 || s.Probes < 0 {
					t.Fatalf("negative: %+v", s)
				}
			}
			storable(t, sockets)
		}
	})
}

// FuzzGroup gives every file of a group the same bytes.
func FuzzGroup(f *testing.F) {
	seeded(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		g := host.Group(func(f host.GroupFile) evidence.Reading[[]byte] { return evidence.Saw(f.Name, b) })
		if g.Throttled.Value < 0 || g.FrozenFor.Value < 0 || g.Usage.Value < 0 {
			t.Fatalf("negative: %+v", g)
		}
		storable(t, g)
	})
}

// FuzzDir lets no path out of the mount it was found below.
func FuzzDir(f *testing.F) {
	f.Add([]byte("0::/a/b\n"), []byte(hybridMounts))
	f.Add([]byte("3:memory:/../x\n0::/\n"), []byte("30 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 c rw\n"))
	f.Fuzz(func(t *testing.T, cgroup, mountinfo []byte) {
		paths, err := host.ParseCgroup(cgroup)
		if err != nil {
			return
		}
		mounts, err := host.ParseMountinfo(mountinfo)
		if err != nil {
			return
		}
		dir, ok := host.Dir(paths, mounts, "memory")
		if !ok {
			return
		}
		for _, m := range mounts {
			point := filepath.Clean(m.Point)
			if rel, err := filepath.Rel(point, dir); err == nil && filepath.IsLocal(rel) {
				return
			}
		}
		t.Fatalf("%q lies below no mount", dir)
	})
}
