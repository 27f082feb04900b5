package transcript

import (
	"regexp"
	"strings"
)

// Prompts beyond those of a plain shell. Each is asked for only where none of the
// others fits, and has a shape that output hardly has: a path before a > alone
// would make a prompt of a quoted mail.
var (
	// ahead is what stands in front of a prompt of another style: a cluster, the
	// sign of a container, the command's number.
	ahead = regexp.MustCompile(`^(?:[⎈☸] ?[^\s\]]{1,80} +|\[[⎈☸][^\]]{1,80}\] ?|(?:⬢|🔹|📦) ?|[0-9]{1,6} +)`)

	// openSUSE's, and tcsh's of many: a name, a folder and >.
	userPath = regexp.MustCompile(`^(?:\([^)]{1,60}\) ?){0,3}([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63}):[~/][^$#%>\t ]{0,200}> `)
	hostPath = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]{0,62}):[~/][^$#%>\t ]{0,200} [#%] `)
	fishCode = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63}) [~/][^$#%> ]{0,100}(?: \([^)]{1,60}\))? \[[0-9A-Z|]{1,12}\][>#] `)
	noName   = regexp.MustCompile(`^()I have no name!@([A-Za-z0-9][A-Za-z0-9_.-]{0,63}):[^$#%>\t]{0,100}[$#] `)
	arrowed  = regexp.MustCompile(`^(?:\([^)]{1,60}\) ?){0,3}(?:([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})[: ] ?)?(?:[~/][^ ❯»➤⇒▶]{0,100})?(?: [^❯»➤⇒▶|"']{1,60})?? ?(?:❯|»|➤|⇒|▶){1,3}(?: |$)`)
	nixShell = regexp.MustCompile(`^\[nix[a-z-]{0,10}:[~/][^\]]{0,100}\][$#] `)
	pathOnly = regexp.MustCompile(`^[~/][A-Za-z0-9_./-]{0,100}> `)

	powerShell = regexp.MustCompile(`^()(?:\[([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\]: )?PS (?:[A-Za-z]{1,20}:\\?|[~/\\])[^>\t]{0,200}> ?`)
	cmdExe     = regexp.MustCompile(`^(?:([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63}) |\([^)]{1,60}\) )?[A-Za-z]:\\[^<>|?*":\t]{0,200}>`)
)

// styled reads a prompt of one of these styles.
func (f *found) styled(text string) bool {
	if front := ahead.FindString(text); front != "" {
		var in found
		if rest := text[len(front):]; !in.shell(rest) && !in.styled(rest) || in.kind != named && in.kind != plain {
			return false
		}
		if front[0] <= '9' && in.user == "" {
			return false // a number in front of anything
		}
		f.kind, f.user, f.host, f.sure, f.text = in.kind, in.user, in.host, in.sure, text[:len(front)+len(in.text)]
		return true
	}
	for _, r := range []*regexp.Regexp{powerShell, cmdExe} {
		if m := r.FindStringSubmatch(text); m != nil {
			f.is(m[0], m[1], m[2])
			f.sure, f.windows = true, true
			return true
		}
	}
	if f.segments(text) {
		return true
	}
	if m := hostPath.FindStringSubmatch(text); m != nil {
		f.is(m[0], "", m[1])
		return true
	}
	for _, r := range []*regexp.Regexp{userPath, fishCode, noName, arrowed} {
		if r == arrowed && !strings.ContainsAny(text, "❯»➤⇒▶") {
			continue
		}
		if m := r.FindStringSubmatch(text); m != nil {
			f.is(m[0], m[1], m[2])
			return true
		}
	}
	if m := nixShell.FindString(text); m != "" {
		f.is(m, "", "")
		return true
	}
	if m := pathOnly.FindString(text); m != "" {
		f.is(m, "", "")
		f.doubtful = true
		return true
	}
	return false
}

func (f *found) is(text, user, host string) {
	f.kind, f.text, f.user, f.host = named, text, user, host
	if host == "" {
		f.kind = plain
	}
}

// Powerline's separators: those that point right end a part of the prompt, those
// that point left begin one at the line's right end.
const (
	pointRight = "\ue0b0\ue0b4\ue0b8\ue0bc"
	pointLeft  = "\ue0b2\ue0b6\ue0ba\ue0be"
)

var userAtHost = regexp.MustCompile(`(?:^|[^A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:[^A-Za-z0-9_.@-]|$)`)

// segments reads a prompt of Powerline's kind: it ends behind the last separator
// that points right.
func (f *found) segments(text string) bool {
	i := strings.LastIndexAny(text, pointRight)
	if i < 0 || strings.HasPrefix(text, "╭") || strings.HasPrefix(text, "┌") { // the frame is the first line of two
		return false
	}
	end := i + len("\ue0b0")
	if strings.HasPrefix(text[end:], " ") {
		end++
	}
	f.is(text[:end], "", "")
	if m := userAtHost.FindStringSubmatch(text[:end]); m != nil {
		f.is(text[:end], m[1], m[2])
	}
	f.sure, f.parted = true, true
	return true
}

// rightPrompt is what shells leave at the right end of a command line: how the
// last command ended, and when.
var rightPrompt = regexp.MustCompile(` {3,}(?:[` + pointLeft + `].*|[^ '"]{0,20}[✔✘↵✖].*|(?:at )?\[?[0-2]?[0-9]:[0-5][0-9]:[0-5][0-9](?: [AP]M)?\]?[ ─╮╯]*)$`)

// typedPart is what was typed behind a prompt.
func (f *found) typedPart(rest string) string {
	if i := rightPrompt.FindStringIndex(rest); i != nil {
		rest = rest[:i[0]]
	}
	if f.windows {
		word, more, cut := strings.Cut(strings.TrimPrefix(strings.TrimLeft(rest, " "), "& "), " ")
		rest = strings.ReplaceAll(word, `\`, "/")
		if cut {
			rest += " " + more
		}
	}
	return rest
}
