package aof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// log writes commands, one a line, as Redis appends them. A line that begins
// with # is an annotation.
func log(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		if strings.HasPrefix(l, "#") {
			b.WriteString(l + "\r\n")
			continue
		}
		words := strings.Fields(l)
		fmt.Fprintf(&b, "*%d\r\n", len(words))
		for _, w := range words {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
		}
	}
	return b.String()
}

// told is a history on one line a write: command, deed, value, and the end in
// milliseconds.
func told(h evidence.History) string {
	var out []string
	for _, w := range h.Writes {
		ends := "-"
		if !w.Ends.IsZero() {
			ends = fmt.Sprint(w.Ends.UnixMilli())
		}
		out = append(out, fmt.Sprintf("%s:%s:%s:%s", w.Command, w.Deed, w.Value, ends))
	}
	return strings.Join(out, " ")
}

func read(t *testing.T, text string) evidence.History {
	t.Helper()
	h, err := Read(strings.NewReader(text), "appendonly.aof", Lock{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var deeds = []struct {
	what string
	log  []string
	want string
}{
	{"acquired, renewed, released in time", []string{"SELECT 0", "#TS:1790000000", "SET k a PXAT 1790000030000", "#TS:1790000010", "PEXPIREAT k 1790000040000", "#TS:1790000015", "DEL k"},
		"set:acquire:a:1790000030000 pexpireat:renew:a:1790000040000 del:release::-"},
	{"deleted in the second in which it ended", []string{"#TS:1790000000", "SET k a PXAT 1790000030000", "#TS:1790000030", "DEL k"},
		"set:acquire:a:1790000030000 del:gone::-"},
	{"deleted at a time nobody noted", []string{"SET k a PXAT 1790000030000", "DEL k"},
		"set:acquire:a:1790000030000 del:gone::-"},
	{"an endless lock does not expire, so somebody deleted it", []string{"SET k a", "UNLINK x k"},
		"set:acquire:a:- unlink:release::-"},
	{"renewed by writing the same value again", []string{"SET k a PXAT 5", "SET k a PXAT 9"},
		"set:acquire:a:5 set:renew:a:9"},
	{"taken over while it was held", []string{"SET k a PXAT 5", "SET k b PXAT 9"},
		"set:acquire:a:5 set:replaced:b:9"},
	{"taken after its time without a deletion in the log", []string{"#TS:1790000000", "SET k a PXAT 1790000001000", "#TS:1790000009", "SET k b PXAT 1790000099000"},
		"set:acquire:a:1790000001000 set:acquire:b:1790000099000"},
	{"one SET that an old server logs as two commands", []string{"SET k a", "PEXPIREAT k 5", "PEXPIREAT k 9"},
		"set:acquire:a:5 pexpireat:renew:a:9"},
	{"two commands of a client that forgot to be atomic", []string{"SET k a NX", "PEXPIREAT k 5"},
		"set:acquire:a:- pexpireat:renew:a:5"},
	{"the end kept", []string{"SET k a PXAT 5", "SET k a KEEPTTL"},
		"set:acquire:a:5 set:renew:a:5"},
	{"a lock kept as a hash", []string{"MULTI", "HINCRBY k me:1 1", "PEXPIREAT k 5", "EXEC", "HINCRBY k me:1 1", "HINCRBY k me:1 -1", "PEXPIREAT k 9", "DEL k"},
		"hincrby:acquire:me:1:- pexpireat:renew:me:1:5 hincrby:renew:me:1:5 hincrby::me:1:5 pexpireat:renew:me:1:9 del:gone::-"},
	{"seconds", []string{"SETNX k a", "EXPIREAT k 7", "PERSIST k"},
		"setnx:acquire:a:- expireat:renew:a:7000 persist:renew:a:-"},
	{"a relative end, as an old server logs a script's", []string{"#TS:1790000000", "SETEX k 30 a", "EVALSHA abc 1 k", "EVALSHA abc 0 k"},
		"setex:acquire:a:1790000030000 evalsha:::-"},
	{"everything goes", []string{"SET k a", "SELECT 3", "FLUSHDB", "FLUSHALL", "FLUSHALL"},
		"set:acquire:a:- flushall:gone::-"},
	{"databases swapped", []string{"SET k a", "SWAPDB 1 2", "SWAPDB 0 1"},
		"set:acquire:a:- swapdb:gone::-"},
	{"another database's key", []string{"SELECT 1", "SET k a", "DEL k", "SELECT 0", "SET k b", "MOVE k 4"},
		"set:acquire:b:- move:gone::-"},
	{"renamed away and over", []string{"SET k a", "RENAME k x", "RENAME x k", "COPY x k"},
		"set:acquire:a:- rename:gone::- rename:acquire::- copy:::-"},
	{"the key's name as another key's value", []string{"SET x k", "SADD s k", "MSET x k k a", "HSET h k k"},
		"mset:acquire:a:-"},
	{"a counter used as a lock", []string{"INCR k", "PEXPIREAT k 5", "GETDEL k"},
		"incr:::- pexpireat:renew::5 getdel:gone::-"},
	{"restored", []string{"RESTORE k 500 payload ABSTTL REPLACE"}, "restore:acquire::500"},
}

func TestDeeds(t *testing.T) {
	for _, c := range deeds {
		if got := told(read(t, log(c.log...))); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, c.want)
		}
	}
}

func TestWhenAndWhere(t *testing.T) {
	text := log("#TS:1790000000", "SELECT 0", "SET k a PXAT 1790000030000")
	h := read(t, text)
	w := h.Writes[0]
	at := time.Unix(1790000000, 0).UTC()
	if want := (evidence.Interval{From: at, To: at.Add(time.Second), Clock: evidence.Coordinator}); w.At != want || h.Since != want {
		t.Errorf("at %v, since %v", w.At, h.Since)
	}
	if !strings.HasPrefix(text[w.Offset:], "*5\r\n$3\r\nSET") || w.File != "appendonly.aof" || h.Base != "aof" || h.Cut != "" {
		t.Errorf("%+v", h)
	}
}

// A file that ends anywhere gives the writes that are whole, and says that the
// rest is missing.
func TestTornAnywhere(t *testing.T) {
	text := log("#TS:1790000000", "SELECT 0", "SET k a PXAT 1790000030000", "SET other b", "DEL k")
	whole := map[int]bool{0: true}
	for i := range text {
		if text[i] == '*' || text[i] == '#' {
			whole[i] = true
		}
	}
	for n := range text {
		h := read(t, text[:n])
		if (h.Cut == "") != whole[n] {
			t.Errorf("after %d bytes: cut %q", n, h.Cut)
		}
		if got, all := told(h), told(read(t, text)); !strings.HasPrefix(all, got) {
			t.Errorf("after %d bytes: %s", n, got)
		}
	}
}

func TestTransactionWithoutEnd(t *testing.T) {
	h := read(t, log("SET k a", "MULTI", "SET k b", "DEL k"))
	if told(h) != "set:acquire:a:-" || !strings.Contains(h.Cut, "transaction") {
		t.Errorf("%s, cut %q", told(h), h.Cut)
	}
}

func TestMalformed(t *testing.T) {
	good := log("SET k a")
	for _, bad := range []string{"*x\r\n", "*0\r\n", "*-1\r\n", "\r\n", "*1\r\n+OK\r\n", "*1\r\n$-1\r\n", "*1\r\n$3\r\nDELxx", "\x00\x00\x00\x00", "*1\r\n$99999999999999\r\n", strings.Repeat("z", 1<<17)} {
		h := read(t, good+bad+good)
		if h.Cut == "" || told(h) != "set:acquire:a:-" {
			t.Errorf("%.20q: %s, cut %q", bad, told(h), h.Cut)
		}
	}
	if _, err := Read(strings.NewReader("# Server\r\n\x7fELF"), "x", Lock{}); err != nil {
		t.Errorf("an annotation nobody knows: %v", err)
	}
	if _, err := Read(strings.NewReader("\x7fELF"), "x", Lock{}); err == nil {
		t.Error("another kind of file was read")
	}
	boom := errors.New("boom")
	if _, err := Read(io.MultiReader(strings.NewReader(good), iotest.ErrReader(boom)), "x", Lock{Key: "k"}); !errors.Is(err, boom) {
		t.Errorf("a disk that fails: %v", err)
	}
}

// What is large is passed over, also where a value is as long as the key.
func TestLargeValues(t *testing.T) {
	big := strings.Repeat("v", 1<<20)
	h := read(t, log("SET x "+big, "SET k "+big+" PXAT 9", "SET k "+big+"w"))
	if len(h.Writes) != 2 || len(h.Writes[0].Value) != keptArg || h.Writes[1].Deed != evidence.DeedReplace {
		t.Errorf("%d writes", len(h.Writes))
	}
}

func TestLongHistory(t *testing.T) {
	lines := []string{"SET k a PXAT 1"}
	for i := range 20000 {
		lines = append(lines, fmt.Sprintf("PEXPIREAT k %d", i+2))
	}
	h := read(t, log(append(lines, "DEL k")...))
	if len(h.Writes) != keptFirst+keptLast || h.Omitted != 20002-len(h.Writes) {
		t.Fatalf("%d kept, %d omitted", len(h.Writes), h.Omitted)
	}
	if h.Writes[0].Command != "set" || h.Writes[keptFirst+keptLast-1].Command != "del" || h.Writes[keptFirst].Offset < h.Writes[keptFirst-1].Offset {
		t.Error("the ends of the history are not its ends")
	}
}

// rdb is a preamble as Redis writes it: notes, bytes nobody here understands,
// the mark of the end, and the checksum.
func rdb(body string, checksum bool) string {
	s := "REDIS0009\xfa\x09redis-ver\x056.2.6\xfa\x05ctime\xc2" + string(binary.LittleEndian.AppendUint32(nil, 1790000000)) + body + "\xff"
	sum := uint64(0)
	if checksum {
		sum = ^crc64.Update(^uint64(0), crc64.MakeTable(jones), []byte(s))
	}
	return s + string(binary.LittleEndian.AppendUint64(nil, sum))
}

// Redis publishes this value beside its own implementation.
func TestChecksum(t *testing.T) {
	if got := ^crc64.Update(^uint64(0), crc64.MakeTable(jones), []byte("123456789")); got != 0xe9c6d914c4b8d9ca {
		t.Errorf("%x", got)
	}
}

func TestPreamble(t *testing.T) {
	commands := log("SELECT 0", "SET k a PXAT 5", "DEL k")
	// Inside stands what looks like its end, and a command with the key.
	trap := "\xff12345678" + commands + strings.Repeat("\xff\x00", 40000)
	for what, text := range map[string]string{
		"checksum":    rdb(trap, true) + commands,
		"no checksum": rdb(strings.Repeat("\xff*", 40000), false) + commands,
	} {
		h := read(t, text)
		if h.Base != baseRDB || told(h) != "set:acquire:a:5 del:gone::-" || h.Cut != "" || h.Since.From.Unix() != 1790000000 {
			t.Errorf("%s: %s %+v", what, told(h), h)
		}
	}
	if h := read(t, rdb("x", true)); h.Cut != "" || len(h.Writes) != 0 {
		t.Errorf("only a preamble: %+v", h)
	}
	if h := read(t, rdb("x", true)[:30]); h.Cut == "" {
		t.Error("half a preamble passes for a whole one")
	}
}

func dir(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestParts(t *testing.T) {
	manifest := "file appendonly.aof.2.base.rdb seq 2 type b\nfile appendonly.aof.1.incr.aof seq 1 type h\nfile appendonly.aof.11.incr.aof seq 11 type i\nfile appendonly.aof.2.incr.aof seq 2 type i\n"
	files := map[string]string{
		"appendonlydir/appendonly.aof.manifest":    manifest,
		"appendonlydir/appendonly.aof.2.base.rdb":  rdb("", true),
		"appendonlydir/appendonly.aof.1.incr.aof":  log("SET k old"),
		"appendonlydir/appendonly.aof.2.incr.aof":  log("SELECT 0", "SET k a PXAT 5"),
		"appendonlydir/appendonly.aof.11.incr.aof": log("SELECT 0", "PEXPIREAT k 9"),
	}
	h, err := ReadDir(dir(files), "/data", Lock{Key: "k"})
	if err != nil || told(h) != "set:acquire:a:5 pexpireat:renew:a:9" || h.Base != baseRDB || h.Since.From.Unix() != 1790000000 || h.Source != "/data" {
		t.Errorf("%v: %s %+v", err, told(h), h)
	}
	delete(files, "appendonlydir/appendonly.aof.2.incr.aof")
	h, err = ReadDir(dir(files), "/data", Lock{Key: "k"})
	if err != nil || told(h) != "pexpireat:renew::9" || !strings.Contains(h.Cut, "2.incr.aof is missing") {
		t.Errorf("a hole: %v: %s %q", err, told(h), h.Cut)
	}
}

// A base of commands says what the key held, not what was done to it then.
func TestBaseOfCommands(t *testing.T) {
	h, err := ReadDir(dir(map[string]string{
		"a.manifest":   "file \"my base.aof\" seq 1 type b\nfile a.1.incr.aof seq 1 type i\n",
		"my base.aof":  log("#TS:1790000000", "SELECT 0", "SET k a PXAT 1790000030000"),
		"a.1.incr.aof": log("SELECT 0", "SET k a PXAT 1790000050000"),
	}), "d", Lock{Key: "k"})
	if err != nil || told(h) != "set::a:1790000030000 set:renew:a:1790000050000" || h.Base != baseAOF || h.Writes[0].At.Known() || h.Writes[1].At.Known() || !h.Since.Known() {
		t.Errorf("%v: %s %+v", err, told(h), h)
	}
}

func TestNoAppendOnlyFile(t *testing.T) {
	for what, files := range map[string]map[string]string{
		"an empty folder":       {},
		"two manifests":         {"a.manifest": "", "b.manifest": ""},
		"a path that climbs":    {"a.manifest": "file ../../etc/passwd seq 1 type b\n"},
		"a manifest of nothing": {"a.manifest": "what is this\n"},
	} {
		if _, err := ReadDir(dir(files), "d", Lock{Key: "k"}); err == nil {
			t.Errorf("%s was read", what)
		}
	}
	h, err := ReadDir(dir(map[string]string{"appendonly.aof": log("SET k a")}), "d", Lock{Key: "k"})
	if err != nil || told(h) != "set:acquire:a:-" {
		t.Errorf("a single file: %v %s", err, told(h))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(log("#TS:1790000000", "SELECT 0", "MULTI", "SET k a PXAT 5", "EXEC", "DEL k")))
	f.Add([]byte(rdb("\xff", true) + log("SELECT 0", "HSET k f v")))
	f.Add([]byte("*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n*"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, _ := Read(strings.NewReader(string(b)), "f", Lock{Key: "k"})
		last := int64(-1)
		for _, w := range h.Writes {
			if w.Offset <= last || w.Offset >= int64(len(b)) {
				t.Errorf("a write at byte %d after one at %d of %d", w.Offset, last, len(b))
			}
			last = w.Offset
		}
		// A torn file never tells of more than the whole one did up to there.
		short, _ := Read(strings.NewReader(string(b[:len(b)/2])), "f", Lock{Key: "k"})
		if len(short.Writes) > len(h.Writes) {
			t.Errorf("half of it has %d writes, all of it %d", len(short.Writes), len(h.Writes))
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte("file a.1.base.rdb seq 1 type b\nfile \"a b\" seq 2 type i\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		parts, _ := parseManifest(b)
		for _, p := range parts {
			if strings.ContainsAny(p.name, `/\`) || p.name == ".." {
				t.Errorf("%q leaves the folder", p.name)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := log("SELECT 0") + strings.Repeat(log("SET cache:user:1138 "+strings.Repeat("v", 200)+" PXAT 1790000030000", "PEXPIREAT k 1790000030000", "HSET cart:8 item 3"), 20000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(strings.NewReader(text), "f", Lock{Key: "k"}); err != nil {
			b.Fatal(err)
		}
	}
}
