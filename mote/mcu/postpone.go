package mcu

import (
	"math/bits"

	"motehound/mote/periph"
	"motehound/mote/relative"
)

// period is a number of cycles after which the CPU's clock, the picoseconds and the board's crystal lie to each other as they do now.
func (m *Machine) period() uint64 {
	r := &m.st.rate
	k := uint64(1)
	if hz := uint64(m.opt.CrystalHz); hz != 0 {
		hi, lo := bits.Mul64(r.n, hz)
		k = psPerSecond / gcd(bits.Rem64(hi, lo, psPerSecond), psPerSecond)
	}
	return k * r.d
}

// Postpone moves the machine so many Periods into the future, with everything that it plans and remembers: what it did it has done so
// much later, and what it will do it does so much later. AppendRelative does not see a difference.
func (m *Machine) Postpone(periods uint64) (by relative.Now) {
	now, cycles := m.Clocks(), periods*m.period()
	ps := cycles / m.st.rate.d * m.st.rate.n
	by = relative.Now{relative.Cycles: cycles, relative.IO: cycles, relative.ADC: cycles, relative.Real: ps}
	coreTable.Shift(&m.core.State, &now, &by)
	m.core.Cycles += cycles
	stateTable.Shift(m.st, &now, &by)
	ports, timers, usarts := m.devices()
	for i := range ports {
		ports[i].Shift(&now, &by)
	}
	for i := range timers {
		t := periph.Timer{Cfg: &m.chip.Timers[i], S: &timers[i], CrystalHz: m.opt.CrystalHz}
		t.Shift(&now, &by)
	}
	for i := range usarts {
		usarts[i].Shift(&now, &by)
	}
	for _, o := range m.others() {
		o.Shift(&now, &by)
	}
	m.memo = noInstant
	return by
}
