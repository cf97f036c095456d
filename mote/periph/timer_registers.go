package periph

import "motehound/mote/cell"

// The register file of a timer.

// Registers lists what the timer claims; flag, mask, prescaler and power registers are shared with others.
func (t *Timer) Registers() []uint16 {
	c := t.Cfg
	regs := []uint16{c.TCCRA, c.TCCRB, c.TCCRC, c.TCNTL, c.TCNTH, c.ICRL, c.ICRH, c.ASSR, c.PRTIM.Reg, c.ACIC.Reg}
	regs = append(regs, c.OCRL[:]...)
	regs = append(regs, c.OCRH[:]...)
	for f := range c.Flags {
		regs = append(regs, c.Flags[f].TIMSK, c.Flags[f].TIFR)
	}
	seen := map[uint16]bool{0: true}
	var out []uint16
	for _, r := range regs {
		if !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// bit is one control bit as it is in force.
func (t *Timer) bit(b RegBit) bool {
	switch b.Reg {
	case 0:
		return false
	case t.Cfg.TCCRA:
		return t.S.TCCRA>>b.Bit&1 != 0
	case t.Cfg.TCCRB:
		return t.S.TCCRB>>b.Bit&1 != 0
	}
	panic("BUG: timer control bit outside TCCRA and TCCRB")
}

func timerBits(bits ...bool) uint8 {
	v := uint8(0)
	for i, b := range bits {
		if b {
			v |= 1 << i
		}
	}
	return v
}

// field is a control field of width bits from b up.
func (t *Timer) field(b RegBit, width uint8) uint8 {
	v := uint8(0)
	for i := range width {
		v |= timerBits(t.bit(RegBit{b.Reg, b.Bit + i})) << i
	}
	return v
}

func (t *Timer) read(h Host, addr uint16) uint8 {
	c, s := t.Cfg, t.S
	switch addr {
	case c.TCCRA:
		return t.visible(latchTCCRA, s.TCCRA)
	case c.TCCRB:
		return t.visible(latchTCCRB, s.TCCRB)
	case c.TCCRC:
		return 0
	case c.TCNTL:
		return t.split(t.readable(h))
	case c.ICRL:
		return t.split(s.ICR)
	case c.TCNTH, c.ICRH:
		return s.Temp
	case c.ASSR:
		return t.readASSR()
	}
	for x := range c.units() {
		switch addr {
		case c.OCRL[x]:
			if x < 2 {
				return t.visible(latchOCRA+x, uint8(s.Buf[x]))
			}
			return uint8(s.Buf[x])
		case c.OCRH[x]: // "Reading the OCR1A/B 16-bit register does not involve using the temporary register"
			return uint8(s.Buf[x] >> 8)
		}
	}
	return t.readShared(addr)
}

// readShared answers for registers of which only some bits are the timer's.
func (t *Timer) readShared(addr uint16) uint8 {
	v := uint8(0)
	for f := range t.Cfg.Flags {
		switch cfg := &t.Cfg.Flags[f]; addr {
		case cfg.TIMSK:
			v |= t.S.Enabled >> f & 1 << cfg.Bit
		case cfg.TIFR:
			v |= t.S.Flags >> f & 1 << cfg.Bit
		}
	}
	if addr == t.Cfg.PRTIM.Reg && t.S.Gated {
		v |= 1 << t.Cfg.PRTIM.Bit
	}
	return v
}

// Write takes a byte for one of the timer's registers.
func (t *Timer) Write(h Host, addr uint16, v cell.Cell) {
	t.write(h, addr, v.V())
	t.plan(h)
}

// WriteBit is SBI or CBI on a flag register or on the comparator's ACSR: only the addressed bit is touched.
func (t *Timer) WriteBit(h Host, addr uint16, bit uint8, set bool) {
	if addr == t.Cfg.ACIC.Reg {
		if bit == t.Cfg.ACIC.Bit {
			t.S.Comparator = set
		}
		return
	}
	if set {
		t.Write(h, addr, cell.Of(1<<bit))
	}
}

func (t *Timer) write(h Host, addr uint16, v uint8) {
	c, s := t.Cfg, t.S
	if t.writeFlags(h, addr, v) {
		return
	}
	t.settle(h)
	switch addr {
	case c.TCCRA:
		t.latch(h, latchTCCRA, v)
		return
	case c.TCCRB:
		t.latch(h, latchTCCRB, v)
		return
	case c.TCCRC:
		t.force(h, addr, v)
		return
	case c.TCNTL:
		t.latch(h, latchTCNT, v)
		return
	case c.ICRL:
		if t.waveform().Top == topICR { // only then can it be written (section 16.6.1)
			s.ICR = t.join(v)
		}
		return
	case c.TCNTH, c.ICRH:
		s.Temp = v
		return
	case c.ASSR:
		t.writeASSR(h, v)
		return
	}
	for x := range c.units() {
		switch addr {
		case c.OCRL[x]:
			if x < 2 {
				t.latch(h, latchOCRA+x, v)
			} else {
				t.setOCR(x, t.join(v))
			}
		case c.OCRH[x]:
			s.Temp = v
		}
	}
	if addr == c.PRTIM.Reg {
		s.Gated = v>>c.PRTIM.Bit&1 != 0
	}
	if addr == c.ACIC.Reg {
		s.Comparator = v>>c.ACIC.Bit&1 != 0
	}
}

// writeFlags takes writes to TIMSK and TIFR. They work on the flags of this cycle, so a flag that rises at its end survives
// being cleared.
func (t *Timer) writeFlags(h Host, addr uint16, v uint8) bool {
	mine := false
	for i := range t.Cfg.Flags {
		cfg, f := &t.Cfg.Flags[i], TimerFlagIndex(i)
		if cfg.TIMSK == 0 || addr != cfg.TIMSK && addr != cfg.TIFR {
			continue
		}
		if !mine {
			t.sync(h)
			mine = true
		}
		on := v >> cfg.Bit & 1
		switch {
		case addr == cfg.TIMSK:
			t.S.Enabled = t.S.Enabled&^(1<<f) | on<<f
			t.request(h, f)
		case on != 0:
			t.lower(h, f)
		}
	}
	return mine
}

// latch writes one of the registers that asynchronous operation delays.
func (t *Timer) latch(h Host, r int, v uint8) {
	if t.S.Async {
		t.delay(h, r, v)
		return
	}
	t.apply(h, r, v)
}

// apply puts a written register in force.
func (t *Timer) apply(h Host, r int, v uint8) {
	s := t.S
	switch r {
	case latchTCNT:
		s.Count = t.join(v)
		s.Blocked = true
	case latchOCRA, latchOCRB:
		t.setOCR(r-latchOCRA, t.join(v))
	case latchTCCRA:
		s.TCCRA = v &^ t.strobes(t.Cfg.TCCRA)
		t.decode(h)
		t.force(h, t.Cfg.TCCRA, v)
	case latchTCCRB:
		s.TCCRB = v &^ t.strobes(t.Cfg.TCCRB)
		t.decode(h)
		t.force(h, t.Cfg.TCCRB, v)
	}
}

// strobes is the mask of the force-output-compare bits in a register: they read as zero.
func (t *Timer) strobes(reg uint16) uint8 {
	m := uint8(0)
	for _, f := range t.Cfg.FOC {
		if f.Reg == reg {
			m |= 1 << f.Bit
		}
	}
	return m
}

// force is the force-output-compare strobe; it sets no flag and does not clear the counter, and is for the modes without PWM.
func (t *Timer) force(h Host, reg uint16, v uint8) {
	for x := range t.Cfg.units() {
		f := t.Cfg.FOC[x]
		if f.Reg == reg && v>>f.Bit&1 != 0 && !t.waveform().pwm() && t.comActive(x) {
			t.match(h, x)
		}
	}
}

// setOCR writes a compare register: at once, or into its buffer in the PWM modes.
func (t *Timer) setOCR(x int, v uint16) {
	if w := t.waveform(); w.pwm() && w.Top != topOCRA && w.Top != topICR {
		v &= w.Top // "the unused bits are masked to zero when any of the OCR1x Registers are written"
	}
	t.S.Buf[x] = v
	if !t.buffered() {
		t.S.OCR[x] = v
	}
}

// decode reads the control registers and gives pads to the compare units, or takes them back.
func (t *Timer) decode(h Host) {
	s := t.S
	s.WGM = timerBits(t.bit(t.Cfg.WGM[0]), t.bit(t.Cfg.WGM[1]), t.bit(t.Cfg.WGM[2]), t.bit(t.Cfg.WGM[3]))
	s.CS = t.field(t.Cfg.CS, 3)
	if !t.buffered() {
		s.OCR = s.Buf
	}
	if !t.waveform().dual() {
		s.Down = false
	}
	if t.waveform().Kind == WaveReserved {
		h.Notice(t.ID, t.Cfg.Name+" reserved waveform", t.Cfg.Name+
			": the WGM bits select a reserved waveform generation mode; it counts as in normal mode")
	}
	for x := range t.Cfg.units() {
		s.COM[x] = t.field(t.Cfg.COM[x], 2)
		out := t.comActive(x) && t.Cfg.OC[x] != NoPin
		switch {
		case out && !s.Out[x]:
			s.Out[x] = true
			h.Drive(t.ID, t.Cfg.OC[x], s.OC[x], false)
		case !out && s.Out[x]:
			s.Out[x] = false
			h.Release(t.ID, t.Cfg.OC[x])
		}
	}
}
