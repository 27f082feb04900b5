package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Traces are what tells libraries of one shape apart.
type Traces struct {
	Scripts []string // digests that this server has seen, in SLOWLOG or by SCRIPT EXISTS
	Client  string   // lib-name of the connection that renews the lock; empty: not known, or it has none
}

// A fit is one dialect's claim to a lock.
type fit struct {
	of      Dialect
	reading Reading
	weight  int
	scripts []Script
}

// Fits are the dialects that a shape fits, the best first.
func fits(s Shape) []fit {
	var out []fit
	for _, d := range Table() {
		if r := d.Recognise(s); r.Fit > evidence.Misfit {
			r.Shape = s
			out = append(out, fit{of: d, reading: r, weight: 10 * int(r.Fit)})
		}
	}
	slices.SortStableFunc(out, func(a, b fit) int { return cmp.Compare(b.weight, a.weight) })
	return out
}

// Companions are the reads that tell more of a lock: of the dialects that fit it
// best, each once and never more than mostAsked.
func Companions(s Shape) [][]string {
	var out [][]string
	all := fits(s)
	for _, f := range all {
		if f.weight < all[0].weight {
			break
		}
		for _, c := range f.reading.Ask {
			if len(out) < mostAsked && !slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, c) }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// More are the reads that the answers to the first ones call for: of keys whose
// names only those told.
func More(s Shape, answers Answers) [][]string {
	var out [][]string
	all := fits(s)
	for _, f := range all {
		if f.weight < all[0].weight || f.reading.Learn == nil {
			continue
		}
		n := len(f.reading.Ask)
		f.reading.Learn(&f.reading, answers)
		out = append(out, f.reading.Ask[min(n, len(f.reading.Ask)):]...)
	}
	return out[:min(len(out), mostAsked)]
}

// mostAsked bounds the reads of companions in one round.
const mostAsked = 24

// Scripts are the digests worth asking SCRIPT EXISTS for: those of the dialects
// that a shape fits; of all where none does.
func Scripts(s Shape) []string {
	var libraries []string
	for _, f := range fits(s) {
		libraries = append(libraries, f.of.ownScripts()...)
	}
	return Digests(libraries...)
}

func (d Dialect) ownScripts() []string {
	if len(d.Scripts) > 0 {
		return d.Scripts
	}
	return []string{d.Name}
}

// Recognise says which library wrote a lock, or which it may have been. It is not
// ok when no dialect fits.
func Recognise(s Shape, answers Answers, traces Traces) (evidence.Dialect, bool) {
	all := fits(s)
	for i := range all {
		f := &all[i]
		if f.reading.Learn != nil {
			f.reading.Learn(&f.reading, answers)
			f.weight = 10 * int(f.reading.Fit) // its companions may have made it sure, or ruled it out
		}
		f.byScripts(traces.Scripts)
		f.byClient(traces.Client)
	}
	all = slices.DeleteFunc(all, func(f fit) bool { return f.weight <= 0 || f.reading.Fit == evidence.Misfit })
	if len(all) == 0 {
		return evidence.Dialect{}, false
	}
	slices.SortStableFunc(all, func(a, b fit) int { return cmp.Compare(b.weight, a.weight) })
	all = slices.DeleteFunc(all, func(f fit) bool { return f.weight < all[0].weight-slack })
	d := all[0].reading.Dialect
	for _, f := range all {
		d.OneOf = append(d.OneOf, evidence.Library{Name: f.of.Name, Versions: common(f.scripts), Fit: f.reading.Fit, Because: f.reading.Because})
	}
	for _, f := range all[1:] {
		agree(&d, f.reading.Dialect)
	}
	for _, c := range all[0].reading.Ask {
		if _, ok := answers.Get(c...); ok {
			d.Companions = append(d.Companions, evidence.Printable(evidence.Clip(join(c), 200)))
		}
	}
	return d, true
}

// slack is how far behind the best a dialect may be and still be named.
const slack = 5

// byScripts: a script of this library was run on the server. That it was not, or
// that the server has forgotten, says nothing.
func (f *fit) byScripts(seen []string) {
	for _, sha := range seen {
		for _, s := range ByDigest(sha) {
			if slices.Contains(f.of.ownScripts(), s.Library) && s.Shared == "" { // a text that others have too tells nothing
				f.scripts = append(f.scripts, s)
			}
		}
	}
	if len(f.scripts) == 0 {
		return
	}
	f.weight += 8
	f.reading.Fit = max(f.reading.Fit, evidence.FitsWell)
	f.reading.Because = append(f.reading.Because, fmt.Sprintf("%d of its scripts ran on this server", len(f.scripts)))
}

// byClient: whoever renews the lock speaks through a client that this library
// cannot use, or through the one that it does.
func (f *fit) byClient(name string) {
	if name == "" || len(f.of.Clients) == 0 {
		return
	}
	if slices.ContainsFunc(f.of.Clients, func(c string) bool { return strings.HasPrefix(strings.ToLower(name), strings.ToLower(c)) }) {
		f.weight += 3
		f.reading.Because = append(f.reading.Because, "its renewer's client is "+evidence.Printable(evidence.Clip(name, 40)))
		return
	}
	if f.reading.Fit < evidence.Certain { // a proxy or a pool may speak for it
		f.weight -= 8
	}
}

// agree keeps of a dialect only what another possible one says too: a number that
// holds for one of two libraries holds for neither.
func agree(d *evidence.Dialect, o evidence.Dialect) {
	if d.Lease != o.Lease {
		d.Lease = 0
	}
	if d.RenewEvery != o.RenewEvery || d.Share != o.Share || d.Renews != o.Renews {
		d.RenewEvery, d.Share = 0, 0
	}
	if d.Renews != o.Renews {
		d.Renews = ""
	}
	d.Endless = d.Endless || o.Endless
	if d.Form != o.Form {
		d.Form = "lock"
	}
	if d.Release != o.Release {
		d.Release = "Which library wrote it is not decided: compare the whole value, and delete only while it is still that."
	}
}
