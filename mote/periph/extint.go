package periph

import "motehound/mote/cell"

// ExtIntLine is one of INT7:0.
type ExtIntLine struct {
	Pin    Pin
	Vector uint8
	// Async: edges are found without clkI/O, so they wake the chip from every sleep mode.
	Async bool
	// NoAnyEdge: ISCn = 01 is reserved (INT3:0 of the ATmega128, Table 48) instead of "any logical change".
	NoAnyEdge bool
}

// ExtIntConfig places the external interrupts. Two bits per line: lines 3:0 in EICRA, 7:4 in EICRB.
type ExtIntConfig struct {
	EICRA, EICRB, EIMSK, EIFR uint16
	Lines                     [8]ExtIntLine
}

// ExtIntState is what changes in the external interrupts. Bit n of each mask is line n.
type ExtIntState struct {
	EICRA, EICRB, EIMSK, EIFR uint8
	Now                       uint8 // pin levels as the asynchronous detectors see them
	Seen                      uint8 // pin levels as the synchroniser last sampled them
	Due                       uint8 // synchronous lines whose edge was seen, on its way to the flag
	Sampling                  uint8 // 1 while a sample is due
}

// ClockGate says which clocks the present sleep mode halts.
type ClockGate interface {
	Halted(c Clock) bool
}

// ExtInt is the external interrupts: doc2467 "External Interrupts", doc2549 section 15, doc8271 section 13.
type ExtInt struct {
	Passive
	ID  ID
	Cfg *ExtIntConfig
	S   *ExtIntState
}

// Interrupt sense control, Tables 48 and 50 of doc2467.
const (
	iscLow = iota
	iscAny
	iscFalling
	iscRising
)

// A pad's change is sampled on the first clock edge after it, and reaches a flag on the third (doc8271 Figure 13-1,
// drawn for pin change; the datasheets draw none for INTn, whose synchroniser is taken to be the same).
const (
	extSampleCycles = 1
	extFlagCycles   = 3
)

// Event kinds: the sample of the synchronous lines, then, per line, the flag that follows.
const (
	extSample   uint8 = 0
	extFlag     uint8 = 1 // + line
	extNumKinds       = 1 + 8
)

func (x *ExtInt) sense(line int) uint8 {
	if line < 4 {
		return x.S.EICRA >> (2 * line) & 3
	}
	return x.S.EICRB >> (2 * (line - 4)) & 3
}

// matches reports whether the change to the level is the edge that the line waits for.
func (x *ExtInt) matches(line int, level bool) bool {
	switch x.sense(line) {
	case iscAny:
		return !x.Cfg.Lines[line].NoAnyEdge
	case iscFalling:
		return !level
	case iscRising:
		return level
	}
	return false
}

// Pins lists the lines' pads.
func (x *ExtInt) Pins() []Pin {
	var pins []Pin
	for _, l := range x.Cfg.Lines {
		if l.Pin != NoPin {
			pins = append(pins, l.Pin)
		}
	}
	return pins
}

// PinChanged is notified of the new level of a line's pad.
func (x *ExtInt) PinChanged(h Host, p Pin, level bool) {
	for i, l := range x.Cfg.Lines {
		if l.Pin != p || p == NoPin {
			continue
		}
		m := uint8(1) << i
		if level == (x.S.Now&m != 0) {
			continue
		}
		x.S.Now ^= m
		switch {
		case x.sense(i) == iscLow:
			x.request(h, i)
		case l.Async && x.matches(i, level):
			x.raise(h, i)
		}
		if !l.Async && x.S.Sampling == 0 {
			x.S.Sampling = 1
			h.At(x.ID, extSample, ClkIO, h.Now(ClkIO)+extSampleCycles)
		}
	}
}

// Event samples the synchronous lines, or ends the way of an edge to its flag. A pulse that came and went between two
// samples is not seen, and neither is one while a sleep mode held clkI/O.
func (x *ExtInt) Event(h Host, kind uint8) {
	if kind >= extFlag {
		line := kind - extFlag
		if x.S.Due>>line&1 != 0 {
			x.S.Due &^= 1 << line
			if x.sense(int(line)) != iscLow { // it may have become a level line meanwhile
				x.raise(h, int(line))
			}
		}
		return
	}
	x.S.Sampling = 0
	for i, l := range x.Cfg.Lines {
		m := uint8(1) << i
		if l.Async || (x.S.Now^x.S.Seen)&m == 0 {
			continue
		}
		x.S.Seen ^= m
		if x.matches(i, x.S.Seen&m != 0) && x.S.Due&m == 0 {
			x.S.Due |= m
			h.At(x.ID, extFlag+uint8(i), ClkIO, h.Now(ClkIO)+extFlagCycles-extSampleCycles)
		}
	}
}

func (x *ExtInt) raise(h Host, line int) {
	m := uint8(1) << line
	if x.S.EIFR&m != 0 {
		return
	}
	x.S.EIFR |= m
	x.request(h, line)
	if line == 0 {
		h.Signal(SigExternalInterrupt0)
	}
}

