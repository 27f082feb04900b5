package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What the coordinator's own log tells of the key's loss.

// logged is one line of a server's log, at a moment of the coordinator's clock.
func (s *scene) logged(t float64, class, role string, pid int) *scene {
	on := evidence.Interval{From: at(t), To: at(t).Add(time.Millisecond), Clock: evidence.Coordinator}
	s.Notices = append(s.Notices, evidence.ServerNotice{At: on, Class: class, Role: role, Pid: pid, Text: class, Source: "redis.log:1"})
	return s
}

// vanishes is a lock that was renewed at 0 for 30 s and gone at 9, long before its
// end; nobody looked in between.
func vanishes() *scene { return newScene().look(0, heldBy(holder, 30)).look(9, noKey) }

func asPid(pid int64, up int64) func(*evidence.Info) {
	return func(i *evidence.Info) { i.ProcessID, i.Uptime = saw(pid), saw(up) }
}

var noticeStories = stories{

	"came up empty between the looks": {
		"",
		func() *scene { return vanishes().logged(4, evidence.NoticeNoKeys, "M", 12) },
		want{label: evidence.CoordinatorFault, cause: "redis-restarted", grade: evidence.Likely, coordinator: "broke", with: []string{"redis-restarted"}},
	},
	"another server's log": {
		"INFO names another pid than the log",
		func() *scene {
			return vanishes().info(9, asPid(99, 90000)).logged(4, evidence.NoticeNoKeys, "M", 12)
		},
		want{label: evidence.Inconclusive, without: []string{"redis-restarted"}},
	},
	"a log that one run id contradicts": {
		"the same server answered on both sides",
		func() *scene {
			return vanishes().info(0).info(9).logged(4, evidence.NoticeNoKeys, "M", 0)
		},
		want{label: evidence.Inconclusive, coordinator: "kept"},
	},
	"a restart at about the last look": {
		"a log to the minute may mean before it or after",
		func() *scene {
			s := vanishes().logged(0, evidence.NoticeNoKeys, "M", 12)
			s.Notices[0].At.From, s.Notices[0].At.To = at(-20), at(20)
			return s
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke"},
	},
	"a restart after the loss": {
		"it is not why",
		func() *scene { return vanishes().look(12, noKey).logged(11, evidence.NoticeNoKeys, "M", 12) },
		want{label: evidence.Inconclusive, coordinator: "kept|broke"},
	},
	"a Sentinel's own beginning": {
		"that it started is nothing to the lock",
		func() *scene { return vanishes().logged(4, evidence.NoticeStarted, "X", 12) },
		want{label: evidence.Inconclusive, without: []string{"redis-restarted"}},
	},
	"younger than the key's last sight": {
		"INFO alone, read once",
		func() *scene { return vanishes().info(9, asPid(12, 4)) },
		want{label: evidence.CoordinatorFault, cause: "redis-restarted", grade: evidence.Likely, coordinator: "broke"},
	},
	"as old as the key's last sight, to the second": {
		"both count whole seconds",
		func() *scene { return vanishes().info(9, asPid(12, 9)) },
		want{label: evidence.Inconclusive, coordinator: "kept|broke"},
	},
	"ran out, and a restart in its life": {
		"the lease ended before anybody looked again; with its renewals or with the server",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 30)).look(45, noKey).logged(4, evidence.NoticeNoKeys, "M", 12)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lapsed", open: []evidence.Label{evidence.CoordinatorFault, evidence.Crash}},
	},
	"a restart that kept the key": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).logged(4.5, evidence.NoticeLoaded, "M", 12)
			working(s, 0, 9)
			return s
		},
		want{label: evidence.NoFailure},
	},
	"a replica was promoted between the looks": {
		"",
		func() *scene { return vanishes().logged(4, evidence.NoticePromoted, "M", 12) },
		want{label: evidence.CoordinatorFault, cause: "failover", grade: evidence.Likely, coordinator: "broke", with: []string{"failover"}},
	},
	"a replica took this primary's data": {
		"that costs the primary nothing",
		func() *scene { return vanishes().logged(4, evidence.NoticeFullResync, "M", 12) },
		want{label: evidence.Inconclusive, without: []string{"failover"}},
	},
	"a replica's data were replaced": {
		"",
		func() *scene { return vanishes().logged(4, evidence.NoticeFullResync, "S", 12) },
		want{label: evidence.CoordinatorFault, cause: "failover", coordinator: "broke"},
	},
	"saves fail from before the missed renewal": {
		"by default writes are refused then; whether this one was is not shown",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 30)).look(45, noKey).logged(4, evidence.NoticeSaveFailed, "M", 12)
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.CoordinatorFault, evidence.Crash}, with: []string{"redis-refuses-writes"}},
	},
	"saves fail after the lease's end": {
		"they did not stop the renewal",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 30)).look(45, noKey).logged(40, evidence.NoticeSaveFailed, "M", 12)
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.Crash}, notOpen: []evidence.Label{evidence.CoordinatorFault}},
	},
}

func TestNotices(t *testing.T) { noticeStories.tell(t) }

func TestNoticesInTheTimeline(t *testing.T) {
	s := vanishes().logged(4, evidence.NoticeNoKeys, "M", 12).logged(-86400, evidence.NoticeStarted, "M", 11)
	lines := 0
	for _, e := range Timeline(s.Snapshot, s.judge()) {
		if e.Lane == evidence.LaneCoordinator {
			lines++
		}
	}
	if lines != 1 {
		t.Errorf("%d lines of the server's log, want the one of this incident", lines)
	}
}
