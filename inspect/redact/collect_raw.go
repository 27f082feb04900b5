package redact

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Where names stand in text that is no field of anything.
var (
	commPlaces = []place{
		{"Comm:", regexp.MustCompile(`Comm: (.{1,16}?) (?:Not tainted|Tainted|Kdump)`)},
		{"rocess", regexp.MustCompile(`(?i)Killed? process \d+[,:]? \(([^)\n]{1,64})\)`)},
		{"task=", regexp.MustCompile(`,task=([^,\n]{1,64}),pid=`)},
		{" invoked", regexp.MustCompile(`(?:^|[;:\]] ?)(\S.{0,15}?) invoked oom-killer`)},
		{"]", regexp.MustCompile(`(?:^|[;:\]] ?)(\S.{0,15}?)\[\d+\](?::| )`)},
		{" blocked", regexp.MustCompile(`task ([^\n:]{1,16}):\d+ blocked`)},
		{" in ", regexp.MustCompile(` in ([^\s\[\]]{1,64})\[[0-9a-f]+`)},
		{"] ", regexp.MustCompile(`\[ *\d+\](?: +-?\d+){6,10} +(\S.{0,15})$`)},
	}
	pathPlaces = regexp.MustCompile(`(?:oom_memcg|task_memcg|cpuset)=(/[^,\s]*)|(?:^|[\s"'=:(])(/(?:home|Users|opt|srv|var/lib|var/log|etc|run|tmp|data|system\.slice|kubepods[^/\s]*|user\.slice)/[^\s"',;)]*)`)
	userHost   = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*)`)
	syslogHost = regexp.MustCompile(`^(?:<\d+>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+) ([A-Za-z0-9][A-Za-z0-9.-]*) [^\s:\[]+(?:\[\d+\])?:`)
	jsonHost   = regexp.MustCompile(`"(?:_HOSTNAME|hostname|host|nodeName|Hostname)"\s*:\s*"([^"]{1,160})"`)
	jsonID     = regexp.MustCompile(`"(?:_BOOT_ID|_MACHINE_ID|_SYSTEMD_INVOCATION_ID)"\s*:\s*"([0-9a-f]{32})"`)
	homeUser   = regexp.MustCompile(`/(?:home|Users)/([^/\s"']+)`)
)

// A place is where a program's name stands in a kernel's or logger's line.
type place struct {
	needle string // lines without it need no closer look
	form   *regexp.Regexp
}

// collectRaw learns names from the raw text of the sources that print them, with
// or without a parser that kept them.
func (r *redactor) collectRaw(b evidence.Bundle) {
	seen := map[string]bool{}
	for _, p := range b.Probes {
		kind, _, _ := strings.Cut(p.Name, "/")
		if kind != "redis" { // a prompt in front of a command names user and host
			for _, typed := range append([]string{p.Source}, p.Commands...) {
				r.collectLine(evidence.Clip(typed, 400))
			}
		}
		if seen[p.File] || p.File == "" || kind == "redis" || kind == "cgroup" || kind == "task" || kind == "pressure" {
			continue
		}
		seen[p.File] = true
		r.collectText(b.Raw[p.File])
	}
}

func (r *redactor) collectText(data []byte) {
	const longest = 4096 // no line of a log that names somebody is longer
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw[:min(len(raw), longest)]), "\r\n")
		if len(line) > 20 && isRecordHead(line) {
			continue
		}
		r.collectLine(line)
	}
}

// isRecordHead says whether a kernel record's text was dropped when it was taken.
func isRecordHead(line string) bool { return strings.HasSuffix(line, ",-;") }

func (r *redactor) collectLine(line string) {
	for _, p := range commPlaces {
		if !strings.Contains(line, p.needle) {
			continue
		}
		for _, m := range p.form.FindAllStringSubmatch(line, 8) {
			r.learnProgram(m[1])
		}
	}
	if strings.Contains(line, "/") {
		for _, m := range pathPlaces.FindAllStringSubmatch(line, 16) {
			r.learnPath(m[1] + m[2])
		}
		for _, m := range homeUser.FindAllStringSubmatch(line, 8) {
			r.learnWord("user", m[1])
		}
	}
	if strings.Contains(line, "@") {
		for _, m := range userHost.FindAllStringSubmatch(line, 8) {
			if unitSuffix.MatchString(m[2]) {
				r.learnSegment(m[0])
				continue
			}
			r.learnWord("user", m[1])
			r.learnHost(m[2])
		}
	}
	if m := syslogHost.FindStringSubmatch(line); m != nil {
		r.learnHost(m[1])
	}
	if strings.Contains(line, `"`) {
		for _, m := range jsonHost.FindAllStringSubmatch(line, 4) {
			r.learnHost(m[1])
		}
		for _, m := range jsonID.FindAllStringSubmatch(line, 4) {
			r.learnID(m[1])
		}
	}
}
