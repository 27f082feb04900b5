package redact

import (
	"encoding/binary"
	"net/netip"
	"regexp"
)

// Where chronyd's reply to a tracking request names its source, in bytes: after a
// head of 28 the reference id, then the address with its family, then the stratum.
const (
	refIDAt   = 28
	addressAt = 32
	familyAt  = 48
	stratumAt = 52
)

// tracking rewrites the source in chronyd's reply. The reference id of an IPv4
// source is its address.
func (r *redactor) tracking(b []byte) ([]byte, bool) {
	if len(b) < stratumAt+2 {
		return nil, false
	}
	out := append([]byte(nil), b...)
	if binary.BigEndian.Uint16(b[stratumAt:]) != 1 { // of a reference clock the id is its kind: GPS, PPS
		copy(out[refIDAt:], r.refID(b[refIDAt:refIDAt+4]))
	}
	switch binary.BigEndian.Uint16(b[familyAt:]) {
	case 1:
		a := r.addr(netip.AddrFrom4([4]byte(b[addressAt : addressAt+4])))
		copy(out[addressAt:familyAt], make([]byte, familyAt-addressAt))
		copy(out[addressAt:], a.AsSlice())
	case 2:
		copy(out[addressAt:], r.addr(netip.AddrFrom16([16]byte(b[addressAt:familyAt]))).AsSlice())
	default:
		copy(out[addressAt:familyAt], make([]byte, familyAt-addressAt))
	}
	return out, true
}

// refID keeps the ids that name no server: none, and the local clock.
func (r *redactor) refID(id []byte) []byte {
	a := r.addr(netip.AddrFrom4([4]byte(id)))
	return a.AsSlice()
}

var refIDText = regexp.MustCompile(`\b[0-9A-F]{8}\b`)

// chronyLine rewrites a line of chronyc: the reference id, and what any line may
// hold.
func (r *redactor) chronyLine(line string) string {
	line = refIDText.ReplaceAllStringFunc(line, func(id string) string {
		var four [4]byte
		for i := range four {
			four[i] = unhex(id[2*i])<<4 | unhex(id[2*i+1])
		}
		const digits = "0123456789ABCDEF"
		out := make([]byte, 0, 8)
		for _, c := range r.refID(four[:]) {
			out = append(out, digits[c>>4], digits[c&15])
		}
		return string(out)
	})
	return r.text(line)
}

func unhex(c byte) byte {
	if c >= 'A' {
		return c - 'A' + 10
	}
	return c - '0'
}
