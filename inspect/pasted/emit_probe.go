package pasted

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/inspect/shell"
)

// textProbe is the probe that a command's output belongs to; empty for commands
// nobody reads.
func textProbe(name string, argv []string) string {
	switch name {
	case "dmesg":
		return "kernel/dmesg"
	case "journalctl":
		return "kernel/journal"
	case "chronyc":
		return "clock/chronyc"
	case "ntpq", "timedatectl", "w32tm", "ntpstat":
		return "clock/" + name
	case "systemctl":
		return "unit/systemctl"
	case "docker", "podman", "nerdctl":
		return containerProbe(shell.Operands(argv, "-H", "--host", "--context", "-n", "--namespace", "-f", "--format", "--since", "--until", "--tail", "--filter"))
	case "crictl":
		return crictlProbe(shell.Operands(argv, "-r", "--runtime-endpoint", "-o", "--output", "--tail"))
	case "kubectl", "oc", "k", "k3s", "microk8s.kubectl":
		return podProbe(shell.Operands(argv, "-n", "--namespace", "--context", "--kubeconfig", "-l", "--selector", "-c", "--container", "-o", "--output",
			"-s", "--server", "--cluster", "--user", "--as", "--since", "--since-time", "--tail", "--field-selector", "--sort-by"))
	case "stern", "kubetail", "logcli":
		return "log/app"
	case "aws", "gcloud", "heroku", "az":
		if slices.Contains(argv, "logs") || slices.Contains(argv, "logging") {
			return "log/app"
		}
	}
	return ownProbe(name, argv)
}

// ownProbe is for what tells of one process or of the network.
func ownProbe(name string, argv []string) string {
	switch name {
	case "jstat":
		return "runtime/jstat"
	case "jstack", "py-spy", "rbspy", "dotnet-stack":
		return "runtime/dump"
	case "jcmd":
		if slices.Contains(argv, "Thread.print") || slices.Contains(argv, "Thread.dump_to_file") {
			return "runtime/dump"
		}
	case "nstat":
		return "net/counters"
	case "netstat":
		if slices.ContainsFunc(argv[1:], func(a string) bool {
			return a == "--statistics" || len(a) > 1 && a[1] != '-' && strings.Contains(a, "s")
		}) {
			return "net/counters"
		}
	case "ip", "ethtool", "conntrack", "tc", "ifconfig":
		return "net/text"
	}
	return ""
}

func containerProbe(words []string) string {
	for len(words) > 0 && (words[0] == "container" || words[0] == "compose" || words[0] == "system") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "inspect":
		return "container/inspect"
	case "ps", "ls", "list":
		return "container/ps"
	case "logs":
		return "log/app"
	case "events":
		return "container/events"
	}
	return ""
}

func crictlProbe(words []string) string {
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "inspect", "inspectp":
		return "container/crictl"
	case "ps":
		return "container/ps"
	case "logs":
		return "log/app"
	}
	return ""
}

func podProbe(words []string) string {
	if len(words) > 0 && words[0] == "kubectl" { // k3s kubectl
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	of := ""
	if len(words) > 1 {
		of = strings.ToLower(words[1])
	}
	pods := strings.HasPrefix(of, "po/") || strings.HasPrefix(of, "pod") || of == "po" || of == "all"
	switch words[0] {
	case "get":
		if pods || strings.HasPrefix(of, "ev") {
			return "pod/get"
		}
	case "describe":
		if pods {
			return "pod/describe"
		}
	case "logs", "log":
		return "log/app"
	case "events":
		return "pod/get"
	}
	return ""
}
