package dialect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

const (
	sidekiqSum = "8a51c0d7e4f2b69013aa57de0c4f9b21"
	sidekiqJID = "b4a577edbccf1d805744efa9"
)

func sidekiqHash(key string, nameValues ...string) Shape {
	s := Shape{Key: key, Type: "hash", Endless: true, Now: noon()}
	for i := 0; i+1 < len(nameValues); i += 2 {
		s.Fields = append(s.Fields, evidence.Field{Name: nameValues[i], Value: nameValues[i+1]})
	}
	return s
}

func sidekiqSince(d time.Duration) string {
	return fmt.Sprintf("%.6f", float64(noon().Add(d).UnixMicro())/1e6)
}

func TestSidekiqUniqueJobs(t *testing.T) {
	d := sidekiqUniqueJobs()
	key := d.Keys(sidekiqSum)[0]
	if key != "uniquejobs:"+sidekiqSum+":LOCKED" || d.Keys("uniquejobs:" + sidekiqSum)[0] != key {
		t.Errorf("keys %q", d.Keys(sidekiqSum))
	}
	r := wantFit(t, d, sidekiqHash(key, sidekiqJID, sidekiqSince(-time.Hour)), evidence.Certain)
	if h := r.Dialect.Holders[0]; h.Text != sidekiqJID || !h.Since.Equal(noon().Add(-time.Hour)) {
		t.Errorf("holder %+v", h)
	}
	if !r.Dialect.Endless || r.Dialect.Renews != evidence.NeverRenews || r.Dialect.Lease != 0 || r.Dialect.Form != "unique job" {
		t.Errorf("it says %+v", r.Dialect)
	}
	long := "uniquejobs:" + sidekiqSum + sidekiqSum
	if r := wantFit(t, d, sidekiqHash(long+":RUN:LOCKED", sidekiqJID, sidekiqSince(0)), evidence.Certain); r.Dialect.Form != "unique job while it runs" {
		t.Errorf("a running one: %+v", r.Dialect)
	}
	wantFit(t, d, sidekiqHash("shop:"+key, sidekiqJID, sidekiqSince(0)), evidence.Certain)
	wantFit(t, d, sidekiqHash("mine:"+sidekiqSum+":LOCKED", sidekiqJID, sidekiqSince(0)), evidence.FitsWell)
	six := wantFit(t, d, sidekiqHash("uniquejobs:"+sidekiqSum+":GRABBED", sidekiqJID, sidekiqSince(0)), evidence.Certain)
	if !strings.Contains(strings.Join(six.Because, " "), "version 6") {
		t.Errorf("because %q", six.Because)
	}
}

func TestSidekiqNine(t *testing.T) {
	key := "uniquejobs:" + sidekiqSum + ":LOCKED"
	value := `{"worker":"Billing::Sync","queue":"low","limit":1,"type":"until_executed","lock_args":["secret"],"time":` + sidekiqSince(-time.Minute) + `}`
	r := wantFit(t, sidekiqUniqueJobs(), sidekiqHash(key, sidekiqJID, value), evidence.Certain)
	if h := r.Dialect.Holders[0]; !h.Since.Equal(noon().Add(-time.Minute)) {
		t.Errorf("holder %+v", h)
	}
	said := fmt.Sprint(r.Dialect.Notes, r.Because)
	if !strings.Contains(said, "Billing::Sync") || !strings.Contains(said, "until_executed") || !strings.Contains(said, "version 9") || strings.Contains(said, "secret") {
		t.Errorf("it says %s", said)
	}
	if len(r.Ask) != 1 {
		t.Errorf("it asks %q", r.Ask)
	}
}

func TestSidekiqDigest(t *testing.T) {
	s := expiring("uniquejobs:"+sidekiqSum, sidekiqJID)
	r := wantFit(t, sidekiqUniqueJobs(), s, evidence.Certain)
	r.Learn(&r, Answers{"HGET uniquejobs:" + sidekiqSum + ":LOCKED " + sidekiqJID: redis.Bulk(sidekiqSince(-time.Hour))})
	if h := r.Dialect.Holders[0]; h.Text != sidekiqJID || !h.Since.Equal(noon().Add(-time.Hour)) {
		t.Errorf("holder %+v", h)
	}
	r = wantFit(t, sidekiqUniqueJobs(), s, evidence.Certain)
	r.Learn(&r, Answers{"HGET uniquejobs:" + sidekiqSum + ":LOCKED " + sidekiqJID: {Kind: '$', Null: true}})
	if !strings.Contains(strings.Join(r.Dialect.Notes, "\n"), "does not hold") {
		t.Errorf("notes %q", r.Dialect.Notes)
	}
}

