package check

import (
	"strings"
	"testing"
)

// Honest systems pass.
func TestAuditHonest(t *testing.T) {
	for seed := range uint64(300) {
		for _, p := range []*program{randomProgram(seed), looseProgram(seed), cyclicProgram(seed)} {
			s := newToy(p)
			if err := Audit(s, AuditOptions{Events: 30, Every: 3, Seed: seed}); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			s.leaks(t, "audit")
		}
	}
}

// liar is a toy that breaks one promise.
type liar struct {
	*toy
	lie   string
	asked int
}

func (l *liar) Clone() System {
	c := &liar{l.toy.Clone().(*toy), l.lie, l.asked}
	if l.lie == "clone" {
		c.vars[0] ^= 1
	}
	if l.lie == "shared" {
		c.vars = l.vars
	}
	return c
}

func (l *liar) CopyFrom(s System) {
	l.toy.CopyFrom(s.(*liar).toy)
	if l.lie == "copy" {
		l.vars[0] ^= 1
	}
}

func (l *liar) Enabled(dst []Event) []Event {
	dst = l.toy.Enabled(dst)
	if l.lie == "queue" {
		for i := range dst {
			dst[i].Source = 0
		}
	}
	if l.asked++; l.lie == "order" && len(dst) > 1 && l.asked%2 == 0 {
		dst[0], dst[1] = dst[1], dst[0]
	}
	return dst
}

func (l *liar) Fire(e Event) (Step, error) {
	step, err := l.toy.Fire(e)
	if step.Footprint == nil {
		return step, err
	}
	switch l.lie {
	case "reads":
		step.Footprint = &Footprint{writes: step.Footprint.writes}
	case "writes":
		step.Footprint = &Footprint{reads: step.Footprint.reads}
	case "chance":
		if l.asked++; l.asked%2 == 0 {
			l.vars[0] ^= 1
		}
	}
	return step, err
}

// Each lie is found, in some system, and named.
func TestAuditLies(t *testing.T) {
	for lie, says := range map[string]string{
		"clone": "another hash", "copy": "another hash", "shared": "", "queue": "of one queue", "order": "another order",
		"reads": "independent by their footprints", "writes": "independent by their footprints", "chance": "fired twice",
	} {
		found := false
		for seed := uint64(0); seed < 40 && !found; seed++ {
			s := &liar{toy: newToy(cyclicProgram(seed)), lie: lie}
			s.toy.off = false
			err := Audit(s, AuditOptions{Events: 50, Seed: seed})
			found = err != nil && strings.Contains(err.Error(), says)
		}
		if !found {
			t.Errorf("the lie about %s is not found", lie)
		}
	}
}

// A search that comes across a lie ends with an error. It does not come across all of them: that is what Audit is for.
func TestSearchNoticesLies(t *testing.T) {
	noticed := 0
	for seed := range uint64(100) {
		for _, stateless := range []bool{true, false} {
			s := &liar{toy: newToy(cyclicProgram(seed)), lie: "reads"}
			if _, err := Search(s, SearchOptions{Depth: 6, Stateless: stateless}); err != nil {
				noticed++
			}
			if _, err := Search(s, SearchOptions{Depth: 4, Stateless: stateless, Reduce: None}); err != nil {
				t.Errorf("seed %d: without a reduction, footprints do not matter: %v", seed, err)
			}
		}
	}
	if noticed < 20 {
		t.Errorf("only %d of 200 searches notice", noticed)
	}
}
