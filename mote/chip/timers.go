package chip

import "motehound/mote/periph"

// The Timer/Counters of the newer chips (ATmega328P, ATmega1281, ATmega2560) have one register layout, which these two
// functions write down; numbers and pads come from the chips.

// timer8 is an 8-bit timer with two compare units: TCCRnA and TCCRnB as in ATmega328P (DS40002061A) sections 15.9.1 and 15.9.2.
// tccra is followed by TCCRnB, TCNTn, OCRnA and OCRnB; vector is that of TIMERn_COMPA, followed by COMPB and OVF.
func timer8(name string, tccra, timsk, tifr uint16, vector uint8) periph.TimerConfig {
	a, b := tccra, tccra+1
	return periph.TimerConfig{
		Name: name, Bits: 8,
		TCCRA: a, TCCRB: b, TCNTL: tccra + 2,
		OCRL:      [3]uint16{tccra + 3, tccra + 4},
		WGM:       [4]periph.RegBit{{Reg: a, Bit: 0}, {Reg: a, Bit: 1}, {Reg: b, Bit: 3}},
		COM:       [3]periph.RegBit{{Reg: a, Bit: 6}, {Reg: a, Bit: 4}},
		FOC:       [3]periph.RegBit{{Reg: b, Bit: 7}, {Reg: b, Bit: 6}},
		CS:        periph.RegBit{Reg: b, Bit: 0},
		Waveforms: periph.Timer8Waveforms, ToggleOCA: periph.Timer8Toggle,
		Clocks: periph.TimerClocks,
		Flags: [periph.NumTimerFlags]periph.TimerFlag{
			periph.TOV:  {TIMSK: timsk, TIFR: tifr, Bit: 0, Vector: vector + 2},
			periph.OCFA: {TIMSK: timsk, TIFR: tifr, Bit: 1, Vector: vector},
			periph.OCFB: {TIMSK: timsk, TIFR: tifr, Bit: 2, Vector: vector + 1},
		},
	}
}

// timer16 is a 16-bit timer: TCCRnA, TCCRnB and TCCRnC as in ATmega2560 (2549Q) sections 17.11.1, 17.11.5 and 17.11.9, and as in
// the ATmega128. tccra is followed by TCCRnB, TCCRnC, and from +4 by TCNTn, ICRn, OCRnA, OCRnB and OCRnC; vector is that of
// TIMERn_CAPT, followed by COMPA, COMPB, COMPC (where there is a unit C) and OVF.
func timer16(name string, tccra, timsk, tifr uint16, vector uint8, unitC bool) periph.TimerConfig {
	ocr := []uint16{tccra + 8, tccra + 10, tccra + 12}
	if !unitC {
		ocr = ocr[:2]
	}
	t := timer16Registers(name, tccra, tccra+1, tccra+2, tccra+4, tccra+6, ocr...)
	for i, f := range []periph.TimerFlagIndex{periph.ICF, periph.OCFA, periph.OCFB, periph.OCFC}[:1+len(ocr)] {
		t.Flags[f] = periph.TimerFlag{TIMSK: timsk, TIFR: tifr, Bit: uint8(i), Vector: vector + uint8(i)}
	}
	t.Flags[periph.ICF].Bit = 5
	t.Flags[periph.TOV] = periph.TimerFlag{TIMSK: timsk, TIFR: tifr, Bit: 0, Vector: vector + 1 + uint8(len(ocr))}
	return t
}

// timer16Registers is the registers of a 16-bit timer: TCCRnA, TCCRnB and TCCRnC with their bits, and the low bytes of TCNTn, ICRn and of an OCRnx for each compare
// unit, which the high ones follow.
func timer16Registers(name string, a, b, c, tcnt, icr uint16, ocr ...uint16) periph.TimerConfig {
	t := periph.TimerConfig{
		Name: name, Bits: 16,
		TCCRA: a, TCCRB: b, TCCRC: c,
		TCNTL: tcnt, TCNTH: tcnt + 1,
		ICRL: icr, ICRH: icr + 1,
		WGM:       [4]periph.RegBit{{Reg: a, Bit: 0}, {Reg: a, Bit: 1}, {Reg: b, Bit: 3}, {Reg: b, Bit: 4}},
		CS:        periph.RegBit{Reg: b, Bit: 0},
		ICNC:      periph.RegBit{Reg: b, Bit: 7},
		ICES:      periph.RegBit{Reg: b, Bit: 6},
		Waveforms: periph.Timer16Waveforms, ToggleOCA: periph.Timer16Toggle,
		Clocks: periph.TimerClocks,
	}
	for x, low := range ocr {
		t.OCRL[x], t.OCRH[x] = low, low+1
		t.COM[x] = periph.RegBit{Reg: a, Bit: uint8(6 - 2*x)}
		t.FOC[x] = periph.RegBit{Reg: c, Bit: uint8(7 - x)}
	}
	return t
}

