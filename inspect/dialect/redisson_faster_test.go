package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Two values, one held by each client, the second's time over.
func fasterFields() []string {
	x, y := "q83vEjRWeJCrze8SNFZ4kA", "AAAAAAAAAAAAAAAAAAAAAA"
	here, over := noon().Add(25*time.Second).UnixMilli(), noon().Add(-time.Second).UnixMilli()
	return []string{
		x, clientA + ":57", x + ":" + clientA + ":57:expire_time", fmt.Sprint(here), x + ":" + clientA + ":57:lock_count", "2",
		y, clientB + ":9", y + ":" + clientB + ":9:expire_time", fmt.Sprint(over), y + ":" + clientB + ":9:lock_count", "1",
	}
}

func TestRedissonFaster(t *testing.T) {
	r := wantFit(t, redisson(), redissonShape("class_100", fasterFields()...), evidence.Certain)
	want := []evidence.Locker{
		{Text: clientA + ":57", Thread: "57", Holds: 2, Ends: noon().Add(25 * time.Second)},
		{Text: clientB + ":9", Thread: "9", Holds: 1, Ends: noon().Add(-time.Second)},
	}
	d := r.Dialect
	if d.Form != "faster multi lock" || !slices.Equal(d.Holders, want) {
		t.Errorf("a %s of %+v", d.Form, d.Holders)
	}
	if !noted(d, "2 values") || !noted(d, "1 of them have ended") || d.Renews != evidence.ByDefault || d.Lease != 30*time.Second {
		t.Errorf("notes %q, %s, %v", d.Notes, d.Renews, d.Lease)
	}
	// one thread that holds many values is one holder
	fields := fasterFields()
	for i, f := range fields {
		fields[i] = strings.Replace(f, clientB+":9", clientA+":57", 1)
	}
	if d := redisson().Recognise(redissonShape("class_100", fields...)).Dialect; len(d.Holders) != 1 || d.Holders[0] != want[0] {
		t.Errorf("%+v", d.Holders)
	}
}

func TestRedissonFasterNearMisses(t *testing.T) {
	good := fasterFields()
	change := func(old, new string) Shape {
		fields := slices.Clone(good)
		for i := range fields {
			fields[i] = strings.Replace(fields[i], old, new, 1)
		}
		return redissonShape("class_100", fields...)
	}
	for name, s := range map[string]Shape{
		"a hash too short":  change("q83vEjRWeJCrze8SNFZ4kA", "q83vEjRWeJCrze8SNFZ4k"),
		"a hash too long":   change("q83vEjRWeJCrze8SNFZ4kA", "q83vEjRWeJCrze8SNFZ4kAA"),
		"spare bits":        change("q83vEjRWeJCrze8SNFZ4kA", "q83vEjRWeJCrze8SNFZ4kB"),
		"another end":       change(":expire_time", ":expires"),
		"another count":     change(":lock_count", ":count"),
		"another holder":    change(clientA, "8743c9c0"),
		"an end in words":   change(fmt.Sprint(noon().Add(25*time.Second).UnixMilli()), "soon"),
		"only the holders":  redissonShape("k", good[0], good[1], good[6], good[7]),
		"one field of many": redissonShape("k", append(slices.Clone(good), "name", "orders")...),
	} {
		t.Run(name, func(t *testing.T) { wantFit(t, redisson(), s, evidence.Misfit) })
	}
}
