package transcript

import (
	"slices"
	"strings"
)

// What is typed here and runs elsewhere: over ssh, in a container, in a shell
// within the shell.

// expandAll puts in place of each command that runs others elsewhere those
// others. What opens an interactive shell stays as it is.
func expandAll(commands []command) []command {
	var out []command
	for _, c := range commands {
		out = append(out, expand(c, 0)...)
	}
	if len(out) > maxCommands {
		out = out[:maxCommands]
	}
	return out
}

func expand(c command, depth int) []command {
	const deepest = 4
	if depth == deepest || len(c.argv) == 0 {
		return []command{c}
	}
	switch name := base(c.argv[0]); {
	case name == "ssh" || name == "slogin":
		host, user, cmd := remote(c.argv)
		if len(cmd) == 0 {
			return []command{c}
		}
		c.host, c.user = host, user
		return c.inner(strings.Join(cmd, " "), depth)
	case containers[name]:
		if node, cmd := onNode(c.argv); node != "" {
			c.host, c.argv = node, cmd
			return expand(c, depth+1)
		}
		in, cmd := within(c.argv)
		if in.Name == "" || len(cmd) == 0 {
			return []command{c}
		}
		c.in, c.argv = in, unwrap(cmd)
		return expand(c, depth+1)
	case isShell(name) || name == "su":
		i := slices.IndexFunc(c.argv, func(w string) bool { return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.HasSuffix(w, "c") })
		if i > 0 && i+1 < len(c.argv) {
			return c.inner(c.argv[i+1], depth)
		}
	}
	return []command{c}
}

// inner are the commands of a line that another shell reads.
func (c command) inner(line string, depth int) []command {
	list := parseList(line)
	if len(list) == 0 {
		return []command{c}
	}
	var out []command
	for _, in := range list {
		in.host, in.user, in.in = either(in.host, c.host), either(in.user, c.user), in.in.or(c.in)
		in.filters, in.loop = slices.Concat(in.filters, c.filters), in.loop || c.loop
		if c.each != nil {
			in.each = c.each
		}
		if len(list) == 1 {
			in.typed, in.joint = c.typed, c.joint // as it was typed: Split finds the inner one again
		}
		out = append(out, expand(in, depth+1)...)
	}
	return out
}

// containers are the programs with an exec that runs a command in a container.
var containers = programSet("docker podman kubectl crictl oc k3s nerdctl lxc docker-compose")

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "ash", "zsh", "dash", "ksh", "mksh", "fish":
		return true
	}
	return false
}

// interactive says whether a shell so called prompts, rather than runs a script.
func interactive(argv []string) bool {
	return !slices.ContainsFunc(argv[1:], func(w string) bool {
		return w != "-" && w != "-l" && w != "-i" && w != "-il" && w != "--login" && w != "-x" && w != "--norc"
	})
}

// opensShell knows by its words what else may end in another shell's prompt:
// vagrant ssh, kubectl debug -it, docker compose exec web sh.
func opensShell(argv []string) bool {
	return !strings.HasSuffix(argv[0], "-cli") && slices.ContainsFunc(argv[1:], func(w string) bool {
		switch w {
		case "ssh", "ssm", "start-session", "shell", "attach", "console", "login", "enter", "rsh", "-it", "-ti", "debug", "bash", "sh", "ash", "/bin/sh", "/bin/bash":
			return true
		}
		return false
	}) && !slices.Contains([]string{"echo", "which", "type", "man", "grep", "pgrep", "ps", "ls", "cat", "systemctl", "journalctl", "kill", "pkill", "file"}, base(argv[0]))
}

// remote is the host that ssh goes to, as whom, and what it runs there.
func remote(argv []string) (host, user string, cmd []string) {
	n := 1 + options(argv[1:], "-p -i -l -o -J -F -L -R -D -W -b -c -e -E -I -m -O -Q -S -w -B")
	if n >= len(argv) {
		return "", "", nil
	}
	host = strings.TrimPrefix(argv[n], "ssh://")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		user, host = host[:i], host[i+1:]
	}
	rest := argv[n+1:]
	n = options(rest, "-p -i -l -o -J -F")
	return host, user, rest[n:]
}
