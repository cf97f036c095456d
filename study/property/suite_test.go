package property_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"motehound/mote/digest"
	"motehound/study/finding"
	"motehound/study/property"
	"motehound/world"
	"motehound/world/scenario"
)

const levels = `
def low(n): return n.var("level") < 5
always("level is low", each(low))
always("all are low", lambda net: all([low(n) for n in net]))
eventually("level comes down", each(low))
eventually("all come down", lambda net: all([low(n) for n in net]))
`

// TestLook has one bug of each sort: what breaks is told once, when it breaks, with its place and what decided it.
func TestLook(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		opt  property.Options
		mode int64
		want []string
	}{
		{"fine", levels, property.Options{}, fine, nil},
		{"memory", levels, property.Options{}, overrun, []string{
			"memory: bounds on 1 in put (steps.c:@put): ring[4] writes behind"}},
		{"read", levels, property.Options{}, read, []string{
			"memory: bounds on 1 in get (steps.c:@get) harmless: ring[4] reads behind"}},
		{"library", levels, property.Options{}, copied, []string{
			"memory: bounds on 1 in go_wrong (steps.c:@copy): ring[4] writes behind, in memcpy"}},
		{"header", levels, property.Options{}, header, []string{
			"memory: bounds on 1 in __vector_16 (steps.c:@header): ring[4] writes behind, in set"}},
		{"property", levels, property.Options{}, level, []string{
			"level is low on 1 (a.star:4): does not hold: level of mote 1 is 9",
			"all are low on -1 (a.star:5): does not hold: level of mote 0 is 0, level of mote 1 is 9"}},
		{"failure", levels + "failure('give_*')", property.Options{}, fail, []string{
			"kernel: failure on 1 in go_wrong (steps.c:@fail): calls give_up"}},
		{"failure by option", levels, property.Options{Failures: []string{"give_up"}}, fail, []string{
			"kernel: failure on 1 in go_wrong (steps.c:@fail): calls give_up"}},
		{"no failure", levels, property.Options{}, fail, []string{
			"kernel: halted on 1 in give_up (steps.c:@halt) harmless: sleeps with interrupts off and no watchdog: only a reset wakes it; they were switched off in give_up at testdata/steps.c:@off"}},
		{"without memory", levels, property.Options{Without: []string{"memory"}}, overrun, nil},
		{"without kernel", levels, property.Options{Without: []string{"kernel"}}, fail, nil},
		{"silenced", levels + "silence('memory: bounds', variable = 'ring', reason = 'known')", property.Options{}, overrun, nil},
		{"silenced in short", levels + "silence('bounds', function = 'put', reason = 'known')", property.Options{}, overrun, nil},
		{"silenced elsewhere", levels + "silence('memory', function = 'get', reason = 'known')", property.Options{}, overrun, []string{
			"memory: bounds on 1 in put (steps.c:@put): ring[4] writes behind"}},
		{"line", `at_line("steps.c", @line, lambda n: n.var("at") == 0, name = "empty")`, property.Options{}, peek, []string{
			"empty on 1 in __vector_16 (steps.c:@line): does not hold: at of mote 1 is 3"}},
		{"call", `at_call("take", lambda n: n.var("ticks") != 20)`, property.Options{}, fine, []string{
			"at_call take on 0 in take (steps.c:@take): does not hold: ticks of mote 0 is 20",
			"at_call take on 1 in take (steps.c:@take): does not hold: ticks of mote 1 is 20"}},
		{"return", `at_return("take", lambda n: n.var("taken") == 1)`, property.Options{}, refuse, []string{
			"at_return take on 1 in take (steps.c:@take): does not hold: taken of mote 1 is 0"}},
		{"return, not given", `at_return("take", lambda n: n.var("taken") == 1, given = lambda n: n.var("mode") == 0)`, property.Options{}, refuse, nil},
		{"return of a function", `at_return("put", lambda n: n.var("ring")[0] == n.var("ticks"), name = "put puts", mote = 1)`, property.Options{}, fine, nil},
		{"return of one that calls", `at_return("finish", lambda n: n.var("done") == 1)`, property.Options{}, fine, nil},
		{"return, given before", `at_return("put", lambda n: False, given = lambda n: n.var("ring")[0] == 20, name = "put puts", mote = 1)`, property.Options{}, fine, []string{
			"put puts on 1 in put (steps.c:@put): does not hold"}},
		{"line of another", `at_line("steps.c", @line, lambda n: n.var("at") == 0, mote = 0)`, property.Options{}, peek, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			equal(t, slices.Compact(newStage(t, c.text, c.opt, fine, c.mode).run(t, 60)), marked(t, c.want)...)
		})
	}
}

