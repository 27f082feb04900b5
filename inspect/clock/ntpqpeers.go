package clock

import (
	"errors"
	"strings"
	"time"
)

// NTPPeers is the table of `ntpq -p`, reduced to the source that ntpd follows.
type NTPPeers struct {
	Chosen string        // the row marked * or o; empty: none is followed
	Offset time.Duration // of that row: NTP time minus system time
	Jitter time.Duration
	Rows   int
}

// ParseNtpqPeers reads `ntpq -p`, `-pn` or `-c peers`. Offsets are in
// milliseconds. Of the marks in front of a row only * and o, which stands for a
// source with a pulse a second, say that the clock is kept by it.
func ParseNtpqPeers(b []byte) (NTPPeers, error) {
	var out NTPPeers
	if err := bounded("ntpq peers", b); err != nil {
		return out, err
	}
	below := false
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "====") {
			below = true
			continue
		}
		f := strings.Fields(line)
		if !below || len(f) < 10 {
			continue
		}
		out.Rows++
		if line[0] != '*' && line[0] != 'o' {
			continue
		}
		// The columns are counted from the right: names are cut, never split.
		offset, err1 := number(f[len(f)-2])
		jitter, err2 := number(f[len(f)-1])
		if err1 == nil && err2 == nil {
			out.Chosen, out.Offset, out.Jitter = clip(f[0][1:]), units(offset, time.Millisecond), units(jitter, time.Millisecond)
		}
	}
	if !below {
		return out, errors.New("parse ntpq peers: no table of peers")
	}
	return out, nil
}
