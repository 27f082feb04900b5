package dialect

import (
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
)

// The digests of the scripts that lock libraries run: which library, for what, in
// which versions. Collected from the libraries' sources and checked by SCRIPT LOAD
// on a server.
//
//go:embed scripts.tsv
var scriptTable string

// A Script is one text that a library runs.
type Script struct {
	Library  string
	Op       string // acquire, renew, release, query, …
	SHA1     string
	More     int    // how many bytes SLOWLOG leaves out of it
	Head     string // SHA-1 of the 128 bytes that it keeps
	From, To string // versions
	Shared   string // another library with the same text
}

// scripts is the table, read once: by digest, and by what SLOWLOG keeps of a text.
var scripts = sync.OnceValue(func() (out struct {
	all    []Script
	byHash map[string][]Script
	byHead map[string][]Script
}) {
	out.byHash, out.byHead = map[string][]Script{}, map[string][]Script{}
	for i, line := range strings.Split(strings.TrimSpace(scriptTable), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 10 {
			continue
		}
		more, _ := strconv.Atoi(f[5])
		s := Script{Library: f[0], Op: f[2], SHA1: f[3], More: more, Head: f[6], From: f[7], To: f[8]}
		if len(f) > 10 {
			s.Shared = f[10]
		}
		out.all = append(out.all, s)
		out.byHash[s.SHA1] = append(out.byHash[s.SHA1], s)
		out.byHead[s.Head+" "+f[5]] = append(out.byHead[s.Head+" "+f[5]], s)
	}
	return out
})

// ByDigest are the scripts of a digest: of several libraries where they share one.
func ByDigest(sha string) []Script { return scripts().byHash[strings.ToLower(sha)] }

// ByText finds the scripts of a text as SLOWLOG keeps it: the whole of a short one,
// of a longer one the first 128 bytes and how many more there were.
func ByText(text string) []Script {
	head, more := text, "0"
	if i := strings.LastIndex(text, "... ("); i >= 0 {
		if n, ok := strings.CutSuffix(text[i+len("... ("):], " more bytes)"); ok {
			head, more = text[:i], n
		}
	}
	if len(head) < 128 {
		sum := sha1.Sum([]byte(head))
		return ByDigest(hex.EncodeToString(sum[:]))
	}
	sum := sha1.Sum([]byte(head[:128]))
	return scripts().byHead[hex.EncodeToString(sum[:])+" "+more]
}

// Digests are those of a library's scripts, each once; of all libraries where none
// is named.
func Digests(libraries ...string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range scripts().all {
		for _, l := range libraries {
			if strings.EqualFold(l, s.Library) && !seen[s.SHA1] {
				seen[s.SHA1] = true
				out = append(out, s.SHA1)
			}
		}
		if len(libraries) == 0 && !seen[s.SHA1] {
			seen[s.SHA1] = true
			out = append(out, s.SHA1)
		}
	}
	return out
}
