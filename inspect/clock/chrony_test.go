package clock_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/inspect/clock"
)

func TestTrackingText(t *testing.T) {
	var want struct {
		Bound     float64 `json:"bound_s"`
		Freq      float64 `json:"freq_ppm"`
		Name      string
		Ahead     float64 `json:"ntp_minus_system_s"`
		RefID     string
		RootDelay float64 `json:"root_delay_s"`
		RootDisp  float64 `json:"root_dispersion_s"`
		Stratum   int
	}
	const file = "30_chrony/tracking_4.x.txt"
	expect(t, file, &want)
	got, err := clock.ParseTrackingText(read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "correction", got.Correction, want.Ahead)
	near(t, "bound", got.Bound(), want.Bound)
	near(t, "root delay", got.RootDelay, want.RootDelay)
	near(t, "root dispersion", got.RootDisp, want.RootDisp)
	near(t, "last offset", got.LastOffset, -0.400006747)
	near(t, "interval", got.Interval, 64.2)
	equal(t, "frequency", got.FreqPPM, want.Freq)
	equal(t, "reference", got.RefID, want.RefID)
	equal(t, "name", got.Name, want.Name)
	equal(t, "stratum", got.Stratum, want.Stratum)
	equal(t, "leap", got.Leap, "normal")
	equal(t, "reference time", got.RefTime, time.Date(2026, 3, 3, 2, 13, 11, 0, time.UTC))
	equal(t, "synchronised", got.Synchronised(), true)
}

func TestTrackingTextOfOldChrony(t *testing.T) {
	var want struct {
		Freq      float64 `json:"freq_ppm"`
		Ahead     float64 `json:"ntp_minus_system_s"`
		RefID     string  `json:"refid_hex"`
		Quad      string  `json:"refid_quad"`
		RootDelay float64 `json:"root_delay_s"`
	}
	const file = "30_chrony/tracking_1.31.txt"
	expect(t, file, &want)
	got, err := clock.ParseTrackingText(read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "correction", got.Correction, want.Ahead)
	near(t, "root delay", got.RootDelay, want.RootDelay)
	equal(t, "frequency", got.FreqPPM, want.Freq)
	equal(t, "reference", got.RefID, want.RefID)
	equal(t, "name", got.Name, want.Quad)
}

