package main

import (
	"os"
	"time"

	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
)

// contractOf reads a contract file; nil without one.
func contractOf(path string) (*evidence.Contract, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("read --contract: %w", err)
	}
	c, err := proof.ReadContract(b)
	if err != nil {
		return nil, usage("read --contract %s: %w", path, err)
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
		return usage("--contract %s with what the flags say: the renewal interval %s is not shorter than the lease %s", f.contractFile, c.RenewEvery, c.Lease)
	}
	return nil
}
