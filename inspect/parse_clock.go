package inspect

import (
	"fmt"
	"slices"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
)

// parseClock reads what a host says of its own clock.
func (p *parser) parseClock(name string, probe evidence.Probe, b []byte) {
	h := &p.snap.Host
	switch name {
	case "adjtimex":
		v, err := clock.DecodeAdjtimex(b)
		h.Adjtimex = read(probe, v.Adjtimex(), err)
	case "chrony":
		v, err := clock.DecodeTracking(b)
		h.Chrony = read(probe, v, err)
	case "chronyc":
		if isTracking(probe) {
			h.Chrony = newer(h.Chrony, read(probe, tracking(b), trackingError(b)))
		}
	case "ntpq", "ntpstat", "timedatectl", "w32tm":
		v, err := account(name, probe, b)
		h.NTP = newer(h.NTP, read(probe, v, err))
	}
}

// newer is the later of two readings: one that failed hides none that did not.
func newer[T any](have, got evidence.Reading[T]) evidence.Reading[T] {
	if have.State == evidence.Seen && got.State != evidence.Seen {
		return have
	}
	return got
}

// isTracking: chronyc has other subcommands, which tell of its sources. A whole
// file has no command.
func isTracking(probe evidence.Probe) bool {
	argv, _ := words(probe, "chronyc")
	return argv == nil || slices.Contains(argv, "tracking")
}

func tracking(b []byte) evidence.Tracking {
	if v, err := clock.ParseTrackingText(b); err == nil {
		return v
	}
	if v, err := clock.ParseTrackingCSV(b); err == nil {
		return v
	}
	v, _ := clock.ParseTrackingPart(b) // trackingError tells
	return v
}

func trackingError(b []byte) error {
	if _, err := clock.ParseTrackingCSV(b); err == nil {
		return nil
	}
	_, err := clock.ParseTrackingPart(b)
	return err
}

// account is a clock daemon's own, other than chronyd's.
func account(name string, probe evidence.Probe, b []byte) (evidence.NTP, error) {
	switch name {
	case "ntpq":
		if v, err := clock.ParseNtpqRV(b); err == nil {
			return evidence.NTP{Daemon: "ntpd", Synced: v.Synchronised(), Offset: v.Offset, Bound: v.Bound(), Source: probe.Source}, nil
		}
		v, err := clock.ParseNtpqPeers(b)
		return evidence.NTP{Daemon: "ntpd", Synced: v.Chosen != "", Offset: v.Offset, Source: probe.Source}, err
	case "ntpstat":
		synced, bound, err := clock.ParseNtpstat(b)
		return evidence.NTP{Daemon: "ntpd", Synced: synced, Bound: bound, Source: probe.Source}, err
	case "timedatectl":
		if v, err := clock.ParseTimesync(b); err == nil {
			return evidence.NTP{Daemon: "timesyncd", Synced: v.Synchronised(), Offset: v.Offset, Bound: v.Offset.Abs() + v.RootDistance, Source: probe.Source}, nil
		}
		v, err := clock.ParseTimedatectl(b)
		return evidence.NTP{Daemon: "timedatectl", Synced: v.Synced, Source: probe.Source}, err
	case "w32tm":
		v, err := clock.ParseW32tm(b)
		out := evidence.NTP{Daemon: "w32time", Synced: v.Synchronised(), Source: probe.Source}
		if v.Phase != nil {
			out.Offset = -*v.Phase
		}
		return out, err
	}
	return evidence.NTP{}, fmt.Errorf("parse clock: nobody reads %s", name)
}
