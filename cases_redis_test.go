package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Other ways to ask Redis, and other Redises that answer.
func redisTellings() []telling {
	return []telling{
		{name: "redis-cli for each question", change: func(s *story) bool {
			before := len(s.steps)
			s.steps = asked(s.steps)
			return len(s.steps) != before
		}},
		{name: "redis-cli's own prompt", change: sessions},
		{name: "--raw", change: func(s *story) bool { return converted(s, "--raw", rawReply) }},
		{name: "--json", change: func(s *story) bool { return converted(s, "--json", jsonReply) }},
		{name: "--no-raw", change: func(s *story) bool { return converted(s, "--no-raw", func(_ string, r []string) []string { return r }) }},
		{name: "redis-cli into a pipe", change: piped},
		{name: "a password and its warning", change: eachQuestion(func(p *step) bool {
			p.typed = strings.Replace(p.typed, "redis-cli", "redis-cli -a s3cr3t", 1)
			p.output = slices.Concat([]string{"Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe."}, p.output)
			return true
		})},
		{name: "a password in the environment", change: eachQuestion(func(p *step) bool { return prefix(p, "REDISCLI_AUTH=s3cr3t ") })},
		{name: "a user without warning", change: eachQuestion(func(p *step) bool {
			p.typed = strings.Replace(p.typed, "redis-cli", "redis-cli --user oncall --pass s3cr3t --no-auth-warning", 1)
			return !strings.Contains(p.typed, "--user lockro")
		})},
		{name: "an address as a URL", change: eachQuestion(func(p *step) bool {
			before := p.typed
			p.typed = byURL.ReplaceAllString(p.typed, "redis-cli -u redis://:s3cr3t@$1:6379/$2 ")
			return p.typed != before && !strings.Contains(p.typed, "-p 6379")
		})},
		{name: "an address in another order", change: eachQuestion(func(p *step) bool {
			before := p.typed
			p.typed = regexp.MustCompile(`redis-cli -h (\S+)`).ReplaceAllString(p.typed, "redis-cli --no-auth-warning -p 6379 -h $1")
			return p.typed != before
		})},
		{name: "valkey-cli", change: eachQuestion(func(p *step) bool {
			p.typed = strings.ReplaceAll(p.typed, "redis-cli", "valkey-cli")
			return true
		})},
		{name: "commands in small letters", change: smallLetters},
		{name: "keys in quotes", change: quotedKeys},
		{name: "clients of an older server", change: eachStep(eachClient(func(c string) string {
			return clientExtra.ReplaceAllString(clientOld.ReplaceAllString(c, ""), "$1")
		}))},
		{name: "clients of a newer server", change: eachStep(eachClient(func(c string) string {
			c = strings.Replace(c, " flags=", " capa=r io-thread=2 flags=", 1)
			return c + " tot-net-in=99121 tot-net-out=871 tot-cmds=4021 shard=0:1"
		}))},
		{name: "clients in another order", change: eachStep(reversedClients)},
		{name: "INFO of a newer server", change: eachStep(func(p *step) bool {
			i := slices.IndexFunc(p.output, func(l string) bool { return strings.HasPrefix(l, "run_id:") || strings.HasPrefix(l, "role:") })
			if i < 0 {
				return false
			}
			p.output = slices.Insert(p.output, i, "availability_zone:eu-3b", "# Bigkeys", "hot_keys:none#0,$ 4", "evicted_scripts:7")
			return true
		})},
		{name: "INFO with carriage returns", change: eachStep(func(p *step) bool {
			changed := false
			for i, line := range p.output {
				if regexp.MustCompile(`^[a-z_0-9]+:\S*$`).MatchString(line) {
					p.output[i], changed = line+"\r", true
				}
			}
			return changed
		})},
		{name: "a name for the address", change: func(s *story) bool { return renamedNode(s) }},
	}
}

// eachQuestion lets a telling work on what was asked of Redis from a shell. A
// redis-cli that then prompts is one, too.
func eachQuestion(change func(*step) bool) func(*story) bool {
	return eachStep(func(p *step) bool {
		if !p.asks() || strings.Contains(p.typed, ";") {
			return false
		}
		before := *p
		if change(p) {
			return true
		}
		*p = before
		return false
	})
}

var (
	byURL       = regexp.MustCompile(`redis-cli -h (\S+) (?:-n (\d+) )?`)
	byFlags     = regexp.MustCompile(`^redis-cli ((?:-[a-z-]+ \S+ )+)(.*)$`)
	clientOld   = regexp.MustCompile(` (?:laddr|ssub|multi-mem|argv-mem|tot-mem|redir|user|resp|lib-name|lib-ver|rbs|rbp|watch|io-thread)=\S*`)
	clientExtra = regexp.MustCompile(`( cmd=\S+).*$`)
	clientLine  = regexp.MustCompile(`^id=\d+ addr=`)
)

