package events

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// fields are what an object or a logfmt line says: lower-case names, of nested
// objects joined by points, and their values as written.
type fields map[string]string

// Limits of one object. What is beyond is no event's business.
const (
	maxFields = 256
	maxNest   = 4
)

// flatten is an object as fields.
func flatten(object map[string]any) fields {
	f := make(fields, len(object))
	f.add("", object, 0)
	f.hoist()
	return f
}

func (f fields) add(prefix string, object map[string]any, depth int) {
	// In order, because the same bytes must always give the same fields.
	for _, name := range slices.Sorted(maps.Keys(object)) {
		v := object[name]
		if len(f) >= maxFields || len(name) > 100 {
			continue
		}
		name = prefix + strings.ToLower(name)
		switch v := v.(type) {
		case map[string]any:
			if depth < maxNest {
				f.add(name+".", v, depth+1)
			}
		case string:
			f[name] = v
		case json.Number:
			f[name] = v.String()
		case bool:
			f[name] = fmt.Sprint(v)
		case []any:
			f[name] = text(v)
		}
	}
}

// text reads a list of bytes, which is how the journal prints a message with a
// colour in it; any other list is given as its first strings.
func text(list []any) string {
	if len(list) > maxMatched {
		list = list[:maxMatched]
	}
	var b []byte
	var words []string
	for _, v := range list {
		switch v := v.(type) {
		case json.Number:
			if n, err := v.Int64(); err == nil && n >= 0 && n < 256 {
				b = append(b, byte(n))
			}
		case string:
			if len(words) < maxNest {
				words = append(words, v)
			}
		}
	}
	if len(words) > 0 {
		return strings.Join(words, " ")
	}
	return string(b)
}

// The objects in which log stores and logging libraries put what the
// application said. What is inside a payload goes before what the store put
// around it; the other way round with a library's.
var (
	payloads = []string{"jsonpayload.", "_source."}
	wrappers = []string{"fields.", "attributes.", "data.", "context.", "ctx.", "extra.", "lock.", "labels."}
)

// hoist repeats the fields of those objects at the top.
func (f fields) hoist() {
	var nested []string
	for name := range f {
		if strings.Contains(name, ".") {
			nested = append(nested, name)
		}
	}
	slices.Sort(nested)
	for _, prefix := range payloads {
		for _, name := range nested {
			if plain, ok := strings.CutPrefix(name, prefix); ok {
				f[plain] = f[name]
			}
		}
	}
	for _, prefix := range wrappers {
		for _, name := range nested {
			plain, ok := strings.CutPrefix(name, prefix)
			if _, taken := f[plain]; ok && !taken {
				f[plain] = f[name]
			}
		}
	}
}

// get finds the first of several names.
func (f fields) get(names ...string) string {
	for _, name := range names {
		if v := f[name]; v != "" {
			return v
		}
	}
	return ""
}

// The names under which a thing is written, the plain one first.
var (
	namesAt      = []string{"at", "ts", "time", "timestamp", "@timestamp", "@t", "t", "datetime", "date", "asctime", "event_time", "eventtime", "_source_realtime_timestamp", "__realtime_timestamp"}
	namesEvent   = []string{"event", "event.action", "deed", "action"}
	namesKey     = []string{"key", "lock", "lock_key", "lockkey", "lock_name", "lockname", "resource"}
	namesOwner   = []string{"owner", "holder", "lock_owner", "lockowner", "owner_id", "ownerid"}
	namesToken   = []string{"token", "fencing_token", "fencingtoken", "fence_token", "fence"}
	namesOK      = []string{"ok", "success", "succeeded", "accepted", "outcome", "event.outcome", "status"}
	namesRequest = []string{"request", "request_id", "requestid", "req_id", "reqid", "request.id", "idempotency_key"}
	namesTook    = []string{"took_ms", "tookms", "duration_ms", "durationms", "elapsed_ms", "latency_ms", "took", "duration", "elapsed"}
	namesActor   = []string{"actor", "worker", "instance", "pod", "pod_name", "kubernetes.pod_name", "kubernetes.pod.name", "resource.labels.pod_name"}
	namesHost    = []string{"hostname", "host", "_hostname", "host.name", "host.hostname"}
	namesPid     = []string{"pid", "_pid", "syslog_pid", "process.pid", "process_id"}
	namesText    = []string{"text", "msg", "message", "@message", "log", "line", "textpayload", "@m", "event.original", "error"}
	namesError   = []string{"err.message", "error.message", "err.msg", "error", "err", "exception", "exception.message"}
)

// deed finds what an object says was done: a deed the rules know under any of
// its names, or any word under the plain one when a lock is spoken of.
func (f fields) deed() evidence.Deed {
	for _, name := range namesEvent {
		if d := deedOf(f.get(name)); evidence.KnownDeed(d) {
			return d
		}
	}
	if d := deedOf(f["event"]); d != "" && (f["key"] != "" || f["owner"] != "" || f["token"] != "") {
		return d
	}
	return ""
}

// actor names who wrote an object.
func (f fields) actor() string {
	if a := f.get(namesActor...); a != "" {
		return a
	}
	host, pid := f.get(namesHost...), f.get(namesPid...)
	if host != "" && pid != "" {
		return host + ":" + pid
	}
	return host
}

// message is the text of an object, with the error it tells of.
func (f fields) message() string {
	msg := f.get(namesText...)
	if e := f.get(namesError...); e != "" && e != msg {
		msg = strings.TrimSpace(msg + ": " + e)
	}
	return msg
}

// rename gives an object's fields the names a mapping says they stand for.
func (f fields) rename(to map[string]string) {
	was := maps.Clone(f)
	for plain, written := range to {
		if v, ok := was[written]; ok {
			f[plain] = v
		}
	}
}
