package language

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A thread's first line, in every version of Java:
//
//	"renewer" #31 daemon prio=5 os_prio=0 cpu=1.20ms elapsed=60.1s tid=0x00007f01 nid=0x1267 waiting on condition  [0x00007f02]
//	"renewer" #31 [4711] daemon prio=5 … nid=4711 waiting on condition  [0x00007f02]
//
// Newer ones print nid in decimal. Threads without a number are the machine's.
var (
	javaThread = regexp.MustCompile(`^"(.*)" (#\d{1,9} )?(?:\[(\d{1,9})\] )?(?:daemon )?(?:virtual )?(?:prio=|os_prio=)`)
	javaNid    = regexp.MustCompile(` nid=(0x[0-9a-fA-F]{1,8}|\d{1,9})\b`)
	javaLock   = regexp.MustCompile(`^- (?:waiting to lock|parking to wait for|waiting on|waiting to re-lock in wait\(\)) +(<0x[0-9a-fA-F]{1,16}>(?: \(an? [^()]{1,120}\))?)`)
)

// javaOwn are numbered threads that belong to the runtime, by how their names
// begin.
var javaOwn = [...]string{
	"Reference Handler", "Finalizer", "Signal Dispatcher", "Service Thread", "Monitor Deflation Thread", "C1 CompilerThread",
	"C2 CompilerThread", "Common-Cleaner", "Notification Thread", "Attach Listener", "Sweeper thread", "DestroyJavaVM", "process reaper",
	"JVMCI", "Cleaner-", "Surrogate Locker", "JFR ",
}

// java reads one line of a JVM's dump.
func (d *dumper) java(text string) bool {
	if m := javaThread.FindStringSubmatch(text); m != nil {
		d.within("jvm", "")
		t := evidence.DumpThread{Name: clip(m[1]), State: "runnable"}
		nid := m[3]
		if n := javaNid.FindStringSubmatch(text); n != nil {
			nid = n[1]
		}
		if n, err := strconv.ParseInt(nid, 0, 32); err == nil {
			t.Tid = int(n)
		}
		d.begin(t, m[2] == "" || isJavaOwn(m[1]))
		return true
	}
	if d.thread == nil || len(d.list) == 0 || d.list[len(d.list)-1].Runtime != "jvm" {
		// jcmd prints the process before the dump.
		if pid, ok := strings.CutSuffix(text, ":"); ok && len(pid) < 10 && strings.Trim(pid, "0123456789") == "" && pid != "" {
			d.pid = int(count(pid))
			return true
		}
		return false
	}
	if state, ok := strings.CutPrefix(text, "java.lang.Thread.State: "); ok {
		d.thread.State = javaState(state)
		return true
	}
	if frame, ok := strings.CutPrefix(text, "at "); ok {
		d.top(frame)
		if d.thread.State == "runnable" && d.thread.Top == clip(frame) && waitsForIO(frame) {
			d.thread.State = "io"
		}
		return true
	}
	if m := javaLock.FindStringSubmatch(text); m != nil && d.thread.Lock == "" {
		d.thread.Lock = clip(m[1])
		return true
	}
	return strings.HasPrefix(text, "- ")
}

func isJavaOwn(name string) bool {
	for _, own := range javaOwn {
		if strings.HasPrefix(name, own) {
			return true
		}
	}
	return false
}

func javaState(s string) string {
	word, _, _ := strings.Cut(s, " ")
	switch word {
	case "BLOCKED":
		return "blocked"
	case "WAITING":
		return "waiting"
	case "TIMED_WAITING":
		return "timed-waiting"
	}
	return "runnable"
}

// waitsForIO says whether the innermost frame is a native call that waits for a
// peer: Java calls such threads runnable.
func waitsForIO(frame string) bool {
	for _, call := range [...]string{"socketRead", "socketAccept", "socketConnect", "EPoll.wait", "epollWait", "EPollArrayWrapper", "KQueue.poll", "Net.poll", "Net.accept", "SocketDispatcher.read", "Native.epollWait"} {
		if strings.Contains(frame, call) {
			return true
		}
	}
	return false
}
