package main

import (
	"encoding/json"
	"strings"
	"testing"

	"motehound/job/document"
)

// What a mote in the field has recorded is mined, and verified against models that were approved from another trace: the starved
// mote's handler does not come back from its failing path, as that of the mended one does.
func TestMineAndModelFromTheField(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for 24 s")
	}
	t.Chdir(t.TempDir())
	for _, b := range []string{"starve_traced", "starve_fixed_traced"} {
		r := motehound(t, "trace", "pull", "--quiet", "--flash", "--time", "12s", "-o", b+".bin", "example:"+b+"-mica2")
		if r.status != exitFine {
			t.Fatalf("pull: status %d: %s", r.status, r.stderr)
		}
	}
	from := func(b string, args ...string) []string {
		return append(args, "--quiet", "--trace", b+".bin", "--trace-map", "example:"+b+"-mica2", "example:"+b+"-mica2")
	}
	r := motehound(t, from("starve_traced", "mine", "--json", "--vector", "SPI_STC", "--top", "3")...)
	var doc document.Mine
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil || r.status != exitFine {
		t.Fatalf("mine: status %d, %v: %s", r.status, err, r.stderr)
	}
	if doc.Intervals < 10_000 || doc.Verdict != "unknown" || doc.Unusual == 0 || len(doc.Ranking) != 3 || doc.Ranking[0].Why[0].Function != "StarveP.post, path 1" {
		t.Errorf("%+v", doc)
	}
	if r := motehound(t, from("starve_fixed_traced", "model", "mine", "--models", "approved.json")...); r.status != exitFine ||
		!strings.Contains(r.stdout, "StarveP.post path 2") {
		t.Fatalf("model mine: status %d: %s%s", r.status, r.stdout, r.stderr)
	}
	if r := motehound(t, from("starve_fixed_traced", "model", "verify", "--models", "approved.json")...); r.status != exitFine {
		t.Errorf("model verify, of what was approved: status %d: %s%s", r.status, r.stdout, r.stderr)
	}
	r = motehound(t, from("starve_traced", "model", "verify", "--json", "--models", "approved.json")...)
	var verified document.VerifiedModels
	if err := json.Unmarshal([]byte(r.stdout), &verified); err != nil || r.status != exitFound {
		t.Fatalf("model verify: status %d, %v: %s", r.status, err, r.stderr)
	}
	if len(verified.Violations) == 0 || verified.Violations[0].Kind != "jobflow" {
		t.Errorf("%+v", verified.Violations)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"give --trace-map", []string{"mine", "--trace", "starve_traced.bin", "example:starve_traced-mica2"}},
		{"not the map of this firmware", []string{"mine", "--trace", "starve_traced.bin", "--trace-map", "example:starve_traced-mica2", "example:starve_fixed_traced-mica2"}},
		{"handlers must be traced", []string{"mine", "--trace", "starve_traced.bin", "--trace-map", "example:blink_traced-mica2", "example:blink_traced-mica2"}},
		{"not in the trace, which has RESET, SPI_STC", []string{"mine", "--vector", "ADC", "--trace", "starve_traced.bin", "--trace-map", "example:starve_traced-mica2", "example:starve_traced-mica2"}},
		{"for runs", []string{"mine", "--runs", "3", "--trace", "starve_traced.bin", "example:starve_traced-mica2"}},
		{"of one mote", []string{"mine", "--nodes", "2", "--trace", "starve_traced.bin", "--trace-map", "example:starve_traced-mica2", "example:starve_traced-mica2"}},
	} {
		if r := motehound(t, c.args...); r.status != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: status %d: %s", c.args, r.status, r.stderr)
		}
	}
}
