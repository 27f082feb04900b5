package redis

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestParseCLI(t *testing.T) {
	for _, c := range []struct {
		line, addr, command string
		check               func(CLI) bool
	}{
		{"redis-cli -h 10.0.0.5 PTTL lock:orders", "10.0.0.5:6379", "PTTL lock:orders", func(c CLI) bool { return c.DB == 0 && !c.Interactive }},
		{"/usr/local/bin/redis-cli -p 6380 -n 3 --raw get k", "127.0.0.1:6380", "get k", func(c CLI) bool { return c.DB == 3 && c.Mode == Raw }},
		{`C:\redis\redis-cli.exe TIME`, "127.0.0.1:6379", "TIME", nil},
		{"valkey-cli -s /run/valkey.sock --json ROLE", "/run/valkey.sock", "ROLE", func(c CLI) bool { return c.Mode == JSON }},
		{"redis-cli -h 2001:db8::5 -p 7000", "[2001:db8::5]:7000", "", func(c CLI) bool { return c.Interactive }},
		{"redis-cli -u rediss://ops:hunter2@redis.example:6390/4 TIME", "redis.example:6390", "TIME", func(c CLI) bool { return c.TLS && c.User == "ops" && c.DB == 4 }},
		{"redis-cli -u redis://hunter2@redis.example TIME", "redis.example:6379", "TIME", func(c CLI) bool { return c.User == "" }},
		{"redis-cli -h r -a hunter2 --user ops --no-auth-warning --tls --cacert /x.pem --no-raw -c -3 CLIENT LIST", "r:6379", "CLIENT LIST", func(c CLI) bool { return c.TLS && c.User == "ops" && c.Mode == TTY }},
		{"redis-cli --pass hunter2 -r 5 -i 0.5 PTTL k", "127.0.0.1:6379", "PTTL k", func(c CLI) bool { return c.Repeat == 5 }},
		{"redis-cli -h r --csv AUTH hunter2", "r:6379", "AUTH (withheld)", func(c CLI) bool { return c.Mode == CSV }},
		{"redis-cli HELLO 3 AUTH ops hunter2", "127.0.0.1:6379", "HELLO 3 AUTH ops (withheld)", nil},
		{"redis-cli -h r --bigkeys", "r:6379", "", func(c CLI) bool { return c.Special == "bigkeys" && !c.Interactive }},
		{"redis-cli -h r --scan --pattern lock:*", "r:6379", "", func(c CLI) bool { return c.Special == "scan" }},
		{"redis-cli --eval /x.lua k , a", "127.0.0.1:6379", "", func(c CLI) bool { return c.Special == "eval" }},
		{"redis-cli --frobnicate -h r TIME", "r:6379", "TIME", func(c CLI) bool { return slices.Equal(c.Unknown, []string{"--frobnicate"}) }},
		{"redis-cli -x SET k", "127.0.0.1:6379", "SET k", func(c CLI) bool { return c.Stdin }},
		{"redis-cli -h", "127.0.0.1:6379", "", func(c CLI) bool { return c.Special == "help" }},
		{"redis-cli GET -1", "127.0.0.1:6379", "GET -1", nil},
	} {
		got, err := ParseCLI(strings.Fields(c.line))
		if err != nil || got.Addr() != c.addr || strings.Join(got.Command, " ") != c.command || c.check != nil && !c.check(got) {
			t.Errorf("%s: %v, %s, %+v", c.line, err, got.Addr(), got)
		}
		if strings.Contains(fmt.Sprintf("%+v", got), "hunter2") {
			t.Errorf("%s: the password is kept", c.line)
		}
	}
	for _, line := range []string{"", "redis-server -p 1", "redis-cli -n", "redis-cli -n x TIME", "redis-cli -u ://hunter2", "redis-cli -r 99999999999999 TIME"} {
		if _, err := ParseCLI(strings.Fields(line)); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestTyped(t *testing.T) {
	for line, want := range map[string]string{"PTTL k": "1 [PTTL k]", "5 PTTL k": "5 [PTTL k]", "auth ops hunter2": "1 [auth (withheld) (withheld)]", "5": "1 [5]", "": "1 []"} {
		if command, n := Typed(split(line)); fmt.Sprint(n, command) != want {
			t.Errorf("%s: %d %q", line, n, command)
		}
	}
}

// resp is a value as the protocol carries it, for people.
func resp(v Value) string { return strings.ReplaceAll(string(v.Append(nil)), "\r\n", " ") }

func split(line string) []string { return strings.Fields(line) }

const slow6 = "1) 1) (integer) 9121\n   2) (integer) 1794248536\n   3) (integer) 9812604\n   4) 1) \"EVAL\"\n      2) \"... (311 more bytes)\"\n   5) \"10.0.0.19:52290\"\n   6) \"report\"\n"
const slow6RESP = "*1 *6 :9121 :1794248536 :9812604 *2 $4 EVAL $20 ... (311 more bytes) $15 10.0.0.19:52290 $6 report "

var printed = []struct {
	command string
	mode    Mode
	text    string
	want    string
}{
	// a terminal
	{"PTTL k", Auto, "(integer) 25183\n", ":25183 "},
	{"PTTL k", Auto, "\n(integer) -2\n", ":-2 "},
	{"GET k", Auto, `"quince-3:\x00\"\\ \n"` + "\r\n", "$14 quince-3:\x00\"\\ \n "},
	{"GET k", Auto, "(nil)\n", "$-1 "},
	{"GET k", Auto, "(error) WRONGTYPE Operation against a key\n", "-WRONGTYPE Operation against a key "},
	{"TIME", TTY, "1) \"1790000313\"\n2) \"294675\"\n", "*2 $10 1790000313 $6 294675 "},
	{"TYPE k", Auto, "hash\n", "+hash "},
	{"HGETALL k", Auto, "(empty list or set)\n", "*0 "},
	{"HGETALL k", Auto, "1# \"a\" => \"1\"\n2# \"b\" => (integer) 2\n", "*4 $1 a $1 1 $1 b :2 "},
	{"SMEMBERS k", Auto, "1~ \"a\"\n2~ \"b\"\n", "*2 $1 a $1 b "},
	{"HELLO 3", Auto, "1# \"proto\" => (integer) 3\n2# \"modules\" => 1) 1) \"a\"\n      2) \"b\"\n   2) (empty array)\n", "*4 $5 proto :3 $7 modules *2 *2 $1 a $1 b *0 "},
	{"ROLE", Auto, "1) \"master\"\n2) (integer) 7\n3) 1) 1) \"10.0.0.6\"\n      2) \"6379\"\n      3) \"7\"\n", "*3 $6 master :7 *1 *3 $8 10.0.0.6 $4 6379 $1 7 "},
	{"SLOWLOG GET", Auto, slow6, slow6RESP},
	{"DEBUG OBJECT k", Auto, "Value at:0x7f refcount:1\n", "+Value at:0x7f refcount:1 "},
	{"FROB", Auto, "(double) 1.5\n", "$3 1.5 "},
	{"FROB", Auto, "(true)\n", ":1 "},
	{"FROB", Auto, "(false)\n", ":0 "},
	{"EXEC", Auto, "1) OK\n2) (error) ERR no\n3) (nil)\n", "*3 +OK -ERR no $-1 "},
	// a ticket trimmed the first line of an array of ten
	{"SMEMBERS k", Auto, "1) \"a\"\n 2) \"b\"\n 3) \"c\"\n 4) \"d\"\n 5) \"e\"\n 6) \"f\"\n 7) \"g\"\n 8) \"h\"\n 9) \"i\"\n10) \"j\"\n", "*10 $1 a $1 b $1 c $1 d $1 e $1 f $1 g $1 h $1 i $1 j "},
	// a pipe
	{"PTTL k", Raw, "25183\n", ":25183 "},
	{"PTTL k", Auto, "25183", ":25183 "},
	{"GET k", Raw, "quince-3:41207\n", "$14 quince-3:41207 "},
	{"GET k", Raw, "12\n", "$2 12 "},
	{"GET k", Raw, "{\"a\":1,\n \"b\":2}\n", "$15 {\"a\":1,\n \"b\":2} "},
	{"GET k", Auto, "{\"host\":\"q\"}\n", "$12 {\"host\":\"q\"} "},
	{"GET k", Raw, "\"quoted\"\n", "$8 \"quoted\" "},
	{"GET k", Raw, "\n", "$-1 "},
	{"GETRANGE k 0 1", Raw, "\n", "$0  "},
	{"OBJECT IDLETIME k", Raw, "\n", "$-1 "},
	{"PTTL k", Raw, "(integer) 5\n", ":5 "},
	{"TIME", Raw, "1795021153\n693413\n", "*2 $10 1795021153 $6 693413 "},
	{"HGETALL k", Raw, "f\n1\n", "*2 $1 f $1 1 "},
	{"HGETALL k", Raw, "\n", "*0 "},
	{"ROLE", Raw, "master\n0\n\n", "*3 $6 master :0 *0 "},
	{"ROLE", Raw, "slave\n10.0.0.5\n6379\nconnected\n77\n", "*5 $5 slave $8 10.0.0.5 :6379 $9 connected :77 "},
	{"LATENCY LATEST", Raw, "command\n1796014289\n10\n12\n", "*1 *4 $7 command :1796014289 :10 :12 "},
	{"HGET k f", Raw, "WRONGTYPE Operation against a key\n\n", "-WRONGTYPE Operation against a key "},
	{"SLOWLOG GET 2", Raw, "30\n1796014289\n3\nGET\nk\n127.0.0.1:43582\n\n29\n1796014288\n2\nHGETALL\nno\n127.0.0.1:43574\nworker\n",
		"*2 *6 :30 :1796014289 :3 *2 $3 GET $1 k $15 127.0.0.1:43582 $0  *6 :29 :1796014288 :2 *2 $7 HGETALL $2 no $15 127.0.0.1:43574 $6 worker "},
	// --json, --csv
	{"PTTL k", JSON, "25183\n", ":25183 "},
	{"TIME", Auto, `["1796014289","373796"]`, "*2 $10 1796014289 $6 373796 "},
	{"HGETALL k", JSON, `{"f":"1","g":null}`, "*4 $1 f $1 1 $1 g $-1 "},
	{"GET k", JSON, `"v\"a\\n` + "\u00e9\\u0000\\u00e9" + `"`, "$10 v\"a\\n\u00e9\x00\u00e9 "},
	{"GET k", JSON, `error:"WRONGTYPE no"`, "-WRONGTYPE no "},
	{"SLOWLOG GET", JSON, `[[59,1796014289,3,["HELLO","3"],"10.0.0.1:4",""]]`, "*1 *6 :59 :1796014289 :3 *2 $5 HELLO $1 3 $10 10.0.0.1:4 $0  "},
	{"TIME", CSV, `"1796014289","467733"`, "*2 $10 1796014289 $6 467733 "},
	{"TIME", Auto, `"1796014289","467733"`, "*2 $10 1796014289 $6 467733 "},
	{"GET k", CSV, "NULL\n", "$-1 "},
	{"GET k", CSV, `ERROR,"WRONGTYPE no"`, "-WRONGTYPE no "},
	// texts are printed as they are in every form
	{"CLIENT LIST", TTY, "id=3 addr=10.0.0.1:5\n", "$21 id=3 addr=10.0.0.1:5\n "},
	{"INFO", JSON, "# Server\r\nrun_id:ab\r\n", "$21 # Server run_id:ab  "},
	{"INFO", Auto, "NOPERM this user has no permissions\n", "-NOPERM this user has no permissions "},
	{"CLIENT LIST", Auto, `"id=3 addr=10.0.0.1:5\n"`, "$21 id=3 addr=10.0.0.1:5\n "},
	// what stands around a reply
	{"PTTL k", Auto, "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n(integer) 5\n(1.02s)\n", ":5 "},
	{"GET k", Auto, "-> Redirected to slot [12182] located at 10.0.0.9:7002\n\"v\"\n", "$1 v "},
	{"GET k", Auto, "AUTH failed: WRONGPASS invalid username-password pair\n(error) NOAUTH Authentication required.\n", "-NOAUTH Authentication required. "},
	{"MONITOR", Auto, "OK\n1792001122.107412 [0 10.0.0.1:5] \"SET\" \"k\" \"a b\"\n", "*1 *4 $17 1792001122.107412 :0 $10 10.0.0.1:5 *3 $3 SET $1 k $3 a b "},
}

func TestFromText(t *testing.T) {
	for _, c := range printed {
		v, err := FromText(split(c.command), []byte(c.text), c.mode)
		if err != nil || resp(v) != c.want {
			t.Errorf("%s %q as %q:\ngot  %q, %v\nwant %q", c.command, c.text, c.mode, resp(v), err, c.want)
		}
	}
}

// A client's own message is no reply, and silence is no "no such key".
func TestUnanswered(t *testing.T) {
	for _, c := range []struct {
		text   string
		status evidence.Status
		addr   string
	}{
		{"Could not connect to Redis at 10.0.0.5:6379: Connection refused\n", evidence.Failed, "10.0.0.5:6379"},
		{"Could not connect to Valkey at [2001:db8::5]:6379: Connection timed out\nnot connected> ", evidence.Timeout, "[2001:db8::5]:6379"},
		{"Could not connect to Redis at redis-lb:6379: Temporary failure in name resolution", evidence.Failed, "redis-lb:6379"},
		{"Could not connect to Redis at 10.0.0.5:6379: No route to host", evidence.Failed, "10.0.0.5:6379"},
		{"Error: Server closed the connection", evidence.Failed, ""},
		{"Error: Connection reset by peer\n", evidence.Failed, ""},
		{"Error: Resource temporarily unavailable\n", evidence.Timeout, ""},
		{"AUTH failed: WRONGPASS invalid username-password pair\n", evidence.Denied, ""},
		{"bash: redis-cli: command not found\n", evidence.Unsupported, ""},
		{"^C\n", evidence.Timeout, ""},
		{"", evidence.Failed, ""},
		{"\n", evidence.Failed, ""},
		{"Warning: Using a password with '-a' option on the command line interface may not be safe.\n", evidence.Failed, ""},
	} {
		for _, command := range []string{"GET k", "PTTL k", "HGETALL k"} {
			v, err := FromText(split(command), []byte(c.text), Auto)
			var u *Unanswered
			if !errors.As(err, &u) || u.Status != c.status || u.Addr != c.addr || u.Why == "" {
				t.Errorf("%s %q: %s %v", command, c.text, resp(v), err)
			}
		}
	}
}

func TestNotAReply(t *testing.T) {
	for _, c := range []struct{ command, text string }{
		{"PTTL k", "twelve\n"}, {"PTTL k", "(integer) many\n"}, {"TIME", "soon\n"}, {"ROLE", "chief\n0\n"},
		{"HGETALL k", "1) \"unterminated\n"}, {"HGETALL k", "[1,2"}, {"SLOWLOG GET", "what\nis\nthis\n"},
	} {
		if v, err := FromText(split(c.command), []byte(c.text), Auto); err == nil {
			t.Errorf("%s %q became %s", c.command, c.text, resp(v))
		}
	}
	// A filter took the second line: what is left must not pair up wrongly.
	v, err := FromText(split("HGETALL k"), []byte("1) \"a\"\n3) \"b\"\n"), Auto)
	if !errors.Is(err, ErrTrailing) || resp(v) != "*1 $1 a " {
		t.Errorf("%s %v", resp(v), err)
	}
}

// Several replies one after the other are taken apart without knowing where
// each ends.
func TestNext(t *testing.T) {
	text := []byte("1) \"1790000313\"\n2) \"294675\"\n(integer) 5\n\"v\"\nstring\n")
	var got []string
	for _, command := range []string{"TIME", "PTTL k", "GET k", "TYPE k"} {
		v, rest, err := Next(split(command), text, Auto)
		if err != nil {
			t.Fatal(command, err)
		}
		got, text = append(got, resp(v)), rest
	}
	if want := []string{"*2 $10 1790000313 $6 294675 ", ":5 ", "$1 v ", "+string "}; !slices.Equal(got, want) || len(text) > 0 {
		t.Errorf("%q, rest %q", got, text)
	}
}

func TestAside(t *testing.T) {
	_, a := Strip([]byte("-> Redirected to slot [1] located at 10.0.0.9:7002\n\"v\"\n(12.50s)\n"))
	if a.Redirected != "10.0.0.9:7002" || a.Took.Seconds() != 12.5 {
		t.Errorf("%+v", a)
	}
	if text, a := Strip([]byte("(sorry)\n(5s)\n")); string(text) != "(sorry)\n(5s)\n" || a != (Aside{}) {
		t.Errorf("%q %+v", text, a)
	}
}

func TestShapes(t *testing.T) {
	for command, want := range map[string]string{"time": "2 false", "PTTL k": "1 false", "client list": "1 true", "HGETALL k": "1 true", "FROB": "1 true", "object idletime k": "1 false", "SET k v NX GET": "1 false"} {
		if lines, open := Shape(split(command)); fmt.Sprint(lines, open) != want {
			t.Errorf("%s: %d %v", command, lines, open)
		}
	}
	if got := Canonical(split("object idletime lock:A")); !slices.Equal(got, []string{"OBJECT", "IDLETIME", "lock:A"}) {
		t.Errorf("%q", got)
	}
}

// What people type instead of what a capture sends still makes a look.
func TestSampleTyped(t *testing.T) {
	look := ParseSample("r", []string{"TIME", "GET k", "TTL k", "EXPIRETIME k"}, []byte("*2\r\n$10\r\n1790000311\r\n$6\r\n402113\r\n$1\r\nv\r\n:25\r\n:1790000336\r\n"), evidence.Span{}, evidence.OK, "")
	if look.Value.Value != "v" || look.TTL.Value != 25 || look.EndSec.Value != 1790000336 || look.PTTL.State != evidence.Unread || look.Type.State != evidence.Unread {
		t.Errorf("%+v", look)
	}
	for command, reply := range map[string]string{"EXISTS k": ":0\r\n", "GET k": "$-1\r\n", "TTL k": ":-2\r\n"} {
		look := ParseSample("r", []string{command}, []byte(reply), evidence.Span{}, evidence.OK, "")
		if look.Type.State != evidence.Absent || look.Value.State != evidence.Absent {
			t.Errorf("%s: %+v", command, look)
		}
	}
	look = ParseSample("r", []string{"EXISTS k"}, []byte(":1\r\n"), evidence.Span{}, evidence.OK, "")
	if look.Type.State != evidence.Unread {
		t.Errorf("%+v", look.Type)
	}
}

func TestFiles(t *testing.T) {
	const list = "id=3 addr=10.0.0.1:5 name=a idle=7\nid=4 addr=10.0.0.2:6 name= idle=1\n"
	for what, text := range map[string]string{
		"plain": list, "prompt": "ops@bastion:~$ redis-cli CLIENT LIST | grep addr=10.0.0.1\n" + list, "crlf": strings.ReplaceAll(list, "\n", "\r\n"),
		"quoted": fmt.Sprintf("%q\n", list), "protocol": string(Bulk(list).Append(nil)),
	} {
		raw, _, err := ClientListFile([]byte(text))
		got := ParseClients("r", raw, evidence.Span{}, evidence.OK, "")
		if err != nil || got.Total.Value != 2 || got.Clients.Value[0].Idle != 7 {
			t.Errorf("client list, %s: %v %+v", what, err, got)
		}
	}
	raw, skipped, err := InfoFile([]byte("$ redis-cli INFO | grep -E '^(role|run_id):'\nrole:master\nrun_id:ab\nevicted_keys:0\n"))
	info := ParseInfo("r", raw, evidence.Span{}, evidence.OK, "")
	if err != nil || skipped != 1 || info.RunID.Value != "ab" || info.Role.Value != "master" || info.Uptime.State != evidence.Unread {
		t.Errorf("info: %v, %d skipped, %+v", err, skipped, info)
	}
	for what, text := range map[string]string{
		"terminal": "10.0.0.5:6379> SLOWLOG GET 1\n1) 1) (integer) 9\n   2) (integer) 1794248536\n   3) (integer) 12\n   4) 1) \"GET\"\n      2) \"k\"\n",
		"raw":      "9\n1794248536\n12\nGET\nk\n", "json": `[[9,1794248536,12,["GET","k"]]]`,
		"protocol": "*1\r\n*4\r\n:9\r\n:1794248536\r\n:12\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n",
	} {
		raw, _, err := SlowlogFile([]byte(text))
		got := ParseSlowlog("r", raw, evidence.OK, "")
		if err != nil || len(got.Value) != 1 || got.Value[0].ID != 9 || !slices.Equal(got.Value[0].Args, []string{"GET", "k"}) {
			t.Errorf("slowlog, %s: %v %+v", what, err, got)
		}
	}
	for what, f := range map[string]func([]byte) ([]byte, int, error){"clients": ClientListFile, "info": InfoFile, "slowlog": SlowlogFile} {
		if raw, _, err := f([]byte("nothing of the kind\n")); err == nil {
			t.Errorf("%s: %q", what, raw)
		}
	}
}
