package periph

import "motehound/mote/cell"

// AnalogSource is what the outside applies to the ADC's inputs.
type AnalogSource interface {
	// Sample is called at the sample-and-hold moment and answers with the 10-bit code (low and high byte) to which a
	// single-ended conversion of the channel would lead: ADC0..ADC15, or ADCTemperature.
	Sample(channel uint8) (lo, hi cell.Cell)
}

// Inputs of the ADC beside its channels 0..15.
const (
	ADCTemperature uint8 = 16 + iota // the on-chip sensor, asked of the AnalogSource
	ADCBandgap
	ADCGround
	ADCReserved
)

// ADCInput is one setting of MUX: a single-ended input (Gain 0), or (Pos - Neg) times Gain.
type ADCInput struct{ Pos, Neg, Gain uint8 }

// SingleEnded is the MUX setting for one input.
func SingleEnded(input uint8) ADCInput { return ADCInput{Pos: input} }

// Differential is the MUX setting for the difference of two channels.
func Differential(pos, neg, gain uint8) ADCInput { return ADCInput{pos, neg, gain} }

// References in ADCConfig.References that the board supplies; others are millivolts.
const (
	ADCRefReserved uint16 = iota
	ADCRefAREF
	ADCRefAVCC
)

// ADCConfig places the analog to digital converter.
type ADCConfig struct {
	ADMUX, ADCSRA, ADCSRB, ADCL, ADCH uint16
	Vector                            uint8
	Mux                               []ADCInput // by MUX4:0 or MUX3:0, above them MUX5
	MUX5                              RegBit     // in ADCSRB
	References                        [4]uint16  // by REFS1:0
	BandgapMillivolts                 uint16
	Channels                          [16]Pin   // pads of ADC0..ADC15, for the comparator's multiplexer
	Triggers                          [8]Signal // by ADTS2:0; without ADCSRB bit 5 of ADCSRA is ADFR
	PRADC                             RegBit
}

// ADCState is what changes in the ADC.
type ADCState struct {
	// Origin is the cycle of clkADC in which the prescaler left reset.
	Origin uint64 `time:"clkadc"`
	// Start is the rising edge of the ADC clock that starts the present conversion.
	Start uint64 `time:"clkadc"`
	// SampleLo and SampleHi hold the input between sample-and-hold and the end of the conversion.
	SampleLo, SampleHi cell.Cell
	ResultLo, ResultHi cell.Cell // right adjusted
	ADMUX              uint8
	ADCSRA             uint8 // ADSC reads from Phase
	ADCSRB             uint8 // ADTS and MUX5
	PRADC              uint8 // 0 or 1
	Phase              uint8 // adcIdle, adcWaiting, adcConverting
	Input              uint8 // MUX5:0, above them REFS1:0: latched at the start
	Warm               uint8 // 1 after the first conversion since ADEN
	Locked             uint8 // 1 between the reads of ADCL and ADCH
}

// ADC is the analog to digital converter: doc2467 "Analog to Digital Converter", doc2549 section 26, doc8271
// section 24.
//
// The prescaler is a ripple counter, reset while ADEN is low and by an auto trigger. The ADC clock, one of its bits,
// rises half a period after reset and every period from then on, and a conversion starts on a rising edge. From that
// follow the figures of Table 26-1 of doc2549: 2 and 13.5 cycles of an auto-triggered conversion are 1.5 and 13 cycles
// after the first edge; and of a differential one, 13 or 14, as CKADC2 (which toggles at each edge) is low or high.
type ADC struct {
	Passive // Clocked: the ADC counts CPU cycles
	ID      ID
	Cfg     *ADCConfig
	S       *ADCState
	Source  AnalogSource
	// AREF and AVCC are the board's voltages in millivolts.
	AREF, AVCC uint16
}

const (
	adcADEN  = 0x80
	adcADSC  = 0x40
	adcADATE = 0x20 // ADFR on the ATmega128
	adcADIF  = 0x10
	adcADIE  = 0x08
	adcADPS  = 0x07
	adcADLAR = 0x20
	adcADTS  = 0x07
)

const (
	adcIdle       uint8 = iota
	adcWaiting          // for the rising edge of the ADC clock
	adcConverting       // MUX and reference are latched
)

const (
	adcEventStart uint8 = iota
	adcEventSample
	adcEventDone
	adcNumKinds = 3
)

// "Three additional CPU clock cycles are used for synchronization logic" (doc2549 section 26.4).
const adcTriggerCycles = 3