// Twice: the set says which hashes have the beats.
func TestSidekiqLearns(t *testing.T) {
	s := sidekiqHash("shop:uniquejobs:"+sidekiqSum+":LOCKED", sidekiqJID, sidekiqSince(-time.Hour))
	digest := "shop:uniquejobs:" + sidekiqSum
	lives, late, gone := "quince-3:4242:0a1b2c3d4e5f", "quince-4:17:1a1b2c3d4e5f", "quince-5:18:2a1b2c3d4e5f"
	a := Answers{
		"LRANGE " + digest + ":QUEUED 0 99": list("1", "c4a577edbccf1d805744efa9", "d4a577edbccf1d805744efa9"),
		"LRANGE " + digest + ":PRIMED 0 99": list("e4a577edbccf1d805744efa9"),
		"SMEMBERS shop:processes":           list(lives, late, gone),
	}
	first := sidekiqUniqueJobs().Recognise(s)
	first.Shape = s
	asked := len(first.Ask)
	first.Learn(&first, a)
	if n, ok := first.Dialect.Waiters.Get(); !ok || n != 3 || first.Dialect.Queue[0].Text[0] != 'e' || first.Dialect.Queue[1].Text[0] != 'd' {
		t.Errorf("waiters %+v %+v", first.Dialect.Waiters, first.Dialect.Queue)
	}
	if len(first.Dialect.Alive) != 0 || !strings.Contains(strings.Join(first.Dialect.Notes, "\n"), "quince-3 pid 4242") {
		t.Errorf("without beats: %+v", first.Dialect)
	}
	if len(first.Ask) != asked+3 || join(first.Ask[asked]) != "HMGET shop:"+lives+" beat busy quiet" {
		t.Fatalf("it asks %q", first.Ask)
	}

	a["HMGET shop:"+lives+" beat busy quiet"] = list(sidekiqSince(-4*time.Second), "7", "false")
	a["HMGET shop:"+late+" beat busy quiet"] = list(sidekiqSince(-3*time.Minute), "1", "true")
	a["HMGET shop:"+gone+" beat busy quiet"] = redis.Value{Kind: '*', Array: []redis.Value{{Null: true}, {Null: true}, {Null: true}}}
	second := sidekiqUniqueJobs().Recognise(s)
	second.Shape = s
	second.Learn(&second, a)
	alive := second.Dialect.Alive
	if len(alive) != 3 {
		t.Fatalf("alive %+v", alive)
	}
	if l := alive[0]; l.Dead || l.Who != "quince-3 pid 4242" || l.Key != "shop:"+lives || !l.Beat.Equal(noon().Add(-4*time.Second)) || !strings.Contains(l.Text, "7 jobs") {
		t.Errorf("one that lives: %+v", l)
	}
	if l := alive[1]; !l.Dead || !strings.Contains(l.Text, "3m0s") || !strings.Contains(l.Text, "no new ones") {
		t.Errorf("one that is late: %+v", l)
	}
	if l := alive[2]; !l.Dead || !l.Beat.IsZero() {
		t.Errorf("one that is gone: %+v", l)
	}
	printable(t, second)
}

func TestSidekiqNobody(t *testing.T) {
	s := sidekiqHash("uniquejobs:"+sidekiqSum+":LOCKED", sidekiqJID, sidekiqSince(0))
	r := sidekiqUniqueJobs().Recognise(s)
	r.Learn(&r, Answers{"SMEMBERS processes": list()})
	if notes := strings.Join(r.Dialect.Notes, "\n"); !strings.Contains(notes, "no Sidekiq process") {
		t.Errorf("notes %s", notes)
	}
}

func TestSidekiqNearMisses(t *testing.T) {
	key := "uniquejobs:" + sidekiqSum + ":LOCKED"
	list := sidekiqHash(key, sidekiqJID, sidekiqSince(0))
	list.Type = "list"
	for name, s := range map[string]Shape{
		"another type":       list,
		"empty":              sidekiqHash(key),
		"one letter off":     sidekiqHash("uniquejobs:"+sidekiqSum+":LOCKET", sidekiqJID, sidekiqSince(0)),
		"digest too short":   sidekiqHash("uniquejobs:"+sidekiqSum[1:]+":LOCKED", sidekiqJID, sidekiqSince(0)),
		"no time":            sidekiqHash(key, sidekiqJID, "yes"),
		"a time too great":   sidekiqHash(key, sidekiqJID, "1e400"),
		"no number":          sidekiqHash(key, sidekiqJID, "NaN"),
		"broken JSON":        sidekiqHash(key, sidekiqJID, `{"time":`),
		"JSON of no time":    sidekiqHash(key, sidekiqJID, `{}`),
		"JSON too great":     sidekiqHash(key, sidekiqJID, `{"time":1e999}`),
		"huge JSON":          sidekiqHash(key, sidekiqJID, `{"time":1,"x":"`+strings.Repeat("x", 1<<17)+`"}`),
		"no name":            sidekiqHash(key, "", sidekiqSince(0)),
		"another's, no job":  sidekiqHash("mine:"+sidekiqSum+":LOCKED", "someone", sidekiqSince(0)),
		"a digest of no job": expiring("uniquejobs:"+sidekiqSum, "someone"),
		"another's digest":   expiring("mine:"+sidekiqSum, sidekiqJID),
	} {
		if r := sidekiqUniqueJobs().Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
}

func TestSidekiqHostile(t *testing.T) {
	key := "uniquejobs:" + sidekiqSum + ":LOCKED"
	good := sidekiqHash(key, sidekiqJID, sidekiqSince(0))
	good.Endless = false
	survive(t, sidekiqUniqueJobs(), good, expiring("uniquejobs:"+sidekiqSum, sidekiqJID))
	for _, text := range hostile() {
		printable(t, sidekiqUniqueJobs().Recognise(sidekiqHash(key, text, sidekiqSince(0))))
		printable(t, sidekiqUniqueJobs().Recognise(sidekiqHash(key, sidekiqJID, text)))
		printable(t, sidekiqUniqueJobs().Recognise(sidekiqHash(key, sidekiqJID, `{"time":1772625600,"worker":"\u001b[31m\u202e","type":"`+strings.Repeat("x", 500)+`"}`)))
		r := sidekiqUniqueJobs().Recognise(good)
		r.Learn(&r, Answers{"SMEMBERS processes": list(text, text+":1:"+text, "a:b:"+text)})
		printable(t, r)
	}
}
