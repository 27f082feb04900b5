package dialect

import (
	"encoding/base64"
	"strings"
	"time"
)

// The shapes that values have.

func decode64(s string) ([]byte, bool) {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	return b, err == nil && len(s) > 0
}

// urlBase64 says whether s is unpadded base64 of so many bytes, in the alphabet
// for addresses.
func urlBase64(s string, bytes int) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == bytes
}

const (
	lowerHex = "0123456789abcdef"
	alnum    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// of says whether s has a length and no letters but these.
func of(s string, length int, letters string) bool {
	return len(s) == length && strings.Trim(s, letters) == ""
}

// uuid says whether s is a UUID in small letters, and its version.
func uuid(s string) (version byte, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return 0, false
	}
	bare := s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	if !of(bare, 32, lowerHex) {
		return 0, false
	}
	return s[14] - '0', true
}

// uuidTime is the moment in a version 1 UUID, given without its dashes: 100 ns
// since the Gregorian calendar began.
func uuidTime(hex string) (time.Time, bool) {
	if !of(hex, 32, lowerHex) || hex[12] != '1' || !strings.Contains("89ab", hex[16:17]) {
		return time.Time{}, false
	}
	var ticks int64
	for _, c := range hex[13:16] + hex[8:12] + hex[:8] {
		ticks = ticks<<4 | int64(strings.IndexRune(lowerHex, c))
	}
	const gregorian = 0x01b21dd213814000 // from 1582-10-15 to 1970
	if since := ticks - gregorian; since < 0 || since > 1<<63/100-1 {
		return time.Time{}, false // before 1970 there was no Redis, and after 2262 no time.Duration is long enough
	}
	return time.Unix(0, 0).Add(time.Duration(ticks-gregorian) * 100).UTC(), true
}

func join(words []string) string { return strings.Join(words, " ") }
