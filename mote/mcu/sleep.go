package mcu

import (
	"math/bits"

	"motehound/mote/chip"
	"motehound/mote/periph"
)

// sleepMode is the SM bits plus one; 0 is awake.
type sleepMode uint8

const (
	awake sleepMode = iota
	idle
	adcNoiseReduction
	powerDown
	powerSave
	_
	_
	standby
	extendedStandby
)

// sleepModes says what runs in each mode, from "Active Clock Domains and Wake-up Sources in the Different Sleep Modes"
// (ATmega128: doc2467 Table 17; ATmega2560: doc2549 Table 11-1; ATmega328P: doc8271 Table 10-1).
var sleepModes = [...]struct {
	name       string
	runs       [periph.NumClocks]bool // clkI/O, clkADC, real time
	oscillator bool                   // the main oscillator stays on: a short start-up
	crystal    bool                   // the asynchronous timer runs, and can wake the CPU
	memories   bool                   // SPM and EEPROM ready can
	adc        bool
	anything   bool // every interrupt can
}{
	awake:             {name: "awake", runs: [3]bool{true, true, true}},
	idle:              {"idle", [3]bool{true, true, true}, true, true, true, true, true},
	adcNoiseReduction: {"ADC noise reduction", [3]bool{false, true, true}, true, true, true, true, false},
	powerDown:         {"power-down", [3]bool{false, false, true}, false, false, false, false, false},
	powerSave:         {"power-save", [3]bool{false, false, true}, false, true, false, false, false},
	standby:           {"standby", [3]bool{false, false, true}, true, false, false, false, false},
	extendedStandby:   {"extended standby", [3]bool{false, false, true}, true, true, false, false, false},
}

// standbyWakeUp is the start-up time with the oscillator running ("Standby Mode": six clock cycles).
const standbyWakeUp = 6

// wakeMasks computes, for each sleep mode, the vectors that wake the CPU.
func wakeMasks(c *chip.Chip) (masks [len(sleepModes)]uint64) {
	vectors := func(names ...string) uint64 {
		var set uint64
		for n, name := range c.Vectors {
			for _, want := range names {
				if name == want {
					set |= 1 << n
				}
			}
		}
		return set
	}
	always := vectors("INT0", "INT1", "INT2", "INT3", "INT4", "INT5", "INT6", "INT7", "PCINT0", "PCINT1", "PCINT2", "TWI", "WDT")
	timer := vectors("TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF")
	if c == &chip.ATmega128 {
		timer = vectors("TIMER0_COMP", "TIMER0_OVF")
	}
	for mode := range masks {
		masks[mode] = always
		if sleepModes[mode].crystal {
			masks[mode] |= timer
		}
		if sleepModes[mode].memories {
			masks[mode] |= vectors("EE_READY", "SPM_READY")
		}
		if sleepModes[mode].adc {
			masks[mode] |= vectors("ADC")
		}
		if sleepModes[mode].anything {
			masks[mode] = ^uint64(0)
		}
	}
	return masks
}

// sleepTable is, by the value of SMCR, the mode that SLEEP enters: awake if it is not enabled.
func sleepTable(c *chip.ControlConfig) (modes [256]sleepMode) {
	for v := range modes {
		bit := func(n uint8) sleepMode { return sleepMode(v >> n & 1) }
		if bit(c.SE) != 0 {
			modes[v] = (bit(c.SM0) | bit(c.SM1)<<1 | bit(c.SM2)<<2) + 1
		}
	}
	return modes
}

// Sleep is the SLEEP instruction.
func (m *Machine) Sleep() {
	m.catchUp()
	mode := m.lay.sleep[m.st.control.smcr]
	if mode == awake {
		return
	}
	if sleepModes[mode].name == "" {
		m.note("sleep", "sleeps in a reserved mode (SM bits): taken as idle")
		mode = idle
	}
	if mode == idle || mode == adcNoiseReduction { // an enabled ADC starts a conversion on entering either
		m.dev().adc.SleepEntered(m)
	}
	if !sleepModes[mode].runs[periph.ClkIO] {
		m.Signal(periph.SigClkIOStopped)
	}
	if !sleepModes[mode].crystal {
		m.Signal(periph.SigClkAsyncStopped)
	}
	m.st.sleep, m.st.sleptAt = mode, m.core.Cycles+1
	if mode != idle { // in which every clock runs
		m.replan()
	}
	m.core.Attend()
	if m.permits.guard != 0 || m.permits.drowsy {
		m.Pause()
	}
}

