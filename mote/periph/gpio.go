package periph

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"motehound/mote/cell"
)

// PortConfig places one I/O port.
type PortConfig struct {
	Name           byte // 'A'..'L'
	PORT, DDR, PIN uint16
	Mask           uint8 // register bits that exist
	Pads           uint8 // bits that have an I/O pad (PC6 of the ATmega328P is RESET instead)
	// PINToggles: writing one to a PINx bit toggles PORTx (not on the ATmega128, where PINx is read only).
	PINToggles bool
	PUD        RegBit // pull-up disable, the same bit for all ports
	// DIDR turn digital input buffers off: bit i of the register disables the input of port bit Bits[i] - 1.
	DIDR [2]DIDRConfig
	// Modulator is the pad where two output compare units meet (OC1C and OC2 or OC0A on PB7): with both enabled the
	// pad is their AND when the PORT bit is zero, their OR when it is one ("Output Compare Modulator").
	Modulator Pin
}

// DIDRConfig is a digital input disable register. Bits says which port bit each register bit stands for, plus one;
// 0 is none.
type DIDRConfig struct {
	Register uint16
	Bits     [8]uint8
}

// Drive is what the outside does to a pad.
type Drive uint8

const (
	Floating  Drive = iota // nothing drives the pad
	DriveLow               // an output of another part
	DriveHigh              //
	PullDown               // a resistor of the board; stronger than the chip's own pull-up, weaker than any output
	PullUp                 //
)

var driveNames = [...]string{"open", "low", "high", "pull_down", "pull_up"}

// String is the name in recipes and scenarios.
func (d Drive) String() string { return driveNames[d] }

// FindDrive finds what the outside does to a pad by its name.
func FindDrive(name string) (Drive, error) {
	i := slices.Index(driveNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("no level %q of a pin: choose one of %s", name, strings.Join(driveNames[:], ", "))
	}
	return Drive(i), nil
}

// PadSink is notified of every pad whose level changed, whoever changed it.
type PadSink interface {
	PadChanged(p Pin, level bool)
}

// DirectionSink is for sinks that want to know of writes to DDR too: an output that starts at the level that the pad had
// changes no level, but can light a LED.
type DirectionSink interface {
	DirectionChanged()
}

// PortState is what changes in a port.
type PortState struct {
	// Levels is the pads' levels since cycle LevelsAt of clkI/O; Before is what they were until then. The PIN register
	// shows levels one cycle late (the synchroniser, "Reading the Pin Value").
	LevelsAt       uint64 `time:"clkio,ahead"`
	PORT, DDR      uint8
	Levels, Before uint8
	Told           uint8 // the levels of which the sink knows; equals Levels between accesses
	PUD            uint8 // 0 or 1
	DIDR           [2]uint8
	Disabled       uint8 // port bits whose input buffer DIDR turns off
	Fixed, Up      uint8 // pads that the outside holds, and which of them high
	// Two peripherals can hold one pad (the modulator); a later one has the upper slot.
	Held, High, Force [2]uint8
	Owner             [2][8]ID
	Pad               [7]uint8
}

// Port is one I/O port: ATmega128 datasheet (doc2467) "I/O Ports", ATmega640/.../2561 (doc2549) section 13,
// ATmega328P (doc8271) section 14.
type Port struct {
	Passive
	ID   ID
	Cfg  *PortConfig
	S    *PortState
	Sink PadSink
}

// SetInput says what the outside does to the pad of a bit from now on.
func (p *Port) SetInput(h Host, bit uint8, d Drive) {
	s, m := p.S, uint8(1)<<bit
	fixed, up := gpioPut(s.Fixed, m, d != Floating), gpioPut(s.Up, m, d == DriveHigh || d == PullUp)
	if fixed == s.Fixed && up == s.Up && s.Told == s.Levels {
		return // the levels are those, and everybody knows
	}
	s.Fixed, s.Up = fixed, up
	p.settle(h, h.Now(ClkIO))
}

