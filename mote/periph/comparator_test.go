package periph

import "testing"

// comparatorLevels is the voltages of a test.
type comparatorLevels map[Pin]uint16

func (l comparatorLevels) Millivolts(p Pin) uint16 { return l[p] }

func comparatorTest(t *testing.T) (*analogHost, *Comparator, *ADC, comparatorLevels) {
	h := newAnalogHost(t)
	a := &ADC{ID: 0, S: &ADCState{}, Cfg: &ADCConfig{ADMUX: 0x27, ADCSRA: 0x26, ADCL: 0x24, ADCH: 0x25, Vector: 22, Mux: make([]ADCInput, 32), Channels: [16]Pin{3: P('F', 3)}}}
	h.add(0, a)
	levels := comparatorLevels{}
	x := &Comparator{ID: 1, S: &ComparatorState{}, Levels: levels, Mux: a, Cfg: &ComparatorConfig{
		ACSR: 0x28, Vector: 24, ACME: RegBit{Reg: 0x40, Bit: 3}, AIN0: P('E', 2), AIN1: P('E', 3), BandgapMillivolts: 1230,
	}}
	h.add(1, x)
	return h, x, a, levels
}

// doc2467 "Analog Comparator Control and Status Register": ACIS, and ACO after one or two cycles.
func TestComparatorInterruptModes(t *testing.T) {
	for _, c := range []struct {
		acis       uint8
		rise, fall bool
	}{{acToggle, true, true}, {acReserved, false, false}, {acFalling, false, true}, {acRising, true, false}} {
		h, x, _, levels := comparatorTest(t)
		h.out(x, 0x28, acACIE|c.acis)
		for _, up := range []bool{true, false} {
			levels[P('E', 2)], levels[P('E', 3)] = 1000, 2000
			want := c.fall
			if up {
				levels[P('E', 3)] = 500
				want = c.rise
			}
			x.levelChanged(h)
			if n := h.until(5, func() bool { return h.in(x, 0x28)&acACO != 0 == up }); n > 2 {
				t.Errorf("ACO after %d cycles", n)
			}
			if h.request[24] != want {
				t.Errorf("ACIS %d, output to %t: request %t", c.acis, up, h.request[24])
			}
			x.Served(h, 24)
			if h.request[24] {
				t.Error("asks after it was served")
			}
		}
	}
}

func TestComparatorInputs(t *testing.T) {
	h, x, a, levels := comparatorTest(t)
	aco := func() bool { h.run(3); return h.in(x, 0x28)&acACO != 0 }
	levels[P('E', 3)] = 1200
	x.levelChanged(h)
	if aco() {
		t.Error("AIN0 at 0 is above AIN1")
	}
	h.out(x, 0x28, acACBG)
	if !aco() {
		t.Error("bandgap is not above 1.2 V")
	}
	// doc2467 Table 94: ACME and ADEN off take the multiplexer.
	levels[P('F', 3)] = 1300
	h.out(a, 0x27, 3)
	h.out(x, 0x40, 1<<3)
	if got := h.in(x, 0x40); got != 1<<3 {
		t.Errorf("ACME reads %#x", got)
	}
	if aco() {
		t.Error("bandgap is above ADC3 at 1.3 V")
	}
	h.out(a, 0x27, 2)
	if !aco() {
		t.Error("bandgap is not above ADC2 at 0 V")
	}
	h.out(a, 0x27, 3)
	h.out(a, 0x26, adcADEN)
	if !aco() {
		t.Error("with the ADC on, the negative input is not AIN1")
	}
	h.out(x, 0x28, acACD|acACBG)
	if aco() {
		t.Error("ACO of a comparator that is off")
	}
}

// ACIC passes edges on to timer 1; ACI is cleared by writing one.
func TestComparatorSignals(t *testing.T) {
	h, x, _, levels := comparatorTest(t)
	h.out(x, 0x28, acACIC)
	levels[P('E', 2)] = 100
	x.levelChanged(h)
	h.run(3)
	levels[P('E', 2)] = 0
	x.levelChanged(h)
	h.run(3)
	want := []Signal{SigComparatorRise, SigAnalogComparator, SigComparatorFall}
	if len(h.signals) != 3 || h.signals[0] != want[0] || h.signals[1] != want[1] || h.signals[2] != want[2] {
		t.Errorf("signals %v, want %v", h.signals, want)
	}
	h.out(x, 0x28, acACIC)
	if h.in(x, 0x28)&acACI == 0 {
		t.Error("writing zero cleared ACI")
	}
	h.out(x, 0x28, acACI)
	if got := h.in(x, 0x28); got != 0 {
		t.Errorf("ACSR %#x", got)
	}
	// A spike shorter than the synchroniser is not seen.
	levels[P('E', 2)] = 100
	x.levelChanged(h)
	levels[P('E', 2)] = 0
	x.levelChanged(h)
	h.run(5)
	if got := h.in(x, 0x28); got != 0 {
		t.Errorf("spike: ACSR %#x", got)
	}
}
