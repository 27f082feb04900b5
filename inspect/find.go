package inspect

import (
	"context"
	"strings"

	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/inspect/redis"
)

// find turns redisson:orders into the key that Redisson keeps for the lock its
// users call orders. A key that really is called so comes first. Where none is
// there the library's first choice is looked at: it may be free just now.
func (s *session) find(ctx context.Context) {
	asked := s.target.Subject.Key
	keys, ok := dialect.Named(asked)
	if !ok || len(keys) == 0 {
		return
	}
	keys = append([]string{asked}, keys...)
	var commands [][]string
	for _, k := range keys {
		commands = append(commands, []string{"TYPE", k})
	}
	ex := s.client.Do(ctx, commands...)
	s.record("redis/find", "find.resp", ex)
	found := keys[1]
	if strings.HasPrefix(keys[1], asked[:strings.IndexByte(asked, ':')+1]) {
		found = asked // the library's own keys begin like its name: this may be one of them, free just now
	}
	values, _ := redis.ParseReplies(ex.Raw) // what did not come is not there
	for i, v := range values[:min(len(values), len(keys))] {
		if !v.IsError() && v.Str != "none" {
			found = keys[i]
			break
		}
	}
	if found != asked {
		s.target.Subject.Key, s.capture.Subject.Key = found, found
		s.capture.Subject.Asked = asked
	}
}
