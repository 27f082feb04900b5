package stamp

import "time"

// zoned completes a date with the clock and the zone behind it.
func (s *scanner) zoned(midnight time.Time) (date, bool) {
	t, precision, ok := s.clock()
	if !ok {
		return date{}, false
	}
	offset, known := s.zone()
	return date{time: midnight.Add(t - offset), precision: precision, zoned: known}, true
}

// iso reads "2026-11-09T18:22:06.120Z", with a blank for the T, with slashes
// for the dashes, with and without a zone.
func iso(s *scanner) (date, bool) {
	y, ok1 := s.digits(4, 4)
	sep := s.peek()
	ok2 := (sep == '-' || sep == '/') && s.take(sep)
	m, ok3 := s.two()
	ok4 := s.take(sep)
	d, ok5 := s.two()
	midnight, ok6 := day(y, m, d)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || y == 0 || !s.take('T') && !s.take(' ') && !s.take('_') {
		return date{}, false
	}
	return s.zoned(midnight)
}

// clf reads "09/Nov/2026:18:22:06.120 +0000" of web servers and proxies, and
// "09 Nov 2026 18:22:06,120".
func clf(s *scanner) (date, bool) {
	d, ok1 := s.digits(1, 2)
	sep := s.peek()
	ok2 := (sep == '/' || sep == ' ' || sep == '-') && s.take(sep)
	m, ok3 := s.name(monthNames)
	ok4 := s.take(sep)
	y, ok5 := s.digits(4, 4)
	midnight, ok6 := day(y, m, d)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || y == 0 || !s.take(':') && !s.take(' ') {
		return date{}, false
	}
	return s.zoned(midnight)
}

// klog reads "I1109 18:22:06.120456", the severity and a month and day, as
// Kubernetes prints them in local time.
func klog(s *scanner) (date, bool) {
	switch s.peek() {
	case 'I', 'W', 'E', 'F':
	default:
		return date{}, false
	}
	s.s = s.s[1:]
	m, ok1 := s.two()
	d, ok2 := s.two()
	midnight, ok3 := day(0, m, d)
	if !ok1 || !ok2 || !ok3 || !s.take(' ') {
		return date{}, false
	}
	t, precision, ok := s.clock()
	return date{time: midnight.Add(t), precision: precision, yearless: true}, ok
}

// month reads "Nov  9 18:22:06" of syslog, and the year and the zone that ctime
// and date put behind it. Year 0 is a leap year, so that every day exists.
func month(s *scanner) (date, bool) {
	m, ok1 := s.name(monthNames)
	s.blanks()
	d, ok2 := s.digits(1, 2)
	ok3 := s.take(' ')
	midnight, ok4 := day(0, m, d)
	t, precision, ok5 := s.clock()
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return date{}, false
	}
	out := date{time: midnight.Add(t), precision: precision, yearless: true}
	try := *s
	offset, known := try.zone()
	try.blanks()
	y, ok := try.digits(4, 4)
	if !ok || y < 1970 || y >= 2200 || letter(try.peek()) {
		return out, true
	}
	if midnight, ok = day(y, m, d); !ok {
		return date{}, false
	}
	*s = try
	return date{time: midnight.Add(t - offset), precision: precision, zoned: known}, true
}

// weekday reads a day's name before any other form: systemd's, ctime's and the
// mail header's that kubectl prints.
func weekday(s *scanner) (date, bool) {
	if _, ok := s.name(dayNames); !ok {
		return date{}, false
	}
	s.take(',')
	if !s.take(' ') {
		return date{}, false
	}
	s.blanks()
	for _, read := range [...]func(*scanner) (date, bool){iso, clf, month} {
		try := *s
		if d, ok := read(&try); ok {
			*s = try
			return d, true
		}
	}
	return date{}, false
}

// epoch reads "@1794248526.120", as systemd prints it when asked to.
func epoch(s *scanner) (date, bool) {
	if !s.take('@') {
		return date{}, false
	}
	n, ok := s.digits(9, 11)
	frac, precision := s.fraction()
	return date{time: time.Unix(int64(n), 0).UTC().Add(frac), precision: precision, zoned: true}, ok && n < 1<<32
}
