package dialect

import (
	"math"
	"strconv"
	"time"
)

// Times as job queues and their locks write them: seconds or milliseconds since
// 1970, whole or not. What is no number, or lies decades off, is no time: zero.

func epochSeconds(text string) time.Time { return epoch(text, 1) }

func epochMillis(text string) time.Time { return epoch(text, 1000) }

func epoch(text string, perSecond float64) time.Time {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return time.Time{}
	}
	return epochOf(f / perSecond)
}

// epochOf keeps microseconds: more a float of these days does not hold.
func epochOf(seconds float64) time.Time {
	const earliest, latest = 1e9, 1 << 33 // 2001, 2242
	if !(seconds > earliest && seconds < latest) {
		return time.Time{}
	}
	return time.UnixMicro(int64(math.Round(seconds * 1e6))).UTC()
}
