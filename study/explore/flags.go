package explore

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/guide"
)

// flags are the variables of a program that its branches test: states of components, what is busy, what has failed.
type flags struct {
	list  []flag
	end   int     // behind the last, from the beginning of RAM; a multiple of 8
	owner []uint8 // by byte of RAM: which of the list it belongs to, from 1; 0 for none
}

// flag is a variable, or a byte of which nobody knows what it belongs to.
type flag struct {
	at, size uint16 // from the beginning of RAM
}

// mostFlags bounds the pairs.
const mostFlags = 128

// flagsOf finds them: a byte is loaded from a fixed address, and a branch follows soon that depends on it.
func flagsOf(k *mote.Kind, starts []uint32, vars *scalars) *flags {
	base, code := uint32(k.Board.Chip.RAMBase), k.Program()
	limit := base + k.Board.Chip.RAMSize
	if end, ok := k.Image.Symbol("_end"); ok && end.Addr > base {
		limit = min(limit, end.Addr)
	}
	f := new(flags)
	for n, start := range starts {
		stop := code.Words()
		if n+1 < len(starts) {
			stop = starts[n+1]
		}
		for pc := start; pc < stop; pc += code.At(pc).Length() {
			in := code.At(pc)
			if in.Op != avr.OpLds || in.K < base || in.K >= limit || !tested(code, pc+in.Length(), in.D) {
				continue
			}
			x := flag{at: uint16(in.K - base), size: 1}
			if v, ok := vars.at(in.K); ok && v.Addr >= base && v.Addr+v.Size <= limit && v.Size <= 4 {
				x = flag{at: uint16(v.Addr - base), size: uint16(v.Size)}
			}
			f.list = append(f.list, x)
		}
	}
	f.arrange(int(k.Board.Chip.RAMSize))
	return f
}

// arrange sorts the list: if there are too many, small ones stay.
func (f *flags) arrange(ram int) {
	slices.SortFunc(f.list, func(a, b flag) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.at, b.at)) })
	f.list = slices.Compact(f.list)
	f.list = f.list[:min(len(f.list), mostFlags)]
	for _, x := range f.list {
		f.end = max(f.end, min(int(x.at+x.size+7)/8*8, ram))
	}
	f.owner = make([]uint8, f.end)
	for i, x := range f.list {
		for a := x.at; a < x.at+x.size; a++ {
			f.owner[a] = uint8(i + 1)
		}
	}
}

// tested tells whether a branch depends on a register before that gets another value. Few instructions are between a load and its test.
func tested(code *avr.Program, pc uint32, reg uint8) bool {
	const near = 12
	depends := avr.Set(1) << reg
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

// code names a flag and its value. Of many values it makes few.
func (f *flags) code(i int, ram []byte) uint64 {
	x, class := f.list[i], uint64(0)
	for n := range x.size {
		v := uint64(ram[x.at+n])
		switch {
		case v == 0:
		case n == 0 && v < 4 && class == 0:
			class = v
		case x.size == 1 && v == 0xFF:
			class = 5
		default:
			class = 4
		}
	}
	if class == 0 {
		return 0
	}
	return spread(uint64(i)<<3 | class)
}

// spread makes small numbers large ones that differ in many bits.
func spread(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return (x ^ x>>32) * 0xd6e8feb86659fd93
}

// seen appends what the values of flags were when a transition began, together with what began it, and what they are now.
func (f *flags) seen(kind uint64, t *scout, ram []byte, dst []guide.Feature) []guide.Feature {
	began := spread(whileValue<<40 ^ kind<<32 ^ t.name)
	for i := range f.list {
		if c := f.code(i, t.was); c != 0 {
			dst = append(dst, guide.Feature((began^c)*(c|1)>>32).Of(meetings))
		}
	}
	t.codes = t.codes[:0]
	last := -1
	f.altered(t, ram, func(a int) {
		if i := int(f.owner[a]) - 1; i != last {
			dst = f.changed(kind, i, t, ram, dst)
			last = i
		}
	})
	return dst
}

// values appends the values of flags that have others than before a transition, each alone, and about how large they are.
func (f *flags) values(kind uint64, t *scout, ram []byte, dst []guide.Feature) []guide.Feature {
	f.altered(t, ram, func(a int) {
		dst = append(dst, guide.Hash(hasValue, kind, uint64(a), rough(uint64(ram[a]))).Of(values))
	})
	return dst
}

// rungs appends the values of small flags that a transition has changed. Small values are told apart, large ones by their size.
func (f *flags) rungs(kind uint64, t *scout, ram []byte, dst []guide.Rung) []guide.Rung {
	const exact, small = guide.Rungs / 2, 2
	last := -1
	f.altered(t, ram, func(a int) {
		i := int(f.owner[a]) - 1
		x := f.list[i]
		if i == last || x.size > small {
			return
		}
		last = i
		v := uint(ram[x.at])
		if x.size == small {
			v |= uint(ram[x.at+1]) << 8
		}
		if v >= exact {
			v = exact + uint(bits.Len(v))
		}
		dst = append(dst, guide.Rung{Variable: int(kind)*mostFlags + i, Value: uint8(v)})
	})
	return dst
}

// altered calls each for the bytes of flags that a transition has changed, in order.
func (f *flags) altered(t *scout, ram []byte, each func(at int)) {
	for n := 0; n+8 <= f.end; n += 8 {
		if binary.LittleEndian.Uint64(t.was[n:]) == binary.LittleEndian.Uint64(ram[n:]) {
			continue
		}
		for a := n; a < n+8; a++ {
			if f.owner[a] > 0 && t.was[a] != ram[a] {
				each(a)
			}
		}
	}
}

// named is a flag with its value.
func (f *flags) named(kind uint64, n int, ram []byte) uint64 {
	return spread(hasPair<<40^kind<<32) ^ f.code(n, ram) ^ spread(uint64(n))
}

// pair is the feature of two flags with their values.
func pair(a, b uint64) guide.Feature { return guide.Feature((a ^ b) * (a + b | 1) >> 32).Of(pairs) }

// alone is the feature of one.
func alone(a uint64) guide.Feature { return pair(a, spread(hasValue)).Of(values) }

// hold appends the values that flags have, unless they are zero.
func (f *flags) hold(kind uint64, ram []byte, dst []guide.Feature) []guide.Feature {
	for n := range f.list {
		if f.code(n, ram) != 0 {
			dst = append(dst, pair(f.named(kind, n, ram), spread(holdsValue)).Of(values))
		}
	}
	return dst
}

// changed appends the value of a flag, alone and with that of each other one.
func (f *flags) changed(kind uint64, i int, t *scout, ram []byte, dst []guide.Feature) []guide.Feature {
	if len(t.codes) == 0 {
		for n := range f.list {
			t.codes = append(t.codes, f.named(kind, n, ram))
		}
	}
	own := t.codes[i]
	for n, other := range t.codes {
		if n == i {
			dst = append(dst, alone(own))
		} else {
			dst = append(dst, pair(own, other))
		}
	}
	return dst
}
