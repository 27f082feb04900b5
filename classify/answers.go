package classify

import "github.com/lockscene/lockscene/evidence"

// A Question is one of the five of the method, with the answers it may get in the
// order in which they are listed.
type Question struct {
	Name    string
	Answers []string
}

// Questions are the five, as verdicts list them.
func Questions() []Question {
	return []Question{
		{"lease", []string{renewing, held, lapsing, lapsed, lost, released, endless, evidence.Unknown}},
		{"owner", []string{running, stalled, gone, evidence.Unknown}},
		{"path", []string{up, broken, evidence.Unknown}},
		{"clock", []string{steady, off, evidence.Unknown}},
		{"coordinator", []string{kept, broke, evidence.Unknown}},
	}
}
