package report

import (
	"fmt"
	"math"

	"github.com/lockscene/lockscene/evidence"
)

// The rows of the terminal's picture.

// lane is the rows of one lane: what was measured, what lasted, and what happened.
func (d drawer) lane(l evidence.SceneLane, marks []numbered) []strip {
	var out []strip
	switch {
	case l.Lane == evidence.LaneLease && len(l.Curve) > 0:
		out = d.slope(l)
	case len(l.Curve) > 0:
		out = []strip{d.gauge(l)}
	case len(l.Bars) > 0:
		out = []strip{d.bars(l)}
	}
	if row, ok := d.marks(marks); ok {
		out = append(out, row)
	}
	if len(out) > 0 {
		out[0].name = shortName(l)
	}
	return out
}

func (d drawer) blank() []cell {
	cells := make([]cell, d.n)
	for i := range cells {
		cells[i].r = ' '
	}
	return cells
}

// column keeps a place within the row.
func (d drawer) column(x float64) int { return max(0, min(d.n-1, int(x))) }

// rampOf are the steps of a cell that is partly full, the empty one first.
func rampOf(unicode bool) []rune {
	if unicode {
		return []rune(" ▁▂▃▄▅▆▇█")
	}
	return []rune(" .:-=+*#@")
}

// slope is the lease: two rows of what is left.
func (d drawer) slope(l evidence.SceneLane) []strip {
	_, most := extent(l.Curve)
	levels := d.levels(l.Curve)
	ramp := rampOf(d.unicode)
	upper, lower := d.blank(), d.blank()
	ahead := d.n
	for _, p := range l.Curve {
		if !p.Ahead {
			ahead = d.column(d.middle(p.At)) + 1
		}
	}
	for x, v := range levels {
		if v < 0 || most <= 0 {
			continue
		}
		if x >= ahead {
			lower[x].r = d.pick('┄', '~')
			continue
		}
		full := int(math.Round(v / most * float64(2*(len(ramp)-1))))
		if full == 0 && v > 0 {
			full = 1
		}
		lower[x].r = ramp[min(full, len(ramp)-1)]
		upper[x].r = ramp[max(0, full-len(ramp)+1)]
	}
	for _, b := range l.Bars {
		from, to := d.solid(b)
		for x := from; x <= to; x++ {
			switch {
			case b.State == evidence.BarAbsent:
				lower[x].r = d.pick('·', '.')
			case levels[x] < 0:
				lower[x].r = d.barRune(b.State)
			}
		}
	}
	return []strip{{cells: upper, note: fmt.Sprintf("%.3g %s left", most, l.Unit)}, {cells: lower}}
}

// levels are a curve's values by column, joined where they may be; below zero where
// nothing is known.
func (d drawer) levels(curve []evidence.Point) []float64 {
	out := make([]float64, d.n)
	for x := range out {
		out[x] = -1
	}
	for i, p := range curve {
		at := d.at(p.At.Mid())
		end := (p.Low + p.High) / 2
		if i > 0 && !p.Gap {
			before := curve[i-1]
			from, start := d.at(before.At.Mid()), (before.Low+before.High)/2
			for k := max(0, int(from)+1); k <= min(d.n-1, int(at)); k++ {
				if at > from {
					out[k] = start + (end-start)*(float64(k)-from)/(at-from)
				}
			}
		}
		if at >= 0 && at < float64(d.n) {
			out[int(at)] = end
		}
	}
	return out
}

// gauge is a curve in one row: its height between its own least and most.
func (d drawer) gauge(l evidence.SceneLane) strip {
	low, high := extent(l.Curve)
	row := strip{cells: d.blank(), note: gaugeNote(l, low, high)}
	base := low
	switch l.Lane {
	case evidence.LaneClock:
	case evidence.LaneHost:
		base, high = 0, 100
	default:
		base, high = 0, max(high, 1)
	}
	ramp := rampOf(d.unicode)
	flat := high-base < 20 && l.Lane == evidence.LaneClock // ms: round trips, no event
	for i, p := range l.Curve {
		from := d.column(d.middle(p.At))
		to := from
		if i+1 < len(l.Curve) {
			to = d.column(d.middle(l.Curve[i+1].At))
		}
		level := 1
		if !flat && high > base {
			level = 1 + int(math.Round(((p.Low+p.High)/2-base)/(high-base)*float64(len(ramp)-2)))
		}
		for x := from; x <= to; x++ {
			row.cells[x].r = ramp[max(1, min(level, len(ramp)-1))]
			if flat {
				row.cells[x].r = d.pick('─', '-')
			}
		}
	}
	return row
}

