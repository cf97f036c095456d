package lift

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"motehound/isa/avr"
)

// states is how many instructions are compared. Ten million take some seconds: go test -args -states 100000000 compares more.
var states = flag.Int("states", 10_000_000, "how many instructions TestNoDiff compares")

// chipOf is what the tests need to know of a chip. It is package mote/chip's knowledge, which is on a higher floor.
type chipOf struct {
	name         string
	has          avr.Need
	flash        uint32 // bytes
	ramBase, end uint16
}

var chips = []chipOf{
	{"atmega128", avr.AVRePlusElpm, 128 << 10, 0x100, 0x10FF},
	{"atmega328p", avr.AVRePlus, 32 << 10, 0x100, 0x8FF},
	{"atmega1281", avr.AVRePlusElpm, 128 << 10, 0x200, 0x21FF},
	{"atmega2560", avr.AVRePlus22, 256 << 10, 0x200, 0x21FF},
}

// TestNoDiff runs random instructions on random states, by executing and by lifting, and compares everything.
func TestNoDiff(t *testing.T) {
	n := *states
	if testing.Short() {
		n /= 100
	}
	for i, c := range chips {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPair(c, uint64(i))
			for range n / len(chips) / burst {
				p.shuffle()
				for range burst {
					if diff := p.step(); diff != "" {
						t.Fatal(diff)
					}
				}
			}
			if p.flat.data != *p.plain.data {
				t.Error("the memories differ, though no store that was lifted says so")
			}
			for op, words := range p.words {
				if len(words) > 0 && p.seen[op] == 0 && !testing.Short() {
					t.Errorf("%s was not compared", avr.Decode(words[0], 0, 0, c.has, c.flash/2))
				}
			}
		})
	}
}

// TestNoDiffCanFail plants differences.
func TestNoDiffCanFail(t *testing.T) {
	for name, spoil := range map[string]func(p *pair){
		"a register": func(p *pair) { p.plain.r[5] ^= 1 },
		"a flag": func(p *pair) {
			p.plain.flags[avr.FlagH] = Bit(Numbers{}.Not(p.plain.flags[avr.FlagH].Build(Numbers{})))
		},
		"SP":     func(p *pair) { p.plain.sp++ },
		"RAMPZ":  func(p *pair) { p.plain.rampz ^= 1 },
		"a byte": func(p *pair) { p.plain.stored, p.plain.data[0x300] = []uint16{0x300}, ^p.plain.data[0x300] },
		"an act": func(p *pair) { p.plain.acts = []avr.Op{avr.OpSleep} },
	} {
		p := newPair(chips[0], 1)
		if diff := p.compare(p.flat.core.PC); diff != "" {
			t.Fatal(diff)
		}
		spoil(p)
		if p.compare(p.flat.core.PC) == "" {
			t.Errorf("%s differs, and nobody noticed", name)
		}
	}
	if p := newPair(chips[0], 1); p.compare(p.flat.core.PC+1) == "" {
		t.Error("PC differs, and nobody noticed")
	}
}

// burst is how many instructions run before registers are made up anew: lazy flags live on from one to the next.
const burst = 8

// pair is the two machines.
type pair struct {
	chip  Chip
	of    chipOf
	rnd   *rand.Rand
	code  *avr.Program
	flat  *flat
	plain *plain
	words [256][]uint16 // opcode words by Op
	seen  [256]int
}

func newPair(c chipOf, seed uint64) *pair {
	p := &pair{of: c, chip: ChipOf(c.has, c.flash/2), rnd: rand.New(rand.NewPCG(7, seed))}
	p.flat = &flat{flash: p.fill()}
	p.code = avr.Compile(p.flat.flash, c.flash/2, c.has)
	for i := range p.flat.data {
		p.flat.data[i] = uint8(p.rnd.Uint32())
	}
	data := p.flat.data
	p.plain = &plain{data: &data, flash: p.flat.flash, elpm: c.has&avr.NeedElpm != 0, wide: p.chip.Wide}
	p.flat.core.Init(p.flat, p.code, p.flat.data[c.ramBase:int(c.end)+1], c.ramBase)
	if seed%2 == 0 {
		p.flat.core.ROM = p.flat.flash
	}
	p.shuffle()
	return p
}