// asked puts a command of its own in place of each question that was typed at
// redis-cli's prompt.
func asked(steps []step) []step {
	var out []step
	var at step
	for _, p := range steps {
		switch {
		case p.node == "":
			if !p.loose {
				at = p
			}
			if !p.opensRedis() {
				out = append(out, p)
			}
			continue
		case p.typed == "exit" || p.typed == "quit":
			continue
		}
		node, db, _ := strings.Cut(strings.TrimSuffix(p.node, "]"), "[")
		host, port, _ := strings.Cut(node, ":")
		cli := "redis-cli -h " + host
		if port != "6379" {
			cli += " -p " + port
		}
		if db != "" {
			cli += " -n " + db
		}
		if strings.Contains(at.typed, "--raw") {
			cli += " --raw"
		}
		words := strings.Fields(p.typed)
		for i, w := range words {
			if strings.ContainsAny(w, "{}*?[]()&;|<>$") && w[0] != '\'' {
				words[i] = "'" + w + "'"
			}
		}
		at.typed, at.output, at.open, at.stamp = cli+" "+strings.Join(words, " "), p.output, p.open, p.stamp
		out = append(out, at)
	}
	return out
}

// sessions puts a session in place of questions that follow each other.
func sessions(s *story) bool {
	var out []step
	for i := 0; i < len(s.steps); {
		flags, n := "", 0
		for i+n < len(s.steps) && s.steps[i+n].prompt == s.steps[i].prompt && s.steps[i+n].asks() && s.steps[i+n].plain() && !s.steps[i+n].open {
			m := byFlags.FindStringSubmatch(s.steps[i+n].typed)
			if m == nil || n > 0 && m[1] != flags || strings.Contains(m[0], "--raw") {
				break
			}
			flags, n = m[1], n+1
		}
		if n < 2 {
			out = append(out, s.steps[i])
			i++
			continue
		}
		first := s.steps[i]
		out = append(out, first.again(strings.TrimSpace("redis-cli "+flags)))
		node := regexp.MustCompile(`-h (\S+)`).FindStringSubmatch(flags)[1] + ":6379"
		if m := regexp.MustCompile(`-n (\d+)`).FindStringSubmatch(flags); m != nil {
			node += "[" + m[1] + "]"
		}
		for _, p := range s.steps[i : i+n] {
			p.typed = byFlags.FindStringSubmatch(p.typed)[2]
			p.node, p.prompt, p.user, p.host = node, node+"> ", "", ""
			out = append(out, p)
		}
		out = append(out, step{stamp: first.stamp, prompt: node + "> ", node: node, typed: "exit"})
		i += n
	}
	changed := len(out) != len(s.steps)
	s.steps = out
	return changed
}

// converted asks everything with one more flag, and prints as that flag does.
func converted(s *story, flag string, reply func(command string, lines []string) []string) bool {
	changed := false
	for i := range s.steps {
		p := &s.steps[i]
		switch {
		case strings.Contains(p.typed, "--raw") || strings.Contains(p.typed, "|") || strings.Contains(p.typed, ";"):
			continue
		case p.opensRedis() || p.asks():
			p.typed = strings.Replace(p.typed, "redis-cli", "redis-cli "+flag, 1)
		case p.node == "":
			continue
		}
		if !p.opensRedis() && p.typed != "exit" && !slices.ContainsFunc(p.output, func(l string) bool { return strings.HasPrefix(l, "Could not connect") }) {
			p.output = reply(p.typed, p.output)
		}
		changed = true
	}
	return changed
}

// piped has redis-cli write into a pipe: it prints raw then.
func piped(s *story) bool {
	return eachQuestion(func(p *step) bool {
		if strings.ContainsAny(p.typed, "|;") || strings.Contains(p.typed, "--raw") {
			return false
		}
		p.typed, p.output = p.typed+" | cat", rawReply(p.typed, p.output)
		return true
	})(s)
}

// A node is a reply as redis-cli shows it to people, read back.
type node struct {
	text  string // of what is no list
	kind  byte   // i integer, s string, n nil, e error, + status
	items []node
}

var (
	listMark = regexp.MustCompile(`^( *)(\d+)\) `)
	listNone = regexp.MustCompile(`^\(empty (?:array|list or set|list|set|hash)\)$`)
)

// readNode reads lines whose first has been freed of its list marks; deep is how
// far the lines of its list are indented.
func readNode(lines []string, deep int) (node, []string) {
	first := lines[0]
	if !listMark.MatchString(first) {
		return leaf(first), lines[1:]
	}
	n := node{kind: 'l'}
	for len(lines) > 0 {
		m := listMark.FindString(lines[0])
		if m == "" || len(n.items) > 0 && len(listMark.FindStringSubmatch(lines[0])[1]) != deep {
			break
		}
		rest := slices.Clone(lines)
		rest[0] = lines[0][len(m):]
		var item node
		item, lines = readNode(rest, deep+len(strings.TrimLeft(m, " ")))
		n.items = append(n.items, item)
	}
	return n, lines
}