func gaugeNote(l evidence.SceneLane, low, high float64) string {
	if l.Lane != evidence.LaneClock {
		return fmt.Sprintf("max %.0f%s", high, l.Unit)
	}
	const steady, large = 20, 1000 // ms
	switch mid := (high + low) / 2; {
	case high-low < steady && math.Abs(mid) < large:
		return fmt.Sprintf("%+.1f ms", mid)
	case math.Max(math.Abs(low), math.Abs(high)) >= large:
		return fmt.Sprintf("%+.0f..%+.0f s", math.Round(low/1000)+0, math.Round(high/1000)+0)
	}
	return fmt.Sprintf("%+.0f..%+.0fms", low, high)
}

// solid are the columns in which a bar certainly was.
func (d drawer) solid(b evidence.Bar) (from, to int) {
	lo, _ := d.ends(b.Start)
	hi := d.n
	if !b.End.From.IsZero() {
		hi = d.column(max(0, d.at(b.End.From)))
	}
	from = d.column(lo)
	return from, max(from, min(hi, d.n-1))
}

func (d drawer) bars(l evidence.SceneLane) strip {
	row := strip{cells: d.blank()}
	for _, b := range l.Bars {
		from, to := d.solid(b)
		_, end := d.ends(b.End)
		for x := from; x <= d.column(end); x++ {
			r := d.barRune(b.State)
			if x > to {
				r = d.pick('┄', '~')
			}
			row.cells[x] = cell{r, abnormal(b.State)}
		}
	}
	return row
}

// abnormal are the states that make a reader look twice.
func abnormal(s evidence.BarState) bool {
	switch s {
	case evidence.BarBlocked, evidence.BarStopped, evidence.BarZombie, evidence.BarSilent, evidence.BarOther:
		return true
	}
	return false
}

// barRune is a state's sign: a letter where it is a fault, so that no colour is needed.
func (d drawer) barRune(s evidence.BarState) rune {
	switch s {
	case evidence.BarRunning:
		return d.pick('█', '#')
	case evidence.BarSleeping, evidence.BarHeld:
		return d.pick('─', '=')
	case evidence.BarOther:
		return d.pick('═', 'o')
	case evidence.BarAbsent:
		return d.pick('·', '.')
	case evidence.BarBlocked:
		return 'D'
	case evidence.BarStopped:
		return 'T'
	case evidence.BarZombie:
		return 'Z'
	case evidence.BarAnswered:
		return d.pick('─', '-')
	case evidence.BarSilent:
		return '?'
	}
	return d.pick('━', '=')
}

func (d drawer) pick(unicode, ascii rune) rune {
	if d.unicode {
		return unicode
	}
	return ascii
}

// marks is the row of what happened, with the stretch in which each may have.
func (d drawer) marks(all []numbered) (strip, bool) {
	row := strip{cells: d.blank()}
	for _, m := range all {
		from, to := d.ends(m.On)
		for x := d.column(from); x <= d.column(to) && d.column(to) > d.column(from); x++ {
			if row.cells[x].r == ' ' {
				row.cells[x].r = d.pick('╌', '-')
			}
		}
	}
	for _, m := range all {
		x := d.column(d.middle(m.On))
		if m.n == 0 {
			if r := row.cells[x].r; r == ' ' || r == d.pick('╌', '-') {
				row.cells[x].r = d.pick('╵', '\'')
			}
			continue
		}
		for x < d.n-1 && row.cells[x].strong {
			x++ // two marks in one column stand side by side
		}
		row.cells[x] = cell{rune(numerals[m.n]), true}
	}
	return row, len(all) > 0
}

// spans are the stretches that people ask for.
func (d drawer) spans(s evidence.Scene) []strip {
	var out []strip
	for _, b := range s.Spans {
		row := strip{name: "recovery", cells: d.blank()}
		from, to := d.column(d.middle(b.Start)), d.column(d.middle(b.End))
		for x := from; x <= to; x++ {
			row.cells[x].r = d.pick('─', '-')
		}
		row.cells[from].r, row.cells[to].r = d.pick('├', '|'), d.pick('┤', '|')
		if text := []rune(" " + b.Text + " "); to-from > len(text)+2 {
			for i, r := range text {
				row.cells[from+2+i].r = r
			}
		} else if to+2+len(text) < d.n {
			for i, r := range text {
				row.cells[to+1+i].r = r
			}
		}
		out = append(out, row)
	}
	return out
}
