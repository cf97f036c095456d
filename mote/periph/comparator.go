package periph

import "motehound/mote/cell"

// AnalogLevels is the voltages at the pads.
type AnalogLevels interface {
	Millivolts(p Pin) uint16
}

// SensorLevels is AnalogLevels which know what sensors are at the ADC's channels.
type SensorLevels interface {
	// Sensed is the voltage of the sensor at a channel; ok says that there is one.
	Sensed(channel uint8) (millivolts uint16, ok bool)
}

// AnalogMux is the ADC's input multiplexer, which the comparator borrows while the ADC is off.
type AnalogMux interface {
	// ComparatorInput is the pad and channel that MUX2:0 (and MUX5) select; ok says that the ADC is off and lends it.
	ComparatorInput() (p Pin, channel uint8, ok bool)
}

// ComparatorConfig places the analog comparator.
type ComparatorConfig struct {
	ACSR              uint16
	Vector            uint8
	ACME              RegBit // in SFIOR (ATmega128) or ADCSRB
	AIN0, AIN1        Pin
	BandgapMillivolts uint16
}

// ComparatorState is what changes in the comparator.
type ComparatorState struct {
	ACSR    uint8 // without ACO
	ACO     uint8 // 0 or 1, after the synchroniser
	Raw     uint8 // 0 or 1, before it
	ACME    uint8 // 0 or 1
	Syncing uint8 // 1 while a change is in the synchroniser
	Pad     [3]uint8
}

// Comparator is the analog comparator: doc2467 "Analog Comparator", doc2549 section 25, doc8271 section 23.
type Comparator struct {
	Passive
	ID     ID
	Cfg    *ComparatorConfig
	S      *ComparatorState
	Levels AnalogLevels
	Mux    AnalogMux
}

const (
	acACD  = 0x80
	acACBG = 0x40
	acACO  = 0x20
	acACI  = 0x10
	acACIE = 0x08
	acACIC = 0x04
	acACIS = 0x03
)

// Analog Comparator Interrupt Mode Select.
const (
	acToggle = iota
	acReserved
	acFalling
	acRising
)

// "The synchronization introduces a delay of 1 - 2 clock cycles": a change that comes with a clock edge takes two.
const comparatorSyncCycles = 2

// The one kind of event: a change leaves the synchroniser.
const comparatorSync uint8 = 0

// ComparatorInput is the ADC's side of the AnalogMux.
func (a *ADC) ComparatorInput() (p Pin, channel uint8, ok bool) {
	ch := a.S.ADMUX & 7
	if a.Cfg.MUX5.Reg != 0 && a.S.ADCSRB>>a.Cfg.MUX5.Bit&1 != 0 {
		ch += 8
	}
	return a.Cfg.Channels[ch], ch, !a.enabled() && a.S.PRADC == 0
}

// levelChanged is called when the voltage at a pad may have changed.
func (x *Comparator) levelChanged(h Host) {
	if x.compare() == x.S.Raw {
		return
	}
	x.S.Raw ^= 1
	if x.S.Syncing == 0 {
		x.S.Syncing = 1
		h.At(x.ID, comparatorSync, ClkIO, h.Now(ClkIO)+comparatorSyncCycles)
	}
}

// compare is the output before the synchroniser: AIN0 or the bandgap reference above AIN1 or the multiplexer.
func (x *Comparator) compare() uint8 {
	if x.S.ACSR&acACD != 0 || x.Levels == nil {
		return 0
	}
	pos := x.Cfg.BandgapMillivolts
	if x.S.ACSR&acACBG == 0 {
		pos = x.Levels.Millivolts(x.Cfg.AIN0)
	}
	if pos > x.negative() {
		return 1
	}
	return 0
}

// negative is the voltage of AIN1, or what the multiplexer lends: a sensor, or else the pad's level.
func (x *Comparator) negative() uint16 {
	channel, lent := x.Borrows()
	if !lent {
		return x.Levels.Millivolts(x.Cfg.AIN1)
	}
	if s, ok := x.Levels.(SensorLevels); ok {
		if mv, ok := s.Sensed(channel); ok {
			return mv
		}
	}
	p, _, _ := x.Mux.ComparatorInput()
	return x.Levels.Millivolts(p)
}

