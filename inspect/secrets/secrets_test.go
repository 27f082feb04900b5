package secrets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// carriers are the ways in which a secret reaches a ticket. SECRET stands where
// it is planted, and all else must stay as it is: the line after the bar is what
// the masked text must be, where it is not the same with *** for SECRET.
func carriers() []string {
	return slices.Concat(redisCarriers(), environments(), otherCarriers())
}

func redisCarriers() []string {
	return []string{
		"$ redis-cli -h 10.0.0.5 -a SECRET TIME",
		"$ redis-cli -aSECRET --no-auth-warning PTTL lock:orders",
		"quince-3$ redis-cli --pass SECRET get lock:orders",
		"redis-cli --pass=SECRET get lock:orders",
		"redis-cli -h 10.0.0.5 -p 6379 -a 'SECRET' --raw info",
		`redis-cli -a "SECRET" ping`,
		"/usr/bin/valkey-cli -a SECRET ping",
		"redis-cli -u redis://default:SECRET@10.0.0.5:6379/0 ping",
		"redis-cli -u redis://:SECRET@10.0.0.5:6379 ping",
		"redis-cli --user ops --askpass ; REDISCLI_AUTH=SECRET redis-cli ping",
		"$ REDISCLI_AUTH='SECRET' redis-cli PTTL lock:orders",
		"export REDISCLI_AUTH=SECRET",
		"10.0.0.5:6379> AUTH SECRET",
		"10.0.0.5:6379> auth ledger SECRET",
		"AUTH ledger SECRET",
		"redis-cli AUTH SECRET",
		"10.0.0.5:6379> HELLO 3 AUTH ledger SECRET SETNAME worker",
		`1796011151.730236 [0 10.0.0.9:50162] "AUTH" "SECRET"`,
		`1796011151.730236 [0 10.0.0.9:50162] "auth" "ledger" "SECRET"`,
		"10.0.0.5:6379> ACL SETUSER ledger on >SECRET ~lock:* +@all",
		"10.0.0.5:6379> ACL SETUSER ledger on #SECRET ~lock:*",
		`1) "user default on #SECRET ~* &* +@all"`,
		"user ledger on >SECRET ~lock:* -@all +get",
		"10.0.0.5:6379> CONFIG SET requirepass SECRET",
		`10.0.0.5:6379> config set masterauth "SECRET"`,
		"requirepass SECRET",
		`requirepass "SECRET"`,
		"masterauth SECRET",
		"sentinel auth-pass mymaster SECRET",
		"10.0.0.5:26379> SENTINEL SET mymaster auth-pass SECRET",
		"10.0.0.5:6379> CONFIG GET requirepass\n1) \"requirepass\"\n2) \"SECRET\"\n10.0.0.5:6379> TIME",
		"$ redis-cli --raw config get requirepass\nrequirepass\nSECRET\n$ date",
		"$ redis-cli config get masterauth | tail -n 1\nSECRET\n$ date -u",
		`1# "requirepass" => "SECRET"`,
		"redis-server --port 6379 --requirepass SECRET --save ''",
		"root      812  0.1 redis-server *:6379 --masterauth SECRET",
		"rediss://ledger:SECRET@redis.example.net:6380/2?ssl=true",
		"SPRING_DATASOURCE=postgres://ledger:SECRET@10.0.0.8/ledger",
		"dial redis-sentinel://:SECRET@10.0.0.5:26379,10.0.0.6:26379/mymaster failed",
		"remote: https://SECRET@git.example.net/ledger.git",
		"redis://:pa/SECRET@10.0.0.5:6379/0",
		"mongodb://ledger:SECRET@10.0.0.8,10.0.0.9/ledger",
	}
}

func environments() []string {
	return []string{
		"Environment=LOG=info REDIS_URL=SECRET",
		`Environment="LEDGER_DSN=SECRET"`,
		"  Env: [PATH=/bin LEDGER_SAUCE=SECRET]",
		`"Env": ["LEDGER=SECRET"]`,
		"            \"Env\": [\n                \"LEDGER=SECRET\",\n                \"PATH=/bin\"\n            ],",
		"    env:\n    - name: LEDGER_DSN\n      value: SECRET\n    image: ledger:2",
		"    env:\n    - name: A\n      value: |\n        SECRET\n    image: ledger:2",
		`"env":[{"name":"LEDGER_DSN","value":"SECRET"}]`,
		"    Environment:\n      LEDGER_DSN:  SECRET\n    Mounts:  <none>",
		"$ tr '\\0' '\\n' < /proc/41207/environ\nLEDGER_DSN=SECRET\n$ date",
		"$ cat /proc/41207/environ\nPATH=/bin\x00LEDGER_DSN=SECRET\x00",
		"$ env\nLEDGER_DSN=SECRET\n$ date",
		"export LEDGER_PASSWORD=\"SECRET\"",
	}
}

