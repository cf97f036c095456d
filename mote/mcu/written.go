package mcu

import "motehound/mote/periph"

// CountWrites has the machine count how often its program writes to devices.
func (m *Machine) CountWrites() { m.counting = true }

// Written is how often the program has written to devices, unless with what they hold. Those to ports do not count: see Ports.
func (m *Machine) Written() uint64 { return m.written }

// Ports feeds what the ports drive, and in which direction, to a visitor.
func (m *Machine) Ports(visit func(port int, value, direction uint8)) {
	d := m.dev()
	for i := range m.chip.Ports {
		visit(i, d.ports[i].S.PORT, d.ports[i].S.DDR)
	}
}

func (m *Machine) writes(addr uint16, v uint8) {
	if int(addr) >= len(m.lay.claim) || (waited{m}).Keeps(addr, v) {
		return
	}
	if claim := m.lay.claim[addr]; len(claim) == 1 {
		if _, port := m.dev().devs[claim[0]].(*periph.Port); port {
			return
		}
	}
	m.written++
}
