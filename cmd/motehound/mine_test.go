package main

import (
	"encoding/json"
	"strings"
	"testing"

	"motehound/show/report"
)

// mine ranks the intervals of an interrupt, over several runs of a sweep; the same command gives the same answer.
func TestMine(t *testing.T) {
	args := strings.Fields("mine --json --nodes 2 --node 1 --vector ADC --skip 0s --top 4 --sweep PolluteC__period=20,60 example:pollute-micaz")
	r := motehound(t, args...)
	if r.status != exitFound {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	var doc report.Mine
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Vector != 22 || doc.VectorName != "ADC" || doc.Detector != "ensemble" || len(doc.Runs) != 2 || *doc.Runs[1].Value != 60 ||
		doc.Intervals < 600 || len(doc.Ranking) != 4 {
		t.Errorf("got %+v", doc)
	}
	for _, e := range doc.Ranking {
		if e.Run != 0 || e.Mote != 1 || e.Score >= 0 || len(e.Why) == 0 || e.StartCycle >= e.EndCycle {
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
	var doc struct{ Rankings []report.Mine }
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
