package evidence

// A Lane is whose doing an event was: the row it stands in when the incident is
// drawn.
type Lane string

const (
	LaneCoordinator Lane = "coordinator"
	LaneLease       Lane = "lease"
	LaneOwner       Lane = "owner"
	LanePath        Lane = "path" // between the owner and the coordinator
	LaneRenewer     Lane = "renewer"
	LaneContender   Lane = "contender"
	LaneResource    Lane = "resource" // what the lock protects
	LaneHost        Lane = "host"
	LaneClock       Lane = "clock"
)

// An Event is one line of timeline.ndjson: something that happened, and within
// which stretch of time. Events are in the order of their intervals' middles,
// which is for reading only: intervals that overlap are unordered.
type Event struct {
	At     Interval `json:"at"`
	What   string   `json:"what"` // one word: acquired, renewed, killed, expired, …
	Lane   Lane     `json:"lane"`
	Text   string   `json:"text"`             // one clause for people
	Source string   `json:"source,omitempty"` // the reading it was taken from
}
