package service

import (
	"errors"
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// ParseStatus reads `systemctl status` of one unit or several, and returns apart
// the lines of the journal that it prints below each.
func ParseStatus(b []byte, f stamp.Frame) (units []evidence.Unit, journal []byte, err error) {
	if err := bounded("systemctl status", b); err != nil {
		return nil, nil, err
	}
	var log strings.Builder
	var p statusReader
	p.frame = f
	for line := range strings.Lines(string(b)) {
		if text := strings.TrimRight(line, "\r\n"); !p.line(text) {
			log.WriteString(line)
		}
	}
	if len(p.units) == 0 {
		return nil, nil, errors.New("parse systemctl status: no unit in it")
	}
	return p.units, []byte(log.String()), nil
}

type statusReader struct {
	frame stamp.Frame
	units []evidence.Unit
	open  bool // the head of a unit is being read; below it stands the journal
}

// bullet begins a unit: a dot that is coloured on a terminal, another sign for
// a failed or a reloading unit, or a star where the locale has no dots.
var bullet = regexp.MustCompile(`^(?:●|○|◐|×|↻|\*|[^\x00-\x7f]{1,3})\s+([A-Za-z0-9:_.\\@-]{1,255}\.(?:service|scope|slice|socket|target|timer|mount))(?:\s|$)`)

// line reads one line of a head, and says false to a line of the journal.
func (p *statusReader) line(line string) bool {
	if m := bullet.FindStringSubmatch(line); m != nil && len(p.units) < maxItems {
		p.units = append(p.units, evidence.Unit{Name: strings.Clone(m[1])})
		p.open = true
		return true
	}
	text := strings.TrimSpace(line)
	if !p.open || text == "" {
		p.open = p.open && text != ""
		return text == ""
	}
	key, value, ok := strings.Cut(text, ":")
	if !ok {
		return true
	}
	u := &p.units[len(p.units)-1]
	switch value = strings.TrimSpace(value); key {
	case "Active":
		p.active(u, value)
	case "Main PID", "Process":
		mainProcess(u, key, value)
	case "CGroup":
		u.Group = clip(value)
	case "Invocation":
		u.Invocation = clip(value)
	}
	return true
}

// active reads "failed (Result: signal) since Mon 2026-11-09 18:22:06 UTC; 3min
// ago" and its like.
func (p *statusReader) active(u *evidence.Unit, value string) {
	u.Active, _, _ = strings.Cut(value, " ")
	u.Active = clip(u.Active)
	state, since, _ := strings.Cut(value, " since ")
	// Below failed nothing but the result is told.
	u.Sub = u.Active
	for part := range strings.SplitSeq(state, "(") {
		inner, _, closed := strings.Cut(part, ")")
		if result, ok := strings.CutPrefix(inner, "Result: "); ok {
			u.Result = clip(result)
		} else if closed {
			u.Sub = clip(inner)
		}
	}
	date, _, _ := strings.Cut(since, ";")
	at, ok := p.frame.Time(strings.TrimSpace(date))
	switch {
	case !ok:
	case u.Active == "active" || u.Active == "activating" && u.Sub == "start":
		u.Started = at
	case u.Active == "activating" && u.Sub == "auto-restart":
		// It waits for its next start since the run before it ended.
		u.Exited = at
	case u.Active == "failed" || u.Active == "inactive":
		u.Exited = at
	}
}

// died is how a status line tells of an ended process.
var died = regexp.MustCompile(`\(code=(exited|killed|dumped), (?:status|signal)=([A-Z0-9+]{1,12})(?:/([A-Z0-9_+-]{1,24}))?\)`)

// mainProcess reads "4711 (ledgerd)" and "4711 (code=killed, signal=KILL)". A
// Process line is about the main process only where it names ExecStart.
func mainProcess(u *evidence.Unit, key, value string) {
	if key == "Process" && (!strings.Contains(value, " ExecStart=") || u.Code != 0) {
		return
	}
	m := died.FindStringSubmatch(value)
	if m == nil {
		if pid, _, ok := strings.Cut(value, " "); ok && key == "Main PID" {
			u.MainPID = count(pid)
		}
		return
	}
	switch m[1] {
	case "exited":
		u.Code = 1
	case "killed":
		u.Code = 2
	case "dumped":
		u.Code = 3
	}
	if u.Status = count(m[2]); u.Status == 0 {
		u.Status = signalNumber(m[2])
	}
}

// signalNumber is a signal's number on Linux; zero for one that is not listed.
func signalNumber(name string) int {
	for i, n := range [...]string{"HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM"} {
		if n == name || "SIG"+n == name {
			return i + 1
		}
	}
	return 0
}

// ParseIsActive reads the one word of `systemctl is-active`. The unit's name
// stands in the command.
func ParseIsActive(b []byte) (evidence.Unit, error) {
	word := strings.TrimSpace(string(b[:min(len(b), 64)]))
	switch word {
	case "active", "inactive", "failed", "activating", "deactivating", "reloading", "maintenance", "unknown":
		return evidence.Unit{Active: word}, nil
	}
	return evidence.Unit{}, errors.New("parse systemctl is-active: no state of a unit")
}
