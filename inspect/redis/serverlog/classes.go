package serverlog

import (
	"net/netip"
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// classes tell a message by its fixed words, in lower case; the first that
// stands in it wins.
var classes = []struct{ words, class string }{
	{"bug report start", evidence.NoticeCrashed},
	{"crashed by signal", evidence.NoticeCrashed},
	{"assertion failed", evidence.NoticeCrashed},
	{"guru meditation", evidence.NoticeCrashed},
	{"out of memory allocating", evidence.NoticeOOM},
	{"watchdog timer expired", evidence.NoticeStall},
	{"received sigterm", evidence.NoticeStopping},
	{"received sigint", evidence.NoticeStopping},
	{"received shutdown signal", evidence.NoticeStopping},
	{"user requested shutdown", evidence.NoticeStopping},
	{"ready to exit, bye", evidence.NoticeStopped},
	{"is starting oo0oo", evidence.NoticeStarted},
	{"server started, redis version", evidence.NoticeStarted},
	{"ready to accept connections", evidence.NoticeReady},
	{"db loaded from", evidence.NoticeLoaded},
	{"done loading rdb", evidence.NoticeLoaded},
	{"loading rdb produced by", evidence.NoticeLoading},
	{"reading rdb ", evidence.NoticeLoading},
	{"bad file format reading the append only file", evidence.NoticeLoadFailed},
	{"unexpected end of file reading the append only file", evidence.NoticeLoadFailed},
	{"wrong signature trying to load", evidence.NoticeLoadFailed},
	{"short read or oom loading db", evidence.NoticeLoadFailed},
	{"fatal error loading the db", evidence.NoticeLoadFailed},
	{"master mode enabled", evidence.NoticePromoted},
	{"primary mode enabled", evidence.NoticePromoted},
	{"setting secondary replication id", evidence.NoticePromoted},
	{"before turning into a ", evidence.NoticeDemoted},
	{"reconfiguring myself as a replica", evidence.NoticeDemoted},
	{"failover election won", evidence.NoticeFailover},
	{"starting a failover", evidence.NoticeFailover},
	{"manual failover ", evidence.NoticeFailover},
	{"forced failover ", evidence.NoticeFailover},
	{"failover requested", evidence.NoticeFailover},
	{"failover target ", evidence.NoticeFailover},
	{"start of election delayed", evidence.NoticeFailover},
	{"full resync from ", evidence.NoticeFullResync},
	{"full resync requested", evidence.NoticeFullResync},
	{"sync: flushing old data", evidence.NoticeFullResync},
	{"successful partial resync", evidence.NoticeResync},
	{"partial resynchronization request from", evidence.NoticeResync},
	{"connection with master lost", evidence.NoticeLinkLost},
	{"connection with primary lost", evidence.NoticeLinkLost},
	{"connection with replica ", evidence.NoticeLinkLost},
	{"connection with slave ", evidence.NoticeLinkLost},
	{"master timeout", evidence.NoticeLinkLost},
	{"primary timeout", evidence.NoticeLinkLost},
	{"disconnecting timedout ", evidence.NoticeLinkLost},
	{"timeout connecting to the ", evidence.NoticeLinkLost},
	{"error condition on socket for sync", evidence.NoticeLinkLost},
	{"unable to connect to master", evidence.NoticeLinkLost},
	{"unable to connect to primary", evidence.NoticeLinkLost},
	{"slow script detected", evidence.NoticeSlowScript},
	{"slow function detected", evidence.NoticeSlowScript},
	{"aof fsync is taking too long", evidence.NoticeAOFSlow},
	{"error writing to the aof file", evidence.NoticeRefusedWrites},
	{"misconf ", evidence.NoticeRefusedWrites},
	{"background saving error", evidence.NoticeSaveFailed},
	{"background saving terminated by signal", evidence.NoticeSaveFailed},
	{"can't save in background", evidence.NoticeSaveFailed},
	{"write error saving db", evidence.NoticeSaveFailed},
	{"error saving db on disk", evidence.NoticeSaveFailed},
	{"max number of clients reached", evidence.NoticeMaxClients},
	{"overcoming of output buffer limits", evidence.NoticeClientClosed},
	{"closing idle client", evidence.NoticeClientClosed},
	{"closing client that reached max query buffer", evidence.NoticeClientClosed},
	{"as failing (quorum reached)", evidence.NoticeClusterFail},
	{"fail message received from", evidence.NoticeClusterFail},
	{"clear fail state for node", evidence.NoticeClusterClear},
	{"cluster state changed: fail", evidence.NoticeClusterDown},
	{"cluster is currently down", evidence.NoticeClusterDown},
	{"cluster state changed: ok", evidence.NoticeClusterUp},
}

// enabled is what a server says when somebody made it a replica.
var enabled = regexp.MustCompile(`^(?:REPLICAOF|SLAVE OF|SLAVEOF) \S+ enabled`)

// ClassOf is the class of a message, by the Notice words of package evidence;
// empty when it does not bear on locks.
func ClassOf(text string) string {
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		if class, ok := sentinelClass(text); ok {
			return class
		}
	}
	if enabled.MatchString(text) {
		return evidence.NoticeDemoted
	}
	lower := strings.ToLower(text[:min(len(text), 512)])
	for _, c := range classes {
		if strings.Contains(lower, c.words) {
			return c.class
		}
	}
	return ""
}

