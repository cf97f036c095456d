package explore

import (
	"fmt"
	"slices"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/world"
)

// Unpressed says which pins motes wait for, by interrupts that are enabled once they have booted, while nothing outside ever changes them. Pins of
// a radio do not count, nor do pins that a mote drives itself.
func (s *System) Unpressed() (list []string) {
	for i, m := range s.world().Motes() {
		info := &s.sh.motes[i]
		for _, w := range Waits(m) {
			changed := slices.ContainsFunc(info.acts, func(a act) bool { return a.kind == world.SetPin && !a.reset && a.pin == w.Pin })
			if !changed {
				list = append(list, fmt.Sprintf("mote %d waits for %s on pin %s, but nothing changes it (use --button %s, or pin in a scenario)", m.ID(), m.Chip().Vectors[w.Vector], w.Pin, w.Pin))
			}
		}
	}
	return list
}

// Unsensed says which motes without a kernel read their ADC, while nothing was said about what it reads: code for other readings was not exercised. (Those with a kernel read it when they are asked to.)
func (s *System) Unsensed() (list []string) {
	for i, m := range s.world().Motes() {
		told := slices.ContainsFunc(s.sh.cfg.Sensors, func(x world.Sensor) bool { return x.Mote == i })
		if k := s.sh.motes[i].kind; !told && k.profile.Kernel == kernel.None && readsADC(k.kind) {
			list = append(list, fmt.Sprintf("mote %d reads its ADC, which has one reading all the time (motehound fuzz tries others; or use --sensor, or sensor in a scenario)", m.ID()))
		}
	}
	return list
}

// readsADC tells whether a program or one of its handlers reads a result of the ADC.
func readsADC(k *mote.Kind) bool {
	x := k.Board.Chip.ADC
	if x == nil {
		return false
	}
	return slices.ContainsFunc(append(k.Handlers(), 0), func(from uint32) bool {
		return reaches(k.Program(), from, func(in avr.Inst) bool {
			return (in.Op == avr.OpLds || in.Op == avr.OpIn) && (in.K == uint32(x.ADCL) || in.K == uint32(x.ADCH))
		})
	})
}

// WaitedPin is a pin for which an interrupt waits.
type WaitedPin struct {
	Vector uint8
	Pin    periph.Pin
}

// Waits are the pins for which a mote's enabled interrupts wait, without those of its radio and those that it drives itself.
func Waits(m *mote.Mote) (list []WaitedPin) {
	c := m.Chip()
	_, radio := m.Kind.RadioVectors()
	waits := func(vector uint8, p periph.Pin) {
		if vector != 0 && radio>>vector&1 == 0 && !drives(m, p) {
			list = append(list, WaitedPin{vector, p})
		}
	}
	if x := c.ExtInt; x != nil {
		for n, line := range x.Lines {
			if m.Peek(x.EIMSK)>>n&1 != 0 {
				waits(line.Vector, line.Pin)
			}
		}
	}
	if x := c.PinChange; x != nil {
		for n, bank := range x.Banks {
			for k, p := range bank.Pins {
				if m.Peek(x.PCICR)>>n&1 != 0 && m.Peek(bank.PCMSK)>>k&1 != 0 {
					waits(bank.Vector, p)
				}
			}
		}
	}
	return list
}

// drives tells whether a pin is an output.
func drives(m *mote.Mote, p periph.Pin) bool {
	return slices.ContainsFunc(m.Chip().Ports, func(x periph.PortConfig) bool {
		return x.Name == 'A'+p.Port() && m.Peek(x.DDR)>>p.Bit()&1 != 0
	})
}
