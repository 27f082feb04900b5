package evidence

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// probesDoc is the shape of probes.json.
type probesDoc struct {
	Schema string  `json:"schema"`
	Probes []Probe `json:"probes"`
}

// Freeze writes the bundle as a .tar.gz and returns the archive's SHA-256 in
// hex and its size in bytes. The same bundle gives the same bytes: members are
// sorted, belong to nobody, and bear the time the capture ended. A size above
// [Oversize] is worth a warning.
func Freeze(w io.Writer, b Bundle) (sum string, n int64, err error) {
	files, err := b.files()
	if err != nil {
		return "", 0, fmt.Errorf("freeze bundle: %w", err)
	}
	m := &meter{to: w, sum: sha256.New()}
	if err := writeArchive(m, b.folder(), files, b.Capture.Ended()); err != nil {
		return "", 0, fmt.Errorf("freeze bundle: %w", err)
	}
	return hex.EncodeToString(m.sum.Sum(nil)), m.n, nil
}

// TagManifest is the text of the tagmanifest-sha256.txt that Freeze would
// write. It covers the manifest and so every byte: it is what a signature
// signs.
func TagManifest(b Bundle) (string, error) {
	files, err := b.files()
	if err != nil {
		return "", fmt.Errorf("list bundle: %w", err)
	}
	return string(files[tagFile]), nil
}

// files is every member's path and bytes.
func (b Bundle) files() (map[string][]byte, error) {
	if name := b.folder(); strings.Contains(name, "/") || checkPath(name) != nil {
		return nil, fmt.Errorf("name %q cannot be a folder", name)
	}
	payload, err := b.payload()
	if err != nil {
		return nil, err
	}
	tags := map[string][]byte{
		bagitFile:    []byte(bagitText),
		bagInfoFile:  []byte(bagInfo(b, payload)),
		manifestFile: []byte(manifest(payload)),
	}
	tags[tagFile] = []byte(manifest(tags))
	if b.Signature != "" {
		tags[sigFile] = []byte(b.Signature)
	}
	maps.Copy(payload, tags)
	return payload, checkLimits(payload)
}

// payload is what stands below data/.
func (b Bundle) payload() (map[string][]byte, error) {
	out := map[string][]byte{
		reportFile:  []byte(b.Report),
		summaryFile: []byte(b.Summary),
		accessFile:  []byte(b.Access),
	}
	probes := b.Probes
	if probes == nil {
		probes = []Probe{}
	}
	docs := []document{
		{file: captureFile, from: b.Capture},
		{file: probesFile, from: probesDoc{ProbesSchema, probes}},
		{file: snapshotFile, from: b.Snapshot},
		{file: verdictFile, from: b.Verdict},
	}
	// Side by side: a responder waits for this, and reading each document back
	// takes as long as writing it.
	var writing sync.WaitGroup
	for i := range docs {
		writing.Go(docs[i].write)
	}
	writing.Wait()
	for _, d := range docs {
		if d.err != nil {
			return nil, fmt.Errorf("write %s: %w", d.file, d.err)
		}
		out[d.file] = d.data
	}
	lines, err := timelineText(b.Timeline)
	if err != nil {
		return nil, err
	}
	out[timelineFile] = lines
	return out, b.addRaw(out)
}

// A document is one JSON file of the bundle while it is written.
type document struct {
	file string
	from any
	data []byte
	err  error
}

// small is the size below which a document of our own types cannot exceed what
// a reader accepts: its limits of elements and depth need more bytes.
const small = 1 << 20

// write encodes the document and makes sure that a reader would take it:
// nothing may be frozen that cannot be opened again.
func (d *document) write() {
	if d.data, d.err = Indented(d.from); d.err == nil && (len(d.data) > small || !bytes.Contains(d.data[:min(len(d.data), 64)], []byte(`"schema": "lockscene/`))) {
		d.err = checkDocument(d.file, d.data)
	}
}

func timelineText(events []Event) ([]byte, error) {
	var lines bytes.Buffer
	for _, e := range events {
		line, err := Line(e)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", timelineFile, err)
		}
		lines.Write(line)
	}
	return lines.Bytes(), nil
}

func (b Bundle) addRaw(out map[string][]byte) error {
	for key, name := range storedNames(b.Raw) {
		data := b.Raw[key]
		if err := checkPath(key); err != nil {
			return err
		}
		if len(data) > maxMember {
			return fmt.Errorf("raw file %s: %d bytes, more than a reader accepts", key, len(data))
		}
		if strings.HasSuffix(name, ".gz") {
			data = deflate(data)
		}
		out[rawFolder+name] = data
	}
	return nil
}

// deflate gzips with no name, no time, and no system in the header.
func deflate(data []byte) []byte {
	var buf bytes.Buffer
	z := fastest(&buf)
	// A bytes.Buffer never refuses a write.
	_, _ = z.Write(data)
	_ = z.Close()
	return buf.Bytes()
}

// fastest compresses least: a bundle is some ten kilobytes, and somebody is
// waiting for it.
func fastest(w io.Writer) *gzip.Writer {
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // fails only for a level that does not exist
	return z
}

// checkLimits refuses what no reader would accept.
func checkLimits(files map[string][]byte) error {
	total, folders := 0, foldersOf(slices.Collect(maps.Keys(files)))
	for name, data := range files {
		if total += len(data); len(data) > maxMember {
			return fmt.Errorf("%s: %d bytes, more than a reader accepts", name, len(data))
		}
		if _, both := slices.BinarySearch(folders, name); both {
			return fmt.Errorf("%s: is a file and a folder", name)
		}
	}
	switch {
	// Headers count too: a reader budgets the stream, not the contents.
	case total+(len(files)+len(folders))*4096 > maxTotal:
		return errors.New("more bytes than a reader accepts")
	case len(files)+len(folders) > maxMembers:
		return fmt.Errorf("%d members, more than a reader accepts", len(files)+len(folders))
	}
	return nil
}

// foldersOf lists the folders the paths stand in, sorted.
func foldersOf(paths []string) []string {
	set := make(map[string]bool)
	for _, p := range paths {
		for d := path.Dir(p); d != "." && !set[d]; d = path.Dir(d) {
			set[d] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func writeArchive(w io.Writer, folder string, files map[string][]byte, at time.Time) error {
	zw := fastest(w)
	tw := tar.NewWriter(zw)
	names := slices.Collect(maps.Keys(files))
	for _, d := range foldersOf(names) {
		names = append(names, d+"/")
	}
	slices.Sort(names)
	for _, name := range append([]string{""}, names...) {
		data, isFile := files[name]
		h := &tar.Header{Name: folder + "/" + name, ModTime: at, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(data))}
		if !isFile {
			h.Typeflag, h.Mode = tar.TypeDir, 0o755
		}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		if _, err := tw.Write(data); err != nil {
			return err
		}
	}
	return errors.Join(tw.Close(), zw.Close())
}

// A meter hashes and counts what passes.
type meter struct {
	to  io.Writer
	sum hash.Hash
	n   int64
}

func (m *meter) Write(p []byte) (int, error) {
	n, err := m.to.Write(p)
	m.sum.Write(p[:n])
	m.n += int64(n)
	return n, err
}