// Override gives the output driver of a pad to a peripheral; with force it drives even where DDR says input.
func (p *Port) Override(h Host, owner ID, bit uint8, level, force bool) {
	s, m := p.S, uint8(1)<<bit
	slot := 0
	switch {
	case s.Held[0]&m == 0 || s.Owner[0][bit] == owner:
	case s.Held[1]&m == 0 || s.Owner[1][bit] == owner:
		slot = 1
	default:
		slot = 1
		h.Notice(p.ID, "three-drivers", "three peripherals drive one pad of port "+string(rune(p.Cfg.Name))+"; the last one wins")
	}
	if s.Held[slot]&m != 0 && s.Owner[slot][bit] == owner && !force && p.driving()&m == 0 {
		s.High[slot] = gpioPut(s.High[slot], m, level) // nobody sees it
		return
	}
	s.Owner[slot][bit] = owner
	s.Held[slot] |= m
	s.High[slot] = gpioPut(s.High[slot], m, level)
	s.Force[slot] = gpioPut(s.Force[slot], m, force)
	p.settle(h, h.Now(ClkIO))
}

// Release gives the pad back to PORT and DDR, or to the other peripheral that holds it.
func (p *Port) Release(h Host, owner ID, bit uint8) {
	s, m := p.S, uint8(1)<<bit
	switch {
	case s.Held[1]&m != 0 && s.Owner[1][bit] == owner:
	case s.Held[0]&m != 0 && s.Owner[0][bit] == owner:
		s.Held[0] = s.Held[0]&^m | s.Held[1]&m
		s.High[0] = s.High[0]&^m | s.High[1]&m
		s.Force[0] = s.Force[0]&^m | s.Force[1]&m
		s.Owner[0][bit] = s.Owner[1][bit]
	default:
		return
	}
	s.Held[1] &^= m
	s.High[1] &^= m
	s.Force[1] &^= m
	s.Owner[1][bit] = 0
	if s.Held[0]&m == 0 {
		s.Owner[0][bit] = 0
	}
	p.settle(h, h.Now(ClkIO))
}

// Level is the level at the pad of a bit now.
func (p *Port) Level(bit uint8) bool { return p.S.Levels>>bit&1 != 0 }

// IsOutput reports whether the bit's DDR bit is set.
func (p *Port) IsOutput(bit uint8) bool { return p.S.DDR>>bit&1 != 0 }

// driving is the mask of pads whose output driver is on, by DDR or by a peripheral.
func (p *Port) driving() uint8 {
	s := p.S
	return (s.DDR | s.Held[0]&s.Force[0] | s.Held[1]&s.Force[1]) & p.Cfg.Pads
}

// settle works out the pads' levels, effective at cycle t of clkI/O, and tells the sink. The sink may come back with
// SetInput while it is told.
func (p *Port) settle(h Host, t uint64) {
	s := p.S
	out := s.PORT
	out = out&^s.Held[0] | s.High[0]&s.Held[0]
	upper := s.High[1]
	if m := p.Cfg.Modulator; m != NoPin && s.Held[0]&s.Held[1]&(1<<m.Bit()) != 0 {
		b := uint8(1) << m.Bit()
		both := s.High[0] & s.High[1]
		if s.PORT&b != 0 {
			both = s.High[0] | s.High[1]
		}
		upper = upper&^b | both&b
	}
	out = out&^s.Held[1] | upper&s.Held[1]

	pull := s.PORT &^ s.DDR
	if s.PUD != 0 {
		pull = 0
	}
	in := s.Up | pull&^s.Fixed
	driving := p.driving()
	levels := (out&driving | in&^driving) & p.Cfg.Pads
	if levels != s.Levels {
		if t > s.LevelsAt {
			s.Before, s.LevelsAt = s.Levels, t
		}
		s.Levels = levels
	}
	for s.Told != s.Levels {
		m := s.Told ^ s.Levels
		m &= -m
		s.Told ^= m
		if p.Sink != nil {
			p.Sink.PadChanged(P(p.Cfg.Name, uint8(bits.TrailingZeros8(m))), s.Levels&m != 0)
		}
	}
}

