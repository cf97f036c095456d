package lift

import "motehound/isa/avr"

// plain is the plainest chip, run by lifting: I/O registers and addresses without memory only hold what is written to them.
type plain struct {
	Numbers
	r           [32]uint8
	flags       [avr.NumFlags]Lazy[Bits]
	sp          uint16
	rampz, eind uint8
	data        *[1 << 16]uint8
	flash       []byte
	elpm, wide  bool
	acts        []avr.Op
	stored      []uint16
}

func (p *plain) setSREG(v uint8) {
	for f := range p.flags {
		p.flags[f] = Bit(bitsOf(1, uint64(v>>f)))
	}
}

func (p *plain) sreg() uint8 { return uint8(PackSREG[Bits](p).V) }

func (p *plain) Reg(r uint8) Bits                 { return Bits{uint64(p.r[r]), 8} }
func (p *plain) SetReg(r uint8, v Bits)           { p.r[r] = byteOf(v) }
func (p *plain) Flag(f avr.Flag) Lazy[Bits]       { return p.flags[f] }
func (p *plain) SetFlag(f avr.Flag, v Lazy[Bits]) { p.flags[f] = v }
func (p *plain) SP() Bits                         { return Bits{uint64(p.sp), 16} }
func (p *plain) RAMPZ() Bits                      { return Bits{uint64(p.rampz), 8} }
func (p *plain) SetRAMPZ(v Bits)                  { p.rampz = byteOf(v) & p.rampzMask() }
func (p *plain) EIND() Bits                       { return Bits{uint64(p.eind), 8} }
func (p *plain) Act(op avr.Op)                    { p.acts = append(p.acts, op) }

func (p *plain) SetSP(v Bits) {
	if v.Width != 16 {
		panic("BUG: SP is of the wrong width")
	}
	p.sp = uint16(v.V)
}

func byteOf(v Bits) uint8 {
	if v.Width != 8 {
		panic("BUG: a byte is of the wrong width")
	}
	return uint8(v.V)
}

func (p *plain) rampzMask() uint8 {
	if p.wide {
		return 3
	}
	return 1
}

func (p *plain) Load(addr Bits) Bits {
	if addr.Width != 16 {
		panic("BUG: an address is of the wrong width")
	}
	a := uint16(addr.V)
	v := p.data[a]
	switch {
	case a < 32:
		v = p.r[a]
	case a == avr.AddrSREG:
		v = p.sreg()
	case a == avr.AddrSPL:
		v = uint8(p.sp)
	case a == avr.AddrSPH:
		v = uint8(p.sp >> 8)
	case a == avr.AddrRAMPZ && p.elpm:
		v = p.rampz
	case a == avr.AddrEIND && p.wide:
		v = p.eind
	}
	return Bits{uint64(v), 8}
}

func (p *plain) Store(addr, x Bits) {
	a, v := uint16(addr.V), byteOf(x)
	switch {
	case a < 32:
		p.r[a] = v
	case a == avr.AddrSREG:
		UnpackSREG[Bits](p, x)
		p.flags[avr.FlagI] = Bit(bitsOf(1, uint64(v>>7)))
	case a == avr.AddrSPL:
		p.sp = p.sp&0xFF00 | uint16(v)
	case a == avr.AddrSPH:
		p.sp = p.sp&0xFF | uint16(v)<<8
	case a == avr.AddrRAMPZ && p.elpm:
		p.rampz = v & p.rampzMask()
	case a == avr.AddrEIND && p.wide:
		p.eind = v & 1
	default:
		p.data[a] = v
		p.stored = append(p.stored, a)
	}
}

func (p *plain) SetBit(a uint16, mask uint8, on bool) {
	p.data[a] &^= mask
	if on {
		p.data[a] |= mask
	}
	p.stored = append(p.stored, a)
}

func (p *plain) ProgByte(addr Bits) Bits {
	if addr.Width != 24 {
		panic("BUG: a flash address is of the wrong width")
	}
	return Bits{uint64(p.flash[addr.V%uint64(len(p.flash))]), 8}
}

// flat is the same chip around avr.Core.
type flat struct {
	core  avr.Core
	data  [1 << 16]uint8
	flash []byte
	acts  []avr.Op
	halts int
}

func (f *flat) Load(a uint16) uint8     { return f.data[a] }
func (f *flat) Store(a uint16, v uint8) { f.data[a] = v }
func (f *flat) SetBit(a uint16, mask uint8, on bool) {
	f.data[a] &^= mask
	if on {
		f.data[a] |= mask
	}
}
func (f *flat) ProgByte(a uint32) uint8 { return f.flash[int(a)%len(f.flash)] }
func (f *flat) ProgWord(pc uint32) uint16 {
	i := int(pc) * 2 % len(f.flash)
	return uint16(f.flash[i]) | uint16(f.flash[i+1])<<8
}
func (f *flat) Sleep()             { f.acts = append(f.acts, avr.OpSleep) }
func (f *flat) WatchdogReset()     { f.acts = append(f.acts, avr.OpWdr) }
func (f *flat) SelfProgram(uint32) { f.acts = append(f.acts, avr.OpSpm) }
func (f *flat) Halt(avr.Halt)      { f.halts++ }
func (f *flat) Hook(uint32) bool   { return false }
