package mote

// PowerOff takes the board's power away, now. Memory that needs power is lost and lights go out; a transmission under way ends.
// Program flash, EEPROM and external flash keep their contents. What reaches the mote is lost until PowerUp.
func (m *Mote) PowerOff() {
	m.Machine.PowerOff()
	m.powerParts()
	m.powerRadio()
}

// PowerUp gives the power back, at a moment in picoseconds since the mote was first switched on. Serial input that began
// before is lost as a whole.
func (m *Mote) PowerUp(ps uint64) {
	m.up(ps)
	m.missInput(m.Time())
}

// PowerCycle takes the power away for a moment too short for anything else to happen: serial input goes on.
func (m *Mote) PowerCycle() {
	m.PowerOff()
	m.up(m.Time())
}

func (m *Mote) up(ps uint64) {
	m.Machine.PowerUp(ps)
	m.powerParts()
	m.powerRadio()
}
