package drill

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed csrc/reuse.c
var reuseSource []byte

// Reuse starts an unrelated program under a pid that has just become free.
func (s *Scene) Reuse(pid int) {
	s.T.Helper()
	helper := filepath.Join(s.Dir, "reuse")
	s.compile(reuseSource, "-o", helper)
	p := s.Run(Start{Args: append(s.enter(s.home(nil)), helper, strconv.Itoa(pid), "sleep", "120")})
	s.Must("the pid is taken again, or refused", func() bool { return len(p.Lines()) > 0 })
	if first := p.Lines()[0].Text; !strings.HasPrefix(first, "started") {
		s.NotRun("give a pid away: %s", first)
	}
	s.Must(fmt.Sprintf("pid %d runs sleep", pid), func() bool { return comm(pid) == "sleep" })
}
