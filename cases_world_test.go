package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Other hosts, processes and addresses: the same happened to somebody else.
func worldTellings() []telling {
	return []telling{
		{name: "other hosts", change: otherHosts},
		{name: "other processes", change: otherProcesses},
		{name: "other addresses", change: otherAddresses},
		{name: "another key", change: otherKey},
		{name: "everything else's name", change: func(s *story) bool {
			hosts, pids, addrs := otherHosts(s), otherProcesses(s), otherAddresses(s)
			return hosts && pids && addrs
		}},
		{name: "sockets of IPv6", change: mappedSockets},
		{name: "sockets of the whole host", change: eachStep(func(p *step) bool {
			before := p.typed
			p.typed = regexp.MustCompile(`^cat /proc/\d+/net/tcp\b`).ReplaceAllString(p.typed, "cat /proc/net/tcp")
			return p.typed != before
		}), strict: weaker, loses: "whose namespace they are of"},
		{name: "a kernel with other columns", change: eachStep(func(p *step) bool {
			if !strings.Contains(p.typed, "/status") || len(p.output) < 2 {
				return false
			}
			p.output = slices.Insert(p.output, len(p.output)-1, "x86_Thread_features:", "SpeculationIndirectBranch:\tconditional enabled")
			return true
		})},
	}
}

var (
	hostNames = []string{"db01", "ip-10-0-3-77", "web-eu-west-1a-3f", "KRONOS", "node7x", "k8s-pool-b-x2r9q", "lab_9", "a1"}
	valueHost = regexp.MustCompile(`(?m)^(?:\d+\) )?"?([a-z]+-\d+):\d+:`)
)

// otherHosts gives every host of the prompts and the lock's values another name.
func otherHosts(s *story) bool {
	text := s.whole()
	names := []string{s.want.Args["host"]}
	for _, p := range steps(text) {
		names = append(names, p.host)
	}
	for _, re := range []*regexp.Regexp{valueHost, regexp.MustCompile(`(?m)\$ ssh (?:-J \S+ )?(\S+)$`)} {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	n := 0
	for _, name := range names {
		if name == "" {
			continue
		}
		text = regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).ReplaceAllString(text, hostNames[n%len(hostNames)])
		if s.want.Args["host"] == name {
			s.want.Args["host"] = hostNames[n%len(hostNames)]
		}
		n++
	}
	changed := text != s.whole()
	s.text = text
	return changed
}

var pidWord = regexp.MustCompile(`(?:/proc/|/task/|ps [^\n]*-p |pid=|process |[a-z]\[|PID |task [a-z-]+:)(\d{3,7})\b`)

// otherProcesses gives every process another number of as many digits.
func otherProcesses(s *story) bool {
	text := s.whole()
	var pids []string
	for _, m := range pidWord.FindAllStringSubmatch(text, -1) {
		pids = append(pids, m[1])
	}
	pids = append(pids, s.want.Args["pid"], s.want.Args["renewer_pid"])
	slices.Sort(pids)
	pids = slices.Compact(pids)
	replace := map[string]string{}
	for _, pid := range pids {
		n, err := strconv.Atoi(pid)
		if err != nil {
			continue
		}
		if other := strconv.Itoa(n + 1213); len(other) == len(pid) && !strings.Contains(text, other) {
			replace[pid] = other
		}
	}
	text = regexp.MustCompile(`\b\d{3,7}\b`).ReplaceAllStringFunc(text, func(m string) string {
		if other, ok := replace[m]; ok {
			return other
		}
		return m
	})
	for _, arg := range []string{"pid", "renewer_pid"} {
		if other, ok := replace[s.want.Args[arg]]; ok {
			s.want.Args[arg] = other
		}
	}
	changed := text != s.whole()
	s.text = text
	return changed
}

var (
	quads   = regexp.MustCompile(`\b10\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\b`)
	hexAddr = regexp.MustCompile(`\b([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})0A:([0-9A-F]{4})\b`)
)

// otherAddresses moves 10.b.c.d to 172.20.c.d, wherever it is written.
func otherAddresses(s *story) bool {
	text := quads.ReplaceAllString(s.whole(), "172.20.$2.$3")
	text = hexAddr.ReplaceAllString(text, "${1}${2}14AC:$4")
	s.want.Args["redis"] = quads.ReplaceAllString(s.want.Args["redis"], "172.20.$2.$3")
	if s.want.Args["redis"] == "" {
		delete(s.want.Args, "redis")
	}
	changed := text != s.whole()
	s.text = text
	return changed
}

func otherKey(s *story) bool {
	key := s.want.Key
	s.want.Key = "tenant:42/{x}:" + key // what is called alike stays so
	for i := range s.steps {
		p := &s.steps[i]
		to := s.want.Key
		if p.node == "" {
			to = "'" + to + "'"
		}
		p.typed = strings.ReplaceAll(p.typed, key, to)
		for j := range p.output {
			p.output[j] = strings.ReplaceAll(p.output[j], key, s.want.Key)
		}
	}
	s.want.Args["heartbeat"] = strings.ReplaceAll(s.want.Args["heartbeat"], key, s.want.Key)
	if s.want.Args["heartbeat"] == "" {
		delete(s.want.Args, "heartbeat")
	}
	return true
}

// mappedSockets has every socket of IPv4 as one of IPv6, as a dual-stack runtime
// opens them.
func mappedSockets(s *story) bool {
	return eachStep(func(p *step) bool {
		switch {
		case strings.Contains(p.typed, "/net/tcp"):
			p.typed = strings.Replace(p.typed, "/net/tcp", "/net/tcp6", 1)
			for i, line := range p.output {
				p.output[i] = regexp.MustCompile(`\b([0-9A-F]{8}):([0-9A-F]{4})\b`).ReplaceAllStringFunc(line, mapped)
			}
		case p.program() == "ss":
			for i, line := range p.output {
				p.output[i] = regexp.MustCompile(`\b(10\.[0-9.]+):`).ReplaceAllString(line, "[::ffff:$1]:")
			}
		default:
			return false
		}
		return true
	})(s)
}

// mapped widens a socket's address; the queues beside it look the same.
func mapped(m string) string {
	if !strings.HasSuffix(m[:8], "0A") && m[:8] != "00000000" {
		return m
	}
	if m[:8] == "00000000" {
		return fmt.Sprintf("%032d:%s", 0, m[9:])
	}
	return "0000000000000000FFFF0000" + m
}