// request tells the chip whether the line asks for its interrupt: a level line as long as it is low and enabled, with
// no flag; an edge line by its flag.
func (x *ExtInt) request(h Host, line int) {
	l, m := &x.Cfg.Lines[line], uint8(1)<<line
	if l.Vector == 0 {
		return
	}
	on := x.S.EIFR&m != 0
	if x.sense(line) == iscLow {
		on = x.S.Now&m == 0
	}
	h.Request(l.Vector, on && x.S.EIMSK&m != 0)
}

func (x *ExtInt) requestAll(h Host) {
	for i := range x.Cfg.Lines {
		if x.sense(i) == iscLow {
			x.S.EIFR &^= 1 << i // "always cleared when configured as a level interrupt"
		}
		x.request(h, i)
	}
}

// lines is the mask of the lines that the chip has.
func (x *ExtInt) lines() uint8 {
	var m uint8
	for i, l := range x.Cfg.Lines {
		if l.Vector != 0 {
			m |= 1 << i
		}
	}
	return m
}

// Read returns a register.
func (x *ExtInt) Read(h Host, addr uint16) cell.Cell { return cell.Of(x.Peek(h, addr)) }

// Peek is Read: no register has side effects.
func (x *ExtInt) Peek(_ Host, addr uint16) uint8 {
	switch addr {
	case x.Cfg.EICRA:
		return x.S.EICRA
	case x.Cfg.EICRB:
		return x.S.EICRB
	case x.Cfg.EIMSK:
		return x.S.EIMSK
	case x.Cfg.EIFR:
		return x.S.EIFR
	}
	return 0
}

func (x *ExtInt) Write(h Host, addr uint16, v cell.Cell) {
	switch addr {
	case x.Cfg.EICRA:
		x.S.EICRA = v.V() & extPairs(x.lines())
	case x.Cfg.EICRB:
		x.S.EICRB = v.V() & extPairs(x.lines()>>4)
	case x.Cfg.EIMSK:
		x.S.EIMSK = v.V() & x.lines()
	case x.Cfg.EIFR:
		x.S.EIFR &^= v.V()
	}
	x.requestAll(h)
}

// WriteBit is SBI and CBI, which on chips with EIFR in their reach touch that bit only.
func (x *ExtInt) WriteBit(h Host, addr uint16, bit uint8, set bool) {
	writeBit(x, h, addr, addr == x.Cfg.EIFR, bit, set)
}

// Vectors implements Device.
func (x *ExtInt) Vectors() (list []uint8) {
	for _, l := range x.Cfg.Lines {
		list = append(list, l.Vector)
	}
	return list
}

// Served clears the flag of an edge line.
func (x *ExtInt) Served(h Host, vector uint8) {
	for i, l := range x.Cfg.Lines {
		if l.Vector == vector && vector != 0 {
			x.S.EIFR &^= 1 << i
			x.request(h, i)
		}
	}
}

// Reset disables all lines and takes the pads' levels as they are.
func (x *ExtInt) Reset(h Host, _ bool) {
	*x.S = ExtIntState{}
	for i, l := range x.Cfg.Lines {
		if l.Pin != NoPin && h.Level(l.Pin) {
			x.S.Now |= 1 << i
		}
	}
	x.S.Seen = x.S.Now
	for kind := range uint8(extNumKinds) {
		h.At(x.ID, kind, ClkIO, Never)
	}
	x.requestAll(h)
}

// Registers lists what the device claims.
func (x *ExtInt) Registers() []uint16 {
	return []uint16{x.Cfg.EICRA, x.Cfg.EICRB, x.Cfg.EIMSK, x.Cfg.EIFR}
}

// Kinds is how many kinds of events there are.
func (x *ExtInt) Kinds() int { return extNumKinds }

// extPairs doubles each of the low four bits: the ISC bits of the lines that exist.
func extPairs(lines uint8) uint8 {
	var m uint8
	for i := range 4 {
		if lines>>i&1 != 0 {
			m |= 3 << (2 * i)
		}
	}
	return m
}

// PinChangeBank is eight pads with one mask register and one interrupt.
type PinChangeBank struct {
	PCMSK  uint16
	Vector uint8
	Pins   [8]Pin
}

// PinChangeConfig places the pin change interrupts. Bit n of PCICR and PCIFR is bank n.
type PinChangeConfig struct {
	PCICR, PCIFR uint16
	Banks        [3]PinChangeBank
}

// PinChangeState is what changes in the pin change interrupts.
type PinChangeState struct {
	PCICR, PCIFR uint8
	PCMSK        [3]uint8
	// Changed banks have a change in the synchroniser, on its way to the flag.
	Changed uint8
	Pad     [2]uint8
}

// PinChange is the pin change interrupts: doc2549 section 15, doc8271 section 13.
type PinChange struct {
	Passive
	ID  ID
	Cfg *PinChangeConfig
	S   *PinChangeState
	// Gate reports whether the chip sleeps without clkI/O, where a change shows at once. Without a gate it always does.
	Gate ClockGate
}

