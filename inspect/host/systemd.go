package host

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A Moment is one instant on two clocks, as systemd keeps it. Their difference
// at an old moment, against now, shows a step of the wall clock in between.
type Moment struct {
	Wall time.Time     // whole seconds unless the tool was asked for more; zero when printed in a zone that cannot be told
	Mono time.Duration // CLOCK_MONOTONIC since boot, which stands still in sleep; zero: it never happened
}

// A Unit is what `systemctl show` says of one service.
//
// Result and the ExecMain fields belong to the latest run: after an automatic
// restart they read success, and the death before it shows only in Restarts
// and [Unit.PreviousExit].
type Unit struct {
	ID, Type, ActiveState, SubState, Result string
	ControlGroup, OOMPolicy                 string
	InvocationID                            string // of the latest run: a new one at each start
	MainPID                                 int    // zero: no process now
	Restarts                                int    // automatic restarts (NRestarts)

	ExecMainPID, ExecMainCode, ExecMainStatus int // code 1 exited, 2 killed, 3 dumped core; then status or signal
	ExecMainStart, ExecMainExit               Moment
	InactiveExit, ActiveEnter                 Moment // left inactive, became active
	ActiveExit, InactiveEnter                 Moment // left active, became inactive

	OOMKills evidence.Reading[int64] // kills by the kernel; absent before systemd 259
}

// PreviousExit is when the run before the present one ended, if it is known.
func (u Unit) PreviousExit() (Moment, bool) {
	m := u.ActiveExit
	return m, m.Mono > 0 && m.Mono < u.ActiveEnter.Mono
}

// ParseShow reads the KEY=VALUE lines of `systemctl show UNIT`. With several
// units only the first is read; they are parted by an empty line.
func ParseShow(b []byte) (Unit, error) {
	const source = "systemd/OOMKills"
	u := Unit{OOMKills: evidence.None[int64](source, "this systemd does not count kills")}
	if err := bounded("systemctl show", b); err != nil {
		return u, err
	}
	known := 0
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		key, value, ok := strings.Cut(line, "=")
		if line == "" && known > 0 {
			break
		}
		if !ok {
			continue
		}
		taken, err := u.text(key, value), error(nil)
		if !taken {
			taken, err = u.number(key, value)
		}
		if !taken {
			taken, err = u.moment(key, value)
		}
		if err != nil {
			return Unit{}, fmt.Errorf("parse systemctl show: %s: %w", key, err)
		}
		if taken {
			known++
		}
	}
	if known == 0 {
		return Unit{}, errors.New("parse systemctl show: no property of a unit")
	}
	return u, nil
}

func (u *Unit) text(key, value string) bool {
	for _, p := range []struct {
		key  string
		into *string
	}{
		{"Id", &u.ID}, {"Type", &u.Type}, {"ActiveState", &u.ActiveState}, {"SubState", &u.SubState},
		{"Result", &u.Result}, {"ControlGroup", &u.ControlGroup}, {"OOMPolicy", &u.OOMPolicy},
		{"InvocationID", &u.InvocationID},
	} {
		if p.key == key {
			*p.into = value
			return true
		}
	}
	return false
}

func (u *Unit) number(key, value string) (bool, error) {
	if key == "OOMKills" {
		if value == "" || value == "[not set]" {
			return true, nil
		}
		n, err := strconv.ParseInt(value, 10, 64)
		u.OOMKills = evidence.Saw(u.OOMKills.Source, n)
		return true, err
	}
	for _, p := range []struct {
		key  string
		into *int
	}{
		{"MainPID", &u.MainPID}, {"NRestarts", &u.Restarts}, {"ExecMainPID", &u.ExecMainPID},
		{"ExecMainCode", &u.ExecMainCode}, {"ExecMainStatus", &u.ExecMainStatus},
	} {
		if p.key == key {
			n, err := strconv.Atoi(value)
			*p.into = n
			return true, err
		}
	}
	return false, nil
}

func (u *Unit) moment(key, value string) (bool, error) {
	for _, p := range []struct {
		key  string
		into *Moment
	}{
		{"ExecMainStartTimestamp", &u.ExecMainStart}, {"ExecMainExitTimestamp", &u.ExecMainExit},
		{"InactiveExitTimestamp", &u.InactiveExit}, {"ActiveEnterTimestamp", &u.ActiveEnter},
		{"ActiveExitTimestamp", &u.ActiveExit}, {"InactiveEnterTimestamp", &u.InactiveEnter},
	} {
		switch key {
		case p.key:
			p.into.Wall = systemdTime(value)
			return true, nil
		case p.key + "Monotonic":
			d, err := duration(value, time.Microsecond)
			p.into.Mono = d
			return true, err
		}
	}
	return false, nil
}

// systemdTime reads a timestamp in UTC or as @seconds. Zone names such as CET
// name no offset a parser could trust, so those give the zero time and leave
// the monotonic twin to speak.
func systemdTime(s string) time.Time {
	if sec, ok := strings.CutPrefix(s, "@"); ok {
		n, err := strconv.ParseInt(sec, 10, 64)
		if err != nil || n <= 0 || n > 1<<33 {
			return time.Time{}
		}
		return time.Unix(n, 0).UTC()
	}
	for _, zone := range []string{" UTC", " GMT"} {
		if text, ok := strings.CutSuffix(s, zone); ok {
			if t, err := time.Parse("Mon 2006-01-02 15:04:05.999999", text); err == nil {
				return t
			}
		}
	}
	return time.Time{}
}
