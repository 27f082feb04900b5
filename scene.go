package main

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/report"
)

// What joins the packages: none of them knows another but evidence.

// judge concludes what a snapshot shows. A live snapshot is first brought into
// the shape it will have after a round trip through its file, so that the
// verdict re-derives from the bundle to the byte.
func judge(s evidence.Snapshot) evidence.Verdict {
	if settled, err := evidence.Settled(s); err == nil {
		s = settled
	}
	return classify.Judge(s)
}

// enough says whether the watch has seen what it needs: the label is decided,
// and another look would not make it firmer.
func enough(s evidence.Snapshot) bool {
	v := classify.Judge(s)
	switch {
	case len(s.Looks) < 2:
		return false
	case v.Label == evidence.Inconclusive:
		return stuck(s, v)
	case v.Label == evidence.NoFailure && v.Answers.Lease.Value != "released":
		// "Nothing wrong" wants to have seen a renewal, not only no miss.
		return v.Answers.Lease.Value != evidence.Unknown && v.Answers.Owner.Value != evidence.Unknown
	}
	// A label that is only likely gets a little longer: a second source may
	// still make it proven, or another look take it back. A clock's second
	// source counts in whole seconds.
	const more, seconds = 4, 4 * time.Second
	watched := s.Looks[len(s.Looks)-1].Span.End.Boot - s.Looks[0].Span.Start.Boot
	if len(s.Sights()) == 0 {
		return true // every further look costs a timeout and shows no more
	}
	return v.Grade == evidence.Proven || len(s.Looks) >= more && (v.Label != evidence.ClockAnomaly || watched >= seconds)
}

// stuck says whether watching longer cannot decide either: the lease's fate is
// known and the owner cannot be seen from here, or it was renewed often enough
// to have shown work if there was any.
func stuck(s evidence.Snapshot, v evidence.Verdict) bool {
	if len(s.Sights()) == 0 && blind(s) {
		return true // neither Redis nor an owner: waiting shows nothing
	}
	if v.Answers.Lease.Value == evidence.Unknown {
		return false
	}
	const often, long = 3, 5 * time.Second
	watched := s.Looks[len(s.Looks)-1].Span.End.Boot - s.Looks[0].Span.Start.Boot
	return len(s.Processes) == 0 || len(s.Renewals()) >= often && watched >= long
}

// waitForTransfer is the watch of --follow: it goes on until the lock is free
// and another holder has it.
func waitForTransfer(s evidence.Snapshot) bool {
	return classify.Judge(s).Times.SafeTransfer != nil
}

// assemble makes the bundle of a finished capture.
func assemble(rec inspect.Recording, snap evidence.Snapshot) (evidence.Bundle, error) {
	b := evidence.Bundle{Capture: rec.Capture, Probes: rec.Probes, Raw: rec.Raw}
	var err error
	if b.Snapshot, err = evidence.Settled(snap); err != nil {
		return b, err
	}
	b.Name = evidence.BundleName(rec.Capture.Subject.Key, b.Capture.Ended())
	b.Verdict = classify.Judge(b.Snapshot)
	b.Timeline = classify.Timeline(b.Snapshot, b.Verdict)
	b.Scene = classify.Scene(b.Snapshot, b.Verdict)
	var md strings.Builder
	if err := report.Markdown(&md, b); err != nil {
		return b, err
	}
	b.Report, b.Summary, b.Access = md.String(), report.Summary(b), report.Access(b)
	return b, nil
}

// rejudge judges a bundle with today's rules, under another contract if one is
// given.
func rejudge(b evidence.Bundle, contract *evidence.Contract) (evidence.Bundle, error) {
	capture := b.Capture
	if contract != nil {
		capture.Contract = *contract
	}
	snap, err := inspect.Parse(capture, b.Probes, b.Raw)
	if err != nil {
		return b, err
	}
	if b.Snapshot, err = evidence.Settled(snap); err != nil {
		return b, err
	}
	b.Verdict = classify.Judge(b.Snapshot)
	b.Scene = classify.Scene(b.Snapshot, b.Verdict)
	return b, nil
}
