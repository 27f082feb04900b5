package classify

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// counted is an INFO with counts of commands.
func counted(calls map[string]int64) func(*evidence.Info) {
	return func(i *evidence.Info) { i.Calls = saw(calls) }
}

// A worker that released its lock and ended at once leaves no connection to ask;
// the server's counts tell, as far as they add up.
func TestReleasedByCount(t *testing.T) {
	calls := func(eval, pexpire, del int64) map[string]int64 {
		return map[string]int64{"eval": eval, "pexpire": pexpire, "del": del, "get": 40}
	}
	for name, tt := range map[string]struct {
		before, after map[string]int64
		evicted       int64
		cmd           string
		want          string
	}{
		"one script deleted one key":       {calls(7, 7, 3), calls(8, 7, 4), 0, "eval", released},
		"and another one renewed":          {calls(7, 7, 3), calls(9, 8, 4), 0, "eval", released},
		"DEL by hand":                      {calls(7, 7, 3), calls(7, 7, 4), 0, "eval", evidence.Unknown},
		"DEL by hand, after a renewal":     {calls(7, 7, 3), calls(8, 8, 4), 0, "eval", evidence.Unknown},
		"two keys":                         {calls(7, 7, 3), calls(9, 7, 5), 0, "eval", evidence.Unknown},
		"a script that did neither":        {calls(7, 7, 3), calls(9, 7, 4), 0, "eval", evidence.Unknown},
		"evicted meanwhile":                {calls(7, 7, 3), calls(8, 7, 4), 1, "eval", evidence.Unknown},
		"a holder that uses no scripts":    {calls(7, 7, 3), calls(8, 7, 4), 0, "pexpire", evidence.Unknown},
		"counts of which the first misses": {nil, calls(8, 7, 4), 0, "eval", evidence.Unknown},
	} {
		s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey)
		working(s, 0, 4)
		s.info(0).info(9, counted(tt.after), func(i *evidence.Info) { i.Evicted = saw(tt.evicted) })
		if tt.before != nil {
			s.Node.Infos[0].Calls = saw(tt.before)
		}
		s.clients(0, client(7, ownAddr, tt.cmd, 5)).clients(9)
		if v := s.judge(); v.Answers.Lease.Value != tt.want {
			t.Errorf("%s: lease %s %v, want %s", name, v.Answers.Lease.Value, v.Answers.Lease.Possible, tt.want)
		}
	}
}
