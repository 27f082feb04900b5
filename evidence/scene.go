package evidence

import "time"

// A Scene is one picture of an incident: lanes on one axis of time, the coordinator's
// clock. It is derived from a snapshot and its verdict, holds nothing that they do not,
// and is drawn by whoever knows how; it is not frozen.
type Scene struct {
	From, To time.Time // of the axis; both zero: nothing can be laid on one
	Lanes    []SceneLane
	Spans    []Bar       // from the disappearance to the safe release and to the safe transfer
	Axis     Axis        // the clock it is laid on
	Earlier  int         // events before the axis begins
	Later    int         // events after it ends
	Open     []OpenLabel // of an inconclusive verdict, in the order of the table
}

// An OpenLabel is one that the evidence leaves, and the answers by which it differs from
// the others that are left.
type OpenLabel struct {
	Label Label
	If    []Separation
}

// A Separation is a question, and the answers to it that fit: any of them.
type Separation struct {
	Question string
	Values   []string
}

// An Axis is the clock that a picture is laid on.
type Axis string

const (
	AxisCoordinator Axis = "coordinator" // its own, as everywhere
	AxisSteady      Axis = "steady"      // it moved: what it showed at the first look, carried on by the observer's steady clock
	AxisObserver    Axis = "observer"    // it never answered: the wall clock of whoever looked
)

// A SceneLane is one row of the picture.
type SceneLane struct {
	Lane  Lane
	Name  string  // for people, where one lane has several rows: a process, a thread
	Minor bool    // a row that says more of the one above it: a thread
	Bars  []Bar   // states, in their order
	Marks []Mark  // what happened at a moment
	Curve []Point // what was measured, in the order of time
	Unit  string  // of the curve: "s left", "ms", "%"
	Gauge string  // what the curve shows
}

// A Mark is an event, and where it stands on the axis.
type Mark struct {
	On Interval
	Event
}

// A Bar is a state that lasted. Between the two ends of Start, and of End, it may or
// may not have been.
type Bar struct {
	Start, End Interval
	State      BarState
	Text       string // one clause for people
}

// A BarState is what a bar shows.
type BarState string

const (
	BarHeld     BarState = "held"     // by the holder the incident is about
	BarOther    BarState = "other"    // by another holder
	BarAbsent   BarState = "absent"   // no such key, or no such process
	BarRunning  BarState = "running"  // on a CPU, or ready for one
	BarSleeping BarState = "sleeping" // waiting, as most processes do
	BarBlocked  BarState = "blocked"  // waits and cannot be interrupted
	BarStopped  BarState = "stopped"  // by a signal, a freezer or a tracer
	BarZombie   BarState = "zombie"
	BarAnswered BarState = "answered" // a server answered
	BarSilent   BarState = "silent"   // it did not
	BarSpan     BarState = "span"     // a stretch that people ask for
)

// A Point is one measured value, somewhere within Low and High.
type Point struct {
	At        Interval
	Low, High float64
	Ahead     bool // not seen: what would follow if nothing changed
	Gap       bool // nothing joins it to the point before: the value jumped, or nobody looked
}
