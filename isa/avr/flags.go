package avr

// Flags of the arithmetic instructions, in the unpacked form that State describes.

func (c *State) flagsAdd(a, b, r uint8) {
	c.zr, c.nr = r, r
	v := (a ^ r) & (b ^ r)
	c.vr, c.sr = v, r^v
	c.hr = a ^ b ^ r
}

func (c *State) flagsSub(a, b, r uint8) {
	c.nr = r
	v := (a ^ b) & (a ^ r)
	c.vr, c.sr = v, r^v
	c.hr = a ^ b ^ r
}

func (c *State) flagsLogic(r uint8) {
	c.zr, c.nr, c.vr, c.sr = r, r, 0, r
}

// flagsShift is for right shifts: V is N xor C.
func (c *State) flagsShift(r, carry uint8) {
	c.zr, c.nr, c.cr = r, r, carry
	v := r ^ carry<<7
	c.vr, c.sr = v, carry<<7
}

func (c *State) flagsMul(p uint16, fractional bool) {
	c.cr = uint8(p >> 15)
	if fractional {
		p <<= 1
	}
	c.R[0], c.R[1] = uint8(p), uint8(p>>8)
	c.zr = uint8(p) | uint8(p>>8)
}

// branchFlag is the SREG bit that the n-th conditional branch tests.
var branchFlag = [8]uint8{1, 2, 4, 8, 16, 32, 64, 128}