// sentinelClass reads Sentinel's own events: a word, then an instance.
func sentinelClass(text string) (string, bool) {
	f := strings.Fields(text)
	primary := len(f) > 1 && (f[1] == "master" || f[1] == "primary")
	switch word := f[0]; word {
	case "+sdown", "-sdown", "+odown", "-odown":
		if !primary {
			return evidence.NoticePeerDown, true
		}
		return map[string]string{"+sdown": evidence.NoticeSDown, "-sdown": evidence.NoticeSDownOver,
			"+odown": evidence.NoticeODown, "-odown": evidence.NoticeODownOver}[word], true
	case "+switch-master", "+switch-primary":
		return evidence.NoticeSwitch, true
	case "+reboot":
		return evidence.NoticeReboot, true
	case "+tilt":
		return evidence.NoticeTilt, true
	case "-tilt":
		return evidence.NoticeTiltOver, true
	case "+promoted-slave", "+promoted-replica":
		return evidence.NoticePromoted, true
	case "+convert-to-slave", "+convert-to-replica":
		return evidence.NoticeDemoted, true
	case "+try-failover", "+elected-leader", "+selected-slave":
		return evidence.NoticeFailover, true
	default:
		return evidence.NoticeFailover, strings.HasPrefix(word, "+failover-") || strings.HasPrefix(word, "-failover-")
	}
}

var endpoint = regexp.MustCompile(`(?:^|[\s'=])([A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})(?:$|[\s',.)])`)

// replid is the length of a replication id, which an offset may follow behind a
// colon.
const replid = 40

// nodeOf is the server that a message names; empty when it speaks of its
// writer.
func nodeOf(class, text string) string {
	f := strings.Fields(text)
	if len(f) > 0 && (f[0][0] == '+' || f[0][0] == '-') {
		switch {
		case class == evidence.NoticeSwitch && len(f) >= 6:
			return join(f[4], f[5])
		case class != evidence.NoticeSwitch && len(f) >= 5:
			return join(f[3], f[4])
		}
		return ""
	}
	switch class {
	case evidence.NoticeDemoted, evidence.NoticeFailover, evidence.NoticeFullResync, evidence.NoticeResync, evidence.NoticeLinkLost:
		if m := endpoint.FindStringSubmatch(text); m != nil && len(m[1]) != replid {
			return m[1] + ":" + m[2]
		}
	}
	return ""
}

// join is host:port, with a v6 address in brackets.
func join(host, port string) string {
	if len(port) > 5 || strings.Trim(port, "0123456789") != "" || len(host) > 253 {
		return ""
	}
	if a, err := netip.ParseAddr(host); err == nil && a.Is6() {
		return "[" + host + "]:" + port
	}
	return host + ":" + port
}
