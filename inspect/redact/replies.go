package redact

import (
	"path"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// isRESP says whether bytes are replies and nothing else. Not all that is kept of
// Redis is: its log is text.
func isRESP(name string, b []byte) bool {
	if slices.Contains([]string{"sample", "get", "hash", "heartbeat", "roles", "slowlog", "clients", "info"}, name) {
		return true
	}
	values, err := redis.ParseReplies(b)
	return err == nil && len(values) > 0
}

// replies rewrites Redis's answers. Lengths are counted anew; what follows the
// last whole reply has no form any more and is dropped.
func (r *redactor) replies(p evidence.Probe, b []byte) ([]byte, bool) {
	values, _ := redis.ParseReplies(b)
	was := valueLength(p.Commands, values)
	var out []byte
	for i, v := range values {
		command := ""
		if i < len(p.Commands) {
			command = p.Commands[i]
		}
		out = r.reply(p.Name, command, v, was).Append(out)
	}
	return out, true
}

// valueLength finds the lock's value in a sample, and so how long the copy's is:
// STRLEN has to say the same.
func valueLength(commands []string, values []redis.Value) string {
	for i, c := range commands {
		if i < len(values) && strings.HasPrefix(c, "GETRANGE ") && values[i].Kind == '$' {
			return values[i].Str
		}
	}
	return ""
}

func (r *redactor) reply(name, command string, v redis.Value, value string) redis.Value {
	switch verb, _, _ := strings.Cut(command, " "); {
	case v.Kind == '-':
		v.Str = oneLine(r.text(v.Str))
		return v
	case v.Kind == '+', verb == "TIME", verb == "LATENCY":
		return v
	case v.Kind == ':':
		if verb == "STRLEN" && value != "" && v.Int == int64(len(value)) {
			v.Int = int64(len(r.shape(value)))
		}
		return v
	case name == "redis/clients":
		return r.each(v, func(s string) string { return string(lines([]byte(s), r.client)) })
	case name == "redis/info":
		return r.each(v, func(s string) string { return string(lines([]byte(s), r.infoLine)) })
	case name == "redis/slowlog":
		return r.slowlog(v)
	case verb == "ROLE":
		return r.role(v)
	case verb == "ACL":
		return r.each(v, r.exact)
	}
	if readsValues(command) {
		return r.each(v, r.shape)
	}
	return r.each(v, r.text)
}

// readsValues says whether a command answers with what people stored.
func readsValues(command string) bool {
	verb, _, _ := strings.Cut(strings.ToLower(command), " ")
	return slices.Contains([]string{"", "get", "getrange", "mget", "hget", "hmget", "hgetall", "hkeys", "hvals", "lrange", "lindex", "smembers", "zrange", "zscore", "xrevrange", "xrange"}, verb)
}

func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

// each rewrites every bulk string of a reply.
func (r *redactor) each(v redis.Value, rewrite func(string) string) redis.Value {
	if v.Kind == '$' && !v.Null {
		v.Str = rewrite(v.Str)
	}
	for i := range v.Array {
		v.Array[i] = r.each(v.Array[i], rewrite)
	}
	return v
}

// role rewrites the addresses in an answer to ROLE; its words stay.
func (r *redactor) role(v redis.Value) redis.Value {
	for i := range v.Array {
		if i > 0 {
			v.Array[i] = r.each(v.Array[i], r.text)
		}
	}
	return v
}

// client rewrites a line of CLIENT LIST.
func (r *redactor) client(line string) string {
	fields := strings.Split(line, " ")
	for i, f := range fields {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		switch name {
		case "addr", "laddr":
			value = r.text(value)
		case "name":
			if value != "lockscene" {
				value = r.shape(value)
			}
		case "user":
			value = r.exact(value)
		case "lib-name":
			if library, more, ok := strings.Cut(value, "("); ok && !strings.HasPrefix(strings.TrimPrefix(more, ","), "go") {
				value = library + "(" + r.shape(more)
			}
		}
		fields[i] = name + "=" + strings.ReplaceAll(value, " ", "_")
	}
	return strings.Join(fields, " ")
}

// infoLine rewrites the fields of INFO that name a file, a machine or a run.
func (r *redactor) infoLine(line string) string {
	name, value, ok := strings.Cut(line, ":")
	switch {
	case !ok:
		return line
	case name == "executable", name == "config_file", name == "master_host", name == "run_id", name == "master_replid", name == "master_replid2",
		name == "availability_zone", name == "module", strings.HasPrefix(name, "slave"), strings.HasPrefix(name, "master"), strings.HasPrefix(name, "sentinel_"):
		return name + ":" + r.infoValue(name, value)
	}
	return name + ":" + r.text(value)
}

func (r *redactor) infoValue(name, value string) string {
	switch name {
	case "executable", "config_file":
		if value == "" {
			return value
		}
		file := value[strings.LastIndexByte(value, '/')+1:]
		suffix := unitSuffix.FindString(file)
		if stem := strings.TrimSuffix(file, suffix); !isCommon(stem) && !isCommon(file) {
			file = r.word("file", stem) + suffix
		}
		return "/" + r.word("dir", path.Dir(value)) + "/" + file
	case "availability_zone":
		return r.shape(value)
	}
	return r.text(value)
}

// slowlog rewrites the arguments of commands. The command's own words stay, and
// so does a script's digest: lock libraries are known by it.
func (r *redactor) slowlog(v redis.Value) redis.Value {
	for i := range v.Array {
		f := v.Array[i].Array
		for j := range f {
			switch {
			case j == 3:
				for k := range f[j].Array {
					if k > 0 && f[j].Array[k].Kind == '$' {
						f[j].Array[k].Str = r.argument(f[j].Array[k].Str)
					}
				}
			case j == 5 && f[j].Kind == '$':
				f[j].Str = r.shape(f[j].Str)
			case f[j].Kind == '$':
				f[j].Str = r.text(f[j].Str)
			}
		}
	}
	return v
}

func (r *redactor) argument(s string) string {
	if to, ok := r.names.to[s]; ok {
		return to
	}
	switch low := strings.ToLower(s); {
	case strings.HasPrefix(s, " withheld "), strings.HasPrefix(s, " lock "), isNumber(s), isHexRun(s) && len(s) == 40, len(s) <= 9 && isOption(low):
		return s
	case strings.Contains(s, "redis.call") || strings.Contains(s, "(") && strings.Contains(s, " "):
		return r.text(s)
	}
	return r.shape(s)
}

func isOption(s string) bool {
	return slices.Contains([]string{"nx", "xx", "px", "ex", "exat", "pxat", "get", "keepttl", "gt", "lt", "ch", "everything", "latest", "list", "default"}, s)
}
