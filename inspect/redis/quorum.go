package redis

import (
	"errors"
	"net"
	"strings"
)

// A Quorum is what Sentinels watch: where they are, and by which name they know
// the primary.
type Quorum struct {
	Sentinels []Target
	Name      string
}

// defaultSentinel is the port that Sentinels listen on unless told otherwise.
const defaultSentinel = "26379"

// ParseQuorum reads redis-sentinel://[user:password@]HOST[:PORT][,HOST[:PORT]…]/NAME[/DB],
// or with #NAME in the place of the path; rediss-sentinel:// where Sentinels and
// servers speak TLS. The credentials are the primary's; those of Sentinels are set on
// their targets. ok is false for an address of another kind.
func ParseQuorum(text string, files TLSFiles) (q Quorum, primary Target, ok bool, err error) {
	scheme := "redis://"
	rest, ok := strings.CutPrefix(text, "redis-sentinel://")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "rediss-sentinel://"); !ok {
			return Quorum{}, Target{}, false, nil
		}
		scheme = "rediss://"
	}
	wrong := errors.New("read --redis: not a Sentinel address (redis-sentinel://[user:password@]host:port[,host:port…]/NAME[/db])")
	credentials := ""
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		credentials, rest = rest[:i+1], rest[i+1:]
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	hosts, path, _ := strings.Cut(rest, "/")
	name, db, _ := strings.Cut(path, "/")
	if fragment != "" {
		name, db = fragment, path
	}
	if name == "" || hosts == "" {
		return Quorum{}, Target{}, true, wrong
	}
	for _, h := range strings.Split(hosts, ",") {
		if _, _, err := net.SplitHostPort(h); err != nil {
			h = net.JoinHostPort(strings.Trim(h, "[]"), defaultSentinel)
		}
		t, err := ParseTarget(scheme+h, files)
		if err != nil && scheme == "rediss://" {
			return Quorum{}, Target{}, true, err // of a file, more likely than of the address
		}
		if err != nil {
			return Quorum{}, Target{}, true, wrong
		}
		q.Sentinels = append(q.Sentinels, t)
	}
	q.Name = name
	first, _, _ := strings.Cut(hosts, ",")
	url := scheme + credentials + first
	if db != "" {
		url += "/" + db
	}
	if primary, err = ParseTarget(url, files); err != nil {
		return Quorum{}, Target{}, true, wrong
	}
	return q, primary, true, nil
}

// OfSentinel rewords a refusal for a Sentinel, whose password is one of its own.
func OfSentinel(why string) string {
	if strings.HasPrefix(why, "Redis wants a password") {
		return "it wants a password: set LOCKSCENE_SENTINEL_AUTH, or put it in --sentinel-password-file"
	}
	return strings.Replace(why, "Redis refused", "it refused", 1)
}

// AskQuorum is what one Sentinel is asked about a primary, in exchanges of their own.
func AskQuorum(name string) [][]string {
	return [][]string{{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name}, {"SENTINEL", "REPLICAS", name}}
}

// Addresses are the nodes that a Sentinel's reply names, as host:port: the primary of
// GET-MASTER-ADDR-BY-NAME, or those of REPLICAS that it does not miss.
func Addresses(raw []byte) []string {
	values, _ := ParseReplies(raw)
	if len(values) != 1 {
		return nil
	}
	if at, ok := namedAt(values[0]); ok {
		return []string{at}
	}
	var out []string
	for _, r := range values[0].Array {
		f := map[string]string{}
		for i := 0; i+1 < len(r.Array); i += 2 {
			f[r.Array[i].Str] = r.Array[i+1].Str
		}
		if f["ip"] != "" && f["port"] != "" && !strings.Contains(f["flags"], "s_down") {
			out = append(out, net.JoinHostPort(f["ip"], f["port"]))
		}
	}
	return out
}
