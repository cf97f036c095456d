package ci

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"motehound/internal/need"
	"motehound/job/findings"
)

// hostile has every character that means something to one of the formats, and bytes that are no text.
const hostile = "a|b`c*d_e[f](g)<script>&amp;\"quoted\"'\\\n\r::error file=x,line=1::%0A ]]> \x00\x1b[31m\u2028\xff é 漢 %s --> #h"

func sample(key string, of func(*findings.Finding)) findings.Finding {
	f := findings.Finding{Key: key, Subject: "build/app.elf", Grade: findings.Race, Severity: findings.High, Confidence: findings.Certain, Why: "an update is lost; it was replayed",
		Title: "An update of count is lost, in main (ring.c:42)", Property: "race: lost update of count", Kind: "safety", Function: "main", Variable: "count", File: "src/ring.c", Line: 42,
		Engines: []string{"check", "fuzz"}, State: findings.New}
	if of != nil {
		of(&f)
	}
	return f
}

// reports are what is written in all formats.
func reports() map[string]*Report {
	mixed := []findings.Finding{
		sample("a0", nil),
		sample("a1", func(f *findings.Finding) { f.State, f.Reason = findings.Dismissed, "only in a test" }),
		sample("a2", func(f *findings.Finding) {
			f.Grade, f.Severity, f.Property, f.Variable = findings.Symptom, findings.Low, "stands out", ""
		}),
		sample("a3", func(f *findings.Finding) { f.State = findings.Fixed }),
		sample("a4", func(f *findings.Finding) {
			f.Grade, f.Severity, f.State = findings.Violation, findings.Medium, findings.CameBack
		}),
		sample("a5", func(f *findings.Finding) {
			f.File, f.Line, f.Function, f.Engines, f.Mote = "", 0, "", nil, -1
		}),
		sample("a6", func(f *findings.Finding) { f.File, f.Subject = `C:\code\a b\x#1.c`, "other.star" }),
	}
	evil := sample("b0", func(f *findings.Finding) {
		f.Title, f.Property, f.Function, f.Variable, f.File, f.Subject, f.Detail, f.Why = hostile, hostile, hostile, hostile, hostile, hostile, hostile, hostile
		f.Engines = []string{hostile}
	})
	dismissed := evil
	dismissed.Key, dismissed.State, dismissed.Reason = "b1", findings.Dismissed, hostile
	return map[string]*Report{
		"nothing":  {Version: "1"},
		"mixed":    {Version: "1", Findings: mixed},
		"baseline": {Version: "1", Findings: mixed, Baseline: mixed[:1]},
		"hostile":  {Version: hostile, Findings: []findings.Finding{evil, dismissed}},
	}
}

func written(t *testing.T, format string, r *Report) []byte {
	t.Helper()
	f, err := Find(format)
	if err != nil {
		t.Fatal(err)
	}
	var b, again bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(&again, r); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("%s: written twice, it differs: %v", format, err)
	}
	return b.Bytes()
}

// SARIF is as the OASIS standard's schema wants it, and that schema can refuse something.
func TestSARIF(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(data []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return err
		}
		return schema.Validate(doc)
	}
	for name, r := range reports() {
		if err := valid(written(t, "sarif", r)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := string(written(t, "sarif", reports()["mixed"]))
	for old, bad := range map[string]string{`"level": "error"`: `"level": "bad"`, `"startLine": 42`: `"startLine": 0`, `"ruleId"`: `"rule"`, `"uri": "src/ring.c"`: `"uri": "%zz"`} {
		if !strings.Contains(good, old) || valid([]byte(strings.Replace(good, old, bad, 1))) == nil {
			t.Errorf("%s in place of %s is accepted", bad, old)
		}
	}
	var log sarifLog
	if err := json.Unmarshal(written(t, "sarif", reports()["baseline"]), &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range log.Runs[0].Results {
		got = append(got, strings.Join([]string{x.Fingerprints[fingerprint], x.Level, x.Baseline, x.Locations[0].Physical.Artifact.URI}, " "))
	}
	want := "a0 error unchanged src/ring.c; a1 error  src/ring.c; a2 note  src/ring.c; a4 warning new src/ring.c; a5 error new build/app.elf; a6 error new file:///C:/code/a%20b/x%231.c"
	if strings.Join(got, "; ") != want {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "; "), want)
	}
	if rules := log.Runs[0].Tool.Driver.Rules; len(rules) != 2 || rules[0].ID != "race: lost update" {
		t.Errorf("the rules: %+v", rules)
	}
}

