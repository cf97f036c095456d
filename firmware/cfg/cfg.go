// Package cfg finds the basic blocks of a firmware: what runs is a sequence of them, so counting their entries counts
// instructions, cheaply.
//
// Blocks are found by following the code from where execution can begin: the vectors and the functions that symbols name.
// Data between functions is not taken for code. Where Z decides (IJMP), the tables of switch statements show the targets. Functions
// that are called by Z (ICALL) have symbols.
package cfg

import (
	"sort"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/isa/avr/lift"
)

// Block is instructions that run one after the other: entered only at the first, left only at the last.
type Block struct {
	Start, End   uint32 // word addresses; End is behind the last instruction
	Instructions int
}

// Code is decoded flash.
type Code interface {
	At(pc uint32) avr.Inst
	Words() uint32
}

// Blocks finds the blocks, in order of address. Vectors is how many interrupt vectors the chip has, reset among them, each
// two words long; those behind it are not code unless something leads there.
func Blocks(code Code, im *image.Image, vectors int) []Block {
	f := &finder{code: code, im: im, seen: make([]mark, code.Words()), budget: minBudget + 8*len(im.Flash),
		chip: lift.Chip{Words: code.Words(), Wide: code.Words() > 1<<16}}
	for v := range vectors {
		f.lead(uint32(2 * v))
	}
	for _, s := range im.Symbols {
		if s.Space == image.Flash && s.Kind == image.Func {
			f.lead(s.Addr / 2)
		}
	}
	for len(f.todo) > 0 {
		pc := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		f.follow(pc)
	}
	return f.blocks()
}

type mark uint8

const (
	visited mark = 1 << iota // an instruction begins here
	leader                   // a block does
)

type finder struct {
	code   Code
	im     *image.Image
	chip   lift.Chip
	seen   []mark
	todo   []uint32
	run    []uint32 // the instructions from a leader on
	budget int      // instructions that may still be executed to follow tables
}

// lead notes that a block begins at pc.
func (f *finder) lead(pc uint32) {
	if pc >= uint32(len(f.seen)) {
		return
	}
	if f.seen[pc]&leader == 0 {
		f.seen[pc] |= leader
		f.todo = append(f.todo, pc)
	}
}

// follow goes along the code from a leader until it ends or was seen.
func (f *finder) follow(pc uint32) {
	f.run = f.run[:0]
	for pc < uint32(len(f.seen)) && f.seen[pc]&visited == 0 {
		f.seen[pc] |= visited
		in := f.code.At(pc)
		next := pc + uint32(max(in.N, 1))
		f.run = append(f.run, pc)
		flow, target := in.Flow()
		switch flow {
		case avr.Branch:
			f.dispatch(f.run)
			f.lead(target)
			f.lead(next)
			return
		case avr.Skip:
			f.lead(next)
			if next < uint32(len(f.seen)) {
				f.lead(next + uint32(max(f.code.At(next).N, 1)))
			}
			return
		case avr.Jump:
			f.lead(target)
			return
		case avr.Call:
			f.lead(target)
		case avr.Return, avr.IndirectJump, avr.Halts:
			return
		}
		pc = next
	}
}

// blocks collects what was marked.
func (f *finder) blocks() []Block {
	var all []Block
	for pc := uint32(0); pc < uint32(len(f.seen)); {
		if f.seen[pc]&leader == 0 || f.seen[pc]&visited == 0 {
			pc++
			continue
		}
		b := Block{Start: pc}
		for {
			in := f.code.At(pc)
			pc += uint32(max(in.N, 1))
			b.Instructions++
			flow, _ := in.Flow()
			if flow != avr.Next && flow != avr.Call && flow != avr.IndirectCall ||
				pc >= uint32(len(f.seen)) || f.seen[pc]&leader != 0 || f.seen[pc]&visited == 0 {
				break
			}
		}
		b.End = pc
		all = append(all, b)
	}
	return all
}

// Find is the index of the block that has a word address, -1 if none does.
func Find(blocks []Block, pc uint32) int {
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].End > pc })
	if i < len(blocks) && blocks[i].Start <= pc {
		return i
	}
	return -1
}
