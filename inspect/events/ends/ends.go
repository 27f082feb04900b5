// Package ends keeps both ends of a flood: the first entries, which tell how it
// began, and the last, which tell how it ended. What lay between is counted.
package ends

// A Keeper holds the first and the last entries of a series, each with its
// place in the series. The zero Keeper keeps nothing.
type Keeper[T any] struct {
	head, tail []entry[T]
	half       int // how many of each end are kept
	next       int // where the oldest of the tail stands
	seen       int
}

type entry[T any] struct {
	at int
	v  T
}

// New keeps at most limit entries, half of them from each end.
func New[T any](limit int) *Keeper[T] { return &Keeper[T]{half: max(limit, 0) / 2} }

// Add takes the entry that stands at a place of the series, which only grows.
// It hands back the entry that had to go, if one had to.
func (k *Keeper[T]) Add(at int, v T) (gone T, dropped bool) {
	k.seen++
	e := entry[T]{at, v}
	switch {
	case len(k.head) < k.half:
		k.head = append(k.head, e)
	case len(k.tail) < k.half:
		k.tail = append(k.tail, e)
	case k.half == 0:
		return v, true
	default:
		gone, k.tail[k.next] = k.tail[k.next].v, e
		k.next = (k.next + 1) % k.half
		return gone, true
	}
	return gone, false
}

// Dropped is how many entries had to go.
func (k *Keeper[T]) Dropped() int { return k.seen - len(k.head) - len(k.tail) }

// Each visits what is kept, in the order it came.
func (k *Keeper[T]) Each(see func(at int, v T)) {
	for _, e := range k.head {
		see(e.at, e.v)
	}
	for i := range k.tail {
		e := k.tail[(k.next+i)%len(k.tail)]
		see(e.at, e.v)
	}
}
