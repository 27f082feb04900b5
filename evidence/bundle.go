package evidence

import (
	"strings"
	"time"
)

// A Bundle is one incident, frozen: what was read, what was made of it, and
// what was concluded. [Freeze] writes it, [Open] reads it back, [Check] proves
// its bytes and [Verify] its reasoning.
type Bundle struct {
	Name      string            // the folder all members stand in; empty: Freeze calls it after the key and the capture's end
	Capture   Capture           //
	Probes    []Probe           //
	Raw       map[string][]byte // path below data/raw/ (see MemberName) -> the bytes, already masked
	Snapshot  Snapshot          //
	Timeline  []Event           //
	Verdict   Verdict           //
	Report    string            // report.md, for the ticket
	Summary   string            // summary.txt, for the pager
	Access    string            // ACCESS.md, for whoever must approve the bundle
	Scene     Scene             // the picture, for who draws the bundle: derived when it is asked for, never frozen
	Signature string            // armoured signature of tagmanifest-sha256.txt; empty when nobody signed
}

// Limits of a bundle. A reader refuses what exceeds them, so a writer does too:
// nothing may be frozen that cannot be opened again.
const (
	Oversize   = 10_000_000 // bytes of archive above which a writer should warn: what ticket systems commonly accept
	maxMember  = 64 << 20   // bytes of one member, and of one raw file once inflated: CLIENT LIST of 100 000 clients is half of it
	maxTotal   = 512 << 20  // bytes of the whole archive once inflated, and again of all raw files once inflated
	maxMembers = 20_000     // a JVM of 2 000 threads read in a few looks stays below
	deflateAt  = 1 << 20    // raw files above this are gzipped by themselves, so that an unpacked bundle stays small
)

// The members every bundle has, by their path inside its folder.
const (
	bagitFile    = "bagit.txt"
	bagInfoFile  = "bag-info.txt"
	manifestFile = "manifest-sha256.txt"
	tagFile      = "tagmanifest-sha256.txt"
	sigFile      = "tagmanifest-sha256.txt.sig"
	captureFile  = "data/capture.json"
	probesFile   = "data/probes.json"
	snapshotFile = "data/snapshot.json"
	timelineFile = "data/timeline.ndjson"
	verdictFile  = "data/verdict.json"
	reportFile   = "data/report.md"
	summaryFile  = "data/summary.txt"
	accessFile   = "data/ACCESS.md"
	rawFolder    = "data/raw/"
)

// maxKeyInName bounds the key's part of a bundle's name: with the prefix and
// the time it stays far below the 255 bytes a file name may have.
const maxKeyInName = 60

// BundleName is the name of the folder, and of the archive before its suffix:
// lockscene-<key>-<UTC>. Runs of bytes a shell or file system might mind become
// one hyphen. Different keys may share a name; the key itself stands in
// capture.json.
func BundleName(key string, t time.Time) string {
	var b strings.Builder
	for i, gap := 0, false; i < len(key) && b.Len() < maxKeyInName; i++ {
		if c := key[i]; isAlnum(c) || strings.IndexByte("._-", c) >= 0 {
			b.WriteByte(c)
			gap = false
		} else if !gap {
			b.WriteByte('-')
			gap = true
		}
	}
	short := strings.Trim(b.String(), "-")
	if short == "" {
		short = "key"
	}
	if t.Unix() == 0 {
		return "lockscene-" + short + "-undated" // of a text in which no date was read
	}
	return "lockscene-" + short + "-" + t.UTC().Format("20060102T150405Z")
}

// Ended is when the last vantage had finished, by its own wall clock, in whole
// seconds. Without any vantage it is the Unix epoch, and so it is before 1970:
// archives cannot express less.
func (c Capture) Ended() time.Time {
	end := time.Unix(0, 0).UTC()
	for _, v := range c.Vantages {
		wall := v.End.Wall
		if r := v.Reckoned; wall.IsZero() && r != nil && !r.Coordinator.IsZero() {
			wall = r.Coordinator.Add(v.End.Boot) // no date of its own: the coordinator's time
		}
		if wall.After(end) {
			end = wall.UTC().Truncate(time.Second)
		}
	}
	return end
}

// folder is the name of the folder inside the archive.
func (b Bundle) folder() string {
	if b.Name != "" {
		return b.Name
	}
	return BundleName(b.Capture.Subject.Key, b.Capture.Ended())
}