// period is the ADC clock's period in CPU cycles: Table 26-5 of doc2549.
func (a *ADC) period() uint64 { return 1 << max(a.S.ADCSRA&adcADPS, 1) }

func (a *ADC) enabled() bool { return a.S.ADCSRA&adcADEN != 0 }

// reference is the voltage that the present conversion compares with, or the selected one between conversions, in
// millivolts.
func (a *ADC) reference() uint16 {
	refs := a.S.ADMUX >> 6
	if a.S.Phase == adcConverting {
		refs = a.S.Input >> 6
	}
	switch r := a.Cfg.References[refs]; r {
	case ADCRefReserved, ADCRefAVCC:
		return a.AVCC
	case ADCRefAREF:
		return a.AREF
	default:
		return r
	}
}

func (a *ADC) mux() uint8 {
	n := uint8(len(a.Cfg.Mux))
	if a.Cfg.MUX5.Reg != 0 {
		n /= 2
	}
	m := a.S.ADMUX & (n - 1)
	if a.Cfg.MUX5.Reg != 0 && a.S.ADCSRB>>a.Cfg.MUX5.Bit&1 != 0 {
		m += n
	}
	return m
}

// input is what the present conversion converts.
func (a *ADC) input() ADCInput { return a.Cfg.Mux[a.S.Input&0x3F] }

// begin starts a conversion on the next rising edge of the ADC clock at or after cycle t.
func (a *ADC) begin(h Host, t uint64) {
	s, p := a.S, a.period()
	s.Start = s.Origin + p/2
	if t > s.Start {
		s.Start += (t - s.Start + p - 1) / p * p
	}
	s.Phase = adcWaiting
	h.At(a.ID, adcEventStart, ClkADC, s.Start)
}

// convert runs from the edge at Start: it latches the input and plans the rest.
func (a *ADC) convert(h Host) {
	s := a.S
	s.Phase = adcConverting
	s.Input = a.mux() | s.ADMUX&0xC0
	in := a.input()
	if in.Pos == ADCReserved {
		h.Notice(a.ID, "mux", "the ADC converts a reserved MUX setting; the result is 0")
	}
	if a.Cfg.References[s.ADMUX>>6] == ADCRefReserved {
		h.Notice(a.ID, "refs", "the ADC uses a reserved REFS setting; AVCC is taken")
	}
	sample, done := a.lasts()
	h.At(a.ID, adcEventSample, ClkADC, s.Start+sample)
	h.At(a.ID, adcEventDone, ClkADC, s.Start+done)
}

// lasts is how long the present conversion takes, up to sample-and-hold and to its end.
func (a *ADC) lasts() (sample, done uint64) {
	s, p := a.S, a.period()
	switch edge := (s.Start - s.Origin) / p; {
	case s.Warm == 0:
		return p * 27 / 2, p * 25
	case a.input().Gain != 0 && edge%2 != 0:
		return p * 5 / 2, p * 14
	}
	return p * 3 / 2, p * 13
}

// Again is when the next result overwrites one of which the interrupt waits to be served, on one of the clocks; Never if that is not so.
func (a *ADC) Again() (Clock, uint64) {
	if a.S.Phase != adcConverting || a.S.ADCSRA&adcADIF == 0 || a.S.ADCSRA&adcADIE == 0 {
		return ClkADC, Never
	}
	_, done := a.lasts()
	return ClkADC, a.S.Start + done
}

// Event is a step of the conversion.
func (a *ADC) Event(h Host, kind uint8) {
	switch kind {
	case adcEventStart:
		a.convert(h)
	case adcEventSample:
		a.S.SampleLo, a.S.SampleHi = a.sample(h)
	case adcEventDone:
		a.done(h)
	}
}

func (a *ADC) done(h Host) {
	s := a.S
	s.Warm = 1
	s.Phase = adcIdle
	// "The interrupt will trigger even if the result is lost."
	if s.Locked == 0 {
		s.ResultLo, s.ResultHi = s.SampleLo, s.SampleHi
	}
	s.ADCSRA |= adcADIF
	a.request(h)
	if s.ADCSRA&adcADATE != 0 && a.trigger() == SigNone {
		// Free running: the next conversion starts at once, on the very edge that ended this one.
		s.Start = h.Now(ClkADC)
		a.convert(h)
	}
}

