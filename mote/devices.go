package mote

import (
	"motehound/mote/block"
	"motehound/mote/board"
	"motehound/mote/cell"
	"motehound/mote/periph"
)

// busState is how far the transfers with a board's devices are. A board without devices has none.
type busState struct {
	register [board.MaxDevices]uint8
	begins   [board.MaxDevices]uint8 // 1: the next byte chooses the register
	chosen   uint8                   // of those on the TWI: its index and 1
	Pad      [7]uint8
}

// busPlace is where the busState lies in the board's memory, behind the radio's.
func busPlace(b *board.Board) int {
	at := radioPlace
	if b.Radio != nil {
		at += (block.SizeOf(b.Radio.State) + 7) / 8
	}
	return at
}

// device finds a device on the TWI; -1 if there is none.
func (m *Mote) device(address uint8) int {
	for i, d := range m.Kind.Board.Devices {
		if d.Select == periph.NoPin && d.Address == address {
			return i
		}
	}
	return -1
}

// selected finds the device on the SPI that is chosen; -1 if none is.
func (m *Mote) selected() int {
	for i, d := range m.Kind.Board.Devices {
		if d.Select != periph.NoPin && m.IsOutput(d.Select) && !m.Level(d.Select) {
			return i
		}
	}
	return -1
}

// selectPad begins a transfer on the SPI when a device is chosen.
func (m *Mote) selectPad(p periph.Pin, level bool) {
	for i, d := range m.Kind.Board.Devices {
		if d.Select == p && !level {
			m.bus.begins[i] = 1
		}
	}
}

// tell sends a device a byte.
func (m *Mote) tell(i int, c cell.Cell) {
	if m.bus.begins[i] != 0 {
		m.bus.begins[i], m.bus.register[i] = 0, c.V()
		return
	}
	m.bus.register[i]++
}

// answer is the next byte of a device.
func (m *Mote) answer(i int) cell.Cell {
	v := m.Kind.Board.Devices[i].Table[m.bus.register[i]]
	m.bus.register[i]++
	return cell.Of(v)
}

// Exchange implements periph.SPIBus: a device that is chosen, or the radio, if it is a slave. The upper bit of a register's number says
// whether it is read or written.
func (o outside) Exchange(out cell.Cell) cell.Cell {
	if i := o.selected(); i >= 0 {
		if o.bus.begins[i] != 0 {
			o.tell(i, cell.Of(out.V()&0x7F))
			return cell.Of(0xFF)
		}
		return o.answer(i)
	}
	if o.slave != nil {
		in := o.slave.SPI(radioHost{o.Mote}, out)
		o.draws()
		return in
	}
	return cell.Of(0xFF)
}

// Start implements periph.TWIBus: a device answers if it is there.
func (o outside) Start(address uint8, read bool) bool {
	i := o.device(address)
	if i < 0 {
		return false
	}
	o.bus.chosen, o.bus.begins[i] = uint8(i)+1, 1
	if read {
		o.bus.begins[i] = 0
	}
	return true
}

// Write implements periph.TWIBus.
func (o outside) Write(c cell.Cell) bool {
	if o.bus == nil || o.bus.chosen == 0 {
		return false
	}
	o.tell(int(o.bus.chosen)-1, c)
	return true
}

// Read implements periph.TWIBus.
func (o outside) Read(bool) cell.Cell {
	if o.bus == nil || o.bus.chosen == 0 {
		return cell.Of(0xFF)
	}
	return o.answer(int(o.bus.chosen) - 1)
}

// Stop implements periph.TWIBus.
func (o outside) Stop() {
	if o.bus != nil {
		o.bus.chosen = 0
	}
}
