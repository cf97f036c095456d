package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"motehound/study/symbolic/engine"
	"motehound/world"
	"motehound/world/reception"
	"motehound/world/recipe"
)

// lossy are two motes that count what they hear, in a world in which more may fail than has to.
const lossy = `
network(motes = [mote(id = i + 1, board = "micaz", firmware = elf) for i in range(2)], links = full(2),
        faults = [lose(max = 3, link = (1, 2))])
run(time = "1500ms", seed = 1)
`

// Of several failures the fewest that suffice are shown, and the finding has the moment at which it happens without the others.
func TestFewest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		failures   int // 0 for none
	}{
		{"none", `at_time("1400ms", "few", lambda net: net[2].var("CounterC__heard") > 100)`, 0},
		{"one", `at_time("1400ms", "all", lambda net: net[2].var("CounterC__heard") >= net[1].var("CounterC__sent"))`, 1},
		{"two", `at_time("1400ms", "most", lambda net: net[2].var("CounterC__heard") + 1 >= net[1].var("CounterC__sent"))`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			elf, err := filepath.Abs("../../../examples/elf/counter-micaz.elf")
			if err != nil {
				t.Fatal(err)
			}
			p, err := planned(t, elf, lossy+c.text, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Explore(os.ReadFile)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) != 1 || len(r.Findings[0].Failures) != c.failures || len(r.Findings[0].Recipe.Answers) != c.failures {
				t.Fatalf("%q: %+v", names(r), r.Findings)
			}
			// The one in which most fails comes down to as few.
			all := p.running.Findings()
			most := slices.MaxFunc(all, func(a, b engine.Finding) int { return len(extraordinary(a.Answers)) - len(extraordinary(b.Answers)) })
			x, ok, err := p.confirm(p.running, most, most.Check.Name, os.ReadFile)
			if err != nil || !ok || len(x.Failures) != 3 {
				t.Fatalf("%v, %v, failures %q", ok, err, x.Failures)
			}
			if err := p.fewest(x, os.ReadFile, r); err != nil {
				t.Fatal(err)
			}
			if len(x.Failures) != c.failures || x.Spared != 3-c.failures || !again(t, x.Recipe, p.sc) {
				t.Errorf("failures %q, without %d others", x.Failures, x.Spared)
			}
		})
	}
}

// What is left out of a run leaves the others as they are.
func TestWithout(t *testing.T) {
	t.Parallel()
	a := func(kind world.ChoiceKind, number, answer uint32) world.Answer {
		return world.Answer{Kind: kind, Mote: 1, Number: number, Answer: answer}
	}
	hold := world.Hold{Mote: 1, Vector: 3, From: 50, Until: 60}
	r := &run{Way: engine.Way{Holds: []world.Hold{hold}, Answers: []world.Answer{a(world.ChoiceReception, 2, uint32(reception.Lost)), a(world.ChoiceReception, 4, uint32(reception.Corrupted)),
		a(world.ChoiceReception, 7, uint32(reception.Corrupted)), a(world.ChoiceCorruption, 0, 11), a(world.ChoiceCorruption, 1, 12)}},
		when: moments{{world.ChoiceReception, 1, 2}: 70, {world.ChoiceReception, 1, 4}: 10, {world.ChoiceReception, 1, 7}: 30,
			{world.ChoiceCorruption, 1, 0}: 10, {world.ChoiceCorruption, 1, 1}: 30}}
	list := r.failures()
	var at []uint64
	for _, f := range list {
		at = append(at, f.at)
	}
	if !slices.Equal(at, []uint64{10, 10, 30, 30, 50, 70}) {
		t.Errorf("in the order of %d", at)
	}
	for _, c := range []struct {
		leave int
		want  []world.Answer
		holds int
	}{
		{0, []world.Answer{r.Answers[0], r.Answers[2], a(world.ChoiceCorruption, 0, 12)}, 1},
		{2, []world.Answer{r.Answers[0], r.Answers[1], a(world.ChoiceCorruption, 0, 11)}, 1},
		{4, r.Answers, 0},
		{5, r.Answers[1:], 1},
	} {
		if less := r.without(list[c.leave]); !slices.Equal(less.Answers, c.want) || len(less.Holds) != c.holds {
			t.Errorf("without %d: %v, %d wait", c.leave, less.Answers, len(less.Holds))
		}
	}
	if len(r.Answers) != 5 || len(r.Holds) != 1 {
		t.Error("the run itself was changed")
	}
}

