package workbench

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"motehound/internal/need"
)

// ui is where the page's sources are, before a test turns to a folder of its own.
var ui, _ = filepath.Abs("ui")

// TestPage: somebody goes from the firmware to the line in each of the case studies, and does each pane's main task. Figures are printed.
func TestPage(t *testing.T) {
	started(t).used(t, "cases.mjs", "panes.mjs")
}

// used has Playwright use the page of the server, in Debian's Chromium, as scripts say. If MOTEHOUND_PICTURES is a folder, what is seen is kept there.
func (c *client) used(t *testing.T, scripts ...string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(ui, "node_modules", "playwright-core")); err != nil || testing.Short() {
		t.Skip("this test needs playwright-core, which make setup has npm fetch if it reaches it: it is not run with -short")
	}
	need.Tools(t, "chromium", "node", "avr-gcc")
	said, err := exec.Command("node", append([]string{"--test-reporter=spec", filepath.Join(ui, "tests", "run.mjs"), c.base + "/?token=" + token, os.Getenv("MOTEHOUND_PICTURES")}, scripts...)...).CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Errorf("node: %v", err)
	}
}
