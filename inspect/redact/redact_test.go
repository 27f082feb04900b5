package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func key(c string) []byte { return bytes.Repeat([]byte(c), KeySize) }

func newRedactor(hosts ...string) *redactor {
	r := &redactor{pseudonyms: pseudonyms{key: key("k")}, names: names{to: map[string]string{}}, domains: map[string]bool{}}
	for _, h := range hosts {
		r.learnHost(h)
	}
	r.seal()
	return r
}

// Loopback says "this host" and a private address "behind some router": that
// must stay true of the copy.
func TestAddressesKeepTheirClass(t *testing.T) {
	p := pseudonyms{key: key("k")}
	for in, class := range map[string]string{
		"10.0.0.5": "10.0.0.0/8", "172.20.1.9": "172.16.0.0/12", "192.168.7.7": "192.168.0.0/16", "169.254.1.1": "169.254.0.0/16", "100.64.3.3": "100.64.0.0/10",
		"198.51.100.7": "240.0.0.0/4", "127.0.0.1": "127.0.0.1/32", "127.9.9.9": "127.9.9.9/32", "0.0.0.0": "0.0.0.0/32", "224.0.0.251": "224.0.0.251/32",
		"fe80::1": "fe80::/64", "fd12:3456::9": "fd00::/8", "2600:1f18::5": "2001:db8::/32", "::1": "::1/128", "::ffff:10.0.0.5": "::ffff:10.0.0.0/104",
	} {
		a, want := netip.MustParseAddr(in), netip.MustParsePrefix(class)
		got := p.addr(a)
		if n := want.Bits(); !want.Contains(got) && !(a.Is4In6() && n == 104 && strings.HasPrefix(got.String(), "::ffff:10.")) {
			t.Errorf("%s became %s, want one of %s", in, got, class)
		}
		if got == a && want.Bits() < want.Addr().BitLen() {
			t.Errorf("%s stayed", in)
		}
		if again := p.addr(a); again != got {
			t.Errorf("%s became %s and %s", in, got, again)
		}
	}
}

// Two machines must not become one, in the smallest range least of all.
func TestAddressesStayApart(t *testing.T) {
	p := pseudonyms{key: key("k")}
	seen := map[netip.Addr]netip.Addr{}
	for i := range 1 << 14 {
		a := netip.AddrFrom4([4]byte{192, 168, byte(i >> 8), byte(i)})
		to := p.addr(a)
		if other, twice := seen[to]; twice {
			t.Fatalf("%s and %s both became %s", a, other, to)
		}
		seen[to] = a
	}
}

// A value keeps what the rules read out of it.
func TestShape(t *testing.T) {
	r := newRedactor("quince-3", "vm", "plum-8.shop.example.net")
	for _, v := range []string{
		"quince-3:41207:9b1e77c4", "vm|812|a", "41207@quince-3", "plum-8.shop.example.net/88", `{"host":"quince-3","pid":41207,"token":57}`,
	} {
		got := r.shape(v)
		was, is := evidence.NamedIn(v), evidence.NamedIn(got)
		if is.Pid != was.Pid || is.Host == "" || is.Host == was.Host || is.Host != r.host(was.Host) {
			t.Errorf("%q became %q: names %v, was %v", v, got, is, was)
		}
	}
	for in, shape := range map[string]string{
		"9b1e77c45a5ce1f00dba":                    "hex of the same length",
		"5480a3a090ba9d5896a0dbab7a7716b1":        "hex of the same length",
		"285475da-9152-4c83-822a-67ee2f116a79:52": "hex of the same length",
	} {
		got := r.shape(in)
		if len(got) != len(in) || got == in || strings.Trim(got, "0123456789abcdef-:") != "" || strings.HasSuffix(in, ":52") != strings.HasSuffix(got, ":52") {
			t.Errorf("%q became %q, want %s", in, got, shape)
		}
	}
	for _, stays := range []string{"1", "true", "locked", "2026-11-29T03:12:11.5Z", "1796011154635", "token=57", `{"token":57,"ts":1796011154}`} {
		if got := r.shape(stays); got != stays {
			t.Errorf("%q became %q, and names nobody", stays, got)
		}
	}
	if a, b := r.text("39e1f8ba2fc64425fcae4cfa02953fc84a1d7cce36162b753abf1154f6c85d48"), r.scramble("39e1f8ba2fc6"); !strings.HasPrefix(a, b) {
		t.Errorf("a container's short id no longer begins its long one: %s, %s", b, a)
	}
	if full, short := r.text("plum-8.shop.example.net"), r.text("plum-8"); !strings.HasPrefix(full, short+".") {
		t.Errorf("%s is no longer %s with its domain", full, short)
	}
	if got := r.text("fig-1.shop.example.net is down"); strings.Contains(got, "fig") || strings.Contains(got, "shop") {
		t.Errorf("another host of a known domain stayed: %s", got)
	}
	if got := newRedactor("redis-orders-1").text("redis-orders-1 runs redis-server"); strings.Contains(got, "orders") || !strings.HasSuffix(got, " runs redis-server") {
		t.Errorf("a host called after what it runs: %s", got)
	}
	if got := r.text("total-vm:1776828kB on vm"); !strings.HasPrefix(got, "total-vm:1776828kB on host-") {
		t.Errorf("a short host name: %s", got)
	}
}

