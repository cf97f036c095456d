package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/job/document"
	"motehound/show/report"
	"motehound/study/behavior"
)

// gateway is a network of four motes with a firmware of their own each, on two boards.
func gateway(t testing.TB) string {
	t.Helper()
	name, err := filepath.Abs("../../examples/gateway/gateway.star")
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// gatewayMote is what only one of its motes has.
type gatewayMote struct {
	id       int
	firmware string
	folder   string // of its own sources
	prefixes []string
	variable string // one of its own
	vector12 string // what interrupt 12 is
}

var gatewayMotes = []gatewayMote{
	{10, "serial-uno.elf", "serial", []string{"TestSerialC"}, "TestSerialC__counter", "TIMER1_COMPA"},
	{0, "base-micaz.elf", "base", []string{"BaseC"}, "BaseC__sent", "TIMER1_CAPT"},
	{1, "readings-micaz.elf", "readings", []string{"ReadingsC", "ArbiterP", "LightP", "BatteryP"}, "ReadingsC__count", "TIMER1_CAPT"},
	{2, "surge_traced-micaz.elf", "surge", []string{"SurgeC", "RouteP", "TraceC", "mh_"}, "SurgeC__made", "TIMER1_CAPT"},
}

// ofFirmware is the mote that runs a firmware.
func ofFirmware(t testing.TB, path string) gatewayMote {
	t.Helper()
	at := slices.IndexFunc(gatewayMotes, func(m gatewayMote) bool { return m.firmware == filepath.Base(path) })
	if at < 0 {
		t.Fatalf("no mote runs %s", path)
	}
	return gatewayMotes[at]
}

// foreign tells what in a text is another mote's: a name, or a source file of its app.
func (m *gatewayMote) foreign(text string) string {
	for _, o := range gatewayMotes {
		if o.id == m.id {
			continue
		}
		for _, mark := range append(slices.Clone(o.prefixes), "examples/"+o.folder+"/") {
			if strings.Contains(text, mark) {
				return mark
			}
		}
	}
	return ""
}

// own checks that a text about a mote has something that only its firmware has, and nothing of another one's.
func (m *gatewayMote) own(t *testing.T, what, text string) {
	t.Helper()
	if mark := m.foreign(text); mark != "" {
		t.Errorf("%s, about mote %d: it has %s, which is another mote's", what, m.id, mark)
	}
	if !slices.ContainsFunc(m.prefixes, func(p string) bool { return strings.Contains(text, p) }) {
		t.Errorf("%s, about mote %d: it has nothing of %s", what, m.id, m.firmware)
	}
}

// did runs motehound, with the exit status that it must have, and reads the document that it prints.
func did(t *testing.T, doc any, status int, args ...string) result {
	t.Helper()
	r := motehound(t, args...)
	if r.status != status {
		t.Fatalf("%s: exit status %d\n%s%s", strings.Join(args, " "), r.status, r.stdout, r.stderr)
	}
	if doc != nil {
		if err := json.Unmarshal([]byte(r.stdout), doc); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, r.stdout)
		}
	}
	return r
}

// run, and replay of what it keeps: variables, lifecycle and code are those of each mote's firmware.
func TestMixedRun(t *testing.T) {
	dir := t.TempDir()
	life := filepath.Join(dir, "life.jsonl")
	args := []string{"run", "--json", "--quiet", "--blocks", "--time", "5s", "--lifecycle", life, "--out", dir, "--var", "SchedulerBasicP__m_head"}
	for _, m := range gatewayMotes {
		args = append(args, "--var", m.variable, "--var", fmt.Sprintf("%d.%s", m.id, m.variable), "--dump", m.variable)
	}
	var doc document.Run
	did(t, &doc, exitFine, append(args, gateway(t))...)
	for i, m := range gatewayMotes {
		if x := doc.Motes[i]; int(x.ID) != m.id || x.Firmware != m.firmware {
			t.Errorf("mote %d runs %s", x.ID, x.Firmware)
		}
		if filepath.Base(doc.Code[i].Firmware) != m.firmware || int(doc.Dump[i].Mote) != m.id {
			t.Errorf("code of %s, memory of mote %d", doc.Code[i].Firmware, doc.Dump[i].Mote)
		}
	}
	asked := map[string][]int{}
	for _, v := range doc.Vars {
		asked[v.Name] = append(asked[v.Name], int(v.Mote))
	}
	if !slices.Equal(asked["SchedulerBasicP__m_head"], []int{10, 0, 1, 2}) {
		t.Errorf("what all have is shown of %v", asked["SchedulerBasicP__m_head"])
	}
	for _, m := range gatewayMotes {
		if !slices.Equal(asked[m.variable], []int{m.id, m.id}) {
			t.Errorf("%s is shown of motes %v", m.variable, asked[m.variable])
		}
	}
	checkLife(t, life)
	replays(t, dir)
	r := did(t, nil, exitFine, "run", "--time", "1s", gateway(t))
	for _, m := range gatewayMotes {
		if !strings.Contains(r.stdout, "  "+m.firmware) {
			t.Errorf("%s is not named:\n%s", m.firmware, r.stdout)
		}
	}
}

