package core

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/symbolic/expr"
)

// TestRandomPrograms explores random programs whose registers and memory begin unknown in places, and runs them on random inputs: each must
// lead to one state, and everything in it must be what the run leaves.
func TestRandomPrograms(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 8
	}
	stats, states := Stats{}, 0
	for seed := range programs {
		g := &generator{rnd: rand.New(rand.NewPCG(11, uint64(seed)))}
		k := g.kind(t)
		x := explorer(t, Config{Verify: true, Merge: []int{0, -1}[seed%2]})
		s, err := x.New(Mote{Kind: k})
		if err != nil {
			t.Fatal(err)
		}
		inputs := g.unknown(s)
		all := few(t, s, 300)
		for i := 0; i < 60 && all != nil; i++ {
			g.compare(t, seed, k, x, all, inputs)
		}
		a := x.Stats()
		stats.Lifted, stats.Branches, stats.Merged = stats.Lifted+a.Lifted, stats.Branches+a.Branches, stats.Merged+a.Merged
		states += len(all)
	}
	t.Logf("%d states, %+v", states, stats)
	if !testing.Short() && (stats.Merged == 0 || stats.Branches < 100 || states < 2*programs) {
		t.Errorf("the programs are too simple: %d states, %+v", states, stats)
	}
}

// few explores, except for programs with too many paths: of those it has none.
func few(t *testing.T, s *State, bound int) (all []*State) {
	t.Helper()
	for todo := []*State{s}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], s.RunUntil(second)...)
		if s.Ended() == Going {
			todo = append(todo, s)
		} else {
			all = append(all, s)
		}
		if len(todo)+len(all) > bound {
			return nil
		}
	}
	return all
}

// generator makes programs of instructions on r0 to r25, on 32 bytes at 0x300 by name and by Y and Z, on some at 0x380 by X, and on
// the stack.
type generator struct {
	rnd   *rand.Rand
	words [][]uint16         // of each instruction
	first file               // what was unknown at first: registers
	bytes map[uint16]expr.ID // and memory
}

const (
	dataAt  = 0x300
	stackAt = 0x1000
)

func (g *generator) n(n int) uint16           { return uint16(g.rnd.IntN(n)) }
func (g *generator) pick(of ...uint16) uint16 { return of[g.rnd.IntN(len(of))] }
func (g *generator) emit(w ...uint16)         { g.words = append(g.words, w) }

func immediate(op, d, k uint16) uint16 { return op | k>>4<<8 | (d-16)<<4 | k&15 }

// instruction emits one.
func (g *generator) instruction() {
	d, r := g.n(26), g.n(26)
	switch g.n(15) {
	case 0, 1, 2:
		g.emit(g.pick(0x0C00, 0x1C00, 0x1800, 0x0800, 0x2000, 0x2400, 0x2800, 0x2C00, 0x1400, 0x0400, 0x9C00) | r>>4<<9 | d<<4 | r&15)
	case 3, 4:
		g.emit(immediate(g.pick(0x5000, 0x4000, 0x7000, 0x6000, 0x3000, 0xE000), 16+g.n(10), g.n(256)))
	case 5, 6:
		g.emit(g.pick(0x9400, 0x9401, 0x9402, 0x9403, 0x9405, 0x9406, 0x9407, 0x940A) | d<<4)
	case 7:
		g.emit(g.pick(0xFA00, 0xF800) | d<<4 | g.n(8))
	case 8:
		g.emit(g.pick(0x9600, 0x9700) | g.n(16))
	case 9:
		g.emit(g.pick(0x9000, 0x9200)|d<<4, dataAt+g.n(32))
	case 10:
		g.emit(g.pick(0x8008, 0x8208, 0x8000, 0x8200) | d<<4 | g.n(8) | g.n(4)<<10)
	case 11:
		g.emit(g.pick(0x900D, 0x920D, 0x900E, 0x920E, 0x900C, 0x920C) | d<<4)
	case 12:
		g.emit(g.pick(0x920F, 0x900F) | d<<4)
	case 13:
		g.emit(g.pick(0x0100) | g.n(12)<<4 | g.n(12)) // movw
	case 14:
		g.emit(g.pick(0x9408, 0x9488, 0x9468, 0x94E8, 0x9418, 0x9498))
	}
}

// skip emits a branch or skip over some instructions.
func (g *generator) skip() {
	at := len(g.words)
	g.emit()
	if g.n(3) == 0 {
		g.instruction()
		g.words[at] = []uint16{g.pick(0xFC00, 0xFE00) | g.n(26)<<4 | g.n(8)}
		if g.n(2) == 0 {
			g.words[at] = []uint16{0x1000 | g.n(26)<<4 | g.n(16)}
		}
		return
	}
	for range 1 + g.n(4) {
		g.instruction()
	}
	words := 0
	for _, w := range g.words[at+1:] {
		words += len(w)
	}
	g.words[at] = []uint16{g.pick(0xF000, 0xF400) | uint16(words)<<3 | g.n(7)}
}

// address emits an access by an index that may depend on inputs.
func (g *generator) address() {
	d := 16 + g.n(8)
	g.emit(0x2C00 | d>>4<<9 | 8<<4 | d&15 | 0x100) // mov r24, rd
	g.emit(immediate(0x7000, 24, 7))
	g.emit(0x2C00 | 1<<9 | 1<<8 | 14<<4 | 8) // mov r30, r24
	g.emit(g.pick(0x8000, 0x8200) | g.n(16)<<4 | 0x1)
	g.emit(immediate(0xE000, 30, 0))
}