// timer0 is the 8-bit Timer/Counter0 of a newer chip.
func timer0(vector uint8, oca, ocb, ext periph.Pin) periph.TimerConfig {
	t := timer8("Timer/Counter0", 0x44, 0x6E, 0x35, vector)
	t.OC = [3]periph.Pin{oca, ocb}
	t.T = ext
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 5}
	t.Flags[periph.OCFA].Signal = periph.SigTimer0Compare
	t.Flags[periph.TOV].Signal = periph.SigTimer0Overflow
	return t
}

// timer1 is the 16-bit Timer/Counter1 of a newer chip, without its pads.
func timer1(vector uint8, unitC bool) periph.TimerConfig {
	t := timer16("Timer/Counter1", 0x80, 0x6F, 0x36, vector, unitC)
	t.ACIC = periph.RegBit{Reg: 0x50, Bit: 2}
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 3}
	t.Flags[periph.OCFB].Signal = periph.SigTimer1CompareB
	t.Flags[periph.TOV].Signal = periph.SigTimer1Overflow
	t.Flags[periph.ICF].Signal = periph.SigTimer1Capture
	return t
}

// timer2 is the asynchronous 8-bit Timer/Counter2 of a newer chip: ASSR as in ATmega328P (DS40002061A) section 18.11.8.
func timer2(vector uint8, oca, ocb periph.Pin) periph.TimerConfig {
	t := timer8("Timer/Counter2", 0xB0, 0x70, 0x37, vector)
	t.OC = [3]periph.Pin{oca, ocb}
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 6}
	t.ASSR, t.AS, t.EXCLK = 0xB6, 5, 6
	t.UB = [5]uint8{4, 3, 2, 1, 0} // TCN2UB, OCR2AUB, OCR2BUB, TCR2AUB, TCR2BUB
	t.Clocks = periph.TimerAsyncClocks
	t.Reentry = periph.ReentryRepeat
	return t
}

// timer16Pads gives a timer its pads: OCnA, OCnB and OCnC as a port and bits.
func timer16Pads(t periph.TimerConfig, oc string, icp, ext periph.Pin) periph.TimerConfig {
	for x := range oc[1:] {
		t.OC[x] = periph.P(oc[0], oc[1+x]-'0')
	}
	t.ICP, t.T = icp, ext
	return t
}

// watchdogCSR is the watchdog with an interrupt of the newer chips: WDTCSR, 2K cycles of a 128 kHz oscillator and up
// (ATmega328P, DS40002061A section 11.9.2, Table 11-2; ATmega2560, 2549Q section 12.5.2).
func watchdogCSR(vector uint8) periph.WatchdogConfig {
	return periph.WatchdogConfig{
		WDTCSR: 0x60, WDE: 3, WDCE: 4, WDIE: 6, WDIF: 7, WDP: [4]uint8{0, 1, 2, 5},
		Vector: vector, FirstTap: 2048, LastTap: 9, OscillatorPeriod: 7_812_500,
		FlagForcesWDE: true,
	}
}

// prescalerGTCCR is ATmega328P (DS40002061A) section 17.4.1, ATmega2560 (2549Q) section 18.4.1.
var prescalerGTCCR = periph.PrescalerConfig{GTCCR: 0x43, TSM: 7, PSRSYNC: 0, PSRASY: 1}

// clockCLKPR is ATmega328P (DS40002061A) sections 9.12.1 and 9.12.2, ATmega2560 (2549Q) sections 10.13.1 and 10.13.2.
var clockCLKPR = periph.ClockConfig{CLKPR: 0x61, CLKPCE: 7, CLKPS: 0x0F, OSCCAL: 0x66}
