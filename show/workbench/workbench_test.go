package workbench

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"motehound/job"
	"motehound/job/document"
)

var update = flag.Bool("update", false, "write docs/openapi.json anew")

func itoa(n int) string { return strconv.Itoa(n) }

// TestDescription: docs/openapi.json, and the types of the page's script, are what the routes are.
func TestDescription(t *testing.T) {
	var made bytes.Buffer
	if err := document.WritePlain(&made, openAPI()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"../../docs/openapi.json": made.String(), "ui/src/documents.ts": typeScript(openAPI())} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(kept) != want {
			t.Errorf("%s does not describe the routes: run go test ./show/workbench -update", path)
		}
	}
}

// typeScript is the schemas as types.
func typeScript(api object) string {
	all := api["components"].(object)["schemas"].(object)
	text := "// Made of the API's description by go test ./show/workbench -update.\n"
	for _, name := range slices.Sorted(maps.Keys(all)) {
		schema := all[name].(object)
		text += "\nexport interface " + name + " {\n"
		properties, required := schema["properties"].(object), schema["required"].([]string)
		for _, p := range slices.Sorted(maps.Keys(properties)) {
			mark := "?"
			if slices.Contains(required, p) {
				mark = ""
			}
			text += "  " + p + mark + ": " + typeOf(properties[p].(object)) + ";\n"
		}
		text += "}\n"
	}
	return text
}

func typeOf(schema object) string {
	if ref, ok := schema["$ref"].(string); ok {
		return ref[strings.LastIndex(ref, "/")+1:]
	}
	switch schema["type"] {
	case "array":
		return typeOf(schema["items"].(object)) + "[]"
	case "integer":
		return "number"
	case "object":
		if values, ok := schema["additionalProperties"].(object); ok {
			return "Record<string, " + typeOf(values) + ">"
		}
		return "Record<string, unknown>"
	}
	return schema["type"].(string)
}

