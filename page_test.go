package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/report"
)

// pictured opens every recorded bundle, with its picture.
func pictured(t *testing.T) map[string]evidence.Bundle {
	t.Helper()
	out := map[string]evidence.Bundle{}
	for _, pattern := range []string{"testdata/incidents/*.tar.gz", "testdata/proofs/*.tar.gz"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no bundles %s: %v", pattern, err)
		}
		for _, path := range paths {
			b, err := openBundle(path)
			if err != nil {
				t.Fatal(err)
			}
			b.Scene = classify.Scene(b.Snapshot, b.Verdict)
			out[strings.TrimSuffix(filepath.Base(path), ".tar.gz")] = b
		}
	}
	return out
}

// Every incident fits a terminal, in any width and with any characters.
func TestPicturesFitATerminal(t *testing.T) {
	for name, b := range pictured(t) {
		for _, o := range []report.Options{{Width: 80}, {Width: 120, Unicode: true}, {Width: 80, Unicode: true, Color: true}, {Width: 40}} {
			var out strings.Builder
			if err := report.Picture(&out, b, o); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(out.String(), "\n"); n > 25 || n < 5 {
				t.Errorf("%s, %+v: %d lines\n%s", name, o, n, out.String())
			}
			for line := range strings.Lines(out.String()) {
				plain := strings.TrimRight(colours.ReplaceAllString(line, ""), "\n")
				if n := len([]rune(plain)); n > o.Width {
					t.Errorf("%s, %+v: %d columns: %s", name, o, n, plain)
				}
				if !o.Unicode && strings.ContainsFunc(plain, func(r rune) bool { return r > 0x7e }) {
					t.Errorf("%s: not ASCII: %s", name, plain)
				}
			}
		}
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// A page is one file: nothing in it asks for another, runs, or is malformed.
func TestPagesStandAlone(t *testing.T) {
	for name, b := range pictured(t) {
		html := pageOf(t, b)
		for _, never := range []string{"<script", "src=", "href=", "http://", "https://", "@import", "javascript:", "onload="} {
			if strings.Contains(strings.ReplaceAll(html, "http://www.w3.org", ""), never) {
				t.Errorf("%s: %q in the page", name, never)
			}
		}
		from, to := strings.Index(html, "<svg"), strings.Index(html, "</svg>")
		if from < 0 || to < from {
			t.Errorf("%s: no picture", name)
			continue
		}
		for d := xml.NewDecoder(strings.NewReader(html[from : to+6])); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s: the picture is malformed: %v", name, err)
				break
			}
		}
	}
}

// The picture alone is an image that needs no page around it.
func TestPictureAlone(t *testing.T) {
	for name, b := range pictured(t) {
		var out strings.Builder
		if err := report.SVG(&out, b); err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(strings.NewReader(out.String())); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s: malformed: %v", name, err)
				break
			}
		}
	}
	if err := report.SVG(io.Discard, evidence.Bundle{}); err == nil {
		t.Error("an empty bundle was drawn")
	}
}

