package inspect

import (
	"strconv"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/language"
	"github.com/lockscene/lockscene/inspect/shell"
)

// parseRuntime reads what language runtimes say of their own stops.
func (p *parser) parseRuntime(name string, probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	switch name {
	case "gclog":
		p.parsePauses(probe, b)
	case "jstat":
		p.parseTotals(probe, b)
	case "dump":
		p.parseDumps(probe, b)
	}
}

// parsePauses finds pauses in a log, be it the collector's own or one it shares
// with the application.
func (p *parser) parsePauses(probe evidence.Probe, b []byte) {
	list, _ := language.Pauses(b, p.frame(probe)) // a log that tells of none is no failure
	h := &p.snap.Host
	for _, v := range list {
		if len(h.Pauses) < maxListed && p.logs.first("pause %v %d %s %s", v.At, v.Took, v.Kind, v.Text) {
			h.Pauses = append(h.Pauses, v)
		}
	}
}

// parseTotals takes the rows of jstat. It samples at an interval of its own, so
// every row but the last was printed somewhere in the command's time.
func (p *parser) parseTotals(probe evidence.Probe, b []byte) {
	rows, err := language.ParseJstat(b)
	if err != nil {
		return
	}
	pid := pidIn(probe, "jstat")
	h := &p.snap.Host
	for _, r := range rows {
		r.Span, r.Pid = spanOf(probe), pid
		if len(h.Collectors) < maxListed {
			h.Collectors = append(h.Collectors, r)
		}
	}
}

// pidIn is the process that a command of one of these names was asked about; zero
// when it names none.
func pidIn(probe evidence.Probe, programs ...string) int {
	argv, _ := words(probe, programs...)
	for _, a := range shell.Operands(argv) {
		if n, err := strconv.Atoi(a); err == nil && n > 0 {
			return n
		}
	}
	return 0
}