// TestCauses wants that what an overrun is followed by in the same event is not reported as well, and a null pointer once, however many lines of a function go through it.
func TestCauses(t *testing.T) {
	const null = "memory: null on 0 in touch (steps.c:@null)"
	put, get := "memory: bounds on 0 in put (steps.c:@put): ring[4] writes behind", "memory: bounds on 0 in get (steps.c:@get) harmless: ring[4] reads behind"
	for _, c := range []struct {
		mode    int64
		explore bool
		want    []string
	}{
		{twice, false, []string{put, get}},
		{twice, true, []string{put}},
		{nothing, false, []string{null + " harmless: reads r0 through a null pointer", "memory: null on 0 in touch (steps.c:@age) harmless: reads r1 through a null pointer",
			"memory: null on 0 in touch (steps.c:@value): writes r3 through a null pointer"}},
		{nothing, true, []string{null + ": reads r0 through a null pointer, and then writes r3 through a null pointer"}},
	} {
		w, suite := newStage(t, levels, property.Options{Explore: c.explore}, c.mode).open(t)
		w.RunUntil(60 * world.Millisecond)
		list, err := suite.Look(0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range list {
			if wrote := c.mode == nothing && !v.Harmless; v.Mended != (wrote && c.explore) {
				t.Errorf("%+v: %v", c, v)
			}
			if strings.HasPrefix(v.Property, "memory") {
				got = append(got, show(v))
			}
		}
		equal(t, got, marked(t, c.want)...)
	}
}

// TestBroken wants that a property is told when it breaks, and not again while it does not hold, although it is asked again.
func TestBroken(t *testing.T) {
	text := `always("calm", each(lambda n: n.var("level") < 5 or n.var("ticks") < 5))`
	equal(t, newStage(t, text, property.Options{}, fine, level).run(t, 60), "calm on 1 (a.star:2): does not hold: level of mote 1 is 9, ticks of mote 1 is 20")
}

// TestOneMote looks at the mote that has run, and at that alone.
func TestOneMote(t *testing.T) {
	s := newStage(t, levels, property.Options{}, fine, level, level)
	w, suite := s.open(t)
	step(t, w, suite)
	var got []string
	look := func(mote int) {
		list, err := suite.Look(mote)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			got = append(got, fmt.Sprintf("%s on %d", v.Property, v.Mote))
		}
	}
	const later = 43 * world.Millisecond // twenty ticks
	w.Motes()[2].RunUntil(later)
	look(0)
	equal(t, got)
	look(2)
	equal(t, got, "level is low on 2", "all are low on -1")
	w.Motes()[1].RunUntil(later)
	look(1)
	equal(t, got, "level is low on 2", "all are low on -1", "level is low on 1")
	if live := suite.Live(nil); !slices.Equal(live, []bool{true, false, false, false}) {
		t.Errorf("goals %v", live)
	}
}

// TestGoals follows goals while they come and go.
func TestGoals(t *testing.T) {
	s := newStage(t, levels, property.Options{}, fine, level)
	want := []finding.Goal{{Property: "level comes down", Mote: 0}, {Property: "level comes down", Mote: 1}, {Property: "all come down", Mote: -1}}
	if !slices.Equal(s.prepared.Goals(), want) {
		t.Fatalf("goals are %v", s.prepared.Goals())
	}
	w, suite := s.open(t)
	var seen [][]bool
	for range 60 {
		step(t, w, suite)
		if live := suite.Live(nil); len(seen) == 0 || !slices.Equal(live, seen[len(seen)-1]) {
			seen = append(seen, live)
		}
	}
	up, down := []bool{true, true, true}, []bool{true, false, false}
	if !slices.EqualFunc(seen, [][]bool{up, down, up}, slices.Equal) {
		t.Errorf("goals went %v", seen)
	}
}

