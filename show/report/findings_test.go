package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/study/check"
	"motehound/study/symbolic/plan"
)

const sum = "2988f190a45ab59cf039b231193dae517c5656ecf455d1d0399a1ac40404af99"

// builds are two firmware files, of motes 0 and 1.
func builds() []document.Built {
	return []document.Built{{Firmware: "a/build/one.elf", SHA256: sum, Board: "micaz", Motes: []int{0}}, {Firmware: "b/two.elf", SHA256: strings.Repeat("0", 64), Board: "uno", Motes: []int{1}}}
}

// story is a trace of three motes with a bit of everything in it, and a long middle.
func story(middle int) document.Story {
	s := document.Story{Columns: []string{"mote 0", "mote 1", "mote 2"}, Cycle: 2}
	add := func(r document.StoryRow) {
		r.Number = len(s.Rows) + 1
		s.Rows = append(s.Rows, r)
	}
	for i := range middle {
		add(document.StoryRow{Mote: i % 3, From: -1, Class: "interrupt", Title: fmt.Sprint("interrupt TIMER", i), Notes: []string{"posts a task"}})
	}
	add(document.StoryRow{Mote: 0, From: 2, Class: "frame", Title: "frame from mote 2"})
	add(document.StoryRow{Mote: 2, From: 0, Class: "frame", Title: "frame from mote 0, lost", Lost: true})
	add(document.StoryRow{Mote: 1, From: -1, Class: "fault", Title: "reboot"})
	add(document.StoryRow{Mote: -1, From: -1, Class: "heal", Title: "no more faults"})
	add(document.StoryRow{Mote: 1, From: -1, Class: "input", Title: "serial byte", Mark: "critical transition", Changed: []string{"n: 1 -> 2"}})
	add(document.StoryRow{Mote: 1, From: -1, Class: "task", Title: "interrupt in the middle of main", Within: true, Mark: "violation", Changed: []string{"count: 0 -> 1"}})
	s.Last = []document.StoryChange{{Number: middle + 5, Event: "mote 1: serial byte", Changed: []string{"n: 1 -> 2"}}, {Number: middle + 6, Event: "mote 1: interrupt", Changed: []string{"count: 0 -> 1"}}}
	return s
}

// found is a race on mote 1 that counts, and a doubtful violation of mote 0.
func found(middle int) *job.Checked {
	at := func(line int) document.CodePlace {
		return document.CodePlace{Function: "main", File: "src/ring.c", Line: line, PC: 0x11a}
	}
	race := &document.Found{Property: "race: lost update of count", Kind: "safety", Mote: 1, Function: "main", File: "src/ring.c", Line: 42, Detail: "count is 0, would be 1", Events: 9, Minimised: 2,
		Minimal: true, Counts: true, Recipe: "my findings/finding-1.json", Bundle: "my findings/finding-1.zip", Inputs: []string{"mote 1, serial line 0: c0 00"}, Story: story(middle),
		Race: &document.Race{Variable: "count", Wrong: "count", Used: document.Used{Fate: "read", CodePlace: at(34)}, Sections: []document.AtomicSection{{From: at(40), To: at(42)}},
			Proof: document.RaceProof{Proven: true, Depth: 7, Events: 2002, Waits: 5}}}
	doubtful := &document.Found{Property: "memory: bounds", Kind: "safety", Mote: 0, Function: "heard", File: "src/gone.c", Line: 7, Detail: "entries[3] reads next", Events: 5, Minimised: 5,
		Needs: []document.Late{{Mote: 1, What: "next task", Late: 1.6, Bound: 0.001}}, Story: story(0)}
	return &job.Checked{Builds: builds(), Report: new(check.Report), Document: &document.Checked{Verdict: document.Violated, LeftOut: []string{"the budget was spent before the end"},
		Findings: []*document.Found{race, doubtful}, Explored: document.Explored{Events: 1234, States: 5, Walks: 6}}}
}

