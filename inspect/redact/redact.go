// Package redact makes a copy of a capture that may be given to strangers: names
// become pseudonyms, and everything a verdict turns on stays.
//
// Pseudonyms are keyed digests of the names, so one name is one pseudonym in
// every file, and in every bundle of an incident that is redacted with the same
// key; without the key nothing leads back. Addresses stay in their class, ports,
// pids, times, counters and sizes stay as they are, and a lock's value keeps its
// shape: host and pid still stand side by side in it, and what was equal is
// equal.
//
// The copy is not an edited report but an edited recording. Each raw file is
// rewritten in its own format, so that it parses as before; snapshot, verdict
// and texts are then derived anew by whoever called. First everything that names
// somebody is collected, from the parsed snapshot and from the places in the raw
// text where names stand; then each file is rewritten with that dictionary. What
// cannot be rewritten with certainty is left out, and its probe says so.
//
// Words of free text that nothing marks as a name stay: the copy of a pasted log
// deserves a look before it leaves the house.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"

	"github.com/lockscene/lockscene/evidence"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

// Options say how a copy is made.
type Options struct {
	Key     []byte // KeySize random bytes, the same for all bundles of one incident; never part of the copy
	KeepKey bool   // leave the lock's own name as it is
}

// A Copy is a redacted recording.
type Copy struct {
	Capture evidence.Capture
	Probes  []evidence.Probe
	Raw     map[string][]byte
	Dropped []string // sources left out, because nothing can rewrite them
}

// Redact makes the copy. The bundle is not changed.
func Redact(b evidence.Bundle, o Options) (Copy, error) {
	if len(o.Key) != KeySize {
		return Copy{}, errors.New("redact bundle: the key is not 32 bytes long")
	}
	r := &redactor{pseudonyms: pseudonyms{key: o.Key}, keepKey: o.KeepKey, names: names{to: map[string]string{}}}
	r.collect(b)
	r.names.seal()
	out := Copy{Capture: r.capture(b.Capture)}
	r.rewriteAll(b, &out)
	return out, nil
}

// A redactor holds what one copy needs: the key, and every name met so far.
type redactor struct {
	pseudonyms
	names
	keepKey bool
	key     string            // the lock's name
	domains map[string]bool   // suffixes of host names, so that other hosts of a domain are known
	files   map[string]string // member names of the original -> of the copy
	taken   map[string]bool   // those of the copy
}

// pseudonyms are digests under a key.
type pseudonyms struct{ key []byte }

// digest is the keyed digest of a text in one role. Roles are kept apart, so
// that a pseudonym in one place does not tell of the same digits in another.
func (p pseudonyms) digest(role, text string) [sha256.Size]byte {
	mac := hmac.New(sha256.New, p.key)
	mac.Write([]byte(role))
	mac.Write([]byte{0})
	mac.Write([]byte(text))
	var out [sha256.Size]byte
	mac.Sum(out[:0])
	return out
}
