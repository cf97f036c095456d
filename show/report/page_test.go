package report

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/peer/chromium"
	"motehound/job"
	"motehound/job/document"
	"motehound/mote/board"
	"motehound/study/mining"
)

// hostile is a name that would run if it were taken for HTML anywhere.
const hostile = `</script><script>document.documentElement.dataset.harm = "done"</script><img src=x onerror="document.documentElement.dataset.harm='done'">"'&`

// hostilePage has hostile text wherever a firmware or its sources can have text.
func hostilePage() *Page {
	p := document.Place{Function: hostile, File: hostile + ".c", Line: 1, PC: 0x10}
	e := document.MinedEntry{Rank: 1, With: hostile, Score: -1, StartCycle: 1000, EndCycle: 2000, Tasks: []string{hostile}, StandsOut: true,
		Why:  []document.Why{{Place: p, Weight: 1, Count: 2, Usual: 3}},
		Lost: []document.Lost{{Variable: hostile, Part: hostile, Usual: 1, Wrote: p, WroteAt: 1100, Over: &p, OverAt: 1500}}}
	return &Page{Runs: []document.MinedRun{{Firmware: hostile, Values: []document.MinedValue{{Name: hostile, Value: hostile}}}},
		Rankings: []PageRanking{{Board: hostile, Hertz: 1e6, Files: map[string]int{hostile + ".c": 0},
			Mine: document.Mine{Firmware: hostile, Intervals: 1, Vector: 1, VectorName: hostile, Detector: hostile, Distinct: 1, Ranked: "stands_out", Says: hostile,
				StandOut: 1, Ranking: []document.MinedEntry{e}},
			Points: []PagePoint{{Score: -1, Intervals: 1, Rank: 1, StandsOut: true}},
			Normal: []PageEntry{{MinedEntry: document.MinedEntry{Rank: 2, EndCycle: 900}, Steps: []PageStep{{0, 50, hostile, true}}, Posts: []PageTask{}}},
			Details: []PageEntry{{MinedEntry: e, Nearest: 2, Posts: []PageTask{{Name: hostile, Posted: 100, Start: 200, End: 300, State: "done"}},
				Steps: []PageStep{{0, 50, hostile, true}, {50, 70, hostile, false}}, Heat: []PageHeat{{0, 1, hostile, 2, 3}},
				Code: []PageBlock{{0x10, []string{hostile}}}}},
		}},
		Sources: []Source{{File: hostile + ".c", Found: hostile, Lines: []string{hostile}}}}
}

// Names and sources are text, whatever is in them.
func TestPageHostile(t *testing.T) {
	page := hostilePage()
	found := open(t, page)
	page.Sources[0].Lines, page.Sources[0].Note = []string{}, hostile
	missing := open(t, page)
	for name, dom := range map[string]string{"with sources": found, "without": missing} {
		if strings.Contains(dom, "<img") || strings.Contains(dom, "data-harm") || !strings.Contains(dom, `data-ready="yes"`) {
			document, _, _ := strings.Cut(dom, ">")
			t.Errorf("%s: something in it ran, or its own script did not: %s", name, document)
		}
		if n := strings.Count(dom, "&lt;img"); n < 12 {
			t.Errorf("%s: the hostile text is shown %d times", name, n)
		}
	}
}

func open(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return chromium.DOM(t, path)
}

