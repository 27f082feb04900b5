package secrets

import "sync"

// A hint is a set of reasons to look at a line closely.
type hint uint8

const (
	hintURL     hint = 1 << iota // an address that may carry user and password
	hintMark                     // a header, or a secret that shows by its own shape
	hintEnv                      // environment variables, whatever their names
	hintName                     // a name that may announce a secret
	hintProgram                  // a program that takes a secret as an argument
)

// hintWords lists what is searched for, in lower case.
func hintWords() map[string]hint {
	out := map[string]hint{
		"://": hintURL, "private key": hintMark,
		"authorization": hintMark, "cookie": hintMark, "bearer ": hintMark, "basic ": hintMark,
		"akia": hintMark, "asia": hintMark, "eyj": hintMark, "ghp_": hintMark, "gho_": hintMark, "ghs_": hintMark, "github_pat_": hintMark,
		"glpat-": hintMark, "xox": hintMark, "sk_live_": hintMark, "aiza": hintMark, "hvs.": hintMark, "npm_": hintMark,
		"environ": hintEnv, "env": hintEnv, "export ": hintEnv, "declare -x": hintEnv,
	}
	for _, w := range []string{"pass", "pwd", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key",
		"private_key", "private-key", "privatekey", "accountkey", "shared_key", "signature", "sig=", "credential", "auth", "acl ", "\"acl\"", "user "} {
		out[w] |= hintName
	}
	for _, w := range []string{"-cli", "sshpass", "mysql", "mariadb", "mongo", "docker", "podman", "helm", "ldap", "curl", "smbclient", "redis-benchmark", "redli", "iredis"} {
		out[w] |= hintProgram
	}
	return out
}

// A finder searches for all words at once, whatever their case: an automaton
// with one row per prefix of a word.
type finder struct {
	next  [][256]uint16
	hints []hint
}

var words = sync.OnceValue(func() *finder { return newFinder(hintWords()) })

func newFinder(list map[string]hint) *finder {
	f := &finder{next: make([][256]uint16, 1), hints: make([]hint, 1)}
	for w, h := range list {
		at := uint16(0)
		for i := range len(w) {
			if f.next[at][w[i]] == 0 {
				f.next = append(f.next, [256]uint16{})
				f.hints = append(f.hints, 0)
				f.next[at][w[i]] = uint16(len(f.next) - 1)
			}
			at = f.next[at][w[i]]
		}
		f.hints[at] |= h
	}
	f.link()
	return f
}

// link fills the gaps of the prefix tree, nearest to the root first: where no
// word goes on, the longest ending that begins another word does.
func (f *finder) link() {
	fall := make([]uint16, len(f.next))
	queue := []uint16{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for c := range 256 {
			back := uint16(0)
			if at != 0 {
				back = f.next[fall[at]][c]
			}
			to := f.next[at][c]
			if to == 0 {
				f.next[at][c] = back
				continue
			}
			fall[to] = back
			f.hints[to] |= f.hints[back]
			queue = append(queue, to)
		}
	}
	for at := range f.next {
		for c := byte('A'); c <= 'Z'; c++ {
			f.next[at][c] = f.next[at][c+'a'-'A']
		}
	}
}

func (f *finder) scan(line []byte) hint {
	var found hint
	at := uint16(0)
	for _, c := range line {
		at = f.next[at][c]
		found |= f.hints[at]
	}
	return found
}
