package redis

import (
	"fmt"
	"strconv"
	"strings"
)

// passed are flags with a value that changes nothing of what is understood here:
// passwords and certificates among them.
var passed = map[string]bool{
	"-a": true, "--pass": true, "-i": true, "-d": true, "-D": true, "-t": true,
	"--sni": true, "--cacert": true, "--cacertdir": true, "--cert": true, "--key": true,
	"--tls-ciphers": true, "--tls-ciphersuites": true, "--show-pushes": true,
	"--pipe-timeout": true, "--pattern": true, "--quoted-pattern": true, "--count": true,
	"--cursor": true, "--top": true, "--memkeys-samples": true,
}

// plain are flags without a value that change nothing of what is understood here.
var plain = map[string]bool{
	"--askpass": true, "--no-auth-warning": true, "--insecure": true, "--verbose": true,
	"-2": true, "-3": true, "-4": true, "-6": true, "-c": true, "-e": true, "--quoted-input": true,
}

// forms are the flags that choose how replies are printed.
var forms = map[string]Mode{
	"--raw": Raw, "--no-raw": TTY, "--json": JSON, "--quoted-json": JSON, "--csv": CSV,
}

// specials are the flags that make it something else than one command, and how
// many values follow them. --eval and --cluster take all the rest.
var specials = map[string]int{
	"--latency": 0, "--latency-history": 0, "--latency-dist": 0, "--bigkeys": 0, "--memkeys": 0,
	"--keystats": 0, "--hotkeys": 0, "--stat": 0, "--scan": 0, "--pipe": 0, "--ldb": 0, "--ldb-sync-mode": 0,
	"--replica": 0, "--slave": 0, "--help": 0, "--version": 0, "-v": 0, "--lru-test": 1,
	"--intrinsic-latency": 1, "--rdb": 1, "--functions-rdb": 1, "--eval": -1, "--cluster": -1, "--vset-recall": 1,
}

// option reads the flag that args begins with and says how many arguments it
// took.
func (c *CLI) option(args []string) (int, error) {
	flag := args[0]
	if plain[flag] {
		return 1, nil
	}
	if m, ok := forms[flag]; ok {
		c.Mode = m
		return 1, nil
	}
	if n, ok := specials[flag]; ok {
		c.Special = strings.TrimLeft(flag, "-")
		if n < 0 {
			return len(args), nil
		}
		return min(1+n, len(args)), nil
	}
	switch flag {
	case "--tls":
		c.TLS = true
		return 1, nil
	case "-x":
		c.Stdin = true
		return 1, nil
	case "-h":
		if len(args) == 1 { // as a last word it asks for help
			c.Special = "help"
			return 1, nil
		}
	}
	if passed[flag] {
		return min(2, len(args)), nil
	}
	return c.valued(flag, args)
}

// valued reads a flag whose value says something.
func (c *CLI) valued(flag string, args []string) (int, error) {
	if !strings.Contains(" -h -p -s -n -u -r -X --user ", " "+flag+" ") {
		c.Unknown = append(c.Unknown, clip(flag))
		return 1, nil
	}
	if len(args) < 2 {
		return 0, fmt.Errorf("%s has no value", flag)
	}
	value := args[1]
	var err error
	switch flag {
	case "-h":
		c.Host = value
	case "-p":
		c.Port = value
	case "-s":
		c.Socket = value
	case "-n":
		c.DB, err = number32(flag, value)
	case "-u":
		err = c.location(value)
	case "-r":
		c.Repeat, err = number32(flag, value)
	case "-X":
		c.Stdin = true
	case "--user":
		c.User = value
	}
	return 2, err
}

func number32(flag, value string) (int, error) {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s is no number: %q", flag, clip(value))
	}
	return int(n), nil
}
