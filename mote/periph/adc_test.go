package periph

import (
	"testing"

	"motehound/mote/cell"
)

// adcTestSource answers with fixed codes and notes when it was asked.
type adcTestSource struct {
	h     *analogHost
	code  [17]uint16
	expr  uint32
	at    []uint64
	asked []uint8
}

func (s *adcTestSource) Sample(ch uint8) (lo, hi cell.Cell) {
	s.at = append(s.at, s.h.Now(ClkADC))
	s.asked = append(s.asked, ch)
	c := s.code[ch]
	return cell.Symbolic(uint8(c), s.expr), cell.Symbolic(uint8(c>>8), s.expr)
}

const (
	adcTestL    = 0x78
	adcTestH    = 0x79
	adcTestSRA  = 0x7A
	adcTestSRB  = 0x7B
	adcTestMUX  = 0x7C
	adcTestPRR  = 0x64
	adcTestOn   = adcADEN | 3 // a period of 8 cycles
	adcTestTick = 8
)

func adcTest(t *testing.T) (*analogHost, *ADC, *adcTestSource) {
	h := newAnalogHost(t)
	mux := make([]ADCInput, 64)
	for i := range uint8(8) {
		mux[i] = SingleEnded(i)
		mux[32+i] = SingleEnded(8 + i)
	}
	mux[0x09] = Differential(1, 0, 10)
	mux[0x10] = Differential(0, 1, 1)
	mux[0x0B] = Differential(1, 0, 200)
	mux[0x1E] = SingleEnded(ADCBandgap)
	mux[0x1F] = SingleEnded(ADCGround)
	mux[0x3F] = SingleEnded(ADCReserved)
	src := &adcTestSource{h: h}
	for i := range src.code {
		src.code[i] = uint16(0x101 + 0x10*i)
	}
	a := &ADC{ID: 0, S: &ADCState{}, Source: src, AREF: 5000, AVCC: 3000, Cfg: &ADCConfig{
		ADMUX: adcTestMUX, ADCSRA: adcTestSRA, ADCSRB: adcTestSRB, ADCL: adcTestL, ADCH: adcTestH,
		Vector: 30, Mux: mux, MUX5: RegBit{Reg: adcTestSRB, Bit: 3},
		References:        [4]uint16{ADCRefAREF, ADCRefAVCC, ADCRefReserved, 2560},
		BandgapMillivolts: 1100,
		Triggers:          [8]Signal{3: SigTimer0Compare},
		PRADC:             RegBit{Reg: adcTestPRR, Bit: 0},
	}}
	h.add(0, a)
	h.run(100)
	return h, a, src
}

func (a *ADC) flagged() bool { return a.S.ADCSRA&adcADIF != 0 }

func (h *analogHost) adcResult(a *ADC) uint16 {
	lo := h.in(a, adcTestL)
	return uint16(h.in(a, adcTestH))<<8 | uint16(lo)
}

// doc2549 Table 26-1: sample-and-hold and conversion time, in ADC clock cycles from the start of the conversion, which is
// the next rising edge of the ADC clock: half a period after ADEN, then every period.
func TestADCConversionTimes(t *testing.T) {
	for ps := range uint8(8) {
		p := uint64(1) << max(ps, 1)
		h, a, src := adcTest(t)
		on := h.cycle + 1
		h.out(a, adcTestSRA, adcADEN|adcADSC|ps)
		h.until(30*p, a.flagged)
		if got, want := h.cycle, on+p/2+25*p; got != want {
			t.Errorf("division %d, first conversion: done %d cycles after ADEN, want %d", p, got-on, want-on)
		}
		if got, want := src.at[0], on+p/2+27*p/2; got != want {
			t.Errorf("division %d, first conversion: sampled %d cycles after ADEN, want %d", p, got-on, want-on)
		}
		if a.Peek(h, adcTestSRA)&adcADSC != 0 {
			t.Error("ADSC after the conversion")
		}
		h.run(3)
		h.out(a, adcTestSRA, adcADEN|adcADIF|ps)
		for (h.cycle+1-on)%p != p/2 { // write so that the edge is just there
			h.run(1)
		}
		start := h.cycle + 1
		h.out(a, adcTestSRA, adcADEN|adcADSC|ps)
		if a.Peek(h, adcTestSRA)&adcADSC == 0 {
			t.Error("no ADSC during the conversion")
		}
		h.until(30*p, a.flagged)
		if h.cycle-start != 13*p || src.at[1]-start != 3*p/2 {
			t.Errorf("division %d, normal conversion: sampled after %d, done after %d", p, src.at[1]-start, h.cycle-start)
		}
	}
}

