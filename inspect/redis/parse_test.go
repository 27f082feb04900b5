package redis

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func commandsOf(lists ...[][]string) []string {
	var out []string
	for _, list := range lists {
		for _, args := range list {
			out = append(out, strings.Join(args, " "))
		}
	}
	return out
}

const held7 = "*2\r\n$10\r\n1790000311\r\n$6\r\n402113\r\n" + // TIME
	":88\r\n:5\r\n+string\r\n:24870\r\n:1790000336272\r\n:24\r\n$24\r\nquince-3:41207:9b1e77c4\n\r\n" +
	"*2\r\n$10\r\n1790000311\r\n$6\r\n402213\r\n"

func TestSampleHeld(t *testing.T) {
	l := ParseSample("r", commandsOf(Sample("k")), []byte(held7), evidence.Span{}, evidence.OK, "")
	if got := l.Before.Value.Format(time.RFC3339Nano); got != "2026-09-21T14:18:31.402113Z" {
		t.Errorf("TIME %s", got)
	}
	if l.Memory.Value != 88 || l.Idle.Value != 5 || l.Type.Value != "string" || l.PTTL.Value != 24870 || l.End.Value != 1790000336272 || l.Length.Value != 24 {
		t.Errorf("%+v", l)
	}
	if !strings.HasPrefix(l.Value.Value, "quince-3:41207") || l.After.State != evidence.Seen {
		t.Errorf("%+v", l)
	}
}

func TestSampleAbsent(t *testing.T) {
	raw := "*2\r\n$10\r\n1790000311\r\n$6\r\n402113\r\n$-1\r\n$-1\r\n+none\r\n:-2\r\n:-2\r\n:0\r\n$0\r\n\r\n*2\r\n$10\r\n1790000311\r\n$6\r\n402213\r\n"
	l := ParseSample("r", commandsOf(Sample("k")), []byte(raw), evidence.Span{}, evidence.OK, "")
	for name, state := range map[string]evidence.State{
		"type": l.Type.State, "pttl": l.PTTL.State, "end": l.End.State, "idle": l.Idle.State, "memory": l.Memory.State, "value": l.Value.State,
	} {
		if state != evidence.Absent {
			t.Errorf("%s is %q", name, state)
		}
	}
}

// Refusals cost their own reading and nothing else; what a server older than
// 7.0 lacks is unsupported, not absent.
func TestSampleRefusals(t *testing.T) {
	for _, c := range []struct {
		reply  string
		status evidence.Status
	}{
		{"-ERR unknown command 'PEXPIRETIME', with args beginning with: 'k'", evidence.Unsupported},
		{"-NOPERM this user has no permissions to run the 'pexpiretime' command", evidence.Denied},
		{"-LOADING Redis is loading the dataset in memory", evidence.Failed},
		{"-BUSY Redis is busy running a script", evidence.Failed},
		{"-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", evidence.Failed},
		{"-MOVED 1234 10.0.0.9:6379", evidence.Failed},
		{"-NOAUTH Authentication required.", evidence.Denied},
		{"-WRONGTYPE Operation against a key holding the wrong kind of value", evidence.Unsupported},
		{"-ERR \x1b[31msomething else", evidence.Failed},
	} {
		raw := strings.Replace(held7, ":1790000336272", c.reply, 1)
		l := ParseSample("r", commandsOf(Sample("k")), []byte(raw), evidence.Span{}, evidence.OK, "")
		if l.End.State != evidence.Unread || l.End.Status != c.status || l.End.Why == "" || strings.ContainsRune(l.End.Why, '\x1b') {
			t.Errorf("%s: %+v", c.reply, l.End)
		}
		if l.PTTL.State != evidence.Seen || l.After.State != evidence.Seen {
			t.Errorf("%s cost another reading: %+v", c.reply, l)
		}
	}
}

func TestSampleCutShort(t *testing.T) {
	for n := range len(held7) {
		l := ParseSample("r", commandsOf(Sample("k")), []byte(held7[:n]), evidence.Span{}, evidence.Timeout, "no answer in time")
		if l.After.State == evidence.Seen {
			t.Fatalf("after %d bytes the last reply cannot be known", n)
		}
		if l.After.Status != evidence.Timeout {
			t.Fatalf("after %d bytes: %+v", n, l.After)
		}
	}
}

