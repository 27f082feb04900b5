package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lockscene/lockscene/evidence"
)

// contractYAML is lease.yaml as people write it. Unknown fields are mistakes:
// a mistyped lease would silently judge by nothing.
type contractYAML struct {
	Key        string        `yaml:"key"`
	Lease      time.Duration `yaml:"lease"`
	RenewEvery time.Duration `yaml:"renew_every"`
	MaxSkew    time.Duration `yaml:"max_clock_skew"`
	WorstStall time.Duration `yaml:"worst_stall"`
	WorstRenew time.Duration `yaml:"worst_renewal"`
	Margin     float64       `yaml:"margin"`
	LeaseMax   time.Duration `yaml:"lease_max"`
	ReleaseIn  time.Duration `yaml:"release_within"`
	TakeoverIn time.Duration `yaml:"takeover_within"`
	Fencing    struct {
		Required bool   `yaml:"required"`
		From     string `yaml:"from"`
		Pattern  string `yaml:"pattern"`
	} `yaml:"fencing"`
	Modes []string `yaml:"modes"`
}

// contractOf reads a contract file; nil without one.
func contractOf(path string) (*evidence.Contract, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("read --contract: %w", err)
	}
	var y contractYAML
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(&y); err != nil {
		return nil, usage("read --contract %s: %w", path, err)
	}
	c := evidence.Contract{
		Lease: y.Lease, RenewEvery: y.RenewEvery, MaxSkew: y.MaxSkew, WorstStall: y.WorstStall, WorstRenew: y.WorstRenew,
		NeedsToken: y.Fencing.Required, Margin: y.Margin, LeaseMax: y.LeaseMax, ReleaseIn: y.ReleaseIn, TakeoverIn: y.TakeoverIn,
	}
	if c.Lease < 0 || c.RenewEvery < 0 || c.Lease > 0 && c.RenewEvery >= c.Lease {
		return nil, usage("read --contract %s: renew_every must be shorter than lease", path)
	}
	return &c, nil
}

// readContract puts the file's promises under the flags': a flag wins.
func (f *inspectFlags) readContract() error {
	c, err := contractOf(f.contractFile)
	if err != nil || c == nil {
		return err
	}
	for _, over := range []struct{ into, from *time.Duration }{
		{&c.Lease, &f.contract.Lease}, {&c.RenewEvery, &f.contract.RenewEvery}, {&c.MaxSkew, &f.contract.MaxSkew},
	} {
		if *over.from > 0 {
			*over.into = *over.from
		}
	}
	f.contract = *c
	if c.Lease > 0 && c.RenewEvery >= c.Lease {
		return fmt.Errorf("the contract's renewal interval %s is not shorter than its lease %s", c.RenewEvery, c.Lease)
	}
	return nil
}