// TestIncremental compares answers that are kept with a property that is evaluated in every state, and wants that it is asked
// only when something has changed.
func TestIncremental(t *testing.T) {
	s := newStage(t, levels+`eventually("odd", each(lambda n: n.var("ticks") % 2))`, property.Options{}, fine, level)
	w, suite := s.open(t)
	eval, asked := scenario.NewEvaluator(), 0
	for range 60 {
		step(t, w, suite)
		var reads scenario.ReadSet
		suite.ReadSet(&reads)
		asked += len(reads.Memory)
		live := suite.Live(nil)
		for i, g := range suite.Goals() {
			for n := range s.sc.Properties {
				p := &s.sc.Properties[n]
				if p.Name != g.Property || p.Kind != scenario.Eventually {
					continue
				}
				v, err := eval.Evaluate(p, scenario.WorldView(w))
				if err != nil {
					t.Fatal(err)
				}
				if holds := v.Holds || g.Mote >= 0 && !slices.Contains(v.Motes, int(g.Mote)); live[i] != holds {
					t.Errorf("at %d ms %v is %v", w.Now()/world.Millisecond, g, live[i])
				}
			}
		}
	}
	ticks, _ := s.cfg.Motes[0].Kind.Image.Lookup("ticks")
	n := 2 * int(w.Motes()[0].Peek(uint16(ticks.Addr)))
	// Of four properties about levels, one reads each mote's: eight reads for the first answers, when start-up has cleared
	// variables, and when mote 1's level goes up and down. The other one reads its mote's ticks each time that these change.
	if lo, hi := n, n+4*8+2; asked < lo || asked > hi {
		t.Errorf("%d reads for %d changes", asked, n)
	}
}

// TestReadSet wants what the properties have read that a step made to be evaluated.
func TestReadSet(t *testing.T) {
	s := newStage(t, `
always("sum", lambda net: net[0].var("ticks") + net[1].var("ticks") < 1000)
always("linked", lambda net: net[0].hears(1))
at_line("steps.c", @line, lambda n: n.net[0].var("parent") == 0xFFFF, mote = 1)`, property.Options{}, fine, fine)
	w, suite := s.open(t)
	im := s.cfg.Motes[0].Kind.Image
	at := func(mote int, name string) scenario.Read {
		ref, err := im.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		return scenario.Read{Mote: mote, Lo: ref.Addr, Hi: ref.Addr + ref.Type.Size}
	}
	set := func() *scenario.ReadSet {
		var r scenario.ReadSet
		suite.ReadSet(&r)
		return &r
	}
	step(t, w, suite)
	if got := set(); len(got.Facts) != 3 || !slices.Contains(got.Memory, at(0, "ticks")) || !slices.Contains(got.Memory, at(1, "ticks")) {
		t.Errorf("at first %+v", got)
	}
	lines, sums := 0, 0
	for range 20 {
		before := w.Motes()[0].Peek(uint16(at(0, "ticks").Lo))
		step(t, w, suite)
		changed := w.Motes()[0].Peek(uint16(at(0, "ticks").Lo)) != before
		got := set()
		if has := slices.Contains(got.Memory, at(0, "ticks")) && slices.Contains(got.Memory, at(1, "ticks")); has != changed {
			t.Errorf("ticks changed: %v, read %+v", changed, got)
		}
		if slices.Contains(got.Memory, at(0, "parent")) {
			lines++
		}
		if changed {
			sums++
		}
		if len(got.Facts) != 0 {
			t.Errorf("facts %v were read again", got.Facts)
		}
	}
	if lines != sums || sums < 5 {
		t.Errorf("%d steps with the line, %d with the sum", lines, sums)
	}
}

