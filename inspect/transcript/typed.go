package transcript

import "strings"

// telling are programs whose name is no word of a sentence. Those of everyday names
// want an option, a path or a number behind them.
var telling = programSet(`redis-cli valkey-cli keydb-cli docker podman kubectl crictl oc dmesg journalctl systemctl chronyc timedatectl ssh pgrep lsof netstat strace jstack`)

// LooksTyped says whether a line without a prompt that anybody knows may be one
// with a command behind it.
func LooksTyped(line string) bool {
	const front = 8
	words := strings.Fields(line[:min(len(line), maxCommandLine)])
	for i, w := range words {
		if i == front {
			return false
		}
		name := base(strings.TrimLeft(w, "$#%>"))
		rest := words[i+1:]
		switch {
		case telling[name] && len(rest) > 0 && !prose(name+" "+strings.Join(rest, " ")):
			return true
		case programs[name] && len(rest) > 0 && strings.IndexByte("-/+", rest[0][0]) >= 0 && len(rest[0]) > 1:
			return true
		}
	}
	return false
}
