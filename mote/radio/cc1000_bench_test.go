package radio

import (
	"testing"

	"motehound/mote/cell"
)

// cc1000Bench is a Host and BitPort that do nothing.
type cc1000Bench struct{ now, at uint64 }

func (b *cc1000Bench) Time() uint64                     { return b.now }
func (b *cc1000Bench) Plan(kind uint8, at uint64)       { b.at = at }
func (b *cc1000Bench) SetPin(uint8, bool)               {}
func (b *cc1000Bench) Release(uint8)                    {}
func (b *cc1000Bench) CatchUp()                         {}
func (b *cc1000Bench) Replan()                          {}
func (b *cc1000Bench) SwitchOn(uint64, Carrier)         {}
func (b *cc1000Bench) Emit(uint64, uint64, cell.Cell)   {}
func (b *cc1000Bench) SwitchOff(uint64)                 {}
func (b *cc1000Bench) Choose(uint32) uint32             { return 0 }
func (b *cc1000Bench) Notice(string, string)            {}
func (b *cc1000Bench) Shown() (cell.Cell, uint8)        { return 0, 0 }
func (b *cc1000Bench) ShiftBit(bool) bool               { return false }
func (b *cc1000Bench) ShiftByte(in cell.Cell) cell.Cell { return in }

// BenchmarkCC1000IdleByte is the cost of one byte of noise.
func BenchmarkCC1000IdleByte(b *testing.B) {
	x := &cc1000Bench{}
	r := cc1000{S: new(cc1000State), Modem: x, Crystal: 14_745_600}
	r.PowerUp(x)
	r.S.Xtal, r.S.Reg[cc1000MAIN], r.S.Reg[cc1000MODEM0] = cc1000Running, 0x11, 0x55
	r.configure(x)
	b.ReportAllocs()
	for b.Loop() {
		x.now = x.at
		r.Event(x, cc1000Clock)
	}
}
