package stamp

import (
	"strings"
	"time"
)

// Layout reads a date in one of the forms a person wrote down, as package time
// spells them. A fraction of a second behind the seconds is accepted anyway.
func Layout(layouts []string, text string) (Stamp, bool) {
	text = strings.TrimSpace(text)
	if len(text) > reach {
		return Stamp{}, false
	}
	for _, l := range layouts {
		t, err := time.Parse(l, text)
		if err != nil {
			continue
		}
		return Stamp{Time: t.UTC(), Width: widthOf(l, text), Zoned: zoned(l), Short: !strings.Contains(l, "06")}, true
	}
	return Stamp{}, false
}

func zoned(layout string) bool {
	return strings.Contains(layout, "-07") || strings.Contains(layout, "Z07") || strings.Contains(layout, "MST")
}

// widthOf is how coarse a text in a layout is. The fraction is what stands
// behind the last point or comma, because only it may be longer than asked for.
func widthOf(layout, text string) time.Duration {
	switch {
	case !strings.Contains(layout, "04"):
		return time.Hour
	case !strings.Contains(layout, "05"):
		return time.Minute
	}
	i := strings.LastIndexAny(text, ".,")
	width := time.Second
	for i++; i > 0 && i < len(text) && digit(text[i]) && width > 1; i++ {
		width /= 10
	}
	return width
}
