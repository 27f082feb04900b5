package kernel

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Lines about disks and file systems: they explain tasks in D state and a dead
// append-only-file writer.
var diskRules = []rule{
	{anchor: "I/O error, dev ", class: IOError, find: deviceAfter("I/O error, dev ", ",")},
	{anchor: "Buffer I/O error on dev ", class: IOError, find: deviceAfter("Buffer I/O error on dev ", ",")},
	{anchor: "Buffer I/O error on device ", class: IOError, find: deviceAfter("Buffer I/O error on device ", ",")},
	{anchor: "rejecting I/O to ", class: IOError, find: findRejected},
	{anchor: " timeout, abort", class: IOTimeout, find: findNVMe},
	{anchor: " timeout, reset", class: IOTimeout, find: findNVMe},
	{anchor: "-fs error (device ", class: FSError, find: deviceAfter("-fs error (device ", ")")},
	{anchor: "BTRFS error (device ", class: FSError, find: deviceAfter("BTRFS error (device ", ")")},
	{anchor: "BTRFS critical (device ", class: FSError, find: deviceAfter("BTRFS critical (device ", ")")},
	{anchor: "Remounting filesystem read-only", class: FSReadonly, find: findMounted},
	{anchor: "Shutting down filesystem", class: FSShutdown, find: findMounted},
}

// deviceAfter finds the device between the anchor and the mark behind it.
func deviceAfter(anchor, mark string) func(*evidence.KernelEvent, string, int) bool {
	return func(ev *evidence.KernelEvent, text string, at int) bool {
		dev, _, ok := strings.Cut(text[at+len(anchor):], mark)
		// btrfs appends its state: "(device sda1: state EA)".
		ev.Device, _, _ = strings.Cut(dev, ":")
		return ok && isDevice(ev.Device) && at <= 2*maxComm
	}
}

// isDevice says whether s can name a disk: short, and one word.
func isDevice(s string) bool {
	return s != "" && len(s) <= 32 && !strings.ContainsAny(s, " ()[]\"'=")
}

// findRejected reads "sd 2:0:0:0: rejecting I/O to offline device".
func findRejected(ev *evidence.KernelEvent, text string, at int) bool {
	ev.Device = wordBefore(text[:at])
	rest := text[at+len("rejecting I/O to "):]
	return isDevice(ev.Device) && (strings.HasPrefix(rest, "offline device") || strings.HasPrefix(rest, "dead device"))
}

// findNVMe reads "nvme nvme0: I/O 211 QID 3 timeout, aborting".
func findNVMe(ev *evidence.KernelEvent, text string, at int) bool {
	rest, ok := strings.CutPrefix(text, "nvme ")
	if !ok || !strings.Contains(text[:at], " QID ") {
		return false
	}
	ev.Device, _, ok = strings.Cut(rest, ":")
	return ok && isDevice(ev.Device)
}

// findMounted reads the device from "EXT4-fs (sda1): …" or "XFS (dm-3): …".
func findMounted(ev *evidence.KernelEvent, text string, at int) bool {
	_, rest, ok := strings.Cut(text[:at], " (")
	ev.Device, _, _ = strings.Cut(rest, ")")
	return ok && isDevice(ev.Device)
}