func otherCarriers() []string {
	return []string{
		"password=SECRET",
		"db.password = SECRET",
		`{"user":"ledger","password":"SECRET","ttl":30}`,
		`{\"user\":\"ledger\",\"password\":\"SECRET\"}`,
		"passwd: SECRET",
		"client_secret: SECRET",
		"<password>SECRET</password>",
		"Authorization: Bearer SECRET",
		"curl -H 'Authorization: Basic SECRET' https://10.0.0.8/",
		"Cookie: session=SECRET",
		"Set-Cookie: sid=SECRET; Path=/",
		"X-Api-Key: SECRET",
		"Server=10.0.0.8;User=ledger;Password=SECRET;Timeout=30",
		"10.0.0.5:6379,password=SECRET,ssl=False",
		"Endpoint=sb://bus/;SharedAccessKeyName=root;SharedAccessKey=SECRET",
		"41207 ?  Ssl  0:09 /opt/ledgerd --db-password SECRET --workers 4",
		"41207 ?  Ssl  0:09 /opt/ledgerd --token SECRET --lease 30s",
		"41207 ?  Ssl  0:09 /opt/ledgerd --api-key=SECRET",
		"java -Dspring.redis.password=SECRET -jar ledger.jar",
		"mysql -u ledger -pSECRET ledger",
		"sshpass -p SECRET ssh quince-3",
		"docker login -u ledger -p SECRET registry.example.net",
		"curl -u ledger:SECRET https://10.0.0.8/health",
		"ldapsearch -x -w SECRET -b dc=example",
		"ARGS [\"redis-server\",\"--requirepass\",\"SECRET\"]",
		"    - --requirepass\n    - SECRET\n    ports:",
		"  \"--requirepass\",\n  \"SECRET\",",
		"Kernel command line: BOOT_IMAGE=/vmlinuz ro ledger.password=SECRET quiet",
		"GET /renew?token=SECRET&lock=orders HTTP/1.1",
		"GITHUB_TOKEN=SECRET make",
		"access_token=SECRET",
		"aws_secret_access_key = SECRET",
		"VAULT_TOKEN=SECRET",
	}
}

// shaped are secrets that show by their own form; each stands in a sentence.
func shaped() []string {
	return []string{
		"AKIA" + "IOSFODNN7EXAMPLE",
		"ghp_" + "0123456789abcdefghijABCDEFGHIJ012345",
		"xoxb-" + "123456789012-abcdefghij",
		"glpat-" + "abcdefghij0123456789",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
	}
}

func TestCarriers(t *testing.T) {
	if len(carriers()) < 60 {
		t.Fatalf("%d carriers: the table lost some", len(carriers()))
	}
	for i, text := range carriers() {
		for _, shape := range []string{"hunter%dx", "S3cr3t-%d_Zz", "0f9e8d7c6b5a4938271605f4e3d2c1b0a9f8e7d6c5b4a392817060504030%04d"} {
			secret := fmt.Sprintf(shape, i)
			in := "before 41207\n" + text
			in = strings.ReplaceAll(in, "SECRET", secret) + "\nafter lock:orders\n"
			got := string(Mask([]byte(in)))
			if strings.Contains(got, secret) {
				t.Errorf("survived:\n%s\ngot\n%s", in, got)
			}
			if !strings.HasPrefix(got, "before 41207\n") || !strings.HasSuffix(got, "\nafter lock:orders\n") {
				t.Errorf("changed what stands around:\n%s", got)
			}
			if !strings.Contains(got, Mark) {
				t.Errorf("no mark in %q", got)
			}
			if again := string(Mask([]byte(got))); again != got {
				t.Errorf("masking twice differs:\n%s\n%s", got, again)
			}
		}
	}
	for _, secret := range shaped() {
		if got := string(Mask([]byte("the log says " + secret + " and goes on"))); got != "the log says *** and goes on" {
			t.Errorf("got %q", got)
		}
	}
}

