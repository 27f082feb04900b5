package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// version is the module's version and commit, as the build recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return v + " rules " + fmt.Sprint(evidence.Rules)
}

// versionText is what --version prints: the same line that captures record, then
// what the build knows of itself.
func versionText() string {
	info, _ := debug.ReadBuildInfo()
	return "lockscene " + version() + "\n" + buildText(info)
}

// buildText needs no flags of the linker: the go command records what it built. A
// build from an archive of the sources, or of a module, knows less.
func buildText(info *debug.BuildInfo) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	settings := map[string]string{"vcs.revision": "not recorded", "vcs.time": "not recorded"}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if settings["vcs.modified"] == "true" {
		commit += ", with changes that are not committed"
	}
	goVersion := info.GoVersion
	if goVersion == "" {
		goVersion = runtime.Version()
	}
	var b strings.Builder
	for _, row := range [][2]string{
		{"commit", commit}, {"date", settings["vcs.time"]}, {"go", strings.TrimPrefix(goVersion, "go")},
		{"platform", runtime.GOOS + "/" + runtime.GOARCH}, {"rules", fmt.Sprint(evidence.Rules)},
	} {
		fmt.Fprintf(&b, "%-9s %s\n", row[0], row[1])
	}
	return b.String()
}