// "The conversion starts at the following rising edge of the ADC clock cycle."
func TestADCWaitsForTheEdge(t *testing.T) {
	for late := range uint64(adcTestTick) {
		h, a, _ := adcTest(t)
		on := h.cycle + 1
		h.out(a, adcTestSRA, adcTestOn)
		a.S.Warm = 1
		h.run(adcTestTick*4 + late)
		h.out(a, adcTestSRA, adcTestOn|adcADSC)
		wrote := h.cycle
		h.until(1000, a.flagged)
		start := h.cycle - 13*adcTestTick
		if (start-on)%adcTestTick != adcTestTick/2 || start < wrote || start >= wrote+adcTestTick {
			t.Errorf("%d cycles late: start %d cycles after ADEN, %d after ADSC", late, start-on, start-wrote)
		}
	}
}

// While a result waits to be read by its handler, the next one is known to come when it comes; a flag that nobody waits for is followed by nothing.
func TestADCAgain(t *testing.T) {
	h, a, _ := adcTest(t)
	h.out(a, adcTestSRA, adcTestOn|adcADIE|adcADATE|adcADSC)
	for n := range 5 {
		if _, at := a.Again(); at != Never {
			t.Fatalf("result %d: another one at %d, before the first", n, at)
		}
		h.until(30*adcTestTick, a.flagged)
		_, at := a.Again()
		a.S.ADCSRA &^= adcADIF
		h.until(30*adcTestTick, a.flagged)
		if h.cycle != at {
			t.Errorf("result %d: the next one at %d, announced for %d", n, h.cycle, at)
		}
		a.S.ADCSRA &^= adcADIE
		if _, at := a.Again(); at != Never {
			t.Errorf("result %d: no interrupt is enabled, but another one is announced for %d", n, at)
		}
		a.S.ADCSRA = a.S.ADCSRA&^adcADIF | adcADIE
	}
}

// Free running: 13 cycles each, no gap; "independently of whether ADIF is cleared or not".
func TestADCFreeRunning(t *testing.T) {
	h, a, src := adcTest(t)
	h.out(a, adcTestSRA, adcTestOn|adcADATE|adcADSC)
	h.run(adcTestTick * (26 + 13*5))
	if len(src.at) < 5 {
		t.Fatalf("%d conversions", len(src.at))
	}
	// The first one samples late: 13.5 of 25; the second at 25 + 1.5.
	for i := 1; i < len(src.at); i++ {
		if d := src.at[i] - src.at[i-1]; d != 13*adcTestTick {
			t.Errorf("conversion %d comes %d cycles after the one before", i, d)
		}
	}
	// Leaving the mode lets the present conversion end.
	n := len(src.at)
	h.out(a, adcTestSRA, adcTestOn)
	h.run(adcTestTick * 30)
	if a.S.Phase != adcIdle || len(src.at) > n+1 {
		t.Error("goes on without ADATE")
	}
}

// Auto trigger: prescaler reset, three cycles for synchronisation, then 2 and 13.5 ADC cycles.
func TestADCAutoTrigger(t *testing.T) {
	for phase := range uint64(adcTestTick) {
		h, a, src := adcTest(t)
		h.out(a, adcTestSRB, 3)
		h.out(a, adcTestSRA, adcTestOn|adcADATE)
		a.S.Warm = 1
		h.run(50 + phase)
		h.Signal(SigTimer0Overflow)
		h.run(50)
		if len(src.at) != 0 || a.S.Phase != adcIdle {
			t.Fatal("another source triggers")
		}
		trigger := h.cycle
		h.Signal(SigTimer0Compare)
		h.run(20)
		h.Signal(SigTimer0Compare) // during the conversion: ignored
		h.until(1000, a.flagged)
		if got, want := h.cycle-trigger, uint64(3+27*adcTestTick/2); got != want {
			t.Errorf("done %d cycles after the trigger, want %d", got, want)
		}
		if got, want := src.at[0]-trigger, uint64(3+2*adcTestTick); got != want {
			t.Errorf("sampled %d cycles after the trigger, want %d", got, want)
		}
		h.run(200)
		if len(src.at) != 1 {
			t.Error("an ignored trigger came back")
		}
	}
}

