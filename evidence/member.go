package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxMemberName bounds what MemberName returns. With the bundle's folder and
// data/raw/ in front the whole stays below 300 bytes.
const maxMemberName = 180

// maxPath bounds a member's path inside an archive, folder included.
const maxPath = 400

// MemberName turns the true path of something that was read into the path of a
// member: /proc/41207/net/tcp becomes proc/41207/net/tcp. One leading slash is
// dropped; every byte outside [A-Za-z0-9._:-] becomes @ and two hex digits, an
// empty element a lone @, and what is too long ends in @- and a digest. So two
// true paths never share a name, and no path can climb out of its folder.
func MemberName(path string) string {
	elements := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, e := range elements {
		elements[i] = escapeElement(e)
	}
	name := strings.Join(elements, "/")
	if len(name) <= maxMemberName {
		return name
	}
	sum := sha256.Sum256([]byte(path))
	return name[:maxMemberName-40] + "@-" + hex.EncodeToString(sum[:16])
}

func escapeElement(e string) string {
	switch e {
	case "":
		return "@"
	case ".", "..":
		return strings.ReplaceAll(e, ".", "@2E")
	}
	var b strings.Builder
	for i := 0; i < len(e); i++ {
		if isMemberByte(e[i]) && e[i] != '@' {
			b.WriteByte(e[i])
		} else {
			fmt.Fprintf(&b, "@%02X", e[i])
		}
	}
	return b.String()
}

// checkPath says what is wrong with the path of a member, if anything.
func checkPath(path string) error {
	if len(path) > maxPath {
		return fmt.Errorf("name of %d bytes is too long", len(path))
	}
	for e := range strings.SplitSeq(path, "/") {
		switch e {
		case "":
			return fmt.Errorf("unsafe name %q: empty path element", path)
		case ".", "..":
			return fmt.Errorf("unsafe name %q: leaves its folder", path)
		}
		for i := 0; i < len(e); i++ {
			if !isMemberByte(e[i]) {
				return fmt.Errorf("unsafe name %q: byte %#02x", path, e[i])
			}
		}
	}
	return nil
}

func isMemberByte(c byte) bool {
	return isAlnum(c) || strings.IndexByte("._@:-", c) >= 0
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// storedNames maps each key of Raw to its path below data/raw/. A key that is
// also the folder of another gets a trailing @, since both cannot be unpacked
// under one name; a file to be gzipped gets .gz. Keys that end that way already
// get one more, so that keyOf can always take it off again.
func storedNames(raw map[string][]byte) map[string]string {
	folders := make(map[string]bool)
	for key := range raw {
		for i := strings.LastIndexByte(key, '/'); i > 0; i = strings.LastIndexByte(key[:i], '/') {
			folders[key[:i]] = true
		}
	}
	names := make(map[string]string, len(raw))
	for key, data := range raw {
		name := key
		if folders[key] || strings.HasSuffix(key, "@") {
			name += "@"
		}
		if len(data) > deflateAt || strings.HasSuffix(name, ".gz") {
			name += ".gz"
		}
		names[key] = name
	}
	return names
}

// keyOf undoes storedNames, and says whether the member is gzipped.
func keyOf(stored string) (key string, gzipped bool) {
	key, gzipped = strings.CutSuffix(stored, ".gz")
	return strings.TrimSuffix(key, "@"), gzipped
}
