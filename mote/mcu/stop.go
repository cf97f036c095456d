package mcu

import "motehound/isa/avr"

// Stop is why a machine cannot go on by itself.
type Stop uint8

const (
	Running       Stop = iota
	StopBreak          // BREAK without a debugger
	StopBadOpcode      // an instruction that the chip does not have
	StopOffCode        // erased flash was executed
	StopDeadSleep      // asleep with interrupts off and no watchdog, and its devices are done: only a reset ends it
	StopHook           // a watcher asked for it
	StopOff            // without power
	numStops
)

var stopNames = [numStops]string{"running", "break", "bad_opcode", "off_code", "dead_sleep", "watch", "off"}

func (s Stop) String() string { return stopNames[s] }

// Stopped is why the machine stands, Running if it does not.
func (m *Machine) Stopped() Stop { return m.st.stop }

// Resume lets a machine go on that a watcher or BREAK stopped.
func (m *Machine) Resume() {
	if m.st.stop == StopBreak {
		m.core.PC++
	}
	m.st.stop = Running
}

func (m *Machine) halt(s Stop) {
	m.st.stop = s
	m.core.Attend()
}

// Halt implements avr.Bus.
func (m *Machine) Halt(why avr.Halt) {
	switch why {
	case avr.HaltBreak:
		m.halt(StopBreak)
	case avr.HaltErased:
		m.halt(StopOffCode)
	default:
		m.halt(StopBadOpcode)
	}
}

// Hook implements avr.Bus.
func (m *Machine) Hook(pc uint32) bool {
	if m.out.Hook(pc) {
		m.halt(StopHook)
		return true
	}
	return false
}
