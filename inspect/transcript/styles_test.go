package transcript

import (
	"strings"
	"testing"
)

// Further styles of prompt, as shells, frames and terminals bring them. Two
// commands each, so that the second prompt must end the first one's output, and
// an answer of several lines, so that nothing of it may pass for a prompt.
var styles = map[string]struct{ prompt, where string }{
	"SUSE":                           {"sre@mgmt:~> ", "sre@mgmt"},
	"SUSE, a folder":                 {"ops@lap:/var/log> ", "ops@lap"},
	"SUSE, root":                     {"mgmt:~ # ", "mgmt"},
	"SUSE, root, a folder":           {"mgmt:/var/log # ", "mgmt"},
	"kube-ps1":                       {"(⎈|prod:locks)ops@lap:~$ ", "ops@lap"},
	"kube-ps1 with blanks":           {"(⎈ |prod-eu:locks) ops@lap:~$ ", "ops@lap"},
	"kube-ps1 without a name":        {"(⎈|prod:locks) ~ $ ", ""},
	"kube-ps1 without brackets":      {"⎈ prod-eu|locks ~ $ ", ""},
	"kube-ps1 in square ones":        {"[⎈ prod-eu:locks] ops@lap:~$ ", "ops@lap"},
	"a helm and a name":              {"☸ prod-eu ops@lap:~$ ", "ops@lap"},
	"cmd.exe":                        {"C:\\> ", ""},
	"cmd.exe as it comes":            {"C:\\Users\\ops>", ""},
	"PowerShell":                     {"PS C:\\Users\\ops> ", ""},
	"PowerShell with git":            {"PS C:\\Users\\ops\\src [main ≡ +1 ~0 -0 !]> ", ""},
	"PowerShell on Linux":            {"PS /home/ops> ", ""},
	"PowerShell elsewhere":           {"[quince-3]: PS C:\\Users\\ops\\Documents> ", "quince-3"},
	"fish with git":                  {"ops@quince-3 ~/src (main)> ", "ops@quince-3"},
	"fish with git's state":          {"ops@quince-3 ~/s/locks (main|✔)> ", "ops@quince-3"},
	"fish with an exit code":         {"ops@quince-3 ~ [127]> ", "ops@quince-3"},
	"fish, root":                     {"root@quince-3 ~# ", "root@quince-3"},
	"robbyrussell with git":          {"➜  locks git:(main) ", ""},
	"agnoster":                       {" ops@quince-3 \ue0b0 ~/src \ue0b0 \ue0a0 main \ue0b0 ", "ops@quince-3"},
	"agnoster, a failure":            {" ✘ ops@quince-3 \ue0b0 ~ \ue0b0 ", "ops@quince-3"},
	"agnoster without a name":        {" ~/src \ue0b0 \ue0a0 main \ue0b0 ", ""},
	"oh-my-posh":                     {"\ue0b6ops\ue0b0 ~ \ue0b0 \ue0a0 main \ue0b0\ue0b4 ", ""},
	"powerlevel10k, one line":        {"~/src main ❯ ", ""},
	"powerlevel10k, two lines":       {"╭─ ~/src  main ········· ✔  ops@quince-3  10:11:12 ─╮\n╰─❯ ", "ops@quince-3"},
	"powerlevel10k, rainbow":         {"╭─\ue0b2 ~ \ue0b0\ue0b2 ✔ \ue0b2 ops@quince-3 \ue0b0─╮\n╰─ ", "ops@quince-3"},
	"starship":                       {"ops in 🌐 quince-3 in ~/src on  main [!] via 🐹 v1.26\n❯ ", "ops@quince-3"},
	"starship at home":               {"~/src on  main via 🐹 v1.26\n❯ ", ""},
	"starship with a cluster":        {"ops in 🌐 quince-3 in ~ ☸ prod-eu (locks)\n❯ ", "ops@quince-3"},
	"pure":                           {"~/src main*\n❯ ", ""},
	"pure over ssh":                  {"~ ops@quince-3\n❯ ", "ops@quince-3"},
	"ys":                             {"# ops @ quince-3 in ~ on git:main x [10:11:12]\n$ ", "ops@quince-3"},
	"Git for Windows":                {"ops@DESKTOP-1A2B MINGW64 ~/src (main)\n$ ", "ops@DESKTOP-1A2B"},
	"bira":                           {"╭─ops@quince-3 ~/src ‹main›\n╰─$ ", "ops@quince-3"},
	"Parrot":                         {"┌─[ops@quince-3]─[~]\n└──╼ $", "ops@quince-3"},
	"Parrot, a failure":              {"┌─[✗]─[ops@quince-3]─[~/src]\n└──╼ $", "ops@quince-3"},
	"af-magic":                       {"~ » ", ""},
	"a name and »":                   {"ops@quince-3 ~ » ", "ops@quince-3"},
	"byobu":                          {"ops@quince-3:~$ ", "ops@quince-3"},
	"cPanel":                         {"root@ip-10-0-1-2 [~]# ", "root@ip-10-0-1-2"},
	"cPanel, user":                   {"ops@ip-10-0-1-2 [/var/log]# ", "ops@ip-10-0-1-2"},
	"Red Hat":                        {"[root@ip-10-0-1-2 locks]# ", "root@ip-10-0-1-2"},
	"Alpine":                         {"quince-3:~# ", "quince-3"},
	"Alpine, a folder":               {"quince-3:/etc/conf.d# ", "quince-3"},
	"busybox":                        {"/ # ", ""},
	"busybox, a folder":              {"/usr/src/app # ", ""},
	"busybox with $":                 {"/data $ ", ""},
	"OpenShift":                      {"sh-4.4$ ", ""},
	"SSM":                            {"sh-5.2$ ", ""},
	"SSM's user":                     {"[ssm-user@ip-10-2-3-4 bin]$ ", "ssm-user@ip-10-2-3-4"},
	"a pod":                          {"root@ledger-7d9c5b8f6-x2k4q:/app# ", "root@ledger-7d9c5b8f6-x2k4q"},
	"a pod without a name":           {"bash-5.2# ", ""},
	"a pod whose user has no name":   {"I have no name!@ledger-7d9c5b8f6-x2k4q:/app$ ", "ledger-7d9c5b8f6-x2k4q"},
	"WSL":                            {"ops@DESKTOP-1A2B:/mnt/c/Users/ops$ ", "ops@DESKTOP-1A2B"},
	"a Raspberry":                    {"pi@quince-3:~ $ ", "pi@quince-3"},
	"tcsh":                           {"[ops@quince-3 ~]% ", "ops@quince-3"},
	"FreeBSD":                        {"root@quince-3:~ # ", "root@quince-3"},
	"macOS":                          {"ops@Oles-MacBook-Pro ~ % ", "ops@Oles-MacBook-Pro"},
	"macOS, old":                     {"Oles-MacBook-Pro:~ ops$ ", "ops@Oles-MacBook-Pro"},
	"NixOS":                          {"[ops@quince-3:~]$ ", "ops@quince-3"},
	"nix-shell":                      {"[nix-shell:~/src]$ ", ""},
	"toolbox":                        {"⬢[ops@toolbox ~]$ ", "ops@toolbox"},
	"nushell":                        {"~/src> ", ""},
	"conda":                          {"(base) ops@quince-3:~$ ", "ops@quince-3"},
	"conda, Red Hat":                 {"(base) [ops@quince-3 ~]$ ", "ops@quince-3"},
	"a chroot":                       {"(jammy)root@quince-3:/# ", "root@quince-3"},
	"Cloud Shell":                    {"ops@cloudshell:~ (locks-prod)$ ", "ops@cloudshell"},
	"a time at the end":              {"ops@quince-3:~ [10:11:12]$ ", "ops@quince-3"},
	"a time in front":                {"[10:11:12] ops@quince-3 ~ $ ", "ops@quince-3"},
	"a history number":               {"1042 ops@quince-3:~$ ", "ops@quince-3"},
	"coloured":                       {"\x1b[1;38:2::90:200:90mops@quince-3\x1b[0m:\x1b[01;34m~\x1b[0m$ ", "ops@quince-3"},
	"iTerm's marks":                  {"\x1b]133;D;0\x07\x1b]1337;RemoteHost=ops@quince-3\x07\x1b]1337;CurrentDir=/home/ops\x07\x1b]133;A\x07ops@quince-3:~$ \x1b]133;B\x07", "ops@quince-3"},
	"screen's titles":                {"\x1bkops@quince-3: ~\x1b\\ops@quince-3:~$ ", "ops@quince-3"},
	"colours as less -U shows them":  {"^[[01;32mops@quince-3^[[00m:^[[01;34m~^[[00m$ ", "ops@quince-3"},
	"a blank line before the prompt": {"\nops@quince-3 ~ ❯ ", "ops@quince-3"},
}

