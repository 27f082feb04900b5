package inspect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/redis"
)

// readHeartKey reads a heartbeat that is kept in Redis.
func (s *session) readHeartKey(ctx context.Context) {
	key, ok := strings.CutPrefix(s.target.Subject.Heartbeat, "key:")
	if ok {
		s.record("redis/heartbeat", "heartbeat.resp", s.client.Do(ctx, redis.Heartbeat(key)...))
	}
}

// readHeartFile reads a heartbeat that is a file: when it was last written, and
// how it begins.
func (s *session) readHeartFile() {
	path, ok := strings.CutPrefix(s.target.Subject.Heartbeat, "file:")
	if !ok {
		return
	}
	p := evidence.Probe{Name: "beat/file", Source: path, Look: s.look, Start: clock.Now()}
	b, err := readBeat(s.reader.path(path))
	p.End = clock.Now()
	p.Status, p.Why = statusOfFile(err)
	s.reader.add(p, "beat/file", b)
}

// readBeat returns "mtime <ns since the epoch>" and, on the lines below, the
// file's first 256 bytes.
func readBeat(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(f, 256))
	return append(fmt.Appendf(nil, "mtime %d\n", info.ModTime().UnixNano()), head...), err
}

// parseBeatFile reads back what readBeat wrote. A file that holds a time is as
// old as that time says; any other is as old as its last write.
func parseBeatFile(p evidence.Probe, b []byte, target string) evidence.Beat {
	beat := evidence.Beat{Span: spanOf(p), Target: target}
	head, body, _ := bytes.Cut(b, []byte("\n"))
	ns, err := strconv.ParseInt(strings.TrimPrefix(string(head), "mtime "), 10, 64)
	if p.Status != evidence.OK || err != nil {
		beat.Value = evidence.Refused[string]("heartbeat", p.Status, p.Why)
		beat.Age = evidence.Refused[time.Duration]("heartbeat", p.Status, p.Why)
		return beat
	}
	at := time.Unix(0, ns)
	if t, ok := timeIn(string(body)); ok {
		at = t
	}
	beat.Value = evidence.Saw("heartbeat", string(body))
	beat.Age = evidence.Saw("heartbeat", p.End.Wall.Sub(at))
	return beat
}

// parseBeatKey reads a heartbeat key: its age is its value where that is a time
// on the coordinator's clock, else OBJECT IDLETIME, else nothing.
func parseBeatKey(p evidence.Probe, raw []byte, target string) evidence.Beat {
	look := redis.ParseSample("heartbeat", p.Commands, raw, spanOf(p), p.Status, p.Why)
	beat := evidence.Beat{Span: spanOf(p), Target: target, Value: look.Value}
	now, known := look.Before.Get()
	switch idle, ok := look.Idle.Get(); {
	case look.Idle.State == evidence.Absent:
		beat.Value = evidence.None[string]("heartbeat", "no such key")
		beat.Age = evidence.None[time.Duration]("heartbeat", "no such key")
	case ok:
		beat.Age = evidence.Saw("heartbeat", time.Duration(idle)*time.Second)
	default:
		beat.Age = evidence.Refused[time.Duration]("heartbeat", look.Idle.Status, look.Idle.Why)
	}
	if t, ok := timeIn(look.Value.Value); ok && known {
		beat.Age = evidence.Saw("heartbeat", now.Sub(t))
	}
	return beat
}

// timeIn reads a time that somebody wrote as a heartbeat: RFC 3339, or seconds,
// milliseconds, microseconds or nanoseconds since the epoch. Only times of this
// century count: a small number is a counter.
func timeIn(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return time.Time{}, false
	}
	const from, to = 1e9, 4.2e9 // 2001 to 2103, in seconds
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		if s := f / unit; s >= from && s < to {
			whole, frac := math.Modf(s)
			return time.Unix(int64(whole), int64(frac*1e9)), true
		}
	}
	return time.Time{}, false
}
