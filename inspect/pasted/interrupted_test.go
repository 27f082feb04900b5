package pasted_test

import (
	"context"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// until is a reader that is interrupted after a text.
func until(text string) io.Reader {
	return io.MultiReader(strings.NewReader(text), iotest.ErrReader(context.Canceled))
}

// Of a text that was interrupted the commands are kept whose output is whole.
func TestInterruptedText(t *testing.T) {
	const asked = "fig-1$ redis-cli TIME\n1791192660\n100000\nfig-1$ redis-cli PTTL lk\n6664\n"
	for name, tt := range map[string]struct {
		text    string
		entries int
	}{
		"in an output":         {asked + "fig-1$ redis-cli GET lk\nfig-1:41", 2},
		"in a command":         {asked + "fig-1$ redis-cli GE", 2},
		"in a list":            {asked + "fig-1$ redis-cli GET lk; redis-cli TIME\nfig-1:41207:x\n17911", 2},
		"in the first command": {"fig-1$ redis-cli GET lk\nfig-1:41", 0},
		"a long one":           {strings.Repeat(asked, 1000) + "fig-1$ redis-cli GET lk\nfig", 2000},
		"before anything":      {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pasted.Import([]pasted.Text{{Name: "a/ticket\x1b.txt", From: until(tt.text)}}, pasted.Options{Subject: evidence.Subject{Key: "lk"}})
			if err != nil || got.Capture.Cut != `interrupted: ticket\x1b.txt was not read to its end` {
				t.Fatalf("%v; cut: %q", err, got.Capture.Cut)
			}
			whole, err := pasted.Import([]pasted.Text{{Name: "ticket.txt", From: strings.NewReader(tt.text)}}, pasted.Options{Subject: evidence.Subject{Key: "lk"}})
			if err != nil || whole.Capture.Cut != "" {
				t.Fatalf("the text itself: %v; cut: %q", err, whole.Capture.Cut)
			}
			typed := 0
			for _, p := range got.Probes {
				if strings.Contains(strings.Join(p.Commands, " "), "GET") || p.Status == evidence.Unsupported {
					t.Errorf("half an output is kept: %+v", p)
				}
				typed++
			}
			if tt.entries <= 2 && got.Entries != tt.entries || tt.entries > 0 && typed == 0 {
				t.Errorf("%d commands in %d reads, want %d", got.Entries, typed, tt.entries)
			}
		})
	}
}

// Of a whole file there is all or nothing: the end of a half is no end.
func TestInterruptedFiles(t *testing.T) {
	const log = "{\"time\":\"2026-10-05T09:31:00Z\",\"event\":\"renew\",\"key\":\"lk\"}\n"
	const history = "*5\r\n$3\r\nSET\r\n$2\r\nlk\r\n$1\r\nv\r\n$4\r\nPXAT\r\n$13\r\n1791192690000\r\n"
	half := func(kind, text string) pasted.File {
		return pasted.File{Kind: kind, Name: kind, Open: func() (io.ReadCloser, error) { return io.NopCloser(until(text)), nil }}
	}
	folder := pasted.File{Kind: "aof", Name: "data", Folder: cutFolder{fstest.MapFS{
		"appendonly.aof.manifest":   {Data: []byte("file appendonly.aof.1.incr.aof seq 1 type i\n")},
		"appendonly.aof.1.incr.aof": {Data: []byte(history)},
	}}}
	for _, f := range []pasted.File{half("events", log), half("dmesg", "[1.0] x\n"), half("info", "# Server\r\nrun_id:0\r\n"), half("aof", history), half("aof", ""), folder} {
		o := pasted.Options{Subject: evidence.Subject{Key: "lk"}, Files: []pasted.File{f, file("events", "whole", log)}}
		s, got := imported(t, "", o)
		if got.Capture.Cut != "interrupted: --"+f.Kind+" "+f.Name+" was left out" {
			t.Errorf("%s: cut: %q", f.Name, got.Capture.Cut)
		}
		if n := len(got.Probes); n != 2 || got.Probes[0].Status != evidence.Skipped || got.Probes[0].Bytes != 0 || got.Probes[1].Status != evidence.OK {
			t.Errorf("%s: %+v", f.Name, got.Probes)
		}
		if len(s.Events) != 1 || s.History.State == evidence.Seen {
			t.Errorf("%s: %d events, history %v", f.Name, len(s.Events), s.History.State)
		}
	}
}

// A cutFolder is a folder whose append-only file is interrupted at its end.
type cutFolder struct{ fs.FS }

func (d cutFolder) Open(name string) (fs.File, error) {
	f, err := d.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".aof") {
		return f, err
	}
	return cutFile{f}, nil
}

type cutFile struct{ fs.File }

func (f cutFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if err == io.EOF {
		err = context.Canceled
	}
	return n, err
}