// TestEveryRoute goes from the firmware to the line by every route that there is.
func TestEveryRoute(t *testing.T) {
	c := started(t)
	var about aboutDoc
	c.ask("GET", "/api/about", "", &about)
	if !slices.ContainsFunc(about.Examples, func(x exampleDoc) bool { return x.Name == "example:ring-uno" && x.About != "" }) {
		t.Errorf("%+v", about)
	}
	c.ask("GET", "/api/openapi.json", "", nil)
	c.ask("GET", "/api/campaigns", "", nil)
	c.campaigns(func(*campaignsDoc) bool { return false })
	j := c.job("check", `{"file": "example:ring", "serial_in": ["hello"], "budget_ns": 0, "total": 50000}`)
	if j.State != "done" || j.Verdict != "violated" || j.Findings != 1 || !j.Page || len(j.Said) == 0 {
		t.Fatalf("%+v", j)
	}
	var all jobsDoc
	c.ask("GET", "/api/jobs", "", &all)
	c.ask("GET", "/api/jobs/1", "", &j)
	var result document.Checked
	c.ask("GET", "/api/jobs/1/result", "", &result)
	var page struct{ Findings []struct{ Place string } }
	c.ask("GET", "/api/jobs/1/page", "", &page)
	if len(all.Jobs) != 1 || len(result.Findings) != 1 || result.Findings[0].Line != 42 || !strings.Contains(page.Findings[0].Place, "ring.c:42") {
		t.Errorf("%+v\n%+v\n%+v", all, result.Findings, page)
	}
	c.refused("DELETE", "/api/jobs/1", "", 409, "not under way")

	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "`+result.Findings[0].Recipe+`"}`, &run)
	in := "/api/runs/" + run.ID
	c.ask("GET", in, "", &run)
	var found foundDoc
	c.ask("GET", in+"/finding", "", &found)
	if !run.Explored || found.Stop == nil || found.Stop.Place.Line != 42 || !strings.Contains(found.Says, "lost update of count") {
		t.Fatalf("%+v\n%+v", run, found)
	}
	here := "?mote=0&at=" + string(found.Stop.At)
	var state document.State
	c.ask("GET", in+"/state"+here, "", &state)
	var wrote document.Store
	c.ask("GET", in+"/wrote"+here+"&variable=count", "", &wrote)
	var source document.Covered
	file := url.QueryEscape(found.Stop.Place.File)
	c.ask("GET", in+"/source?mote=0&file="+file, "", &source)
	var back, line, forth arrivedDoc
	c.ask("GET", in+"/step"+here+"&by=event&back=true", "", &back)
	c.ask("GET", in+"/ran"+here+"&file="+file+"&line=19&back=true", "", &line)
	c.ask("GET", in+"/step?mote=0&at="+string(run.Last)+"&by=line", "", &forth)
	if wrote.Stop.Place.Line != 19 || source.Lines[41] == "" || back.At != "e2" || line.Place.Line != 19 || line.At != wrote.Stop.At && !strings.HasPrefix(string(line.At), "e1.") || !forth.End {
		t.Errorf("%+v\n%+v\n%+v\n%+v", wrote, back, line, forth)
	}
	c.ask("GET", in+"/timeline?from=e1&to=e3&bins=10", "", nil)
	var recorded recordedDoc
	if c.ask("GET", in+"/recorded", "", &recorded); !recorded.Whole || recorded.Until != run.Last {
		t.Errorf("%+v", recorded)
	}
	c.refused("GET", in+"/calls?mote=0&from=e1&to=e2", "", 400, "timed run")
	chosenPath(t, c, in)
	callsOfARun(t, c)
	framesOfARun(t, c)
	approvedModels(t, c)
	c.ask("POST", "/api/jobs/1/judged", `{"key": "a 1 1 0 7", "says": "rejected"}`, nil)
	c.ask("POST", "/api/jobs/1/judged", `{"key": "b", "says": "confirmed"}`, nil)
	c.ask("POST", "/api/jobs/1/judged", `{"key": "b", "says": ""}`, nil)
	c.refused("POST", "/api/jobs/1/judged", `{"key": "a", "says": "maybe"}`, 400, "confirmed")
	var judged judgementsDoc
	if c.ask("GET", "/api/jobs/1/judged", "", &judged); len(judged.Judged) != 1 || judged.Judged["a 1 1 0 7"] != "rejected" {
		t.Errorf("%+v", judged)
	}
	var views viewsDoc
	c.ask("POST", "/api/views", `{"name": "a <b>", "address": "?job=1"}`, nil)
	c.ask("POST", "/api/views", `{"name": "a <b>", "address": "?job=2"}`, nil)
	if c.ask("GET", "/api/views", "", &views); len(views.Views) != 1 || views.Views[0].Address != "?job=2" {
		t.Errorf("%+v", views)
	}
	c.ask("DELETE", "/api/views/a%20%3Cb%3E", "", nil)
	editedScenario(t, c)
	restOfRoutes(t, c)
	for _, r := range routes() {
		if !c.asked[r.method+" "+r.path] {
			t.Errorf("%s %s was not asked", r.method, r.path)
		}
	}
}

// chosenPath leaves the run of a finding after its first event, takes another way, and is back.
func chosenPath(t *testing.T, c *client, in string) {
	t.Helper()
	var now document.Choices
	c.ask("GET", in+"/choices?at=e2", "", &now)
	other := slices.IndexFunc(now.Choices, func(x document.Choice) bool { return x.Natural })
	if now.Path != "t1" || len(now.Choices) < 2 || other < 0 {
		t.Fatalf("%+v", now)
	}
	var long, own openedDoc
	c.ask("GET", in+"?path="+now.Choices[other].Path+".n5", "", &long)
	if long.Last != "e8" || long.Found != "" || len(long.Events) != 7 {
		t.Errorf("%+v", long)
	}
	var again document.Choices
	c.ask("GET", in+"/choices?at=e8&path=t1.n6", "", &again)
	if again.Path != "t1.n6" {
		t.Errorf("six events in their natural order are %s", again.Path)
	}
	c.refused("GET", in+"?path=t1.7_interrupt_3", "", 400, "cannot happen")
	c.refused("GET", in+"?path=t99", "", 400, "is not an event")
	if c.ask("GET", in, "", &own); own.Last != "e3" || own.Found == "" {
		t.Errorf("%+v", own)
	}
}

// callsOfARun: of a stretch, whose iterations of the main loop are on the timeline, each call is within the one around it.
func callsOfARun(t *testing.T, c *client) {
	t.Helper()
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "example:ring", "serial_in": ["hello"], "time_ns": 200000000}`, &run)
	in, stretch := "/api/runs/"+run.ID, "from=0&to=200000000000"
	var calls document.Calls
	c.ask("GET", in+"/calls?mote=0&"+stretch, "", &calls)
	var around []document.CallSlice
	for _, s := range calls.Slices {
		around = append(around[:min(s.Depth, len(around))], s)
		if outer := around[max(s.Depth-1, 0)]; s.Depth >= len(around) || s.From < outer.From || s.To > outer.To || s.To < s.From {
			t.Fatalf("%s: %+v in %+v", calls.Names[s.Name], s, outer)
		}
	}
	var line document.Timeline
	c.ask("GET", in+"/timeline?bins=4096&"+stretch, "", &line)
	if l := line.Motes[0].Lanes[1]; len(calls.Slices) < 11 || !slices.Contains(calls.Names, "main") || !slices.ContainsFunc(calls.Names, func(n string) bool { return strings.Contains(n, "__vector_") }) ||
		l.Kind != "loop" || l.Total != 5 {
		t.Errorf("%d calls of %v; %s: %d", len(calls.Slices), calls.Names, l.Kind, l.Total)
	}
}

