package mcu

import (
	"motehound/mote/cell"
	"motehound/mote/periph"
)

// SetBit is SBI and CBI.
func (m *Machine) SetBit(addr uint16, mask uint8, on bool) {
	if m.chip.SingleBitIO {
		m.catchUp()
		if claim := m.lay.claim[addr]; len(claim) == 1 {
			if b, ok := m.dev().devs[claim[0]].(periph.BitWriter); ok {
				b.WriteBit(m, addr, lowestBit(uint64(mask)), on)
				return
			}
		}
	}
	if r := m.lay.register[addr]; r.access == sole {
		m.catchUp()
		d := m.dev().devs[r.device]
		if p, ok := d.(*periph.Port); ok {
			p.WriteBit(m, addr, lowestBit(uint64(mask)), on) // the same, sooner: reading a port does nothing
			return
		}
		v := withBit(d.Read(m, addr).V(), mask, on)
		if m.counting {
			m.writes(addr, v)
		}
		d.Write(m, addr, cell.Of(v))
		return
	}
	m.Store(addr, withBit(m.Load(addr), mask, on))
}

func withBit(v, mask uint8, on bool) uint8 {
	if on {
		return v | mask
	}
	return v &^ mask
}
