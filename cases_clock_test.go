package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Other dates, and other ways to write them.
func clockTellings() []telling {
	return []telling{
		{name: "another season", change: func(s *story) bool { return shifted(s, 97*24*time.Hour+7*time.Hour+13*time.Minute+48*time.Second) }},
		{name: "a year earlier", change: func(s *story) bool { return shifted(s, -364*24*time.Hour-11*time.Hour) }},
		{name: "date with nanoseconds", change: dates(time.Nanosecond, "date -u +%FT%T.%NZ", "2006-01-02T15:04:05.000000000Z")},
		{name: "date -Ins", change: dates(time.Nanosecond, "date -Ins", "2006-01-02T15:04:05,000000000+00:00")},
		{name: "date with an epoch", change: dates(time.Nanosecond, "date +%s.%N", "")},
		{name: "date --rfc-3339", change: dates(time.Millisecond, "date -u --rfc-3339=ns", "2006-01-02 15:04:05.000000000-07:00")},
		{name: "date -u", change: dates(time.Second, "date -u", "Mon Jan _2 15:04:05 UTC 2006"), strict: weaker, loses: "fractions of a second"},
		{name: "date -R", change: dates(time.Second, "date -R", "Mon, 02 Jan 2006 15:04:05 +0000"), strict: weaker, loses: "fractions of a second"},
		{name: "dates of another zone", change: zoned},
		{name: "dmesg -T", change: func(s *story) bool {
			return kernelTimes(s, "dmesg -T", func(t time.Time) string { return t.Format("[Mon Jan _2 15:04:05 2006]") })
		}, strict: coarse, loses: "fractions of a second"},
		{name: "dmesg --time-format iso", change: func(s *story) bool {
			return kernelTimes(s, "dmesg --time-format iso", func(t time.Time) string { return t.Format("2006-01-02T15:04:05,000000-07:00") })
		}, strict: coarse, loses: "the kernel's own seconds"},
		{name: "dmesg of util-linux's levels", change: func(s *story) bool {
			return kernelTimes(s, "dmesg -x", nil)
		}},
		{name: "journalctl -k in place of dmesg", change: func(s *story) bool {
			return kernelTimes(s, "journalctl -k --no-pager -o short-iso-precise", func(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000-0700") + " HOST kernel:" })
		}, strict: coarse, loses: "the kernel's own seconds"},
		{name: "stamped prompts", change: stamped},
	}
}

var (
	isoDate = regexp.MustCompile(`\b(20\d\d-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)`)
	epochs  = regexp.MustCompile(`\b(1[789]\d{8})(\d{3}|\d{6})?\b`)
	ctime   = regexp.MustCompile(`\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:[A-Z][a-z]{2}) [ \d]\d \d\d:\d\d:\d\d (?:UTC )?20\d\d\b`)
	rfc822  = regexp.MustCompile(`\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d\b`)
	dayIso  = regexp.MustCompile(`\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d`)
	upAt    = regexp.MustCompile(`(?m)^ \d\d:\d\d:\d\d up `)
	yearly  = regexp.MustCompile(`\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d(?::\d\d)?\b`)
)

// shifted moves everything that tells a date by one span.
func shifted(s *story, by time.Duration) bool {
	text := s.whole()
	around := around(text)
	if around.IsZero() {
		return false
	}
	layouts := func(re *regexp.Regexp, layouts ...string) {
		text = re.ReplaceAllStringFunc(text, func(m string) string {
			for _, l := range layouts {
				if t, err := time.Parse(l, m); err == nil {
					if t.Year() == 0 {
						t = t.AddDate(around.Year(), 0, 0)
					}
					return "\x00" + t.Add(by).Format(l) + "\x00"
				}
			}
			return m
		})
	}
	layouts(dayIso, "Mon 2006-01-02 15:04:05")
	layouts(ctime, "Mon Jan _2 15:04:05 UTC 2006", "Mon Jan _2 15:04:05 2006", "Mon Jan 02 15:04:05 2006")
	layouts(rfc822, "Mon, 02 Jan 2006 15:04:05", "02 Jan 2006 15:04:05") // the second is that of Redis's own log
	out := strings.Split(text, "\x00")
	for i := 0; i < len(out); i += 2 { // what is between the marks was not moved yet
		out[i] = moved(out[i], around, by)
	}
	s.text = strings.Join(out, "")
	for name, iv := range s.want.Times {
		iv.From, iv.To = iv.From.Add(by), iv.To.Add(by)
		s.want.Times[name] = iv
	}
	if at := s.want.Args["at"]; at != "" {
		s.want.Args["at"] = moved(at, around, by)
	}
	return true
}

func moved(text string, around time.Time, by time.Duration) string {
	text = isoDate.ReplaceAllStringFunc(text, func(m string) string {
		layout := "2006-01-02T15:04:05"
		if m[10] == ' ' {
			layout = "2006-01-02 15:04:05"
		}
		t, _ := time.Parse(layout, m)
		return t.Add(by).Format(layout)
	})
	text = yearly.ReplaceAllStringFunc(text, func(m string) string {
		for _, l := range []string{"Jan _2 15:04:05", "Jan _2 15:04"} {
			if t, err := time.Parse(l, m); err == nil {
				return t.AddDate(around.Year(), 0, 0).Add(by).Format(l)
			}
		}
		return m
	})
	text = upAt.ReplaceAllStringFunc(text, func(m string) string {
		t, _ := time.Parse("15:04:05", m[1:9])
		return " " + t.Add(by).Format("15:04:05") + " up "
	})
	return epochs.ReplaceAllStringFunc(text, func(m string) string {
		n, _ := strconv.ParseInt(m[:10], 10, 64)
		if d := time.Unix(n, 0).Sub(around); d > 60*24*time.Hour || d < -60*24*time.Hour {
			return m
		}
		return strconv.FormatInt(n+int64(by/time.Second), 10) + m[10:]
	})
}

var timeReply = regexp.MustCompile(`(?m)^(?:1\) ")?(1[789]\d{8})"?$`)

// around is a moment of the incident: the first TIME.
func around(text string) time.Time {
	m := timeReply.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	return time.Unix(n, 0).UTC()
}

// dates writes what date printed in another form. Where the case has a coarser
// one than fine it is left as it is.
func dates(fine time.Duration, typed, layout string) func(*story) bool {
	return eachStep(func(p *step) bool {
		t, ok := p.dated()
		if !ok {
			return false
		}
		if coarse := !strings.Contains(p.output[0], "."); coarse && fine < time.Second {
			return false
		}
		p.typed = typed
		if p.output[0] = t.Format(layout); layout == "" {
			p.output[0] = fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond())
		}
		return true
	})
}

// dated is what a date command of a step printed.
func (s step) dated() (time.Time, bool) {
	if s.program() != "date" || len(s.output) != 1 || !s.plain() {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s.output[0])
	return t, err == nil
}

func zoned(s *story) bool {
	zone := time.FixedZone("CEST", 2*3600)
	return eachStep(func(p *step) bool {
		t, ok := p.dated()
		if !ok {
			return false
		}
		p.typed, p.output[0] = "date +%FT%T%z", t.In(zone).Format("2006-01-02T15:04:05-0700")
		if strings.Contains(p.output[0], ".") || t.Nanosecond() > 0 {
			p.typed, p.output[0] = "date +%FT%T.%3N%:z", t.In(zone).Format("2006-01-02T15:04:05.000-07:00")
		}
		return true
	})(s)
}

var kernelStamp = regexp.MustCompile(`^\[ *(\d+)\.(\d{6})\]`)

// kernelTimes writes the kernel's seconds as dates, where a date and an uptime
// side by side say when the host booted; or leaves them, and puts levels in front.
func kernelTimes(s *story, typed string, form func(time.Time) string) bool {
	boot := s.booted()
	if boot.IsZero() && form != nil {
		return false
	}
	return eachStep(func(p *step) bool {
		if p.program() != "dmesg" || strings.Contains(p.typed, "-T") || len(p.output) == 0 || !kernelStamp.MatchString(p.output[0]) {
			return false
		}
		p.typed = strings.Replace(p.typed, "dmesg", typed, 1)
		p.output = slices.Clone(p.output)
		for i, line := range p.output {
			m := kernelStamp.FindStringSubmatch(line)
			switch {
			case m == nil:
			case form == nil:
				p.output[i] = "kern  :err   : " + line
			default:
				sec, _ := strconv.Atoi(m[1])
				usec, _ := strconv.Atoi(m[2])
				at := boot.Add(time.Duration(sec)*time.Second + time.Duration(usec)*time.Microsecond)
				p.output[i] = strings.ReplaceAll(form(at), "HOST", p.host) + line[len(m[0]):]
			}
		}
		return true
	})(s)
}

// booted is when the host booted, by a date and an uptime after each other.
func (s *story) booted() time.Time {
	for i, p := range s.steps {
		if p.typed != "cat /proc/uptime" || i == 0 || len(p.output) != 1 {
			continue
		}
		if at, ok := s.steps[i-1].dated(); ok {
			up, _, _ := strings.Cut(p.output[0], " ")
			if seconds, err := strconv.ParseFloat(up, 64); err == nil {
				return at.Add(-time.Duration(seconds * float64(time.Second)))
			}
		}
	}
	return time.Time{}
}

// stamped puts a stamp in front of the prompts that the text dates: those of date
// itself. The others have the time of the last date before them.
func stamped(s *story) bool {
	changed := false
	var at time.Time
	for i := range s.steps {
		p := &s.steps[i]
		if t, ok := p.dated(); ok {
			at = t.Truncate(time.Second)
		}
		if p.loose || p.node != "" || at.IsZero() || p.stamp != "" {
			continue
		}
		if _, ok := p.dated(); ok {
			p.stamp, changed = at.Format("[2006-01-02T15:04:05Z] "), true
		}
	}
	return changed
}
