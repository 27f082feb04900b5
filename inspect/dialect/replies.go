package dialect

import (
	"strconv"

	"github.com/lockscene/lockscene/inspect/redis"
)

// scored reads a reply to ZRANGE … WITHSCORES: members and scores in turn.
func scored(v redis.Value) []Scored {
	var out []Scored
	for i := 0; i+1 < len(v.Array); i += 2 {
		score, err := strconv.ParseFloat(v.Array[i+1].Str, 64)
		if err != nil {
			continue
		}
		out = append(out, Scored{Member: v.Array[i].Str, Score: score})
	}
	return out
}
