// Package chromium has Debian's Chromium open pages, for tests of what people see in a browser.
//
// Invariant: a page is given nothing but its own file: no network, and a profile that is thrown away.
package chromium

import (
	"bytes"
	"testing"

	"motehound/internal/need"
)

// DOM opens the page at a path, lets its scripts run, and returns the document as it then is. Without Chromium the test is
// skipped.
func DOM(t testing.TB, path string) string {
	t.Helper()
	// The sandbox does not work in most containers, and the page is our own.
	c := need.Command(t, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom", "file://"+path)
	var out, notes bytes.Buffer
	c.Stdout, c.Stderr = &out, &notes
	if err := c.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, notes.String())
	}
	return out.String()
}
