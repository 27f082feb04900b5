package redis

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// allowed is every Redis command this program can send, by subcommand. A nil
// list means the command has no subcommands. Nothing in it writes, blocks,
// walks the keyspace, runs a script or shows configuration; nothing else can
// leave the process: a hook refuses it when it is issued, also in a pipeline,
// and the connection refuses it again when it is written.
var allowed = map[string][]string{
	// the lock itself
	"GET": nil, "STRLEN": nil, "GETRANGE": nil, "TYPE": nil, "EXISTS": nil,
	"PTTL": nil, "PEXPIRETIME": nil,
	"OBJECT": {"IDLETIME"}, "MEMORY": {"USAGE"},
	"HLEN": nil, "HGETALL": nil, // HGETALL only after HLEN said the hash is small
	// companion keys a lock library declares
	"LLEN": nil, "LRANGE": nil, "ZCARD": nil, "ZRANGE": nil, "ZSCORE": nil, "HGET": nil,
	"HMGET": nil, "SCARD": nil, "SMEMBERS": nil, "XREVRANGE": nil,
	"SCRIPT": {"EXISTS"}, "PUBSUB": {"NUMSUB", "SHARDNUMSUB"},
	// the server
	"TIME": nil, "INFO": nil, "ROLE": nil,
	"CLIENT":  {"LIST", "ID", "NO-TOUCH", "SETNAME", "SETINFO"},
	"SLOWLOG": {"GET", "LEN"}, "COMMANDLOG": {"GET"}, "LATENCY": {"LATEST", "HISTORY"},
	"ACL":      {"WHOAMI", "DRYRUN", "LOG"},
	"CLUSTER":  {"SHARDS", "NODES", "SLOTS", "KEYSLOT"},
	"SENTINEL": {"MASTERS", "REPLICAS", "SENTINELS", "GET-MASTER-ADDR-BY-NAME"},
	// our own connection
	"HELLO": nil, "AUTH": nil, "SELECT": nil, "READONLY": nil, "ASKING": nil, "PING": nil, "QUIT": nil,
}

// Allowed says whether a command may be sent. The error names the command and
// nothing of its other arguments, which may be secret.
func Allowed(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("refuse redis command: empty")
	}
	name := strings.ToUpper(args[0])
	subs, ok := allowed[name]
	if !ok {
		return fmt.Errorf("refuse redis command: %s is not on the read-only list", clip(name))
	}
	if subs == nil {
		if name == "XREVRANGE" && !hasWord(args, "COUNT") {
			return fmt.Errorf("refuse redis command: XREVRANGE without COUNT is unbounded")
		}
		return nil
	}
	if len(args) < 2 || !slices.Contains(subs, strings.ToUpper(args[1])) {
		return fmt.Errorf("refuse redis command: %s with this subcommand is not on the read-only list", name)
	}
	if name == "ACL" && strings.EqualFold(args[1], "LOG") && hasWord(args[2:], "RESET") {
		return fmt.Errorf("refuse redis command: ACL LOG RESET writes")
	}
	return nil
}

func hasWord(args []string, word string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(a, word) })
}

func clip(s string) string {
	if len(s) > 32 {
		s = s[:32]
	}
	return s
}

// CommandTable lists the table for people: one line a command, subcommands
// behind it, sorted.
func CommandTable() []string {
	var out []string
	for name, subs := range allowed {
		if subs == nil {
			out = append(out, name)
		}
		for _, sub := range subs {
			out = append(out, name+" "+sub)
		}
	}
	slices.Sort(out)
	return out
}

// readOnly is the hook that refuses a command before go-redis writes it.
type readOnly struct{}

func (readOnly) DialHook(next goredis.DialHook) goredis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (readOnly) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		if err := Allowed(words(cmd)); err != nil {
			cmd.SetErr(err)
			return err
		}
		return next(ctx, cmd)
	}
}

func (readOnly) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []goredis.Cmder) error {
		for _, cmd := range cmds {
			if err := Allowed(words(cmd)); err != nil {
				for _, c := range cmds {
					c.SetErr(err)
				}
				return err
			}
		}
		return next(ctx, cmds)
	}
}

func words(cmd goredis.Cmder) []string {
	out := make([]string, 0, len(cmd.Args()))
	for _, a := range cmd.Args() {
		out = append(out, fmt.Sprint(a))
	}
	return out
}
