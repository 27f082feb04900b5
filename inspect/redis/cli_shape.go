package redis

import (
	"bytes"
	"strings"
)

// A shape is what kind of reply a command gets. It decides how text is read that
// looks the same for several kinds: 5 is a number to PTTL, a string to GET.
type shape byte

const (
	shapeAny    shape = 0   // nobody knows the command
	shapeStatus shape = '+' // one word
	shapeInt    shape = ':' // a number, or nil
	shapeBulk   shape = '$' // a string, or nil
	shapeSlice  shape = 's' // a string that is never nil
	shapeText   shape = 't' // a text that redis-cli prints as it came, in every form
	shapeArray  shape = '*'
)

// shapes is the reply of every command that people type while they look at a
// lock, and of those they should not have typed.
var shapes = byShape(map[shape]string{
	shapeStatus: "TYPE,SET,SETEX,PSETEX,PING,SELECT,AUTH,FLUSHDB,FLUSHALL,RENAME,QUIT,READONLY,READWRITE,WATCH,UNWATCH,MULTI,DISCARD,MSET,RESTORE,SAVE,BGSAVE,BGREWRITEAOF,DEBUG OBJECT,DEBUG SLEEP," +
		"CLIENT SETNAME,CLIENT SETINFO,CLIENT NO-TOUCH,CLIENT NO-EVICT,CLIENT REPLY,CLIENT PAUSE,CLIENT UNPAUSE,CONFIG SET,CONFIG RESETSTAT,CONFIG REWRITE,SLOWLOG RESET,SCRIPT FLUSH,SCRIPT KILL,REPLICAOF,SLAVEOF,HMSET,HELP",
	shapeInt: "PTTL,TTL,PEXPIRETIME,EXPIRETIME,EXISTS,STRLEN,HLEN,LLEN,SCARD,ZCARD,DEL,UNLINK,EXPIRE,PEXPIRE,EXPIREAT,PEXPIREAT,PERSIST,SETNX,MSETNX,INCR,DECR,INCRBY,DECRBY,HSET,HSETNX,HDEL,HEXISTS,HINCRBY,HSTRLEN," +
		"SADD,SREM,SISMEMBER,ZADD,ZREM,ZRANK,LPUSH,RPUSH,LREM,PUBLISH,SPUBLISH,RENAMENX,COPY,MOVE,TOUCH,APPEND,DBSIZE,LASTSAVE,WAIT,XLEN,XDEL,XACK,OBJECT IDLETIME,OBJECT FREQ,OBJECT REFCOUNT,MEMORY USAGE," +
		"CLIENT ID,CLIENT KILL,CLIENT UNBLOCK,SLOWLOG LEN,LATENCY RESET,CLUSTER KEYSLOT,CLUSTER COUNTKEYSINSLOT,COMMAND COUNT",
	shapeBulk:  "GET,HGET,GETDEL,GETEX,GETSET,LPOP,RPOP,LINDEX,SPOP,ZSCORE,ZINCRBY,INCRBYFLOAT,HINCRBYFLOAT,ECHO,DUMP,RANDOMKEY,OBJECT ENCODING,ACL WHOAMI,ACL DRYRUN,CLIENT GETNAME,SCRIPT LOAD,CLUSTER MYID,DIGEST",
	shapeSlice: "GETRANGE,SUBSTR",
	shapeText:  "INFO,LOLWUT,CLIENT LIST,CLIENT INFO,CLUSTER NODES,CLUSTER INFO,MEMORY DOCTOR,MEMORY MALLOC-STATS,LATENCY DOCTOR,LATENCY GRAPH",
	shapeArray: "TIME,ROLE,HGETALL,HMGET,HKEYS,HVALS,MGET,KEYS,SCAN,HSCAN,SSCAN,ZSCAN,LRANGE,SMEMBERS,ZRANGE,ZREVRANGE,ZRANGEBYSCORE,ZREVRANGEBYSCORE,ZMSCORE,XRANGE,XREVRANGE,XREAD,HELLO,EXEC,HPTTL,HTTL,HEXPIRETIME,HPEXPIRETIME," +
		"SLOWLOG GET,COMMANDLOG GET,LATENCY LATEST,LATENCY HISTORY,LATENCY HISTOGRAM,SCRIPT EXISTS,PUBSUB NUMSUB,PUBSUB SHARDNUMSUB,PUBSUB CHANNELS,ACL LOG,ACL LIST,ACL GETUSER,ACL USERS,CLUSTER SHARDS,CLUSTER SLOTS,CLUSTER LINKS," +
		"CONFIG GET,MEMORY STATS,XINFO STREAM,XINFO GROUPS,XINFO CONSUMERS,SENTINEL MASTER,SENTINEL MASTERS,SENTINEL REPLICAS,SENTINEL SLAVES,SENTINEL SENTINELS,SENTINEL GET-MASTER-ADDR-BY-NAME,MODULE LIST,COMMAND INFO",
})

