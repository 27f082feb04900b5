package classify

import (
	"slices"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// Where a process runs is read off its control group's path.
func TestGroupWords(t *testing.T) {
	const id = "4b1d0f6c9f6f1a0c2f4f7e3f6f0a4b1d0f6c9f6f1a0c2f4f7e3f6f0a4b1d0f6c"
	for _, tt := range []struct{ path, unit, container, pod string }{
		{"/system.slice/ledgerd.service", "ledgerd.service", "", ""},
		{"/system.slice/cron.service", "cron.service", "", ""},
		{"/system.slice/docker-" + id + ".scope", "", id[:12], ""},
		{"/docker/" + id, "", id[:12], ""},
		{"/kubepods/burstable/pod7c1b/" + id, "", id[:12], "pod7c1b"},
		{"/kubepods.slice/kubepods-pod7c1b.slice/cri-containerd-" + id + ".scope", "", id[:12], "kubepods-pod7c1b.slice"},
		{"/user.slice/user-1000.slice/session-4.scope", "session-4.scope", "", ""},
		{"/", "", "", ""}, {"", "", "", ""}, {"/a/" + id[:63], "", "", ""},
	} {
		if u, k, p := unitIn(tt.path), containerIn(tt.path), podIn(tt.path); u != tt.unit || k != tt.container || p != tt.pod {
			t.Errorf("%s: %q %q %q", tt.path, u, k, p)
		}
	}
}

// Everybody who renews, tries or could, and nobody else, with where each runs.
func TestParties(t *testing.T) {
	s := lateAtRival(map[string]int64{"0": 3}).extended(20, ownAddr, "owners-token").extended(34, "10.0.0.60:55012", "rivals-token")
	s.ran(35, "10.0.0.61:40100", []string{"set", "lock:orders", "third", "nx", "ex", "30"})
	s.Node.Slowlog.Value[len(s.Node.Slowlog.Value)-1].Deed = evidence.DeedAcquire
	s.clients(40, client(7, ownAddr, "evalsha", 2), client(8, "10.0.0.9:50400", "expire", 900), client(9, "10.0.0.60:55012", "evalsha", 1),
		client(10, "10.0.0.9:50500", "get", 1), client(11, "10.0.0.9:50600", "pexpire", 3))
	s.Processes[0].Looks[1].Groups = saw([]evidence.CgroupPath{{Path: "/system.slice/ledgerd.service"}})
	s.Host.Peers = saw([]evidence.Peer{
		{Local: "10.0.0.9:50400", Inode: 5, Pid: 300, Comm: "renewd", Group: "/system.slice/ledgerd.service"},
		{Local: "10.0.0.9:50600", Inode: 6, Pid: 310, Comm: "sh", Group: "/system.slice/cron.service"},
	})
	got := s.judge().Parties
	want := []struct {
		pid   int
		where evidence.Whose
		did   []evidence.Deed
		tried []evidence.Deed
	}{
		{pidOne, evidence.OwnersOwn, []evidence.Deed{evidence.DeedRenew}, nil},
		{0, evidence.Elsewhere, []evidence.Deed{evidence.DeedRenew}, nil},
		{0, evidence.Elsewhere, nil, []evidence.Deed{evidence.DeedAcquire}},
		{300, evidence.Sidecar, nil, nil},
		{310, evidence.Scheduled, nil, nil},
	}
	if len(got) != len(want) {
		t.Fatalf("%d parties: %+v", len(got), got)
	}
	for i, w := range want {
		p := got[i]
		if p.Pid != w.pid || p.Where != w.where || !slices.Equal(p.Did, w.did) || !slices.Equal(p.Tried, w.tried) || len(p.Because) == 0 {
			t.Errorf("%d: %+v, want %+v", i, p, w)
		}
	}
}
