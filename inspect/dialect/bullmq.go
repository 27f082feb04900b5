package dialect

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// BullMQ: PREFIX:QUEUE:JOB:lock with WORKER:COUNT, the worker's UUID and how many jobs
// it had fetched (in Python without dashes), or the token of a program that fetches
// jobs itself. A timer of the worker looks every quarter of a lease for locks that
// were not extended in that time; an event loop that is blocked extends nothing.
func bullMQ() Dialect {
	// No clients: its ports to other languages bring their own.
	return Dialect{Name: "bullmq", Keys: bullKeys, Recognise: func(s Shape) Reading {
		k, ok := bullKeyOf(s.Key)
		if s.Type != "string" || !ok || s.Value == "" || len(s.Value) > 256 {
			return misfit
		}
		fit, why := bullMQToken(s.Value, k.own)
		if fit == evidence.Misfit {
			return misfit
		}
		r := k.reading(s, fit, why)
		r.Learn = func(r *Reading, a Answers) {
			if bullVersion(r, a, k) {
				r.Fit = evidence.Certain
			}
			k.learn(r, a)
		}
		return r
	}}
}

// bullMQToken says how well a value fits under a job's key.
func bullMQToken(value string, own bool) (evidence.Fit, string) {
	worker, count, ok := strings.Cut(value, ":")
	_, dashed := uuid(worker)
	ok = ok && count != "" && strings.Trim(count, "0123456789") == ""
	switch {
	case ok && dashed:
		return evidence.Certain, "the key is a job's lock, the value a worker's UUID and a count"
	case ok && of(worker, 32, lowerHex) && own:
		return evidence.Certain, "the key is a job's lock, the value a Python worker's UUID and a count"
	case ok && of(worker, 32, lowerHex):
		return evidence.FitsWell, "the key is a job's lock, the value a Python worker's UUID and a count"
	}
	version, plain := uuid(value)
	switch {
	case !own:
		return evidence.Misfit, ""
	case plain && version == 4: // Bull's
		return evidence.Possible, "the key is a job's lock, the value a token of the program's own"
	}
	return evidence.FitsWell, "the key is a job's lock, the value a token of the program's own"
}
