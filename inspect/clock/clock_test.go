package clock_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
)

const samples = "../../testdata/host"

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expect decodes the right values of one sample, which stand in
// testdata/host/expected.json.
func expect(t testing.TB, name string, into any) {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(read(t, "expected.json"), &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[name], into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func near(t *testing.T, what string, got time.Duration, want float64) {
	t.Helper()
	if math.Abs(got.Seconds()-want) > 1e-9 {
		t.Errorf("%s: got %v, want %v s", what, got, want)
	}
}

func TestAdjtimexSamples(t *testing.T) {
	decode := func(name string) evidence.Adjtimex {
		x, err := clock.DecodeAdjtimex(read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		return x.Adjtimex()
	}
	var unsync struct {
		MaxError float64 `json:"maxerror_s"`
	}
	expect(t, "31_clock/adjtimex.json", &unsync)
	got := decode("31_clock/adjtimex.json")
	equal(t, "synchronised", got.Synchronised(), false)
	near(t, "max error", got.MaxError, unsync.MaxError)

	var sync struct {
		Freq     float64 `json:"freq_ppm"`
		MaxError float64 `json:"maxerror_s"`
		Offset   float64 `json:"offset_s"`
		TAI      int
	}
	expect(t, "31_clock/adjtimex_sync.json", &sync)
	got = decode("31_clock/adjtimex_sync.json")
	equal(t, "synchronised", got.Synchronised(), true)
	near(t, "max error", got.MaxError, sync.MaxError)
	near(t, "offset, in nanoseconds here", got.Offset, sync.Offset)
	if math.Abs(got.FreqPPM-sync.Freq) > 1e-4 {
		t.Errorf("frequency %v, want %v", got.FreqPPM, sync.Freq)
	}
	equal(t, "tai", got.TAI, sync.TAI)
	near(t, "offset without the NANO bit", clock.FromTimex(0, 1, -412, 0, 0, 0, 0).Offset, -412e-6)
}

func TestAdjtimexKeepsInABundle(t *testing.T) {
	want := clock.Timex{State: 5, Status: 64, Offset: -7, Freq: 1, MaxError: 16000000, TAI: 37, Tick: 10000}
	b, err := clock.EncodeAdjtimex(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := clock.DecodeAdjtimex(b)
	equal(t, "error", err, nil)
	equal(t, "value", got, want)
	for name, text := range map[string]string{"empty": "", "no state": `{"status":64}`, "no status": `{"state":0}`, "text": `{"state":"OK","status":1}`} {
		if got, err := clock.DecodeAdjtimex([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestNtpqSample(t *testing.T) {
	var want struct {
		Bound     float64 `json:"bound_ms"`
		Offset    float64 `json:"offset_ms"`
		RootDelay float64 `json:"rootdelay_ms"`
		RootDisp  float64 `json:"rootdisp_ms"`
		Freq      float64 `json:"frequency_ppm"`
		Leap      int
	}
	expect(t, "31_clock/ntpq_rv.txt", &want)
	got, err := clock.ParseNtpqRV(read(t, "31_clock/ntpq_rv.txt"))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "offset", got.Offset, want.Offset/1000)
	near(t, "root delay", got.RootDelay, want.RootDelay/1000)
	near(t, "root dispersion", got.RootDisp, want.RootDisp/1000)
	near(t, "bound", got.Bound(), want.Bound/1000)
	near(t, "jitter", got.Jitter, 0.000098)
	equal(t, "frequency", got.FreqPPM, want.Freq)
	equal(t, "leap", got.Leap, want.Leap)
	equal(t, "stratum", got.Stratum, 3)
	equal(t, "refid", got.RefID, "203.0.113.15")
	equal(t, "status word", got.Status, 0x0618)
	equal(t, "event: no_sys_peer", got.Event(), 8)
	equal(t, "synchronised", got.Synchronised(), true)
	for name, text := range map[string]string{
		"empty": "", "refused": "ntpq: read: Connection refused\n", "no offset": "leap=00, stratum=3\n",
		"leap word": "leap=none, stratum=3, offset=1\n",
	} {
		if got, err := clock.ParseNtpqRV([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestTimesyncSample(t *testing.T) {
	var want struct {
		Delay    float64 `json:"delay_s"`
		Freq     float64 `json:"frequency_ppm"`
		Offset   float64 `json:"offset_s"`
		Packets  int     `json:"packet_count"`
		Distance float64 `json:"root_distance_s"`
		Stratum  int
	}
	expect(t, "31_clock/timesync_status.txt", &want)
	got, err := clock.ParseTimesync(read(t, "31_clock/timesync_status.txt"))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "delay", got.Delay, want.Delay)
	near(t, "offset", got.Offset, want.Offset)
	near(t, "root distance", got.RootDistance, want.Distance)
	equal(t, "frequency", got.FreqPPM, want.Freq)
	equal(t, "packets", got.Packets, want.Packets)
	equal(t, "stratum", got.Stratum, want.Stratum)
	equal(t, "jitter", got.Jitter, 0)
	for span, want := range map[string]float64{"-1min 4,5s": -64.5, "+1d 2h": 93600, "221us": 221e-6, "1month": 2629800} {
		got, err := clock.ParseTimesync([]byte("Packet count: 1\nOffset: " + span + "\n"))
		equal(t, span, err, nil)
		near(t, span, got.Offset, want)
	}
	for name, text := range map[string]string{
		"empty": "", "no count": "Server: x\n", "no unit": "Packet count: 1\nOffset: 5\n",
		"prose": "Packet count: 1\nOffset: some ms\n", "NaN": "Packet count: 1\nOffset: NaNs\n",
	} {
		if got, err := clock.ParseTimesync([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestW32tmSample(t *testing.T) {
	var want struct {
		Leap      int
		Phase     float64 `json:"phase_offset_s"`
		RootDelay float64 `json:"root_delay_s"`
		RootDisp  float64 `json:"root_dispersion_s"`
		Stratum   int
	}
	expect(t, "31_clock/w32tm_status.txt", &want)
	got, err := clock.ParseW32tm(read(t, "31_clock/w32tm_status.txt"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "leap", got.Leap, want.Leap)
	equal(t, "stratum", got.Stratum, want.Stratum)
	equal(t, "source", got.Source, "ntp1.example.net")
	equal(t, "synchronised", got.Synchronised(), true)
	near(t, "phase", *got.Phase, want.Phase)
	near(t, "root delay", got.RootDelay, want.RootDelay)
	near(t, "root dispersion", got.RootDisp, want.RootDisp)
	brief, err := clock.ParseW32tm([]byte("Leap Indicator: 0(no warning)\nStratum: 3 (x)\nRoot Dispersion: 7.7s\n"))
	equal(t, "error without /verbose", err, nil)
	equal(t, "phase without /verbose", brief.Phase, nil)
	if got, err := clock.ParseW32tm([]byte("Sprungindikator: 0(keine Warnung)\nStratum: 3\n")); err == nil {
		t.Errorf("another language: read as %+v", got)
	}
}