func leaf(s string) node {
	switch {
	case s == "(nil)":
		return node{kind: 'n'}
	case listNone.MatchString(s):
		return node{kind: 'l'}
	case strings.HasPrefix(s, "(integer) "):
		return node{kind: 'i', text: strings.TrimPrefix(s, "(integer) ")}
	case strings.HasPrefix(s, "(error) "):
		return node{kind: 'e', text: strings.TrimPrefix(s, "(error) ")}
	case strings.HasPrefix(s, `"`):
		if text, err := strconv.Unquote(s); err == nil {
			return node{kind: 's', text: text}
		}
	}
	return node{kind: '+', text: s}
}

var shownAsText = regexp.MustCompile(`(?i)\b(?:INFO|CLIENT LIST)\b`)

func rawReply(command string, lines []string) []string {
	if len(lines) == 0 || shownAsText.MatchString(command) && !strings.HasPrefix(lines[0], "(error)") {
		return lines
	}
	n, _ := readNode(lines, 0)
	return n.raw()
}

func (n node) raw() []string {
	switch n.kind {
	case 'n':
		return []string{""}
	case 'e':
		return []string{n.text, ""}
	case 'l':
		if len(n.items) == 0 {
			return []string{""}
		}
		var out []string
		for _, i := range n.items {
			out = append(out, i.raw()...)
		}
		return out
	}
	return []string{n.text}
}

func jsonReply(command string, lines []string) []string {
	if len(lines) == 0 {
		return lines
	}
	if shownAsText.MatchString(command) && !strings.HasPrefix(lines[0], "(error)") {
		b, _ := json.Marshal(strings.Join(lines, "\n") + "\n")
		return []string{string(b)}
	}
	n, _ := readNode(lines, 0)
	if strings.Contains(command, "HGETALL") && n.kind == 'l' {
		var pairs []string
		for i := 0; i+1 < len(n.items); i += 2 {
			pairs = append(pairs, n.items[i].json()+":"+n.items[i+1].json())
		}
		return []string{"{" + strings.Join(pairs, ",") + "}"}
	}
	return []string{n.json()}
}

func (n node) json() string {
	switch n.kind {
	case 'n':
		return "null"
	case 'i':
		return n.text
	case 'e':
		return "error:" + strconv.Quote(n.text)
	case 'l':
		var items []string
		for _, i := range n.items {
			items = append(items, i.json())
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return strconv.Quote(n.text)
}

var readVerbs = regexp.MustCompile(`\b(TIME|PTTL|PEXPIRETIME|TYPE|GET|OBJECT IDLETIME|OBJECT|CLIENT LIST|INFO|SLOWLOG GET|HGETALL|IDLETIME)\b`)

func smallLetters(s *story) bool {
	return eachStep(func(p *step) bool {
		if p.node == "" && !p.asks() {
			return false
		}
		before := p.typed
		p.typed = readVerbs.ReplaceAllStringFunc(p.typed, strings.ToLower)
		return p.typed != before
	})(s)
}

func quotedKeys(s *story) bool {
	return asText(func(text string) string {
		key := s.want.Key
		return regexp.MustCompile(`(?m)((?:TYPE|TTL|PEXPIRETIME|GET|HGETALL|IDLETIME) )`+regexp.QuoteMeta(key)+`( *(?:;|$))`).ReplaceAllString(text, `${1}"`+key+`"${2}`)
	})(s)
}

// eachClient lets a telling work on the lines of CLIENT LIST.
func eachClient(change func(string) string) func(*step) bool {
	return func(p *step) bool {
		changed := false
		for i, line := range p.output {
			if clientLine.MatchString(line) {
				p.output[i] = change(line)
				changed = changed || p.output[i] != line
			}
		}
		return changed
	}
}

func reversedClients(p *step) bool {
	if len(p.output) < 2 || !clientLine.MatchString(p.output[0]) || !clientLine.MatchString(p.output[len(p.output)-1]) {
		return false
	}
	slices.Reverse(p.output)
	return true
}

// renamedNode has the prompts and flags call the server by a name.
func renamedNode(s *story) bool {
	if s.want.Args["redis"] != "" {
		return false
	}
	names := map[string]string{}
	return eachStep(func(p *step) bool {
		before := p.typed + p.prompt
		p.typed = regexp.MustCompile(`-h (10\.\S+)`).ReplaceAllStringFunc(p.typed, func(m string) string {
			addr := strings.TrimPrefix(m, "-h ")
			if names[addr] == "" {
				names[addr] = fmt.Sprintf("lock-redis-%d.cache.svc", len(names))
			}
			return "-h " + names[addr]
		})
		if p.node != "" {
			host, rest, _ := strings.Cut(p.node, ":")
			if n := names[host]; n != "" {
				p.prompt = n + ":" + rest + "> "
			}
		}
		return p.typed+p.prompt != before
	})(s)
}