func byShape(lists map[shape]string) map[string]shape {
	out := map[string]shape{}
	for s, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			out[name] = s
		}
	}
	return out
}

// shapeOf is the kind of reply a command gets.
func shapeOf(command []string) shape {
	name := commandName(command)
	if s, ok := shapes[name]; ok {
		// SET … GET answers with the value that was there.
		if name == "SET" && hasWord(command[min(3, len(command)):], "GET") {
			return shapeBulk
		}
		return s
	}
	return shapeAny
}

// Known says whether a command is one of those that people type while they look at
// a lock, or should not have typed.
func Known(command []string) bool { return shapeOf(command) != shapeAny }

// parents are the commands whose second word is a subcommand.
var parents = map[string]bool{
	"OBJECT": true, "MEMORY": true, "CLIENT": true, "SLOWLOG": true, "COMMANDLOG": true, "LATENCY": true, "ACL": true,
	"CLUSTER": true, "SENTINEL": true, "SCRIPT": true, "PUBSUB": true, "CONFIG": true, "DEBUG": true, "XINFO": true,
	"MODULE": true, "COMMAND": true, "FUNCTION": true, "XGROUP": true,
}

// commandName is a command's name in capitals, with its subcommand.
func commandName(command []string) string {
	if len(command) == 0 {
		return ""
	}
	name := strings.ToUpper(command[0])
	if parents[name] && len(command) > 1 {
		name += " " + strings.ToUpper(command[1])
	}
	return name
}

// Canonical returns a command with its name and subcommand in capitals, as a
// capture records it: people type them in any case.
func Canonical(command []string) []string {
	out := append([]string(nil), command...)
	for i, word := range strings.SplitN(commandName(command), " ", 2) {
		if i < len(out) {
			out[i] = word
		}
	}
	return out
}

// Shape says how many lines a command prints at least at a terminal when it is
// not refused, and whether it may print more. A refusal is always one line.
func Shape(command []string) (lines int, open bool) {
	switch name := commandName(command); name {
	case "TIME", "SENTINEL GET-MASTER-ADDR-BY-NAME":
		return 2, false
	default:
		s := shapeOf(command)
		return 1, s == shapeText || s == shapeArray || s == shapeAny
	}
}

// PastReply is what follows the first reply of a text in the form for terminals,
// where that form tells the reply's end: it numbers elements and indents what an
// element holds. It is not ok in any other form, where an end can only be guessed.
func PastReply(command []string, text []byte) (rest []byte, ok bool) {
	if shapeOf(command) == shapeText {
		return pastText(text)
	}
	line := bytes.TrimLeft(firstLine(text), " ")
	if !isTTYMark(line) && !bytes.HasPrefix(line, []byte{'"'}) {
		return nil, false
	}
	_, rest, err := fromTTY(text)
	return rest, err == nil
}

// pastText is what follows the lines of INFO: the first that is neither a heading
// nor a field has to be of the form for terminals, else it may be a string.
func pastText(text []byte) (rest []byte, ok bool) {
	rest = text
	for len(rest) > 0 {
		line := firstLine(rest)
		if isTTYMark(bytes.TrimLeft(line, " ")) || bytes.HasPrefix(line, []byte{'"'}) {
			return rest, len(rest) < len(text)
		}
		if !infoLine(line) {
			return nil, false
		}
		rest = after(rest)
	}
	return nil, false
}

func infoLine(line []byte) bool {
	name, _, field := bytes.Cut(line, []byte{':'})
	return len(bytes.TrimSpace(line)) == 0 || bytes.HasPrefix(line, []byte("# ")) || field && !bytes.ContainsAny(name, " \t\"")
}
