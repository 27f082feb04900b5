package secrets

import (
	"path"
	"regexp"
	"strings"
)

// A word is one word of a command line, its quotes left out.
type word struct {
	text     string
	from, to int
}

// split parts a line into words as a shell would, roughly: blanks and the
// punctuation of lists part them, quotes hold them together.
func split(s string) []word {
	var out []word
	for i := 0; ; {
		w, next, ok := nextWord(s, i)
		if !ok {
			return out
		}
		out = append(out, w)
		i = next
	}
}

// nextWord is the first word at or after i, and where the search goes on.
func nextWord(s string, i int) (w word, next int, ok bool) {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == ',' || c == 0:
		case (c == '[' || c == '(' || c == '{') && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\''):
		case c == '"' || c == '\'':
			end := i + 1 + untilQuote(s[i+1:], c)
			return word{s[i+1 : end], i + 1, end}, min(end+1, len(s)), true
		default:
			end := wordEnd(s, i)
			return word{s[i:end], i, end}, end, true
		}
	}
	return word{}, len(s), false
}

// wordEnd is where a word ends that began without a quote; quotes inside it hold
// blanks.
func wordEnd(s string, i int) int {
	for i < len(s) {
		switch s[i] {
		case ' ', '\t', 0:
			return i
		case '"', '\'':
			i += 1 + untilQuote(s[i+1:], s[i])
		}
		i++
	}
	return len(s)
}

// A cut is a part of a word that becomes the mark.
type cut struct{ word, from, to int }

// maskTokens masks what the line's words announce for the words behind them.
func maskTokens(s string) string {
	ws := split(s)
	cuts := cutsIn(ws)
	if len(cuts) == 0 {
		return s
	}
	var out strings.Builder
	kept := 0
	for _, c := range cuts {
		from, to := ws[c.word].from+c.from, ws[c.word].from+c.to
		if from < kept {
			continue
		}
		out.WriteString(s[kept:from] + Mark)
		kept = to
	}
	out.WriteString(s[kept:])
	return out.String()
}

// cutsIn finds the words that are secrets, in order.
func cutsIn(ws []word) []cut {
	var out []cut
	program, rules := "", false
	whole := func(i int) {
		if i < len(ws) && !isNoSecret(ws[i].text) && !isOperator(ws[i].text) {
			out = append(out, cut{i, 0, len(ws[i].text)})
		}
	}
	for i := 0; i < len(ws); i++ {
		t := ws[i].text
		switch p := programOf(t); {
		case p != "":
			program = p
		case isOperator(t):
			program = ""
		}
		switch n := announces(ws, i, program); {
		case n.skip > 0:
			whole(i + n.skip)
			i += n.skip
		case rules && len(t) > 1 && strings.IndexByte("><#!", t[0]) >= 0:
			if t[1:] != Mark {
				out = append(out, cut{i, 1, len(t)})
			}
		case strings.EqualFold(t, "setuser"):
			rules = true
		case n.from > 0:
			if t[n.from:] != Mark {
				out = append(out, cut{i, n.from, len(t)})
			}
		case strings.EqualFold(t, "auth") || strings.EqualFold(t, `"auth"`):
			from, to := authArguments(ws, i, program)
			for j := from; j < to; j++ {
				whole(j)
			}
			i = max(i, to-1)
		}
	}
	return out
}

func isOperator(t string) bool {
	switch t {
	case "|", "||", "&&", ";", "&", ">", ">>", "<", "2>", "2>&1":
		return true
	}
	return false
}

// An announcement says where the secret is: so many words on, or in the word
// itself from a byte on.
type announcement struct{ skip, from int }

func announces(ws []word, i int, program string) announcement {
	t := ws[i].text
	if a := settings(ws, i); a.skip > 0 {
		return a
	}
	if len(t) < 2 || t[0] != '-' {
		return announcement{}
	}
	if !strings.Contains(t, "=") && (isSecretName(t) || isTokenOption(t)) && len(t) > 2 && i+1 < len(ws) && !isOption(ws[i+1].text) {
		return announcement{skip: 1}
	}
	if strings.HasPrefix(t, "--token=") {
		return announcement{from: len("--token=")}
	}
	return shortOption(ws, i, program)
}

// isTokenOption: a bare token is a fencing token in a log, but none is given as
// an option.
func isTokenOption(t string) bool { return t == "--token" || t == "-token" }

func isOption(t string) bool {
	return len(t) > 2 && t[0] == '-' && t[1] == '-' && t[2] >= 'a' && t[2] <= 'z'
}

