package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/job/document"
)

// mine ranks the intervals of an interrupt, over several runs of a sweep; the same command gives the same answer.
func TestMine(t *testing.T) {
	args := strings.Fields("mine --json --nodes 2 --node 1 --vector ADC --skip 0s --top 4 --sweep PolluteC__period=20,60 example:pollute-micaz")
	r := motehound(t, args...)
	if r.status != exitFound {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	var doc document.Mine
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Vector != 22 || doc.VectorName != "ADC" || doc.Detector != "ensemble" || len(doc.Runs) != 2 || doc.Runs[1].Values[0] != (document.MinedValue{Name: "PolluteC__period", Value: "60"}) ||
		doc.Intervals < 600 || len(doc.Ranking) != 4 {
		t.Errorf("got %+v", doc)
	}
	for _, e := range doc.Ranking {
		if e.Run != 0 || e.With != "PolluteC__period=20" || e.Mote != 1 || e.Score >= 0 || len(e.Why) == 0 || e.StartCycle >= e.EndCycle {
			t.Errorf("got %+v", e)
		}
	}
	if again := motehound(t, args...); again.stdout != r.stdout {
		t.Error("the same command has another answer")
	}
}

// --task leaves the intervals with such a task, and --pool mote ranks each mote by itself.
func TestMineSome(t *testing.T) {
	r := motehound(t, strings.Fields("mine --json --nodes 3 --topology line --vector INT6 --time 8s --top 0 --pool mote --task receive example:drop-micaz")...)
	var doc struct{ Rankings []document.Mine }
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatalf("%v: %s%s", err, r.stdout, r.stderr)
	}
	if len(doc.Rankings) != 3 {
		t.Fatalf("%d rankings, want one for each mote", len(doc.Rankings))
	}
	for i, d := range doc.Rankings {
		if d.Mote == nil || int(*d.Mote) != i || len(d.Ranking) == 0 {
			t.Fatalf("ranking %d is %+v", i, d)
		}
		for _, e := range d.Ranking {
			if int(e.Mote) != i || !strings.Contains(strings.Join(e.Tasks, " "), ".receive") {
				t.Errorf("%+v in the ranking of mote %d", e, i)
			}
		}
	}
	r = motehound(t, strings.Fields("mine --time 2s --task nothing example:drop-micaz")...)
	if r.status != exitUsage || !strings.Contains(r.stderr, "there are ") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

func TestMineText(t *testing.T) {
	r := motehound(t, "mine", "--time", "5s", "--top", "3", "example:sense-micaz")
	if r.status != exitFine || !strings.Contains(r.stdout, "ADC (vector 22)") || !strings.Contains(r.stdout, "TIMER0_COMP (vector 16)") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	for args, want := range map[string]string{
		"--vector NOPE example:blink":           "no interrupt vector",
		"--detector nope example:blink":         "ocsvm",
		"--sweep x example:blink":               "--sweep",
		"--sweep x=1,fast example:blink":        "whole numbers, and \"fast\" is not",
		"--sweep x=1,1 example:blink":           "twice",
		"--sweep x=1 --sweep x=2 example:blink": "twice",
		"--sweep param.x=1 example:blink":       "only scenarios have parameters",
		"--param x=1 example:blink":             "only scenarios have parameters",
		"example:blink example:blink":           "twice",
		"--sweep nope=1,2 example:blink":        "nope",
		"--csv /nonexistent/x example:blink":    "--csv",
		"--runs 0 example:blink":                "--runs",
		"--node 9 example:blink":                "--node",
		"--vector TWI example:blink":            "no event-handling interval",
		"--time 1ms --skip 0s example:cpu-sort": "no event-handling interval",
	} {
		r := motehound(t, append([]string{"mine"}, strings.Fields(args)...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit status %d, %s", args, r.status, r.stderr)
		}
	}
}

// Several firmwares are ranked each by itself, in one mining.
func TestMineSeveral(t *testing.T) {
	t.Parallel()
	args := "--nodes 2 --node 1 --vector ADC --time 5s --sweep PolluteC__period=20,60 example:pollute-micaz example:pollute_fixed-micaz"
	r := motehound(t, append([]string{"mine", "--json"}, strings.Fields(args)...)...)
	var doc struct{ Rankings []document.Mine }
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil || r.status != exitFound || len(doc.Rankings) != 2 {
		t.Fatalf("exit status %d, %v: %s", r.status, err, r.stderr)
	}
	for i, want := range []struct {
		firmware string
		stands   bool
	}{{"example:pollute-micaz", true}, {"example:pollute_fixed-micaz", false}} {
		d := doc.Rankings[i]
		if d.Firmware != want.firmware || (d.StandOut > 0) != want.stands || len(d.Runs) != 4 {
			t.Errorf("ranking %d is of %s, %d stand out, %d runs", i, d.Firmware, d.StandOut, len(d.Runs))
		}
		alone := minedJSON(t, map[bool]int{true: exitFound, false: exitFine}[want.stands],
			"--nodes 2 --node 1 --vector ADC --time 5s --sweep PolluteC__period=20,60 "+want.firmware)
		for k, e := range d.Ranking {
			if run := d.Runs[e.Run]; run.Firmware != want.firmware || e.With != "PolluteC__period="+run.Values[0].Value {
				t.Errorf("%s: an interval of run %+v with %q", want.firmware, run, e.With)
			}
			if a := alone.Ranking[k]; a.StartCycle != e.StartCycle || a.Score != e.Score {
				t.Errorf("%s: rank %d is another one than without the other firmware", want.firmware, k+1)
			}
		}
	}
	r = motehound(t, append([]string{"mine"}, strings.Fields(args)...)...)
	for _, want := range []string{"example:pollute-micaz:\nADC", "example:pollute_fixed-micaz:\nADC", " with ", "PolluteC__period=20"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.stdout)
		}
	}
}

