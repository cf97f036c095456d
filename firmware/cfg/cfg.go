// Package cfg finds the basic blocks of a firmware. What runs is a sequence of blocks, so counting their entries is a cheap way of
// counting instructions.
//
// Blocks are found by following the code from where execution can begin: the vectors, the functions that symbols name, the entry
// point. Data between functions is not taken for code. Where a target is computed (IJMP, a pushed return address), the tables of
// switch statements are read; see switch.go. Where that does not help, and where no symbols name the functions, constants that can
// be code addresses are examined; see pointers.go. Code that only a run can show is not found: whoever counts blocks must also watch
// Graph.Outside.
//
// Invariants: blocks do not overlap; the work is limited by the size of the image, whatever its bytes are; the same image gives the
// same blocks.
package cfg

import (
	"slices"
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

// Jump is a jump whose target is worked out, and where it leads.
type Jump struct {
	At uint32   // word address of the instruction by which control leaves the function's straight code: a JMP to __tablejump2__, or an IJMP
	To []uint32 // word addresses, ascending; nil if nothing is known
}

// Graph is the code of a firmware as far as it could be followed.
type Graph struct {
	Blocks []Block // by address
	Jumps  []Jump  // by At
	im     *image.Image
	words  uint32 // of the image
}

// Code is decoded flash.
type Code interface {
	At(pc uint32) avr.Inst
	Words() uint32
}

// Blocks finds the blocks, in order of address. Vectors is how many interrupt vectors the chip has, reset among them, each
// two words long; those behind it are not code unless something leads there.
func Blocks(code Code, im *image.Image, vectors int) []Block { return Follow(code, im, vectors).Blocks }

// Follow finds the blocks, and where jumps lead whose targets are worked out.
func Follow(code Code, im *image.Image, vectors int) *Graph {
	f := &finder{code: code, im: im, vectors: uint32(2 * vectors), end: min(code.Words(), uint32(len(im.Flash)+1)/2), budget: minBudget + 8*len(im.Flash),
		seen: make([]mark, code.Words()), chip: lift.Chip{Words: code.Words(), Wide: code.Words() > 1<<16},
		jumps: map[uint32][]uint32{}, functions: map[uint32]*function{}}
	f.enter(vectors)
	f.trampolines()
	for range maxRounds {
		if len(f.todo) == 0 {
			break
		}
		for len(f.todo) > 0 {
			pc := f.todo[len(f.todo)-1]
			f.todo = f.todo[:len(f.todo)-1]
			f.follow(pc)
		}
		f.point()
	}
	return &Graph{Blocks: f.blocks(), Jumps: f.sorted(), im: im, words: f.end}
}

// maxRounds is how often constants are looked at again. Each round follows the labels whose addresses are taken in what the one before
// followed.
const maxRounds = 256

type mark uint8

const (
	visited mark = 1 << iota // an instruction begins here
	leader                   // a block does
	second                   // the second word of an instruction that was visited
	ends                     // what was visited does not go on to the next instruction
	wanted                   // a constant may be the address of a function here
	refused                  // ... but there is no code
)

type finder struct {
	code      Code
	im        *image.Image
	chip      lift.Chip
	vectors   uint32 // word address behind the vectors
	end       uint32 // word address behind the image
	seen      []mark
	todo      []uint32
	run       []uint32             // the instructions from a leader on
	jumps     map[uint32][]uint32  // where jumps lead whose targets are worked out, by Jump.At
	sites     []uint32             // jumps that were visited whose targets are worked out
	looked    int                  // at so many of the sites
	functions map[uint32]*function // by their addresses
	open      []*function          // those that have jumps
	named     bool                 // symbols name functions
	pointed   bool                 // data was looked at
	budget    int                  // instructions that may still be executed to follow tables
}

// enter leads to where execution can begin.
func (f *finder) enter(vectors int) {
	for v := range vectors {
		f.lead(uint32(2 * v))
	}
	for _, s := range f.im.Symbols {
		if s.Space == image.Flash && s.Kind == image.Func {
			f.named = true
			f.lead(s.Addr / 2)
		}
	}
	f.lead(f.im.Entry / 2)
	for _, r := range f.im.FlashUsed { // a boot loader, with vectors of its own or without
		base := r.Lo / 2
		if base == 0 || f.code.Words()-base > bootWords {
			continue
		}
		f.lead(base)
		for v := 1; v < vectors && f.code.At(base+uint32(2*v)).Op == avr.OpJmp; v++ {
			f.lead(base + uint32(2*v))
		}
	}
}

// bootWords is the largest boot section of any AVR.
const bootWords = 4096

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
		in := f.code.At(pc)
		next := pc + in.Length()
		f.visit(pc, in)
		switch flow, target := in.Flow(); flow {
		case avr.Branch:
			f.dispatch(f.run)
			f.lead(target)
			f.lead(next)
			return
		case avr.Skip:
			f.lead(next)
			if next < uint32(len(f.seen)) {
				f.lead(next + f.code.At(next).Length())
			}
			return
		case avr.Jump:
			f.stop(pc, next)
			f.lead(target)
			f.leaves(pc, target)
			return
		case avr.Call:
			f.lead(target)
		case avr.IndirectCall:
			f.constant(f.run)
		case avr.Return, avr.IndirectJump, avr.Halts:
			f.stop(pc, next)
			f.computes(pc, flow)
			return
		}
		pc = next
	}
}

// visit notes an instruction.
func (f *finder) visit(pc uint32, in avr.Inst) {
	f.seen[pc] |= visited
	if in.N == 2 && pc+1 < uint32(len(f.seen)) {
		f.seen[pc+1] |= second
	}
	f.run = append(f.run, pc)
	f.load(pc, in)
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
			pc += in.Length()
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

// sorted is the jumps in order.
func (f *finder) sorted() []Jump {
	for _, at := range f.sites {
		f.jumps[at] = slices.Clip(f.jumps[at])
	}
	for _, x := range f.open {
		labels := slices.DeleteFunc(slices.Clone(x.labels), func(to uint32) bool { return to >= f.end || f.seen[to]&second != 0 })
		for _, at := range x.jumps {
			f.jumps[at] = append(f.jumps[at], labels...)
		}
	}
	all := make([]Jump, 0, len(f.jumps))
	for at, to := range f.jumps {
		to = slices.Clone(to)
		slices.Sort(to)
		all = append(all, Jump{at, slices.Compact(to)})
	}
	slices.SortFunc(all, func(a, b Jump) int { return int(a.At) - int(b.At) })
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
