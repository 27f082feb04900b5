// Package pasted turns what people already have into what a live capture would
// have recorded: terminal transcripts, whole files and logs become probes and
// raw bytes, so that everything after it, parser, rules and bundle, is the same.
//
// It goes in four steps. The grammar ([transcript]) splits the text into commands
// and what they printed. The commands are understood one by one, and whatever
// tells a time marks a clock. From the marks and the order [reckon] finds when
// each thing was read, as an interval. Then each entry is recorded under the name
// of the live probe it stands for; what has no live counterpart under a name of
// its own, with the command as typed; what nobody understands as unsupported, in
// full. Nothing is dropped, and nothing is fatal.
package pasted

import (
	"io"
	"slices"
	"sync"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

// A Text is one pasted transcript.
type Text struct {
	Name string // for people: a file's name, or - for stdin
	From io.Reader
}

// Options say what is judged and what the responder knows.
type Options struct {
	Tool     string
	Subject  evidence.Subject // Redis may be empty: then it is the node that was asked about the key
	Contract evidence.Contract
	Host     string         // the owner's host, where somebody said it
	Zone     *time.Location // where times without a zone were written; nil: nobody said
	ZoneName string
	At       time.Time // the past moment that is asked about; zero: the end of the evidence
	Ticket   string
	Note     string
	Files    []File
	Mappings []string                                 // how events that are not NDJSON are read: names of ready-made mappings, or files; none: each is tried
	Read     func(name string) (io.ReadCloser, error) // opens a mapping's file; nil: only ready-made ones are known
}

// A Result is what a capture would have brought home, and what the import has to
// say about itself.
type Result struct {
	Capture evidence.Capture
	Probes  []evidence.Probe
	Raw     map[string][]byte
	Entries int      // commands found
	Unknown []string // those nobody understands, as "line 12: foo --bar"
	Notes   []string // what is wrong with whole files, as "--aof FILE: it is empty"
	Unread  *Unread  // nil unless not one prompt was recognised in texts that are not empty
}

// Import reads the texts and files. A reader that fails with context.Canceled was
// interrupted: what came of a text until then is taken, a whole file that was not
// read to its end is left out, and Capture.Cut says which.
func Import(texts []Text, opts Options) (Result, error) {
	im := &importer{opts: opts, raw: map[string][]byte{}, met: map[string]bool{}}
	for i, t := range texts {
		im.text = i
		if err := im.scan(t); err != nil {
			return Result{}, err
		}
		im.terminals = im.lastTerminal() + 1
	}
	im.settle()
	if err := im.takeFiles(); err != nil {
		return Result{}, err
	}
	im.emit()
	im.placeFiles()
	im.noteRepeats()
	return im.result(), nil
}

// An importer is one import under way.
type importer struct {
	opts      Options
	text      int // number of the text being read
	terminals int // terminals of the texts before it
	kept      int64
	familiar  int             // commands that may be understood
	foreign   int             // those that are not, remarks and loose lines included
	passed    int             // those there was no room for
	beyond    []byte          // what of these is kept
	met       map[string]bool // hosts, as prompts name them
	entries   []entry
	moments   moments
	hidden    map[string]bool // hosts whose /proc hides other users' processes from whoever looked

	ups     map[string]*upRun // of each node
	stepped map[int]bool      // entries since which a host's wall clock had been set
	repeats int               // commands that were pasted twice
	epoch   int               // grows at every look at the lock and every date
	asked   bool              // a script of ours looked, and said at whom
	peers   peers             // who holds the sockets to the coordinator
	found   survey
	names   map[string]string             // of the vantages, by host
	asker   func() (host string, ok bool) // the first host but the owner's that Redis was asked from
	files   map[int][]shell.File          // what the files of an entry show, by entry: several questions ask
	node    string                        // the Redis node that is judged
	owner   string                        // the owner's host
	inside  string                        // the container on it whose pids are the owner's; empty: they are the host's own
	pods    map[string]*room              // the pods that somebody went into, by the host they stand for
	rooms   map[eye]*room                 // the containers of a host that somebody went into
	axis    axis

	probes  []evidence.Probe
	raw     map[string][]byte
	unknown []string
	pids    []evidence.Candidate
	looks   map[int]*procLooks

	whole  []evidence.Probe   // of whole files, which have no time of their own
	more   []evidence.Vantage // that no shell of the text has
	latest time.Time          // the latest date in the files, where there is no text
	notes  []string           // what is wrong with them
	cut    []string           // what an interrupt left unread
}

// lastTerminal is the highest terminal number taken so far, -1 for none.
func (im *importer) lastTerminal() int {
	last := -1
	for _, e := range im.entries {
		last = max(last, e.Terminal)
	}
	return last
}

// settle decides what the text is about: which node, whose host, and when.
func (im *importer) settle() {
	im.asker = sync.OnceValues(im.firstAsker)
	im.dropRepeats()
	im.takeAsked()
	im.tellRooms()
	im.chooseNode()
	im.chooseOwner()
	im.askFromOwner()
	im.surveyFiles()
	im.noteTimes()
	im.axis = im.moments.axis(im.node)
}

// result is what was recorded, in the order of time.
func (im *importer) result() Result {
	c := evidence.Capture{
		Schema: evidence.CaptureSchema, Tool: im.opts.Tool, Subject: im.opts.Subject, Contract: im.opts.Contract,
		Ticket: im.opts.Ticket, Note: im.opts.Note, At: im.opts.At, Zone: im.opts.ZoneName, Vantages: im.vantages(),
	}
	c.Subject.Redis, c.Cut = im.node, im.cutShort()
	slices.SortStableFunc(im.probes, func(a, b evidence.Probe) int { return int(a.Start.Boot - b.Start.Boot) })
	return Result{Capture: c, Probes: im.probes, Raw: im.raw, Entries: len(im.entries), Unknown: im.unknown, Unread: im.unread(), Notes: im.notes}
}
