package dialect

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestLaravelByName(t *testing.T) {
	const owner = "aB3dE5fG7hJ9kL1m"
	sum := strings.Repeat("0a", 20)
	for _, c := range []struct {
		key, form string
		lease     time.Duration
	}{
		{"laravel_database_laravel_cache_laravel_unique_job:App\\Jobs\\Sync:7", "unique job", 0},
		{"shop-database-shop-cache-laravel-queue-overlap:App\\Jobs\\Sync:7", "job that must not overlap", 0},
		{"laravel_database_framework/schedule-" + sum, "scheduled command", 24 * time.Hour},
		{"framework/schedule-" + sum + "0312", "scheduled command on one server", time.Hour},
	} {
		for name, value := range map[string]string{
			"as it is": owner, "by PHP": "s:16:\"" + owner + "\";", "by igbinary": "\x00\x00\x00\x02\x11\x10" + owner, "by MessagePack": "\xb0" + owner,
		} {
			r := wantFit(t, laravel(), expiring(c.key, value), evidence.Certain)
			if d := r.Dialect; d.Form != c.form || d.Lease != c.lease || d.Holders[0].Text != owner || !d.Endless || d.RenewEvery != 0 || d.Renews != evidence.NeverRenews {
				t.Errorf("%s %s: %+v", c.key, name, d)
			}
		}
	}
}

func TestLaravelByPrefix(t *testing.T) {
	const owner = "aB3dE5fG7hJ9kL1m"
	r := wantFit(t, laravel(), expiring("laravel-database-laravel-cache-orders", owner), evidence.FitsWell)
	if !strings.Contains(strings.Join(r.Because, " "), "since version 13") || r.Dialect.Renews != evidence.ByCall || r.Dialect.Lease != 0 {
		t.Errorf("it says %+v because %q", r.Dialect, r.Because)
	}
	wantFit(t, laravel(), expiring("shop_database_shop_cache_orders", owner), evidence.FitsWell)
	// What the cache keeps is serialized too: a text in it is no lock.
	wantFit(t, laravel(), expiring("shop_database_shop_cache_orders", "s:16:\""+owner+"\";"), evidence.Possible)
	endless := expiring("orders", owner)
	endless.Endless = true
	wantFit(t, laravel(), endless, evidence.Possible)
	slot := wantFit(t, laravel(), expiring("laravel_database_exports3", "aB3dE5fG7hJ9kL1mN2p4"), evidence.FitsWell)
	if slot.Dialect.Form != "slot of a funnel" {
		t.Errorf("a slot: %+v", slot.Dialect)
	}
	if keys := laravel().Keys("orders"); keys[0] != "laravel-database-laravel-cache-orders" || keys[len(keys)-1] != "orders" {
		t.Errorf("keys %q", keys)
	}
}

func TestLaravelNearMisses(t *testing.T) {
	const owner = "aB3dE5fG7hJ9kL1m"
	hash := expiring("laravel_unique_job:X", owner)
	hash.Type = "hash"
	for name, s := range map[string]Shape{
		"another type":       hash,
		"one less":           expiring("laravel_unique_job:X", owner[1:]),
		"not alphanumeric":   expiring("laravel_unique_job:X", owner[1:]+"-"),
		"serialized length":  expiring("laravel_unique_job:X", "s:17:\""+owner+"\";"),
		"20 without a slot":  expiring("laravel_database_exports", "aB3dE5fG7hJ9kL1mN2p4"),
		"20 without a name":  expiring("exports3", "aB3dE5fG7hJ9kL1mN2p4"),
		"16 raw bytes":       expiring("k", strings.Repeat("\x00", 16)),
		"what the cache has": expiring("laravel_database_laravel_cache_k", "i:7;"),
	} {
		if r := laravel().Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	if r := wantFit(t, laravel(), expiring("framework/schedule-"+strings.Repeat("0g", 20), owner), evidence.Possible); r.Dialect.Form != "lock" {
		t.Errorf("a schedule of no digest: %+v", r.Dialect)
	}
	survive(t, laravel(), expiring("laravel_unique_job:X", owner))
}
