package check_test

import (
	"fmt"

	"motehound/study/check"
	"motehound/study/finding"
)

// lamp is a mote with two interrupts, each of which toggles its half of a lamp that must never be on as a whole.
type lamp struct{ on [2]bool }

func (l *lamp) Enabled(dst []check.Event) []check.Event {
	return append(dst, check.Event{Class: check.Interrupt, Source: 1}, check.Event{Class: check.Interrupt, Source: 2})
}

func (l *lamp) Fire(e check.Event) (check.Step, error) {
	half := e.Source - 1
	l.on[half] = !l.on[half]
	foot := new(check.Footprint)
	foot.Write(uint32(half), uint32(half)+1)
	foot.Read(0, 2) // by the property
	step := check.Step{Footprint: foot}
	if l.on[0] && l.on[1] {
		step.Violations = []finding.Violation{{Property: "never all on", Kind: finding.Safety, Function: "toggle", File: "lamp.c", Line: 12}}
	}
	return step, nil
}

func (l *lamp) Clone() check.System           { c := *l; return &c }
func (l *lamp) CopyFrom(s check.System)       { *l = *s.(*lamp) }
func (l *lamp) Release()                      {}
func (l *lamp) Describe(e check.Event) string { return fmt.Sprintf("interrupt %d", e.Source) }

func (l *lamp) Hash() (h [2]uint64) {
	for i, on := range l.on {
		if on {
			h[i] = 1
		}
	}
	return h
}

func ExampleRun() {
	if err := check.Audit(new(lamp), check.AuditOptions{}); err != nil {
		fmt.Println(err)
	}
	r, err := check.Run(new(lamp), check.Options{Mode: check.ModeSearch, Search: check.SearchOptions{Depth: 5, Deepen: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Case().Verdict())
	for _, f := range r.Findings {
		fmt.Println(f)
		for _, e := range f.Trace {
			fmt.Println(new(lamp).Describe(e))
		}
	}
	// Output:
	// violated
	// never all on in toggle (lamp.c:12) on mote 0: 2 events
	// interrupt 1
	// interrupt 2
}
