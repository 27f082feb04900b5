package host

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// maxNesting is how deep the kernel lets pid namespaces nest.
const maxNesting = 33

// always are lines that every kernel prints for every process. A file without
// one of them was cut.
var always = []string{"Name", "State", "Tgid", "TracerPid", "Threads"}

// ParseStatus reads /proc/PID/status. Lines it does not know are passed over,
// and a line that is not there leaves zero: a zombie has no memory lines, a
// kernel without CONFIG_PID_NS no NSpid. Of a file that a filter has cut, Told
// lists the lines that are left.
func ParseStatus(b []byte) (evidence.ProcStatus, error) {
	var p evidence.ProcStatus
	if err := bounded("status", b); err != nil {
		return p, err
	}
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		known, err := statusLine(&p, key, strings.TrimSpace(value))
		if err != nil {
			return evidence.ProcStatus{}, fmt.Errorf("parse status: %s: %w", key, err)
		}
		if known && !slices.Contains(p.Told, key) {
			p.Told = append(p.Told, key)
		}
	}
	if len(p.Told) == 0 {
		return evidence.ProcStatus{}, errors.New("parse status: none of its lines")
	}
	if !slices.ContainsFunc(always, func(line string) bool { return !p.Has(line) }) {
		p.Told = nil
	}
	return p, nil
}

func statusLine(p *evidence.ProcStatus, key, value string) (known bool, err error) {
	known = true
	switch key {
	case "Name":
		p.Name = unescapeName(value)
	case "State":
		p.State = value[:min(1, len(value))]
		known = p.State != ""
	case "Tgid":
		p.Tgid, err = strconv.Atoi(value)
	case "TracerPid":
		p.TracerPid, err = strconv.Atoi(value)
	case "Threads":
		p.Threads, err = strconv.Atoi(value)
	case "Uid":
		real, _, _ := strings.Cut(value, "\t")
		p.Uid, err = strconv.Atoi(real)
	case "NSpid":
		p.NSpid, err = pids(value)
	case "VmSwap":
		p.VmSwapKB, err = kilobytes(value)
	case "VmRSS":
		p.VmRSSKB, err = kilobytes(value)
	case "SigPnd":
		p.SigPnd, err = strconv.ParseUint(value, 16, 64)
	case "ShdPnd":
		p.ShdPnd, err = strconv.ParseUint(value, 16, 64)
	case "voluntary_ctxt_switches":
		p.Voluntary, err = strconv.ParseInt(value, 10, 64)
	case "nonvoluntary_ctxt_switches":
		p.Forced, err = strconv.ParseInt(value, 10, 64)
	default:
		known = false
	}
	return known, err
}

// unescapeName undoes the only two escapes the kernel uses in the Name line,
// so that the name equals the one in stat.
func unescapeName(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\\`, `\`).Replace(s)
}

func pids(value string) ([]int, error) {
	words := strings.Fields(value)
	if len(words) > maxNesting {
		return nil, fmt.Errorf("%d nested namespaces", len(words))
	}
	out := make([]int, len(words))
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

func kilobytes(value string) (int64, error) {
	return strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
}
