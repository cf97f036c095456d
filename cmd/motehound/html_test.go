package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
	"motehound/job/document"
)

// findingsPage is a command that finds something, and what its page shows.
type findingsPage struct {
	name, command string
	parts         map[string]int // how often they are there, at least
}

// pages are such commands. The pictures of the docs are of these.
var pages = []findingsPage{
	{"check", "check --budget 0 --walks 1 --events 1000 --threads 1 --out OUT --bundle --serial-in hello example:ring", map[string]int{
		"race: lost update of count": 1, `class="grade race"`: 1, `class="here atomic"`: 1, "make atomic: ring.c:42": 1, `class="box repair"`: 1, `class="glyph within"`: 1, `class="ring"`: 1,
		"count--;    // BUG": 1, "motehound replay OUT/finding-1.json": 1, "motehound replay OUT/finding-1.zip": 1}},
	{"fuzz", "fuzz --budget 0 --total 30000 --threads 1 --out OUT --bundle example:overrun", map[string]int{
		"memory: bounds": 1, `class="grade violation"`: 1, "buffer[received++] = c;": 1, `class="glyph input"`: 3, "serial byte 0x00 × 16": 1, "inputs: some were made up": 1, "blocks of code": 1}},
	{"symbolic", "symbolic --out OUT --bundle ../../examples/tinytcp/port.star", map[string]int{
		"connected here, connected there": 3, "port = 0, mote 1": 2, "by how they end": 1, `<details class="end violates"`: 1, "no violation": 1, "ClientC__asked++;": 1, "conditions": 1}},
	{"hunt", "hunt --budget 0 --total 3000 --threads 1 --engine check --engine fuzz --store OUT --serial-in hello example:ring", map[string]int{
		"race: lost update of count": 1, `class="grade race"`: 1, "severity high": 1, "seen by check": 1, "count--;    // BUG": 1, "motehound replay OUT/": 1, `class="glyph within"`: 1, "Interrupts whose handlers ran": 1,
		"What each engine did": 1}},
}

// paged runs a command of pages with a page, and returns the page's path and what the command printed.
func paged(t *testing.T, command string) (page, out, printed string) {
	t.Helper()
	dir := t.TempDir()
	page, out = filepath.Join(dir, "page.html"), filepath.Join(dir, "out")
	r := motehound(t, append(strings.Fields(strings.ReplaceAll(command, "OUT", out)), "--json", "--quiet", "--html", page)...)
	if r.status != exitFound {
		t.Fatalf("%s: exit status %d\n%s", command, r.status, r.stderr)
	}
	return page, out, r.stdout
}

// The pages of check, fuzz and symbolic work in a browser, and show what was found, with the source.
func TestFindingsHTML(t *testing.T) {
	t.Parallel()
	for _, c := range pages {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path, out, printed := paged(t, c.command)
			var doc document.Unfinished // the fields of all verdicts
			if err := json.Unmarshal([]byte(printed), &doc); err != nil || doc.Verdict != document.Violated {
				t.Fatalf("%v, %s", err, doc.Verdict)
			}
			dom := chromium.DOM(t, path)
			if !strings.Contains(dom, `data-ready="yes"`) {
				t.Fatal("the page's script did not run to its end")
			}
			body := dom[strings.Index(dom, "<main"):strings.Index(dom, `<script id="data"`)]
			for what, n := range c.parts {
				if got := strings.Count(body, strings.ReplaceAll(what, "OUT", out)); got < n {
					t.Errorf("%s is there %d times, want %d", what, got, n)
				}
			}
			for _, what := range []string{"Made by Motehound " + version(), "SHA-256"} {
				if !strings.Contains(body, what) {
					t.Errorf("the page does not say %q", what)
				}
			}
		})
	}
}

// A page that cannot be written is an error that names its flag.
func TestFindingsHTMLError(t *testing.T) {
	t.Parallel()
	for _, c := range pages {
		folder := t.TempDir()
		if r := motehound(t, append(strings.Fields(strings.ReplaceAll(c.command, "OUT", t.TempDir()+"/out")), "--quiet", "--html", folder)...); r.status != exitUsage || !strings.Contains(r.stderr, "--html") {
			t.Errorf("%s: exit status %d, %s", c.name, r.status, r.stderr)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v is left", c.name, err, left)
		}
	}
}
