package evidence

import "bytes"

// Scripts read the verdict, so its lists are always lists: one without members
// is [] and never null.

// MarshalJSON writes empty lists as [].
func (v Verdict) MarshalJSON() ([]byte, error) {
	type plain Verdict
	v.Open, v.Also, v.NotRuledOut = list(v.Open), list(v.Also), list(v.NotRuledOut)
	v.Findings, v.Next = list(v.Findings), list(v.Next)
	return unescaped(plain(v))
}

// MarshalJSON writes empty lists as [].
func (a Answer) MarshalJSON() ([]byte, error) {
	type plain Answer
	a.Possible, a.Because, a.Missing = list(a.Possible), list(a.Because), list(a.Missing)
	return unescaped(plain(a))
}

// MarshalJSON writes empty lists as [].
func (f Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	f.Because = list(f.Because)
	return unescaped(plain(f))
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// unescaped leaves < > & to the encoder outside, which knows whether they
// matter: commands to paste are full of them.
func unescaped(v any) ([]byte, error) {
	data, err := Line(v)
	return bytes.TrimSpace(data), err
}
