package check

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"motehound/study/finding"
)

// counting is a program that counts to 200 again and again, one event for each number, and breaks something harmless each time from the
// second on.
func counting(times uint8) *program {
	const digits = 200
	p := &program{initial: []uint8{0, 0}, values: 255, healed: -1, motes: 1}
	for n := range uint8(digits) {
		a := action{event: Event{Class: Task, Source: uint16(n)}, guards: []guard{{0, n}}, sets: []assign{{v: 0, c: n + 1}}}
		if n == digits-1 {
			a.sets = []assign{{v: 0}, {v: 1, x: 1, a: 1, c: 1}}
		}
		p.actions = append(p.actions, a)
	}
	for n := range times {
		p.bad = append(p.bad, badState{name: fmt.Sprintf("count %d", n+2), v: 1, is: n + 2, w: 1, also: n + 2, harmless: true})
	}
	return p
}

// Findings of one walk are beginnings of one trace, which is replayed once.
func TestReplayedOnce(t *testing.T) {
	const times, events = 5, 2000
	found := 0
	s := newToy(counting(times))
	o := Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 1, Events: events}, Found: func(*Finding) { found++ }}
	o.Stop = func() bool { return found == times } // nothing is made shorter
	r, err := Run(s, o)
	if err != nil || len(r.Findings) != times {
		t.Fatalf("%v, %d findings", err, len(r.Findings))
	}
	longest := slices.MaxFunc(r.Findings, func(a, b *Finding) int { return len(a.Trace) - len(b.Trace) })
	if want := events + len(longest.Trace); s.seen.fired != want {
		t.Errorf("%d events were fired, not %d", s.seen.fired, want)
	}
	for _, f := range r.Findings {
		if err := confirmed(newToy(s.p), f, nil); err != nil || !f.Replayed || f.Hash == [2]uint64{} {
			t.Errorf("%v: %v, replayed: %t", f, err, f.Replayed)
		}
	}
	s.leaks(t, "run")
}

// What a walk has found counts even if there was no time to end it.
func TestFoundBeforeTheEnd(t *testing.T) {
	s := &stopping{toy: newToy(counting(1)), left: 600}
	r, err := Run(s, Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 1, Events: 100_000}, Stop: func() bool { return s.left <= 0 }})
	if err != nil || len(r.Findings) != 1 || r.Walks != 0 || !r.Stopped {
		t.Errorf("%v, findings %v, %d walks, stopped: %t", err, r.Findings, r.Walks, r.Stopped)
	}
}

// stopping is a system that has enough after some events.
type stopping struct {
	*toy
	left int
}

func (s *stopping) Clone() System        { return &running{s.toy.Clone().(*toy), s} }
func (s *running) Clone() System         { return &running{s.toy.Clone().(*toy), s.of} }
func (s *running) CopyFrom(other System) { s.toy.CopyFrom(other.(*running).toy) }
func (s *running) Fire(e Event) (Step, error) {
	s.of.left--
	return s.toy.Fire(e)
}

// running is a copy of it.
type running struct {
	*toy
	of *stopping
}

// Who is interrupted while a long trace is replayed shows nothing that was not, says so, and finds it again when it goes on.
func TestReplayInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	explore := func(interrupted func() bool) *Report {
		l, err := OpenLog(path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return run(t, counting(1), Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 1, Events: 600}, Log: l, Interrupted: interrupted})
	}
	r := explore(func() bool { return true })
	if len(r.Findings) != 0 || len(r.Unproven) != 1 || !r.Stopped || r.Walks != 0 {
		t.Fatalf("findings %v, unproven %v, stopped: %t, %d walks", r.Findings, r.Unproven, r.Stopped, r.Walks)
	}
	if r = explore(nil); len(r.Findings) != 1 || len(r.Unproven) != 0 || r.Stopped {
		t.Errorf("later: findings %v, unproven %v, stopped: %t", r.Findings, r.Unproven, r.Stopped)
	}
}

// haunted is a system in which something breaks that no trace explains: as often as it is told to, by the number of events that were fired in all of its copies.
type haunted struct {
	*toy
	of *ghosts
}

type ghosts struct{ fired, every int }

func (s *haunted) Clone() System         { return &haunted{s.toy.Clone().(*toy), s.of} }
func (s *haunted) CopyFrom(other System) { s.toy.CopyFrom(other.(*haunted).toy) }
func (s *haunted) Fire(e Event) (Step, error) {
	step, err := s.toy.Fire(e)
	if s.of.fired++; s.of.fired%s.of.every == 0 {
		step.Violations = append(step.Violations, finding.Violation{Property: "ghost", Kind: finding.Safety, Harmless: true})
	}
	return step, err
}

// What cannot be replayed is not shown, but said, and takes nothing away from what can.
func TestContradicted(t *testing.T) {
	s := &haunted{newToy(counting(3)), &ghosts{every: 101}}
	r, err := Run(s, Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 3, Events: 2000}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 3 || len(r.Contradicted) != 1 || r.Contradicted[0].Property != "ghost" || r.Contradicted[0].Err == nil {
		t.Errorf("findings %v, contradicted %v", r.Findings, r.Contradicted)
	}
}
