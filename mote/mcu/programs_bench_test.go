package mcu

import (
	"fmt"

	"motehound/firmware/image"
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/periph"
)

// bench is the board that the programs run on: it records what the chip does, and does to it what the script says.
type bench struct {
	m      *Machine
	chip   *chip.Chip
	image  *image.Image
	pads   map[string]periph.Pin
	script *script

	edges   []edge
	served  []service
	sent    [4][]periph.SerialChar
	shifted []uint8 // by the SPI master
	replies []uint8 // of the SPI slave
	sampled []uint64
	twi     []string
	notes   []Note
	memory  [256]uint8 // of the EEPROM on the two-wire bus
	pointer uint8
	fresh   bool // the next byte written is the pointer
	sending int  // index of the character that a stimulus sends next
	seen    map[trigger]int
	unknown string // a pad that the script names and the chip lacks
}

// edge is a change of a pad's level: from that cycle on.
type edge struct {
	pad   periph.Pin
	level bool
	cycle uint64
	ps    uint64 // of the event, or of the instruction's last cycle
}

type service struct {
	vector uint8
	cycle  uint64 // of the first instruction at the vector
}

func (b *bench) pad(name string) periph.Pin {
	p, ok := b.pads[name]
	if !ok {
		b.unknown = fmt.Sprintf("chip.h has no pad %s for the %s", name, b.chip.Name)
	}
	return p
}

// PadChanged implements periph.PadSink. What an event changes, changes at its cycle; what an instruction writes, at the
// end of it.
func (b *bench) PadChanged(p periph.Pin, level bool) {
	at := b.m.cycle()
	if !b.m.inEvent {
		at++
	}
	b.edges = append(b.edges, edge{p, level, at, b.m.Time()})
	for _, w := range b.script.wires {
		if b.pads[w.from] == p {
			b.drive(w.to, level)
		}
	}
	if b.seen == nil {
		b.seen = map[trigger]int{}
	}
	for i, s := range b.script.stimuli {
		if b.pads[s.when.pad] == p && s.when.level == level {
			k := s.when
			k.index = i // count for each stimulus of its own
			if b.seen[k]++; b.seen[k] == s.when.index {
				b.m.Plan(uint8(i), b.m.st.rate.ps(at+s.when.delay))
			}
		}
	}
}

func (b *bench) drive(pad string, level bool) {
	d := periph.DriveLow
	if level {
		d = periph.DriveHigh
	}
	b.m.SetInput(b.pad(pad), d)
}

// Event implements Outside: a stimulus is due.
func (b *bench) Event(kind uint8) {
	s := &b.script.stimuli[kind]
	switch s.verb {
	case "high", "low":
		b.drive(s.args[0], s.verb == "high")
	case "pulse": // as short as a cycle
		b.drive(s.args[0], true)
		b.drive(s.args[0], false)
	case "reset":
		b.m.Reset(External)
	case "address", "write", "read", "stop":
		b.master(s)
	case "send":
		b.send(kind, s)
	case "shift":
		for _, v := range s.data {
			b.replies = append(b.replies, b.m.dev().spi.SlaveExchange(b.m, cell.Of(v)).V())
		}
	}
}

// master is another master on the two-wire bus: SLA+W or SLA+R, bytes, STOP.
func (b *bench) master(s *stimulus) {
	twi := &b.m.dev().twi
	say := func(what string, ack bool) { b.twi = append(b.twi, what+pick(ack, "+", "-")) }
	switch s.verb {
	case "address":
		a := s.data[0]
		say(fmt.Sprintf("S%02X%s", a>>1, pick(a&1 != 0, "r", "w")), twi.SlaveStart(b.m, a>>1, a&1 != 0))
	case "write":
		say(fmt.Sprintf("%02X", s.data[0]), twi.SlaveWrite(b.m, cell.Of(s.data[0])))
	case "read": // and acknowledge it if there is an argument
		ack := len(s.data) > 0
		say(fmt.Sprintf("%02X", twi.SlaveRead(b.m, ack).V()), ack)
	case "stop":
		twi.SlaveStop(b.m, false)
		b.twi = append(b.twi, "P")
	}
}

// send puts one character of a stimulus on a line and plans the next.
func (b *bench) send(kind uint8, s *stimulus) {
	c := s.char
	bit, f := b.m.SerialRate(s.usart)
	if c.BitTime = bit * s.percent / 100; c.Format.DataBits == 0 {
		c.Format = f
	}
	v := s.data[b.sending]
	c.Data = cell.Of(v)
	b.m.Receive(s.usart, c)
	if b.sending++; b.sending < len(s.data) {
		b.m.Plan(kind, b.m.Time()+uint64(c.Format.Bits())*c.BitTime)
	} else {
		b.sending = 0
	}
}

// Sent implements periph.SerialLine.
func (b *bench) Sent(usart uint8, c periph.SerialChar) {
	b.sent[usart] = append(b.sent[usart], c)
	if b.script.echo[usart] {
		c.Start = 0
		b.m.Receive(usart, c)
	}
}

// Exchange implements periph.SPIBus: the device answers with the complement of the byte before.
func (b *bench) Exchange(out cell.Cell) cell.Cell {
	in := uint8(0x5A)
	if n := len(b.shifted); n > 0 {
		in = ^b.shifted[n-1]
	}
	b.shifted = append(b.shifted, out.V())
	return cell.Of(in)
}

// Start implements periph.TWIBus: an EEPROM of 256 bytes at address 0x50, write-protected from 0xF0 on.
func (b *bench) Start(addr uint8, read bool) bool {
	ack := addr == 0x50
	b.twi = append(b.twi, fmt.Sprintf("S%02X%s%s", addr, pick(read, "r", "w"), pick(ack, "+", "-")))
	b.fresh = !read
	return ack
}

func (b *bench) Write(c cell.Cell) bool {
	ack := true
	switch {
	case b.fresh:
		b.fresh, b.pointer = false, c.V()
	case b.pointer < 0xF0:
		b.memory[b.pointer] = c.V()
		b.pointer++
	default:
		ack = false
	}
	b.twi = append(b.twi, fmt.Sprintf("%02X%s", c.V(), pick(ack, "+", "-")))
	return ack
}

func (b *bench) Read(ack bool) cell.Cell {
	v := b.memory[b.pointer]
	b.pointer++
	b.twi = append(b.twi, fmt.Sprintf("%02X%s", v, pick(ack, "+", "-")))
	return cell.Of(v)
}

// Stop implements periph.TWIBus.
func (b *bench) Stop() { b.twi = append(b.twi, "P") }

// Sample implements periph.AnalogSource: channel n reads n*100 + 7, plus the number of samples before.
func (b *bench) Sample(channel uint8) (lo, hi cell.Cell) {
	v := uint16(channel)*100 + 7 + uint16(len(b.sampled))
	b.sampled = append(b.sampled, b.m.cycle())
	return cell.Of(uint8(v)), cell.Of(uint8(v >> 8))
}

// Millivolts implements periph.AnalogLevels: what a pad's level stands for.
func (b *bench) Millivolts(p periph.Pin) uint16 {
	if b.m.Level(p) {
		return 5000
	}
	return 0
}

// Notice implements Outside.
func (b *bench) Notice(n Note) { b.notes = append(b.notes, n) }

// Hook implements Outside.
func (b *bench) Hook(uint32) bool { return false }

// Interrupt implements Outside.
func (b *bench) Interrupt(vector uint8) { b.served = append(b.served, service{vector, b.m.Cycles()}) }

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (b *bench) DirectionChanged() {}
func (b *bench) BeforeSPI()        {}
func (b *bench) AfterSPI()         {}
