package main

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// --version says what the go command recorded, and on its first line what captures
// record as their tool.
func TestVersionText(t *testing.T) {
	built := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}, {Key: "vcs.time", Value: "2026-11-29T03:12:11Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want []string
	}{
		{built, []string{"commit    0123456789abcdef0123456789abcdef01234567, with changes", "date      2026-11-29T03:12:11Z", "go        1.26.8", "rules     " + fmt.Sprint(evidence.Rules)}},
		{&debug.BuildInfo{GoVersion: "go1.26.8"}, []string{"commit    not recorded\n", "date      not recorded\n"}},
		{nil, []string{"commit    not recorded\n", "go        1."}},
	} {
		for _, want := range c.want {
			if got := buildText(c.info); !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		}
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"--version"}, &out, &errs); code != exitNone || !strings.HasPrefix(out.String(), "lockscene "+version()+"\n") {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
}