// Sources are found from the working directory, from a folder above the firmware, and beside it; what cannot be shown says so.
func TestFindSources(t *testing.T) {
	files := map[string]string{
		"src/here.c": "one\r\ntwo\n", "up/project/src/above.c": "x", "up/project/build/beside.c": "y", "/abs/a.nc": "bad \xff utf8",
		"src/binary.c": "\x00", "src/large.c": strings.Repeat("x", maxSource+1),
	}
	read := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("not there")
	}
	p := MinePage(new(job.Mined), 0, Asked{Read: read})
	from := func(path string) *built {
		return &built{&job.MinedBuild{Collection: mining.Collection{Firmware: &mining.Firmware{Image: &image.Image{Path: path}}}}, map[string]int{}}
	}
	app := from("up/project/build/app.elf")
	for _, f := range []string{"src/here.c", "src/above.c", "gone/beside.c", "/abs/a.nc", "src/binary.c", "src/large.c", "src/none.c", ""} {
		p.source(app, f)
	}
	for i, want := range []struct{ found, text, note string }{
		{"src/here.c", "one|two", ""}, {"up/project/src/above.c", "x", ""}, {"up/project/build/beside.c", "y", ""},
		{"/abs/a.nc", "bad \uFFFD utf8", ""}, {"src/binary.c", "", "not text"}, {"src/large.c", "", "too large"},
		{"", "", "not found"}, {"", "", "not found"},
	} {
		s := p.Sources[i]
		if s.Found != want.found || strings.Join(s.Lines, "|") != want.text || !strings.Contains(s.Note, want.note) || want.note == "" && s.Note != "" {
			t.Errorf("%s: %+v", s.File, s)
		}
	}
	files["other/build/beside.c"] = "another file of that name"
	other := from("other/build/other.elf")
	if at := p.source(other, "gone/beside.c"); p.Sources[at].Lines[0] != "another file of that name" || p.source(app, "gone/beside.c") == at {
		t.Errorf("the other firmware's beside.c is %+v", p.Sources[at])
	}
	if p.source(other, "src/here.c") != p.source(app, "src/here.c") {
		t.Error("a file that two firmwares share is there twice")
	}
}

// The page is one file: nothing in it leads elsewhere.
func TestPageAlone(t *testing.T) {
	var b bytes.Buffer
	if err := hostilePage().Write(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(b.String(), "http://www.w3.org/2000/svg", "")
	for _, sign := range []string{"http:", "https:", "@import", "<link", "url("} {
		if strings.Contains(text, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
}

// The page is bounded, whatever --top asks for, and says what it leaves out.
func TestPageBounded(t *testing.T) {
	const many = 30_000
	of := &job.MinedBuild{Name: "app", Board: &board.MicaZ, Chip: board.MicaZ.Chip, Task: func(uint16) string { return "aTaskWithALongName" },
		Collection: mining.Collection{Firmware: &mining.Firmware{Image: &image.Image{Path: "app.elf"}}}}
	r := &mining.Ranking{Vector: 22, Intervals: many, Distinct: many, Verdict: mining.StandsOut}
	interval := mining.Interval{Timeline: make([]mining.Step, 3000)}
	for i := range many {
		s := mining.Suspect{Interval: &interval, Rank: i + 1, Score: -1, Sample: i, StandsOut: i%2 == 0}
		r.Suspects, r.Weights = append(r.Suspects, s), append(r.Weights, 1)
	}
	p := MinePage(&job.Mined{Builds: []*job.MinedBuild{of}, Rankings: []job.Ranked{{Build: of, Ranking: r}}}, 0, Asked{Motehound: "v9.8.7"})
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if x := &p.Rankings[0]; len(x.Points) != maxPoints || len(x.Details) > 2*maxDetails || len(x.Ranking) > maxListed || len(x.Beyond) > maxListed {
		t.Errorf("%d points, %d details", len(x.Points), len(x.Details))
	}
	if b.Len() > maxDetailed+2_000_000 {
		t.Errorf("%d bytes", b.Len())
	}
	if text := strings.Join(p.Bounded, " "); !strings.Contains(text, "the first 500 intervals") || !strings.Contains(text, "4000 most unusual") || !strings.Contains(text, "cannot be chosen here") {
		t.Errorf("it says %q", text)
	}
	if p.Motehound != "v9.8.7" || len(p.Builds) != 1 || len(p.Builds[0].SHA256) != 64 {
		t.Errorf("it is made by %+v", p.Made)
	}
}
