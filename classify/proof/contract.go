package proof

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lockscene/lockscene/evidence"
)

// contractYAML is lease.yaml as people write it. Unknown fields are mistakes: a
// mistyped lease would silently judge by nothing.
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
	Modes []evidence.Mode `yaml:"modes"`
}

// ReadContract reads a lease contract, the file that inspect, classify, prove and a
// team's own tests share. What it does not understand, or what cannot be true, is an
// error that says where.
func ReadContract(b []byte) (evidence.Contract, error) {
	var y contractYAML
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(&y); err != nil {
		return evidence.Contract{}, err
	}
	c := evidence.Contract{
		Key: y.Key, Lease: y.Lease, RenewEvery: y.RenewEvery, MaxSkew: y.MaxSkew, WorstStall: y.WorstStall, WorstRenew: y.WorstRenew,
		NeedsToken: y.Fencing.Required, TokenFrom: y.Fencing.From, TokenIn: y.Fencing.Pattern,
		Margin: y.Margin, LeaseMax: y.LeaseMax, ReleaseIn: y.ReleaseIn, TakeoverIn: y.TakeoverIn, Modes: y.Modes,
	}
	return c, checkContract(c)
}

func checkContract(c evidence.Contract) error {
	for _, d := range []struct {
		name string
		time.Duration
	}{
		{"lease", c.Lease}, {"renew_every", c.RenewEvery}, {"max_clock_skew", c.MaxSkew}, {"worst_stall", c.WorstStall}, {"worst_renewal", c.WorstRenew},
		{"lease_max", c.LeaseMax}, {"release_within", c.ReleaseIn}, {"takeover_within", c.TakeoverIn},
	} {
		if d.Duration < 0 {
			return fmt.Errorf("%s is negative", d.name)
		}
	}
	known := []evidence.Mode{evidence.ModeCrash, evidence.ModePartition, evidence.ModeClock, evidence.ModePause}
	for _, m := range c.Modes {
		if !slices.Contains(known, m) {
			return fmt.Errorf("modes: %q is none of crash, partition, clock-anomaly, pause", string(m))
		}
	}
	from := c.TokenFrom
	switch {
	case c.Lease > 0 && c.RenewEvery >= c.Lease:
		return fmt.Errorf("renew_every must be shorter than lease")
	case c.Margin < 0 || c.Margin > 0 && c.Margin < 1:
		return fmt.Errorf("margin is a factor of at least 1")
	case c.LeaseMax > 0 && c.LeaseMax < c.Lease:
		return fmt.Errorf("lease is longer than lease_max")
	case from != "" && from != "events" && from != "value" && !strings.HasPrefix(from, "key:"):
		return fmt.Errorf("fencing.from is value, key:NAME or events")
	}
	if _, err := regexp.Compile(c.TokenIn); err != nil {
		return fmt.Errorf("fencing.pattern: %w", err)
	}
	return nil
}