const lines7 = "id=57457 addr=10.33.64.11:50162 laddr=10.33.64.7:6379 fd=31 name=a=b age=7210 idle=7 flags=N db=0 qbuf=0 cmd=evalsha user=default lib-name=go-redis(,go1.26.8) lib-ver=9.23.0\n" +
	"id=3 addr=[2001:db8::5]:51858 name= age=-24 idle=-24 flags=N db=1 cmd=NULL\n" +
	"id=9 addr=/run/redis.sock:0 laddr=/run/redis.sock:0 name=x age=1 idle=0 flags=U db=0 cmd=client|list tot-cmds=17\n" +
	"id=10 addr=?:0 name= age=1 idle=0 flags=x db=0 cmd=exec\n"

// Odd addresses: none known, and a unix socket whose path has blanks.
func TestOddAddresses(t *testing.T) {
	for line, want := range map[string]evidence.Client{
		"id=3 addr=?:0 laddr=?:0 fd=9 name= age=1 idle=0 flags=N db=0 cmd=get":                              {ID: 3, Addr: "?:0", LAddr: "?:0", Age: 1, Flags: "N", Cmd: "get"},
		"id=4 addr=/srv/my app/redis sock:0 laddr=/srv/my app/redis sock:0 fd=9 name=w=1 age=2 idle=1 db=3": {ID: 4, Addr: "/srv/my app/redis sock:0", LAddr: "/srv/my app/redis sock:0", Name: "w=1", Age: 2, Idle: 1, DB: 3},
		"id=5 name=x oddity addr=10.0.0.1:5":                                                                {ID: 5, Name: "x", Addr: "10.0.0.1:5"},
	} {
		if got, ok := ParseClient(line); !ok || got != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
}

func TestClientLines(t *testing.T) {
	list := ParseClients("r", Bulk(lines7).Append(nil), evidence.Span{}, evidence.OK, "")
	got := list.Clients.Value
	if list.Total.Value != 4 || len(got) != 4 {
		t.Fatalf("%+v", list)
	}
	if got[0].Name != "a=b" || got[0].Lib != "go-redis(,go1.26.8)" || got[0].Idle != 7 || Host(got[0].Addr) != "10.33.64.11" {
		t.Errorf("%+v", got[0])
	}
	if got[1].Age != -24 || Host(got[1].Addr) != "2001:db8::5" || got[1].Cmd != "NULL" {
		t.Errorf("%+v", got[1])
	}
	if got[2].TotCmds != 17 || Host(got[2].Addr) != "/run/redis.sock" {
		t.Errorf("%+v", got[2])
	}
}

// Masking drops what identifies strangers, keeps who matters to the letter, and
// still shows that a whole host fell silent.
func TestMaskClients(t *testing.T) {
	raw := Bulk(lines7 + "id=11 addr=10.9.9.9:1 name=secret-name age=9 idle=40 flags=N db=0 user=ann cmd=get\nid=12 addr=10.9.9.9:2 name=secret-name age=9 idle=44 flags=N db=0 user=ann cmd=get\n").Append(nil)
	masked := MaskClients(raw, func(c evidence.Client) bool { return c.ID == 57457 })
	for _, secret := range []string{"10.9.9.9", "secret-name", "ann", "2001:db8"} {
		if bytes.Contains(masked, []byte(secret)) {
			t.Errorf("%s is still there", secret)
		}
	}
	first, _, _ := strings.Cut(lines7, "\n")
	if !bytes.Contains(masked, []byte(first+"\n")) {
		t.Error("the line that matters was changed")
	}
	list := ParseClients("r", masked, evidence.Span{}, evidence.OK, "")
	if list.Total.Value != 6 || len(list.Clients.Value) != 1 {
		t.Fatalf("%+v", list)
	}
	last := list.Quiet.Value[len(list.Quiet.Value)-1]
	if last.Clients != 2 || last.MinIdle != 40 || last.MaxIdle != 44 {
		t.Errorf("silence of the other host: %+v", last)
	}
}

func TestMaskClientsLeavesRefusals(t *testing.T) {
	raw := []byte("-NOPERM this user has no permissions to run the 'client|list' command\r\n")
	if got := MaskClients(raw, func(evidence.Client) bool { return false }); !bytes.Equal(got, raw) {
		t.Errorf("%q", got)
	}
	list := ParseClients("r", raw, evidence.Span{}, evidence.Denied, "")
	if list.Clients.State != evidence.Unread || list.Clients.Status != evidence.Denied {
		t.Errorf("%+v", list.Clients)
	}
}

func slowEntryOf(id int, fields int, args ...string) Value {
	argv := Value{Kind: '*'}
	for _, a := range args {
		argv.Array = append(argv.Array, Bulk(a))
	}
	e := Value{Kind: '*', Array: []Value{{Kind: ':', Int: int64(id)}, {Kind: ':', Int: 1790000300}, {Kind: ':', Int: 12000}, argv}}
	for range fields - 4 {
		e.Array = append(e.Array, Bulk("10.0.0.1:5"))
	}
	return e
}

func noLock([]string) (string, evidence.Deed) { return "", "" }

func TestSlowlog(t *testing.T) {
	raw := Value{Kind: '*', Array: []Value{
		slowEntryOf(3, 6, "DEL", "lk"), slowEntryOf(2, 4, "SET", "other", "swordfish"), slowEntryOf(1, 7, "EVALSHA", "abc", "1", "lk", "tok"),
	}}.Append(nil)
	masked := MaskSlowlog(raw, "lk", noLock)
	if bytes.Contains(masked, []byte("swordfish")) || bytes.Contains(masked, []byte("other")) {
		t.Errorf("masked log says %q", masked)
	}
	got := ParseSlowlog("r", masked, evidence.OK, "").Value
	if len(got) != 3 || got[0].Args[1] != "lk" || got[0].Client != "10.0.0.1:5" {
		t.Fatalf("%+v", got)
	}
	if !got[1].Withheld || got[1].Arity != 3 || got[1].Args[0] != "SET" || len(got[1].Args) != 1 {
		t.Errorf("%+v", got[1])
	}
	for _, flush := range []string{"FLUSHALL", "flushdb"} { // takes every lock: whose it was is kept
		raw := Value{Kind: '*', Array: []Value{slowEntryOf(4, 6, flush)}}.Append(nil)
		if e := ParseSlowlog("r", MaskSlowlog(raw, "lk", noLock), evidence.OK, "").Value; len(e) != 1 || e[0].Withheld || e[0].Client != "10.0.0.1:5" {
			t.Errorf("%s: %+v", flush, e)
		}
	}
	if got[2].Withheld || got[2].Arity != 5 || got[2].Took != 12*time.Millisecond {
		t.Errorf("%+v", got[2])
	}
}

// Of other locks the number is kept, and whose connection it was; their names are not.
func TestSlowlogKeepsTheNumberOfOtherLocks(t *testing.T) {
	entry := func(id int, client string, args ...string) Value {
		e := slowEntryOf(id, 6, args...)
		e.Array[4] = Bulk(client)
		return e
	}
	lockOf := func(args []string) (string, evidence.Deed) {
		if len(args) > 1 && args[0] == "EXTEND" {
			return args[1], evidence.DeedRenew
		}
		return "", ""
	}
	raw := Value{Kind: '*', Array: []Value{
		entry(6, "10.0.0.1:5", "EXTEND", "lk", "tok"), entry(5, "10.0.0.1:5", "EXTEND", "secret-a", "x"), entry(4, "10.0.0.1:5", "EXTEND", "secret-b", "x"),
		entry(3, "10.0.0.1:5", "EXTEND", "secret-a", "x"), entry(2, "10.0.0.2:9", "EXTEND", "secret-c", "x"), entry(1, "10.0.0.1:5", "GET", "secret-d"),
	}}.Append(nil)
	masked := MaskSlowlog(raw, "lk", lockOf)
	if bytes.Contains(masked, []byte("secret")) || bytes.Contains(masked, []byte("10.0.0.2")) {
		t.Errorf("masked log says %q", masked)
	}
	var locks []int
	for _, e := range ParseSlowlog("r", masked, evidence.OK, "").Value {
		locks = append(locks, e.Lock)
		if e.Lock > 0 && (e.Deed != evidence.DeedRenew || e.Client != "10.0.0.1:5" || e.Arity != 3 || !e.Withheld) {
			t.Errorf("%+v", e)
		}
	}
	if !slices.Equal(locks, []int{0, 1, 2, 1, 0, 0}) {
		t.Errorf("numbers %v", locks)
	}
}

func TestInfo(t *testing.T) {
	text := "# Server\r\nredis_version:7.0.15\r\nrun_id:84b0\r\nuptime_in_seconds:-3\r\n# Stats\r\nevicted_keys:5\r\n# Errorstats\r\nerrorstat_OOM:count=88\r\ncmdstat_del:calls=3,usec=9\r\nmaxmemory:junk\r\n"
	i := ParseInfo("r", Bulk(text).Append(nil), evidence.Span{}, evidence.OK, "")
	if i.RunID.Value != "84b0" || i.Uptime.Value != -3 || i.Evicted.Value != 5 || i.ErrorStats.Value["OOM"] != 88 || i.Calls.Value["del"] != 3 {
		t.Errorf("%+v", i)
	}
	if i.Policy.State != evidence.Unread || i.Policy.Status != evidence.Unsupported || i.MaxMemory.Status != evidence.Failed {
		t.Errorf("missing fields: %+v %+v", i.Policy, i.MaxMemory)
	}
	more := ParseInfo("r", Bulk("rdb_last_bgsave_status:err\r\ncmdstat_evalsha:calls=30,usec=9,rejected_calls=0,failed_calls=12\r\ndb0:keys=8,expires=2,avg_ttl=0\r\ndb12:keys=1204,expires=811\r\ndb_x:keys=3\r\n").Append(nil), evidence.Span{}, evidence.OK, "")
	if more.LastSave.Value != "err" || more.Failed.Value["evalsha"] != 12 || more.Calls.Value["evalsha"] != 30 || len(more.Keys.Value) != 2 || more.Keys.Value["12"] != 1204 {
		t.Errorf("%+v", more)
	}
	if i.Keys.State != evidence.Unread || i.LastSave.State != evidence.Unread || i.Failed.State != evidence.Unread {
		t.Errorf("sections that were not there: %+v", i)
	}
	denied := ParseInfo("r", []byte("-NOPERM no\r\n"), evidence.Span{}, evidence.Denied, "")
	if denied.RunID.Status != evidence.Denied {
		t.Errorf("%+v", denied.RunID)
	}
}

func FuzzParseReplies(f *testing.F) {
	f.Add([]byte(held7))
	f.Add(Bulk(lines7).Append(nil))
	f.Add([]byte("*1000000000\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		values, err := ParseReplies(b)
		if err != nil {
			return
		}
		var again []byte
		for _, v := range values {
			again = v.Append(again)
		}
		back, err := ParseReplies(again)
		if err != nil || len(back) != len(values) {
			t.Fatalf("%q becomes %q: %v", b, again, err)
		}
	})
}

func FuzzParseClients(f *testing.F) {
	f.Add(lines7)
	f.Fuzz(func(t *testing.T, text string) {
		raw := Bulk(text).Append(nil)
		whole := ParseClients("r", raw, evidence.Span{}, evidence.OK, "")
		masked := ParseClients("r", MaskClients(raw, func(evidence.Client) bool { return false }), evidence.Span{}, evidence.OK, "")
		if whole.Total.Value != masked.Total.Value {
			t.Fatalf("%d clients, %d after masking", whole.Total.Value, masked.Total.Value)
		}
	})
}

func FuzzParseInfo(f *testing.F) {
	f.Add("# Server\r\nrun_id:x\r\nerrorstat_OOM:count=88\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		ParseInfo("r", Bulk(text).Append(nil), evidence.Span{}, evidence.OK, "")
	})
}