// What a lock's value, a client or a log says is text on the page, whatever it is.
func TestPageEscapesWhatIsHostile(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>` + "\x1b[2J\u202e"
	b := pictured(t)["oom-kill-while-watched"]
	b.Verdict.Headline, b.Verdict.Holder.Value, b.Capture.Note, b.Capture.Subject.Key = evil, evil, evil, evil
	for i := range b.Scene.Lanes {
		l := &b.Scene.Lanes[i]
		l.Name, l.Unit = evil, evil
		for j := range l.Bars {
			l.Bars[j].Text, l.Bars[j].State = evil, evidence.BarState(evil)
		}
		for j := range l.Marks {
			l.Marks[j].Text, l.Marks[j].What = evil, evil
		}
	}
	html := pageOf(t, b)
	if strings.Contains(html, "<script") || strings.Contains(html, "<img") || strings.ContainsAny(html, "\x1b\u202e") {
		t.Error("hostile text came through")
	}
	var out strings.Builder
	if err := report.Picture(&out, b, report.Options{Unicode: true}); err != nil || strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("hostile text on the terminal: %v", err)
	}
}

func pageOf(t *testing.T, b evidence.Bundle) string {
	t.Helper()
	var out strings.Builder
	if err := report.HTML(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A real browser opens the pages: no error in its console, no request, nothing wider
// than a phone or a desk, text that can be read on its ground in light and in dark, and
// two sheets of paper.
func TestPagesInABrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("NOT RUN: no chromium here; make setup installs it where it can")
	}
	dir := t.TempDir()
	ctx := browser(t, chromium, dir)

	var said, asked []string
	listen := func(event any) {
		switch e := event.(type) {
		case *cdpruntime.EventConsoleAPICalled:
			said = append(said, fmt.Sprint(e.Type))
		case *cdpruntime.EventExceptionThrown:
			said = append(said, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			said = append(said, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			asked = append(asked, e.Request.URL)
		}
	}
	_, errNetwork := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	_, errLog := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	if err := errors.Join(errNetwork, errLog, chromedp.Listen(ctx, listen)); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	all := pictured(t)
	for _, name := range []string{"oom-kill-while-watched", "clock-back", "host-lost", "sidecar-outlives-worker", "fenced-paused-0", "sentinel-failover", "redlock-workless", "healthy"} {
		path := filepath.Join(dir, name+".html")
		if err := os.WriteFile(path, []byte(pageOf(t, all[name])), 0o600); err != nil {
			t.Fatal(err)
		}
		said, asked = nil, nil
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1440} {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
				err = errors.Join(err, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+path), chromedp.WaitVisible(chromedp.CSS("footer"))))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				over, errOver := chromedp.Run(ctx, chromedp.Evaluate[float64]("document.documentElement.scrollWidth - window.innerWidth"))
				faint, errFaint := chromedp.Run(ctx, chromedp.Evaluate[[]string](contrastScript))
				if err := errors.Join(errOver, errFaint); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if over > 0 {
					t.Errorf("%s, %d px: %.0f px too wide", name, width, over)
				}
				for _, f := range faint {
					t.Errorf("%s, %s: contrast below 4.5: %s", name, scheme, f)
				}
			}
		}
		for _, s := range said {
			t.Errorf("%s: the console says %s", name, s)
		}
		for _, url := range asked {
			if url != "file://"+path {
				t.Errorf("%s: asks for %s", name, url)
			}
		}
		if n := sheets(t, ctx); n > 2 {
			t.Errorf("%s: prints on %d sheets", name, n)
		}
	}
}

// browser starts a headless one that ends with the test.
func browser(t *testing.T, path, dir string) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, done := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(done)
	return ctx
}

// contrastScript lists texts whose contrast with the ground behind them is below what
// WCAG 2.1 asks of normal text (4.5 to 1). In the picture the ground is the page's, or
// the bar's that the text stands in.
const contrastScript = `(() => {
  const rgb = s => (s.match(/[\d.]+/g) || []).map(Number);
  const lum = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4 }); return .2126 * r + .7152 * g + .0722 * b };
  const ground = e => {
    if (e.closest('svg')) {
      const bar = e.closest('.bar'), mark = e.closest('.mark');
      const under = bar ? bar.querySelector('rect') : mark ? mark.querySelector('circle') : null;
      const fill = under && getComputedStyle(under).fill;
      if (fill && fill.startsWith('rgb')) return rgb(fill);
      e = e.closest('svg').parentElement;
    }
    for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c.slice(0, 3) }
    return rgb(getComputedStyle(document.documentElement).backgroundColor).slice(0, 3);
  };
  const out = new Set();
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own || ['TITLE', 'DESC', 'STYLE'].includes(e.tagName.toUpperCase()) || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), ink = rgb(e.closest('svg') ? style.fill : style.color).slice(0, 3);
    const [a, b] = [lum(ink), lum(ground(e))], ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) out.add(e.tagName + '.' + (e.getAttribute('class') || '') + ' ' + ratio.toFixed(2));
  }
  return [...out];
})()`

var pdfPages = regexp.MustCompile(`/Type\s*/Page\b`)

// sheets is on how much paper the page that is open prints.
func sheets(t *testing.T, ctx context.Context) int {
	t.Helper()
	pdf, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)})
	if err != nil {
		t.Fatalf("print: %v", err)
	}
	return len(pdfPages.FindAllIndex(bytes.ReplaceAll(pdf.Data, []byte("/Type /Pages"), nil), -1))
}