// settings are Redis's own names, in a command, a file or an answer.
func settings(ws []word, i int) announcement {
	low := strings.ToLower(strings.TrimLeft(strings.Trim(ws[i].text, `"'`), "-"))
	switch low {
	case "requirepass", "masterauth", "sentinel-pass", "tls-key-file-pass", "tls-client-key-file-pass", "auth2":
	case "auth-pass":
		if i >= 2 && strings.EqualFold(ws[i-2].text, "set") {
			return announcement{skip: 1} // SENTINEL SET names the master before
		}
		return announcement{skip: 2}
	default:
		return announcement{}
	}
	skip := 1
	if i+1 < len(ws) && ws[i+1].text == "=>" {
		skip = 2
	}
	if i+skip < len(ws) && isOption(ws[i+skip].text) {
		return announcement{}
	}
	if low == "auth2" {
		skip++ // migrate: a user stands between
	}
	return announcement{skip: skip}
}

var clientName = regexp.MustCompile(`^(?:redis|valkey|keydb)-(?:cli|benchmark)[0-9.]*$|^(?:iredis|redli|rdcli)$`)

// programOf names the families of programs whose short options are known.
func programOf(t string) string {
	t = path.Base(strings.TrimLeft(t, "($`{[\"'"))
	switch t {
	case "mysql", "mysqldump", "mysqladmin", "mysqlslap", "mariadb", "mariadb-dump", "mariadb-admin":
		return "mysql"
	case "sshpass":
		return "sshpass"
	case "mongo", "mongosh", "mongodump", "mongorestore", "mongostat", "docker", "podman", "helm", "nerdctl", "crane", "oras":
		return "-p"
	case "ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami":
		return "ldap"
	case "curl":
		return "curl"
	case "smbclient":
		return "smb"
	}
	if clientName.MatchString(t) {
		return "redis"
	}
	return ""
}

// shortOption knows the one-letter options of the programs that take a secret
// so.
func shortOption(ws []word, i int, program string) announcement {
	t := ws[i].text
	flag := map[string]string{"redis": "-a", "mysql": "-p", "sshpass": "-p", "-p": "-p", "ldap": "-w", "curl": "-u", "smb": "-U"}[program]
	if program == "curl" && (t == "--user" || t == "--proxy-user" || t == "-U") {
		flag = t
	}
	if flag == "" || !strings.HasPrefix(t, flag) || strings.HasPrefix(t, "--") && t != flag {
		return announcement{}
	}
	attached := len(t) > len(flag)
	switch {
	case program == "-p" && !login(ws[max(0, i-near):i]):
		return announcement{} // docker run -p publishes a port
	case attached && program == "redis" && t == "-askpass":
		return announcement{}
	case attached:
		return announcement{from: len(flag)}
	case program == "mysql" || i+1 >= len(ws):
		return announcement{} // mysql asks when nothing is attached
	}
	return announcement{skip: 1}
}

// near is how many words around a word are looked at: no command is longer in
// front of the option that counts.
const near = 16

func login(ws []word) bool {
	for _, w := range ws {
		if w.text == "login" || strings.HasPrefix(path.Base(w.text), "mongo") {
			return true
		}
	}
	return false
}

// authArguments finds the arguments of an AUTH command: one is the password, two
// are user and password. Where it may be a word of a sentence nothing is found.
func authArguments(ws []word, i int, program string) (from, to int) {
	hello := i >= 2 && strings.EqualFold(ws[i-2].text, "hello")
	to = i + 1
	for to < min(len(ws), i+near) && !isOperator(ws[to].text) && !(program == "redis" && isOption(ws[to].text)) {
		to++
	}
	n := to - i - 1
	switch {
	case n == 0:
		return i, i
	case hello:
		return min(i+2, to), min(i+3, to)
	case sentence(ws[i+1].text) || !commanded(ws, i, program):
		return i, i
	case n == 1:
		return i + 1, i + 2
	case n == 2:
		return i + 2, i + 3
	}
	return i + 1, i + 3 // a comment may follow: which of the two is the password is not sure
}

// commanded says whether AUTH at i was typed or recorded as a command.
func commanded(ws []word, i int, program string) bool {
	if ws[i].text == "AUTH" || program == "redis" || i == 0 && len(ws) <= 3 {
		return true
	}
	before := ""
	if i > 0 {
		before = ws[i-1].text
	}
	return strings.HasSuffix(before, ">") || strings.HasSuffix(before, "]")
}

func sentence(t string) bool {
	switch strings.ToLower(strings.Trim(t, ".,:;!")) {
	case "failed", "failure", "ok", "error", "success", "succeeded", "required", "is", "was", "for", "by", "from", "command", "and", "or", "called", "with", "=", ":":
		return true
	}
	return strings.HasPrefix(t, "<") || strings.HasPrefix(t, "(")
}

var (
	aclLine  = regexp.MustCompile(`(?i)\bsetuser\b|\buser\s+\S+\s+(?:on|off|reset|nopass|resetpass)\b`)
	aclWords = regexp.MustCompile(`((?:^|[\s"'])[><#!])([^\s"'><]+)`)
	hash64   = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
)

// maskHashes masks the passwords and their hashes in rules of an ACL.
func maskHashes(s string) string {
	m := aclLine.FindStringIndex(s)
	if m == nil {
		return s
	}
	return s[:m[0]] + aclWords.ReplaceAllString(s[m[0]:], "${1}"+Mark)
}
