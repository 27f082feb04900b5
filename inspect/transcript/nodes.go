package transcript

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// kubectl debug node/NAME looks at a machine: its container has the machine's pids
// and network, and the machine's own files below /host.

// onNode is the machine that a kubectl debug goes to, and what it runs there: a
// shell where it names nothing else.
func onNode(argv []string) (node string, cmd []string) {
	i := slices.Index(argv, "debug")
	if i < 0 {
		return "", nil
	}
	for n, w := range argv[i+1:] {
		if w == "--" {
			cmd = argv[i+1+n+1:]
			break
		}
		for _, kind := range []string{"node/", "nodes/", "no/"} {
			if name, ok := strings.CutPrefix(w, kind); ok && node == "" {
				node = name
			}
		}
	}
	if cmd = unwrap(cmd); len(cmd) > 0 && base(cmd[0]) == "chroot" || len(cmd) == 0 {
		cmd = []string{"sh"} // chroot /host alone opens one too
	}
	return node, cmd
}

// kubectlNotice is what kubectl says of its own before what was run prints.
var kubectlNotice = regexp.MustCompile(`^(?:Creating debugging pod \S+ with container \S+ on node \S+|If you don't see a command prompt, try pressing enter\.|All commands and output from this session will be recorded in container logs.*|Defaulted container "\S+" out of: .*)$`)

// isNotice says whether a line is kubectl's and not the command's.
func (s *scanner) isNotice(line []byte) bool {
	return len(s.open) > 0 && len(line) > 20 && len(line) < 1024 && bytes.IndexByte([]byte("CIAD"), line[0]) >= 0 && kubectlNotice.Match(line)
}