// pin is the PIN register at cycle t: the levels that stood when the cycle before began.
func (p *Port) pin(t uint64) uint8 {
	v := p.S.Levels
	if t <= p.S.LevelsAt {
		v = p.S.Before
	}
	return v &^ p.S.Disabled
}

// Read returns PORT, DDR, PIN, and this port's share of the PUD and DIDR registers.
func (p *Port) Read(h Host, addr uint16) cell.Cell { return cell.Of(p.Peek(h, addr)) }

// Peek is Read: reading a port has no side effects.
func (p *Port) Peek(h Host, addr uint16) uint8 {
	c, s := p.Cfg, p.S
	switch addr {
	case c.PORT:
		return s.PORT
	case c.DDR:
		return s.DDR
	case c.PIN:
		return p.pin(h.Now(ClkIO))
	case c.PUD.Reg:
		return s.PUD << c.PUD.Bit
	}
	for i, d := range c.DIDR {
		if addr == d.Register {
			return s.DIDR[i]
		}
	}
	return 0
}

func (p *Port) Write(h Host, addr uint16, v cell.Cell) {
	c, s := p.Cfg, p.S
	switch addr {
	case c.PORT:
		s.PORT = v.V() & c.Mask
	case c.DDR:
		s.DDR = v.V() & c.Mask
	case c.PIN:
		if !c.PINToggles {
			return
		}
		s.PORT ^= v.V() & c.Mask
	case c.PUD.Reg:
		s.PUD = v.V() >> c.PUD.Bit & 1
	default:
		p.disable(addr, v.V())
		return
	}
	// A register takes its new value at the end of the cycle that writes it.
	p.settle(h, h.Now(ClkIO)+1)
	if addr == c.DDR {
		if sink, ok := p.Sink.(DirectionSink); ok {
			sink.DirectionChanged()
		}
	}
}

// disable is a write to a DIDR register.
func (p *Port) disable(addr uint16, v uint8) {
	s := p.S
	s.Disabled = 0
	for i, d := range p.Cfg.DIDR {
		for b, to := range d.Bits {
			if to == 0 {
				continue
			}
			m := uint8(1) << b
			if addr == d.Register {
				s.DIDR[i] = s.DIDR[i]&^m | v&m
			}
			if s.DIDR[i]&m != 0 {
				s.Disabled |= 1 << (to - 1)
			}
		}
	}
}

// WriteBit is SBI and CBI, which on chips whose PINx toggles touch that bit only.
func (p *Port) WriteBit(h Host, addr uint16, bit uint8, set bool) {
	m := uint8(1) << bit
	switch addr {
	case p.Cfg.PORT:
		p.Write(h, addr, cell.Of(gpioPut(p.S.PORT, m, set)))
	case p.Cfg.DDR:
		p.Write(h, addr, cell.Of(gpioPut(p.S.DDR, m, set)))
	case p.Cfg.PIN:
		if set {
			p.Write(h, addr, cell.Of(m))
		}
	}
}

// Reset makes all pads inputs without pull-up, "even if no clocks are running". The outside is not reset.
func (p *Port) Reset(h Host, _ bool) {
	s := p.S
	s.PORT, s.DDR, s.PUD, s.DIDR, s.Disabled = 0, 0, 0, [2]uint8{}, 0
	s.Held, s.High, s.Force, s.Owner = [2]uint8{}, [2]uint8{}, [2]uint8{}, [2][8]ID{}
	p.settle(h, h.Now(ClkIO))
}

// Registers lists what the port claims.
func (p *Port) Registers() []uint16 {
	c := p.Cfg
	return []uint16{c.PORT, c.DDR, c.PIN, c.PUD.Reg, c.DIDR[0].Register, c.DIDR[1].Register}
}

func gpioPut(v, m uint8, on bool) uint8 {
	if on {
		return v | m
	}
	return v &^ m
}
