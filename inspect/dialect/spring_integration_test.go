package dialect

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestSpringIntegration(t *testing.T) {
	r := wantFit(t, springIntegration(), expiring("ledger:orders/7", clientA), evidence.Possible)
	d := r.Dialect
	if d.Form != "lock" || d.Lease != time.Minute || d.RenewEvery != 0 || d.Share != 0 || d.Renews != evidence.ByCall || d.Holders[0].Text != clientA {
		t.Errorf("%+v", d)
	}
	s := expiring("ledger:orders", clientA)
	s.Left = 90 * time.Second
	if d := springIntegration().Recognise(s).Dialect; d.Lease != 0 {
		t.Errorf("with 90 s left: lease %v", d.Lease)
	}
}

// springValue packs a value as 4.x does.
func springValue(host, lock, thread string, at time.Time) string {
	b := []byte{byte(len(host))}
	b = append(append(b, host...), byte(len(lock)))
	b = append(append(b, lock...), byte(len(thread)))
	return string(binary.BigEndian.AppendUint64(append(b, thread...), uint64(at.UnixMilli())))
}

func TestSpringIntegrationOld(t *testing.T) {
	r := wantFit(t, springIntegration(), expiring("ledger:orders:7", springValue("quince-3", "orders:7", "task-1", noon())), evidence.Certain)
	want := evidence.Locker{Text: "quince-3 task-1", Host: "quince-3", Thread: "task-1", Since: noon()}
	if r.Dialect.Holders[0] != want {
		t.Errorf("%+v", r.Dialect.Holders)
	}
	r = wantFit(t, springIntegration(), expiring("ledger:orders", springValue("quince-3", "orders", "\x1b[31m", noon())), evidence.Certain)
	if got := r.Dialect.Holders[0].Thread; got != `\x1b[31m` {
		t.Errorf("thread %q", got)
	}
}

func TestSpringIntegrationNearMisses(t *testing.T) {
	old := springValue("quince-3", "orders", "task-1", noon())
	for name, s := range map[string]Shape{
		"no registry":          expiring("orders", clientA),
		"an empty registry":    expiring(":orders", clientA),
		"an empty lock":        expiring("ledger:", clientA),
		"a letter off":         expiring("ledger:orders", clientA[:35]+"g"),
		"too short":            expiring("ledger:orders", clientA[:35]),
		"too long":             expiring("ledger:orders", clientA+"0"),
		"version 1":            expiring("ledger:orders", strings.Replace(clientA, "-4907-", "-1907-", 1)),
		"another variant":      expiring("ledger:orders", strings.Replace(clientA, "-87fd-", "-77fd-", 1)),
		"capitals":             expiring("ledger:orders", strings.ToUpper(clientA)),
		"a hash":               {Key: "ledger:orders", Type: "hash", Value: clientA},
		"old: another lock":    expiring("ledger:order", old),
		"old: a byte short":    expiring("ledger:orders", old[:len(old)-1]),
		"old: a byte more":     expiring("ledger:orders", old+"\x00"),
		"old: no host":         expiring("ledger:orders", springValue("", "orders", "task-1", noon())),
		"old: no time":         expiring("ledger:orders", springValue("quince-3", "orders", "task-1", time.UnixMilli(0))),
		"old: before any time": expiring("ledger:orders", springValue("quince-3", "orders", "task-1", time.UnixMilli(-1))),
		"old: a hostile host":  expiring("ledger:orders", springValue("\x1b[31m", "orders", "task-1", noon())),
		"old: a signed length": expiring("ledger:orders", "\xff"+strings.Repeat("a", 300)),
	} {
		t.Run(name, func(t *testing.T) { wantFit(t, springIntegration(), s, evidence.Misfit) })
	}
}

func TestSpringIntegrationHostile(t *testing.T) {
	survive(t, springIntegration(), expiring("ledger:orders", clientA))
}
