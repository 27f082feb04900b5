package evidence

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// How opening a bundle fails. Callers tell the cases apart with errors.Is.
var (
	ErrNotBundle = errors.New("not a lockscene bundle")
	ErrDamaged   = errors.New("damaged bundle")
	ErrNewer     = errors.New("bundle was written by a newer lockscene")
)

func notBundle(why string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrNotBundle, fmt.Errorf(why, args...))
}

func damaged(why string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(why, args...))
}

// A visit takes one regular file of a bundle, and how many bytes it says it has. Its
// path is safe, and came once.
type visit func(name string, r io.Reader, size int64) error

// A walk visits every file of a bundle, wherever it is kept, and refuses what
// could harm: paths that climb, links, devices, duplicates, and too much of
// anything.
type walk func(visit) error

// A guard is what every walk has to check of the files it meets.
type guard struct {
	seen  map[string]bool
	count int
}

func (g *guard) admit(name string, size int64) error {
	if err := checkPath(name); err != nil {
		return damaged("%w", err)
	}
	if size > maxMember {
		return damaged("%s has %d bytes, more than %d", name, size, maxMember)
	}
	if g.seen[name] {
		return damaged("%s is there twice", name)
	}
	g.seen[name] = true
	return nil
}

func (g *guard) next() error {
	if g.count++; g.count > maxMembers {
		return damaged("more than %d members", maxMembers)
	}
	return nil
}

// walkTar walks a .tar.gz.
func walkTar(r io.Reader) walk {
	return func(see visit) error {
		zr, err := gzip.NewReader(r)
		if err != nil {
			return notBundle("read archive: %w", err)
		}
		stream := &budget{r: zr, left: maxTotal}
		tr, g := tar.NewReader(stream), guard{seen: make(map[string]bool)}
		for {
			h, err := tr.Next()
			switch {
			case err == io.EOF && g.count == 0:
				return notBundle("empty archive")
			case err == io.EOF:
				return drain(stream)
			case g.count == 0 && (errors.Is(err, tar.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF)):
				return notBundle("read archive: %w", err)
			case err != nil:
				return damaged("read archive: %w", err)
			}
			if err := g.next(); err != nil {
				return err
			}
			if err := visitMember(h, tr, &g, see); err != nil {
				return err
			}
		}
	}
}

func visitMember(h *tar.Header, r io.Reader, g *guard, see visit) error {
	name := strings.TrimPrefix(h.Name, "./")
	switch h.Typeflag {
	case tar.TypeDir:
		if name = strings.TrimSuffix(name, "/"); name == "" || name == "." {
			return nil
		}
		if err := checkPath(name); err != nil {
			return damaged("%w", err)
		}
		return nil
	case tar.TypeReg:
		if err := g.admit(name, h.Size); err != nil {
			return err
		}
		return see(name, r, h.Size)
	}
	return damaged("%q is a link, device or other special file", h.Name)
}

// drain reads what follows the archive's end: it proves the checksum of the
// compression, and that nothing is hidden there.
func drain(r io.Reader) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if strings.Trim(string(buf[:n]), "\x00") != "" {
			return damaged("data after the archive's end")
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return damaged("read archive: %w", err)
		}
	}
}

// walkFS walks an unpacked bundle.
func walkFS(fsys fs.FS) walk {
	return func(see visit) error {
		g, left := guard{seen: make(map[string]bool)}, int64(maxTotal)
		err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || name == "." {
				return err
			}
			if err := g.next(); err != nil {
				return err
			}
			if d.IsDir() {
				return nil
			}
			if !d.Type().IsRegular() {
				return damaged("%q is a link, device or other special file", name)
			}
			return visitFile(fsys, name, d, &g, &left, see)
		})
		if err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotBundle) {
			return err
		}
		return fmt.Errorf("read folder: %w", err)
	}
}

func visitFile(fsys fs.FS, name string, d fs.DirEntry, g *guard, left *int64, see visit) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	if err := g.admit(name, info.Size()); err != nil {
		return err
	}
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	stream := &budget{r: f, left: min(*left, maxMember)}
	before := stream.left
	err = see(name, stream, info.Size())
	*left -= before - stream.left
	return err
}

// A budget is a reader that fails, rather than ends, when too much came: what
// is cut short silently would look like a shorter file.
type budget struct {
	r    io.Reader
	left int64
}

func (b *budget) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errors.New("more bytes than a bundle may hold")
	}
	return n, err
}

// root finds the folder that all files stand in: none when the bag's own files
// are on top, as in an unpacked bundle.
func root(names []string) (string, error) {
	if slices.Contains(names, bagitFile) || slices.Contains(names, manifestFile) {
		return "", nil
	}
	var top string
	for i, name := range names {
		first, _, nested := strings.Cut(name, "/")
		if !nested || i > 0 && first != top {
			return "", notBundle("files outside one folder, such as %s", name)
		}
		top = first
	}
	if slices.Contains(names, top+"/"+bagitFile) || slices.Contains(names, top+"/"+manifestFile) {
		return top, nil
	}
	return "", notBundle("no %s in it", bagitFile)
}
