package host_test

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/inspect/host"
)

// Rows that a filter took out of the table come without its heading.
func TestTCPWithoutHeading(t *testing.T) {
	const row = "   3: 0B00000A:C3F2 0700000A:18EB 01 0000006C:00000000 01:00000204 00000006  1001        0 884213 2 0000000000000000 1306 4 30 1 7\n"
	got, err := host.ParseTCP([]byte(row), false)
	if err != nil || len(got) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	equal(t, "local", got[0].Local, "10.0.0.11:50162")
	equal(t, "unacknowledged", got[0].TxQueue, uint64(0x6c))
	equal(t, "timeouts", got[0].Retrans, 6)
	equal(t, "rto", got[0].RTO, 13060*time.Millisecond)
}
