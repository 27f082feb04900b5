package pasted

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/shell"
)

// fromFiles adds to a vantage what its host's own files and commands say of it:
// its name, its boot, its pid namespace, its zone.
func (im *importer) fromFiles(v *evidence.Vantage, typed []int) {
	for _, i := range typed {
		e := &im.entries[i]
		if e.cli != nil || len(e.Argv) == 0 || e.contained() || len(e.Output) > 1<<16 {
			continue
		}
		for _, f := range im.filesOf(i) {
			if f.Status != evidence.OK {
				continue
			}
			switch placeOf(f.Path).name {
			case "host/boot_id":
				if id, ok := shell.BootID(f.Bytes); ok && v.BootID == "" {
					v.BootID = id
				}
			case "host/hostname":
				if name, ok := shell.HostnameFile(f.Bytes); ok && v.Host == "" {
					v.Host = name
				}
			}
		}
		if name, err := shell.Hostname(e.Argv, e.Output); err == nil && v.Host == "" {
			v.Host = name
		}
		if v.Inside == (evidence.Inside{}) || im.ofOwner(*e) {
			im.namespaceOf(v, *e)
		}
		if z := zoneShown(*e); z != "" {
			v.Zone = z
		}
	}
}

// namespaceOf takes the shell's own pid namespace, which is that of every pid it
// was shown.
func (im *importer) namespaceOf(v *evidence.Vantage, e entry) {
	list, ok := shell.Links(e.Argv, e.Filters, e.Output)
	if !ok {
		return
	}
	for _, l := range list.Links {
		if l.Path == "/proc/self/ns/pid" && strings.HasPrefix(l.Target, "pid:[") && v.PidNS == "" {
			v.PidNS = l.Target
		}
	}
}

// zoneShown is the zone of a host's local times, where timedatectl names it or
// date printed it. Abbreviations other than UTC name no offset to rely on.
func zoneShown(e entry) string {
	switch program(e) {
	case "timedatectl":
		t, err := clock.ParseTimedatectl(e.Output)
		if err != nil {
			return ""
		}
		if _, err := time.LoadLocation(t.Zone); err == nil && t.Zone != "" && t.Zone != "Local" {
			return t.Zone
		}
		return t.Offset
	case "date":
		if strings.Contains(e.Typed, "TZ=") || slices.ContainsFunc(e.Argv[1:], isUTC) {
			return ""
		}
		return zoneIn(strings.TrimSpace(string(e.Output)))
	}
	return ""
}

// isUTC: these make date print Universal Time wherever it runs, or another time
// than now.
func isUTC(arg string) bool {
	short := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && !strings.HasPrefix(arg, "-I")
	return short && strings.ContainsAny(arg, "udr") || arg == "--utc" || arg == "--universal" || arg == "--uct" ||
		strings.HasPrefix(arg, "--date") || strings.HasPrefix(arg, "--reference") || strings.HasSuffix(arg, "Z")
}

// zoneIn finds the zone in what date printed: an offset, or the letters of UTC.
func zoneIn(printed string) string {
	for _, w := range strings.Fields(printed) {
		if w == "UTC" || w == "GMT" {
			return "UTC"
		}
		for _, n := range []int{len("+02:00"), len("+0200")} {
			if len(w) < n {
				continue
			}
			tail := w[len(w)-n:]
			if n == len("+0200") && len(w) > n && !strings.Contains(w, ":") {
				continue // the end of a date such as 2026-1005
			}
			for _, layout := range []string{"-07:00", "-0700"} {
				if _, err := time.Parse(layout, tail); err == nil && (len(w) == n || w[len(w)-n-1] >= '0' && w[len(w)-n-1] <= '9') {
					return tail
				}
			}
		}
	}
	return ""
}

// withMore adds the vantages that only files have. The owner's comes first: pids
// are looked up there.
func (im *importer) withMore(out []evidence.Vantage) []evidence.Vantage {
	if len(im.entries) == 0 {
		out = nil
	}
	for _, v := range im.more {
		v.Reckoned = im.reckonFiles()
		v.Start, v.End = im.stretch(v.Name)
		if isAddress(im.node) {
			v.Remote = im.node
		}
		if v.Name != ofOwner {
			out = append(out, v)
			continue
		}
		v.Candidates = im.pids
		for i := range out {
			out[i].Candidates = nil
		}
		out = slices.Insert(out, 0, v)
	}
	if len(out) == 0 {
		out = []evidence.Vantage{{Name: ofOwner, Host: im.opts.Host, Candidates: im.pids, Reckoned: im.axis.reckoning("", 1)}}
	}
	return out
}

// reckonFiles ties what only files tell of to the axis. Where there is no text,
// the axis is the wall clock that dated the files.
func (im *importer) reckonFiles() *evidence.Reckoning {
	if len(im.entries) > 0 {
		return im.axis.reckoning("", im.moments.terminals())
	}
	r := &evidence.Reckoning{Terminals: 1}
	if start, _ := im.stretch(ofOwner); !start.Wall.IsZero() {
		r.WallFrom = start.Wall.Add(-start.Boot)
		r.WallTo = r.WallFrom
	}
	return r
}
