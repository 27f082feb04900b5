// Package evidence is the vocabulary every part of lockscene shares: what was
// read, what it is called, when it was, and what was concluded from it.
//
// Values flow one way. A capture reads bytes and records each read as a
// [Probe]; parsing turns the bytes into a [Snapshot] whose every field is a
// [Reading]; judging turns a Snapshot into a [Verdict]; a [Bundle] holds all of
// it, so that the same bytes can be parsed and judged again years later.
//
// In JSON a time.Duration is a whole number of nanoseconds, whatever it measures; other
// units stand in the comment of their field. The folder schema describes every document.
//
// # For a test harness
//
// A harness that was handed a bundle goes this way:
//
//  1. [Open] it, or [OpenChecked], which also says whether its bytes are those that
//     were frozen. Nothing in it is trusted: paths, sizes and depth are bounded.
//  2. [Rederive] it where the bundle comes from somebody else: its raw bytes are parsed
//     and judged again, and what does not follow from them is a [Problem]. [Verify]
//     says the same without handing the bundle on.
//  3. Ask its Snapshot. A [Reading] says whether a value was seen, was absent, or was
//     not read and why; [Reading.Get] gives it with a yes or no. Times are an
//     [Interval] on a named clock: neither [Interval.Before] nor [Interval.After] means
//     that the order is not known.
//  4. Judge it with classify.Judge, which takes a Snapshot and nothing else.
//  5. Hold it against a lease contract with classify/proof, whose answer is a [Proof].
//
// The package does no I/O beyond io.Reader, io.Writer and fs.FS, asks no clock,
// and imports no other package of this module.
package evidence

// Schema names, as they stand in the frozen files.
const (
	CaptureSchema  = "lockscene/capture/1"
	ProbesSchema   = "lockscene/probes/1"
	SnapshotSchema = "lockscene/snapshot/1"
	VerdictSchema  = "lockscene/verdict/1"
)

// Rules is the version of the judging rules. It changes when the same bytes may
// be parsed into another snapshot, or the same snapshot may get another verdict,
// so that "judged by other rules" can be told apart from "tampered with".
const Rules = 6
