package report

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The picture on the page: the lanes of a scene as SVG. Every state has a shape or a
// pattern and its name beside its colour, every mark its number and the stretch in which
// it happened; titles say the rest to whoever points at it or has it read out.

// Sizes in the units of the viewBox.
const (
	svgWidth  = 1000
	svgLeft   = 150 // of the axis
	svgRight  = 985
	barHeight = 20
	markRow   = 24
	laneGap   = 10
)

// An svg is a drawing under construction.
type svg struct {
	scale
	out   strings.Builder
	y     float64
	day   time.Time
	scene evidence.Scene
}

// picture is the drawing of a scene, and the marks it numbers.
func picture(b evidence.Bundle) (string, []numbered) {
	s := b.Scene
	if len(s.Lanes) == 0 {
		return "", nil
	}
	const most = 60
	byLane, legend := marked(s, most)
	d := &svg{scale: scaleOf(s, svgRight-svgLeft), y: 34, day: b.Capture.Ended(), scene: s}
	for i, l := range s.Lanes {
		d.lane(l, byLane[i])
	}
	d.spans(s)
	body := d.out.String()
	d.out.Reset()
	d.guides(legend)
	d.axis()
	height := d.y + 8
	head := fmt.Sprintf(`<svg viewBox="0 0 %d %.0f" role="img" aria-labelledby="scene-title scene-desc" preserveAspectRatio="xMidYMin meet">`+"\n", svgWidth, height)
	head += "<title id=\"scene-title\">" + inXML(headline(b.Verdict)) + "</title>\n<desc id=\"scene-desc\">" + inXML(described(s, legend, d.day)) + "</desc>\n" + svgPatterns
	return head + d.out.String() + body + "</svg>", legend
}

// svgPatterns tell states apart without colour.
const svgPatterns = `<defs>
<pattern id="p-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="pat"/></pattern>
<pattern id="p-dots" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="2" cy="2" r="1.1" class="dot"/></pattern>
<clipPath id="plot"><rect x="150" y="0" width="835" height="5000"/></clipPath>
</defs>
`

// inXML is text from anywhere, safe between tags and in attributes.
func inXML(s string) string { return html.EscapeString(evidence.Printable(s)) }

// described is the picture in words.
func described(s evidence.Scene, legend []numbered, day time.Time) string {
	var lanes, marks []string
	for _, l := range s.Lanes {
		lanes = append(lanes, laneName(l))
	}
	for _, m := range legend {
		marks = append(marks, fmt.Sprintf("%d: %s, %s", m.n, when(m, s, day), show(m.Text, longText)))
	}
	return fmt.Sprintf("Lanes from %s to %s: %s. Marks: %s.", evidence.FormatTime(s.From), evidence.FormatTime(s.To), strings.Join(lanes, ", "), strings.Join(marks, "; "))
}

func (d *svg) add(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

// x is the place of a column of the scale.
func x(column float64) float64 { return svgLeft + column }

// axis draws the times, and a line down the lanes at each.
func (d *svg) axis() {
	step, free := niceStep(d.long, 9), 0.0
	for t := d.from.Truncate(step); !t.After(d.from.Add(d.long)); t = t.Add(step) {
		if t.Before(d.from) {
			continue
		}
		at := x(d.at(t))
		d.add(`<line x1="%.1f" y1="22" x2="%.1f" y2="%.1f" class="grid"/>`, at, at, d.y)
		if label := math.Min(at, svgRight-30); label >= free {
			d.add(`<text x="%.1f" y="14" class="tick" text-anchor="middle">%s</text>`, label, t.UTC().Format(stepFormat(step)))
			free = label + 75
		}
	}
}

// niceStep is a round stretch of which about n make the whole.
func niceStep(whole time.Duration, n int) time.Duration {
	for _, s := range []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
		100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
		30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour} {
		if whole/s <= time.Duration(n) {
			return s
		}
	}
	return (whole/time.Duration(n) + 24*time.Hour).Truncate(24 * time.Hour)
}

// stepFormat tells neighbouring ticks apart.
func stepFormat(step time.Duration) string {
	switch {
	case step < 10*time.Millisecond:
		return "15:04:05.000"
	case step < 100*time.Millisecond:
		return "15:04:05.00"
	case step < time.Second:
		return "15:04:05.0"
	}
	return "15:04:05"
}

// guides are the moments an incident turns on, drawn through every lane.
func (d *svg) guides(legend []numbered) {
	for _, m := range legend {
		if m.beyond(d.scene) || !decisive(m.What) {
			continue
		}
		from, to := d.ends(m.On)
		if to-from > 2 {
			d.add(`<rect x="%.1f" y="22" width="%.1f" height="%.1f" class="maybe"/>`, x(from), to-from, d.y-22)
		}
		at := x(d.middle(m.On))
		d.add(`<line x1="%.1f" y1="22" x2="%.1f" y2="%.1f" class="guide"/>`, at, at, d.y)
	}
}