// doc2549 section 26.4.1: 13 or 14 cycles as CKADC2 is low or high at the start, and 14 in free running.
func TestADCDifferentialTimes(t *testing.T) {
	for odd := range uint64(2) {
		h, a, src := adcTest(t)
		h.out(a, adcTestMUX, 0x10)
		on := h.cycle + 1
		h.out(a, adcTestSRA, adcTestOn)
		a.S.Warm = 1
		for h.cycle+1 < on+adcTestTick/2+(4+odd)*adcTestTick {
			h.run(1)
		}
		start := h.cycle + 1
		h.out(a, adcTestSRA, adcTestOn|adcADSC|adcADATE)
		h.until(1000, a.flagged)
		if got, want := h.cycle-start, (13+odd)*adcTestTick; got != want {
			t.Errorf("edge %d: %d cycles, want %d", odd, got, want)
		}
		if got, want := src.at[0]-start, (3+2*odd)*adcTestTick/2; got != want {
			t.Errorf("edge %d: sampled after %d, want %d", odd, got, want)
		}
		for range 2 {
			h.out(a, adcTestSRA, adcTestOn|adcADIF|adcADATE)
			h.until(1000, a.flagged)
		}
		if got, want := h.cycle-start, (13+odd+28)*adcTestTick; got != want {
			t.Errorf("edge %d: two free running conversions end %d cycles after the start, want %d", odd, got, want)
		}
	}
}

// doc2549 section 26.7: single ended, and (VPOS - VNEG) * GAIN * 512 / VREF in two's complement.
func TestADCResults(t *testing.T) {
	for _, c := range []struct {
		mux, srb uint8
		pos, neg uint16 // codes of channels 0 and 1
		want     uint16
	}{
		{0x00, 0, 0x2A5, 0, 0x2A5},
		{0x01, 0, 0, 0x3FF, 0x3FF},
		{0x02, 8, 0, 0, 0x101 + 0x10*10},         // MUX5: ADC10
		{0xDE, 0, 0, 0, 1100 * 1024 / 2560},      // bandgap, 2.56 V
		{0x5E, 0, 0, 0, 1100 * 1024 / 3000},      // bandgap, AVCC
		{0x1E, 0, 0, 0, 1100 * 1024 / 5000},      // bandgap, AREF
		{0x1F, 0, 0, 0, 0},                       // 0 V
		{0x1F, 8, 0, 0, 0},                       // reserved
		{0x10, 0, 600, 500, 50},                  // ADC0 - ADC1
		{0x10, 0, 500, 600, 0x400 - 50},          // negative
		{0x10, 0, 501, 500, 0},                   // floored
		{0x09, 0, 500, 510, 50},                  // (ADC1 - ADC0) * 10
		{0x0B, 0, 500, 510, 511},                 // * 200, saturated
		{0x0B, 0, 510, 500, 0x400 - 512},         // saturated below
		{0x0B, 0, 500, 499, uint16(0x400 - 100)}, // -1 * 200 / 2
	} {
		h, a, src := adcTest(t)
		src.code[0], src.code[1] = c.pos, c.neg
		h.out(a, adcTestSRB, c.srb)
		h.out(a, adcTestMUX, c.mux)
		h.out(a, adcTestSRA, adcTestOn|adcADSC)
		h.until(1000, a.flagged)
		if got := h.adcResult(a); got != c.want {
			t.Errorf("MUX %#x/%#x of %d, %d: %#x, want %#x", c.mux, c.srb, c.pos, c.neg, got, c.want)
		}
	}
}

// "MUX and REFS are single buffered": locked from the start edge on, free until then.
func TestADCMuxIsLatchedAtStart(t *testing.T) {
	h, a, src := adcTest(t)
	h.out(a, adcTestSRA, adcADEN|7|adcADSC)
	h.run(20)
	h.out(a, adcTestMUX, 2) // still before the edge
	h.run(100)
	h.out(a, adcTestMUX, 3)
	h.until(10000, a.flagged)
	h.out(a, adcTestSRA, adcADEN|7|adcADSC|adcADIF)
	h.until(10000, a.flagged)
	if len(src.asked) != 2 || src.asked[0] != 2 || src.asked[1] != 3 {
		t.Errorf("channels %v", src.asked)
	}
	// The reference likewise.
	h.out(a, adcTestMUX, 0xDE)
	h.out(a, adcTestSRA, adcADEN|7|adcADSC|adcADIF)
	h.run(130)
	h.out(a, adcTestMUX, 0x1E)
	if a.reference() != 2560 {
		t.Errorf("reference %d during the conversion", a.reference())
	}
	h.until(10000, a.flagged)
	if got := h.adcResult(a); got != 1100*1024/2560 || a.reference() != 5000 {
		t.Errorf("bandgap %d, reference %d", got, a.reference())
	}
}

