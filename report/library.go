package report

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// library says which library wrote the lock and what is usual for it.
func library(b evidence.Bundle, length int) string {
	d, ok := b.Snapshot.Dialect.Get()
	if !ok || len(d.OneOf) == 0 || len(d.OneOf) == 1 && d.OneOf[0].Fit == evidence.Possible {
		return "" // that somebody wrote SET NX is no news
	}
	name := ""
	for i, l := range d.OneOf {
		switch {
		case i == 3:
			name += fmt.Sprintf(" or %d more", len(d.OneOf)-3)
		case i < 3:
			name = joined(" or ", name, joined(" ", show(l.Name, 40), show(l.Versions, 30)))
		}
	}
	return show(joined(" · ", name, show(d.Form, 60), usual(d), fencing(d), waiting(d)), length)
}

// usual is what the library does with leases by default.
func usual(d evidence.Dialect) string {
	switch {
	case d.Endless:
		return "no expiry by default"
	case d.Renews == evidence.ByItself && d.RenewEvery > 0:
		return fmt.Sprintf("%s by default, renewed every %s", short(d.Lease), short(d.RenewEvery))
	case d.Renews == evidence.ByItself && d.Share > 0:
		return fmt.Sprintf("renewed after %.0f %% of its lease", d.Share*100)
	case d.Lease > 0 && d.Renews == evidence.ByCall:
		return short(d.Lease) + " by default, renewed only when the program asks"
	case d.Renews == evidence.ByCall:
		return "renewed only when the program asks"
	case d.Renews == evidence.NeverRenews:
		return "never renewed"
	}
	return ""
}

func short(t time.Duration) string {
	s := t.String()
	for _, tail := range []string{"m0s", "h0m"} {
		if len(s) > len(tail) && s[len(s)-len(tail):] == tail {
			s = s[:len(s)-len(tail)+1]
		}
	}
	return s
}

func fencing(d evidence.Dialect) string {
	if token, ok := d.Fence.Get(); ok {
		return "fencing token " + show(token, 40)
	}
	return ""
}

func waiting(d evidence.Dialect) string {
	switch n, ok := d.Waiters.Get(); {
	case !ok || n == 0:
		return ""
	case n == 1:
		return "1 waits for it"
	default:
		return fmt.Sprintf("%d wait for it", n)
	}
}
