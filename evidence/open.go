package evidence

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Open reads a .tar.gz that [Freeze] wrote, or that claims so: nothing in it is
// trusted. The error is [ErrNotBundle], [ErrDamaged] or [ErrNewer]. Open does
// not prove the bytes; [Check] does.
func Open(r io.Reader) (Bundle, error) { return open(walkTar(r)) }

// OpenFS reads an unpacked bundle: the folder itself, or one that holds nothing
// else.
func OpenFS(fsys fs.FS) (Bundle, error) { return open(walkFS(fsys)) }

// OpenChecked is [Open] and [Check] in one reading. Problems may be told beside an
// error: what does not open may still show which of its bytes changed.
func OpenChecked(r io.Reader) (Bundle, []Problem, error) { return openChecked(walkTar(r)) }

// OpenCheckedFS does the same for an unpacked bundle.
func OpenCheckedFS(fsys fs.FS) (Bundle, []Problem, error) { return openChecked(walkFS(fsys)) }

func openChecked(each walk) (Bundle, []Problem, error) {
	files, err := collect(each)
	if err != nil {
		return Bundle{}, nil, err
	}
	problems, err := check(func(see visit) error {
		for name, data := range files {
			if err := see(name, bytes.NewReader(data), int64(len(data))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Bundle{}, nil, err
	}
	b, err := assemble(files)
	return b, problems, err
}

func open(each walk) (Bundle, error) {
	files, err := collect(each)
	if err != nil {
		return Bundle{}, err
	}
	return assemble(files)
}

// believed is how much room a member gets for saying that it is large.
const believed = 1 << 20

// collect reads every member.
func collect(each walk) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := each(func(name string, r io.Reader, size int64) error {
		var data bytes.Buffer
		data.Grow(int(max(0, min(size, believed))) + bytes.MinRead)
		if _, err := data.ReadFrom(r); err != nil {
			return damaged("read %s: %w", name, err)
		}
		files[name] = data.Bytes()
		return nil
	})
	return files, err
}

// rooted takes off the folder all members stand in, and returns its name.
func rooted(files map[string][]byte) (map[string][]byte, string, error) {
	top, err := root(slices.Sorted(maps.Keys(files)))
	if err != nil || top == "" {
		return files, "", err
	}
	return below(files, top), top, nil
}

func assemble(files map[string][]byte) (Bundle, error) {
	files, top, err := rooted(files)
	if err != nil {
		return Bundle{}, err
	}
	b := Bundle{Name: top}
	if top == "" {
		b.Name = senderName(string(files[bagInfoFile]))
	}
	for _, step := range []func(map[string][]byte) error{b.readDocuments, b.readTimeline, b.readRaw} {
		if err := step(files); err != nil {
			return Bundle{}, err
		}
	}
	b.Report, b.Summary, b.Access = string(files[reportFile]), string(files[summaryFile]), string(files[accessFile])
	b.Signature = string(files[sigFile])
	return b, nil
}

// senderName recovers the name of an unpacked bundle, whose folder may have
// been renamed.
func senderName(info string) string {
	name, _ := tagValue(info, "Internal-Sender-Identifier")
	if strings.Contains(name, "/") || checkPath(name) != nil {
		return ""
	}
	return name
}

func (b *Bundle) readDocuments(files map[string][]byte) error {
	var probes probesDoc
	for _, d := range []struct {
		file   string
		schema *string // where the document says what it is
		into   any
	}{
		{captureFile, &b.Capture.Schema, &b.Capture},
		{probesFile, &probes.Schema, &probes},
		{snapshotFile, &b.Snapshot.Schema, &b.Snapshot},
		{verdictFile, &b.Verdict.Schema, &b.Verdict},
	} {
		data, ok := files[d.file]
		if !ok {
			return damaged("%s is missing", d.file)
		}
		if err := decodeJSON(data, d.into); err != nil {
			// A newer schema may differ in all but its name.
			if other := checkDocument(d.file, data); errors.Is(other, ErrNewer) {
				return other
			}
			return damaged("read %s: %w", d.file, err)
		}
		if err := readable(d.file, *d.schema); err != nil {
			return err
		}
	}
	b.Probes = probes.Probes
	return nil
}

// checkDocument says whether this program can read a document, by its limits and by
// what the document says it is.
func checkDocument(file string, data []byte) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := decodeJSON(data, &head); err != nil {
		return damaged("read %s: %w", file, err)
	}
	return readable(file, head.Schema)
}

// readable says whether this program can read what calls itself by a schema.
func readable(file, has string) error {
	want := map[string]string{
		captureFile: CaptureSchema, probesFile: ProbesSchema, snapshotFile: SnapshotSchema, verdictFile: VerdictSchema,
	}[file]
	kind, known := splitSchema(want)
	got, version := splitSchema(has)
	switch {
	case got != kind || version < 1:
		return damaged("%s has schema %q, not %q", file, Clip(has, 60), want)
	case version > known:
		return fmt.Errorf("%w: %s has schema version %d, this program reads up to %d", ErrNewer, file, version, known)
	}
	return nil
}

// splitSchema parts lockscene/capture/1 into its kind and major version; zero
// is no version. Minor versions, after a point, only add fields.
func splitSchema(s string) (kind string, major int) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return s, 0
	}
	text, _, _ := strings.Cut(s[i+1:], ".")
	major, err := strconv.Atoi(text)
	if err != nil {
		return s[:i], 0
	}
	return s[:i], major
}

// Limits of timeline.ndjson. A watch of an hour makes some thousand events.
const (
	maxEvents    = 100_000
	maxEventLine = 64 << 10
)

func (b *Bundle) readTimeline(files map[string][]byte) error {
	number := 0
	for line := range bytes.Lines(files[timelineFile]) {
		if number++; number > maxEvents || len(line) > maxEventLine {
			return damaged("%s line %d: longer than a timeline may be", timelineFile, number)
		}
		var e Event
		if err := decodeJSON(line, &e); err != nil {
			return damaged("%s line %d: %w", timelineFile, number, err)
		}
		b.Timeline = append(b.Timeline, e)
	}
	return nil
}

func (b *Bundle) readRaw(files map[string][]byte) error {
	left := int64(maxTotal)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		stored, ok := strings.CutPrefix(name, rawFolder)
		if !ok {
			continue
		}
		key, gzipped := keyOf(stored)
		data := files[name]
		if gzipped {
			var err error
			if data, err = inflate(data, min(left, maxMember)); err != nil {
				return damaged("inflate %s: %w", name, err)
			}
			left -= int64(len(data))
		}
		if _, twice := b.Raw[key]; twice || checkPath(key) != nil {
			return damaged("%s: its name is ambiguous", name)
		}
		if b.Raw == nil {
			b.Raw = make(map[string][]byte)
		}
		b.Raw[key] = data
	}
	return nil
}

func inflate(data []byte, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(&budget{r: z, left: limit})
}
