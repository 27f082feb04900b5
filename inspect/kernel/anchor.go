package kernel

// An anchorSet finds many fixed words in one pass over a line. Almost no line of
// a log matters here, so the pass is built to skip: it looks at the pair of
// bytes that would end the first block bytes of a word, and when no word has
// that pair in that place it jumps ahead (Wu and Manber's method).
type anchorSet struct {
	words []string
	block int             // how much of each word the pass looks at
	skip  [pairs]uint8    // how far the window may move
	ends  [pairs][]uint16 // which words' blocks end in this pair
}

// minBlock keeps the skips worth their while. The block is the length of the
// shortest word of the set, and the skips are nearly as long.
const minBlock = 6

// pairs is how many pairs of bytes are told apart. Seven bits of each keep the
// table inside the processor's nearest cache; the whole word is compared anyway.
const pairs = 1 << 14

func pairOf(a, b byte) int { return int(a&0x7f)<<7 | int(b&0x7f) }

func newAnchorSet(words []string) *anchorSet {
	block := 255
	for _, w := range words {
		if block = min(block, len(w)); block < minBlock {
			panic("kernel: anchor is too short: " + w)
		}
	}
	a := &anchorSet{words: words, block: block}
	for i := range a.skip {
		a.skip[i] = uint8(block - 1)
	}
	for i, w := range words {
		for j := 1; j < block; j++ {
			p := pairOf(w[j-1], w[j])
			a.skip[p] = min(a.skip[p], uint8(block-1-j))
		}
		end := pairOf(w[block-2], w[block-1])
		a.ends[end] = append(a.ends[end], uint16(i))
	}
	return a
}

// each calls f with every word found, leftmost first and in the order of words
// where several begin in one place, until f returns true.
func (a *anchorSet) each(s string, f func(word, at int) bool) {
	for i := a.block - 1; i < len(s); {
		p := pairOf(s[i-1], s[i])
		if skip := a.skip[p]; skip > 0 {
			i += int(skip)
			continue
		}
		at := i - a.block + 1
		for _, w := range a.ends[p] {
			word := a.words[w]
			if len(s)-at >= len(word) && s[at:at+len(word)] == word && f(int(w), at) {
				return
			}
		}
		i++
	}
}
