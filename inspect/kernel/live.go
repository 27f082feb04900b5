package kernel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lockscene/lockscene/evidence"
)

const (
	// maxLog bounds what is kept of the ring. Rings are 128 KiB to a few MiB.
	maxLog = 16 << 20
	// maxRead bounds what is read: a log that grows faster than it is read
	// must not keep the reader for ever.
	maxRead = 4 * maxLog
	// oneRecord holds the longest record; a smaller buffer is refused.
	oneRecord = 8 << 10
)

// refused says what the permission would take.
const refused = "not permitted: kernel.dmesg_restrict is set and CAP_SYSLOG is missing"

// ReadKmsg reads the kernel's ring from path, normally /dev/kmsg, from its
// oldest record to its newest, and does not wait for more. The device gives one
// record a read; raw holds them one after the other.
func ReadKmsg(ctx context.Context, path string) (raw []byte, status evidence.Status, why string) {
	// os.Open would hand the device to the runtime's poller, and reading its
	// end would wait for the next message.
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, openStatus(err), openWhy(path, err)
	}
	defer unix.Close(fd)

	buf := make([]byte, oneRecord)
	total, overrun, cut := 0, 0, false
	for ctx.Err() == nil {
		n, err := unix.Read(fd, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EPIPE:
			overrun++
			continue
		case err == unix.EAGAIN, err == nil && n == 0:
			return raw, ended(cut), overrunWhy(overrun, cut)
		case err != nil:
			return raw, openStatus(err), openWhy(path, err)
		}
		if total += n; total > maxRead {
			return raw, evidence.Truncated, "the log grew faster than it was read"
		}
		raw = append(raw, buf[:n]...)
		if len(raw) > maxLog {
			raw, cut = newest(raw, maxLog/2), true
		}
	}
	return raw, evidence.Timeout, fmt.Sprintf("read %s: %v", path, ctx.Err())
}

// newest keeps at most n bytes of whole records from the end.
func newest(raw []byte, n int) []byte {
	tail := raw[len(raw)-n:]
	for {
		end := bytes.IndexByte(tail, '\n')
		if end < 0 {
			return append(raw[:0], tail...)
		}
		tail = tail[end+1:]
		if len(tail) == 0 || tail[0] != ' ' {
			return append(raw[:0], tail...)
		}
	}
}

func ended(cut bool) evidence.Status {
	if cut {
		return evidence.Truncated
	}
	return evidence.OK
}

func overrunWhy(overrun int, cut bool) string {
	switch {
	case cut:
		return fmt.Sprintf("only the newest %d MiB were kept", maxLog>>20)
	case overrun > 0:
		return fmt.Sprintf("the ring moved on %d times while it was read; sequence gaps tell what is lost", overrun)
	}
	return ""
}

func openStatus(err error) evidence.Status {
	switch {
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return evidence.Denied
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return evidence.Missing
	case errors.Is(err, unix.ENODEV), errors.Is(err, unix.ENXIO):
		return evidence.Unsupported
	}
	return evidence.Failed
}

func openWhy(path string, err error) string {
	if openStatus(err) == evidence.Denied {
		return fmt.Sprintf("open %s: %s", path, refused)
	}
	return fmt.Sprintf("open %s: %v", path, err)
}

// Commands are the ways ReadDmesg asks, in order. -r keeps the facility, which
// tells the kernel's lines from user space's; the smallest systems lack it.
func Commands() [][]string { return [][]string{{"dmesg", "-r"}, {"dmesg"}} }

// ReadDmesg runs dmesg, for systems on which the ring's device is refused or
// absent.
func ReadDmesg(ctx context.Context) (raw []byte, status evidence.Status, why string) {
	for _, argv := range Commands() {
		raw, status, why = run(ctx, argv)
		if status != evidence.Failed {
			break
		}
	}
	return raw, status, why
}

func run(ctx context.Context, argv []string) ([]byte, evidence.Status, string) {
	var out tail
	var complaint head
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case err == nil && out.cut:
		return out.b, evidence.Truncated, overrunWhy(0, true)
	case err == nil:
		return out.b, evidence.OK, ""
	case ctx.Err() != nil:
		return out.b, evidence.Timeout, fmt.Sprintf("run dmesg: %v", ctx.Err())
	case errors.Is(err, exec.ErrNotFound):
		return nil, evidence.Unsupported, "run dmesg: no such command"
	case bytes.Contains(complaint.b, []byte("not permitted")), bytes.Contains(complaint.b, []byte("ermission denied")):
		return out.b, evidence.Denied, "run dmesg: " + refused
	}
	return out.b, evidence.Failed, fmt.Sprintf("run dmesg: %v: %s", err, bytes.TrimSpace(complaint.b))
}

// A tail keeps the newest bytes written to it.
type tail struct {
	b   []byte
	cut bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > maxLog {
		t.b, t.cut = newest(t.b, maxLog/2), true
	}
	return len(p), nil
}

// A head keeps the first bytes written to it, and swallows the rest.
type head struct{ b []byte }

func (h *head) Write(p []byte) (int, error) {
	h.b = append(h.b, p[:min(len(p), 512-min(len(h.b), 512))]...)
	return len(p), nil
}
