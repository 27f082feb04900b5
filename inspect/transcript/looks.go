package transcript

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/inspect/shell"
)

// likeCommand says whether a text may be a command line: it begins with a word
// that programs are called by.
func likeCommand(s string) bool {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return true
	}
	c := s[0]
	switch {
	case c >= 'a' && c <= 'z', strings.IndexByte("./_~({\\!:[\"'$#", c) >= 0:
		return true
	case c >= 'A' && c <= 'Z':
		word, _, _ := strings.Cut(s, " ")
		return shell.IsAssignment(word) || strings.ToUpper(word) == word
	}
	return false
}

// sectionLike says whether "# …" is a heading of INFO, a comment or a Markdown
// heading rather than a root prompt.
func sectionLike(rest string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return word != "" && (word[0] >= 'A' && word[0] <= 'Z' && !shell.IsAssignment(word) || strings.IndexByte("([{\"'!:#", word[0]) >= 0)
}

// prose says whether words are a sentence rather than a command: several of them,
// none of which looks like a flag, a path or a number.
func prose(rest string) bool {
	words := strings.Fields(rest)
	if len(words) < 2 {
		return false
	}
	if last := words[len(words)-1]; strings.HasSuffix(last, ":") || strings.HasSuffix(last, ".") && len(last) > 2 {
		return true
	}
	if len(words) < 4 {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.ContainsAny(w, "/=|;&'\"0123456789") || w[0] == '-' && len(w) > 1 || strings.ToUpper(w) == w
	})
}

func unquoted(word string) string { return strings.Trim(word, `'"`) }

// programs are those that transcripts of incidents are full of.
var programs = programSet(`
	cat head tail less more grep egrep fgrep zgrep zcat awk sed cut sort uniq wc tr tee jq yq xargs find stat file strings diff xxd od base64 column
	date uptime hostname hostnamectl uname id whoami who w last env printenv echo printf sleep true time timeout test seq nproc
	ps top htop atop pgrep pidof pidstat pstree pmap lsof fuser strace ltrace gdb perf kill pkill killall free vmstat iostat mpstat sar numastat taskset
	dmesg journalctl systemctl systemd-cgls systemd-cgtop loginctl coredumpctl service sysctl lsmod modinfo mount findmnt df du lsblk lscpu nsenter lsns unshare
	chronyc chronyd ntpq ntpdate ntpstat timedatectl hwclock adjtimex phc_ctl w32tm
	ss netstat ip ifconfig ethtool ping traceroute mtr dig host nslookup nc ncat telnet curl wget tcpdump conntrack iptables nft nstat arping openssl
	redis-cli valkey-cli keydb-cli redis-server redis-sentinel redis6-cli
	docker podman nerdctl crictl ctr kubectl oc helm k9s docker-compose machinectl lxc
	jstat jstack jcmd jps jmap java py-spy python python3 node ruby go rails bundle php
	ssh slogin mosh scp su sudo doas exit logout quit tmux screen script bash sh zsh ash dash cd ls ll pwd export set unset source clear history which type command alias
	for while until if watch readlink realpath tar gzip zip cp mv rm mkdir vi vim nano apt apk yum dnf rpm dpkg aws gcloud az lockscene`)

func programSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(list) {
		out[name] = true
	}
	return out
}

// knownProgram says whether a word is one of those programs.
func knownProgram(word string) bool {
	word = strings.TrimRight(word, ";")
	return programs[base(word)] || shell.IsAssignment(word) && word[0] >= 'A' && word[0] <= 'Z'
}
