package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A version is a release's number, and how far before the release it was.
type version struct {
	numbers []int
	stage   int // finished for a release
	nth     int // the second alpha
	text    string
}

// finished is the stage of a release; what comes before one is below it.
const finished = 9

// stageOf orders what is written behind the numbers.
func stageOf(word string) (stage int, ok bool) {
	switch word {
	case "snapshot", "dev":
		return 0, true
	case "a", "alpha":
		return 1, true
	case "b", "beta":
		return 2, true
	case "m":
		return 3, true
	case "rc", "cr":
		return 4, true
	case "release", "final", "ga":
		return finished, true
	}
	return 0, false
}

// A span is a range of versions; open: until today.
type span struct {
	from, to version
	open     bool
}

// common is the range of versions that has every one of these scripts, for people:
// ">= 3.46.0", "3.22.0 to 3.23.5", "3.31.0". Rows of one digest are one script: a
// text that moved between two methods has the versions of both. It is empty
// when no version has them all, when they are of several libraries, or when a
// version cannot be compared.
func common(scripts []Script) string {
	byDigest := map[string][]span{}
	var digests []string // in their order: the answer must not depend on a map's
	for _, s := range scripts {
		r, ok := spanOf(s)
		if !ok || s.Library != scripts[0].Library {
			return ""
		}
		if _, known := byDigest[s.SHA1]; !known {
			digests = append(digests, s.SHA1)
		}
		byDigest[s.SHA1] = append(byDigest[s.SHA1], r)
	}
	var left []span
	for i, sha := range digests {
		rows := mergeSpans(byDigest[sha])
		if i == 0 {
			left = rows
			continue
		}
		left = mergeSpans(overlapSpans(left, rows))
	}
	said := make([]string, 0, len(left))
	for _, r := range left {
		said = append(said, r.String())
	}
	return strings.Join(said, " or ")
}

func spanOf(s Script) (span, bool) {
	from, ok := parseVersion(s.From)
	if !ok || s.To == "" || s.To == "HEAD" {
		return span{from: from, open: true}, ok
	}
	to, ok := parseVersion(s.To)
	return span{from: from, to: to}, ok && compareVersions(from, to) <= 0
}

func (r span) String() string {
	switch {
	case r.open:
		return ">= " + r.from.text
	case compareVersions(r.from, r.to) == 0:
		return r.from.text
	}
	return r.from.text + " to " + r.to.text
}

// parseVersion reads v1.2.3, release-2.0.0, 5.0.0.RELEASE, v7.0.0.beta12,
// v5.0.0-alpha.0. What follows the numbers must be known: a commit is no version.
func parseVersion(s string) (version, bool) {
	at := strings.IndexAny(s, "0123456789")
	if at < 0 || strings.Trim(s[:at], "-_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "" {
		return version{}, false
	}
	var v version
	rest := s[at:]
	for {
		n, after, ok := leadingNumber(rest)
		if !ok {
			return version{}, false
		}
		v.numbers, rest = append(v.numbers, n), after
		if len(rest) < 2 || rest[0] != '.' || rest[1] < '0' || rest[1] > '9' {
			break
		}
		rest = rest[1:]
	}
	v.text = s[at:]
	if !v.readStage(rest) {
		return version{}, false
	}
	if v.stage == finished {
		v.text = s[at : len(s)-len(rest)]
	}
	return v, true
}

// readStage reads what stands behind the numbers: .beta1, -alpha.0, alpha2, .RELEASE.
func (v *version) readStage(rest string) (ok bool) {
	if rest == "" {
		v.stage = finished
		return true
	}
	rest = strings.ToLower(strings.TrimLeft(rest, ".-_"))
	word := strings.TrimRight(rest, ".-_0123456789")
	if v.stage, ok = stageOf(word); !ok {
		return false
	}
	if rest = strings.TrimLeft(rest[len(word):], ".-_"); rest == "" {
		return true
	}
	v.nth, rest, ok = leadingNumber(rest)
	return ok && rest == ""
}

// leadingNumber takes the digits off the front of s, nine at most: no library
// counts further, and more would not fit.
func leadingNumber(s string) (n int, rest string, ok bool) {
	rest = strings.TrimLeft(s, "0123456789")
	digits := s[:len(s)-len(rest)]
	if len(digits) > 9 {
		return 0, "", false
	}
	n, err := strconv.Atoi(digits)
	return n, rest, err == nil
}

func compareVersions(a, b version) int {
	for i := range max(len(a.numbers), len(b.numbers)) {
		if c := cmp.Compare(numberAt(a.numbers, i), numberAt(b.numbers, i)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.nth, b.nth))
}

// numberAt is a number of a version: 2.1 is 2.1.0.
func numberAt(numbers []int, i int) int {
	if i < len(numbers) {
		return numbers[i]
	}
	return 0
}

// mergeSpans joins the spans that touch, lowest first.
func mergeSpans(spans []span) []span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b span) int { return compareVersions(a.from, b.from) })
	var out []span
	for _, r := range spans {
		if len(out) == 0 {
			out = append(out, r)
			continue
		}
		last := &out[len(out)-1]
		switch {
		case last.open:
		case compareVersions(r.from, last.to) > 0 && !nextVersion(last.to, r.from):
			out = append(out, r)
		case r.open:
			last.open = true
		case compareVersions(r.to, last.to) > 0:
			last.to = r.to
		}
	}
	return out
}

// nextVersion says whether b may be the very next release after a: 3.8.1 after 3.8.0,
// 3.15.0 after 3.14.1, 4.0.0 after 3.52.0.
func nextVersion(a, b version) bool {
	if a.stage != finished || b.stage != finished {
		return false
	}
	raised := false
	for i := range max(len(a.numbers), len(b.numbers)) {
		switch x, y := numberAt(a.numbers, i), numberAt(b.numbers, i); {
		case raised && y != 0:
			return false
		case !raised && y == x+1:
			raised = true
		case !raised && y != x:
			return false
		}
	}
	return raised
}

// overlapSpans is what two lists of spans share.
func overlapSpans(as, bs []span) []span {
	var out []span
	for _, a := range as {
		for _, b := range bs {
			r := a
			if compareVersions(b.from, r.from) > 0 {
				r.from = b.from
			}
			if r.open || !b.open && compareVersions(b.to, r.to) < 0 {
				r.to, r.open = b.to, b.open
			}
			if r.open || compareVersions(r.from, r.to) <= 0 {
				out = append(out, r)
			}
		}
	}
	return out
}