// lane draws one row, and moves down.
func (d *svg) lane(l evidence.SceneLane, marks []numbered) {
	class := "lane"
	if l.Minor {
		class = "lane minor"
	}
	d.add(`<g class="%s">`, class)
	d.add(`<text x="%d" y="%.1f" class="name" text-anchor="end">%s</text>`, svgLeft-12, d.y+14, inXML(evidence.Clip(laneName(l), 22)))
	if l.Name != "" && !l.Minor {
		d.add(`<text x="%d" y="%.1f" class="sub" text-anchor="end">%s</text>`, svgLeft-12, d.y+27, inXML(string(l.Lane)))
	}
	switch {
	case l.Lane == evidence.LaneLease && len(l.Curve) > 0:
		d.curve(l, 84, true)
		d.y += 84
		d.bars(l.Bars)
		d.y += barHeight
	case len(l.Curve) > 0:
		d.curve(l, 40, l.Lane != evidence.LaneClock)
		d.y += 40
	default:
		d.bars(l.Bars)
		d.y += barHeight
		if l.Name != "" && !l.Minor && len(marks) == 0 {
			d.y += laneGap // room for the second line of its name
		}
	}
	if len(marks) > 0 {
		d.marks(marks)
		d.y += markRow
	}
	d.y += laneGap
	d.add(`</g>`)
}

// bars draws states. What lies between two looks that differ is hatched.
func (d *svg) bars(bars []evidence.Bar) {
	for _, b := range bars {
		from, _ := d.ends(b.Start)
		_, end := d.ends(b.End)
		solid := end
		if !b.End.From.IsZero() {
			solid = max(from, min(end, d.at(b.End.From)))
		}
		state := inXML(string(b.State))
		title := fmt.Sprintf("<title>%s, %s to %s</title>", inXML(b.Text), inXML(moment(&b.Start, d.day)), inXML(moment(&b.End, d.day)))
		d.add(`<g class="bar %s">%s<rect x="%.1f" y="%.1f" width="%.1f" height="%d"/>`, state, title, x(from), d.y, math.Max(solid-from, 5), barHeight)
		if name := fitting(solid-from-8, show(b.Text, longName), string(b.State)); name != "" {
			d.add(`<text x="%.1f" y="%.1f" class="in">%s</text>`, x(from)+5, d.y+14, inXML(name))
		}
		if end-solid > 1 {
			d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%d" class="between"/>`, x(solid), d.y, end-solid, barHeight)
		}
		d.add(`</g>`)
	}
}

// fitting is the first of some words that fits into a width; empty when none does.
func fitting(width float64, words ...string) string {
	const glyph = 7 // of the type in a bar, at most
	for _, w := range words {
		if float64(columns(w))*glyph < width {
			return w
		}
	}
	return ""
}

// curve draws what was measured, with its error band.
func (d *svg) curve(l evidence.SceneLane, height float64, fromZero bool) {
	low, high := extent(l.Curve)
	if fromZero {
		low = 0
	}
	switch l.Lane {
	case evidence.LaneHost:
		high = 100
	case evidence.LaneClock: // a wobble of a round trip is no event
		const least = 50 // ms
		if high-low < least {
			mid := (high + low) / 2
			low, high = mid-least/2, mid+least/2
		}
	}
	if room := (high - low) * 0.08; room > 0 && !fromZero {
		low, high = low-room, high+room
	}
	if high <= low {
		low, high = low-1, high+1
	}
	at := func(v float64) float64 { return d.y + height - (v-low)/(high-low)*(height-4) }
	d.add(`<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" class="base"/>`, svgLeft, d.y+height, svgRight, d.y+height)
	d.add(`<g clip-path="url(#plot)">`)
	for _, run := range joinedRuns(l.Curve) {
		d.run(run, at, d.y+height, fromZero)
	}
	d.add(`</g>`)
	d.add(`<text x="%d" y="%.1f" class="sub" text-anchor="end">%s</text>`, svgLeft-12, d.y+28, inXML(curveNote(l)))
}

func curveNote(l evidence.SceneLane) string {
	low, high := extent(l.Curve)
	switch l.Lane {
	case evidence.LaneLease:
		return fmt.Sprintf("at most %.3g %s left", high, l.Unit)
	case evidence.LaneHost:
		return "pressure, " + gaugeNote(l, low, high)
	case evidence.LaneOwner:
		return fmt.Sprintf("%.0f %% throttled", high)
	}
	return "offset " + gaugeNote(l, low, high)
}

