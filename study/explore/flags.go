package explore

import (
	"encoding/binary"
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/guide"
)

// flags are the bytes of a program's variables that its branches test: states of components, what is busy, what has failed.
type flags struct {
	end  int      // behind the last, from the beginning of RAM; a multiple of 8
	at   []uint16 // from the beginning of RAM
	mask []byte   // by byte of RAM: 1 if it is one
}

// mostFlags bounds the pairs.
const mostFlags = 96

// flagsOf finds them: a byte is loaded from a fixed address, and a branch follows soon that depends on it.
func flagsOf(k *mote.Kind, starts []uint32) *flags {
	f := new(flags)
	base, code := k.Board.Chip.RAMBase, k.Program()
	limit := uint32(base) + k.Board.Chip.RAMSize
	if end, ok := k.Image.Symbol("_end"); ok && end.Addr > uint32(base) {
		limit = min(limit, end.Addr)
	}
	for n, start := range starts {
		stop := code.Words()
		if n+1 < len(starts) {
			stop = starts[n+1]
		}
		for pc := start; pc < stop; pc += code.At(pc).Length() {
			in := code.At(pc)
			if in.Op == avr.OpLds && in.K >= uint32(base) && in.K < limit && tested(code, pc+in.Length(), in.D) {
				f.at = append(f.at, uint16(in.K-uint32(base)))
			}
		}
	}
	slices.Sort(f.at)
	f.at = slices.Compact(f.at)
	if len(f.at) > mostFlags {
		f.at = f.at[:mostFlags]
	}
	if n := len(f.at); n > 0 {
		f.end = min(int(f.at[n-1])/8*8+8, int(k.Board.Chip.RAMSize))
	}
	f.mask = make([]byte, f.end)
	for _, a := range f.at {
		f.mask[a] = 1
	}
	return f
}

// tested tells whether a branch depends on a register before that gets another value. Few instructions are between a load and its test.
func tested(code *avr.Program, pc uint32, reg uint8) bool {
	const near = 6
	var depends avr.Set = 1 << reg
	for range near {
		in := code.At(pc)
		flow, _ := in.Flow()
		from := in.Reads()&depends != 0
		switch {
		case flow == avr.Branch || flow == avr.Skip:
			return from
		case flow != avr.Next:
			return false
		}
		depends &^= in.Writes()
		if from {
			depends |= in.Writes()
		}
		pc += in.Length()
	}
	return false
}

// class makes few values of many.
func class(v byte) uint64 {
	switch {
	case v < 4:
		return uint64(v)
	case v == 0xFF:
		return 5
	}
	return 4
}

// seen appends what the values of flags are now, behind a transition.
func (f *flags) seen(kind uint64, t *scout, ram []byte, dst []guide.Feature) []guide.Feature {
	for _, a := range f.at {
		if v := class(t.was[a]); v != 0 {
			dst = append(dst, guide.Hash(whileValue, kind, t.name, uint64(a)<<8|v))
		}
	}
	for n := 0; n+8 <= f.end; n += 8 {
		if binary.LittleEndian.Uint64(t.was[n:]) == binary.LittleEndian.Uint64(ram[n:]) {
			continue
		}
		for a := n; a < n+8; a++ {
			if f.mask[a] != 0 && t.was[a] != ram[a] {
				dst = f.changed(kind, a, ram, dst)
			}
		}
	}
	return dst
}

// changed appends the value of a flag, alone and with that of each other one.
func (f *flags) changed(kind uint64, at int, ram []byte, dst []guide.Feature) []guide.Feature {
	own := uint64(at)<<8 | class(ram[at])
	dst = append(dst, guide.Hash(hasValue, kind, own, 0))
	for _, a := range f.at {
		other := uint64(a)<<8 | class(ram[a])
		dst = append(dst, guide.Hash(hasPair, kind, min(own, other), max(own, other)))
	}
	return dst
}