// "When ADCL is read, the ADC Data Register is not updated until ADCH is read."
func TestADCLock(t *testing.T) {
	h, a, src := adcTest(t)
	convert := func(code uint16) {
		src.code[0] = code
		h.out(a, adcTestSRA, adcTestOn|adcADSC|adcADIF|adcADIE)
		h.until(1000, a.flagged)
	}
	convert(0x155)
	if lo := h.in(a, adcTestL); lo != 0x55 {
		t.Errorf("ADCL %#x", lo)
	}
	convert(0x2AA)
	if !h.request[30] {
		t.Error("no interrupt for the lost result")
	}
	if hi := h.in(a, adcTestH); hi != 0x01 {
		t.Errorf("ADCH %#x: the result was not locked", hi)
	}
	if got := h.adcResult(a); got != 0x155 {
		t.Errorf("result %#x", got)
	}
	convert(0x2AA)
	if got := h.adcResult(a); got != 0x2AA {
		t.Errorf("result after the lock %#x", got)
	}
	// ADLAR shifts at once; reading ADCH alone locks nothing.
	h.out(a, adcTestMUX, adcADLAR)
	if got := h.adcResult(a); got != 0x2AA<<6 {
		t.Errorf("left adjusted %#x", got)
	}
	h.in(a, adcTestH)
	convert(0x3FF)
	if got := h.in(a, adcTestH); got != 0xFF {
		t.Errorf("ADCH alone %#x", got)
	}
}

func TestADCInterruptAndOff(t *testing.T) {
	h, a, src := adcTest(t)
	h.out(a, adcTestSRA, adcTestOn|adcADSC|adcADIE)
	h.run(50)
	h.out(a, adcTestSRA, 3)
	h.run(1000)
	if a.flagged() || len(src.at) != 0 || h.in(a, adcTestSRA) != 3 {
		t.Error("turning the ADC off does not end the conversion")
	}
	h.out(a, adcTestSRA, adcADSC|3)
	h.run(1000)
	if a.flagged() || h.in(a, adcTestSRA)&adcADSC != 0 {
		t.Error("converts without ADEN")
	}
	h.out(a, adcTestSRA, adcTestOn|adcADSC|adcADIE)
	h.until(1000, func() bool { return h.request[30] })
	h.out(a, adcTestSRA, adcTestOn|adcADIE)
	if !h.request[30] {
		t.Error("writing zero cleared ADIF")
	}
	h.out(a, adcTestSRA, h.in(a, adcTestSRA)) // read-modify-write
	if h.request[30] {
		t.Error("writing one did not clear ADIF")
	}
	h.out(a, adcTestSRA, adcTestOn|adcADSC|adcADIE)
	h.until(1000, func() bool { return h.request[30] })
	a.Served(h, 30)
	if h.request[30] || a.flagged() {
		t.Error("asks after it was served")
	}
	a.Reset(h, false)
	if h.in(a, adcTestSRA) != 0 || h.adcResult(a) != 0 {
		t.Error("not reset")
	}
}

// doc2549 section 26.6: entering ADC Noise Reduction starts a conversion; it goes on while clkI/O is halted.
func TestADCSleep(t *testing.T) {
	h, a, _ := adcTest(t)
	a.SleepEntered(h)
	if a.S.Phase != adcIdle {
		t.Error("starts without ADEN")
	}
	h.out(a, adcTestSRA, adcTestOn|adcADIE)
	h.halted[ClkIO] = true
	a.SleepEntered(h)
	h.until(1000, func() bool { return h.request[30] })
	// Deeper sleep halts clkADC too.
	h.out(a, adcTestSRA, adcTestOn|adcADIE|adcADIF|adcADSC)
	h.halted[ClkADC] = true
	h.run(1000)
	if a.flagged() {
		t.Error("converts without a clock")
	}
	h.halted[ClkADC] = false
	h.until(1000, a.flagged)
}

func TestADCPowerReduction(t *testing.T) {
	h, a, _ := adcTest(t)
	h.out(a, adcTestPRR, 1)
	h.out(a, adcTestSRA, adcTestOn)
	if h.in(a, adcTestSRA) != 0 || h.in(a, adcTestPRR) != 1 {
		t.Error("the registers are at hand with PRADC set")
	}
	h.out(a, adcTestPRR, 0)
	h.out(a, adcTestSRA, adcTestOn)
	if h.in(a, adcTestSRA) != adcTestOn {
		t.Error("the ADC does not come back")
	}
}

// A symbolic input arrives in the data registers with its expression.
func TestADCSymbolic(t *testing.T) {
	h, a, src := adcTest(t)
	src.expr = 7
	h.out(a, adcTestSRA, adcTestOn|adcADSC)
	h.until(1000, a.flagged)
	if lo := a.Read(h, adcTestL); lo != cell.Symbolic(0x01, 7) {
		t.Errorf("ADCL %#x", lo)
	}
	if hi := a.Read(h, adcTestH); hi != cell.Symbolic(0x01, 7) {
		t.Errorf("ADCH %#x", hi)
	}
	h.out(a, adcTestMUX, adcADLAR)
	if hi := a.Read(h, adcTestH); hi != cell.Of(0x101>>2) || len(h.notices) != 1 {
		t.Errorf("left adjusted ADCH %#x, notices %v", hi, h.notices)
	}
}
