package redact

import (
	"encoding/binary"
	"net/netip"
)

// addr is the pseudonym of an address. It stays in its class: loopback and
// multicast as they are, a private address in its own range, link-local in its
// own. Public IPv4 addresses go to 240.0.0.0/4, where no machine can be: the
// ranges set aside for documentation hold too few to keep addresses apart.
func (p pseudonyms) addr(a netip.Addr) netip.Addr {
	switch {
	case a.IsLoopback(), a.IsUnspecified(), a.IsMulticast(), a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return a
	case a.Is4In6():
		return netip.AddrFrom16(p.addr(a.Unmap()).As16())
	case a.Is4():
		return p.addr4(a)
	}
	return p.addr6(a)
}

// ranges are the classes of IPv4 addresses that mean something to a reader, with
// the number of bits they leave free.
func ranges() []netip.Prefix {
	var out []netip.Prefix
	for _, s := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "240.0.0.0/4"} {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

func (p pseudonyms) addr4(a netip.Addr) netip.Addr {
	four := a.As4()
	n := binary.BigEndian.Uint32(four[:])
	for _, r := range ranges() {
		if r.Contains(a) {
			free := 32 - r.Bits()
			mask := uint32(1)<<free - 1
			return v4(n&^mask | p.shuffle(n&mask, free))
		}
	}
	sum := p.digest("address", a.String())
	return v4(0xf0000000 | binary.BigEndian.Uint32(sum[:])&0x0fffffff)
}

func v4(n uint32) netip.Addr {
	var four [4]byte
	binary.BigEndian.PutUint32(four[:], n)
	return netip.AddrFrom4(four)
}

// shuffle is a permutation of the numbers of so many bits, so that two addresses
// of a small range never share a pseudonym: a Feistel network over the next even
// number of bits, walked until it lands in range again.
func (p pseudonyms) shuffle(n uint32, bits int) uint32 {
	half := (bits + 1) / 2
	mask := uint32(1)<<half - 1
	for {
		left, right := n>>half, n&mask
		for round := range byte(8) {
			sum := p.digest("shuffle", string([]byte{byte(bits), round, byte(right >> 8), byte(right)}))
			left, right = right, left^binary.BigEndian.Uint32(sum[:])&mask
		}
		if n = left<<half | right; n>>bits == 0 {
			return n
		}
	}
}

// addr6 keeps link-local and private addresses such; all others go to the range
// for documentation, which is wide enough here.
func (p pseudonyms) addr6(a netip.Addr) netip.Addr {
	sum := p.digest("address", a.WithZone("").String())
	out := a.As16()
	switch {
	case a.IsLinkLocalUnicast():
		copy(out[8:], sum[:8])
	case a.IsPrivate():
		copy(out[1:], sum[:15])
	default:
		copy(out[:], []byte{0x20, 0x01, 0x0d, 0xb8})
		copy(out[4:], sum[:12])
	}
	return netip.AddrFrom16(out).WithZone(a.Zone())
}
