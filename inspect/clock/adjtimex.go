package clock

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// staNano is the status bit that makes offset nanoseconds instead of
// microseconds (adjtimex(2)). Everything else keeps its unit.
const staNano = 0x2000

// A Timex is the reply to adjtimex(2) with modes 0, in the kernel's own units,
// as it is kept in a bundle.
type Timex struct {
	State     int   `json:"state"` // the call's result: 0 OK, 1 INS, 2 DEL, 3 OOP, 4 WAIT, 5 ERROR
	Modes     int   `json:"modes"` // always zero: nothing was set
	Offset    int64 `json:"offset"`
	Freq      int64 `json:"freq"`     // ppm × 65536
	MaxError  int64 `json:"maxerror"` // microseconds
	EstError  int64 `json:"esterror"` // microseconds
	Status    int   `json:"status"`   // STA_ bits
	Constant  int64 `json:"constant"`
	Precision int64 `json:"precision"` // microseconds
	Tolerance int64 `json:"tolerance"` // ppm × 65536
	Tick      int64 `json:"tick"`      // microseconds between ticks
	TAI       int   `json:"tai"`       // seconds TAI is ahead of UTC; zero where nobody told the kernel
}

// Adjtimex converts the reply to plain units.
func (t Timex) Adjtimex() evidence.Adjtimex {
	return FromTimex(t.State, t.Status, t.Offset, t.Freq, t.MaxError, t.EstError, t.TAI)
}

// FromTimex converts the raw fields of struct timex.
func FromTimex(state, status int, offset, freq, maxerror, esterror int64, tai int) evidence.Adjtimex {
	unit := time.Microsecond
	if status&staNano != 0 {
		unit = time.Nanosecond
	}
	return evidence.Adjtimex{
		State: state, Status: status, TAI: tai,
		Offset:   units(float64(offset), unit),
		MaxError: units(float64(maxerror), time.Microsecond),
		EstError: units(float64(esterror), time.Microsecond),
		FreqPPM:  float64(freq) / 65536,
	}
}

// EncodeAdjtimex is the raw form a bundle keeps: one line of JSON.
func EncodeAdjtimex(t Timex) ([]byte, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encode adjtimex: %w", err)
	}
	return append(b, '\n'), nil
}

// DecodeAdjtimex reads what EncodeAdjtimex wrote.
func DecodeAdjtimex(b []byte) (Timex, error) {
	var none Timex
	if err := bounded("adjtimex", b); err != nil {
		return none, err
	}
	// Pointers tell a field that is missing from a kernel that said zero:
	// state 0 would claim a clock that is kept.
	var must struct{ State, Status *int }
	if err := json.Unmarshal(b, &must); err != nil {
		return none, fmt.Errorf("decode adjtimex: %w", err)
	}
	if must.State == nil || must.Status == nil {
		return none, fmt.Errorf("decode adjtimex: no state or no status")
	}
	var t Timex
	if err := json.Unmarshal(b, &t); err != nil {
		return none, fmt.Errorf("decode adjtimex: %w", err)
	}
	return t, nil
}
