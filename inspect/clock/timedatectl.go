package clock

import (
	"errors"
	"strings"
	"time"
)

// Timedatectl is what systemd says of the clock and of the zone.
type Timedatectl struct {
	Synced bool   // the kernel's own claim, whichever daemon keeps the clock
	Told   bool   // that line was there
	Active bool   // some NTP service is switched on
	Zone   string // name of the zone of local times; empty: not told
	Offset string // +0200; empty: not told
}

// ParseTimedatectl reads `timedatectl`, `timedatectl status` or `show`. The labels
// of older versions differ, and are English in all locales.
func ParseTimedatectl(b []byte) (Timedatectl, error) {
	var t Timedatectl
	if err := bounded("timedatectl", b); err != nil {
		return t, err
	}
	told := false
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			key, value, ok = strings.Cut(line, "=")
		}
		if value = strings.TrimSpace(value); !ok {
			continue
		}
		switch strings.TrimSpace(key) {
		case "System clock synchronized", "NTP synchronized", "NTPSynchronized":
			t.Synced, t.Told, told = value == "yes", true, true
		case "NTP service", "NTP enabled", "Network time on", "NTP", "systemd-timesyncd.service active":
			t.Active, told = value == "active" || value == "yes", true
		case "Time zone", "Timezone":
			t.zone(value)
			told = true
		}
	}
	if !told {
		return t, errors.New("parse timedatectl: no line of it")
	}
	return t, nil
}

// zone reads "Europe/Berlin (CEST, +0200)", or the name alone.
func (t *Timedatectl) zone(s string) {
	name, rest, _ := strings.Cut(s, " (")
	t.Zone = clip(name)
	if _, offset, ok := strings.Cut(strings.TrimSuffix(rest, ")"), ", "); ok {
		if _, err := time.Parse("-0700", offset); err == nil {
			t.Offset = offset
		}
	}
}

// ParseNtpstat reads `ntpstat`: whether anything keeps the clock, and how well.
func ParseNtpstat(b []byte) (synced bool, bound time.Duration, err error) {
	if err := bounded("ntpstat", b); err != nil {
		return false, 0, err
	}
	text := strings.TrimSpace(string(b))
	switch {
	case strings.HasPrefix(text, "unsynchronised"), strings.HasPrefix(text, "unsynchronized"):
		return false, 0, nil
	case !strings.HasPrefix(text, "synchronised") && !strings.HasPrefix(text, "synchronized"):
		return false, 0, errors.New("parse ntpstat: it says neither synchronised nor not")
	}
	if _, rest, ok := strings.Cut(text, "correct to within "); ok {
		digits, _, _ := strings.Cut(rest, " ")
		if ms, err := number(digits); err == nil && ms >= 0 {
			bound = units(ms, time.Millisecond)
		}
	}
	return true, bound, nil
}
