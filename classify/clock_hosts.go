package classify

import (
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Whose clock it was. A date that disagrees with TIME says that one of two clocks
// is off, and a daemon's log says which machine's was moved.

// stepsOn are what the clock daemons of one vantage's host logged.
func (c *incident) stepsOn(vantage string) []evidence.ClockNotice {
	if vantage == "" || len(c.s.Vantages) > 0 && vantage == c.s.Vantages[0].Name {
		return c.s.Host.Steps
	}
	var out []evidence.ClockNotice
	for _, h := range c.s.Others {
		if h.Vantage == vantage {
			out = append(out, h.Steps...)
		}
	}
	return out
}

// sparingOwnStep takes a step back that the dated host's own daemon logged: its
// dates moved and TIME did not. What such a step explains is nothing that Redis's
// clock did.
func (c *incident) sparingOwnStep(vantage string, lo, hi time.Duration, same bool) (time.Duration, time.Duration) {
	if !same {
		return lo, hi
	}
	for _, n := range c.stepsOn(vantage) {
		if n.Kind == "stepped" && min(lo, lo+n.By) <= c.skew() && max(hi, hi+n.By) >= -c.skew() {
			return min(lo, 0), max(hi, 0)
		}
	}
	return lo, hi
}

// ofCoordinator says whether a vantage is on Redis's own machine: it was said to
// be, or it goes by the name or the address that Redis was reached at.
func (c *incident) ofCoordinator(vantage string) bool {
	if vantage == "coordinator" {
		return true
	}
	i := strings.LastIndexByte(c.s.Subject.Redis, ':')
	if i <= 0 {
		return false
	}
	node := strings.Trim(c.s.Subject.Redis[:i], "[]")
	for _, v := range c.s.Vantages {
		if v.Name != vantage || v.Host == "" {
			continue
		}
		a, b := strings.ToLower(v.Host), strings.ToLower(node)
		return a == b || !isAddress(a) && !isAddress(b) && (strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+"."))
	}
	return false
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// ahead is how far Redis's clock was ahead of one host's, as far as the dates of
// that host bound it. Where one of the two moved, it is the difference from before.
func (c *incident) ahead(vantage string) (lo, hi time.Duration) {
	lo, hi = math.MinInt64, math.MaxInt64
	for _, s := range c.textSamples() {
		if s.host != vantage {
			continue
		}
		l, h := lo, hi
		if !s.to.IsZero() {
			l = max(l, s.server.Sub(s.to))
		}
		if !s.from.IsZero() {
			h = min(h, s.server.Sub(s.from))
		}
		if l > h {
			break
		}
		lo, hi = l, h
	}
	return lo, hi
}

// apart is the least that Redis's clock and one host's differ by, with its sign.
func (c *incident) apart(vantage string) time.Duration {
	lo, hi := c.ahead(vantage)
	return max(min(0, hi), lo)
}

// ownView is the owner's vantage as looks name it.
func (c *incident) ownView() string {
	if len(c.s.Vantages) < 2 {
		return ""
	}
	return c.s.Vantages[0].Name
}

// askers are the vantages from which TIME was asked in text.
func (c *incident) askers() []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range c.textSamples() {
		if !seen[s.host] {
			seen[s.host], out = true, append(out, s.host)
		}
	}
	return out
}

// wentBack: more is left of the lease than its length, and Redis's clock is behind
// by what is too much, or its own machine logged that it was set back by that: then
// it may be right by now. Where two hosts' dates disagree, whose clock is wrong
// nobody knows.
func (c *incident) wentBack(x *exam, by time.Duration) bool {
	most := c.skew() - by
	behind, from, agreed := time.Duration(0), "", false
	for _, v := range c.askers() {
		lo, _ := c.ahead(v)
		agreed = agreed || lo > most
		if d := c.apart(v); d <= most && d < behind {
			behind, from = d, v
		}
	}
	if agreed {
		behind = 0
	}
	log, own, logged := c.setBack(most, behind)
	if behind == 0 && !(logged && own) {
		return false
	}
	c.cause = "clock-step"
	x.only(off)
	x.source("time")
	x.cap = behind == 0
	x.cite(c.read("pttl"), "%s is left of a lease of %s", round(c.leaseHi+by), round(c.leaseHi))
	if behind != 0 {
		x.cite(c.read("time"), "TIME is at least %s behind the clock of %s", round(-behind), c.hostNamed(from))
	}
	if logged {
		x.source("clock daemon")
		x.cite("clock daemon", "%s", line(log.Text))
	}
	x.says = "Redis's clock went back by at least " + round(by).String() + " since the last renewal"
	return true
}

// setBack finds a step back in somebody's log that is large enough, and no smaller
// than what Redis's clock is behind. own says that it is of Redis's own machine; of
// a machine whose dates TIME is held against it would be the other clock's.
func (c *incident) setBack(most, behind time.Duration) (n evidence.ClockNotice, own, ok bool) {
	dated := c.askers()
	for _, h := range c.s.Others {
		own := c.ofCoordinator(h.Vantage)
		for _, n := range h.Steps {
			switch {
			case n.Kind != "stepped" || n.By > most || n.By > behind+paired:
			case !own && slices.Contains(dated, h.Vantage):
			default:
				return n, own, true
			}
		}
	}
	return n, false, false
}

// hostNamed is how a vantage's host is called.
func (c *incident) hostNamed(vantage string) string {
	for _, v := range c.s.Vantages {
		if (v.Name == vantage || vantage == "") && v.Host != "" {
			return v.Host
		}
	}
	return cmpOr(vantage, "this host")
}
