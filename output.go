package main

import (
	"io"

	"github.com/lockscene/lockscene/evidence"
)

// answerJSON is what inspect --format json prints.
type answerJSON struct {
	Verdict evidence.Verdict `json:"verdict"`
	Bundle  frozen           `json:"bundle"`
	Probes  []probeJSON      `json:"probes"`
}

type probeJSON struct {
	Name   string          `json:"name"`
	Source string          `json:"source"`
	Status evidence.Status `json:"status"`
	TookMS float64         `json:"took_ms"`
	Why    string          `json:"why,omitempty"`
}

func printJSON(w io.Writer, b evidence.Bundle, saved frozen) error {
	a := answerJSON{Verdict: b.Verdict, Bundle: saved, Probes: []probeJSON{}}
	for _, p := range b.Probes {
		a.Probes = append(a.Probes, probeJSON{p.Name, p.Source, p.Status, float64(p.Took().Microseconds()) / 1000, p.Why})
	}
	line, err := evidence.Line(a)
	if err != nil {
		return err
	}
	_, err = w.Write(line)
	return err
}