// sample asks for the input's code: doc2549 section 26.7, "ADC Conversion Result".
func (a *ADC) sample(h Host) (lo, hi cell.Cell) {
	in := a.input()
	if in.Gain == 0 {
		return a.code(in.Pos)
	}
	plo, phi := a.code(in.Pos)
	nlo, nhi := a.code(in.Neg)
	if (plo | phi | nlo | nhi).Expr() != 0 {
		h.Notice(a.ID, "differential-symbolic", "a differential conversion of a symbolic input is taken at its concrete value")
		for _, c := range [...]cell.Cell{plo, phi, nlo, nhi} {
			cell.Decide(h, c)
		}
	}
	// Codes have 1024 steps per reference, differential results 512, floored.
	d := (adcInt(plo, phi) - adcInt(nlo, nhi)) * int(in.Gain) >> 1
	d = min(max(d, -512), 511)
	return cell.Of(uint8(d)), cell.Of(uint8(d>>8) & 3)
}

func (a *ADC) code(input uint8) (lo, hi cell.Cell) {
	switch input {
	case ADCGround, ADCReserved:
		return 0, 0
	case ADCBandgap:
		code := uint32(1023)
		if ref := uint32(a.reference()); ref != 0 {
			code = min(uint32(a.Cfg.BandgapMillivolts)*1024/ref, 1023)
		}
		return cell.Of(uint8(code)), cell.Of(uint8(code >> 8))
	}
	if a.Source == nil {
		return 0, 0
	}
	lo, hi = a.Source.Sample(input)
	return lo, cell.Symbolic(hi.V()&3, hi.Expr())
}

// Converts is the channel that the ADC converts, or has converted last; ok says that it is a single one.
func (a *ADC) Converts() (channel uint8, ok bool) {
	in := a.input()
	return in.Pos, in.Gain == 0 && in.Pos <= ADCTemperature
}

// Resample has that conversion lead to another code.
func (a *ADC) Resample(code uint16) {
	s, lo, hi := a.S, cell.Of(uint8(code)), cell.Of(uint8(code>>8))
	s.SampleLo, s.SampleHi = lo, hi
	if s.ADCSRA&adcADIF != 0 && s.Locked == 0 {
		s.ResultLo, s.ResultHi = lo, hi
	}
}

func adcInt(lo, hi cell.Cell) int { return int(hi.V())<<8 | int(lo.V()) }

// trigger is the selected auto trigger source; SigNone is free running.
func (a *ADC) trigger() Signal { return a.Cfg.Triggers[a.S.ADCSRB&adcADTS] }

// Signals lists the auto trigger sources.
func (a *ADC) Signals() []Signal {
	var list []Signal
	for _, s := range a.Cfg.Triggers {
		if s != SigNone {
			list = append(list, s)
		}
	}
	return list
}

// Signalled starts a conversion if the signal is the selected source. It resets the prescaler; a trigger during a
// conversion is ignored.
func (a *ADC) Signalled(h Host, sig Signal) {
	s := a.S
	if !a.enabled() || s.ADCSRA&adcADATE == 0 || sig != a.trigger() || s.Phase != adcIdle {
		return
	}
	s.Origin = h.Now(ClkADC) + adcTriggerCycles
	a.begin(h, s.Origin)
}

// SleepEntered is called when the CPU enters Idle or ADC Noise Reduction mode: "if the ADC is enabled, a conversion
// starts automatically".
func (a *ADC) SleepEntered(h Host) {
	if a.enabled() && a.S.Phase == adcIdle {
		a.begin(h, h.Now(ClkADC)+1)
	}
}

func (a *ADC) request(h Host) {
	h.Request(a.Cfg.Vector, a.S.ADCSRA&(adcADIF|adcADIE) == adcADIF|adcADIE)
}

// Read returns a register; reading ADCL freezes the result until ADCH is read.
func (a *ADC) Read(h Host, addr uint16) cell.Cell {
	c, s := a.Cfg, a.S
	if s.PRADC != 0 || addr != c.ADCL && addr != c.ADCH {
		return cell.Of(a.Peek(h, addr))
	}
	lo, hi := a.result()
	if s.ADMUX&adcADLAR != 0 && (s.ResultLo|s.ResultHi).Expr() != 0 {
		h.Notice(a.ID, "adlar-symbolic", "a left-adjusted symbolic ADC result is taken at its concrete value")
		cell.Decide(h, s.ResultLo)
		cell.Decide(h, s.ResultHi)
	}
	if addr == c.ADCL {
		s.Locked = 1
		return lo
	}
	s.Locked = 0
	return hi
}

