package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/lockscene/lockscene/evidence"
)

// A group is all reads of one name that ended one way.
type group struct {
	name   string
	status evidence.Status
	reads  int
	took   time.Duration
	bytes  int64
	why    string // of the first that gives one
}

// grouped sums probes up by name and status, sorted. Ways to end stay apart: a
// read that was denied once among twenty is what the reader came for.
func grouped(b evidence.Bundle) []group {
	type key struct {
		name   string
		status evidence.Status
	}
	sums, widths, text := make(map[key]group), widened(b), asText(b)
	for _, p := range b.Probes {
		k := key{p.Name, p.Status}
		g := sums[k]
		g.name, g.status = p.Name, p.Status
		g.reads++
		if !text[p.Vantage] { // how long a pasted command took nobody knows
			g.took += max(p.Took()-widths[p.Vantage], 0)
		}
		g.bytes += p.Bytes
		g.why = cmp.Or(g.why, p.Why)
		sums[k] = g
	}
	out := slices.Collect(maps.Values(sums))
	slices.SortFunc(out, func(a, b group) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(string(a.status), string(b.status)))
	})
	return out
}

// Probes writes what was read and how it ended, then every reading of the
// snapshot. Without Full only the first and last of many looks are shown.
func Probes(w io.Writer, b evidence.Bundle, o Options) error {
	p := newPage(o)
	p.heading(name(b), joined(" · ", place(b), looked(b)))
	p.blank()
	p.table(grouped(b))
	all, err := readings(b.Snapshot, o.Full)
	if err != nil {
		return err
	}
	p.blank()
	for _, r := range all {
		p.reading(r)
	}
	return write(w, p.out.String())
}

// table prints groups in columns as wide as their contents.
func (p *page) table(groups []group) {
	rows := [][]string{{"read", "status", "reads", "took", "bytes", "why"}}
	for _, g := range groups {
		rows = append(rows, []string{
			show(g.name, 28), show(string(g.status), 12), fmt.Sprint(g.reads), span(g.took), size(g.bytes), show(g.why, longText),
		})
	}
	widths := make([]int, 5)
	for _, r := range rows {
		for i := range widths {
			r[i] = p.clean(r[i])
			widths[i] = max(widths[i], lipgloss.Width(r[i]))
		}
	}
	for n, r := range rows {
		line := strings.Repeat(" ", margin)
		for i, width := range widths {
			gap := strings.Repeat(" ", width-lipgloss.Width(r[i]))
			// Numbers end in one column, words begin in one.
			if i >= 2 {
				line += gap + r[i] + "  "
			} else {
				line += r[i] + gap + "  "
			}
		}
		line += cut(p.clean(r[5]), max(0, p.width-lipgloss.Width(line)))
		if line = strings.TrimRight(line, " "); n == 0 {
			line = p.label.Render(line)
		}
		p.write("", line)
	}
}