func TestPromptStylesOfFrames(t *testing.T) {
	for name, c := range styles {
		t.Run(name, func(t *testing.T) {
			first, second := "date -u", "grep -c x /etc/motd"
			where := c.where
			if where != "" {
				where += " "
			}
			want := []string{where + "date -u → Mon Oct  5 09:31:24 UTC 2026", where + "grep -c x /etc/motd → 4", where + "uptime → > up"}
			text := c.prompt + first + "\nMon Oct  5 09:31:24 UTC 2026\n" + c.prompt + second + "\n4\n" + c.prompt + "uptime\n> up\n"
			expect(t, text, want...)
		})
	}
}

// What looks like such a prompt and is none stays output.
func TestNoPromptOfAFrame(t *testing.T) {
	for name, output := range map[string]string{
		"a quoted mail":           "> ops@quince-3 wrote:\n> date -u",
		"a folder and >":          "/var/log> rotated last night",
		"a redirection's own":     "see ~/notes> date",
		"SQL":                     "locks=> select now();\nmysql> select 1;\nMariaDB [locks]> show tables",
		"JavaScript":              "> 1+1\n2\n>>> import os\nirb(main):001:0> puts 1",
		"links":                   "/proc/1/exe -> /usr/bin/ledgerd\n~/a -> ~/b",
		"tree":                    "├── date\n└── uptime\n└─1187 /usr/bin/uptime",
		"a frame":                 "┌──────┐\n│ date │\n└──────┘",
		"a table with an address": "╭───────────────╮\n│ ops@quince-3  │\n╰───────────────╯",
		"prose with an arrow":     "Settings ➤ Network ❯ date",
		"a guillemet":             "he said «date» uptime",
		"a path at the end":       "ops@quince-3:/var/log\nnothing more",
		"a home folder":           "~/src\ndate",
		"prose in two places":     "bob in london in winter\n$ 5 left",
		"host and folder":         "backup:/srv/data # nightly",
		"a Windows path":          `C:\Users\ops\date`,
		"a number and a name":     "42 date\n42 $ date",
	} {
		t.Run(name, func(t *testing.T) {
			briefly := "ops@q cat notes → "
			for i, line := range strings.Split(output, "\n") {
				if i > 0 {
					briefly += "/"
				}
				briefly += line
			}
			expect(t, "ops@q:~$ cat notes\n"+output+"\nops@q:~$ date\nMon\n", briefly, "ops@q date → Mon")
			expect(t, "ops@q:~> cat notes\n"+output+"\nops@q:~> date\nMon\n", briefly, "ops@q date → Mon")
		})
	}
}

