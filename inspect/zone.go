package inspect

import (
	"fmt"
	"time"
	_ "time/tzdata" // parsing a bundle must not depend on what zones a machine has installed
)

// Zone finds the zone that a text calls so: a name of the zone database, or an
// offset such as +02:00. An empty text is no zone, and no error.
func Zone(text string) (*time.Location, error) {
	if text == "" {
		return nil, nil
	}
	for _, layout := range []string{"-07:00", "-0700", "-07", "Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			_, offset := t.Zone()
			return time.FixedZone(text, offset), nil
		}
	}
	// Local is the zone of whoever reads, not of whoever wrote.
	if loc, err := time.LoadLocation(text); err == nil && text != "Local" {
		return loc, nil
	}
	return nil, fmt.Errorf("find zone %q: no such zone; give one like Europe/Berlin, UTC or +02:00", text)
}