// doze passes time in a sleeping chip: to the next event, to the given cycle, or to the end of its sleep.
func (m *Machine) doze(until uint64) {
	if m.st.wakeAt == 0 {
		if m.st.requests&^m.permits.blocked&m.lay.wake[m.st.sleep] != 0 && m.core.I == 1 {
			m.st.wakeAt = m.core.Cycles + m.startUp()
		} else if m.core.I == 0 && m.st.slot[m.lay.first[m.dev().watchdog.ID]] == periph.Never && !m.unfinished() {
			m.halt(StopDeadSleep)
			return
		}
	}
	if m.st.wakeAt == 0 {
		m.core.Cycles = min(until, m.st.next)
		return
	}
	if m.core.Cycles < m.st.wakeAt {
		m.core.Cycles = min(until, m.st.next, m.st.wakeAt)
		return
	}
	m.endSleep()
	m.core.Cycles += m.core.EntryCycles() // as many again before the interrupt is served ("Interrupt Response Time")
}

// unfinished reports whether a device whose clock runs is still at what it was told to do, and somebody else can notice: a USART sends, the SPI or
// the TWI moves a byte, EEPROM or flash is programmed.
func (m *Machine) unfinished() bool {
	d := m.dev()
	for i := range m.chip.USARTs {
		if d.usarts[i].S.TxBusy && m.running(periph.ClkIO) {
			return true
		}
	}
	for _, id := range [...]periph.ID{d.spi.ID, d.twi.ID, d.eeprom.ID, d.selfProg.ID} {
		for slot := m.lay.first[id]; slot < len(m.lay.slots) && m.lay.slots[slot].device == id; slot++ {
			if m.st.slot[slot] != periph.Never && m.running(m.st.slotClock[slot]) {
				return true
			}
		}
	}
	return false
}

// startUp is how many cycles pass until the clocks run again: the oscillator starts first if the mode had stopped it.
func (m *Machine) startUp() uint64 {
	switch {
	case m.st.sleep == idle || m.st.sleep == adcNoiseReduction:
		return 0
	case sleepModes[m.st.sleep].oscillator:
		return standbyWakeUp
	}
	return uint64(m.opt.WakeUp)
}

// endSleep lets the halted clocks go on.
func (m *Machine) endSleep() {
	d, mode := m.core.Cycles-m.st.sleptAt, m.st.sleep
	m.st.slept += d
	m.st.wakeAt = 0
	if mode == idle { // every clock ran
		m.st.sleep = awake
		return
	}
	runs := &sleepModes[mode].runs
	for w, word := range m.st.active {
		for ; word != 0; word &= word - 1 {
			if i := w*64 + bits.TrailingZeros64(word); !runs[m.st.slotClock[i]] {
				m.st.slot[i] += d
			}
		}
	}
	for c := range m.st.halted {
		if !runs[c] {
			m.st.halted[c] += d
		}
	}
	m.st.sleep = awake
	if !runs[periph.ClkIO] {
		m.Signal(periph.SigClkIOStarted)
	}
	if !sleepModes[mode].crystal {
		m.Signal(periph.SigClkAsyncStarted)
	}
	m.replan()
}

// SleepMode is the mode that a SLEEP instruction would enter now; "" if sleeping is not enabled.
func (m *Machine) SleepMode() string {
	switch mode := m.lay.sleep[m.st.control.smcr]; {
	case mode == awake:
		return ""
	case sleepModes[mode].name == "": // reserved
		return sleepModes[idle].name
	default:
		return sleepModes[mode].name
	}
}

// Asleep reports whether the CPU sleeps, and in which mode.
func (m *Machine) Asleep() (mode string, asleep bool) {
	return sleepModes[m.st.sleep].name, m.st.sleep != awake
}

// Halted implements periph.ClockGate: whether a clock stands still now.
func (m *Machine) Halted(c periph.Clock) bool { return !m.running(c) }