// result is ADCH:ADCL as ADLAR shows it. Shifting mixes bits of both bytes, so it leaves expressions behind.
func (a *ADC) result() (lo, hi cell.Cell) {
	lo, hi = a.S.ResultLo, a.S.ResultHi
	if a.S.ADMUX&adcADLAR == 0 {
		return lo, hi
	}
	v := uint16(adcInt(lo, hi)) << 6
	return cell.Of(uint8(v)), cell.Of(uint8(v >> 8))
}

// Peek is Read without the lock. With PRADC set the registers cannot be read.
func (a *ADC) Peek(_ Host, addr uint16) uint8 {
	c, s := a.Cfg, a.S
	if addr == c.PRADC.Reg {
		return s.PRADC << c.PRADC.Bit
	}
	if s.PRADC != 0 {
		return 0
	}
	lo, hi := a.result()
	switch addr {
	case c.ADCL:
		return lo.V()
	case c.ADCH:
		return hi.V()
	case c.ADMUX:
		return s.ADMUX
	case c.ADCSRA:
		if s.Phase != adcIdle {
			return s.ADCSRA | adcADSC
		}
		return s.ADCSRA
	case c.ADCSRB:
		return s.ADCSRB
	}
	return 0
}

func (a *ADC) Write(h Host, addr uint16, v cell.Cell) {
	c, s := a.Cfg, a.S
	if addr == c.PRADC.Reg {
		s.PRADC = v.V() >> c.PRADC.Bit & 1
		if s.PRADC != 0 && a.enabled() {
			h.Notice(a.ID, "pradc", "PRADC is set while the ADC is enabled; the datasheet wants ADEN cleared first")
		}
		return
	}
	if s.PRADC != 0 {
		return
	}
	switch addr {
	case c.ADMUX:
		s.ADMUX = v.V() & a.admuxMask()
		h.Signal(SigADCMuxToComparator)
	case c.ADCSRB:
		s.ADCSRB = v.V() & a.adcsrbMask()
		h.Signal(SigADCMuxToComparator)
	case c.ADCSRA:
		a.control(h, v.V())
	}
}

func (a *ADC) admuxMask() uint8 {
	if len(a.Cfg.Mux) == 16 {
		return 0xEF // bit 4 is reserved without MUX4
	}
	return 0xFF
}

func (a *ADC) adcsrbMask() uint8 {
	m := uint8(adcADTS)
	if a.Cfg.MUX5.Reg != 0 {
		m |= 1 << a.Cfg.MUX5.Bit
	}
	return m
}

// control is a write to ADCSRA. Read-modify-write clears ADIF, "this also applies if SBI and CBI are used".
func (a *ADC) control(h Host, v uint8) {
	s := a.S
	was := a.enabled()
	flag := s.ADCSRA & adcADIF &^ v
	s.ADCSRA = v&(adcADEN|adcADATE|adcADIE|adcADPS) | flag
	a.request(h)
	switch {
	case was && !a.enabled():
		// "By turning the ADC off while a conversion is in progress, it will terminate this conversion."
		s.Phase, s.Warm = adcIdle, 0
		a.cancel(h)
	case !was && a.enabled():
		s.Origin = h.Now(ClkADC) + 1
	}
	if a.enabled() && v&adcADSC != 0 && s.Phase == adcIdle {
		a.begin(h, h.Now(ClkADC)+1)
	}
	if was != a.enabled() {
		h.Signal(SigADCMuxToComparator)
	}
}

func (a *ADC) cancel(h Host) {
	for kind := range uint8(adcNumKinds) {
		h.At(a.ID, kind, ClkADC, Never)
	}
}

// Vectors implements Device.
func (a *ADC) Vectors() []uint8 { return []uint8{a.Cfg.Vector} }

// Served clears ADIF.
func (a *ADC) Served(h Host, _ uint8) {
	a.S.ADCSRA &^= adcADIF
	a.request(h)
}

// Reset turns the ADC off.
func (a *ADC) Reset(h Host, _ bool) {
	*a.S = ADCState{}
	a.cancel(h)
	a.request(h)
}

// Registers lists what the ADC claims.
func (a *ADC) Registers() []uint16 {
	c := a.Cfg
	return []uint16{c.ADMUX, c.ADCSRA, c.ADCSRB, c.ADCL, c.ADCH, c.PRADC.Reg}
}

// Kinds is how many kinds of events there are.
func (a *ADC) Kinds() int { return adcNumKinds }