// checkLife checks that interrupts and tasks in a file of run --lifecycle have the names that they have in their mote's firmware.
func checkLife(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var x document.LifecycleLine
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		m := gatewayMotes[slices.IndexFunc(gatewayMotes, func(m gatewayMote) bool { return m.id == int(x.Mote) })]
		if mark := m.foreign(x.Name); mark != "" || x.Kind == "int" && x.Arg == 12 && x.Name != m.vector12 {
			t.Fatalf("in the life of mote %d: %s", m.id, line)
		}
		seen[m.id] = seen[m.id] || x.Kind == "int" && x.Arg == 12
	}
	if len(seen) != len(gatewayMotes) || !seen[10] || !seen[1] {
		t.Errorf("interrupt 12 was seen on %v", seen)
	}
}

// An unknown mote or variable is refused, with what may have been meant.
func TestMixedNames(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"run --var ReadingC__count", "did you mean 1.ReadingsC__count?"},
		{"run --var 1.ReadingC__count", "did you mean ReadingsC__count?"},
		{"run --var 10.ReadingsC__count", "there is 1.ReadingsC__count"},
		{"run --var 7.ReadingsC__count", "there is no mote 7: the node ids are 10, 0, 1, 2"},
		{"run --dump BaseC__snt", "did you mean 0.BaseC__sent?"},
		{"run --dump 1.BaseC__sent:2", "there is 0.BaseC__sent"},
		{"mine --sweep ReadingC__period=1,2", "did you mean 1.ReadingsC__period?"},
		{"mine --sweep 2.ReadingsC__period=1,2", "there is 1.ReadingsC__period"},
		{"mine --vector USART9", "no interrupt vector"},
		{"mine --node 7", "there is no mote 7"},
		{"model mine --models x.json", "choose its motes with --node"},
		{"model mine --html x.html", "readings-micaz.elf on micaz (mote 1)"},
		{"model mine --vector USART9", "no interrupt vector"},
		{"run --kernel 7=../../go.mod --lifecycle -", "there is no mote 7"},
	} {
		r := motehound(t, append(strings.Fields(c.args), "--time", "100ms", gateway(t))...)
		if r.status != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%s: status %d, %s; want %s", c.args, r.status, r.stderr, c.want)
		}
	}
}

// A kernel that was described is that of the firmware which has it; the others are found as usual.
func TestMixedKernel(t *testing.T) {
	kernel := write(t, "kernel.json", `{"name": "base's", "post": [{"at": "SchedulerBasicP__TaskBasic__postTask", "task": "r24"}],
		"run": [{"at": "BaseC__transmit__runTask", "task": "r24"}], "functions": true}`)
	for _, flag := range []string{kernel, "0=" + kernel} {
		r := did(t, nil, exitFine, "run", "--time", "600ms", "--kernel", flag, "--lifecycle", filepath.Join(t.TempDir(), "life"), gateway(t))
		if strings.Count(r.stderr, "kernel base's") != 1 || !strings.Contains(r.stderr, "base-micaz.elf on micaz (mote 0): kernel base's") || strings.Count(r.stderr, "kernel TinyOS 2") != 3 {
			t.Errorf("--kernel %s: %s", flag, r.stderr)
		}
	}
	if r := motehound(t, "run", "--time", "1s", "--kernel", "1="+kernel, "--lifecycle", "-", gateway(t)); r.status != exitUsage || !strings.Contains(r.stderr, "readings-micaz.elf") {
		t.Errorf("for mote 1: status %d, %s", r.status, r.stderr)
	}
	did(t, nil, exitFine, "check", "--quiet", "--budget", "0", "--mode", "search", "--depth", "2", "--kernel", kernel, gateway(t))
}

