package dialect

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// pyToken is what uuid1 makes of a moment and a node.
func pyToken(taken time.Time, node string) string {
	const gregorian = 0x01b21dd213814000
	ticks := uint64(taken.UnixNano()/100) + gregorian
	digits := func(n uint64, length int) string {
		out := make([]byte, length)
		for i := length - 1; i >= 0; i-- {
			out[i] = lowerHex[n&15]
			n >>= 4
		}
		return string(out)
	}
	return digits(ticks&0xffffffff, 8) + digits(ticks>>32&0xffff, 4) + "1" + digits(ticks>>48&0xfff, 3) + "88f4" + node
}

func TestRedisPy(t *testing.T) {
	d := redisPy()
	taken := noon().Add(-46 * time.Minute)
	s := expiring("lock:orders", pyToken(taken, "0242ac110002"))
	s.Endless, s.Left = true, 0
	r := wantFit(t, d, s, evidence.FitsWell)
	if h := r.Dialect.Holders[0]; !h.Since.Equal(taken) || h.Text != s.Value {
		t.Errorf("holder %+v, want since %v", h, taken)
	}
	if !r.Dialect.Endless || r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByCall {
		t.Errorf("lease %+v", r.Dialect)
	}
	if notes := strings.Join(r.Dialect.Notes, "\n"); !strings.Contains(notes, "02:42:ac:11:00:02") || !strings.Contains(notes, "172.17.0.2") || strings.Contains(notes, "ahead") {
		t.Errorf("notes %s", notes)
	}
	// A token that a real one made, of late 2026.
	real := Shape{Key: "k", Type: "string", Value: "1f289156ec4b11f188f40242ac110002"}
	if h := wantFit(t, d, real, evidence.FitsWell).Dialect.Holders[0]; h.Since.Year() != 2026 {
		t.Errorf("since %v", h.Since)
	}
}

func TestRedisPyNode(t *testing.T) {
	for node, want := range map[string]string{
		"525400a1b2c3": "network address 52:54:00:a1:b2:c3",
		"0242c0a80005": "192.168.0.5",
		"0342ac110002": "is random",
	} {
		r := wantFit(t, redisPy(), expiring("k", pyToken(noon(), node)), evidence.FitsWell)
		if notes := strings.Join(r.Dialect.Notes, "\n"); !strings.Contains(notes, want) {
			t.Errorf("%s: %s", node, notes)
		}
	}
}

func TestRedisPyClockAhead(t *testing.T) {
	s := expiring("k", pyToken(noon().Add(3*time.Minute), "525400a1b2c3"))
	if notes := strings.Join(wantFit(t, redisPy(), s, evidence.FitsWell).Dialect.Notes, "\n"); !strings.Contains(notes, "3m0s ahead") {
		t.Errorf("notes %s", notes)
	}
}

func TestRedisPyNearMisses(t *testing.T) {
	good := pyToken(noon(), "0242ac110002")
	list := expiring("k", good)
	list.Type = "list"
	for name, s := range map[string]Shape{
		"another type":    list,
		"capital letters": expiring("k", strings.ToUpper(good)),
		"with dashes":     expiring("k", good[:8]+"-"+good[8:12]+"-"+good[12:16]+"-"+good[16:20]+"-"+good[20:]),
		"one more":        expiring("k", good+"0"),
		"one less":        expiring("k", good[:31]),
		"version 4":       expiring("k", good[:12]+"4"+good[13:]),
		"variant":         expiring("k", good[:16]+"c"+good[17:]),
		"two years on":    expiring("k", pyToken(noon().Add(2*366*24*time.Hour), "0242ac110002")),
		"another century": expiring("k", good[:13]+"fff"+good[16:]),
		"the calendar's":  expiring("k", "00000000000010008000000000000000"),
	} {
		if r := redisPy().Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, redisPy(), expiring("k", good))
}
