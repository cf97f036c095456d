package mcu

// A machine that nobody guides may still be told that some interrupts have to wait for a while, so that others come first.

// Withhold has these vectors wait to be served, until it is called again; 0 ends it. It is no part of the machine's state, and not for one
// that is guided: whoever withholds vectors says so again after the machine was put into another state.
func (m *Machine) Withhold(vectors uint64) {
	m.guide.blocked = vectors
	m.ask()
}

// AlertAsleep pauses the machine when its CPU falls asleep.
func (m *Machine) AlertAsleep(on bool) { m.guide.drowsy = on }

// Rose is the vectors for which Alert has paused the machine since it was last asked.
func (m *Machine) Rose() (vectors uint64) {
	vectors, m.guide.rose = m.guide.rose, 0
	return vectors
}
