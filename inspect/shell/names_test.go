package shell_test

import (
	"testing"

	"github.com/lockscene/lockscene/inspect/shell"
)

func TestHostname(t *testing.T) {
	for _, c := range []struct{ command, output, want string }{
		{"hostname", "quince-3", "quince-3"},
		{"hostname -f", "quince-3.orchard.internal", "quince-3.orchard.internal"},
		{"uname -n", "quince-3", "quince-3"},
		{"uname -a", "Linux quince-3 5.15.0-94-generic #104-Ubuntu SMP x86_64 GNU/Linux", "quince-3"},
		{"uname -rn", "quince-3 5.15.0", "quince-3"},
		{"uname -sn", "Linux quince-3", "quince-3"},
		{"hostnamectl", " Static hostname: quince-3\n       Icon name: computer-vm\n", "quince-3"},
		{"hostnamectl status", " Static hostname: old\n Transient hostname: quince-3\n", "quince-3"},
		{"hostnamectl --static", "quince-3", "quince-3"},
	} {
		if got, err := shell.Hostname(typed(c.command), []byte(c.output+"\n")); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", c.command, got, err)
		}
	}
	for _, c := range []struct{ command, output string }{
		{"hostname -I", "10.0.0.5"},
		{"uname -r", "5.15.0"},
		{"hostname", "bash: hostname: command not found"},
		{"hostname", ""},
		{"hostname", "\x1b[31mx"},
	} {
		if got, err := shell.Hostname(typed(c.command), []byte(c.output)); err == nil {
			t.Errorf("%s → %q: %q", c.command, c.output, got)
		}
	}
	if name, ok := shell.HostnameFile([]byte("quince-3\n")); !ok || name != "quince-3" {
		t.Errorf("/etc/hostname: %q", name)
	}
}

func TestBootID(t *testing.T) {
	const id = "0f8c1d2e-3b4a-4c5d-8e9f-0a1b2c3d4e5f"
	for _, text := range []string{id + "\n", " Boot ID: 0f8c1d2e3b4a4c5d8e9f0a1b2c3d4e5f\n", "Machine ID: x\nBoot ID: " + id} {
		if got, ok := shell.BootID([]byte(text)); !ok || got != id {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got, ok := shell.BootID([]byte("0f8c1d2e\n")); ok {
		t.Errorf("a short id was read as %q", got)
	}
}

func TestWho(t *testing.T) {
	for _, c := range []struct {
		command, output string
		root            bool
		name            string
	}{
		{"id", "uid=0(root) gid=0(root) groups=0(root)", true, "root"},
		{"id", "uid=1001(ops) gid=1001(ops) groups=1001(ops),27(sudo)", false, "ops"},
		{"id -u", "0", true, ""},
		{"id -u", "1001", false, ""},
		{"id -un", "root", true, "root"},
		{"whoami", "ops", false, "ops"},
	} {
		u, err := shell.Who(typed(c.command), []byte(c.output+"\n"))
		if err != nil || u.Root() != c.root || u.Name != c.name {
			t.Errorf("%s → %q: %+v, %v", c.command, c.output, u, err)
		}
	}
	for command, output := range map[string]string{"id redis": "uid=0(root)", "whoami": "", "id": "uid=x"} {
		if u, err := shell.Who(typed(command), []byte(output)); err == nil {
			t.Errorf("%s → %q: %+v", command, output, u)
		}
	}
}

func TestPids(t *testing.T) {
	for _, c := range []struct {
		command, output string
		pids            int
		name            string
	}{
		{"pidof ledgerd", "41207 41208\n", 2, ""},
		{"pgrep ledgerd", "41207\n41208\n", 2, ""},
		{"pgrep -l ledgerd", "41207 ledgerd\n", 1, "ledgerd"},
		{"pgrep -af ledgerd", "41207 /opt/bin/ledgerd --shard 3\n", 1, "ledgerd"},
		{"pidof ledgerd", "", 0, ""},
	} {
		rows, err := shell.Pids(typed(c.command), []byte(c.output))
		if err != nil || len(rows) != c.pids || len(rows) > 0 && (rows[0].Pid != 41207 || rows[0].Name() != c.name) {
			t.Errorf("%s: %+v, %v", c.command, rows, err)
		}
	}
	if rows, err := shell.Pids(typed("pgrep x"), []byte("pgrep: no matching criteria\n")); err == nil {
		t.Errorf("a complaint was read as %+v", rows)
	}
}

func TestConnection(t *testing.T) {
	for _, c := range []struct {
		command, output string
		host, kind      string
		port            int
	}{
		{"ssh aspen-5", "ssh: connect to host aspen-5 port 22: Connection timed out", "aspen-5", "timeout", 22},
		{"ssh ops@10.0.0.5", "ssh: connect to host 10.0.0.5 port 22: No route to host", "10.0.0.5", "unreachable", 22},
		{"ssh -p 2222 aspen-5", "ssh: connect to host aspen-5 port 2222: Connection refused", "aspen-5", "refused", 2222},
		{"ssh -J console aspen-5", "ssh: connect to host console port 22: Operation timed out\nConnection closed by UNKNOWN port 65535", "console", "timeout", 22},
		{"ssh aspen-5", "ssh: Could not resolve hostname aspen-5: Name or service not known", "aspen-5", "unresolved", 0},
		{"ssh aspen-5", "ops@aspen-5: Permission denied (publickey).", "aspen-5", "auth", 0},
		{"ssh aspen-5", "kex_exchange_identification: Connection closed by remote host", "aspen-5", "closed", 0},
		{"nc -vz 10.0.0.7 6379", "Connection to 10.0.0.7 6379 port [tcp/redis] succeeded!", "10.0.0.7", "ok", 6379},
		{"nc -vz 10.0.0.7 6379", "nc: connect to 10.0.0.7 port 6379 (tcp) failed: Connection refused", "10.0.0.7", "refused", 6379},
		{"nc -vz -w 2 10.0.0.7 6379", "nc: connect to 10.0.0.7 port 6379 (tcp) timed out: Operation now in progress", "10.0.0.7", "timeout", 6379},
		{"nc -vz 10.0.0.7 6379", "10.0.0.7 (10.0.0.7:6379) open", "10.0.0.7", "ok", 6379},
		{"telnet 10.0.0.7 6379", "Trying 10.0.0.7...\nConnected to 10.0.0.7.\nEscape character is '^]'.", "10.0.0.7", "ok", 6379},
		{"ping -c 3 10.0.0.7", "3 packets transmitted, 0 received, 100% packet loss, time 2031ms", "10.0.0.7", "lost", 0},
		{"ping -c 3 10.0.0.7", "3 packets transmitted, 3 received, 0% packet loss, time 2031ms", "10.0.0.7", "ok", 0},
	} {
		r, ok := shell.Connection(typed(c.command), []byte(c.output+"\n"))
		if !ok || r.Host != c.host || r.Kind != c.kind || r.Port != c.port {
			t.Errorf("%s → %q: %+v, %v", c.command, c.output, r, ok)
		}
	}
	for command, output := range map[string]string{
		"ssh aspen-5":            "Last login: Mon Oct  5 09:31:24 2026 from 10.0.0.2",
		"ssh aspen-5 journalctl": "redis: dial tcp 10.0.0.7:6379: i/o timed out",
		"ls":                     "Connection refused",
	} {
		if r, ok := shell.Connection(typed(command), []byte(output)); ok {
			t.Errorf("%s → %q: %+v", command, output, r)
		}
	}
}
