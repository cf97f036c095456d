package avr

// The status register is unpacked so that the arithmetic instructions have little to work out. Of an addition or a
// subtraction x = a xor b xor result, over nine bits, is kept: bit i is the carry into bit i.
//
//	Z  nz is 0
//	N  bit 7 of nz, and differ in v
//	C  bit 8 of hc
//	H  bit 4 of hc
//	V  bits 7 and 8 of v differ
//	S  N, V and another two bits of v
//
// What has an odd number of bits set there is set. Above bit 8 all bits of an x are equal.
const (
	signBit  = 1 << 7 // in nz
	sticky   = 8      // nz from here on says only that something was not 0
	halfBit  = 1 << 4 // in hc
	carryBit = 1 << 8 // in hc and v
	overflow = 1 << 7 // in v
	unlikeN  = 1 << 13
	unlikeS  = 1 << 15

	sregI = 7 // the bit of SREG
)

// carry is C as a number.
func (c *State) carry() uint32 { return uint32(c.hc) >> 8 & 1 }

// negative is N, and less S.
func (c *State) negative() bool { return (c.nz>>7^c.vx>>13^c.vx>>12)&1 != 0 }
func (c *State) less() bool {
	return (c.nz>>7^c.vx>>13^c.vx>>12^c.vx>>7^c.vx>>8^c.vx>>15^c.vx>>14)&1 != 0
}

// nvs are N, V and S where SREG has them, and ithzc the others. They are two so that each is inlined.
func (c *State) nvs() uint8 {
	x := c.vx
	n, v := (c.nz>>5^x>>11^x>>10)&4, (x>>4^x>>5)&8
	return uint8(n | v | (n<<2^v<<1^x>>11^x>>10)&0x10)
}

func (c *State) ithzc() uint8 {
	s := uint8(c.hc>>8)&1 | uint8(c.hc<<1)&0x20 | c.t<<6 | c.I<<7
	if c.nz == 0 {
		s |= 2
	}
	return s
}

// flagsSum is for s, the sum or difference of a and b, with a carry or without. It returns the result as a byte, as those
// below do.
func (c *State) flagsSum(a, b, s uint32) uint8 {
	x := uint16(a ^ b ^ s)
	c.hc, c.vx = x, x
	c.nz = uint16(uint8(s))
	return uint8(s)
}

// flagsSbc is flagsSum where Z stays clear if it was.
func (c *State) flagsSbc(a, b, s uint32) uint8 {
	x := uint16(a ^ b ^ s)
	c.hc, c.vx = x, x
	c.nz = c.nz&^0xFF | c.nz<<sticky | uint16(uint8(s))
	return uint8(s)
}

// minus is the difference of a register and b, and minusCarry one less if C is set.
func (c *State) minus(d uint8, b uint32) uint8 {
	a := uint32(c.R[d&31])
	return c.flagsSum(a, b, a-b)
}

func (c *State) minusCarry(d uint8, b uint32) uint8 {
	a := uint32(c.R[d&31])
	return c.flagsSbc(a, b, a-b-c.carry())
}

func (c *State) flagsLogic(r uint8) uint8 {
	c.nz, c.vx = uint16(r), 0
	return r
}

// flagsStep is for INC and DEC: v has V as its bit 7.
func (c *State) flagsStep(r, v uint8) uint8 {
	c.nz, c.vx = uint16(r), uint16(v&overflow)
	return r
}

// flagsShift is for right shifts of a: C is what falls out, V is N xor C.
func (c *State) flagsShift(r, a uint8) uint8 {
	c.hc = c.hc&^carryBit | uint16(a&1)<<8
	c.nz, c.vx = uint16(r), uint16((r^a<<7)&overflow)
	return r
}

// flagsWord is for ADIW and SBIW: v has V as its bit 15.
func (c *State) flagsWord(r, v uint32) {
	c.hc = c.hc&^carryBit | uint16(r>>8)&carryBit
	c.nz, c.vx = uint16(r>>8&0xFF|r<<sticky), uint16(v>>8)&overflow
}

// flagsMul leaves N, V and S as they are.
func (c *State) flagsMul(p uint16, fractional bool) {
	c.hc = c.hc&^carryBit | p>>7&carryBit
	if fractional {
		p <<= 1
	}
	c.R[0], c.R[1] = uint8(p), uint8(p>>8)
	c.vx ^= c.nz & signBit << 6
	c.nz = p<<sticky | p&^0xFF
}