// A finding of a built-in check has the moment at which it happens, since the start and not since the mote's boot; and a recipe that says
// another moment, mote, place, instruction or input is refused with what differs.
func TestMoment(t *testing.T) {
	t.Parallel()
	elf := built(t)
	text := func(boot string) string {
		return `network(motes = [mote(id = 4, board = "micaz", firmware = elf, boot = "` + boot + `")])
run(time = "50ms")
symbolic_var(mote = 4, path = "input", function = "take")`
	}
	at := func(boot string) *Finding {
		t.Helper()
		r := explored(t, elf, text(boot), Options{})
		if len(r.Findings) != 1 || r.Findings[0].Kind != KindBuiltin {
			t.Fatalf("found %q", names(r))
		}
		return r.Findings[0]
	}
	x := at("0ms")
	if x.At == 0 || x.At > world.Millisecond {
		t.Errorf("at %d ps", x.At)
	}
	if later := at("30ms"); later.At != x.At+30*world.Millisecond || later.Recipe.Symbolic.At != later.At {
		t.Errorf("booted 30 ms later it happens at %d ps, not at %d", later.At, x.At)
	}
	sc, err := loaded(t, elf, text("0ms"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(s *recipe.Symbolic)
		want   string
	}{
		{func(*recipe.Symbolic) {}, ""},
		{func(s *recipe.Symbolic) { s.At++ }, "it fails at "},
		{func(s *recipe.Symbolic) { s.Line++ }, "it fails in "},
		{func(s *recipe.Symbolic) { s.Mote = -1 }, "it fails on mote 4, not in the network"},
		{func(s *recipe.Symbolic) { s.Property = "memory: null" }, "the property does not fail"},
		{func(s *recipe.Symbolic) { s.Kind = "bounds" }, "has an instruction"},
		{func(s *recipe.Symbolic) { s.Inputs = []string{"input at take = 43, mote 4"} }, `the run has no input "input at take = 43, mote 4"`},
		{func(s *recipe.Symbolic) { s.Inputs = []string{"output = 42, mote 4"} }, `the run has no input "output = 42, mote 4"`},
		{func(s *recipe.Symbolic) { s.Inputs = nil }, `the run has an input "input at take = 42, mote 4", which is not among the recipe's`},
		{func(s *recipe.Symbolic) { s.Inputs = append(s.Inputs, s.Inputs[0]) }, "the run has no input"},
	} {
		rec, claim := *x.Recipe, *x.Recipe.Symbolic
		c.change(&claim)
		rec.Symbolic = &claim
		w, err := rec.World(os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		differs, err := Rerun(w, &rec, sc, nil)
		if got := strings.Join(differs, "; "); err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v, %q, want %q", err, differs, c.want)
		}
	}
}

// Of two findings in one run the earlier one is the first; those of other runs stay where they are.
func TestCausesFirst(t *testing.T) {
	t.Parallel()
	r := &Result{Findings: []*Finding{{Property: "b", At: 9, Failures: []string{"x"}}, {Property: "late", At: 5}, {Property: "a", At: 3, Failures: []string{"x"}},
		{Property: "early", At: 1}}}
	r.causesFirst()
	if got := names(r); !slices.Equal(got, []string{"a", "b", "early", "late"}) {
		t.Errorf("%q", got)
	}
}

// Whenever the time is over, what was confirmed by then is a finding, and what is not known is said.
func TestRest(t *testing.T) {
	t.Parallel()
	elf := built(t)
	const text = symbolicInput + `always("small", each(lambda n: n.var("input") < 200))`
	var whole int64
	for most := int64(0); most < 1000; most++ {
		var asked atomic.Int64
		p, err := planned(t, elf, text, Options{Rest: func() bool { return asked.Add(1) > most }})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Explore(os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if !again(t, f.Recipe, p.sc) {
				t.Errorf("after %d questions: %s does not show", most, f.Property)
			}
		}
		if whole = asked.Load(); whole <= most {
			if len(r.LeftOut) > 0 || len(r.Findings) != 2 {
				t.Errorf("with time for all: %q, left out %q", names(r), r.LeftOut)
			}
			break
		}
		if !slices.ContainsFunc(r.LeftOut, func(s string) bool { return strings.Contains(s, "no time") }) && !r.More {
			t.Errorf("after %d questions: left out %q", most, r.LeftOut)
		}
	}
	if whole < 5 || whole > 100 {
		t.Errorf("it was asked %d times", whole)
	}
}