// JUnit XML is as the schema wants it, and its numbers are right.
func TestJUnit(t *testing.T) {
	dir := t.TempDir()
	for name, r := range reports() {
		data := written(t, "junit", r)
		file := filepath.Join(dir, name+".xml")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := need.Command(t, "xmllint", "--noout", "--nonet", "--schema", "testdata/junit.xsd", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		var back junitSuites
		if err := xml.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if want := map[string][3]int{"nothing": {1, 0, 1}, "mixed": {6, 4, 2}, "baseline": {6, 3, 2}, "hostile": {2, 1, 1}}[name]; [3]int{back.Tests, back.Failures, len(back.Suites)} != want {
			t.Errorf("%s: %d tests, %d failures, %d suites; want %v", name, back.Tests, back.Failures, len(back.Suites), want)
		}
	}
	bad := filepath.Join(dir, "bad.xml")
	if err := os.WriteFile(bad, bytes.Replace(written(t, "junit", reports()["mixed"]), []byte("classname="), []byte("class="), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if need.Command(t, "xmllint", "--noout", "--nonet", "--schema", "testdata/junit.xsd", bad).Run() == nil {
		t.Error("a case without a class is accepted")
	}
}

// An annotation is one line, and no name ends it or begins another.
func TestAnnotations(t *testing.T) {
	got := string(written(t, "github", reports()["baseline"]))
	for _, want := range []string{"::warning file=src/ring.c,line=42,title=Motehound%3A race%3A lost update::An update of count is lost", "::notice file=src/ring.c,line=42,",
		"::error file=build/app.elf,title=", "::error file=C%3A/code/a b/x#1.c,line=42,"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for line := range strings.Lines(string(written(t, "github", reports()["hostile"]))) {
		rest, ok := strings.CutPrefix(line, "::error ")
		if !ok {
			rest, ok = strings.CutPrefix(line, "::notice ")
		}
		properties, _, _ := strings.Cut(rest, "::")
		if !ok || strings.Count(properties, ",") != 2 || strings.Count(properties, "=") < 2 || strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\r\n\x00\x1b") {
			t.Errorf("%q", line)
		}
	}
}

// In a summary no name is markup.
func TestMarkdown(t *testing.T) {
	got := string(written(t, "markdown", reports()["baseline"]))
	for _, want := range []string{"## Motehound: 3 new findings\n", "1 known, 1 dismissed, 1 hint.\n", "| **came back** | An update of count", "| **new** |", "| known |", "| dismissed: only in a test |", "| symptom |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Index(got, "| **new**") > strings.Index(got, "| known |") {
		t.Error("what is known comes before what is new")
	}
	if n := strings.Count(got, "\n"); n != 6+6 {
		t.Errorf("%d lines", n)
	}
	evil := string(written(t, "markdown", reports()["hostile"]))
	table := evil[strings.Index(evil, "|---|---|")+len("|---|---|---|---|---|---|\n"):]
	for line := range strings.Lines(table) {
		if strings.Count(line, "|") != 7 || strings.ContainsAny(strings.ReplaceAll(line, "**new**", ""), "<>`*_[]\\\"\x00\x1b\r") {
			t.Errorf("%q", line)
		}
	}
	if nothing := string(written(t, "markdown", reports()["nothing"])); strings.Contains(nothing, "|") || !strings.Contains(nothing, "0 new findings") {
		t.Errorf("%q", nothing)
	}
}

// The JSON export is a baseline, and it excuses all that it has.
func TestJSON(t *testing.T) {
	all := reports()["mixed"].Findings
	back, err := findings.ReadBaseline(written(t, "json", reports()["mixed"]))
	if err != nil || len(back) != len(all) {
		t.Fatal(len(back), err)
	}
	if n := len(findings.Fresh(all, back)); n != 0 {
		t.Errorf("%d findings are new", n)
	}
	if _, err := Find("html"); err == nil || !strings.Contains(err.Error(), "sarif") {
		t.Errorf("html: %v", err)
	}
}