// TestStates puts states back, in any order and into other worlds, and wants what a run without a break has.
func TestStates(t *testing.T) {
	text := levels + `at_line("steps.c", @line, lambda n: n.var("at") == 0, name = "empty")`
	s := newStage(t, text, property.Options{}, level, overrun, peek, fail)
	w, suite := s.open(t)
	const length = 50
	type moment struct {
		world *world.World
		state property.State
		live  []bool
		sum   digest.Sum
	}
	var (
		moments [length]moment
		told    [length][]string // in the step behind it
	)
	for i := range moments {
		m := &moments[i]
		suite.Save(&m.state)
		m.world, m.live, m.sum = w.Clone(), suite.Live(nil), sumOf(suite)
		for _, v := range step(t, w, suite) {
			told[i] = append(told[i], show(v))
		}
	}
	if n := len(slices.Concat(told[:]...)); n < 6 {
		t.Fatalf("only %d violations: %v", n, told)
	}
	var group sync.WaitGroup
	for g := range 3 {
		group.Go(func() {
			w, suite := s.open(t)
			twinWorld, twin := s.open(t)
			for n := range 2 * length {
				i := (n*7 + g*11) % (length - 2)
				m := &moments[i]
				w.CopyFrom(m.world)
				suite.Restore(&m.state)
				if !slices.Equal(suite.Live(nil), m.live) || !slices.Equal(s.prepared.Live(&m.state, nil), m.live) || sumOf(suite) != m.sum || sumOfState(s.prepared, &m.state) != m.sum {
					t.Errorf("state %d is not what it was", i)
				}
				twinWorld.CopyFrom(w)
				twin.CopyFrom(suite)
				for k := range 2 {
					got, also := step(t, w, suite), step(t, twinWorld, twin)
					var text []string
					for _, v := range got {
						text = append(text, show(v))
					}
					if !slices.Equal(text, told[i+k]) || !slices.Equal(got, also) {
						t.Errorf("behind state %d+%d: %v, want %v; in a copy %v", i, k, text, told[i+k], also)
					}
				}
			}
		})
	}
	group.Wait()
}

func sumOf(s *property.Suite) digest.Sum {
	d := digest.New()
	s.AppendHash(&d)
	return d.Sum()
}

func sumOfState(p *property.Prepared, s *property.State) digest.Sum {
	d := digest.New()
	p.AppendHash(s, &d)
	return d.Sum()
}

// TestHash has what is hashed: what the memory and kernel watch know beyond the motes' state, and counts of frames that are asked for.
func TestHash(t *testing.T) {
	sums := map[digest.Sum]string{}
	for _, mode := range []int64{overrun, fail} {
		s := newStage(t, "failure('give_up')", property.Options{}, fine, mode)
		w, suite := s.open(t)
		for range 60 {
			step(t, w, suite)
			sums[sumOf(suite)] = ""
		}
	}
	// Before the first interrupt, behind it, and in the failure routine: a bug that leaves the program sane adds nothing.
	if len(sums) != 3 {
		t.Errorf("%d different hashes, want 3", len(sums))
	}
}

// TestSharing wants that states cost only what changes.
func TestSharing(t *testing.T) {
	s := newStage(t, levels, property.Options{}, fine, fine)
	w, suite := s.open(t)
	for range 10 {
		step(t, w, suite)
	}
	var first property.State
	suite.Save(&first)
	if n := testing.AllocsPerRun(100, func() {
		var again property.State
		suite.Save(&again)
		suite.Restore(&again)
	}); n > 2 {
		t.Errorf("a state of motes that have not run takes %v allocations", n)
	}
}

