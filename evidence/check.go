package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// A ProblemKind is what is wrong with a bundle.
type ProblemKind string

const (
	ChangedBytes    ProblemKind = "changed-bytes"     // a file does not have the digest the manifest gives
	MissingFile     ProblemKind = "missing"           // listed or referred to, and not there
	ExtraFile       ProblemKind = "extra"             // there, and listed nowhere
	Malformed       ProblemKind = "malformed"         // the bag's own files contradict themselves
	SnapshotDiffers ProblemKind = "snapshot-differs"  // the raw bytes parse into something else
	VerdictDiffers  ProblemKind = "verdict-differs"   // the snapshot is judged otherwise
	BadSignature    ProblemKind = "bad-signature"     // there is a signature, and it is not of these bytes
	NotVouched      ProblemKind = "foreign-signature" // nobody signed whom the reader trusts
	OtherRules      ProblemKind = "other-rules"       // the result differs, and other rules made it: no sign of tampering
)

// A Problem is one way in which a bundle fails its check.
type Problem struct {
	Kind ProblemKind `json:"kind"`
	Path string      `json:"path"` // the member's path inside the bundle's folder
	Text string      `json:"text"` // a sentence
}

// Check proves the bytes of a .tar.gz: every file listed, with its digest, and
// no other. It needs no more than a readable archive; whether the contents make
// sense is for [Open] and [Verify]. No problem means the bytes are those the
// manifest was made for, not who made it: that takes a signature.
func Check(r io.Reader) ([]Problem, error) { return check(walkTar(r)) }

// CheckFS does the same for an unpacked bundle.
func CheckFS(fsys fs.FS) ([]Problem, error) { return check(walkFS(fsys)) }

// A bag is what Check keeps of the files: their digests, and the text of those
// that list others.
type bag struct {
	sums     map[string]string
	sizes    map[string]int64
	text     map[string]string
	problems []Problem
}

func check(each walk) ([]Problem, error) {
	b := bag{sums: make(map[string]string), sizes: make(map[string]int64), text: make(map[string]string)}
	if err := each(b.add); err != nil {
		return nil, err
	}
	top, err := root(slices.Sorted(maps.Keys(b.sums)))
	if err != nil {
		return nil, err
	}
	if top != "" {
		b.sums, b.sizes, b.text = below(b.sums, top), below(b.sizes, top), below(b.text, top)
	}
	isPayload := func(path string) bool { return strings.HasPrefix(path, "data/") }
	isTag := func(path string) bool { return !isPayload(path) && path != tagFile && path != sigFile }
	b.compare(manifestFile, isPayload)
	b.compare(tagFile, isTag)
	b.checkInfo(isPayload)
	slices.SortFunc(b.problems, func(x, y Problem) int {
		return strings.Compare(x.Path+"\x00"+x.Text, y.Path+"\x00"+y.Text)
	})
	return b.problems, nil
}

func below[T any](m map[string]T, top string) map[string]T {
	out := make(map[string]T, len(m))
	for path, v := range m {
		out[strings.TrimPrefix(path, top+"/")] = v
	}
	return out
}

func (b *bag) add(name string, r io.Reader, _ int64) error {
	sum, keep := sha256.New(), &strings.Builder{}
	to := io.Writer(sum)
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case bagitFile, bagInfoFile, manifestFile, tagFile:
		to = io.MultiWriter(sum, keep)
	}
	n, err := io.Copy(to, r)
	if err != nil {
		return damaged("read %s: %w", name, err)
	}
	b.sums[name], b.sizes[name], b.text[name] = hex.EncodeToString(sum.Sum(nil)), n, keep.String()
	return nil
}

func (b *bag) report(kind ProblemKind, path, text string, args ...any) {
	b.problems = append(b.problems, Problem{kind, path, fmt.Sprintf(text, args...)})
}

// compare holds the files that concern a manifest against it.
func (b *bag) compare(list string, concerns func(string) bool) {
	if _, there := b.sums[list]; !there {
		b.report(MissingFile, list, "%s is missing, so that nothing proves the files it lists", list)
		return
	}
	want, err := parseManifest(b.text[list])
	if err != nil {
		b.report(Malformed, list, "%s cannot be read: %v", list, err)
		return
	}
	for path, sum := range want {
		got, there := b.sums[path]
		switch {
		case !concerns(path):
			b.report(Malformed, path, "%s lists %s, which is not its to list", list, path)
		case !there:
			b.report(MissingFile, path, "%s is listed in %s and is not there", path, list)
		case got != sum:
			b.report(ChangedBytes, path, "%s has other bytes than %s says", path, list)
		}
	}
	for path := range b.sums {
		if _, listed := want[path]; !listed && concerns(path) {
			b.report(ExtraFile, path, "%s is not listed in %s", path, list)
		}
	}
}

// checkInfo holds the bag's declaration and its count of the payload against
// what is there.
func (b *bag) checkInfo(isPayload func(string) bool) {
	if b.text[bagitFile] != bagitText {
		b.report(Malformed, bagitFile, "%s does not declare BagIt 1.0 in UTF-8", bagitFile)
	}
	var bytes, files int64
	for path, n := range b.sizes {
		if isPayload(path) {
			bytes, files = bytes+n, files+1
		}
	}
	value, found := tagValue(b.text[bagInfoFile], "Payload-Oxum")
	wantBytes, wantFiles, ok := parseOxum(value)
	switch {
	case !found || !ok:
		b.report(Malformed, bagInfoFile, "%s has no readable Payload-Oxum", bagInfoFile)
	case wantBytes != bytes || wantFiles != files:
		b.report(Malformed, bagInfoFile, "Payload-Oxum says %s bytes.files, there are %d.%d", Clip(Printable(value), 40), bytes, files)
	}
}