// joinedRuns parts a curve where nothing joins its points.
func joinedRuns(curve []evidence.Point) [][]evidence.Point {
	var out [][]evidence.Point
	for i, p := range curve {
		if i == 0 || p.Gap || len(out) == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

func (d *svg) run(run []evidence.Point, at func(float64) float64, base float64, filled bool) {
	var line, upper, lower, ahead []string
	for i, p := range run {
		px, mid := x(d.at(p.At.Mid())), (p.Low+p.High)/2
		if p.Ahead {
			if i > 0 {
				before := run[i-1]
				ahead = append(ahead, fmt.Sprintf("%.1f,%.1f", x(d.at(before.At.Mid())), at((before.Low+before.High)/2)))
			}
			ahead = append(ahead, fmt.Sprintf("%.1f,%.1f", px, at(mid)))
			continue
		}
		line = append(line, fmt.Sprintf("%.1f,%.1f", px, at(mid)))
		upper = append(upper, fmt.Sprintf("%.1f,%.1f", px, at(p.High)))
		lower = append([]string{fmt.Sprintf("%.1f,%.1f", px, at(p.Low))}, lower...)
	}
	if len(line) == 1 {
		d.add(`<circle cx="%s" cy="%s" r="2" class="point"/>`, strings.Split(line[0], ",")[0], strings.Split(line[0], ",")[1])
	}
	if filled && len(line) > 1 {
		first, last := strings.Split(line[0], ",")[0], strings.Split(line[len(line)-1], ",")[0]
		d.add(`<polygon points="%s,%.1f %s %s,%.1f" class="area"/>`, first, base, strings.Join(line, " "), last, base)
	}
	if len(line) > 1 {
		d.add(`<polygon points="%s %s" class="band"/>`, strings.Join(upper, " "), strings.Join(lower, " "))
		d.add(`<polyline points="%s" class="curve"/>`, strings.Join(line, " "))
	}
	if len(ahead) > 1 {
		d.add(`<polyline points="%s" class="curve ahead"/>`, strings.Join(ahead, " "))
	}
}

// marks draws what happened: a number at the middle, a whisker over the stretch. Strokes
// come first, so that no number is struck through.
func (d *svg) marks(all []numbered) {
	for _, m := range all {
		if m.n == 0 {
			at := x(d.middle(m.On))
			d.add(`<g class="mark tickmark">%s<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/></g>`, d.markTitle(m), at, d.y+3, at, d.y+markRow-5)
		}
	}
	places := d.apart(all)
	for i, m := range all {
		if m.n > 0 {
			d.mark(m, places[i])
		}
	}
}

// apart finds places for the numbers: side by side, within the axis.
func (d *svg) apart(all []numbered) []float64 {
	const room = 21
	out := make([]float64, len(all))
	last := math.Inf(-1)
	for i, m := range all {
		if m.n > 0 {
			out[i] = math.Max(d.middle(m.On), last+room)
			last = out[i]
		}
	}
	next := float64(d.n) + room
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].n > 0 {
			out[i] = math.Min(out[i], next-room)
			next = out[i]
		}
	}
	return out
}

func (d *svg) markTitle(m numbered) string {
	return fmt.Sprintf("<title>%s: %s, %s</title>", inXML(m.What), inXML(show(m.Text, longText)), inXML(when(m, d.scene, d.day)))
}

func (d *svg) mark(m numbered, shown float64) {
	mid, at := d.y+markRow/2, d.middle(m.On)
	from, to := d.ends(m.On)
	d.add(`<g class="mark">%s`, d.markTitle(m))
	if to-from > 1 {
		class := "whisker"
		if m.On.From.IsZero() || m.On.To.IsZero() {
			class = "whisker open"
		}
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>`, x(from), d.y+markRow-3, x(to), d.y+markRow-3, class)
	}
	if m.beyond(d.scene) {
		d.add(`<path d="M%.1f %.1fl7 4l-7 4z" class="later"/>`, x(shown)+10, mid-6)
	}
	if shown != at {
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="leader"/>`, x(at), d.y, x(shown), mid-2)
	}
	d.add(`<circle cx="%.1f" cy="%.1f" r="9"/><text x="%.1f" y="%.1f" class="num" text-anchor="middle">%d</text></g>`, x(shown), mid-2, x(shown), mid+2, m.n)
}

// spans are the stretches that the runbooks measure.
func (d *svg) spans(s evidence.Scene) {
	for _, b := range s.Spans {
		from, to := d.middle(b.Start), d.middle(b.End)
		d.add(`<g class="span"><title>%s</title>`, inXML(b.Text))
		d.add(`<path d="M%.1f %.1fv12m0 -6H%.1fm0 -6v12"/>`, x(from), d.y+2, x(to))
		d.add(`<text x="%d" y="%.1f" class="name" text-anchor="end">%s</text></g>`, svgLeft-12, d.y+13, inXML(strings.TrimPrefix(b.Text, "to the ")))
		d.y += barHeight
	}
}