// Borrows gives the channel of the multiplexer that the comparator looks at, if it does.
func (x *Comparator) Borrows() (channel uint8, ok bool) {
	if x.S.ACSR&acACD != 0 || x.S.ACME == 0 || x.Mux == nil {
		return 0, false
	}
	_, channel, ok = x.Mux.ComparatorInput()
	return channel, ok
}

// Sensed looks at a sensor again, whose reading has changed.
func (x *Comparator) Sensed(h Host) { x.levelChanged(h) }

// Event passes a change through the synchroniser.
func (x *Comparator) Event(h Host, _ uint8) {
	s := x.S
	s.Syncing = 0
	if s.ACO == s.Raw {
		return
	}
	s.ACO = s.Raw
	if s.ACSR&acACIC != 0 {
		if s.ACO != 0 {
			h.Signal(SigComparatorRise)
		} else {
			h.Signal(SigComparatorFall)
		}
	}
	switch s.ACSR & acACIS {
	case acToggle:
	case acFalling:
		if s.ACO != 0 {
			return
		}
	case acRising:
		if s.ACO == 0 {
			return
		}
	case acReserved:
		return
	}
	if s.ACSR&acACI == 0 {
		s.ACSR |= acACI
		x.request(h)
		h.Signal(SigAnalogComparator)
	}
}

func (x *Comparator) request(h Host) {
	h.Request(x.Cfg.Vector, x.S.ACSR&(acACI|acACIE) == acACI|acACIE)
}

// Pins lists AIN0 and AIN1. An input that the ADC's multiplexer lends is looked at when the multiplexer moves.
func (x *Comparator) Pins() []Pin { return []Pin{x.Cfg.AIN0, x.Cfg.AIN1} }

// PinChanged looks at the inputs again.
func (x *Comparator) PinChanged(h Host, _ Pin, _ bool) { x.levelChanged(h) }

// Signals: the ADC's multiplexer moves the negative input.
func (x *Comparator) Signals() []Signal { return []Signal{SigADCMuxToComparator} }

// Signalled compares again.
func (x *Comparator) Signalled(h Host, _ Signal) { x.levelChanged(h) }

// Read returns ACSR, or this device's bit of the register that holds ACME.
func (x *Comparator) Read(h Host, addr uint16) cell.Cell { return cell.Of(x.Peek(h, addr)) }

// Peek is Read: no side effects.
func (x *Comparator) Peek(_ Host, addr uint16) uint8 {
	switch addr {
	case x.Cfg.ACSR:
		return x.S.ACSR | x.S.ACO*acACO
	case x.Cfg.ACME.Reg:
		return x.S.ACME << x.Cfg.ACME.Bit
	}
	return 0
}

// Write to ACSR with ACI set clears the flag; SBI and CBI do so too where they reach it (ATmega128).
func (x *Comparator) Write(h Host, addr uint16, v cell.Cell) {
	s := x.S
	switch addr {
	case x.Cfg.ACSR:
		s.ACSR = v.V()&(acACD|acACBG|acACIE|acACIC|acACIS) | s.ACSR&acACI&^v.V()
		x.request(h)
	case x.Cfg.ACME.Reg:
		s.ACME = v.V() >> x.Cfg.ACME.Bit & 1
	}
	x.levelChanged(h)
}

// Vectors implements Device.
func (x *Comparator) Vectors() []uint8 { return []uint8{x.Cfg.Vector} }

// Served clears ACI.
func (x *Comparator) Served(h Host, _ uint8) {
	x.S.ACSR &^= acACI
	x.request(h)
}

// Reset leaves the comparator on, as it is after reset, with its output settled.
func (x *Comparator) Reset(h Host, _ bool) {
	*x.S = ComparatorState{}
	x.S.Raw = x.compare()
	x.S.ACO = x.S.Raw
	h.At(x.ID, comparatorSync, ClkIO, Never)
	x.request(h)
}

// Registers lists what the comparator claims.
func (x *Comparator) Registers() []uint16 { return []uint16{x.Cfg.ACSR, x.Cfg.ACME.Reg} }

// Kinds is how many kinds of events there are.
func (x *Comparator) Kinds() int { return 1 }