// planted is a bundle in which every format holds names; all begin with zq.
func planted() evidence.Bundle {
	b := evidence.Bundle{Raw: map[string][]byte{}}
	b.Capture.Subject = evidence.Subject{Key: "zqlock:orders", Redis: "zqredis.zqcorp.internal:6379", Unit: "zqledger.service", Container: "zqbox", Heartbeat: "file:/run/zqledger/zqbeat"}
	b.Capture.Ticket, b.Capture.Note = "ZQ-1", "ask zqalice"
	b.Capture.Vantages = []evidence.Vantage{{Name: "owner", Host: "zqhost-7", BootID: "892f3275-7017-427c-aaac-0415684b6408", Remote: "10.9.8.7:6379",
		Candidates: []evidence.Candidate{{Pid: 7, Way: "unit", Detail: "in /sys/fs/cgroup/system.slice/zqledger.service"}}}}
	b.Snapshot.Vantages = b.Capture.Vantages
	b.Snapshot.Looks = []evidence.Look{{Value: evidence.Saw("v", "zqhost-7:41207:zq9b1e77c4")}}
	b.Snapshot.Node.User = evidence.Saw("u", "zquser")
	b.Snapshot.Processes = []evidence.Process{{Pid: 7, Looks: []evidence.ProcLook{{Stat: evidence.Saw("s", evidence.ProcStat{Comm: "zqledgerd"})}}}}
	b.Snapshot.Host.Containers = []evidence.Container{{Name: "zqbox", Pod: "zqspace/zqpod-7d4f9c-x2", Node: "zqnode-1"}}
	add := func(name, source, file, data string, commands ...string) {
		b.Raw[file] = append(b.Raw[file], data...)
		b.Probes = append(b.Probes, evidence.Probe{Name: name, Source: source, File: file, Offset: int64(len(b.Raw[file]) - len(data)), Bytes: int64(len(data)),
			Commands: commands, Vantage: "owner", Status: evidence.OK})
	}
	bulk := func(s string) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(s), s) }
	value := "zqhost-7:41207:zq9b1e77c4"
	node := "redis/zqredis.zqcorp.internal:6379"
	add("redis/sample", node, "owner/"+node+"/samples.resp", fmt.Sprintf(":%d\r\n", len(value))+bulk(value), "STRLEN zqlock:orders", "GETRANGE zqlock:orders 0 65535")
	add("redis/clients", node, "owner/"+node+"/clients.resp", bulk("id=1 addr=10.9.8.6:99 laddr=10.9.8.7:6379 name=zqledgerd-zqhost-7 user=zquser lib-name=redis-py(zqwrap_v1) cmd=get\n"), "CLIENT LIST")
	add("redis/info", node, "owner/"+node+"/info.resp", bulk("role:slave\r\nmaster_host:zqredis2.zqcorp.internal\r\nexecutable:/opt/zqco/redis-server\r\nconfig_file:/etc/zqco/zq.conf\r\nslave0:ip=10.9.8.6,port=6379\r\n"), "INFO everything")
	add("redis/slowlog", node, "owner/"+node+"/slowlog.resp", "*1\r\n*6\r\n:1\r\n:2\r\n:3\r\n*3\r\n"+bulk("SET")+bulk("zqlock:orders")+bulk("zqother:1:zq77ab")+bulk("10.9.8.6:99")+bulk("zqjob"), "SLOWLOG GET 128")
	add("redis/roles", node, "owner/"+node+"/roles.resp", bulk("zquser")+"*3\r\n"+bulk("slave")+bulk("zqredis2.zqcorp.internal")+":6379\r\n-NOPERM User zquser has no permissions\r\n", "ACL WHOAMI", "ROLE", "LATENCY LATEST")
	add("proc/stat", "/proc/7/stat", "owner/proc/7/stat", "7 (zqledgerd) S 1 7 7\n")
	add("proc/status", "/proc/7/status", "owner/proc/7/status", "Name:\tzqledgerd\nState:\tS (sleeping)\n")
	add("proc/cgroup", "/proc/7/cgroup", "owner/proc/7/cgroup", "0::/system.slice/zqledger.service\n")
	add("proc/net_tcp", "/proc/7/net/tcp", "owner/proc/7/net/tcp", "  sl  local_address rem_address\n   0: 0608090A:0063 0708090A:18EB 01 00000000:00000000 02:0 0 0 0 5 1\n")
	add("host/peers", "/proc/*/fd", "owner/host/peers", "10.9.8.6:99 5 7 \"zqledgerd\"\n")
	add("cgroup/memory.current", "/sys/fs/cgroup/system.slice/zqledger.service/memory.current", "owner/sys/fs/cgroup/system.slice/zqledger.service/memory.current", "17\n")
	add("kernel/kmsg", "/dev/kmsg", "owner/dev/kmsg", "3,8,9,-;Memory cgroup out of memory: Killed process 8 (zqneighbour) total-vm:1kB\n6,9,9,-;oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/zqgroup/zqsub.slice,task_memcg=/zqgroup/zqsub.slice,task=zqneighbour,pid=8,uid=0\n")
	add("kernel/syslog", "/var/log/kern.log", "owner/var/log/kern.log", "Nov 29 03:12:11 zqsyslog kernel: [ 1.0] zqworker[99]: segfault at 0 ip 0 in libzqapp.so[31cfa3,400000]\n")
	add("shell/who", "zqalice@zqhost-7:~$ who", "owner/unknown", "zqalice pts/0 10.9.8.5\nfd00::5 aa:bb:cc:dd:ee:0f zqbob@zqjump.zqcorp.internal /home/zqcarol/x\n")
	add("clock/chronyc", "chronyc tracking", "owner/chronyc", "Reference ID    : 0A090807 (zqntp.zqcorp.internal)\n")
	add("beat/file", "/run/zqledger/zqbeat", "owner/beat/file", "mtime 1\nzqhost-7 zqalive\n")
	add("text/remark", "zq says", "owner/remarks", "zqdave thinks it was zqerin\n")
	add("redis/other", node, "owner/other.resp", bulk("zqthird-2:2219:zq40c1be07"), "GET zqlock:orders:zqowner")
	add("strange/blob", "/opt/zqco/blob", "owner/blob", "zq\x00\xff\xfe binary")
	return b
}

