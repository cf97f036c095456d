package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
	"motehound/study/behavior"
)

// picturesOf are the files of a picture, and the page as the browser has it.
func picturesOf(t *testing.T, base string) (main string) {
	t.Helper()
	svg, err := os.Open(base + ".svg")
	if err != nil {
		t.Fatal(err)
	}
	defer svg.Close()
	for d := xml.NewDecoder(svg); err == nil; {
		_, err = d.Token()
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("the SVG file: %v", err)
	}
	if dot, err := os.ReadFile(base + ".dot"); err != nil || !strings.HasPrefix(string(dot), "digraph") {
		t.Errorf("the dot file: %v", err)
	}
	dom := chromium.DOM(t, base+".html")
	if !strings.Contains(dom, `data-ready="yes"`) {
		t.Fatal("the page's script did not run to its end")
	}
	if !strings.Contains(dom, "Made by Motehound "+version()+". SHA-256 of the firmware: ") {
		t.Error("the page does not say what it was made by, and of what")
	}
	return dom[strings.Index(dom, "<main"):strings.Index(dom, `<script id="data"`)]
}

func pictureArgs(base string) string {
	return " --html " + base + ".html --svg " + base + ".svg --dot " + base + ".dot "
}

// The pictures of the three case studies: the models, with code of the firmware beside them; and the violations.
func TestModelPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, mine, quiet, verify, busy, kind string
		shows                                 []string
	}{
		{"drop", "--node 1 --vector TIMER1_CAPT --background TIMER0_COMP --depth 3", "drop/quiet", "--node 1", "drop/drop", behavior.JobflowViolation,
			[]string{`class="box odd"`, `class="box wanted"`, "here it departs", "2nd"}},
		{"pollute", "--node 1 --vector ADC --background TIMER0_COMP", "pollute/quiet", "--node 1", "pollute/pollute", behavior.InterleavingViolation,
			[]string{`class="box fresh"`, `class="hang fresh"`, "In the approved run it never did."}},
		{"router", "--node 3 --vector TIMER0_COMP --depth 9", "router/router", "--node 0", "router/router", behavior.ProcedureViolation,
			[]string{"leaving", `class="band extra first"`, "It came"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			models, first, second := filepath.Join(dir, "m.json"), filepath.Join(dir, "mined"), filepath.Join(dir, "verified")
			r := motehound(t, strings.Fields("model mine --quiet --models "+models+" "+c.mine+pictureArgs(first)+"../../examples/"+c.quiet+".star")...)
			if r.status != exitFine {
				t.Fatalf("exit status %d\n%s", r.status, r.stderr)
			}
			page := picturesOf(t, first)
			for _, sign := range []string{"Job flow: ", `node inlined`, `node interrupt`, `node task`, "declared at ", `class="line at"`} {
				if !strings.Contains(page, sign) {
					t.Errorf("mined: there is no %s", sign)
				}
			}
			if c.kind == behavior.ProcedureViolation { // another mote, with another part to play, uses data in another order, which comes first
				forgetData(t, models)
			}
			doc := verified(t, exitFound, "--models "+models+" "+c.verify+pictureArgs(second)+"../../examples/"+c.busy+".star")
			page = picturesOf(t, second)
			for _, sign := range c.shows {
				if !strings.Contains(page, sign) {
					t.Errorf("verified: there is no %s", sign)
				}
			}
			if n := strings.Count(page, `class="violation"`); n != len(doc.Violations) {
				t.Errorf("%d violations are drawn of %d", n, len(doc.Violations))
			}
			if v := doc.Violations[0]; c.kind == behavior.ProcedureViolation {
				if v.Leaves == nil || !strings.Contains(page, `id="code-name">`+v.Leaves.In.Function+"<") {
					t.Errorf("the page does not begin with the function where the path is left, %+v", v.Leaves)
				}
			}
		})
	}
}

// A file is drawn without a run; where the sources are is told by the firmware, if that is there.
func TestModelShowPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	models, base := filepath.Join(dir, "m.json"), filepath.Join(dir, "shown")
	const elf = "../../examples/elf/blink-micaz.elf"
	if r := motehound(t, "model", "mine", "--quiet", "--models", models, "--depth", "3", "--time", "3s", elf); r.status != exitFine {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	show := func(args string) result { return motehound(t, strings.Fields("model show "+args+" "+models)...) }
	if r := show(pictureArgs(base)); r.status != exitFine || r.stderr != "" || !strings.Contains(r.stdout, "int: TIMER0_COMP") {
		t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	if page := picturesOf(t, base); !strings.Contains(page, `class="line at"`) || !strings.Contains(page, "node inlined") {
		t.Error("the page has no code, or knows of no inlined function")
	}
	if r := show("--model A16" + pictureArgs(base)); r.status != exitFine || strings.Count(picturesOf(t, base), "<section") != 1 {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
	if r := show("--firmware ../../examples/elf/sense-micaz.elf --svg " + base); r.status != exitFine || !strings.Contains(r.stderr, "is another build") {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
	for args, want := range map[string]string{
		"--model Q16 --svg " + base:               "no such model",
		"--firmware nope.elf --html " + base:      "--firmware",
		"--firmware " + models + " --dot " + base: "--firmware",
		"--html " + dir:                           "--html",
		"--svg " + dir:                            "--svg",
		"--dot " + dir:                            "--dot",
	} {
		if r := show(args); r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit status %d\n%s", args, r.status, r.stderr)
		}
	}
	text, err := os.ReadFile(models)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(models, []byte(strings.Replace(string(text), elf, "gone.elf", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := show("--html " + base + ".html"); r.status != exitFine || !strings.Contains(r.stderr, "name it with --firmware") {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
}
