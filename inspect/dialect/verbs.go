package dialect

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Verb says what a command of SLOWLOG does to a lock: a script by its digest, or by as
// much of its text as was kept; a plain command by its options. It is empty where the
// same command serves for several, as one script of go-zero both acquires and renews.
func Verb(args []string) evidence.Deed {
	if len(args) < 2 {
		return ""
	}
	switch name := strings.ToLower(args[0]); name {
	case "evalsha", "evalsha_ro":
		return oneOp(ByDigest(args[1]))
	case "eval", "eval_ro":
		return oneOp(ByText(args[1]))
	case "set":
		return setVerb(args[min(3, len(args)):])
	case "setnx", "msetnx":
		return evidence.DeedAcquire
	case "expire", "pexpire", "expireat", "pexpireat", "getex":
		return evidence.DeedRenew
	case "del", "unlink", "getdel", "delex", "hdel":
		return evidence.DeedRelease
	}
	return ""
}

// OfLock tells which lock a command takes or extends, where its form says that it is
// a lock's: a library's script, or a SET NX with an end.
func OfLock(args []string) (key string, deed evidence.Deed) {
	deed = Verb(args)
	if deed != evidence.DeedAcquire && deed != evidence.DeedRenew || len(args) < 4 {
		return "", ""
	}
	switch strings.ToLower(args[0]) {
	case "eval", "evalsha":
		if args[2] != "0" {
			return args[3], deed
		}
	case "set":
		ends := func(o string) bool { return strings.EqualFold(o, "px") || strings.EqualFold(o, "ex") }
		if deed == evidence.DeedAcquire && slices.ContainsFunc(args[3:], ends) {
			return args[1], deed
		}
	}
	return "", ""
}

// setVerb reads the options of SET: NX takes what is free, XX and IFEQ extend what is
// there. Without one it may be either.
func setVerb(options []string) evidence.Deed {
	has := func(word string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return strings.EqualFold(o, word) })
	}
	switch {
	case has("nx"):
		return evidence.DeedAcquire
	case has("xx"), has("ifeq"):
		return evidence.DeedRenew
	}
	return ""
}

// oneOp is what all scripts of a digest are for.
func oneOp(all []Script) evidence.Deed {
	op := ""
	for _, s := range all {
		if op != "" && s.Op != op {
			return ""
		}
		op = s.Op
	}
	// These scripts extend for their own holder as well as they take for a new one.
	if op == "acquire" && slices.ContainsFunc(all, func(s Script) bool {
		return slices.Contains([]string{"go-zero", "spring-integration", "redlock-rb", "symfony/lock"}, s.Library)
	}) {
		return ""
	}
	switch deed := evidence.Deed(op); deed {
	case evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedRelease:
		return deed
	}
	return "" // a query, or a waiter's place in the queue
}