func TestTrackingTextUnsynchronised(t *testing.T) {
	got, err := clock.ParseTrackingText(read(t, "30_chrony/tracking_unsync.txt"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "synchronised", got.Synchronised(), false)
	equal(t, "leap", got.Leap, "unsynchronised")
	equal(t, "correction", got.Correction, 0)
}

func TestTrackingTextRefuses(t *testing.T) {
	whole := string(read(t, "30_chrony/tracking_4.x.txt"))
	for name, text := range map[string]string{
		"empty":       "",
		"no daemon":   "506 Cannot talk to daemon\n",
		"cut":         whole[:strings.Index(whole, "Root delay")],
		"no sign":     strings.Replace(whole, "0.412006523 seconds", "much", 1),
		"NaN":         strings.Replace(whole, "0.412006523", "NaN", 1),
		"other leap":  strings.Replace(whole, "Normal", "Maybe", 1),
		"no refid":    strings.Replace(whole, "CB00710F (ntp1.example.net)", "", 1),
		"negative":    strings.Replace(whole, "0.001100737", "-0.001100737", 1),
		"odd stratum": strings.Replace(whole, "Stratum         : 3", "Stratum         : three", 1),
	} {
		if got, err := clock.ParseTrackingText([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestTrackingCSV(t *testing.T) {
	got, err := clock.ParseTrackingCSV(read(t, "30_chrony/tracking.csv"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := clock.ParseTrackingText(read(t, "30_chrony/tracking_4.x.txt"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "reference time", got.RefTime, time.Unix(1772503991, 373914651).UTC())
	got.RefTime = text.RefTime // the text has whole seconds
	equal(t, "both forms", got, text)
	for name, text := range map[string]string{
		"empty": "", "short": "CB00710F,ntp1,3\n", "a name": "CB00710F,n,x,1,0,0,0,0,0,0,0,0,0,Normal\n",
		"Inf": "CB00710F,n,3,1,Inf,0,0,0,0,0,0,0,0,Normal\n", "year": "CB00710F,n,3,999999999999999,0,0,0,0,0,0,0,0,0,Normal\n",
		"sign in the fraction": "CB00710F,n,3,1.-5,0,0,0,0,0,0,0,0,0,Normal\n",
	} {
		if got, err := clock.ParseTrackingCSV([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func reply(t testing.TB) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.TrimSpace(string(read(t, "30_chrony/tracking_reply.hex"))))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDecodeTracking(t *testing.T) {
	var want struct {
		Correction float64 `json:"current_correction"`
		Freq       float64 `json:"freq_ppm"`
		Interval   float64
		IP         string
		Last       float64 `json:"last_offset"`
		Len        int
		Resid      float64
		RMS        float64
		RootDelay  float64 `json:"root_delay"`
		RootDisp   float64 `json:"root_disp"`
		Skew       float64
		Stratum    int
	}
	expect(t, "30_chrony/tracking_reply.hex", &want)
	raw := reply(t)
	equal(t, "length", len(raw), want.Len)
	got, err := clock.DecodeTracking(raw)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "correction", got.Correction, want.Correction)
	near(t, "last offset", got.LastOffset, want.Last)
	near(t, "rms", got.RMSOffset, want.RMS)
	near(t, "root delay", got.RootDelay, want.RootDelay)
	near(t, "root dispersion", got.RootDisp, want.RootDisp)
	near(t, "interval", got.Interval, want.Interval)
	equal(t, "frequency", got.FreqPPM, want.Freq)
	equal(t, "residual", got.ResidPPM, want.Resid)
	equal(t, "skew", got.SkewPPM, want.Skew)
	equal(t, "stratum", got.Stratum, want.Stratum)
	equal(t, "name", got.Name, want.IP)
	equal(t, "leap", got.Leap, "normal")
	equal(t, "reference", got.RefID, "CB00710F")
	equal(t, "reference time", got.RefTime, time.Unix(1772503991, 373914651).UTC())
}

func TestDecodeTrackingRefuses(t *testing.T) {
	damaged := func(at int, bytes string) []byte {
		b := reply(t)
		copy(b[at:], bytes)
		return b
	}
	for name, b := range map[string][]byte{
		"empty":                  nil,
		"cut":                    reply(t)[:60],
		"unauthorised":           damaged(8, "\x00\x02"),
		"answer to another":      damaged(6, "\x00\x0c"),
		"another age":            damaged(56, "\x7f\x00\x00\x00"),
		"negative root delay":    damaged(92, "\xd7"),
		"negative of dispersion": damaged(96, "\xd7"),
	} {
		if got, err := clock.DecodeTracking(b); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestChronydLog(t *testing.T) {
	var want struct {
		Step float64 `json:"step_s"`
	}
	expect(t, "30_chrony/chronyd_journal.log", &want)
	var got []clock.Notice
	for line := range strings.Lines(string(read(t, "30_chrony/chronyd_journal.log"))) {
		n, ok := clock.ParseChronydLine(line)
		if !ok {
			t.Errorf("not recognised: %s", line)
		}
		got = append(got, n)
	}
	for i, kind := range []string{"wrong", "stepped", "jump-forward", "unsynchronised"} {
		equal(t, "kind", got[i].Kind, kind)
	}
	near(t, "wrong by", got[0].By, want.Step)
	near(t, "stepped by", got[1].By, want.Step)
	equal(t, "text", got[2].Text, "Forward time jump detected!")

	for line, kind := range map[string]string{
		"chronyd[1]: Backward time jump detected!":                  "jump-backward",
		"chronyd[1]: System clock was stepped for leap second":      "leap",
		"chronyd[1]: System clock was stepped by -0.500000 seconds": "stepped",
		"chronyd[1]: Selected source 203.0.113.15":                  "",
	} {
		n, _ := clock.ParseChronydLine(line)
		equal(t, line, n.Kind, kind)
	}
}
