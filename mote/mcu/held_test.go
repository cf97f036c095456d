package mcu

import (
	"math/rand/v2"
	"testing"

	"motehound/isa/avr"
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/periph"
)

// nobody is an Outside that is never needed.
type nobody struct{ Outside }

func (nobody) Exchange(c cell.Cell) cell.Cell { return ^c }
func (nobody) Notice(Note)                    {}
func (nobody) DirectionChanged()              {}
func (nobody) PadChanged(periph.Pin, bool)    {}
func (nobody) Millivolts(periph.Pin) uint16   { return 0 }

// A register that the core writes and reads by itself has the value that its device shows, and everything else is as if the
// device had been asked.
func TestHeld(t *testing.T) {
	for _, c := range chip.All() {
		random := rand.New(rand.NewPCG(1, 2))
		design := NewDesign(c, Options{Hertz: 8_000_000})
		const out, in = 0xBF0F, 0xB70F // OUT 0x3F, r16 and IN r16, 0x3F: all bits of the address set
		var flash []byte
		word := func(w uint16) { flash = append(flash, byte(w), byte(w>>8)) }
		var addrs []uint16
		shown := 0
		for a := range uint16(avr.IORegisters) {
			w := a&0x30<<5 | a&0xF
			word(out&^0x060F | w)
			word(in&^0x060F | w)
			addrs = append(addrs, a+avr.IOBase)
		}
		program := avr.Compile(flash, c.FlashSize/2, c.Has)
		held, asked := design.New(program, flash, nil, nobody{}), design.New(program, flash, nil, nobody{})
		asked.core.Bus = struct{ *Machine }{asked}
		for _, m := range []*Machine{held, asked} {
			m.PowerOn(0)
			m.dev()
		}
		own := held.core.Held
		for range 2000 {
			i := random.IntN(len(addrs))
			if a := uint32(addrs[i]); own.Shown[i] == nil && a != own.Sleep.Addr && a != own.Data.Addr && addrs[i] != c.SPI.SPSR {
				continue
			}
			shown++
			v := uint8(random.Uint32())
			for _, m := range []*Machine{held, asked} {
				m.core.PC, m.core.R[16] = uint32(2*i), v
				m.Step()
				m.core.R[16] = 0
				m.Step()
			}
			if held.core.State != asked.core.State || *held.st != *asked.st {
				t.Fatalf("%s: %#x to %s: r16 is %#x, not %#x", c.Name, v, c.RegisterName(addrs[i]), held.core.R[16], asked.core.R[16])
			}
			if p := own.Shown[i]; p != nil && *p != held.Peek(addrs[i]) {
				t.Errorf("%s: %s shows %#x, but is %#x", c.Name, c.RegisterName(addrs[i]), *p, held.Peek(addrs[i]))
			}
		}
		if shown < 200 || own.Sleep.Addr == 0 || own.Data.Addr == 0 {
			t.Errorf("%s: only %d accesses of registers that are held", c.Name, shown)
		}
	}
}

// New makes a powered-off machine of a Design that runs a program; PowerOn starts it. Flash and EEPROM contents beyond
// the slices are erased; the slices must not change afterwards.
func (d *Design) New(p *avr.Program, flash, eeprom []byte, out Outside) *Machine {
	m := new(Machine)
	d.Init(m, p, flash, eeprom, out)
	return m
}
