package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The text files of a bag, as RFC 8493 describes them. They make a bundle
// provable with tar and sha256sum alone.

const bagitText = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"

// bagInfo is bag-info.txt. Labels outside the RFC's list are allowed by it.
func bagInfo(b Bundle, payload map[string][]byte) string {
	var out strings.Builder
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%s: %s\n", label, Clip(Printable(value), 200))
		}
	}
	s := b.Capture.Subject
	line("Bag-Software-Agent", b.Capture.Tool)
	line("Bagging-Date", b.Capture.Ended().Format("2006-01-02"))
	line("External-Description", "Evidence of one Redis lock incident, read without writing")
	line("External-Identifier", s.Key)
	line("Internal-Sender-Identifier", b.folder())
	line("Payload-Oxum", oxum(payload))
	if s.Redis != "" {
		line("Source-Redis", fmt.Sprintf("%s db %d", s.Redis, s.DB))
	}
	for _, v := range b.Capture.Vantages {
		line("Source-Vantage", v.Name+" "+v.Host)
	}
	line("Ticket", b.Capture.Ticket)
	return out.String()
}

// oxum is the payload's size in bytes, a point, and its number of files.
func oxum(payload map[string][]byte) string {
	var n int64
	for _, data := range payload {
		n += int64(len(data))
	}
	return fmt.Sprintf("%d.%d", n, len(payload))
}

// manifest lists files in the form sha256sum -c reads.
func manifest(files map[string][]byte) string {
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[path])
		fmt.Fprintf(&out, "%s  %s\n", hex.EncodeToString(sum[:]), path)
	}
	return out.String()
}

// parseManifest reads a manifest into path -> hex digest.
func parseManifest(text string) (map[string]string, error) {
	sums := make(map[string]string)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		sum, path, ok := strings.Cut(line, " ")
		raw, err := hex.DecodeString(sum)
		if !ok || err != nil || len(raw) != sha256.Size {
			return nil, fmt.Errorf("line %d is no digest and path", number)
		}
		// The second column is a space for text and a star for binary; BagIt
		// itself allows any run of blanks.
		path = strings.TrimPrefix(strings.TrimLeft(path, " \t"), "*")
		if err := checkPath(path); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if _, twice := sums[path]; twice {
			return nil, fmt.Errorf("line %d lists %s twice", number, path)
		}
		sums[path] = hex.EncodeToString(raw)
	}
	return sums, nil
}

// tagValue finds one label of bag-info.txt.
func tagValue(info, label string) (string, bool) {
	for line := range strings.Lines(info) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(k), label) {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}

// parseOxum reads what oxum wrote.
func parseOxum(s string) (bytes, files int64, ok bool) {
	a, b, ok := strings.Cut(s, ".")
	if !ok {
		return 0, 0, false
	}
	bytes, err1 := strconv.ParseInt(a, 10, 64)
	files, err2 := strconv.ParseInt(b, 10, 64)
	return bytes, files, err1 == nil && err2 == nil
}