// kind is a mote with a program.
func (g *generator) kind(t *testing.T) *mote.Kind {
	t.Helper()
	for _, w := range []uint16{
		immediate(0xE000, 16, stackAt&0xFF), 0xBF0D, immediate(0xE000, 16, stackAt>>8), 0xBF0E, // SP
		immediate(0xE000, 26, 0x80), immediate(0xE000, 27, 3), immediate(0xE000, 28, 0), immediate(0xE000, 29, 3),
		immediate(0xE000, 30, 0), immediate(0xE000, 31, 3),
	} {
		g.emit(w)
	}
	for range 45 {
		switch g.n(12) {
		case 0, 1:
			g.skip()
		case 2:
			g.address()
		default:
			g.instruction()
		}
	}
	g.emit(0x9598) // break
	var bytes []byte
	for _, in := range g.words {
		for _, w := range in {
			bytes = append(bytes, byte(w), byte(w>>8))
		}
	}
	im, err := image.Parse("random.hex", intelHex(bytes))
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func intelHex(data []byte) []byte {
	var b strings.Builder
	for at := 0; at < len(data); at += 16 {
		line := data[at:min(at+16, len(data))]
		sum := byte(len(line)) + byte(at>>8) + byte(at)
		fmt.Fprintf(&b, ":%02X%04X00", len(line), at)
		for _, x := range line {
			fmt.Fprintf(&b, "%02X", x)
			sum += x
		}
		fmt.Fprintf(&b, "%02X\n", -sum)
	}
	b.WriteString(":00000001FF\n")
	return []byte(b.String())
}

// unknown makes registers and bytes of memory unknown. Those of the registers that the program sets first stay out.
func (g *generator) unknown(s *State) (inputs []expr.ID) {
	c := s.Machine().Core()
	var values []uint64
	for range 5 {
		x := s.x.pool.NewVar("x", 8, "")
		inputs, values = append(inputs, x), append(values, uint64(g.n(256)))
		for range 4 {
			r := uint8(g.n(26))
			s.sh.reg[r], s.sh.live = x, s.sh.live|avr.RegSet(r)
			s.sh.put(dataAt+g.n(32), x)
		}
	}
	s.give(inputs, values)
	s.rig.refresh()
	c.Program = s.rig.program()
	g.first, g.bytes = s.sh.file, map[uint16]expr.ID{}
	s.sh.each(func(addr uint16, x expr.ID) { g.bytes[addr] = x })
	return inputs
}

// begin gives a mote the values of what was unknown.
func (g *generator) begin(m *mote.Mote, ev *expr.Evaluator) {
	c := m.Core()
	for i := range c.R {
		if g.first.live&avr.RegSet(uint8(i)) != 0 {
			c.R[i] = uint8(ev.Eval(g.first.reg[i]))
		}
	}
	for a, x := range g.bytes {
		c.RAM[a-c.RAMBase] = uint8(ev.Eval(x))
	}
}

// same compares a state, under the evaluator's inputs, with a mote.
func (g *generator) same(t *testing.T, seed int, s *State, m *mote.Mote, ev *expr.Evaluator) {
	t.Helper()
	c := m.Core()
	own := s.Machine().Core()
	for i := range c.R {
		v := own.R[i]
		if s.sh.live&avr.RegSet(uint8(i)) != 0 {
			v = uint8(ev.Eval(s.sh.reg[i]))
		}
		if v != c.R[i] {
			t.Fatalf("program %d: r%d is %#x, in a run %#x", seed, i, v, c.R[i])
		}
	}
	for i := range c.RAM {
		if v := uint8(ev.Eval(s.Byte(c.RAMBase + uint16(i)))); v != c.RAM[i] {
			t.Fatalf("program %d: the byte at %#x is %#x, in a run %#x", seed, int(c.RAMBase)+i, v, c.RAM[i])
		}
	}
	if own.PC != c.PC || own.SP != c.SP {
		t.Fatalf("program %d: PC and SP are %#x %#x, in a run %#x %#x", seed, own.PC, own.SP, c.PC, c.SP)
	}
}

// compare runs the program on random inputs.
func (g *generator) compare(t *testing.T, seed int, k *mote.Kind, x *Explorer, states []*State, inputs []expr.ID) {
	t.Helper()
	var vars []expr.VarIndex
	var values []uint64
	for _, in := range inputs {
		v, _ := x.pool.VarOf(in)
		vars, values = append(vars, v), append(values, uint64(g.pick(g.n(256), g.n(8), 0, 255)))
	}
	ev := x.pool.NewEvaluator()
	ev.Use(expr.NewModel(vars, values))
	m := k.New(0, 0, &rig{conf: &Mote{}})
	g.begin(m, ev)
	m.RunUntil(second)
	found := 0
	for _, s := range states {
		holds := true
		for _, c := range s.path.Conditions() {
			holds = holds && ev.Holds(c)
		}
		if holds {
			found++
			g.same(t, seed, s, m, ev)
		}
	}
	if found != 1 {
		t.Fatalf("program %d: inputs %v lead to %d states of %d", seed, values, found, len(states))
	}
}
