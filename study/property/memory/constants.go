package memory

import (
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// constant is an address that the code makes from immediate operands, or that a variable is initialised with.
type constant struct {
	v     uint16
	owner *object // by a relocation; nil when that is not known
	start bool    // an object starts there
}

// AVR relocation types of the immediate operands of LDI, SUBI and SBCI (the negative ones add an address by subtracting).
const (
	relLo8, relHi8       = 6, 7
	relLo8Neg, relHi8Neg = 9, 10
	relAbs16             = 4
)

// constants finds the address constants of the code. The two halves of one are in two instructions, and both have its number.
type constants struct {
	code    *code
	objects []object
	lo, hi  uint16 // data addresses that count as addresses of variables
	list    []constant
	half    []uint16 // by word address of the instruction: number of its constant, plus one
	relocs  map[uint32]image.Reloc
}

func findConstants(c *code, objects []object, lo, hi uint16) *constants {
	k := &constants{code: c, objects: objects, lo: lo, hi: hi, half: make([]uint16, c.end), relocs: map[uint32]image.Reloc{}}
	for _, r := range c.im.Relocs {
		if r.Space == image.Flash {
			k.relocs[r.Off/2] = r
		}
	}
	for pc := uint32(0); pc < c.end; pc++ {
		if c.begins[pc] && !c.startup[pc] {
			k.sums(pc)
			k.neighbours(pc)
		}
	}
	for pc := uint32(0); pc < c.end; pc++ {
		if c.begins[pc] && c.leader[pc] && !c.startup[pc] {
			k.distant(pc)
		}
	}
	return k
}

// add numbers a constant, if it is an address. With relocations, only what has one is.
func (k *constants) add(v uint16, lo, hi uint32) {
	if len(k.list) >= maxConstants {
		return
	}
	c := constant{v: v}
	if len(k.code.im.Relocs) > 0 {
		r, ok := k.relocs[lo]
		if !ok || r.Type != relLo8 && r.Type != relLo8Neg || r.Value < dataSpace {
			return
		}
		c.owner = k.owner(r)
	}
	if v < k.lo || v > k.hi {
		return
	}
	k.list = append(k.list, c)
	k.half[lo], k.half[hi] = uint16(len(k.list)), uint16(len(k.list))
}

// dataSpace is what the tools add to data addresses.
const dataSpace = 0x800000

// owner is the object of the symbol that a relocation names. A section's name stands for any of its variables.
func (k *constants) owner(r image.Reloc) *object {
	if r.Sym == "" || r.Sym[0] == '.' {
		return nil
	}
	o := find(k.objects, uint16(r.Value))
	if o == nil || !o.named || o.lo != uint16(r.Value) {
		return nil
	}
	return o
}

// sums finds SUBI, SBCI of a pair: an address is added to what the pair holds. More SBCIs make it a long number.
func (k *constants) sums(pc uint32) {
	in := k.code.program.At(pc)
	if in.Op != avr.OpSubi || in.D&1 != 0 {
		return
	}
	second, ok := k.code.behind(pc)
	if !ok {
		return
	}
	hi := k.code.program.At(second)
	if hi.Op != avr.OpSbci || hi.D != in.D+1 {
		return
	}
	if third, ok := k.code.behind(second); ok && k.code.program.At(third).Op == avr.OpSbci {
		return
	}
	k.add(-uint16(in.K|hi.K<<8), pc, second)
}

// neighbours finds the usual ways to load a constant: LDI of both registers of a pair, or for registers below r16 through another
// one.
func (k *constants) neighbours(pc uint32) {
	var at [4]uint32
	var in [4]avr.Inst
	n := 0
	for p, ok := pc, true; ok && n < 4; p, ok = k.code.behind(p) {
		at[n], in[n] = p, k.code.program.At(p)
		n++
	}
	switch {
	case n < 2 || in[0].Op != avr.OpLdi:
	case in[1].Op == avr.OpLdi && in[1].D == in[0].D^1 && k.half[at[0]] == 0:
		lo, hi := 0, 1
		if in[0].D&1 == 1 {
			lo, hi = 1, 0
		}
		k.add(uint16(in[lo].K|in[hi].K<<8), at[lo], at[hi])
	case n == 4 && in[1].Op == avr.OpMov && in[2].Op == avr.OpLdi && in[3].Op == avr.OpMov && in[1].R == in[0].D &&
		in[3].R == in[2].D && in[2].D == in[0].D && in[1].D&1 == 0 && in[3].D == in[1].D+1:
		k.add(uint16(in[0].K|in[2].K<<8), at[0], at[2])
	}
}

// distant pairs the LDIs of a run of code that are further apart, by the pair of registers that they end up in.
func (k *constants) distant(start uint32) {
	var from [32]uint32 // the LDI whose value a register holds, plus one
	for pc, ok := start, true; ok; pc, ok = k.code.next(pc) {
		in := k.code.program.At(pc)
		switch in.Op {
		case avr.OpLdi:
			from[in.D] = pc + 1
		case avr.OpMov:
			from[in.D] = from[in.R]
		case avr.OpMovw:
			from[in.D], from[in.D+1] = from[in.R], from[in.R+1]
		default:
			for r := range in.Results().Registers {
				from[r] = 0
			}
			continue
		}
		d := in.D &^ 1
		if lo, hi := from[d], from[d+1]; lo != 0 && hi != 0 && k.half[lo-1] == 0 && k.half[hi-1] == 0 {
			k.add(uint16(k.code.program.At(lo-1).K|k.code.program.At(hi-1).K<<8), lo-1, hi-1)
		}
	}
}

// initialised finds the pointers among initialised variables: what the start-up code copies from flash. It gives the constant's
// number, plus one, of each byte of SRAM from base on.
func (k *constants) initialised(base uint16, size int) []uint16 {
	tags := make([]uint16, size)
	im := k.code.im
	load, ok1 := im.Symbol("__data_load_start")
	start, ok2 := im.Symbol("__data_start")
	end, ok3 := im.Symbol("__data_end")
	if !ok1 || !ok2 || !ok3 {
		return tags
	}
	put := func(addr uint32) {
		at := load.Addr + addr - start.Addr
		if addr < start.Addr || addr+2 > end.Addr || int(at)+1 >= len(im.Flash) || int(addr)+1-int(base) >= size {
			return
		}
		v := uint16(im.Flash[at]) | uint16(im.Flash[at+1])<<8
		if v < k.lo || v >= k.hi || len(k.list) >= maxConstants {
			return
		}
		k.list = append(k.list, constant{v: v})
		tags[addr-uint32(base)], tags[addr+1-uint32(base)] = uint16(len(k.list)), uint16(len(k.list))
	}
	for _, v := range im.Vars() {
		if v.Space == image.Data && !v.Register {
			pointers(v.Type, v.Addr, put)
		}
	}
	return tags
}

// pointers visits the addresses of the pointers to data in a variable.
func pointers(t *image.Type, addr uint32, put func(addr uint32)) {
	t = bare(t)
	switch t.Kind {
	case image.KindPointer:
		if bare(t.Elem).Kind != image.KindCode {
			put(addr)
		}
	case image.KindArray:
		if e := bare(t.Elem); e.Size > 0 && e.Kind > image.KindEnum {
			for i := range min(t.Count, 4096) {
				pointers(e, addr+i*e.Size, put)
			}
		}
	case image.KindStruct:
		for _, f := range t.Fields {
			if f.BitSize == 0 {
				pointers(f.Type, addr+f.Offset, put)
			}
		}
	}
}
