package mcu

// A machine whose interrupts need no permit may still have some wait for a while, so that others come first.

// Withhold has these vectors wait to be served, until it is called again; 0 ends it. It is no part of the machine's state, and not for one
// whose interrupts need permits: whoever withholds vectors says so again after the machine was put into another state.
func (m *Machine) Withhold(vectors uint64) {
	m.permits.blocked = vectors
	m.ask()
}

// AlertAsleep pauses the machine when its CPU falls asleep.
func (m *Machine) AlertAsleep(on bool) { m.permits.drowsy = on }

// Rose is the vectors for which Alert has paused the machine since it was last asked.
func (m *Machine) Rose() (vectors uint64) {
	vectors, m.permits.rose = m.permits.rose, 0
	return vectors
}
