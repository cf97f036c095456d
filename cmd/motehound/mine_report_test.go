package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
	"motehound/job/document"
	"motehound/study/verdict"
)

// mined runs mine --json for one interrupt.
func minedJSON(t *testing.T, status int, args string) *document.Mine {
	t.Helper()
	r := motehound(t, append([]string{"mine", "--json"}, strings.Fields(args)...)...)
	if r.status != status {
		t.Fatalf("%s: exit status %d, want %d\n%s", args, r.status, status, r.stderr)
	}
	doc := new(document.Mine)
	if err := json.Unmarshal([]byte(r.stdout), doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// The commands of docs/mining.md: something stands out in the buggy builds, and nothing in the fixed ones.
func TestMineVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		app, args string
		lost      string // variable that data was lost in
	}{
		{"pollute", "--nodes 2 --node 1 --vector ADC --sweep PolluteC__period=20,40,60,80,100", "PolluteC.packet"},
		{"drop", "--nodes 3 --topology line --node 1 --vector INT6 --time 20s", "CC2420ReceiveP.firstBuffer"},
		{"hang", "--nodes 9 --topology grid --vector TIMER0_COMP --time 15s", "ForwarderP.message"},
	} {
		doc := minedJSON(t, exitFound, c.args+" example:"+c.app+"-micaz")
		if first := doc.Ranking[0]; doc.Verdict != verdict.Violated || doc.Ranked != "stands_out" || doc.StandOut == 0 || !strings.Contains(doc.Says, "stand") ||
			!first.StandsOut || len(first.Lost) == 0 || !strings.HasPrefix(first.Lost[0].Variable, c.lost) || first.Lost[0].Wrote.Line == 0 {
			t.Errorf("%s: %s, %d stand out, first %+v", c.app, doc.Verdict, doc.StandOut, first)
		}
		doc = minedJSON(t, exitFine, c.args+" example:"+c.app+"_fixed-micaz")
		if doc.StandOut != 0 || !strings.HasPrefix(doc.Says, "Nothing stands out") {
			t.Errorf("%s, fixed: %s, %d stand out: %s", c.app, doc.Verdict, doc.StandOut, doc.Says)
		}
		for _, e := range doc.Ranking {
			if e.StandsOut || e.Lost != nil {
				t.Errorf("%s, fixed: %+v", c.app, e)
			}
		}
	}
}

// A person is told the same.
func TestMineSays(t *testing.T) {
	args := []string{"mine", "--nodes", "3", "--topology", "line", "--node", "1", "--vector", "INT6", "--time", "20s"}
	r := motehound(t, append(args, "example:drop-micaz")...)
	if r.status != exitFound || !strings.Contains(r.stdout, "3 intervals stand out") || !strings.Contains(r.stdout, "lost in rank 1, 2, 3: CC2420ReceiveP.firstBuffer") ||
		!strings.Contains(r.stdout, ": read only 1 time, usually 2, and then overwritten ") || !strings.Contains(r.stdout, " (4 of 180 values)") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	r = motehound(t, append(args, "example:drop_fixed-micaz")...)
	if r.status != exitFine || !strings.Contains(r.stdout, "Nothing stands out") || strings.Contains(r.stdout, "lost in") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// The report of --html works in a browser: its script has run, and the ranking, the points and the timeline are there.
func TestMineHTML(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.html")
	args := "--nodes 2 --node 1 --vector ADC --html " + path + " example:pollute-micaz"
	doc := minedJSON(t, exitFound, args)
	dom := chromium.DOM(t, path)
	if !strings.Contains(dom, `data-ready="yes"`) {
		t.Fatal("the page's script did not run to its end")
	}
	body := dom[strings.Index(dom, "<main"):strings.Index(dom, `<script id="data"`)]
	for what, n := range map[string]int{
		`class="dot`:                     doc.Distinct,
		`data-rank="1"`:                  2, // the row and the point
		`class="step own"`:               2, // the handler and its task, at least
		`class="step other`:              1,
		`class="moment"`:                 1,
		`aria-selected="true"`:           1,
		`data-line="`:                    10,
		doc.Says:                         1,
		doc.Ranking[0].Lost[0].Variable:  2,
		"Made by Motehound " + version(): 1,
		"SHA-256":                        1,
	} {
		if got := strings.Count(body, what); got < n || what == `class="dot` && got != n {
			t.Errorf("%s is there %d times, want %d", what, got, n)
		}
	}
	if strings.Contains(body, "No source is known") {
		t.Error("no source is shown")
	}
	use(t, path)
}

// use clicks on things in a report, and sorts it.
func use(t *testing.T, path string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const clicks = `<script>
		document.querySelector("#ranking th[data-key=length]").click();
		const lengths = [...document.querySelectorAll("#ranking tbody tr[data-rank]")].map((r) => r.dataset.rank).join(" ");
		document.querySelector("button.more").click();
		const dot = [...document.querySelectorAll("circle.dot")].at(0);
		dot.dispatchEvent(new MouseEvent("click"));
		document.body.append(Object.assign(document.createElement("output"), { id: "used", textContent:
			"order " + lengths + "; members " + document.querySelectorAll("tr.member").length + "; " +
			(document.getElementById("chosen-title").textContent.startsWith("Rank " + dot.dataset.rank + ":") ? "chosen" : "not chosen") }));
	</script>`
	used := filepath.Join(t.TempDir(), "used.html")
	if err := os.WriteFile(used, append(page, clicks...), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(chromium.DOM(t, used), `<output id="used">`)
	got, _, _ = strings.Cut(got, "</output>")
	if !strings.HasSuffix(got, "; chosen") || strings.HasPrefix(got, "order 1 ") || strings.Contains(got, "members 0") {
		t.Errorf("after some clicks: %q", got)
	}
}

// The counters are kept as files, and a file that cannot be written is an error that names its flag.
func TestMineFiles(t *testing.T) {
	folder := t.TempDir()
	csv, parquet := filepath.Join(folder, "c.csv"), filepath.Join(folder, "c.parquet")
	motehound(t, "mine", "--quiet", "--time", "3s", "--csv", csv, "--parquet", parquet, "example:sense-micaz")
	for path, magic := range map[string]string{csv: "run,mote,vector", parquet: "PAR1"} {
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), magic) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, flag := range []string{"--csv", "--parquet", "--html"} {
		if r := motehound(t, "mine", "--time", "3s", flag, folder, "example:sense-micaz"); r.status != exitUsage || !strings.Contains(r.stderr, flag) {
			t.Errorf("%s: exit status %d, %s", flag, r.status, r.stderr)
		}
	}
}
