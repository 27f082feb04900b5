package pasted

import (
	"strings"

	"github.com/lockscene/lockscene/inspect/transcript"
)

// takeAsked reads what the script printed of its own flags: whoever judges its
// transcript need not be told them again. What the responder says wins.
func (im *importer) takeAsked() {
	ours := false
	for _, e := range im.entries {
		if !e.Remark {
			continue
		}
		if strings.HasPrefix(e.Typed, "lockscene script ") {
			ours = true
			continue
		}
		argv, _ := transcript.Split(e.Typed)
		if ours && len(argv) >= 2 && argv[0] == "asked" && argv[1] == "with" {
			im.asked = true
			im.takeFlags(argv[2:])
		}
		ours = false
	}
}

func (im *importer) takeFlags(words []string) {
	sub := &im.opts.Subject
	named := sub.Pid > 0 || sub.Unit != "" || sub.Cgroup != "" || sub.Container != ""
	for i := 0; i+1 < len(words); i += 2 {
		value := words[i+1]
		switch words[i] {
		case "--renewer-pid":
			if sub.Renewer == 0 {
				sub.Renewer = number(value)
			}
		case "--heartbeat":
			if sub.Heartbeat == "" {
				sub.Heartbeat = value
			}
		}
		if named {
			continue
		}
		switch words[i] {
		case "--pid":
			sub.Pid = number(value)
		case "--unit":
			sub.Unit = value
		case "--cgroup":
			sub.Cgroup = value
		case "--container":
			sub.Container = value
		}
	}
}
