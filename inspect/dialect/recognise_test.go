package dialect

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

func names(d evidence.Dialect) string {
	var out []string
	for _, l := range d.OneOf {
		out = append(out, l.Name)
	}
	return strings.Join(out, " ")
}

// Libraries of one shape are told apart by their scripts and by whose client renews.
func TestRecogniseTellsApart(t *testing.T) {
	alnum := Shape{Key: "report", Type: "string", Value: "a8Bk02ZxQ9mWl3Tn"} // 16 letters and digits
	for name, tt := range map[string]struct {
		shape  Shape
		traces Traces
		first  string
	}{
		"redsync by its value":              {Shape{Key: "k", Type: "string", Value: "q83vEjRWeJCrze8SNFZ4kA=="}, Traces{}, "redsync"},
		"redsync by its value and script":   {Shape{Key: "k", Type: "string", Value: "q83vEjRWeJCrze8SNFZ4kA=="}, Traces{Scripts: Digests("redsync")[:1]}, "redsync"},
		"go-zero by its script":             {alnum, Traces{Scripts: []string{"dbecad63894903ddf755d05d73a3eb7432ef75c0"}}, "go-zero"},
		"go-zero by the client that renews": {alnum, Traces{Client: "go-redis(,go1.26.8)"}, "go-zero"},
	} {
		d, ok := Recognise(tt.shape, nil, tt.traces)
		if !ok || d.OneOf[0].Name != tt.first {
			t.Errorf("%s: %q %v, want %s first", name, names(d), ok, tt.first)
		}
	}
}

// Where several libraries fit, a number that holds for one of them holds for none.
func TestRecogniseKeepsWhatAllAgreeOn(t *testing.T) {
	a := evidence.Dialect{Lease: 8e9, Renews: evidence.ByCall, Form: "lock", Release: "x"}
	b := evidence.Dialect{Lease: 30e9, Renews: evidence.ByItself, RenewEvery: 10e9, Form: "fair lock", Release: "y", Endless: true}
	agree(&a, b)
	if a.Lease != 0 || a.RenewEvery != 0 || a.Renews != "" || a.Form != "lock" || !a.Endless || a.Release == "x" {
		t.Errorf("%+v", a)
	}
}

// What is asked of companions is bounded, allowed, and asked once.
func TestCompanionsAreAllowed(t *testing.T) {
	for _, s := range []Shape{
		{Key: "orders", Type: "hash", Fields: []evidence.Field{{Name: "285475da-9152-4c83-822a-67ee2f116a79:52", Value: "1"}}},
		{Key: "rueidislock:0:orders", Type: "string", Value: strings.Repeat("\xfe", 24)},
	} {
		ask := Companions(s)
		if len(ask) == 0 || len(ask) > 24 {
			t.Errorf("%s: %d reads", s.Key, len(ask))
		}
		for i, c := range ask {
			if err := redis.Allowed(c); err != nil {
				t.Error(err)
			}
			if slices.ContainsFunc(ask[:i], func(o []string) bool { return slices.Equal(o, c) }) {
				t.Errorf("%v is asked twice", c)
			}
		}
	}
}

// Nothing from outside makes recognition panic, or grow.
func FuzzRecognise(f *testing.F) {
	f.Add("k", "string", "q83vEjRWeJCrze8SNFZ4kA==", "f", "1", 1.5)
	f.Add("redisson_lock_queue:{k}", "list", "", "a:1", "x", -1e300)
	f.Fuzz(func(t *testing.T, key, kind, value, field, of string, score float64) {
		s := Shape{Key: key, Type: kind, Value: value, Fields: []evidence.Field{{Name: field, Value: of}},
			Scored: []Scored{{field, score}, {of, -score}}, Members: []string{field, of}}
		answers := Answers{}
		for _, c := range Companions(s) {
			answers[join(c)] = redis.Value{Kind: '*', Array: []redis.Value{redis.Bulk(field), redis.Bulk(of), {Kind: ':', Int: 7}}}
		}
		if d, ok := Recognise(s, answers, Traces{Scripts: Digests(), Client: of}); ok && len(d.OneOf) == 0 {
			t.Error("recognised as nothing")
		}
	})
}

func TestScripts(t *testing.T) {
	if n := len(Digests()); n < 280 {
		t.Errorf("%d digests", n)
	}
	text := "if redis.call(\"get\",KEYS[1]) == ARGV[1] then\n    return redis.call(\"del\",KEYS[1])\nelse\n    return 0\nend"
	if got := ByText(text); len(got) == 0 || got[0].Op != "release" {
		t.Errorf("the pattern of the documentation is %+v", got)
	}
}