func TestPlantedNames(t *testing.T) {
	b := planted()
	c, err := Redact(b, Options{Key: key("k")})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, doc := range map[string]any{"capture": c.Capture, "probes": c.Probes} {
		text, _ := json.Marshal(doc)
		files[name] = string(text)
	}
	for name, data := range c.Raw {
		files[name] = name + "\n" + string(data)
	}
	for name, text := range files {
		for _, leak := range []string{"zq", "ZQ-1", "10.9.8.", "fd00::5", "aa:bb:cc", "0A090807", "0608090A", "0708090A", "892f3275"} {
			if i := strings.Index(text, leak); i >= 0 {
				t.Errorf("%s still holds %q: %q", name, leak, text[max(0, i-30):min(len(text), i+40)])
			}
		}
	}
	last := c.Probes[len(c.Probes)-1]
	if last.Status != evidence.Skipped || last.Why != "redacted" || last.File != "" || len(c.Dropped) != 2 {
		t.Errorf("bytes nothing can rewrite were not left out: %+v, %v", last, c.Dropped)
	}
	if !c.Capture.Redacted || c.Capture.Note != "" {
		t.Error("the copy does not say what it is, or keeps the note")
	}
	sample := string(c.Raw[c.Probes[0].File])
	length, value, _ := strings.Cut(strings.TrimPrefix(sample, ":"), "\r\n")
	if !strings.HasPrefix(value, "$"+length+"\r\n") {
		t.Errorf("STRLEN and value differ: %q", sample)
	}
}

// The same key gives the same bytes, another key other names, and a copy can be
// copied.
func TestKeys(t *testing.T) {
	text := func(b evidence.Bundle, k string) string {
		c, err := Redact(b, Options{Key: key(k)})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := json.Marshal(c)
		return string(out)
	}
	b := planted()
	first := text(b, "k")
	if text(planted(), "k") != first {
		t.Error("the same key gave other bytes")
	}
	if text(b, "q") == first {
		t.Error("another key gave the same names")
	}
	if _, err := Redact(b, Options{Key: []byte("short")}); err == nil {
		t.Error("a short key was taken")
	}
	if c, _ := Redact(b, Options{Key: key("k"), KeepKey: true}); c.Capture.Subject.Key != "zqlock:orders" {
		t.Errorf("the lock's name was to stay: %q", c.Capture.Subject.Key)
	}
}

// Bundles come from outside: whatever offsets and bytes they hold, nothing panics.
func FuzzRewrite(f *testing.F) {
	for _, p := range planted().Probes {
		f.Add(p.Name, "a (b) zqhost-7 10.0.0.1:6379 [::1]:6379\n$3\r\nabc\r\n", int64(0))
	}
	f.Fuzz(func(t *testing.T, name, data string, offset int64) {
		b := planted()
		b.Raw["owner/x"] = []byte(data)
		b.Probes = append(b.Probes, evidence.Probe{Name: name, Source: data, File: "owner/x", Offset: offset, Bytes: int64(len(data)) - offset, Vantage: "owner", Commands: []string{data}})
		if _, err := Redact(b, Options{Key: key("k")}); err != nil {
			t.Fatal(err)
		}
	})
}
