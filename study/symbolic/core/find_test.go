package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/study/symbolic/expr"
)

// begin makes the first state of a case of find.c.
func begin(t *testing.T, n int, cfg Config, m Mote) (*Explorer, *State) {
	t.Helper()
	m.Kind = compile(t, "find.c", fmt.Sprintf("-DCASE=%d", n))
	cfg.Verify = true
	x := explorer(t, cfg)
	s, err := x.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return x, s
}

// findings of all states, those of a state before it forked once.
func findings(states []*State) (all []Finding) {
	seen := map[string]bool{}
	for _, s := range states {
		for _, f := range s.Findings() {
			if key := fmt.Sprint(f.PC, f.Cycle, f.Kind, f.Model); !seen[key] {
				seen[key] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// input is the value of an input in a finding.
func input(x *Explorer, f Finding, name string) (v uint64, ok bool) {
	for i := range x.pool.VarCount() {
		if x.pool.VarName(expr.VarIndex(i)) == name {
			return f.Model.Value(expr.VarIndex(i)), true
		}
	}
	return 0, false
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		n       int
		kind    Kind   // 0 for none
		message string // part of it
		bad     func(v uint64) bool
	}{
		{1, Assertion, "assertion fails", func(v uint64) bool { return uint8(v*3) == 126 }},
		{2, 0, "", nil},
		{3, Bounds, "reads outside of buf (10 bytes)", func(v uint64) bool { return v >= 10 }},
		{4, Bounds, "writes outside of buf", func(v uint64) bool { return v == 10 }},
		{5, 0, "", nil},
		{6, 0, "", nil},
	} {
		x, s := begin(t, c.n, Config{}, Mote{})
		states := explore(t, s, second, 100)
		found := findings(states)
		for _, s := range states {
			if s.Ended() != Stopped {
				t.Errorf("case %d: state %d is %s", c.n, s.ID(), s.Ended())
			}
		}
		if c.kind == 0 {
			for _, f := range found {
				t.Errorf("case %d: a false alarm: %s", c.n, f)
			}
			continue
		}
		if len(found) != 1 || found[0].Kind != c.kind || !strings.Contains(found[0].Message, c.message) || found[0].Line == 0 {
			t.Errorf("case %d: found %v, want one %s %q", c.n, found, c.kind, c.message)
			continue
		}
		if v, ok := input(x, found[0], "mote0.x"); !ok || !c.bad(v) {
			t.Errorf("case %d: the finding is shown by x = %d", c.n, v)
		}
		// The states that went on must not include the inputs that fail.
		for _, s := range states {
			for _, m := range s.Made() {
				if v := s.x.evaluator(s).Eval(m.Bytes[0]); c.bad(v) {
					t.Errorf("case %d: state %d goes on with x = %d", c.n, s.ID(), v)
				}
			}
		}
	}
}

// TestMarksOfBranches: what stands at the end of a branch belongs to it, and not to the way around it.
func TestMarksOfBranches(t *testing.T) {
	_, s := begin(t, 12, Config{}, Mote{})
	for _, s := range explore(t, s, second, 10) {
		if made := s.Made(); len(made) != 1 || made[0].Name != "x" || len(s.Path().Conditions()) != 0 {
			t.Errorf("inputs %v under %v, want x alone, and no condition", made, s.Path().Conditions())
		}
	}
}

func TestPointerFromInput(t *testing.T) {
	x, s := begin(t, 7, Config{Values: 3}, Mote{})
	states := explore(t, s, second, 100)
	found := findings(states)
	if len(found) != 1 || found[0].Kind != Pointer {
		t.Errorf("found %v, want one wild pointer", found)
	}
	left := x.LeftOut()
	if len(left) != 1 || !strings.Contains(left[0].What, "more than 3 values") {
		t.Errorf("left out %v, want the values beyond the bound", left)
	}
	if len(states) != 4 {
		t.Errorf("%d states, want three values and the one that stands for the rest", len(states))
	}
}

func TestInputAtFunction(t *testing.T) {
	_, s := begin(t, 8, Config{}, Mote{Inputs: []Input{{At: "main", Var: "arg"}}})
	values := map[uint8]bool{}
	out, _ := s.fleet.table.kind.Image.Symbol("out")
	for _, s := range explore(t, s, second, 100) {
		values[s.Machine().Peek(uint16(out.Addr))] = true
	}
	if len(values) != 3 {
		t.Errorf("out is one of %v, want 1, 2 and 3", values)
	}
}

// TestSetsAndStops: variables are set when main is reached, and a state stops before places.
func TestSetsAndStops(t *testing.T) {
	_, s := begin(t, 8, Config{}, Mote{Sets: []Setting{{"arg", 7}}, Stops: []string{"judge", "main"}})
	im := s.fleet.table.kind.Image
	var seen []int
	for s.Ended() == Going && s.Time() < second {
		s.RunUntil(second)
		if stops := s.Stops(); len(stops) > 0 {
			pc, _, _ := s.Where()
			if f, ok := im.FuncAt(pc); !ok || f.Addr != pc || len(stops) != 1 {
				t.Errorf("it stops at %#x, which is no function's beginning, for %v", pc, stops)
			}
			seen = append(seen, stops[0])
		}
	}
	if !slices.Equal(seen, []int{1, 0}) {
		t.Errorf("it stopped at %v, want main and judge", seen)
	}
	if x, err := s.Value("out"); err != nil || x != s.x.pool.Const(8, 2) {
		t.Errorf("out is %v, %v, want 2, since arg was set to 7", s.x.pool.Format(x), err)
	}
	if len(s.Reached()) == 0 {
		t.Error("no code was reached, it says")
	}
}

func TestBadInputs(t *testing.T) {
	k := compile(t, "find.c", "-DCASE=8")
	for _, c := range []struct {
		in   Input
		want string
	}{
		{Input{At: "main", Var: "nowhere"}, "nowhere"},
		{Input{At: "nowhere", Var: "arg"}, "no function nowhere"},
		{Input{At: "find.c:1", Var: "arg"}, "no code at find.c:1"},
	} {
		_, err := explorer(t, Config{}).New(Mote{Kind: k, Inputs: []Input{c.in}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want something of %q", c.in, err, c.want)
		}
	}
}

// TestSerialInput sends four symbolic bytes, one behind the other: states fork while the next byte is half received.
func TestSerialInput(t *testing.T) {
	x, s := begin(t, 9, Config{}, Mote{})
	k := s.fleet.table.kind
	var bytes []cell.Cell
	for i := range 4 {
		bytes = append(bytes, s.Var(fmt.Sprintf("c%d", i), "a byte on the line", uint8(50+i)))
	}
	s.SerialIn(0, mote.Input{At: second / 1000, Bytes: bytes})
	states := explore(t, s, second, 100)
	if len(states) != 16 {
		t.Errorf("%d states, want one for each choice of small bytes", len(states))
	}
	for _, l := range x.LeftOut() {
		t.Errorf("left out: %s", l)
	}
	got, _ := k.Image.Symbol("got")
	out, _ := k.Image.Symbol("out")
	for _, s := range states {
		var in []cell.Cell
		for _, b := range bytes {
			in = append(in, cell.Of(uint8(x.evaluator(s).Eval(expr.ID(b.Expr())))))
		}
		m := k.New(0, 0, &rig{conf: &Mote{}})
		m.SerialIn(0, mote.Input{At: second / 1000, Bytes: in})
		m.RunUntil(second)
		for i := range uint16(4) {
			if is, want := s.Machine().Peek(uint16(got.Addr)+i), in[i].V(); is != want || m.Peek(uint16(got.Addr)+i) != want {
				t.Errorf("state %d has received %#x as byte %d, it was %#x", s.ID(), is, i, want)
			}
		}
		if is, want := s.Machine().Peek(uint16(out.Addr)), m.Peek(uint16(out.Addr)); is != want {
			t.Errorf("state %d counts %d small bytes, a run on its inputs %d", s.ID(), is, want)
		}
	}
}

func TestReading(t *testing.T) {
	x, s := begin(t, 10, Config{}, Mote{Sensors: []Sensor{{Channel: 2, Name: "light", Value: 100, Count: 1}}})
	states := explore(t, s, second, 100)
	if len(states) != 2 {
		t.Fatalf("%d states, want one on each side of 700", len(states))
	}
	out, _ := s.fleet.table.kind.Image.Symbol("out")
	for _, s := range states {
		made := s.Made()
		ev := x.evaluator(s)
		v := ev.Eval(made[0].Bytes[0]) | ev.Eval(made[0].Bytes[1])<<8
		if high := s.Machine().Peek(uint16(out.Addr)) == 1; high != (v >= 700) || v > 1023 {
			t.Errorf("state %d: a reading of %d counts as high: %t", s.ID(), v, high)
		}
		var sent []Output
		for _, o := range s.Take() {
			if o.Kind == CharSent {
				sent = append(sent, o)
			}
		}
		if len(sent) != 1 || expr.ID(sent[0].Char.Data.Expr()) != made[0].Bytes[0] || uint64(sent[0].Char.Data.V()) != v&0xFF {
			t.Errorf("state %d sent %v, want the reading's low byte, with its expression", s.ID(), sent)
		}
	}
}

// TestInterruptOverSymbolic: a return address makes plain what it overwrites.
func TestInterruptOverSymbolic(t *testing.T) {
	_, s := begin(t, 11, Config{}, Mote{})
	states := explore(t, s, second, 10)
	if len(states) != 1 {
		t.Errorf("%d states, want 1", len(states))
	}
}

// TestMergeOrFork explores the checksum with branches merged and without: the same answers, by more states.
func TestMergeOrFork(t *testing.T) {
	k := compile(t, "agree.c", "-DCASE=6")
	for _, merge := range []int{0, -1} {
		x := explorer(t, Config{Merge: merge})
		s, err := x.New(Mote{Kind: k})
		if err != nil {
			t.Fatal(err)
		}
		states := explore(t, s, second, 1000)
		if merged := x.Stats().Merged > 0; merged != (merge == 0) || merged != (len(states) == 1) {
			t.Errorf("Merge %d: %d states, %d branches merged", merge, len(states), x.Stats().Merged)
		}
		if left := compareAll(t, k, x, states); left != 0 {
			t.Errorf("Merge %d: %d inputs lead to no state", merge, left)
		}
	}
}

// TestFullPool: when there is no room for expressions, states end and it is said.
func TestFullPool(t *testing.T) {
	k := compile(t, "agree.c", "-DCASE=12")
	x := explorer(t, Config{})
	x.pool.SetLimit(60)
	s, err := x.New(Mote{Kind: k})
	if err != nil {
		t.Fatal(err)
	}
	states := explore(t, s, second, 10)
	if len(states) != 1 || states[0].Ended() != Full || len(x.LeftOut()) == 0 {
		t.Errorf("%d states, the first %s, left out %v", len(states), states[0].Ended(), x.LeftOut())
	}
}

// TestFewRigs: it makes no difference how many states are kept ready.
func TestFewRigs(t *testing.T) {
	k := compile(t, "agree.c", "-DCASE=9")
	counts := map[int]int{}
	for _, aboard := range []int{1, 3, 64} {
		x := explorer(t, Config{Aboard: aboard})
		s, err := x.New(Mote{Kind: k})
		if err != nil {
			t.Fatal(err)
		}
		// Breadth first, so that states take turns.
		todo, done := []*State{s}, 0
		for len(todo) > 0 {
			s, todo = todo[0], todo[1:]
			todo = append(todo, s.RunUntil(second)...)
			if err := s.Verify(); err != nil {
				t.Fatal(err)
			}
			if s.Ended() == Going && s.Time() < second {
				todo = append(todo, s)
			} else {
				done++
			}
		}
		counts[aboard] = done
	}
	if counts[1] != counts[64] || counts[3] != counts[64] || counts[1] < 10 {
		t.Errorf("states by how many are aboard: %v", counts)
	}
}

// clean reports whether nothing depends on inputs.
func (s *shadow) clean() bool { return s.live == 0 && s.bytes == 0 }

func TestPowerCycleForgets(t *testing.T) {
	_, s := begin(t, 1, Config{}, Mote{})
	for s.sh.clean() {
		s.RunUntil(s.Time() + second/1_000_000)
	}
	s.PowerCycle()
	if !s.sh.clean() {
		t.Error("symbolic bytes have survived the loss of power")
	}
	states := explore(t, s, second, 10)
	if n := len(states[0].Made()); n != 2 {
		t.Errorf("x was made symbolic %d times, want once after each start", n)
	}
}

// Verify compares everything that depends on inputs with what is in the mote, and the path with the model. An error is a defect of
// this package.
func (s *State) Verify() error {
	m := s.board()
	ev, p := s.x.evaluator(s), s.x.pool
	err := s.rig.verify()
	m.EachCell(func(b *cell.Cell) {
		if e := expr.ID(b.Expr()); e != 0 && uint8(ev.Eval(e)) != b.V() {
			err = fmt.Errorf("state %d: a cell in a device is %#x, but %s is %#x", s.id, b.V(), p.Format(e), ev.Eval(e))
		}
	})
	for _, cond := range s.path.Conditions() {
		if !ev.Holds(cond) {
			return fmt.Errorf("state %d: the path says %s, but its inputs do not", s.id, p.Format(cond))
		}
	}
	return err
}

// Reached is where blocks of code begin that the state has run through, in flash byte addresses; see CoverTo.
func (s *State) Reached() []uint32 {
	set := make([]uint64, len(s.covered))
	s.CoverTo(set)
	var out []uint32
	for i, at := range s.Blocks() {
		if set[i/64]>>(i%64)&1 != 0 {
			out = append(out, at)
		}
	}
	return out
}
