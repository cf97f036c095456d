package avr

import "sync"

// Inst is one decoded instruction, eight bytes, so that eight of them fill a cache line.
//
// What the fields mean depends on the row: D is the destination (or only) register; R is the source register, a
// displacement q or a bit mask; K is a constant, a data address (I/O addresses already moved to the data space) or
// the word address of a jump's target. N is the length in words, 0 when it is not known until execution.
type Inst struct {
	Op   Op
	D, R uint8
	N    uint8
	K    uint32
}

// opcodes maps each opcode word to its row, opBad where there is none.
var opcodes = sync.OnceValue(func() *[1 << 16]Op {
	t := new([1 << 16]Op)
	for i := range t {
		t[i] = opBad
	}
	for op, r := range table {
		var mask, want uint16
		for i := range 16 {
			bit := uint16(1) << (15 - i)
			switch r.pattern[i] {
			case '0':
				mask |= bit
			case '1':
				mask |= bit
				want |= bit
			}
		}
		// Walk the words that fit the pattern: all subsets of the operand bits.
		for sub := ^mask; ; sub = (sub - 1) & ^mask {
			w := want | sub
			if t[w] != opBad {
				panic("BUG: opcode word in two rows of the instruction table: " + table[t[w]].name + ", " + r.name)
			}
			t[w] = Op(op)
			if sub == 0 {
				break
			}
		}
	}
	return t
})

// field gathers the bits of w that the pattern marks with a letter.
func field(pattern string, w uint16, letter byte) uint32 {
	var v uint32
	for i := range 16 {
		if pattern[i] == letter {
			v = v<<1 | uint32(w>>(15-i)&1)
		}
	}
	return v
}

// Decode decodes the instruction whose first word is w0 and which is followed by w1, at word address pc, for a core
// with the given features. The program counter counts modulo words, the size of flash.
func Decode(w0, w1 uint16, pc uint32, has Need, words uint32) Inst {
	op := opcodes()[w0]
	if op == opBad || table[op].need&^has != 0 {
		if w0 == 0xFFFF {
			return Inst{Op: opErased, N: 1}
		}
		return Inst{Op: opBad, N: 1}
	}
	r := &table[op]
	get := func(letter byte) uint32 { return field(r.pattern, w0, letter) }
	in := Inst{Op: op, N: 1}
	switch r.form {
	case fNone:
	case fRd, fLoad, fStore:
		in.D = uint8(get('d'))
	case fRdRr:
		in.D, in.R = uint8(get('d')), uint8(get('r'))
	case fRdK:
		in.D, in.K = uint8(16+get('d')), get('K')
	case fRdwK:
		in.D, in.K = uint8(24+2*get('d')), get('K')
	case fRdwRrw:
		in.D, in.R = uint8(2*get('d')), uint8(2*get('r'))
	case fRd4Rr4, fRd3Rr3:
		in.D, in.R = uint8(16+get('d')), uint8(16+get('r'))
	case fRdA, fARr:
		in.D, in.K = uint8(get('d')), 0x20+get('A')
	case fAb:
		in.R, in.K = 1<<get('b'), 0x20+get('A')
	case fRdb:
		in.D, in.R = uint8(get('d')), 1<<get('b')
	case fRel12:
		in.K = wrap(pc+1+signed(get('k'), 12), words)
	case fRel7:
		in.K = wrap(pc+1+signed(get('k'), 7), words)
	case fAbs22:
		in.N, in.K = 2, wrap(get('k')<<16|uint32(w1), words)
	case fRdAbs16, fAbs16Rd:
		in.N, in.D, in.K = 2, uint8(get('d')), uint32(w1)
	case fLoadQ, fStoreQ:
		in.D, in.R = uint8(get('d')), uint8(get('q'))
	case fK4:
		in.K = get('K')
	}
	return in
}

// wrap reduces a word address to the bits that the program counter has.
func wrap(pc, words uint32) uint32 {
	if words&(words-1) == 0 {
		return pc & (words - 1)
	}
	return pc % words
}

// signed widens a two's complement field, modulo 2^32.
func signed(v uint32, bits uint) uint32 { return uint32(int32(v<<(32-bits)) >> (32 - bits)) }
