package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// dryRun lists everything a capture would read, and reads nothing.
func dryRun(t inspect.Target, site []setting, w io.Writer) error {
	p := inspect.PlanOf(t)
	if len(site) > 0 {
		fmt.Fprintln(w, "settings from the environment:")
	}
	for _, s := range site {
		fmt.Fprintln(w, "  "+evidence.Printable(s.String()))
	}
	fmt.Fprintf(w, "would ask Redis at %s, db %d, over one connection:\n", evidence.Printable(t.Subject.Redis), t.Subject.DB)
	for _, line := range p.Redis {
		fmt.Fprintln(w, "  "+evidence.Printable(line))
	}
	fmt.Fprintln(w, "would open on this host, read-only:")
	for _, line := range p.Files {
		fmt.Fprintln(w, "  "+evidence.Printable(line))
	}
	fmt.Fprintln(w, "would also:")
	for _, line := range p.Other {
		fmt.Fprintln(w, "  "+line)
	}
	_, err := fmt.Fprintln(w, "\nReading a key that is already past its expiry makes a primary delete it, as any client's read would.\nNothing was read or written now.")
	return err
}

// aclNewer is what the line may carry beside on servers that know it: without it
// our reads reset the key's idle time.
const aclNewer = "from Redis 7.2 add +client|no-touch"

// aclLine is the least a Redis user needs for all of inspect, on Redis 7.0 and
// newer: a server refuses the whole line for one subcommand it does not know.
func aclLine() string {
	return strings.Join([]string{
		"ACL SETUSER lockscene on >PASSWORD resetkeys ~LOCK_KEY_PATTERN resetchannels -@all",
		"+get +strlen +getrange +type +exists +pttl +pexpiretime +object|idletime +memory|usage +hlen +hgetall",
		"+hget +hmget +llen +lrange +scard +smembers +zcard +zrange +zscore +script|exists +pubsub|numsub +cluster|slots +readonly +asking",
		"+time +info +role +client|list +client|id +client|setname +slowlog|get +latency|latest",
		"+acl|whoami +hello +auth +select +ping",
	}, " ")
}
