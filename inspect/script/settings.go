package script

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/host"
)

// unitProperties are those a verdict uses. Environment is not among them.
const unitProperties = "--property=Id,Type,ActiveState,SubState,Result,ControlGroup,OOMPolicy,InvocationID,MainPID,NRestarts," +
	"ExecMainPID,ExecMainCode,ExecMainStatus,ExecMainStartTimestamp,ExecMainStartTimestampMonotonic," +
	"ExecMainExitTimestamp,ExecMainExitTimestampMonotonic,InactiveExitTimestamp,InactiveExitTimestampMonotonic," +
	"ActiveEnterTimestamp,ActiveEnterTimestampMonotonic,ActiveExitTimestamp,ActiveExitTimestampMonotonic," +
	"InactiveEnterTimestamp,InactiveEnterTimestampMonotonic,OOMKills"

// containerFields are those a verdict uses, in the shape of docker inspect: its
// full answer holds the container's environment.
const containerFields = `{"Id":{{json .Id}},"Name":{{json .Name}},"RestartCount":{{json .RestartCount}},` +
	`"State":{"Status":{{json .State.Status}},"Running":{{json .State.Running}},"Paused":{{json .State.Paused}},` +
	`"OOMKilled":{{json .State.OOMKilled}},"Pid":{{json .State.Pid}},"ExitCode":{{json .State.ExitCode}},` +
	`"StartedAt":{{json .State.StartedAt}},"FinishedAt":{{json .State.FinishedAt}}},` +
	`"HostConfig":{"Memory":{{json .HostConfig.Memory}}}}`

// settings writes the variables and the two functions the body expects.
func settings(b *strings.Builder, o Options) {
	file, isFile := strings.CutPrefix(o.Heartbeat, "file:")
	if !isFile {
		file = ""
	}
	beat, isKey := strings.CutPrefix(o.Heartbeat, "key:")
	if !isKey {
		beat = ""
	}
	set := func(name, value string) { fmt.Fprintf(b, "%s=%s\n", name, quote(value)) }
	set("named", numbers(o.Pid, o.Renewer))
	set("unit", o.Unit)
	set("cgroup", strings.Trim(o.Cgroup, "/"))
	set("container", o.Container)
	set("beat_file", file)
	set("beat_key", beat)
	set("key", o.Key)
	set("coordinator", o.Redis.Host+o.Redis.Socket)
	set("port_hex", o.Redis.hexPort())
	set("everything", oneIf(o.Full))
	set("seconds", strconv.Itoa(o.Seconds))
	set("asked", o.asked())
	set("properties", unitProperties)
	set("container_fields", containerFields)
	b.WriteString("\n# keep_redis WORD...: one command to the coordinator.\nkeep_redis() {\n  keep timeout 3 redis-cli --no-raw" +
		o.Redis.arguments() + " \"$@\"\n}\n")
	groupFiles(b)
}

// groupFiles writes the function that lists the files of a controller's folder.
func groupFiles(b *strings.Builder) {
	names := map[string][]string{}
	for _, f := range host.GroupFiles {
		names[f.Controller] = append(names[f.Controller], f.Name)
	}
	b.WriteString("\n# group_files CONTROLLER: sets files to those of its folder, both versions'.\ngroup_files() {\n  case $1 in\n")
	for _, c := range []string{"", "memory", "cpu", "cpuacct", "freezer"} {
		name := c
		if c == "" {
			name = "unified"
		}
		fmt.Fprintf(b, "  %s) files=%s ;;\n", name, quote(strings.Join(names[c], " ")))
	}
	b.WriteString("  *) files= ;;\n  esac\n}\n")
}

// asked are the flags that say whose the lock is, as one would type them: whoever
// judges the transcript need not be told them again.
func (o Options) asked() string {
	var words []string
	add := func(flag, value string) {
		if value != "" && value != "0" {
			words = append(words, flag, quote(value))
		}
	}
	add("--pid", strconv.Itoa(o.Pid))
	add("--renewer-pid", strconv.Itoa(o.Renewer))
	add("--unit", o.Unit)
	add("--cgroup", o.Cgroup)
	add("--container", o.Container)
	add("--heartbeat", o.Heartbeat)
	return strings.Join(words, " ")
}

// arguments are redis-cli's options, each a quoted word.
func (r Redis) arguments() string {
	var words []string
	if r.Socket != "" {
		words = append(words, "-s", quote(r.Socket))
	} else {
		words = append(words, "-h", quote(r.Host), "-p", strconv.Itoa(int(r.Port)))
	}
	if r.User != "" {
		words = append(words, "--user", quote(r.User))
	}
	if r.TLS {
		words = append(words, "--tls")
	}
	if r.DB != 0 {
		words = append(words, "-n", strconv.Itoa(r.DB))
	}
	return " " + strings.Join(words, " ")
}

// hexPort is the port as /proc/net/tcp prints it; empty where there is none.
func (r Redis) hexPort() string {
	if r.Host == "" || r.Port == 0 {
		return ""
	}
	return fmt.Sprintf("%04X", r.Port)
}

func numbers(list ...int) string {
	var words []string
	for _, n := range list {
		if n > 0 {
			words = append(words, strconv.Itoa(n))
		}
	}
	return strings.Join(words, " ")
}

func oneIf(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// quote makes one word of any text: nothing is special between single quotes
// but the quote itself, which is written outside of them.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
