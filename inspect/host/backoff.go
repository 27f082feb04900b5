package host

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// BackoffAge is the least time a socket's oldest unacknowledged data has
// waited, or zero when the row does not say.
//
// After each retransmission timeout that brings no answer the kernel doubles
// the timeout (tcp_retransmit_timer; RFC 6298, 5.5). With n timeouts behind it
// and the present timeout rto, the waits were rto/2, rto/4, … rto/2^n; of the
// present one rto−expires has passed. Where the kernel does not double (its
// ceiling of 120 s, thin streams, the first SYNs of newer kernels) the waits
// were longer than this sum, so it stays a lower bound.
//
// Without a timeout behind it the running timer may be a loss probe, which is
// shorter than rto, so nothing is claimed. One case can claim up to a single
// rto too much: TCP_USER_TIMEOUT shortens the last timer before the connection
// is given up, and the table does not show that.
func BackoffAge(s evidence.Socket) time.Duration {
	if s.Timer != "retransmit" || s.Retrans < 1 {
		return 0
	}
	var age time.Duration
	// 2^-30 of the longest timeout is below the table's own grain.
	for i := 1; i <= min(s.Retrans, 30); i++ {
		age += s.RTO >> i
	}
	if left := s.RTO - s.Expires; left > 0 {
		age += left
	}
	return age
}
