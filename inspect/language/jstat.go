package language

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParseJstat reads the rows of `jstat -gc` or `jstat -gcutil`, oldest first.
// Columns are found by their headings: every generation of Java has others. A
// row tells sums since the process began; how long the longest pause was cannot
// be read from them, only that what two rows differ by was spent between them.
func ParseJstat(b []byte) ([]evidence.GCTotals, error) {
	if err := bounded("jstat", b); err != nil {
		return nil, err
	}
	var names []string
	var out []evidence.GCTotals
	eachLine(b, func(line string) {
		fields := strings.Fields(line)
		switch {
		case isHeading(fields):
			names = fields
		case names != nil && len(fields) == len(names) && len(out) < maxItems:
			if row, ok := totals(names, fields); ok {
				out = append(out, row)
			}
		}
	})
	if names == nil {
		return nil, errors.New("parse jstat: no headings of a collector")
	}
	return out, nil
}

func isHeading(fields []string) bool {
	var young, took bool
	for _, f := range fields {
		young, took = young || f == "YGC", took || f == "GCT"
	}
	return young && took
}

// totals reads one row. Without -t there is no Timestamp column; a dash stands
// for a counter the collector in use does not have.
func totals(names, fields []string) (evidence.GCTotals, bool) {
	var out evidence.GCTotals
	var capacity, used float64
	known := false
	for i, name := range names {
		if fields[i] == "-" {
			continue
		}
		v, err := strconv.ParseFloat(strings.Replace(fields[i], ",", ".", 1), 64)
		if err != nil || !(v >= 0 && v < 1<<53) {
			return out, false
		}
		switch name {
		case "YGC":
			out.Young, known = int64(v), true
		case "FGC":
			out.Full = int64(v)
		case "GCT":
			out.Took, known = time.Duration(min(v, limit.Seconds())*float64(time.Second)), true
		case "OC":
			capacity = v
		case "OU":
			used = v
		case "O":
			out.Old = min(v/100, 1)
		}
	}
	if capacity > 0 {
		out.Old = min(used/capacity, 1)
	}
	return out, known
}
