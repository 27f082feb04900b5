package kernel

import "strings"

// Mask drops the text of records that no rule takes an interest in: a kernel's
// log names other tenants' processes, devices and the machine's own command
// line. What is left of a raw /dev/kmsg record is its head, so that the reach of
// the log and the gaps in it still show; of other carriers, whole lines go.
func Mask(raw []byte) []byte {
	records, format := Parse(raw)
	out := make([]byte, 0, len(raw)/2)
	var c collector
	for i := range records {
		r := &records[i]
		switch {
		case c.add(r):
			out = append(out, r.Raw...)
		case format == Kmsg && !r.Malformed:
			head, _, _ := strings.Cut(r.Raw, ";")
			out = append(out, head+";"...)
		default:
			continue
		}
		if n := len(out); n > 0 && out[n-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return out
}
