package drill

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	recordDir  = flag.String("record", "", "folder for the bundle and the story of each drill")
	injectOnly = flag.Bool("inject-only", false, "prove the injections and judge nothing")
	tableFile  = flag.String("table", "", "file for the table of outcomes, beside standard output")
)

// atOnce is how many drills run together. They mostly wait; more would starve
// two cores, and starvation is itself a failure a verdict may name.
const atOnce = "4"

func TestMain(m *testing.M) {
	if code, ok := RunRole(); ok {
		os.Exit(code)
	}
	// The default is one per core; -parallel on the command line still wins.
	_ = flag.Set("test.parallel", atOnce)
	flag.Parse()
	os.Exit(m.Run())
}

// rows is the acceptance table.
func rows() []Row {
	return slices.Concat(healthyRows, crashRows, deathRows, partitionRows, clockRows,
		renewalRows, stallRows, coordinatorRows, contractRows, blindRows, mixedRows,
		Untold(crashRows, "sigkill-mid-renewal", "zombie", "pid-reused"), Untold(healthyRows, "healthy"),
		Untold(stallRows, "sigstop"), Untold(partitionRows, "partition"), Untold(renewalRows, "sidecar-outlives-worker"))
}

func TestDrills(t *testing.T) {
	if err := Sweep(); err != nil {
		t.Fatal(err)
	}
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}}
	t.Cleanup(func() { publish(t, "on the host", lab.Tally) })
	for n, row := range rows() {
		t.Run(row.Slug, func(t *testing.T) {
			t.Parallel()
			Stage(t, lab, n, row)
		})
	}
}

// The same table once more, where nothing may be installed: a shell script looks,
// and what it printed is judged. It may be less sure, never of another opinion.
func TestDrillsByScript(t *testing.T) {
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}, Script: true}
	if lab.Bin == "" {
		t.Skip("not run: nothing is judged when only injections are proven")
	}
	// A parent answers for a command it does not have, with its own help.
	if help, err := exec.Command(lab.Bin, "evidence", "import", "--help").Output(); err != nil || !strings.Contains(string(help), "import FILE") {
		t.Skip("not run: this lockscene cannot import a transcript")
	}
	if err := Sweep(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { publish(t, "by script", lab.Tally) })
	for n, row := range rows() {
		t.Run(row.Slug, func(t *testing.T) {
			t.Parallel()
			Stage(t, lab, n, row)
		})
	}
}

// binary is the lockscene under test: the one named, else built from this checkout.
func binary(t *testing.T) string {
	if *injectOnly {
		return ""
	}
	if *recordDir != "" {
		dir, err := filepath.Abs(*recordDir)
		if err == nil {
			err = os.MkdirAll(dir, 0o755)
		}
		if err != nil {
			t.Fatal("make record folder: ", err)
		}
	}
	if named := os.Getenv("LOCKSCENE_BIN"); named != "" {
		return named
	}
	bin := filepath.Join(t.TempDir(), "lockscene")
	out, err := exec.Command("go", "build", "-o", bin, "github.com/lockscene/lockscene").CombinedOutput()
	if err != nil {
		t.Fatalf("build lockscene: %v\n%s", err, out)
	}
	return bin
}

// publish adds a table to the file that is shown whatever happens: every table
// has its own, none replaces another's.
func publish(t *testing.T, title string, tally *Tally) {
	table := title + ": " + tally.Table()
	fmt.Print(table)
	if *tableFile == "" {
		return
	}
	f, err := os.OpenFile(*tableFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(table)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Error("write the table: ", err)
	}
}

func TestRowsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range rows() {
		if row.Slug == "" || row.Story == "" || row.Drill == nil || row.Want.Label == "" {
			t.Errorf("row %q lacks its slug, story, drill or label", row.Slug)
		}
		if seen[row.Slug] {
			t.Errorf("two rows are called %q", row.Slug)
		}
		seen[row.Slug] = true
	}
}
