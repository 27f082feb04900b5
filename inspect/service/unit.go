package service

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// ParseShow reads `systemctl show`, of one unit or several parted by an empty
// line, with any choice of properties in any order. A unit has no name when Id
// was not among them: only the command tells it then.
func ParseShow(b []byte, f stamp.Frame) ([]evidence.Unit, error) {
	if err := bounded("systemctl show", b); err != nil {
		return nil, err
	}
	var out []evidence.Unit
	first := errors.New("parse systemctl show: no property of a unit")
	text := strings.ReplaceAll(string(b), "\r\n", "\n")
	for block := range strings.SplitSeq(text, "\n\n") {
		u, err := host.ParseShow([]byte(strings.TrimLeft(block, "\n")))
		if err != nil {
			if strings.Contains(block, "=") {
				first = err
			}
			continue
		}
		if out = append(out, shown(u, dates(block, f))); len(out) == maxItems {
			break
		}
	}
	if len(out) == 0 {
		return nil, first
	}
	return out, nil
}

// dates are the dates of a unit by property. They are read here, where the zone
// of local times may be known.
func dates(block string, f stamp.Frame) map[string]evidence.Interval {
	out := make(map[string]evidence.Interval)
	for line := range strings.Lines(block) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if !strings.HasSuffix(key, "Timestamp") || len(out) == 64 {
			continue
		}
		if at, ok := f.Time(value); ok {
			out[key] = at
		}
	}
	return out
}

func shown(u host.Unit, at map[string]evidence.Interval) evidence.Unit {
	out := evidence.Unit{
		Name: u.ID, MainPID: u.MainPID, Active: u.ActiveState, Sub: u.SubState, Result: u.Result,
		Code: u.ExecMainCode, Status: u.ExecMainStatus, Restarts: u.Restarts,
		Invocation: u.InvocationID, Group: u.ControlGroup, OOMKills: u.OOMKills.Or(0),
		Started: at["ExecMainStartTimestamp"],
	}
	if !out.Started.Known() {
		out.Started = at["ActiveEnterTimestamp"]
	}
	if out.Exited = at["ExecMainExitTimestamp"]; !out.Exited.Known() && u.MainPID == 0 && u.ActiveState != "active" {
		out.Exited = at["InactiveEnterTimestamp"]
	}
	left, entered := at["ActiveExitTimestamp"], at["ActiveEnterTimestamp"]
	if _, ok := u.PreviousExit(); ok || u.ActiveExit.Mono == 0 && earlier(left, entered) {
		out.Previous = left
	}
	return out
}

// earlier orders two dates of one unit. Both carry the same unknown zone, so
// their beginnings compare even where they overlap.
func earlier(a, b evidence.Interval) bool {
	return a.Closed() && b.Closed() && a.From.Before(b.From)
}
