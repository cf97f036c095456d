package core

import (
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/mote"
	"motehound/mote/mcu"
)

// kindOf is how the quick part of a step treats an instruction.
type kindOf uint8

const (
	byRegisters kindOf = iota // registers and flags alone
	byPointer                 // loads or stores one byte by a pointer or at a fixed address
	byStack                   // pushes or pops
	always                    // is looked at every time
)

// record is what a step must know of an instruction.
type record struct {
	reads, writes avr.Set
	kind          kindOf
	pointer       uint8  // the low register of the pair; 0 for a fixed address
	store         bool   // of byPointer and byStack
	marked        bool   // there are marks
	bytes         uint8  // of byStack
	offset        uint16 // what is added to the pointer; or the address
}

// table is what is worked out once for a firmware.
type table struct {
	kind    *mote.Kind
	chip    lift.Chip
	plain   *avr.Program
	records []record // by word address
	used    int      // how many of them are code or data
	marks   map[uint32][]mark
	objects []object // in SRAM
	consts  []object // in flash
	inputs  []Input
	sets    []Setting
	stops   []string
	stopAt  map[uint32][]int // which stops are at a word address
	watch   mcu.Watch

	blocks  []uint32 // where blocks of code begin, and words that are in none
	blockAt map[uint32]int
	counted *avr.Program
	refs    map[string]image.Ref // variables that were asked for
	follows []follows
}

// follows is the programs in which instructions are followed: all of them, those that access memory, or those with marks.
type follows struct{ of, full, memory, sparse *avr.Program }

// over is a program with instructions followed.
func (t *table) over(p *avr.Program) follows {
	for _, f := range t.follows {
		if f.of == p {
			return f
		}
	}
	where := func(test func(*record) bool) *avr.Program {
		var at []uint32
		for pc := range t.used {
			if test(&t.records[pc]) {
				at = append(at, uint32(pc))
			}
		}
		return p.Shadowed(at)
	}
	f := follows{
		of:     p,
		full:   where(func(*record) bool { return true }),
		memory: where(func(r *record) bool { return r.marked || r.kind != byRegisters }),
		sparse: where(func(r *record) bool { return r.marked }),
	}
	t.follows = append(t.follows, f)
	return f
}

func newTable(m *Mote) (*table, error) {
	k := m.Kind
	plain := k.Program()
	t := &table{kind: k, plain: plain, inputs: slices.Clone(m.Inputs), sets: slices.Clone(m.Sets), stops: slices.Clone(m.Stops), blockAt: map[uint32]int{}, stopAt: map[uint32][]int{}, refs: map[string]image.Ref{}, chip: lift.ChipOf(k.Board.Chip.Has, plain.Words())}
	var err error
	if t.marks, err = findMarks(m); err != nil {
		return nil, err
	}
	for i, at := range m.Stops {
		places, err := stopsOf(k.Image, at)
		if err != nil {
			return nil, err
		}
		for _, pc := range places {
			t.watch.At = append(t.watch.At, pc)
			t.stopAt[pc] = append(t.stopAt[pc], i)
		}
	}
	t.records = make([]record, plain.Words())
	t.used = min(len(t.records), (len(k.Image.Flash)+1)/2) // behind that flash is erased: executing it stops the mote
	for pc := range t.used {
		t.records[pc] = t.recordOf(plain.At(uint32(pc)))
		t.records[pc].marked = len(t.marks[uint32(pc)]) > 0
	}
	t.objects, t.consts = objectsOf(k)
	for _, b := range cfg.Follow(plain, k.Image, len(k.Board.Chip.Vectors)-1).Whole() {
		t.blocks = append(t.blocks, b.Start)
	}
	slices.Sort(t.blocks)
	for i, at := range t.blocks {
		t.blockAt[at] = i
	}
	t.watch.Blocks = t.blocks
	t.counted = plain.Counted(t.blocks).Hooked(t.watch.At)
	return t, nil
}

// recordOf works an instruction's record out.
func (t *table) recordOf(in avr.Inst) record {
	flow, _ := in.Flow()
	a := in.Access()
	r := record{reads: in.Reads(), writes: in.Writes(), store: a.Writes, pointer: a.Base, offset: a.Offset, bytes: a.Bytes}
	switch {
	case flow == avr.Halts || in.Op == avr.OpBreak || in.N == 0:
		r.kind = always // or it is decoded when it runs
	case a.Space == avr.StackMemory:
		r.kind = byStack
		if flow != avr.Next {
			r.bytes = t.kind.Board.Chip.Has.ReturnBytes()
		}
	case a.Space == avr.DataMemory, a.Space == avr.IORegister && flow == avr.Next && a.Reads != a.Writes:
		r.kind = byPointer // but not SBIC and SBIS: what a device answers is the bus's business
	}
	return r
}

// address is where the byte is.
func (r *record) address(c *avr.Core) uint16 {
	if r.pointer == 0 {
		return r.offset
	}
	return (uint16(c.R[r.pointer]) | uint16(c.R[r.pointer+1])<<8) + r.offset
}
