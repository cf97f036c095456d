package hunt

import (
	"context"
	"slices"
	"strings"
	"testing"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
)

// A symptom at the line of a violation belongs to that, and the violation says so. Another one says in how many orders nothing broke, from where it begins or at all,
// or that none was tried. What is found from where a symptom begins says that, too.
func TestLook(t *testing.T) {
	t.Parallel()
	store, err := findings.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	x := &hunt{store: store, doubtful: map[string]bool{}, orders: map[string]uint64{"3 motes": 1200, "there": 40}}
	if x.record, err = store.Begin(findings.Hunt{Subject: "app.elf", Firmware: "a"}); err != nil {
		t.Fatal(err)
	}
	for line, network := range []string{"3 motes", "3 motes", "2 motes", "1 mote"} {
		s := hint{seen: document.HuntSight{Engine: engineMine, Network: network}}
		s.unproven, s.Property, s.Function, s.File, s.Line = true, "lost data", strings.Repeat("f", 1+line), "app.c", 10+line
		s.Grade, s.Severity = findings.Symptom, findings.Medium
		if network == "1 mote" {
			s.look, s.from = "there", &job.Moment{Mote: 1, Cycle: 7}
		}
		x.hints = append(x.hints, s)
	}
	violation := hint{seen: document.HuntSight{Engine: engineCheck, Network: "1 mote"}}
	violation.unproven, violation.Property, violation.Function, violation.File, violation.Line = true, "memory: bounds", "f", "app.c", 10
	violation.Grade, violation.Severity = findings.Violation, findings.High
	if err := x.believe(context.Background(), &violation); err != nil {
		t.Fatal(err)
	}
	found := violation
	found.Function, found.Line, found.seen = "g", 90, document.HuntSight{Engine: engineCheck, Network: "there"}
	if err := x.believe(context.Background(), &found); err != nil {
		t.Fatal(err)
	}
	if err := x.weigh(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := []string{"promoted: mine alone saw a symptom in it", "promoted: check started where mine saw a symptom, and found it",
		"nothing broke because of it in 1200 other orders of events in the same network", findings.NotLooked,
		"harmless in 40 orders of events: nothing broke in those that were tried from where it begins (cycle 7 of mote 1)"}
	if len(x.causes) != len(want) {
		t.Fatalf("%d causes", len(x.causes))
	}
	for i, c := range x.causes {
		if c.Look != want[i] {
			t.Errorf("%s: %q, not %q", c.Function, c.Look, want[i])
		}
	}
	kept := slices.ContainsFunc(store.All(), func(f findings.Finding) bool { return f.Look == want[0] && len(f.Engines) == 2 })
	if !kept {
		t.Errorf("the store has %+v", store.All())
	}
}

// One access that leaves its variable and destroys a return address is one finding; at another line, or if it is worse, it is another.
func TestSameAccess(t *testing.T) {
	t.Parallel()
	c := &cause{document.HuntFinding{Finding: findings.Finding{Grade: findings.Violation, Severity: findings.Medium, Property: "memory: bounds", Function: "f", File: "a.c", Line: 3}}}
	for n, change := range []func(*findings.Finding){
		func(f *findings.Finding) { f.Property = "memory: return" },
		func(f *findings.Finding) { f.Line = 4 },
		func(f *findings.Finding) { f.Severity = findings.High },
		func(f *findings.Finding) { f.Property = "kernel: restart" },
	} {
		f := c.Finding
		if change(&f); c.covers(&f) != (n == 0) {
			t.Errorf("%+v", f)
		}
	}
}