// What a screen draws at its bottom is no output, and the time at the right end
// of a command line was not typed.
func TestWhatScreensAdd(t *testing.T) {
	expect(t, "ops@q:~$ date\nMon\n[inc] 0:bash* 1:top-                    \"quince-3\" 10:11 05-Oct-26\n", "ops@q date → Mon")
	expect(t, "ops@q:~$ date\nMon\nu  24.04 0:-*                    5h3m 0.10 8x3.2GHz 15.5G9% 2026-10-05 09:31:24\n", "ops@q date → Mon")
	expect(t, "ops@q ~ % date                    10:11:12\nMon\nops@q ~ % uptime           ✘ 1\nup\n", "ops@q date → Mon", "ops@q uptime → up")
	expect(t, "❯ echo 'a    10:11:12'\na    10:11:12\n", "echo a____10:11:12 → a    10:11:12")
}

func TestWindowsPrograms(t *testing.T) {
	expect(t, "PS C:\\> .\\redis-cli.exe -h 10.2.2.1 TTL k\n(integer) 5\nPS C:\\> & C:\\tools\\redis-cli.exe PING\nPONG\n",
		"./redis-cli.exe -h 10.2.2.1 TTL k → (integer) 5", "C:/tools/redis-cli.exe PING → PONG")
}