// fill makes flash of instructions, each row as likely as any other.
func (p *pair) fill() []byte {
	for w := range 1 << 16 {
		op := avr.Decode(uint16(w), 0, 0, p.of.has, p.of.flash/2).Op
		p.words[op] = append(p.words[op], uint16(w))
	}
	var ops []int
	for op, words := range p.words {
		if len(words) > 0 {
			ops = append(ops, op)
		}
	}
	out := make([]byte, 0, p.of.flash)
	for len(out) < int(p.of.flash) {
		words := p.words[ops[p.rnd.IntN(len(ops))]]
		w := words[p.rnd.IntN(len(words))]
		out = append(out, uint8(w), uint8(w>>8))
	}
	return out
}

// shuffle makes up registers, flags and a place to run.
func (p *pair) shuffle() {
	c, q := &p.flat.core, p.plain
	for i := 0; i < 32; i += 8 {
		v := p.rnd.Uint64()
		for k := range 8 {
			c.R[i+k] = uint8(v >> (8 * k))
		}
	}
	v := p.rnd.Uint64()
	for k, r := range []int{26, 28, 30} { // pointers mostly point at memory
		if v>>(4*k)&15 > 1 {
			c.R[r+1] = uint8(p.address() >> 8)
		} else if v>>(4*k)&15 == 0 {
			c.R[r], c.R[r+1] = c.R[r]&0x7F, 0
		}
	}
	c.SP = p.address()
	if v>>60 == 0 {
		c.SP = uint16(v >> 40 & 0x7F)
	}
	c.SetSREG(uint8(v >> 12))
	c.RAMPZ, c.EIND = 0, 0
	if q.elpm {
		c.RAMPZ = uint8(v>>20) & q.rampzMask()
	}
	if q.wide {
		c.EIND = uint8(v>>22) & 1
	}
	c.PC = uint32(v>>24) % p.chip.Words
	q.r, q.sp, q.rampz, q.eind = c.R, c.SP, c.RAMPZ, c.EIND
	q.setSREG(c.SREG())
}

func (p *pair) address() uint16 {
	return p.of.ramBase + uint16(p.rnd.Uint32())%(p.of.end-p.of.ramBase+1)
}

// step runs one instruction in both machines, and tells how they differ afterwards.
func (p *pair) step() string {
	c, q := &p.flat.core, p.plain
	pc := c.PC
	in := p.code.At(pc)
	p.seen[in.Op]++
	p.flat.halts, p.flat.acts, q.acts, q.stored = 0, p.flat.acts[:0], q.acts[:0], q.stored[:0]
	c.Run(c.Cycles + 1)
	flow := Lift[Bits](q, p.chip, in, pc, uint32(p.code.At(pc+1).N))
	if (flow.Kind == Halt) != (p.flat.halts > 0) {
		return fmt.Sprintf("%s at %#x: halts %t, lifted %t", in, pc, p.flat.halts > 0, flow.Kind == Halt)
	}
	to := flow.Else
	switch {
	case flow.Kind == Halt:
		to = pc
	case flow.Kind == Fork && flow.Cond.V == 1:
		to = flow.To
	case flow.Kind == Indirect:
		to = uint32(flow.Target.V)
	}
	diff := p.compare(to % p.chip.Words)
	if flow.Kind == Halt { // there is no going on from there
		c.PC = (pc + 1) % p.chip.Words
	}
	if diff == "" {
		return ""
	}
	return fmt.Sprintf("%s at %#x: %s", in, pc, diff)
}

func (p *pair) compare(pc uint32) string {
	c, q := &p.flat.core, p.plain
	switch {
	case c.PC != pc:
		return fmt.Sprintf("goes to %#x, lifted to %#x", c.PC, pc)
	case c.R != q.r:
		return fmt.Sprintf("registers are %x, lifted %x", c.R, q.r)
	case c.SREG() != q.sreg():
		return fmt.Sprintf("SREG is %08b, lifted %08b", c.SREG(), q.sreg())
	case c.SP != q.sp || c.RAMPZ != q.rampz || c.EIND != q.eind:
		return fmt.Sprintf("SP, RAMPZ, EIND are %#x %#x %#x, lifted %#x %#x %#x", c.SP, c.RAMPZ, c.EIND, q.sp, q.rampz, q.eind)
	case !slices.Equal(p.flat.acts, q.acts):
		return fmt.Sprintf("does %v, lifted %v", p.flat.acts, q.acts)
	}
	for _, a := range q.stored {
		if p.flat.data[a] != q.data[a] {
			return fmt.Sprintf("memory at %#x is %#x, lifted %#x", a, p.flat.data[a], q.data[a])
		}
	}
	return ""
}
