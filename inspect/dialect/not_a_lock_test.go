package dialect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

func TestStalledCheck(t *testing.T) {
	r := wantFit(t, notALock(), expiring("bull:orders:stalled-check", "1772625600000"), evidence.Certain)
	r.Learn(&r, Answers{
		"HGET bull:orders:meta version": redis.Bulk("bullmq:6.7.0"), "LLEN bull:orders:active": number(3), "SCARD bull:orders:stalled": number(2),
	})
	d := r.Dialect
	if d.Form != "not a lock: when Bull or BullMQ last looked for stalled jobs in the queue orders" || d.Renews != evidence.NeverRenews || d.Lease != 0 {
		t.Errorf("%+v", d)
	}
	if len(d.Alive) != 1 || !d.Alive[0].Beat.Equal(noon()) || d.Alive[0].Dead {
		t.Errorf("%+v", d.Alive)
	}
	if !slices.Contains(r.Because, "its queue says bullmq:6.7.0") || !noted(d, "3 jobs are active; 2 of") {
		t.Errorf("%q, %q", r.Because, d.Notes)
	}
	wantFit(t, notALock(), expiring("{bull}:orders:stalled-check", "1772625600000"), evidence.Certain)
}

func TestLockSignal(t *testing.T) {
	s := Shape{Key: "lock-signal:orders", Type: "list", Members: []string{"1"}, Left: 700 * time.Millisecond}
	r := wantFit(t, notALock(), s, evidence.Certain)
	if got, want := r.Dialect.Form, "not a lock: python-redis-lock's signal that lock:orders was released"; got != want {
		t.Errorf("a %s, want %s", got, want)
	}
	r.Learn(&r, Answers{"EXISTS lock:orders": number(0)})
	if !noted(r.Dialect, "lock:orders is not there") {
		t.Errorf("%q", r.Dialect.Notes)
	}
	r = notALock().Recognise(s)
	r.Learn(&r, Answers{"EXISTS lock:orders": number(1), "PTTL lock:orders": number(-1)})
	if !noted(r.Dialect, "is held, without an expiry") {
		t.Errorf("%q", r.Dialect.Notes)
	}
	r = notALock().Recognise(s)
	r.Learn(&r, Answers{"EXISTS lock:orders": number(1), "PTTL lock:orders": number(2500)})
	if !noted(r.Dialect, "is held, 2.5s left") {
		t.Errorf("%q", r.Dialect.Notes)
	}
	s.Left, s.Endless = 0, true
	if r := wantFit(t, notALock(), s, evidence.FitsWell); !noted(r.Dialect, "no expiry") {
		t.Errorf("%q", r.Dialect.Notes)
	}
}

func TestNotALockNearMisses(t *testing.T) {
	for _, s := range []Shape{
		expiring("bull:orders:stalled-check", "177262560000"),
		expiring("bull:orders:stalled-check", "17726256000000"),
		expiring("bull:orders:stalled-check", "177262560000x"),
		expiring("bull:orders:stalled-check", "-172625600000"),
		expiring("bull:orders:stalled-check", ""),
		expiring("bull:orders:stalled", "1772625600000"),
		expiring("orders:stalled-check", "1772625600000"),
		{Key: "bull:orders:stalled-check", Type: "list"},
		{Key: "lock-signal:orders", Type: "string", Value: "1"},
		{Key: "lock-signal:", Type: "list"},
		{Key: "lock-signals:orders", Type: "list"},
		{Key: "lock-signal:orders", Type: "list", Members: []string{"1", "2"}},
	} {
		wantFit(t, notALock(), s, evidence.Misfit)
	}
}

func TestNotALockHostile(t *testing.T) {
	survive(t, notALock(),
		expiring("bull:orders:stalled-check", "1772625600000"),
		expiring("bull:\x1b[31m"+strings.Repeat("q", 5000)+":stalled-check", "1772625600000"),
		Shape{Key: "lock-signal:\x1b[31m\xff", Type: "list"},
	)
}
