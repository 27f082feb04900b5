package redact

import (
	"regexp"
	"strings"
	"testing"
)

// A library's words in a key stay, and nothing that people named.
func TestLibraryKeys(t *testing.T) {
	for key, want := range map[string]string{
		"bull:payments:job-7:lock":                                   `^bull:key-\w{6}:key-\w{6}:lock$`,
		"{bull}:payments:41:lock":                                    `^\{bull\}:key-\w{6}:41:lock$`,
		"rueidislock:0:payments":                                     `^rueidislock:0:key-\w{6}$`,
		"asynq:{mails}:unique:send:0123456789abcdef0123456789abcdef": `^asynq:\{key-\w{6}\}:unique:key-\w{6}:[0-9a-f]{32}$`,
		"uniquejobs:0123456789abcdef0123456789abcdef:LOCKED":         `^uniquejobs:[0-9a-f]{32}:LOCKED$`,
		"redisson_lock_queue:{payments}":                             `^redisson_lock_queue:\{key-\w{6}\}$`,
		"job-lock:default:payments":                                  `^job-lock:default:key-\w{6}$`,
		"lock:payments":                                              `^key-\w{6}$`,
		"payments":                                                   `^key-\w{6}$`,
	} {
		r := newRedactor()
		r.learnKey(key)
		r.seal()
		got := r.exact(key)
		if !regexp.MustCompile(want).MatchString(got) || strings.Contains(got, "payments") || strings.Contains(got, "mails") || strings.Contains(got, "0123456789abcdef") {
			t.Errorf("%s became %s, want %s", key, got, want)
		}
	}
}

// The keys of one lock keep fitting together.
func TestCompanionsFit(t *testing.T) {
	r := newRedactor()
	r.learnKey("bull:payments:job-7:lock")
	r.learnKey("bull:payments:meta")
	r.learnKey("payments:stalled-check")
	r.seal()
	queue, _, _ := strings.Cut(strings.TrimPrefix(r.exact("bull:payments:job-7:lock"), "bull:"), ":")
	if got := r.exact("bull:payments:meta"); got != "bull:"+queue+":meta" {
		t.Errorf("%s does not fit %s", got, queue)
	}
	if got := r.exact("payments:stalled-check"); got != queue+":stalled-check" {
		t.Errorf("%s does not fit %s", got, queue)
	}
}

// A random UUID stays one, for libraries are told by it; one of version 1, which
// holds a time, does not seem to hold another.
func TestUUIDs(t *testing.T) {
	r := newRedactor()
	const four, one = "7b561951-8a85-40d0-8169-6cbbd08b0813", "7b561951-8a85-11d0-8169-6cbbd08b0813"
	for _, s := range []string{four, four + ":0", "worker/" + four} {
		got := r.shape(s)
		if at := strings.Index(s, four); !random.MatchString(got[at:at+36]) || strings.Contains(got, "6cbbd08b0813") {
			t.Errorf("%s became %s", s, got)
		}
	}
	if r.scramble(four) != r.shape(four) {
		t.Error("one UUID has two pseudonyms")
	}
	if got := r.shape(one); len(got) != 36 || got == one {
		t.Errorf("%s became %s", one, got)
	}
}
