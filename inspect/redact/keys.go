package redact

import (
	"regexp"
	"strings"
)

// Keys that lock libraries make have words of their own around the names that people
// gave: bull:QUEUE:JOB:lock, redisson_lock_queue:{NAME}. The words stay, so that the
// copy is still known for that library's; each name between them gets a pseudonym.

// libraryKey is how such keys begin or end.
var libraryKey = regexp.MustCompile(`^(?:\{?bull\}?:|rueidislock:|asynq:|uniquejobs:|job-lock:|redisson_|redlock:|\{?hangfire\}?:|laravel|gitlab:)|:(?:lock|LOCKED|GRABBED|RUN|stalled-check|state-lock|schedule|expire_time|rwlock_timeout)$`)

// libraryWord is a segment that libraries write.
var libraryWord = regexp.MustCompile(`^(?:bull|lock|meta|active|stalled|stalled-check|wait|schedule|rueidislock|asynq|unique|lease|t|servers|uniquejobs|digests|LOCKED|GRABBED|RUN|QUEUED|PRIMED|INFO|processes|job-lock|default|redisson_[a-z_]+|redlock|hangfire|state-lock|job|state|gitlab|exclusive_lease|laravel_cache|framework|expire_time|lock_count|rwlock_timeout|[0-9]{1,2})$`)

// segment is what stands between the punctuation of such a key.
var segment = regexp.MustCompile(`[^:{}/]+`)

// learnKey learns the name of a key. Within a library's frame the names of its parts
// are learned; any other key is one name.
func (r *redactor) learnKey(key string) {
	if _, known := r.names.to[key]; known || key == "" {
		return
	}
	if !libraryKey.MatchString(key) {
		r.learnWord("key", key)
		return
	}
	framed := segment.ReplaceAllStringFunc(key, func(part string) string {
		switch to, known := r.names.to[part]; {
		case known:
			return to
		case libraryWord.MatchString(part):
			return part
		case len(part) >= 16 && isHexRun(strings.ReplaceAll(part, "-", "")):
			return r.scramble(part)
		}
		r.learnWord("key", part)
		return r.exact(part)
	})
	r.put(key, framed)
}
