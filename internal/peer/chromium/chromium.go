// Package chromium has Debian's Chromium open pages, for tests of what people see in a browser.
//
// Invariant: a page is given nothing but its own file: no network, and a profile that is thrown away.
package chromium

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"testing"

	"motehound/internal/need"
)

// DOM opens the page at a path, lets its scripts run, and returns the document as it then is. Without Chromium the test is
// skipped.
func DOM(t testing.TB, path string) string {
	t.Helper()
	return Screen{Width: 1280, Height: 800}.DOM(t, path)
}

// Screen is what a page is looked at on.
type Screen struct {
	Width, Height int
	Dark          bool // its user likes light text on a dark ground
}

// DOM opens a page on the screen.
func (s Screen) DOM(t testing.TB, path string) string {
	t.Helper()
	if s.Width < narrowest {
		path = s.framed(t, path)
	}
	return s.open(t, path, "--dump-dom")
}

// narrowest is the width below which Chromium has no windows.
const narrowest = 500

// framed is a page that shows another one in a frame as wide as the screen, and takes over its document when it is loaded.
func (s Screen) framed(t testing.TB, path string) string {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	around := filepath.Join(t.TempDir(), "framed.html")
	text := fmt.Sprintf(`<!doctype html><html style="color-scheme: light dark"><body><iframe style="width: %dpx; height: %dpx; border: 0" srcdoc="%s"
		onload="const page = this.contentDocument.documentElement; this.replaceWith(page)"></iframe></body></html>`, s.Width, s.Height, html.EscapeString(string(page)))
	if err := os.WriteFile(around, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return around
}

// Picture opens a page on the screen, and writes what is seen to a PNG file.
func (s Screen) Picture(t testing.TB, path, png string) {
	t.Helper()
	s.open(t, path, "--screenshot="+png)
}

func (s Screen) open(t testing.TB, path, want string) string {
	t.Helper()
	// The sandbox does not work in most containers, and the page is our own.
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		"--user-data-dir=" + t.TempDir(), "--host-resolver-rules=MAP * ~NOTFOUND", fmt.Sprintf("--window-size=%d,%d", s.Width, s.Height), want}
	if s.Dark {
		args = append(args, "--force-dark-mode")
	}
	c := need.Command(t, "chromium", append(args, "file://"+path)...)
	var out, notes bytes.Buffer
	c.Stdout, c.Stderr = &out, &notes
	if err := c.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, notes.String())
	}
	return out.String()
}
