package mcu

import (
	"math/bits"

	"motehound/mote/periph"
)

// UpcomingBut is Upcoming without one kind of the board's events.
func (m *Machine) UpcomingBut(kind uint8) uint64 {
	next, but := uint64(periph.Never), m.lay.first[boardID]+int(kind)
	for w, word := range m.st.active {
		for ; word != 0; word &= word - 1 {
			if i := w*64 + bits.TrailingZeros64(word); i != but && m.running(m.st.slotClock[i]) {
				next = min(next, m.st.slot[i])
			}
		}
	}
	return next
}

// Resting reports whether the CPU does nothing while every clock runs: it sleeps in idle mode and nothing wakes it yet, or it is awake and
// whoever guides the machine lets it do nothing.
func (m *Machine) Resting() bool {
	return (m.st.sleep == idle || m.st.sleep == awake) && m.st.wakeAt == 0 && m.st.reset == 0 && m.st.stop == Running
}