// What is kept of a line is kept to the byte.
func TestKeepsTheRest(t *testing.T) {
	for in, want := range map[string]string{
		"$ redis-cli -h 10.0.0.5 -a pw TIME\r\n":                    "$ redis-cli -h 10.0.0.5 -a *** TIME\r\n",
		"redis://u:p@h:1/0 and redis://u2:p2@h2":                    "redis://u:***@h:1/0 and redis://u2:***@h2",
		"HELLO 3 AUTH u p SETNAME n":                                "HELLO 3 AUTH u *** SETNAME n",
		"ACL SETUSER u on >pw ~lock:* +@all":                        "ACL SETUSER u on >*** ~lock:* +@all",
		"Server=s;Password=a;b;Timeout=30":                          "Server=s;Password=***;Timeout=30",
		`{"password":"a\"b","ttl":30}`:                              `{"password":"***","ttl":30}`,
		"Environment=A=1 \"B=2 3\" C=4":                             "Environment=A=*** \"B=***\" C=***",
		"export A=1 && redis-cli ping":                              "export A=*** && redis-cli ping",
		"    env:\n    - name: A\n      value: x\n    image: i\n":   "    env:\n    - name: A\n      value: ***\n    image: i\n",
		"1) \"masterauth\"\n2) \"\"\n3) \"dir\"\n4) \"/var/lib\"\n": "1) \"masterauth\"\n2) \"\"\n3) \"dir\"\n4) \"/var/lib\"\n",
	} {
		if got := string(Mask([]byte(in))); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestPrivateKey(t *testing.T) {
	in := "$ cat key.pem\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nq83vEjRWeJA=\n-----END RSA PRIVATE KEY-----\n$ date\n"
	want := "$ cat key.pem\n-----BEGIN RSA PRIVATE KEY-----\n***\n***\n-----END RSA PRIVATE KEY-----\n$ date\n"
	if got := string(Mask([]byte(in))); got != want {
		t.Errorf("got %q", got)
	}
	one := `{"key":"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIF\n-----END EC PRIVATE KEY-----\n"}`
	if got := string(Mask([]byte(one))); strings.Contains(got, "MHcC") || !strings.HasSuffix(got, `\n"}`) {
		t.Errorf("got %q", got)
	}
	cut := "-----BEGIN PRIVATE KEY-----\nMIIEow\n$ redis-cli PTTL lock:orders\n(integer) 25183\n"
	if got := string(Mask([]byte(cut))); !strings.HasSuffix(got, "$ redis-cli PTTL lock:orders\n(integer) 25183\n") || strings.Contains(got, "MIIE") {
		t.Errorf("a key without its end took what follows: %q", got)
	}
}

// A secret and the line that announces it may come in different pieces.
func TestPieces(t *testing.T) {
	var m Masker
	a := m.Mask([]byte("1) \"requirepass\"\n"))
	b := m.Mask([]byte("2) \"hunter2\"\n"))
	if string(a)+string(b) != "1) \"requirepass\"\n2) \"***\"\n" {
		t.Errorf("got %q %q", a, b)
	}
}

// What decides incidents looks like secrets now and then. None of it may change.
func TestInnocents(t *testing.T) {
	for _, in := range []string{
		`"quince-3:41207:9b1e77c4"`,
		`{"host":"quince-3","pid":41207,"token":57,"nonce":"9b1e77c4"}`,
		`{"at":"2026-11-29T03:12:11Z","event":"write","token":"57","ok":false}`,
		"03:12:11 ledgerd: write rejected token=57 current=58",
		"fencing_token=57 lock_token=9b1e77c4 lease_token=3",
		"level=info msg=renewed key=lock:orders owner=quince-3:41207 token=57",
		"id=57457 addr=10.33.64.11:50162 laddr=10.33.64.7:6379 fd=31 name=ledgerd-quince-3 age=7210 idle=7 flags=N db=0 cmd=auth user=default redir=-1 resp=2",
		"10.33.64.7:6379> PTTL lock:orders\n(integer) 25183\n10.33.64.7:6379> GET lock:orders\n\"9b1e77c45a5ce1f00d\"",
		"[11722.109] Memory cgroup out of memory: Killed process 41207 (ledgerd) total-vm:1776828kB, anon-rss:97664kB, UID:0 pgtables:348kB oom_score_adj:0",
		"4,8399,10208843726,-;ledgerd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
		"(error) NOAUTH Authentication required.",
		"WRONGPASS invalid username-password pair or user is disabled.",
		"(error) ERR AUTH <password> called without any password configured for the default user.",
		"errorstat_NOAUTH:count=3", "cmdstat_auth:calls=3,usec=21", "acl_access_denied_auth:0", "sshd[81]: Failed password for root from 10.0.0.9 port 4410 ssh2",
		"$ ps -a\n$ ls -a /var/lib\n$ docker run -p 6379:6379 redis", "$ redis-cli -h 10.0.0.5 -p 6379 --no-auth-warning ping",
		"NOPASS user default on nopass ~* &* +@all", "--password-file /run/secrets/redis", "automountServiceAccountToken: true",
		"Environment=", "EnvironmentFile=/etc/ledger/env", "    Environment:  <none>", "MainPID=41207\nResult=oom-kill",
		"env GODEBUG", "redis://10.0.0.5:6379/0", "https://docs.example.net/@ops/runbook", "ssh ops@quince-3",
		"1790000313.294675 [0 10.0.0.9:50162] \"set\" \"lock:orders\" \"quince-3:41207:9b1e77c4\" \"NX\" \"PX\" \"30000\"",
		"* pass 3 of 4", "bypass: on", "the auth failed for user ledger", "Asia/Tokyo", "timezone=Asia/Tokyo",
	} {
		if got := string(Mask([]byte(in))); got != in {
			t.Errorf("changed\n%s\nto\n%s", in, got)
		}
	}
}

func TestMaskCommand(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{[]string{"redis-cli", "-a", "pw", "PTTL", "k"}, []string{"redis-cli", "-a", Mark, "PTTL", "k"}},
		{[]string{"redis-cli", "-apw"}, []string{"redis-cli", "-a" + Mark}},
		{[]string{"redis-cli", "-u", "redis://u:pw@h"}, []string{"redis-cli", "-u", "redis://u:***@h"}},
		{[]string{"AUTH", "u", "p w"}, []string{"AUTH", "u", Mark}},
		{[]string{"AUTH", "pw"}, []string{"AUTH", Mark}},
		{[]string{"HELLO", "3", "AUTH", "u", "pw"}, []string{"HELLO", "3", "AUTH", "u", Mark}},
		{[]string{"CONFIG", "SET", "requirepass", "pw"}, []string{"CONFIG", "SET", "requirepass", Mark}},
		{[]string{"ACL", "SETUSER", "u", "on", ">pw", "#00ff", "~*"}, []string{"ACL", "SETUSER", "u", "on", ">" + Mark, "#" + Mark, "~*"}},
		{[]string{"ledgerd", "--db-password", "p w", "--lease=30s"}, []string{"ledgerd", "--db-password", Mark, "--lease=30s"}},
		{[]string{"SET", "lock:orders", "quince-3:41207:9b1e77c4", "NX", "PX", "30000"}, []string{"SET", "lock:orders", "quince-3:41207:9b1e77c4", "NX", "PX", "30000"}},
	} {
		if got := MaskCommand(c.in); strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, c := range carriers() {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Mask([]byte(s))
		if twice := Mask(once); string(twice) != string(once) {
			t.Fatalf("masking twice differs:\n%q\n%q\n%q", s, once, twice)
		}
		if strings.Count(s, "\n") != strings.Count(string(once), "\n") {
			t.Fatalf("lines were lost: %q", once)
		}
	})
}

// FuzzPlanted builds a carrier around any word and looks whether it survives.
func FuzzPlanted(f *testing.F) {
	f.Add(uint8(1), "hunter2")
	f.Fuzz(func(t *testing.T, n uint8, secret string) {
		list := carriers()
		carrier := list[int(n)%len(list)]
		for _, c := range []byte(secret) {
			if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
				return
			}
		}
		if len(secret) < 5 || strings.Contains(carrier, secret) {
			return
		}
		if got := Mask([]byte(strings.ReplaceAll(carrier, "SECRET", secret+"Z"))); strings.Contains(string(got), secret+"Z") {
			t.Fatalf("%q survived in %q", secret, got)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	line := "id=57457 addr=10.33.64.11:50162 laddr=10.33.64.7:6379 fd=31 name=ledgerd-quince-3 age=7210 idle=7 flags=N db=0 sub=0 psub=0 cmd=evalsha user=default redir=-1 resp=2\n" +
		"4,8399,10208843726,-;ledgerd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n10.33.64.7:6379> PTTL lock:orders\n(integer) 25183\n"
	text := []byte(strings.Repeat(line, 4000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Mask(text)
	}
}

// A line that repeats what opens a search must not be searched again and again.
func TestLongLines(t *testing.T) {
	for _, unit := range []string{"://", "export ", "export A=1 ", "AUTH a ", "password=", `password="`, "docker -p ", "Environment=A=1 ", `"Env": [`, "env: [A=", "auth: Cookie: ", "-----BEGIN PRIVATE KEY-----"} {
		text := []byte(strings.Repeat(unit, (1<<20)/len(unit)))
		start := time.Now()
		Mask(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q repeated to a megabyte took %s", unit, took)
		}
	}
}
