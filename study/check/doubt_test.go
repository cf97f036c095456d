package check

import (
	"slices"
	"testing"

	"motehound/study/finding"
)

// A goal that was not reached in time, in a run that hardware hardly makes, is counted and not shown. With better evidence it is shown.
func TestDoubted(t *testing.T) {
	r := &runner{report: &Report{}, base: newToy(randomProgram(1))}
	r.o.Meter = new(Meter)
	for name, f := range map[string]Finding{
		"plain": {Evidence: Sampled}, "late": {Evidence: Sampled, Suspected: true}, "strained": {Evidence: Sampled, Strain: 1},
		"both": {Evidence: Sampled, Suspected: true, Strain: 1}, "cycle": {Evidence: Lasso, Strain: 1}, "stuck": {Evidence: Stuck, Strain: 1},
	} {
		f.Violation = finding.Violation{Property: name, Kind: finding.Liveness}
		r.catalog.add(&f)
	}
	var shown []string
	for _, f := range r.finish().Findings {
		shown = append(shown, f.Property)
	}
	slices.Sort(shown)
	if want := []string{"cycle", "late", "plain", "stuck"}; !slices.Equal(shown, want) {
		t.Errorf("shown are %q, not %q", shown, want)
	}
	if d := r.report.Doubted; len(d) != 2 || d[0].Property != "both" || d[1].Property != "strained" {
		t.Errorf("doubted are %v", d)
	}
}

// tense is a paced toy in which the late queue makes something wait longer than it can.
type tense struct {
	*paced
	strain uint64
}

func (s *tense) Clone() System { return &tense{s.paced.Clone().(*paced), s.strain} }

func (s *tense) CopyFrom(from System) {
	x := from.(*tense)
	s.paced.CopyFrom(x.paced)
	s.strain = x.strain
}

func (s *tense) Fire(e Event) (Step, error) {
	s.strain = max(s.strain, s.Late(e))
	return s.paced.Fire(e)
}

func (s *tense) Overdue(e Event, tell func(Event, uint64)) {
	if by := s.Late(e); by > 0 {
		tell(e, by)
	}
}

func (s *tense) Finite(Event) bool { return false }
func (s *tense) Strained() uint64  { return s.strain }

// A goal that only an odd order loses ends no walks and is not shown. If input alone loses it as well, that is what is shown.
func TestDoubtGoesOn(t *testing.T) {
	const timeout = 7
	const joined, lost, noise = 0, 1, 2
	odd := map[bool]int{} // found by an odd order
	for seed := range uint64(20) {
		input := seed%2 == 1
		p := &program{values: 3, motes: 2, healed: -1, initial: []uint8{1, 0, 0}}
		p.actions = []action{
			act(0, Interrupt, timeout, 0, []guard{{lost, 0}}, put(lost, 1), put(joined, 0)),
			act(1, Interrupt, 0, 0, nil, assign{v: noise, x: noise, a: 1, c: 1}),
		}
		if input {
			p.actions = append(p.actions, act(0, Input, 0, 0, []guard{{lost, 0}}, put(lost, 1), put(joined, 0)))
		}
		p.goals = []goalState{{finding.Goal{Property: "in the tree", Mote: 0}, joined, 1}}
		const walks = 12
		o := Options{Mode: ModeWalk, Seed: seed, Walk: WalkOptions{Walks: walks, Events: 4000, Threshold: 1000, NoLasso: true, First: true},
			Critical: CriticalOptions{Events: 300, Walks: 3}, Minimise: MinimiseOptions{Events: 50_000}, Enough: func(bool) bool { return true }}
		o.Found = func(f *Finding) {
			if f.Strain > 0 {
				odd[input]++
			}
		}
		r, err := Run(&tense{paced: &paced{newToy(p), timeout}}, o)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case input && (len(r.Findings) != 1 || !r.Findings[0].Counts() || len(r.Doubted) > 0):
			t.Errorf("with input: found %v, doubted %v", r.Findings, r.Doubted)
		case !input && (len(r.Findings) > 0 || len(r.Doubted) != 1 || r.Walks != walks):
			t.Errorf("found %v, doubted %v in %d walks (stopped %t, refuted %v)", r.Findings, r.Doubted, r.Walks, r.Stopped, r.Refuted)
		}
	}
	if odd[false] < 10 || odd[true] < 2 {
		t.Errorf("only %v were found by an odd order: that proves little", odd)
	}
}

// A goal that is lost in an odd order, and late in a natural one: that it turns out to be only late ends no walks, whatever was doubted before.
func TestRefutedAfterDoubt(t *testing.T) {
	t.Parallel()
	const timeout = 7
	const lost, round, noise = 0, 1, 2
	const early = 5 // in nature the round is over before the time is
	p := &program{values: 200, motes: 3, healed: -1, initial: []uint8{0, 0, 0}}
	p.actions = []action{
		act(0, Interrupt, timeout, 0, []guard{{lost, 0}, {round, early}}, put(lost, 1)),
		act(1, Interrupt, 0, 0, []guard{{lost, 0}}, assign{v: round, x: round, a: 1, c: 1}),
		act(2, Interrupt, 0, 0, nil, assign{v: noise, x: noise, a: 1, c: 1}),
	}
	p.goals = []goalState{{finding.Goal{Property: "round", Mote: 1}, round, 0}}
	both := 0
	for seed := range uint64(10) {
		const walks = 12
		o := Options{Mode: ModeWalk, Seed: seed, Walk: WalkOptions{Walks: walks, Events: 800, Threshold: 50, NoLasso: true, First: true},
			Critical: CriticalOptions{Events: 2000, Walks: 3}, Enough: func(bool) bool { return true }}
		doubted := false
		o.Found = func(f *Finding) { doubted = doubted || f.doubted() }
		r, err := Run(&tense{paced: &paced{newToy(p), timeout}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) > 0 || r.Walks != walks {
			t.Errorf("seed %d: found %v in %d walks (doubted %v, %d refuted)", seed, r.Findings, r.Walks, r.Doubted, len(r.Refuted))
		}
		if doubted && len(r.Refuted) > 0 {
			both++
		}
	}
	if both < 3 {
		t.Errorf("only %d runs were doubted and refuted: that proves little", both)
	}
}
