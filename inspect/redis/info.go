package redis

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// ParseInfo reads one INFO reply. Sections and fields it does not know are
// passed over; fields that are not there stay unread.
func ParseInfo(source string, raw []byte, span evidence.Span, status evidence.Status, why string) evidence.Info {
	text := newReplies(source, []string{"INFO"}, raw, status, why).text("INFO")
	info := evidence.Info{Span: span}
	f := infoFields{source: source, values: map[string]string{}, from: text}
	errors, calls, failed, keys := map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]int64{}
	for line := range bytes.Lines([]byte(text.Value)) {
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case !ok || strings.HasPrefix(name, "#"):
		case strings.HasPrefix(name, "errorstat_"):
			addStat(errors, name[len("errorstat_"):], value, "count=")
		case strings.HasPrefix(name, "cmdstat_"):
			addStat(calls, name[len("cmdstat_"):], value, "calls=")
			addStat(failed, name[len("cmdstat_"):], value, "failed_calls=")
		case isDatabase(name):
			addStat(keys, name[len("db"):], value, "keys=")
		default:
			f.values[name] = value
		}
	}
	f.fill(&info)
	info.ErrorStats, info.Calls = counted(source+"/errorstats", errors), counted(source+"/commandstats", calls)
	info.Failed, info.Keys = counted(source+"/commandstats", failed), counted(source+"/keyspace", keys)
	return info
}

// counted is a section that has an entry: one that has none may not have been
// asked for.
func counted(source string, stats map[string]int64) evidence.Reading[map[string]int64] {
	if len(stats) == 0 {
		return evidence.Reading[map[string]int64]{}
	}
	return evidence.Saw(source, stats)
}

// isDatabase says whether a field is of the keyspace section: db0, db1 and so on.
func isDatabase(name string) bool {
	digits, ok := strings.CutPrefix(name, "db")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// infoFields looks fields up and keeps unread apart from zero.
type infoFields struct {
	source string
	values map[string]string
	from   evidence.Reading[string]
}

func (f infoFields) fill(i *evidence.Info) {
	i.Version, i.Server = f.text("redis_version"), f.text("server_name")
	i.RunID, i.Role = f.text("run_id"), f.text("role")
	i.ReplID, i.ReplID2 = f.text("master_replid"), f.text("master_replid2")
	i.Policy = f.text("maxmemory_policy")
	i.Uptime, i.ProcessID = f.number("uptime_in_seconds"), f.number("process_id")
	i.Offset, i.SecondOff = f.number("master_repl_offset"), f.number("second_repl_offset")
	i.Evicted, i.Expired = f.number("evicted_keys"), f.number("expired_keys")
	i.MaxMemory, i.UsedMemory = f.number("maxmemory"), f.number("used_memory")
	i.Connected, i.Loading = f.number("connected_clients"), f.number("loading")
	if _, told := f.values["hz"]; told {
		i.Hz = f.number("hz")
	}
	if _, told := f.values["rdb_last_bgsave_status"]; told {
		i.LastSave = f.text("rdb_last_bgsave_status")
	}
}

func (f infoFields) text(name string) evidence.Reading[string] {
	v, ok := f.values[name]
	if !ok {
		return f.missing(name)
	}
	return evidence.Saw(f.source+"/"+name, v)
}

func (f infoFields) missing(name string) evidence.Reading[string] {
	if f.from.State != evidence.Seen {
		return evidence.Refused[string](f.source+"/"+name, f.from.Status, f.from.Why)
	}
	return evidence.Refused[string](f.source+"/"+name, evidence.Unsupported, "this server's INFO has no such field")
}

func (f infoFields) number(name string) evidence.Reading[int64] {
	t := f.text(name)
	n, err := strconv.ParseInt(t.Value, 10, 64)
	if t.State == evidence.Seen && err != nil {
		return evidence.Refused[int64](t.Source, evidence.Failed, "not a number")
	}
	return evidence.Map(t, func(string) int64 { return n })
}

// addStat reads one counter out of "count=88" or "calls=3,usec=…".
func addStat(into map[string]int64, name, value, field string) {
	const most = 1024 // a server has some 400 commands; more is not a server
	_, rest, ok := strings.Cut(value, field)
	if !ok || len(into) >= most {
		return
	}
	digits, _, _ := strings.Cut(rest, ",")
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		into[name] = n
	}
}
