package secrets

import (
	"regexp"
	"strings"
)

// A below is what a line announced for the lines below it.
type below struct {
	kind   waiting
	indent int    // of the line that announced it
	name   string // the setting whose value comes next
	block  int    // indent of a value of several lines; 0: none
}

type waiting int

const (
	nothing     waiting = iota
	keyBody             // the body of a private key
	answer              // the value of a setting whose name stood alone
	listItem            // the argument of an option that stood alone in a list
	jsonList            // assignments, or names and values, up to a bracket
	yamlEnv             // a pod's env, or a service's environment
	environ             // what printed an environment
	aclPassword         // the hashes below "passwords"
)

func (b *below) waiting() bool { return b.kind != nothing }

var (
	loneSetting = regexp.MustCompile(`(?i)^\s*(?:\d+[)#]\s*)?["']?(requirepass|masterauth|sentinel-pass|tls-key-file-pass|tls-client-key-file-pass)["']?,?\s*$`)
	asksSetting = regexp.MustCompile(`(?i)\bconfig["']?\s+["']?get\b.*\b(requirepass|masterauth)["']?\s*(?:\||$)`)
	loneOption  = regexp.MustCompile(`^\s*(?:-\s+)?["']?(--?[A-Za-z][A-Za-z0-9-]*)["']?,?\s*$`)
	jsonOpens   = regexp.MustCompile(`(?i)"env"\s*:\s*\[[^\]]*$`)
	yamlOpens   = regexp.MustCompile(`^(\s*(?:-\s+)?)(?i:env|environment):\s*$`)
	showsEnv    = regexp.MustCompile(`/environ\b|(?:^|[$#>|;&]\s*|exec\s.*\s)(?:env|printenv|export -p)\s*(?:$|\|)`)
	yamlValue   = regexp.MustCompile(`^(\s*(?:-\s+)?(?:value|"value"):\s+)(\S.*)$`)
	yamlPair    = regexp.MustCompile(`^(\s+(?:-\s+)?[A-Za-z_][A-Za-z0-9_.-]*:\s+)(\S.*)$`)
	yamlAssign  = regexp.MustCompile(`^(\s*-\s+["']?[A-Za-z_][A-Za-z0-9_]*=)([^"']+)(["']?\s*)$`)
	listed      = regexp.MustCompile(`^(\s*(?:\d+[)#]\s*|-\s+)?["']?)([^"'\s,]+|[^"']+)(["']?,?\s*)$`)
	passwords   = regexp.MustCompile(`(?i)["']passwords["']\s*$`)
)

// note remembers what this line announces for those below.
func (b *below) note(s string, hints hint) {
	if hints&hintMark != 0 && keyBegin.MatchString(s) && !keyEnd.MatchString(s) {
		*b = below{kind: keyBody}
		return
	}
	if hints&hintEnv != 0 {
		switch m := yamlOpens.FindStringSubmatch(s); {
		case m != nil:
			*b = below{kind: yamlEnv, indent: len(m[1])}
		case jsonOpens.MatchString(s):
			*b = below{kind: jsonList}
		case showsEnv.MatchString(s):
			*b = below{kind: environ}
		}
	}
	if hints&hintName == 0 || b.waiting() {
		return
	}
	if m := loneSetting.FindStringSubmatch(s); m != nil {
		*b = below{kind: answer, name: strings.ToLower(m[1])}
	} else if m := asksSetting.FindStringSubmatch(s); m != nil {
		*b = below{kind: answer, name: strings.ToLower(m[1])}
	} else if m := loneOption.FindStringSubmatch(s); m != nil && (isSecretName(m[1]) || isTokenOption(m[1])) {
		*b = below{kind: listItem}
	} else if passwords.MatchString(s) {
		*b = below{kind: aclPassword}
	}
}

// apply masks the line by what stood above it. Done means that nothing else is
// to be looked for in it.
func (b *below) apply(s string) (masked string, done bool) {
	switch b.kind {
	case keyBody:
		return b.applyKey(s)
	case answer:
		return b.applyAnswer(s), false
	case listItem:
		*b = below{}
		if m := listed.FindStringSubmatch(s); m != nil && !isNoSecret(m[2]) {
			return m[1] + Mark + m[3], true
		}
	case jsonList:
		if t := strings.TrimSpace(s); strings.HasPrefix(t, "]") {
			*b = below{}
			return s, false
		}
		masked, _ := maskList(s)
		return masked, false
	case yamlEnv:
		return b.applyYAML(s)
	case environ:
		if assigns.MatchString(s) {
			_, value, _ := strings.Cut(s, "=")
			if nulJoined.MatchString(s) || value == "" {
				return maskWords(s, true), true
			}
			return s[:len(s)-len(value)] + Mark, true
		}
		*b = below{}
	case aclPassword:
		if m := hash64.ReplaceAllString(s, Mark); m != s || strings.Contains(s, Mark) {
			return m, true
		}
		*b = below{}
	}
	return s, false
}

func (b *below) applyKey(s string) (string, bool) {
	t := strings.TrimLeft(s, " \t|>#")
	switch {
	case keyEnd.MatchString(s), !keyBodyLine.MatchString(s):
		*b = below{}
		return s, false
	case t == "":
		return s, true
	}
	return s[:len(s)-len(t)] + Mark, true
}

// applyAnswer masks the value below a setting's name. A line that holds the name
// again is an echo of the question, or the name itself.
func (b *below) applyAnswer(s string) string {
	name := b.name
	m := listed.FindStringSubmatch(s)
	switch {
	case strings.Contains(strings.ToLower(s), name):
		*b = below{} // the line's own note decides
		return s
	case strings.TrimSpace(s) == "":
		return s
	}
	*b = below{}
	if m == nil || isNoSecret(m[2]) || strings.HasPrefix(strings.TrimSpace(s), "(") || strings.ContainsAny(m[2], " \t") && m[1] == "" {
		return s
	}
	return m[1] + Mark + m[3]
}

func (b *below) applyYAML(s string) (string, bool) {
	t := strings.TrimLeft(s, " ")
	indent := len(s) - len(t)
	switch {
	case t == "":
		return s, false
	case b.block > 0 && indent >= b.block:
		return s[:indent] + Mark, true
	case indent < b.indent, indent == b.indent && !strings.HasPrefix(t, "-"):
		*b = below{}
		return s, false
	}
	b.block = 0
	if m := yamlAssign.FindStringSubmatch(s); m != nil {
		return m[1] + Mark + m[3], true
	}
	m := yamlValue.FindStringSubmatch(s)
	if m == nil && !strings.HasPrefix(t, "- name:") && !strings.HasPrefix(t, "name:") && !strings.HasPrefix(t, "key:") {
		m = yamlPair.FindStringSubmatch(s)
	}
	switch {
	case m == nil:
		return s, false
	case strings.HasPrefix(m[2], "|") || strings.HasPrefix(m[2], ">"):
		b.block = indent + 1
		return s, true
	case isNoSecret(m[2]):
		return s, true
	}
	return m[1] + Mark, true
}