func FuzzParseSlowlog(f *testing.F) {
	f.Add(Value{Kind: '*', Array: []Value{slowEntryOf(3, 6, "DEL", "lk"), slowEntryOf(2, 4, "SET", "o", "v")}}.Append(nil))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a := ParseSlowlog("r", raw, evidence.OK, "")
		b := ParseSlowlog("r", MaskSlowlog(raw, "lk", noLock), evidence.OK, "")
		if len(a.Value) != len(b.Value) {
			t.Fatalf("%d entries, %d after masking", len(a.Value), len(b.Value))
		}
	})
}

func FuzzParseSample(f *testing.F) {
	f.Add([]byte(held7))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := ParseSample("r", commandsOf(Sample("k")), raw, evidence.Span{}, evidence.OK, "")
		if l.PTTL.State == evidence.Unread && l.PTTL.Status == "" {
			t.Fatal("unread without a status")
		}
		AddFields(&l, "r", raw)
		AddValue(&l, "r", raw)
		ParseRoles(&evidence.Node{}, "r", commandsOf(Roles()), raw, evidence.OK, "")
	})
}

func BenchmarkParseClients(b *testing.B) {
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "id=%d addr=10.0.%d.%d:%d laddr=10.33.64.7:6379 fd=31 name=worker-%d age=7210 idle=%d flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=1024 rbp=0 obl=0 oll=0 omem=0 tot-mem=1800 events=r cmd=evalsha user=default redir=-1 resp=2\n",
			i, i>>8&255, i&255, i%65536, i, i%60)
	}
	raw := Bulk(text.String()).Append(nil)
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			ParseClients("r", raw, evidence.Span{}, evidence.OK, "")
		}
	})
	b.Run("mask", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			MaskClients(raw, func(c evidence.Client) bool { return c.ID == 5 })
		}
	})
}