// TestSize wants that thousands of states can be kept: each pays for what its step has changed.
func TestSize(t *testing.T) {
	s := newStage(t, levels, property.Options{}, fine, fine, fine, fine, fine, fine, fine, fine)
	w, suite := s.open(t)
	for range 10 {
		step(t, w, suite)
	}
	states := make([]property.State, 400)
	var used uint64
	for i := range states {
		w.Motes()[i%8].RunUntil(w.Now() + uint64(i/8+1)*2*world.Millisecond)
		if _, err := suite.Look(i % 8); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		suite.Save(&states[i])
		runtime.ReadMemStats(&after)
		if i >= 8 { // the first ones save all pages
			used += after.TotalAlloc - before.TotalAlloc
		}
	}
	if each := used / uint64(len(states)-8); each > 6000 {
		t.Errorf("a state takes %d bytes", each)
	}
}

// What is left out is told.
func TestLeftOut(t *testing.T) {
	text := `
at_time("1s", "later", lambda net: False)
eventually("soon", lambda net: True, within = "1s")
at_call("main", lambda n: n.alive)
at_call("main", lambda n: False, name = "nobody comes here")`
	for _, c := range []struct {
		opt  property.Options
		want []string
	}{
		{property.Options{}, []string{`at_call "at_call main": no mote reached that place`}},
		{property.Options{Explore: true, Failures: []string{"nobody*"}},
			[]string{`at_time "later": only`, `the failure "nobody*": no firmware has`, `at_call "at_call main": no mote reached that place`}},
	} {
		left := newStage(t, text, c.opt, fine).prepared.LeftOut()
		if len(left) != len(c.want) {
			t.Fatalf("left out %q", left)
		}
		for i, n := range left {
			if !strings.Contains(n, c.want[i]) {
				t.Errorf("left out %q, want %q", n, c.want[i])
			}
		}
	}
}

// TestErrors wants messages that say what to do.
func TestErrors(t *testing.T) {
	s := newStage(t, "", property.Options{}, fine)
	for _, c := range []struct {
		text, want string
		motes      int
	}{
		{`silence("out-of-bounds", variable = "ring", reason = "known")`, `a.star:2:8: silence: there is no check "out-of-bounds": use one of memory: bounds,`, 1},
		{`at_line("steps.c", 2, lambda n: True)`, "no code was made of this line", 1},
		{``, "a.star has 2 motes, but the world has 1", 2},
	} {
		_, err := property.Prepare(s.cfg, load(t, c.motes, c.text), property.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	two := newStage(t, "", property.Options{}, fine, fine)
	one, _ := s.open(t)
	if _, err := two.prepared.Attach(one); err == nil || !strings.Contains(err.Error(), "prepared for 2 motes, but the world has 1") {
		t.Errorf("attached to another world: %v", err)
	}
	w, suite := newStage(t, `eventually("late", lambda net: net.time > 5)`, property.Options{Explore: true}, fine).open(t)
	w.RunUntil(10 * world.Millisecond)
	if _, err := suite.Look(-1); err == nil || !strings.Contains(err.Error(), `a.star:2:11: property "late" uses the time`) {
		t.Errorf("time while exploring: %v", err)
	}
	st := newStage(t, `always("fails later", lambda net: [True][net[0].var("ticks")])
always("holds", lambda net: net[0].var("level") == 0)`, property.Options{}, fine)
	w, suite = st.open(t)
	if _, err := suite.Look(-1); err != nil {
		t.Fatal(err)
	}
	w.RunUntil(10 * world.Millisecond)
	for range 2 {
		if _, err := suite.Look(-1); err != nil {
			t.Errorf("a property that could be evaluated before: %v", err)
		}
	}
	if d := st.prepared.Dropped(); len(d) != 1 || d[0].Property.Name != "fails later" || !strings.Contains(d[0].Err.Error(), "a.star:2:") {
		t.Errorf("dropped: %v", d)
	}
	for _, text := range []string{
		`always("wrong", lambda net: net[0].var("levl") == 0)`,
		`at_line("steps.c", @line, lambda n: n.var("levl") == 0, name = "wrong")`,
	} {
		w, suite := newStage(t, text, property.Options{}, fine).open(t)
		w.RunUntil(10 * world.Millisecond)
		if _, err := suite.Look(-1); err == nil || !strings.Contains(err.Error(), `property "wrong": no variable levl`) || !strings.Contains(err.Error(), "did you mean level?") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