// symbolic --lcov: each firmware is a test of its own, with the files that it has.
func TestMixedCoverage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines.info")
	did(t, nil, exitFound, "symbolic", "--quiet", "--budget", "0", "--time", "700ms", "--param", "unknown=True", "--lcov", file, gateway(t))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range gatewayMotes {
		test := "TN:gateway_" + strings.NewReplacer("-", "_", ".elf", "").Replace(m.firmware)
		var own []string
		for _, record := range strings.SplitAfter(string(text), "end_of_record\n") {
			if strings.HasPrefix(record, test+"\n") {
				own = append(own, record)
			}
		}
		m.own(t, "symbolic --lcov", strings.Join(own, ""))
	}
}

// check and symbolic: a finding has the mote, function and line of its own firmware, and replays.
func TestMixedFindings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args           string
		mote           int
		function, file string
	}{
		{"check --budget 0 --mode walk --any-order", 1, "ReadingsC.readDone", "examples/readings/readings.c"},
		{"symbolic --budget 0 --time 700ms --param unknown=True", 2, "RouteP.heardBeacon", "examples/surge/route.c"},
	} {
		var doc struct {
			Findings []struct {
				Mote                   int
				Function, File, Recipe string
			}
		}
		args := append(strings.Fields(c.args), "--json", "--quiet", "--out", filepath.Join(dir, c.function), gateway(t))
		r := motehound(t, args...)
		if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
			t.Fatalf("%s: %v\n%s", c.args, err, r.stderr)
		}
		found := false
		for i, f := range doc.Findings {
			if f.Mote != c.mote || f.Function != c.function || f.File != c.file {
				continue
			}
			found = true
			recipe := filepath.Join(dir, c.function, fmt.Sprintf("finding-%d.json", i+1))
			if r := motehound(t, "replay", recipe); !strings.Contains(r.stdout, "the same run") {
				t.Errorf("%s: replay: %s%s", c.args, r.stdout, r.stderr)
			}
		}
		if !found {
			t.Errorf("%s: %+v", c.args, doc.Findings)
		}
	}
}

// mine: all firmwares of one run have the rankings that each has when it is mined by itself, and all in them is their own.
func TestMixedMine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page, table := filepath.Join(dir, "page.html"), filepath.Join(dir, "table.csv")
	var all struct{ Rankings []*document.Mine }
	did(t, nil, exitFine, "mine", "--json", "--quiet", "--time", "10s", "--html", page, "--csv", table, gateway(t))
	did(t, &all, exitFine, "mine", "--json", "--quiet", "--time", "10s", gateway(t))
	seen := map[int]bool{}
	for _, d := range all.Rankings {
		m := ofFirmware(t, d.Firmware)
		seen[m.id] = true
		text, _ := json.Marshal(d.Ranking)
		if mark := m.foreign(string(text)); mark != "" {
			t.Errorf("%s of %s has %s, which is another mote's", d.VectorName, d.Firmware, mark)
		}
		if d.Vector == 12 && d.VectorName != m.vector12 {
			t.Errorf("interrupt 12 of %s is %s", d.Firmware, d.VectorName)
		}
		for _, e := range d.Ranking {
			if int(e.Mote) != m.id {
				t.Errorf("%s: an interval of mote %d", d.Firmware, e.Mote)
			}
		}
	}
	if len(seen) != len(gatewayMotes) {
		t.Errorf("mined were motes %v", seen)
	}
	for _, m := range gatewayMotes {
		var alone struct{ Rankings []*document.Mine }
		did(t, &alone, exitFine, "mine", "--json", "--quiet", "--time", "10s", "--node", fmt.Sprint(m.id), gateway(t))
		together := slices.DeleteFunc(slices.Clone(all.Rankings), func(d *document.Mine) bool { return ofFirmware(t, d.Firmware).id != m.id })
		for _, d := range slices.Concat(alone.Rankings, together) {
			d.Runs = nil // they say what else was mined
		}
		a, _ := json.Marshal(alone.Rankings)
		b, _ := json.Marshal(together)
		if string(a) != string(b) {
			t.Errorf("mote %d is ranked otherwise alone than among others", m.id)
		}
		m.own(t, "mine", string(b))
	}
	checkMinedPage(t, page)
	checkMinedTable(t, table)
	var swept document.Mine
	r := did(t, &swept, exitFine, "mine", "--json", "--quiet", "--time", "5s", "--node", "1", "--vector", "ADC", "--sweep", "1.ReadingsC__period=100,200", gateway(t))
	if len(swept.Runs) != 2 || swept.Runs[0].Hash == swept.Runs[1].Hash || len(swept.Runs[0].Also) != 0 {
		t.Errorf("swept: %s", r.stdout)
	}
}

