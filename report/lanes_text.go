package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The picture on a terminal: one row for each lane, numbered marks, and what they were.

// pictureLines is what the picture may take of a screen.
const pictureLines = 25

// Picture draws a bundle's scene in at most 25 lines. Without anything to lay on an axis
// it draws nothing.
func Picture(w io.Writer, b evidence.Bundle, o Options) error {
	p := newPage(o)
	p.picture(b, pictureLines)
	return write(w, p.out.String())
}

// A cell is one column of a row. Strong ones stand out where there is colour or weight.
type cell struct {
	r      rune
	strong bool
}

// A strip is one row of the picture while it is drawn.
type strip struct {
	name  string
	note  string // the scale, behind the row
	cells []cell
}

// A drawer has what every row needs.
type drawer struct {
	scale
	unicode bool
}

func (p *page) picture(b evidence.Bundle, most int) {
	s := b.Scene
	if len(s.Lanes) == 0 {
		return
	}
	const note = 12
	d := drawer{scale: scaleOf(s, p.width-textColumn-note), unicode: p.unicode}
	byLane, legend := marked(s, len(numerals)-1)
	var rows []strip
	threads := 0
	for i, l := range s.Lanes {
		if l.Minor && l.Lane == evidence.LaneOwner && l.Unit == "" {
			if threads++; threads > 2 {
				continue // rows of more threads stand on the page
			}
		}
		rows = append(rows, d.lane(l, byLane[i])...)
	}
	rows = append(rows, d.spans(s)...)
	start := p.lines()
	p.axis(d, s)
	for _, r := range rows[:min(len(rows), most-5)] {
		p.strip(r)
	}
	p.legend(s, legend, b.Capture.Ended(), most-(p.lines()-start))
}

// axis is the line of times above the rows.
func (p *page) axis(d drawer, s evidence.Scene) {
	line := []rune(strings.Repeat(" ", d.n+12))
	steps := max(1, d.n/22)
	for i := 0; i <= steps; i++ {
		at := s.From.Add(d.long * time.Duration(i) / time.Duration(steps))
		text := at.UTC().Format(axisFormat(d.long))
		if i == 0 {
			text = at.UTC().Format(axisFormat(d.long)) + "Z"
		}
		copy(line[min(d.n*i/steps, len(line)-len(text)):], []rune(text))
	}
	p.oneLine(s.From.UTC().Format("2006-01-02") + ", " + axisSays(s))
	p.write(strings.Repeat(" ", textColumn), p.label.Render(strings.TrimRight(string(line), " ")))
}

// oneLine is a clause that rather ends early than takes another line.
func (p *page) oneLine(text string) {
	p.write(strings.Repeat(" ", textColumn), p.label.Render(cut(p.clean(text), p.width-textColumn)))
}

func axisFormat(d time.Duration) string {
	if d < 10*time.Second {
		return "15:04:05.0"
	}
	return "15:04:05"
}

// strip writes one row: its name, its cells, and its note.
func (p *page) strip(r strip) {
	name := cut(p.clean(r.name), labelWidth)
	var out strings.Builder
	for i := 0; i < len(r.cells); {
		j := i
		for j < len(r.cells) && r.cells[j].strong == r.cells[i].strong {
			j++
		}
		text := make([]rune, 0, j-i)
		for _, c := range r.cells[i:j] {
			text = append(text, c.r)
		}
		if r.cells[i].strong {
			out.WriteString(p.value.Render(string(text)))
		} else {
			out.WriteString(string(text))
		}
		i = j
	}
	line := out.String()
	if r.note != "" {
		line += " " + p.label.Render(cut(p.clean(r.note), 11))
	}
	p.write(strings.Repeat(" ", margin)+styled(p.label, name, labelWidth)+"  ", strings.TrimRight(line, " "))
}

// numerals number the marks of a picture.
const numerals = " 123456789abcdefghijklmnop"

// legend says what the marks were, as many as there is room for.
func (p *page) legend(s evidence.Scene, legend []numbered, day time.Time, room int) {
	more := s.Earlier + s.Later
	lines := min(len(legend), room)
	if rest := len(legend) - lines + more; rest > 0 {
		lines = min(len(legend), room-1)
		defer func() {
			p.oneLine(fmt.Sprintf("%d more in the timeline, %d before and %d after this picture", len(legend)-lines+more, s.Earlier, s.Later))
		}()
	}
	for _, m := range chosen(legend, lines) {
		text := when(m, s, day) + "  " + show(string(m.Lane), longName) + ": " + show(m.Text, longText)
		p.write(strings.Repeat(" ", textColumn-2)+p.value.Render(string(numerals[m.n]))+" ", cut(p.clean(text), p.width-textColumn))
	}
}
