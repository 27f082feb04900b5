package host

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// parsed carries a file's reading over to what its bytes say. Bytes that do not
// parse make the value unread, never zero.
func parsed[T any](r evidence.Reading[[]byte], parse func([]byte) (T, error)) evidence.Reading[T] {
	b, ok := r.Get()
	if !ok {
		return evidence.Map(r, func([]byte) (none T) { return none })
	}
	v, err := parse(b)
	if err != nil {
		return evidence.Refused[T](r.Source, evidence.Failed, err.Error())
	}
	return evidence.Saw(r.Source, v)
}

// flat reads a file of keys. A reading that is seen and still carries the status
// truncated is a part of its file, and that goes with the keys.
func flat(r evidence.Reading[[]byte]) evidence.Reading[map[string]int64] {
	out := parsed(r, ParseFlat)
	if out.State == evidence.Seen && r.Status == evidence.Truncated {
		out.Status = evidence.Truncated
	}
	return out
}

// key is one number of a flat file; a file without it is an absence, unless the
// file was cut.
func key(r evidence.Reading[map[string]int64], name string) evidence.Reading[int64] {
	source := r.Source + "/" + name
	m, ok := r.Get()
	if !ok {
		out := evidence.Map(r, func(map[string]int64) int64 { return 0 })
		out.Source = source
		return out
	}
	v, ok := m[name]
	if !ok && r.Status == evidence.Truncated {
		return evidence.Refused[int64](source, evidence.Truncated, "the part that was kept does not show "+name)
	}
	if !ok {
		return evidence.None[int64](source, "this kernel does not print "+name+" here")
	}
	return evidence.Saw(source, v)
}

func truth(r evidence.Reading[int64]) evidence.Reading[bool] {
	return evidence.Map(r, func(n int64) bool { return n != 0 })
}

func counter(r evidence.Reading[int64], unit time.Duration) evidence.Reading[time.Duration] {
	n, ok := r.Get()
	d, err := span(n, unit)
	if ok && err != nil {
		return evidence.Refused[time.Duration](r.Source, evidence.Failed, err.Error())
	}
	return evidence.Map(r, func(int64) time.Duration { return d })
}

func divided(quota, period evidence.Reading[int64]) evidence.Reading[float64] {
	q, ok := quota.Get()
	p, both := period.Get()
	if !ok || q >= 0 && !both {
		missing := quota
		if ok {
			missing = period
		}
		return evidence.Map(missing, func(int64) float64 { return 0 })
	}
	cpus, err := CPUs(q, p)
	if err != nil {
		return evidence.Refused[float64](quota.Source, evidence.Failed, err.Error())
	}
	return evidence.Saw(quota.Source, cpus)
}

// first is the reading that was seen; else the one that could not be taken,
// because only an absence on both sides is an absence.
func first[T any](a, b evidence.Reading[T]) evidence.Reading[T] {
	switch {
	case a.State == evidence.Seen:
		return a
	case b.State == evidence.Seen:
		return b
	case refused(a):
		return a
	}
	return b
}

// either is true when one of two sources says so, and false only when none of
// them was refused.
func either(a, b evidence.Reading[bool]) evidence.Reading[bool] {
	switch {
	case a.Or(false):
		return a
	case b.Or(false):
		return b
	case refused(a):
		return a
	case refused(b):
		return b
	}
	return first(a, b)
}

// refused says that a source exists, as far as anybody knows, and was not read.
// A hierarchy the host does not have is not one.
func refused[T any](r evidence.Reading[T]) bool {
	return r.State == evidence.Unread && r.Status != evidence.Unsupported
}