// checkMinedPage checks that what the page has of a firmware are its own functions and sources.
func checkMinedPage(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, data, _ := strings.Cut(string(text), `type="application/json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var page report.Page
	if err := json.Unmarshal([]byte(data), &page); err != nil {
		t.Fatalf("the page's data: %v", err)
	}
	shown := map[int]bool{}
	for _, r := range page.Rankings {
		m := ofFirmware(t, r.Firmware)
		for name, at := range r.Files {
			if mark := m.foreign(name); mark != "" || page.Sources[at].File != name {
				t.Errorf("%s of %s: source %s is %s", r.VectorName, r.Firmware, name, page.Sources[at].File)
			}
			s := page.Sources[at]
			shown[m.id] = shown[m.id] || strings.HasPrefix(name, "examples/"+m.folder+"/") && len(s.Lines) > 0
		}
		text, _ := json.Marshal(r.Details)
		if mark := m.foreign(string(text)); mark != "" {
			t.Errorf("details of %s have %s", r.Firmware, mark)
		}
	}
	if !shown[10] || !shown[0] || !shown[1] || !shown[2] {
		t.Errorf("sources of an app are shown of motes %v", shown)
	}
}

// checkMinedTable checks that intervals have counts in the columns of their own firmware only.
func checkMinedTable(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	names, err := in.Read()
	if err != nil {
		t.Fatal(err)
	}
	in.ReuseRecord = true // all at once are hundreds of megabytes
	mote, firmware := slices.Index(names, "mote"), slices.Index(names, "firmware")
	for {
		row, err := in.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if m := ofFirmware(t, row[firmware]); fmt.Sprint(m.id) != row[mote] {
			t.Fatalf("%s on mote %s", row[firmware], row[mote])
		}
		for i, n := range row[firmware+1:] {
			if name := names[firmware+1+i]; n != "0" && !strings.HasPrefix(name, row[firmware]+" ") {
				t.Fatalf("an interval of %s has %s in column %s", row[firmware], n, name)
			}
		}
	}
}

// model: models, pictures, violations and what is approved are those of one firmware; verify finds the motes that run it.
func TestMixedModel(t *testing.T) {
	net := gateway(t)
	t.Chdir(t.TempDir())
	var all struct{ Builds []*document.MinedModels }
	did(t, &all, exitFine, "model", "mine", "--json", "--quiet", "--time", "10s", net)
	if len(all.Builds) != len(gatewayMotes) {
		t.Fatalf("%d builds", len(all.Builds))
	}
	r := did(t, nil, exitFine, "model", "mine", "--quiet", "--time", "10s", net)
	for i, m := range gatewayMotes {
		models, page, picture := fmt.Sprintf("%d.json", m.id), fmt.Sprintf("%d.html", m.id), fmt.Sprintf("%d.svg", m.id)
		if !strings.Contains(r.stdout, m.firmware+" on ") {
			t.Errorf("the text does not name %s", m.firmware)
		}
		did(t, nil, exitFine, "model", "mine", "--quiet", "--time", "10s", "--node", fmt.Sprint(m.id), "--models", models, "--html", page, "--svg", picture, net)
		text, err := os.ReadFile(models)
		if err != nil {
			t.Fatal(err)
		}
		file, err := behavior.ReadFile(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := all.Builds[i].File.Bytes(); string(got) != string(text) {
			t.Errorf("mote %d has other models alone than among others", m.id)
		}
		if ofFirmware(t, file.Firmware).id != m.id {
			t.Errorf("the models of mote %d are of %s", m.id, file.Firmware)
		}
		m.own(t, "model mine", string(text))
		for _, v := range file.Vectors {
			if v.Vector == 12 && v.Name != m.vector12 {
				t.Errorf("interrupt 12 of mote %d is %s", m.id, v.Name)
			}
		}
		drawn, err := os.ReadFile(page)
		if err != nil || !strings.Contains(string(drawn), "void BootC__booted(void)") {
			t.Errorf("the page of mote %d has no source of its app: %v", m.id, err)
		}
		m.own(t, "the page", string(drawn))
		m.own(t, "model show", did(t, nil, exitFine, "model", "show", "--svg", "again.svg", models).stdout)
		var doc document.VerifiedModels
		r := did(t, &doc, exitFine, "model", "verify", "--json", "--time", "10s", "--models", models, net)
		if doc.Instances == 0 || !strings.Contains(r.stderr, m.firmware) {
			t.Errorf("verify of %s: %d procedures\n%s", m.firmware, doc.Instances, r.stderr)
		}
	}
	modelFolder(t, net)
	if r := did(t, nil, exitFound, "model", "diff", "0.json", "1.json"); !strings.Contains(r.stdout, "INT6 (vector 8)") {
		t.Errorf("diff: %s", r.stdout)
	}
	approveOther(t, net)
}

// modelFolder keeps the models of all firmwares in a folder, and holds a run to them.
func modelFolder(t *testing.T, net string) {
	t.Helper()
	did(t, nil, exitFine, "model", "mine", "--quiet", "--time", "10s", "--models", "all/", net)
	for _, m := range gatewayMotes {
		kept, err1 := os.ReadFile("all/" + strings.TrimSuffix(m.firmware, ".elf") + ".models.json")
		alone, err2 := os.ReadFile(fmt.Sprintf("%d.json", m.id))
		if err1 != nil || err2 != nil || string(kept) != string(alone) {
			t.Errorf("%s has other models in a folder than alone: %v, %v", m.firmware, err1, err2)
		}
	}
	if r := motehound(t, "model", "mine", "--time", "10s", "--models", "all", net); r.status != exitUsage || !strings.Contains(r.stderr, "--force overwrites it") {
		t.Errorf("written over: status %d, %s", r.status, r.stderr)
	}
	var doc document.VerifiedNetwork
	did(t, &doc, exitFine, "model", "verify", "--json", "--quiet", "--time", "10s", "--models", "all", "--out", "verified", net)
	if len(doc.Builds) != len(gatewayMotes) || len(doc.LeftOut) != 1 {
		t.Errorf("%d builds were checked, left out were %v", len(doc.Builds), doc.LeftOut)
	}
	for _, d := range doc.Builds {
		m := ofFirmware(t, d.Firmware)
		if !slices.Equal(d.Motes, []int{m.id}) || !strings.HasPrefix(filepath.Base(d.Models), strings.TrimSuffix(m.firmware, ".elf")) || d.Instances == 0 {
			t.Errorf("motes %v with %s were held to %s", d.Motes, d.Firmware, d.Models)
		}
		if _, err := os.Stat(filepath.Join("verified", strings.TrimSuffix(m.firmware, ".elf"), "report.json")); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove("all/base-micaz.models.json"); err != nil {
		t.Fatal(err)
	}
	var rest document.VerifiedNetwork
	did(t, &rest, exitFine, "model", "verify", "--json", "--quiet", "--time", "10s", "--models", "all", net)
	if len(rest.Builds) != 3 || len(rest.LeftOut) != 2 || !strings.Contains(rest.LeftOut[1], "base-micaz.elf on micaz (mote 0)") {
		t.Errorf("without models of mote 0: %d builds, left out %v", len(rest.Builds), rest.LeftOut)
	}
	if r := motehound(t, "model", "verify", "--time", "1s", "--models", "all", "--node", "0", net); r.status != exitUsage || !strings.Contains(r.stderr, "has no models") {
		t.Errorf("mote 0 only: status %d, %s", r.status, r.stderr)
	}
}

// approveOther holds mote 2 to the models of mote 1, on purpose, approves of what is new, and holds it to them again.
func approveOther(t *testing.T, net string) {
	t.Helper()
	args := []string{"model", "verify", "--strict", "--time", "5s", "--node", "2", "--models", "1.json"}
	r := did(t, nil, exitFound, append(args, "--out", "out", "--html", "out.html", net)...)
	if !strings.Contains(r.stderr, "the models were made from") || !strings.Contains(r.stderr, "surge_traced-micaz.elf on micaz (mote 2)") {
		t.Errorf("nobody says that the firmware is another: %s", r.stderr)
	}
	var doc document.VerifiedModels
	text, err := os.ReadFile("out/report.json")
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil || len(doc.Violations) == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	surge := gatewayMotes[3]
	for _, v := range doc.Violations {
		text, _ := json.Marshal(v.Functions)
		if mark := surge.foreign(string(text)); mark != "" || v.Mote != surge.id || v.Vector == 12 && v.VectorName != surge.vector12 {
			t.Errorf("%s on mote %d, %s has %s of another mote", v.ID, v.Mote, v.VectorName, mark)
		}
	}
	if r := motehound(t, "replay", doc.Violations[0].Recipe); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("replay: %s%s", r.stdout, r.stderr)
	}
	did(t, nil, exitFine, "model", "approve", "--models", "1.json", "--all", "out/report.json")
	did(t, nil, exitFine, append(args, net)...)
	r = motehound(t, "model", "verify", "--models", "1.json", "--time", "1s", "--param", "build=_fixed", net)
	if r.status != exitUsage || !strings.Contains(r.stderr, "readings_fixed-micaz.elf on micaz (mote 1)") {
		t.Errorf("no mote runs that firmware: status %d, %s", r.status, r.stderr)
	}
}

// trace: the mote that is traced is asked, and its log is compared with what it does itself.
func TestMixedTrace(t *testing.T) {
	net := gateway(t)
	t.Chdir(t.TempDir())
	did(t, nil, exitFine, "trace", "pull", "--quiet", "--base", "0", "-o", "log.bin", net)
	mapped := []string{"--trace-map", "example:surge_traced-micaz"}
	surge := gatewayMotes[3]
	surge.own(t, "trace decode", did(t, nil, exitFine, append(append([]string{"trace", "decode"}, mapped...), "log.bin")...).stdout)
	surge.own(t, "trace stats", did(t, nil, exitFine, append(append([]string{"trace", "stats"}, mapped...), "log.bin")...).stdout)
	did(t, nil, exitFine, append(append([]string{"trace", "replay", "--quiet"}, mapped...), "-o", "run.json", "log.bin", net)...)
	if r := motehound(t, "replay", "run.json"); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("replay: %s%s", r.stdout, r.stderr)
	}
	for _, c := range []struct{ args, want string }{
		{"trace replay --node 1 log.bin", "readings-micaz.elf: it is not the map of this firmware"},
		{"mine --trace log.bin", "choose it with --node"},
		{"mine --trace log.bin --node 0", "base-micaz.elf: it is not the map of this firmware"},
		{"mine --trace log.bin --node 2", "interrupt handlers must be traced"},
		{"model mine --trace log.bin --node 10", "serial-uno.elf: it is not the map of this firmware"},
		{"model mine --trace log.bin --node 2", "interrupt handlers must be traced"},
	} {
		r := motehound(t, append(append(strings.Fields(c.args), mapped...), net)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%s: status %d, %s; want %s", c.args, r.status, r.stderr, c.want)
		}
	}
}
