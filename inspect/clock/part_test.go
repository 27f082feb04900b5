package clock

import (
	"testing"
	"time"
)

func TestTrackingPart(t *testing.T) {
	for name, tt := range map[string]struct {
		text       string
		correction time.Duration
		leap       string
		ok         bool
	}{
		"two lines":          {"System time     : 0.000120 seconds slow of NTP time\nLeap status     : Normal\n", 120 * time.Microsecond, "normal", true},
		"carriage returns":   {"System time     : 2.5 seconds fast of NTP time\r\n", -2500 * time.Millisecond, "", true},
		"one line damaged":   {"System time     : soon\nLeap status     : Not synchronised\n", 0, "unsynchronised", true},
		"no line of it":      {"506 Cannot talk to daemon\n", 0, "", false},
		"another's labels":   {"Local time: now\n", 0, "", false},
		"nothing":            {"", 0, "", false},
		"a negative bound":   {"Root delay : -4.0 seconds\n", 0, "", false},
		"a label in a title": {"== System time : 4 ==\n", 0, "", false},
	} {
		got, err := ParseTrackingPart([]byte(tt.text))
		if (err == nil) != tt.ok || got.Correction != tt.correction || got.Leap != tt.leap {
			t.Errorf("%s: %v %+v", name, err, got)
		}
	}
}

func TestNtpqPeers(t *testing.T) {
	const head = "     remote           refid      st t when poll reach   delay   offset  jitter\n==============================================================================\n"
	for name, tt := range map[string]struct {
		rows   string
		chosen string
		offset time.Duration
		count  int
	}{
		"one followed":   {"+10.0.0.2 .GPS. 1 u 3 64 377 0.1 9.000 0.1\n*10.0.0.1 .GPS. 1 u 33 64 377 0.123 -1.500 0.020\n", "10.0.0.1", -1500 * time.Microsecond, 2},
		"none followed":  {" 10.0.0.1 .INIT. 16 u - 64 0 0.000 0.000 0.000\n", "", 0, 1},
		"a pulse":        {"oPPS(0) .PPS. 0 l 3 16 377 0.000 0.002 0.001\n", "PPS(0)", 2 * time.Microsecond, 1},
		"a damaged row":  {"*10.0.0.1 .GPS. 1 u 33 64 377 0.123 soon 0.020\n", "", 0, 1},
		"a row cut off":  {"*10.0.0.1 .GPS. 1\n", "", 0, 0},
		"an empty table": {"", "", 0, 0},
	} {
		got, err := ParseNtpqPeers([]byte(head + tt.rows))
		if err != nil || got.Chosen != tt.chosen || got.Offset != tt.offset || got.Rows != tt.count {
			t.Errorf("%s: %v %+v", name, err, got)
		}
	}
	if _, err := ParseNtpqPeers([]byte("ntpq: read: Connection refused\n")); err == nil {
		t.Error("a refusal was read as a table")
	}
}

func TestTimedatectl(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want Timedatectl
		ok   bool
	}{
		"a new one": {"                Time zone: Europe/Berlin (CEST, +0200)\nSystem clock synchronized: yes\n              NTP service: active\n",
			Timedatectl{Synced: true, Told: true, Active: true, Zone: "Europe/Berlin", Offset: "+0200"}, true},
		"an old one": {"        Timezone: Etc/UTC (UTC, +0000)\n     NTP enabled: yes\nNTP synchronized: no\n",
			Timedatectl{Told: true, Active: true, Zone: "Etc/UTC", Offset: "+0000"}, true},
		"show":           {"Timezone=Asia/Tokyo\nNTP=no\nNTPSynchronized=yes\n", Timedatectl{Synced: true, Told: true, Zone: "Asia/Tokyo"}, true},
		"a refusal":      {"Failed to connect to bus: No such file or directory\n", Timedatectl{}, false},
		"a broken zone":  {"Time zone: x (y, z)\n", Timedatectl{Zone: "x"}, true},
		"nothing at all": {"", Timedatectl{}, false},
	} {
		got, err := ParseTimedatectl([]byte(tt.text))
		if (err == nil) != tt.ok || got != tt.want {
			t.Errorf("%s: %v %+v", name, err, got)
		}
	}
}

func TestNtpstat(t *testing.T) {
	for name, tt := range map[string]struct {
		text   string
		synced bool
		bound  time.Duration
		ok     bool
	}{
		"kept":      {"synchronised to NTP server (10.0.0.1) at stratum 3\n   time correct to within 38 ms\n   polling server every 64 s\n", true, 38 * time.Millisecond, true},
		"spelled z": {"synchronized to NTP server\n", true, 0, true},
		"not kept":  {"unsynchronised\n  time server re-starting\n", false, 0, true},
		"a refusal": {"Unable to talk to NTP daemon. Is it running?\n", false, 0, false},
	} {
		synced, bound, err := ParseNtpstat([]byte(tt.text))
		if (err == nil) != tt.ok || synced != tt.synced || bound != tt.bound {
			t.Errorf("%s: %v %v %v", name, err, synced, bound)
		}
	}
}

// No bytes make the readers of parts panic.
func FuzzParts(f *testing.F) {
	f.Add([]byte("System time : 1 seconds slow of NTP time\n====\n*a b 1 u 3 64 377 0.1 9 0.1\nTime zone: x (y, +0200)\nsynchronised correct to within 3 ms"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := ParseTrackingPart(b); err == nil && v.Bound() < 0 {
			t.Errorf("a negative bound: %+v", v)
		}
		if v, _ := ParseNtpqPeers(b); v.Chosen != "" && v.Rows == 0 {
			t.Errorf("%+v", v)
		}
		if v, err := ParseTimedatectl(b); err != nil && v != (Timedatectl{}) {
			t.Errorf("%v, and yet %+v", err, v)
		}
		if synced, bound, err := ParseNtpstat(b); err != nil && synced || bound < 0 {
			t.Error(synced, bound, err)
		}
	})
}
