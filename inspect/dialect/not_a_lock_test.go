package dialect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestStalledCheck(t *testing.T) {
	r := jvmFit(t, notALock(), jvmString("bull:orders:stalled-check", "1772625600000"), evidence.Certain)
	r.Learn(&r, Answers{
		"HGET bull:orders:meta version": jvmBulk("bullmq:6.7.0"), "LLEN bull:orders:active": jvmNumber(3), "SCARD bull:orders:stalled": jvmNumber(2),
	})
	d := r.Dialect
	if d.Form != "not a lock: when Bull or BullMQ last looked for stalled jobs in the queue orders" || d.Renews != evidence.NeverRenews || d.Lease != 0 {
		t.Errorf("%+v", d)
	}
	if len(d.Alive) != 1 || !d.Alive[0].Beat.Equal(jvmNoon()) || d.Alive[0].Dead {
		t.Errorf("%+v", d.Alive)
	}
	if !slices.Contains(r.Because, "its queue says bullmq:6.7.0") || !jvmNoted(d, "3 jobs are active; 2 of") {
		t.Errorf("%q, %q", r.Because, d.Notes)
	}
	jvmFit(t, notALock(), jvmString("{bull}:orders:stalled-check", "1772625600000"), evidence.Certain)
}

func TestLockSignal(t *testing.T) {
	s := Shape{Key: "lock-signal:orders", Type: "list", Members: []string{"1"}, Left: 700 * time.Millisecond}
	r := jvmFit(t, notALock(), s, evidence.Certain)
	if got, want := r.Dialect.Form, "not a lock: python-redis-lock's signal that lock:orders was released"; got != want {
		t.Errorf("a %s, want %s", got, want)
	}
	r.Learn(&r, Answers{"EXISTS lock:orders": jvmNumber(0)})
	if !jvmNoted(r.Dialect, "lock:orders is not there") {
		t.Errorf("%q", r.Dialect.Notes)
	}
	r = notALock().Recognise(s)
	r.Learn(&r, Answers{"EXISTS lock:orders": jvmNumber(1), "PTTL lock:orders": jvmNumber(-1)})
	if !jvmNoted(r.Dialect, "is held, without an expiry") {
		t.Errorf("%q", r.Dialect.Notes)
	}
	r = notALock().Recognise(s)
	r.Learn(&r, Answers{"EXISTS lock:orders": jvmNumber(1), "PTTL lock:orders": jvmNumber(2500)})
	if !jvmNoted(r.Dialect, "is held, 2.5s left") {
		t.Errorf("%q", r.Dialect.Notes)
	}
	s.Left, s.Endless = 0, true
	if r := jvmFit(t, notALock(), s, evidence.FitsWell); !jvmNoted(r.Dialect, "no expiry") {
		t.Errorf("%q", r.Dialect.Notes)
	}
}

func TestNotALockNearMisses(t *testing.T) {
	for _, s := range []Shape{
		jvmString("bull:orders:stalled-check", "177262560000"),
		jvmString("bull:orders:stalled-check", "17726256000000"),
		jvmString("bull:orders:stalled-check", "177262560000x"),
		jvmString("bull:orders:stalled-check", "-172625600000"),
		jvmString("bull:orders:stalled-check", ""),
		jvmString("bull:orders:stalled", "1772625600000"),
		jvmString("orders:stalled-check", "1772625600000"),
		{Key: "bull:orders:stalled-check", Type: "list"},
		{Key: "lock-signal:orders", Type: "string", Value: "1"},
		{Key: "lock-signal:", Type: "list"},
		{Key: "lock-signals:orders", Type: "list"},
		{Key: "lock-signal:orders", Type: "list", Members: []string{"1", "2"}},
	} {
		jvmFit(t, notALock(), s, evidence.Misfit)
	}
}

func TestNotALockHostile(t *testing.T) {
	jvmSurvive(t, notALock(),
		jvmString("bull:orders:stalled-check", "1772625600000"),
		jvmString("bull:\x1b[31m"+strings.Repeat("q", 5000)+":stalled-check", "1772625600000"),
		Shape{Key: "lock-signal:\x1b[31m\xff", Type: "list"},
	)
}
