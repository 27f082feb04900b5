package shell

import (
	"errors"
	"fmt"
	"strings"
)

// Date reads what date printed. With a format in the command the output is read
// by it; otherwise the output's own shape tells. A date that was asked about
// another moment than now, or that was set, is refused.
func Date(argv []string, output []byte) (Stamp, error) {
	c := callOf(argv)
	if c.name != "date" && c.name != "gdate" {
		return Stamp{}, fmt.Errorf("parse date: the command is %q", clip(c.name))
	}
	a, err := dateArgs(c)
	if err != nil {
		return Stamp{}, err
	}
	text := firstLine(output)
	if text == "" || strings.HasPrefix(text, c.name+": ") {
		return Stamp{}, fmt.Errorf("parse date: no date in %q", clip(text))
	}
	s, err := a.read(text)
	if err != nil {
		return Stamp{}, err
	}
	if a.utc {
		s.Zoned, s.Abbrev = true, ""
	}
	if !s.Zoned && s.Abbrev == "" {
		s.Abbrev = a.zone
	}
	return s, nil
}

// dateCall is what the command line of date says.
type dateCall struct {
	format string
	utc    bool
	zone   string // the zone's name, as TZ gives it
}

func dateArgs(c call) (dateCall, error) {
	var d dateCall
	for _, e := range c.env {
		if name, ok := strings.CutPrefix(e, "TZ="); ok {
			d.timezone(name)
		}
	}
	opts, operands := options(c.args, "d:r:s:f:D:I::z:v:", "date", "reference", "set", "file")
	for _, o := range opts {
		switch o.name {
		case "u", "utc", "universal":
			d.utc = true
		case "z":
			d.timezone(o.value)
		case "d", "date":
			if v := strings.ToLower(strings.TrimSpace(o.value)); v != "now" && v != "" {
				return d, errors.New("parse date: the command asks about another moment than now")
			}
		case "r", "reference", "f", "file", "v", "s", "set":
			return d, errors.New("parse date: the command does not ask for the present time")
		}
	}
	for _, o := range operands {
		format, ok := strings.CutPrefix(o, "+")
		if !ok {
			return d, errors.New("parse date: the command sets the clock")
		}
		d.format = format
	}
	return d, nil
}

func (d *dateCall) timezone(name string) {
	name = strings.Trim(name, `"':`)
	if isUTC(name) || name == "" {
		d.utc = true // an empty TZ means UTC to the C library
	}
	d.zone = name
}

func (d dateCall) read(text string) (Stamp, error) {
	if d.format != "" {
		s, err := byFormat(d.format, text)
		if err == nil || errors.Is(err, errHalf) {
			return s, err
		}
		// Formats that this system does not know come out as they went in.
		text = strings.NewReplacer(".%3N", "", ".%6N", "", ".%N", "", ".3N", "", ".6N", "", ".N", "").Replace(text)
	}
	return ParseStamp(text)
}