// asked has the sources of ring.c above mote 1's firmware, and none else.
func asked() Asked {
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tline %d", i+1)
	}
	return Asked{Motehound: "v9.8.7, commit abc", File: "app.star", Read: func(path string) ([]byte, error) {
		if path == "b/src/ring.c" {
			return []byte(strings.Join(lines, "\n")), nil
		}
		return nil, errors.New("not there")
	}}
}

// opened is the page on a screen, and what a script behind its own returned.
func opened(t *testing.T, p *Findings, screen chromium.Screen, script string) (dom, said string) {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	b.WriteString(`<output id="said"></output><script>document.getElementById("said").textContent = (() => {` + script + `})();</script>`)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	dom = screen.DOM(t, path)
	if !strings.Contains(dom, `data-ready="yes"`) {
		t.Fatal("the page's script did not run to its end")
	}
	_, said, _ = strings.Cut(dom, `<output id="said">`)
	said, _, _ = strings.Cut(said, "</output>")
	return dom, said
}

// The page has what is known of a finding, and its parts can be used.
func TestFindingsPage(t *testing.T) {
	t.Parallel()
	dom, said := opened(t, CheckPage(found(100), asked()), chromium.Screen{Width: 1280, Height: 900}, `
		const all = (q) => document.querySelectorAll(q), one = (q) => document.querySelector(q), said = [];
		said.push(one(".verdict").className, one(".finding .grade").textContent, all(".pane > nav button").length);
		said.push([...all(".source tr.here")].map((r) => r.dataset.line), [...all(".source tr.atomic")].map((r) => r.dataset.line), [...all(".source tr.used")].map((r) => r.dataset.line));
		said.push(one(".values tr td.n").textContent, one(".values .now").textContent);
		const rows = all(".row[data-event]").length;
		one(".row.fold button").click();
		said.push(rows, all(".row[data-event]").length, all(".row.loop").length);
		said.push(all(".row .arrow").length, all(".row .arrow.lost").length, all(".row .glyph.fault").length, all(".row .glyph.within").length, all(".row .ring").length, all(".row.marked").length);
		one(".jumps button:last-child").click();
		const box = all(".row.marked")[1].getBoundingClientRect();
		said.push(window.scrollY > 0 && box.top > 0 && box.bottom < window.innerHeight ? "there" : "not there");
		one(".commands button").click();
		said.push(one(".commands button").textContent, getSelection().toString());
		all(".pane > nav button")[1].click();
		said.push(one(".finding h2").textContent, one(".pane > nav button[aria-pressed=true]").dataset.finding, window.location.hash, all(".box.warn").length, all(".row.fold").length);
		said.push(one(".source .note").textContent.slice(0, 21));
		return said.join("|");`)
	want := "verdict bad|race|2|42|40,41,42|34|106|1|60|106|4|2|1|1|1|2|2|there|copied|motehound replay 'my findings/finding-1.json'|may be none2. memory: bounds|2|#2|1|0|src/gone.c: not found"
	if said != want {
		t.Errorf("got\n%s, want\n%s", said, want)
	}
	for _, text := range []string{sum, "v9.8.7, commit abc", "violated: 1 finding, and 1 that may be none", "the budget was spent before the end", "1,234 events"} {
		if !strings.Contains(dom[:strings.Index(dom, `<script id="data"`)], text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

// The page fits narrow and wide screens, and what is written can be read on a light and on a dark ground.
func TestFindingsScreens(t *testing.T) {
	t.Parallel()
	page := CheckPage(found(100), asked())
	for _, screen := range []chromium.Screen{{Width: 1280, Height: 900}, {Width: 1280, Height: 900, Dark: true}, {Width: 400, Height: 800}, {Width: 400, Height: 800, Dark: true}} {
		_, said := opened(t, page, screen, `
			const rgb = (c) => c.match(/[\d.]+/g).map(Number);
			const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
			const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
			const contrast = (e) => { const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => x - y); return (b + .05) / (a + .05); };
			const weak = [".verdict", ".says", ".grade", ".marks span", ".facts li", ".box.repair p", ".source td.text", ".source tr.here td.text", ".mark .here", ".mark .atomic", ".mark .used", ".values td", ".was",
				".row .what", ".row .note", ".row.marked b", ".commands code", "#made"].filter((q) => !(contrast(document.querySelector(q)) >= 4));
			return [window.innerWidth, document.documentElement.scrollWidth, matchMedia("(prefers-color-scheme: dark)").matches, light(ground(document.body)) < .2, weak.join(" "),
				document.querySelector(".row .what").getBoundingClientRect().width > 120].join("|");`)
		if want := fmt.Sprintf("%d|%d|%t|%t||true", screen.Width, screen.Width, screen.Dark, screen.Dark); said != want {
			t.Errorf("%+v: got %s, want %s", screen, said, want)
		}
	}
}

// Names and sources are text, whatever is in them.
func TestFindingsHostile(t *testing.T) {
	t.Parallel()
	place := document.CodePlace{Function: hostile, File: hostile, Line: 1}
	x := &document.Found{Property: hostile, Kind: "safety", Function: hostile, File: hostile, Line: 1, Detail: hostile, Recipe: hostile, Inputs: []string{hostile}, CriticalS: hostile, Critical: 1,
		Race: &document.Race{Variable: hostile, Wrong: hostile, Used: document.Used{Fate: "read", CodePlace: place}, Sections: []document.AtomicSection{{From: place, To: place}}, Proof: document.RaceProof{Why: hostile}},
		Story: document.Story{Columns: []string{hostile}, Last: []document.StoryChange{{Number: 1, Event: hostile, Changed: []string{hostile, hostile + ": a -> b"}}},
			Rows: []document.StoryRow{{Number: 1, From: -1, Class: "task", Title: hostile, Notes: []string{hostile}, Changed: []string{hostile}, Mark: hostile}}}}
	c := &job.Checked{Builds: []document.Built{{Firmware: hostile, SHA256: hostile, Board: hostile, Motes: []int{0}}}, Report: new(check.Report),
		Document: &document.Checked{Verdict: document.Unknown, LeftOut: []string{hostile}, Findings: []*document.Found{x, x}}}
	in := Asked{hostile, hostile, func(string) ([]byte, error) { return []byte(hostile + "\u202e"), nil }}
	fuzzed := FuzzPage(&job.Fuzzed{Checked: c, Document: &document.Fuzzed{Checked: *c.Document, Listens: []string{hostile}, Unreached: []string{hostile}}}, in)
	symbolic := SymbolicPage(&job.Outcomes{Builds: c.Builds, Document: &document.Symbolic{Verdict: document.Violated, LeftOut: []string{hostile}, Refuted: []string{hostile},
		Findings: []*document.SymbolicFinding{{Property: hostile, Function: hostile, File: hostile, Line: 1, Detail: "it is " + hostile, Failures: []string{hostile}, Conditions: []string{hostile}}},
		Outcomes: []*document.SymbolicOutcome{{Violates: []string{hostile}, Hash: "1", Inputs: []plan.Input{{Name: hostile}}, Conditions: []string{hostile}}},
		Ends:     []*document.End{{Violates: []string{hostile}, RunAgain: true, Count: 1, Outcomes: []int{1}}}}}, new(job.Symbolic), in)
	hunted := HuntPage(&document.Hunted{Verdict: document.Violated, LeftOut: []string{hostile}, Builds: c.Builds, Refuted: []string{hostile}, Trials: []*document.HuntTrial{{Engine: hostile, Network: hostile, Note: hostile}},
		Coverage: document.HuntCoverage{Unreached: []string{hostile}, Interrupts: []string{hostile}, Missed: []string{hostile}, Listens: []string{hostile}},
		Findings: []*document.HuntFinding{{Explored: x, Replay: hostile, Seen: []document.HuntSight{{Engine: hostile, Network: hostile}},
			Finding: findings.Finding{Grade: hostile, Severity: hostile, Confidence: hostile, Why: hostile, Title: hostile, Property: hostile, Function: hostile, File: hostile, Line: 1, Engines: []string{hostile}, State: hostile}},
			{Ran: &document.RunFinding{Calls: []string{hostile}}, Mined: &document.MinedEntry{Lost: []document.Lost{{Variable: hostile}}, Why: []document.Why{{Place: document.Place{Function: hostile}}}}}}}, in)
	for name, page := range map[string]*Findings{"fuzz": fuzzed, "symbolic": symbolic, "hunt": hunted} {
		dom, said := opened(t, page, chromium.Screen{Width: 1280, Height: 900}, `
			for (const b of document.querySelectorAll("button, summary")) b.click();
			return document.querySelectorAll("img").length + " " + document.scripts.length + " " + document.documentElement.dataset.harm + " " + document.body.textContent.includes("\u202e");`)
		if said != "0 3 undefined false" { // its data, its script, and this one
			t.Errorf("%s: something in it ran, or turns the writing: %s", name, said)
		}
		if n := strings.Count(dom, "&lt;img"); n < 15 {
			t.Errorf("%s: the hostile text is shown %d times", name, n)
		}
	}
}

// The page is one file: nothing in it leads elsewhere.
func TestFindingsAlone(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(writtenPage(t, CheckPage(found(10), asked())), "http://www.w3.org/2000/svg", "")
	for _, sign := range []string{"http:", "https:", "@import", "<link", "url(", "src="} {
		if strings.Contains(text, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	if !strings.Contains(text, `Content-Security-Policy" content="default-src 'none'`) {
		t.Error("the page has no policy that forbids to load something")
	}
}

func writtenPage(t *testing.T, p *Findings) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page stays below 2 MB, and says what it leaves out, whatever was found.
func TestFindingsBounded(t *testing.T) {
	t.Parallel()
	const limit = 2_000_000
	long := strings.Repeat("a very long name ", 10_000)
	for name, c := range map[string]struct {
		change func(d *document.Checked)
		says   string
	}{
		"100,000 events": {func(d *document.Checked) { d.Findings[0].Story = story(100_000) }, `"left":99`},
		"100,000 faults": {func(d *document.Checked) {
			s := story(100_000)
			for i := range s.Rows[:100_000] {
				s.Rows[i].Class = "fault"
			}
			d.Findings[0].Story = s
		}, `"left":99`},
		"100,000 marks": {func(d *document.Checked) {
			s := story(100_000)
			for i := range s.Rows {
				s.Rows[i].Mark = "violation"
			}
			d.Findings[0].Story = s
		}, "its events are not on this page"},
		"1,000 motes": {func(d *document.Checked) {
			s := story(0)
			for i := range 1000 {
				s.Columns = append(s.Columns, fmt.Sprint("mote ", i+3))
				s.Rows = append(s.Rows, document.StoryRow{Number: i + 1, Mote: i + 3, From: -1, Class: "task", Title: "task"})
			}
			d.Findings[0].Story = s
		}, `"shared":true`},
		"5,000 findings": {func(d *document.Checked) {
			for range 5000 {
				d.Findings = append(d.Findings, d.Findings[0])
			}
		}, "more findings not on this page"},
		"long texts": {func(d *document.Checked) {
			x := d.Findings[0]
			x.Property, x.Detail, x.Function, x.File = long, long, long, long
			for range 50_000 {
				d.LeftOut = append(d.LeftOut, long[:500])
				x.Inputs = append(x.Inputs, long[:500])
			}
			for i := range x.Story.Rows {
				x.Story.Rows[i].Title, x.Story.Rows[i].Notes = long, []string{long, long}
			}
		}, "more"},
	} {
		checked := found(100)
		c.change(checked.Document)
		page := writtenPage(t, CheckPage(checked, asked()))
		if len(page) > limit || !strings.Contains(page, c.says) {
			t.Errorf("%s: %d bytes, or it does not say %q", name, len(page), c.says)
		}
	}
}

// What is typed is one word for a shell.
func TestQuoted(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"out/finding-1.json": "out/finding-1.json", "my file": "'my file'", "it's": `'it'\''s'`, "": "''", "$(x)": "'$(x)'"} {
		if got := quoted(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}