// framesOfARun: how long a frame is does not depend on how much of it has been sent, whichever mote sends it.
func framesOfARun(t *testing.T, c *client) {
	t.Helper()
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "example:counter-micaz", "nodes": 3, "time_ns": 2000000000}`, &run)
	in, at, lengths := "/api/runs/"+run.ID, "0", map[uint16]int{}
	for len(lengths) < 3 {
		var next arrivedDoc
		if c.ask("GET", in+"/step?mote=0&by=frame&at="+at, "", &next); next.End {
			t.Fatalf("frames of %v", lengths)
		}
		at = string(next.At)
		then, err := strconv.Atoi(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, before := range []int{0, 100_000_000, 200_000_000} { // three bytes and more are sent in 100 microseconds
			var state document.State
			c.ask("GET", in+"/state?mote=0&at="+itoa(then-before), "", &state)
			for _, f := range state.Flying {
				if known := lengths[f.From]; known != 0 && known != f.Bytes || f.Sent > f.Bytes || f.Bytes < 20 {
					t.Errorf("a frame of mote %d: %d of %d bytes, and others have %d", f.From, f.Sent, f.Bytes, known)
				}
				lengths[f.From] = f.Bytes
			}
		}
	}
}

// approvedModels is models that are mined, approved and verified.
func approvedModels(t *testing.T, c *client) {
	t.Helper()
	c.refused("POST", "/api/jobs", `{"command": "verify", "request": {"file": "example:blink-micaz"}}`, 400, "which models")
	c.refused("POST", "/api/models", `{"job": 1}`, 400, "no models to approve")
	mined := c.job("model", `{"file": "example:blink-micaz", "time_ns": 2000000000}`)
	var files modelsDoc
	c.ask("POST", "/api/models", `{"job": `+itoa(mined.ID)+`}`, nil)
	c.ask("GET", "/api/models", "", &files)
	if len(files.Files) != 1 || files.Files[0].Firmware != "example:blink-micaz" {
		t.Fatalf("%+v", files)
	}
	if j := c.job("verify", `{"file": "example:blink-micaz", "time_ns": 2000000000, "models": "`+files.Files[0].Path+`"}`); j.State != "done" || j.Verdict != "unknown" || j.Findings != 0 {
		t.Errorf("%+v", j)
	}
}

// editedScenario is one that is written, checked and saved; two people do not overwrite each other.
func editedScenario(t *testing.T, c *client) {
	t.Helper()
	var now, saved scenarioDoc
	c.ask("GET", "/api/scenarios?path=new/own.star", "", &now)
	if now.Version != "" || now.Text != "" {
		t.Errorf("%+v", now)
	}
	var checked checkedDoc
	for text, want := range map[string]job.ScenarioError{
		"network(\n  motes = [mut()])":                                    {Line: 2, Column: 12, Text: "undefined: mut"},
		"network(motes = [mote(board = \"uno\", firmware = \"no.elf\")])": {Line: 1, Column: 22, Text: "no.elf"},
		"load(\"lib.star\", \"x\")":                                       {Line: 1, Column: 1},
		"network(":                                                        {Line: 1, Column: 9},
	} {
		body, _ := json.Marshal(scenarioDoc{Path: "own.star", Text: text})
		c.ask("POST", "/api/scenarios/check", string(body), &checked)
		if len(checked.Errors) != 1 {
			t.Errorf("%s: %+v", text, checked)
			continue
		}
		got := checked.Errors[0]
		if got.Line != want.Line || got.Column != want.Column || !strings.Contains(got.Text, want.Text) || got.Text == "" {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	const fine = `{"path": "new/own.star", "text": "network(motes = [mote(board = \"uno\", firmware = \"example:blink-uno\")])", "version": ""}`
	if c.ask("POST", "/api/scenarios/check", fine, &checked); len(checked.Errors) != 0 {
		t.Errorf("%+v", checked)
	}
	c.ask("POST", "/api/scenarios", fine, &saved)
	c.ask("GET", "/api/scenarios?path=new/own.star", "", &now)
	if saved != now || now.Version == "" || !strings.HasPrefix(now.Text, "network(") {
		t.Errorf("%+v %+v", saved, now)
	}
	c.refused("POST", "/api/scenarios", fine, 409, "somebody else")
	c.refused("POST", "/api/scenarios", `{"path": "app.elf", "text": "", "version": ""}`, 400, ".star")
	if j := c.job("run", `{"file": "new/own.star", "time_ns": 1000000}`); j.State != "done" {
		t.Errorf("%+v", j)
	}
}

// restOfRoutes is files, findings and jobs that are cancelled.
func restOfRoutes(t *testing.T, c *client) {
	t.Helper()
	var files filesDoc
	c.ask("GET", "/api/files?folder=.motehound/workbench/jobs/1", "", &files)
	if !slices.ContainsFunc(files.Files, func(f fileDoc) bool { return f.Name == "finding-1.json" && f.Kind == "recipe" }) {
		t.Errorf("%+v", files)
	}
	r := c.request("POST", "/api/files?name=app.elf", "\x7fELF and more")
	r.Header.Set("Content-Type", mediaBytes)
	status, answer := c.send(r)
	c.fits("POST", "/api/files", answer)
	if got, err := os.ReadFile(filepath.Join(kept, "files", "app.elf")); status != 200 || err != nil || string(got) != "\x7fELF and more" {
		t.Errorf("%d %s: %q %v", status, answer, got, err)
	}
	var none listedDoc
	c.ask("GET", "/api/findings", "", &none)
	var long jobDoc
	c.ask("POST", "/api/jobs", `{"command": "check", "request": {"file": "example:ring_fixed", "budget_ns": 0, "mode": "walk", "walks": 1000000000}}`, &long)
	c.ask("DELETE", "/api/jobs/"+itoa(long.ID), "", nil)
	if long = c.follow(long); long.State != "cancelled" {
		t.Errorf("%+v", long)
	}
	hunted := c.job("hunt", `{"file": "example:ring", "serial_in": ["hello"], "budget_ns": 0, "total": 3000, "engines": ["check"]}`)
	var listed listedDoc
	c.ask("GET", "/api/findings", "", &listed)
	if hunted.State != "done" || len(listed.Findings) == 0 || len(none.Findings) != 0 {
		t.Fatalf("%+v\n%+v", hunted, listed)
	}
	c.ask("POST", "/api/findings/"+listed.Findings[0].Key, `{"reason": "a test"}`, &listed)
	c.ask("POST", "/api/runs", `{"file": "`+inStoreOf(t, c)+`"}`, nil)
	if listed.Findings[0].State != "dismissed" {
		t.Errorf("%+v", listed)
	}
}

// inStoreOf is the bundle of a finding that is kept.
func inStoreOf(t *testing.T, c *client) string {
	t.Helper()
	var listed listedDoc
	c.ask("GET", "/api/findings", "", &listed)
	return listed.Findings[0].Bundle
}

// TestOtherCommands: every command that can be asked for gives a document.
func TestOtherCommands(t *testing.T) {
	c := started(t)
	for command, request := range map[string]string{
		"mine":     `{"files": ["example:pollute-micaz"], "nodes": 2, "time_ns": 3000000000}`,
		"run":      `{"file": "example:blink-uno", "time_ns": 1000000000}`,
		"fuzz":     `{"file": "example:overrun", "budget_ns": 0, "total": 2000}`,
		"symbolic": `{"file": "example:overrun", "budget_ns": 0, "max_paths": 3, "time_ns": 200000000}`,
		"trace":    `{"file": "example:blink_traced-mica2", "time_ns": 3000000000}`,
	} {
		j := c.job(command, request)
		if j.State != "done" {
			t.Errorf("%+v", j)
			continue
		}
		var doc map[string]any
		c.ask("GET", "/api/jobs/"+itoa(j.ID)+"/result", "", &doc)
		if doc["schema_version"] != float64(document.SchemaVersion) {
			t.Errorf("%s: %.300v", command, doc)
		}
	}
}

// TestAgain: what a server has left is there when another one is started; a run's address still works.
func TestAgain(t *testing.T) {
	c := started(t)
	j := c.job("run", `{"file": "example:blink-uno", "time_ns": 1000000}`)
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "example:blink-uno", "time_ns": 1000000}`, &run)
	// A server that was killed leaves a job that is under way, and half of another one.
	for name, text := range map[string]string{"7": `{"id": 7, "command": "run", "request": {}, "state": "running"}`, "8": `{"id": 8, "comm`} {
		folder := filepath.Join(kept, "jobs", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(jobPath(folder), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c = again(t)
	var all jobsDoc
	c.ask("GET", "/api/jobs", "", &all)
	if len(all.Jobs) != 2 || all.Jobs[0].State != "lost" || all.Jobs[1].State != j.State {
		t.Errorf("%+v", all)
	}
	c.ask("GET", "/api/runs/"+run.ID, "", &run)
	c.ask("GET", "/api/jobs/1/result", "", nil)
	if next := c.job("run", `{"file": "example:blink-uno", "time_ns": 1000000}`); next.ID != 8 {
		t.Errorf("the next job is %d", next.ID)
	}
}

// TestTogether: two users of one run do not disturb each other, whatever comes in between.
func TestTogether(t *testing.T) {
	c := started(t)
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "example:pollute-micaz", "nodes": 2, "time_ns": 1000000000}`, &run)
	look := func(at string, mote int) string {
		_, answer := c.send(c.request("GET", "/api/runs/"+run.ID+"/state?at="+at+"&mote="+itoa(mote), ""))
		return string(answer)
	}
	var want [8]string
	place := func(i int) (string, int) { return itoa(100_000_000_000 * (i%4 + 1)), i % 2 }
	for i := range want {
		want[i] = look(place(i))
	}
	got := make(chan struct {
		i    int
		text string
	})
	for i := range want {
		go func() {
			at, mote := place(i)
			got <- struct {
				i    int
				text string
			}{i, look(at, mote)}
		}()
	}
	for range want {
		if x := <-got; x.text != want[x.i] || !json.Valid([]byte(x.text)) {
			t.Errorf("%d: %.200s, and alone %.200s", x.i, x.text, want[x.i])
		}
	}
}
