package pasted

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/shell"
)

// emitText records the output of commands that have parsers of their own: logs,
// clock daemons, supervisors, runtimes.
func (im *importer) emitText(i int, name string) bool {
	e := &im.entries[i]
	probe := textProbe(name, e.Argv)
	if im.beatFile(*e) {
		probe = "text/beat"
	}
	if probe == "" {
		return false
	}
	p := evidence.Probe{Name: probe, Commands: []string{e.Typed}, Status: evidence.OK, Truncated: e.Partial()}
	if p.Status, p.Why = denial(name, e.Output); p.Status == evidence.OK && e.Partial() && len(bytes.TrimSpace(e.Output)) == 0 {
		p.Why = "the filter let nothing through"
	}
	im.notePart(&p, *e)
	if h := askedHost(name, e.Argv); h != "" {
		p.Vantage = im.vantageAsked(h)
	}
	im.record(i, p, strings.ReplaceAll(probe, "/", "-"), e.Output)
	return true
}

// beatFile says whether a command shows when the worker's heartbeat file was last
// written.
func (im *importer) beatFile(e entry) bool {
	target, ok := strings.CutPrefix(im.opts.Subject.Heartbeat, "file:")
	if !ok {
		return false
	}
	if _, listed := shell.Listed(e.Argv, e.Output, target); listed {
		return e.Host == im.owner
	}
	switch program(e) {
	case "stat", "ls", "date":
		return e.Host == im.owner && slices.Contains(e.Argv, target)
	}
	return false
}

// askedHost is the host that a command asked about itself over the network.
func askedHost(name string, argv []string) string {
	switch name {
	case "chronyc":
		if i := slices.Index(argv, "-h"); i > 0 && i+1 < len(argv) {
			return strings.Split(argv[i+1], ",")[0]
		}
	case "ntpq":
		if words := shell.Operands(argv, "-c"); len(words) > 0 {
			return words[len(words)-1]
		}
	}
	return ""
}

// vantageAsked is the vantage of a host that answered over the network.
func (im *importer) vantageAsked(host string) string {
	for _, h := range im.hosts() {
		if h != "" && sameHost(h, host) {
			return im.vantageOf(h)
		}
	}
	if local := host == "localhost" || host == "127.0.0.1" || host == "::1"; local {
		return ""
	}
	if im.node != "" && strings.EqualFold(redis.Host(im.node), host) {
		return im.besides(ofServer, host)
	}
	return im.besides(evidence.MemberName(host), host)
}

// denials are what tools print instead of an answer. Each looks like absence to
// whoever only counts lines.
var denials = []struct {
	text   string
	status evidence.Status
}{
	{"read kernel buffer failed", evidence.Denied},
	{"klogctl: Operation not permitted", evidence.Denied},
	{"506 Cannot talk to daemon", evidence.Failed},
	{"Could not open connection to daemon", evidence.Failed},
	{"-- No entries --", evidence.Unsupported},
	{"Hint: You are currently not seeing messages from other users", evidence.Denied},
	{"No journal files were found", evidence.Unsupported},
	{"No journal files were opened due to insufficient permissions", evidence.Denied},
	{"Connection refused", evidence.Failed},
	{"permission denied while trying to connect to the Docker daemon", evidence.Denied},
	{"Error from server (Forbidden)", evidence.Denied},
	{"Error from server (NotFound)", evidence.Missing},
	{"command not found", evidence.Unsupported},
	{": not found", evidence.Unsupported},
	{"No such object", evidence.Missing},
	{"could not be found", evidence.Missing},
	{"Failed to connect to bus", evidence.Denied},
	{"System has not been booted with systemd", evidence.Unsupported},
}

// denial tells a refusal from an answer. Long outputs are answers, whatever one
// of their lines says.
func denial(name string, out []byte) (evidence.Status, string) {
	if text := bytes.TrimSpace(out); len(text) < 600 && bytes.Count(text, []byte("\n")) < 4 {
		for _, d := range denials {
			if bytes.Contains(text, []byte(d.text)) {
				return d.status, evidence.Clip(evidence.Printable(firstLine(text)), 160)
			}
		}
	}
	return evidence.OK, ""
}

func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return string(bytes.TrimRight(line, "\r"))
}