// A sweep over parameters of a scenario makes a run for each combination of their values, in every document.
func TestMineParameters(t *testing.T) {
	folder := t.TempDir()
	star := filepath.Join(folder, "pollute.star")
	text := `
network(motes = [mote(id = i, board = "micaz", firmware = param("build", "pollute") + ".elf", vars = {"PolluteC__period": param("period", 100)}) for i in range(2)],
        links = full(2, loss = param("loss", 0.0)))
run(time = "4s")
`
	for path, data := range map[string][]byte{star: []byte(text), filepath.Join(folder, "pollute.elf"): example(t, "pollute"), filepath.Join(folder, "fixed.elf"): example(t, "pollute_fixed")} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	csvFile, page := filepath.Join(folder, "c.csv"), filepath.Join(folder, "r.html")
	r := motehound(t, "mine", "--json", "--node", "1", "--vector", "ADC", "--param", "loss=0.5", "--sweep", "param.build=pollute,fixed", "--sweep", "param.period=20,40",
		"--csv", csvFile, "--html", page, star)
	var doc struct{ Rankings []document.Mine }
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil || len(doc.Rankings) != 2 || len(doc.Rankings[0].Runs) != 4 {
		t.Fatalf("exit status %d, %v: %s%s", r.status, err, r.stdout, r.stderr)
	}
	for i, d := range doc.Rankings {
		build := []string{"pollute", "fixed"}[i]
		if !strings.HasSuffix(d.Firmware, build+".elf") || !strings.HasPrefix(d.Ranking[0].With, "param.build="+build+" param.period=") {
			t.Errorf("ranking %d is of %s, first one with %s", i, d.Firmware, d.Ranking[0].With)
		}
	}
	for path, want := range map[string]string{csvFile: ",seed,firmware,sweep.param.build,sweep.param.period,", page: "param.build=fixed param.period=20"} {
		if got, err := os.ReadFile(path); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s has no %s: %v", path, want, err)
		}
	}
	for args, want := range map[string]string{
		"--sweep param.period=20,fast": "pollute.star:2", "--sweep param.nope=1": "there are build, period, loss", "--param loss": "--param",
		"--param loss=0 --param loss=1": "twice", "--param period=20 --sweep param.period=40": "twice", "--sweep param.build=gone": "gone.elf",
	} {
		if r := motehound(t, append(append([]string{"mine"}, strings.Fields(args)...), star)...); r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit status %d, %s", args, r.status, r.stderr)
		}
	}
}

func example(t *testing.T, name string) []byte {
	f, ok := examples.Find(name, "micaz")
	if !ok {
		t.Fatalf("no example %s", name)
	}
	return f.ELF()
}