// Pins lists the pads of all banks.
func (x *PinChange) Pins() []Pin {
	var pins []Pin
	for _, b := range x.Cfg.Banks {
		for _, p := range b.Pins {
			if p != NoPin {
				pins = append(pins, p)
			}
		}
	}
	return pins
}

// PinChanged raises the flag of the pad's bank if the pad is unmasked: three clock edges later (doc8271 Figure 13-1),
// or at once where the clock is halted and the change is what wakes the chip.
func (x *PinChange) PinChanged(h Host, p Pin, _ bool) {
	for i := range x.Cfg.Banks {
		for bit, q := range x.Cfg.Banks[i].Pins {
			if q != p || p == NoPin || x.S.PCMSK[i]>>bit&1 == 0 {
				continue
			}
			if x.Gate == nil || x.Gate.Halted(ClkIO) {
				x.raise(h, i)
				continue
			}
			if x.S.Changed>>i&1 == 0 {
				x.S.Changed |= 1 << i
				h.At(x.ID, uint8(i), ClkIO, h.Now(ClkIO)+extFlagCycles)
			}
		}
	}
}

// Event ends the synchroniser's delay of a bank.
func (x *PinChange) Event(h Host, bank uint8) {
	if x.S.Changed>>bank&1 != 0 {
		x.raise(h, int(bank))
	}
}

func (x *PinChange) raise(h Host, bank int) {
	m := uint8(1) << bank
	x.S.Changed &^= m
	x.S.PCIFR |= m
	x.request(h)
}

func (x *PinChange) request(h Host) {
	for i := range x.Cfg.Banks {
		if v := x.Cfg.Banks[i].Vector; v != 0 {
			h.Request(v, x.S.PCIFR&x.S.PCICR>>i&1 != 0)
		}
	}
}

func (x *PinChange) banks() uint8 {
	var m uint8
	for i := range x.Cfg.Banks {
		if x.Cfg.Banks[i].Vector != 0 {
			m |= 1 << i
		}
	}
	return m
}

// Read returns a register.
func (x *PinChange) Read(h Host, addr uint16) cell.Cell { return cell.Of(x.Peek(h, addr)) }

// Peek is Read: no register has side effects.
func (x *PinChange) Peek(_ Host, addr uint16) uint8 {
	switch addr {
	case x.Cfg.PCICR:
		return x.S.PCICR
	case x.Cfg.PCIFR:
		return x.S.PCIFR
	}
	for i := range x.Cfg.Banks {
		if addr == x.Cfg.Banks[i].PCMSK {
			return x.S.PCMSK[i]
		}
	}
	return 0
}

func (x *PinChange) Write(h Host, addr uint16, v cell.Cell) {
	switch addr {
	case x.Cfg.PCICR:
		x.S.PCICR = v.V() & x.banks()
	case x.Cfg.PCIFR:
		x.S.PCIFR &^= v.V()
	default:
		for i := range x.Cfg.Banks {
			b := &x.Cfg.Banks[i]
			if addr != b.PCMSK {
				continue
			}
			var pads uint8
			for bit, p := range b.Pins {
				if p != NoPin {
					pads |= 1 << bit
				}
			}
			x.S.PCMSK[i] = v.V() & pads
		}
	}
	x.request(h)
}

// WriteBit is SBI and CBI, which on these chips touch that bit only.
func (x *PinChange) WriteBit(h Host, addr uint16, bit uint8, set bool) {
	writeBit(x, h, addr, addr == x.Cfg.PCIFR, bit, set)
}

// writeBit writes a bit of a register and leaves the others: in flags, which ones clear, by writing zeros there.
func writeBit(d Device, h Host, addr uint16, flags bool, bit uint8, set bool) {
	old := d.Peek(h, addr)
	if flags {
		old = 0
	}
	d.Write(h, addr, cell.Of(gpioPut(old, 1<<bit, set)))
}

// Vectors implements Device.
func (x *PinChange) Vectors() (list []uint8) {
	for _, b := range x.Cfg.Banks {
		list = append(list, b.Vector)
	}
	return list
}

// Served clears the bank's flag.
func (x *PinChange) Served(h Host, vector uint8) {
	for i := range x.Cfg.Banks {
		if x.Cfg.Banks[i].Vector == vector && vector != 0 {
			x.S.PCIFR &^= 1 << i
		}
	}
	x.request(h)
}

// Reset masks all pads.
func (x *PinChange) Reset(h Host, _ bool) {
	*x.S = PinChangeState{}
	for i := range x.Cfg.Banks {
		h.At(x.ID, uint8(i), ClkIO, Never)
	}
	x.request(h)
}

// Registers lists what the device claims.
func (x *PinChange) Registers() []uint16 {
	r := []uint16{x.Cfg.PCICR, x.Cfg.PCIFR}
	for i := range x.Cfg.Banks {
		r = append(r, x.Cfg.Banks[i].PCMSK)
	}
	return r
}

// Kinds is one event for each bank.
func (x *PinChange) Kinds() int { return len(x.Cfg.Banks) }
