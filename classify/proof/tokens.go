package proof

import "fmt"

// What is asserted of fencing tokens.

func tokenAssertions() []assertion {
	return []assertion{
		{id: "token-carried", asserts: "every acquire carries a fencing token the resource can check", every: true, look: tokenCarried,
			mistake: "Without a token the resource cannot tell whose writes still count, however well the lock works."},
		{id: "higher-token", asserts: "the taker's token is strictly greater than the lost owner's", every: true, look: higherToken, mistake: goneMistake},
	}
}

func tokenCarried(k *course) word {
	n := 0
	for _, e := range k.of("", acquires) {
		if !e.Succeeded() {
			continue
		}
		if _, ok := k.token(e); ok {
			n++
			continue
		}
		switch {
		case e.Seen && tokenFrom(k.contract) != "value":
			continue // a look at the key: the token is the application's to record
		case !k.contract.NeedsToken:
			return lacks("an acquire by " + e.Party + " has no token; the contract requires none, and without one there is no proof")
		}
		return fail(e.Source, "an acquire by "+e.Party+" has no token")
	}
	if n == 0 {
		return lacks("no acquire was recorded with its token")
	}
	return pass("events", fmt.Sprintf("a token at each of %d acquires", n))
}

func higherToken(k *course) word {
	switch {
	case k.released():
		return none()
	case k.taken == nil:
		return lacks("nobody took the lock over")
	}
	old, okOld := k.tokenOf(k.lost)
	taken, okTaken := k.tokenOf(k.taken.Party)
	switch {
	case !okOld || !okTaken:
		return lacks("the tokens of both were not recorded")
	case taken > old:
		return pass(k.taken.Source, fmt.Sprintf("token %d after %d", taken, old))
	}
	return fail(k.taken.Source, fmt.Sprintf("token %d after %d", taken, old))
}
