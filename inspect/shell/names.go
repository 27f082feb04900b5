package shell

import (
	"fmt"
	"strconv"
	"strings"
)

// Hostname reads the host's name from hostname, uname or hostnamectl.
func Hostname(argv []string, output []byte) (string, error) {
	c := callOf(argv)
	text := firstLine(output)
	words := strings.Fields(text)
	name := ""
	switch c.name {
	case "hostname":
		if len(words) == 1 && !hasFlag(c.args, "iIdy") {
			name = text
		}
	case "uname":
		name = nodeOf(c.args, words)
	case "hostnamectl":
		name = staticName(c.args, output)
	}
	if !isHostname(name) {
		return "", fmt.Errorf("parse host name: none in %q", clip(text))
	}
	return name, nil
}

// hasFlag says whether an argument sets one of the letters.
func hasFlag(args []string, letters string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.ContainsAny(a, letters) {
			return true
		}
		if a == "--ip-address" || a == "--all-ip-addresses" || a == "--domain" {
			return true
		}
	}
	return false
}

// nodeOf finds the node name: uname prints it first, or behind the system's
// name, whatever the order of the options.
func nodeOf(args, words []string) string {
	all, node, system := false, false, false
	for _, a := range args {
		long := strings.HasPrefix(a, "--")
		all = all || a == "--all" || !long && strings.Contains(a, "a")
		node = node || a == "--nodename" || !long && strings.Contains(a, "n")
		system = system || a == "--kernel-name" || !long && strings.Contains(a, "s")
	}
	at := 0
	if all || system {
		at = 1
	}
	if !all && !node || len(words) <= at {
		return ""
	}
	return words[at]
}

func staticName(args []string, output []byte) string {
	if len(args) > 0 && args[len(args)-1] != "status" {
		return firstLine(output)
	}
	name := ""
	for line := range lines(output) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "Transient hostname": // what the kernel goes by when it differs
			return strings.TrimSpace(value)
		case "Static hostname":
			name = strings.TrimSpace(value)
		}
	}
	return name
}

func isHostname(s string) bool {
	return s != "" && len(s) <= 253 && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// HostnameFile reads /etc/hostname and /proc/sys/kernel/hostname.
func HostnameFile(b []byte) (string, bool) {
	name := firstLine(b)
	return name, isHostname(name)
}

// BootID reads /proc/sys/kernel/random/boot_id, and the same without hyphens as
// hostnamectl and journalctl print it.
func BootID(b []byte) (string, bool) {
	for line := range lines(b) {
		_, after, _ := strings.Cut(line, "Boot ID:")
		for _, text := range []string{strings.TrimSpace(line), strings.TrimSpace(after)} {
			if id, ok := uuid(text); ok {
				return id, true
			}
		}
	}
	return "", false
}

func uuid(s string) (string, bool) {
	hex := strings.ReplaceAll(strings.ToLower(s), "-", "")
	if len(hex) != 32 || len(s) != 32 && len(s) != 36 || strings.Trim(hex, "0123456789abcdef") != "" {
		return "", false
	}
	return hex[:8] + "-" + hex[8:12] + "-" + hex[12:16] + "-" + hex[16:20] + "-" + hex[20:], true
}

// A User is who typed the commands.
type User struct {
	UID  int // -1: not told
	Name string
}

// Root says whether it is the superuser.
func (u User) Root() bool { return u.UID == 0 || u.UID < 0 && u.Name == "root" }

// Who reads id and whoami.
func Who(argv []string, output []byte) (User, error) {
	c := callOf(argv)
	text := firstLine(output)
	opts, operands := options(c.args, "")
	switch {
	case len(operands) > 0 && c.name == "id":
		return User{}, fmt.Errorf("parse id: the command asks about %q", clip(operands[0]))
	case c.name == "whoami" || c.name == "logname" || c.name == "id" && has(opts, "n"):
		if len(strings.Fields(text)) == 1 {
			return User{UID: -1, Name: text}, nil
		}
	case c.name == "id":
		text = strings.TrimPrefix(text, "uid=")
		end := 0
		for end < len(text) && digit(text[end]) {
			end++
		}
		uid, err := strconv.ParseUint(text[:end], 10, 31)
		name, _, named := strings.Cut(strings.TrimPrefix(text[end:], "("), ")")
		if err == nil && named {
			return User{UID: int(uid), Name: name}, nil
		} else if err == nil && text[end:] == "" && has(opts, "u") {
			return User{UID: int(uid)}, nil
		}
	}
	return User{}, fmt.Errorf("parse id: no user in %q", clip(text))
}

// Pids reads pidof and pgrep (with -a, -l too).
func Pids(argv []string, output []byte) ([]Row, error) {
	c := callOf(argv)
	opts, _ := options(c.args, "d:u:U:g:G:P:s:t:F:o:c:", "delimiter")
	if c.name != "pidof" && c.name != "pgrep" || has(opts, "c", "count") && c.name == "pgrep" {
		return nil, fmt.Errorf("parse pids: the command is %q", clip(c.name))
	}
	if err := bounded("pids", output); err != nil {
		return nil, err
	}
	var rows []Row
	for line := range lines(output) {
		if len(rows) >= maxRows {
			break
		}
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		pid, err := strconv.ParseUint(first, 10, 31)
		switch {
		case first == "":
		case err != nil:
			return rows, fmt.Errorf("parse pids: %q is none", clip(first))
		case c.name == "pidof":
			for w := range strings.FieldsSeq(line) {
				if n, err := strconv.ParseUint(w, 10, 31); err == nil && len(rows) < maxRows {
					rows = append(rows, Row{Pid: int(n), CPUNumber: -1})
				}
			}
		case has(opts, "a", "list-full"):
			rows = append(rows, Row{Pid: int(pid), Cmd: rest, CPUNumber: -1})
		default:
			rows = append(rows, Row{Pid: int(pid), Comm: rest, CPUNumber: -1})
		}
	}
	return rows, nil
}
