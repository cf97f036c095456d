package chip

import "motehound/mote/periph"

// The ATmega128's timers share TIMSK, TIFR, ETIMSK and ETIFR (2467X, "Timer/Counter Interrupt Mask Register" and so on).
const (
	atmega128TIFR   = 0x56
	atmega128TIMSK  = 0x57
	atmega128ETIFR  = 0x7C
	atmega128ETIMSK = 0x7D
)

func atmega128Flag(bit, vector uint8) periph.TimerFlag {
	return periph.TimerFlag{TIMSK: atmega128TIMSK, TIFR: atmega128TIFR, Bit: bit, Vector: vector}
}

func atmega128Extended(bit, vector uint8) periph.TimerFlag {
	return periph.TimerFlag{TIMSK: atmega128ETIMSK, TIFR: atmega128ETIFR, Bit: bit, Vector: vector}
}

// atmega128Timer8 is an 8-bit timer with one compare unit; its TCCR0 or TCCR2 has FOC, WGM0, COM1:0, WGM1 and CS2:0 (2467X,
// "Timer/Counter Control Register - TCCR0" and "- TCCR2"). COM = 1 is reserved in its PWM modes (Tables 54, 55, 66 and 67).
func atmega128Timer8(name string, tccr, tcnt, ocr uint16, oc periph.Pin) periph.TimerConfig {
	return periph.TimerConfig{
		Name: name, Bits: 8,
		TCCRA: tccr, TCNTL: tcnt, OCRL: [3]uint16{ocr},
		WGM:       [4]periph.RegBit{{Reg: tccr, Bit: 6}, {Reg: tccr, Bit: 3}},
		COM:       [3]periph.RegBit{{Reg: tccr, Bit: 4}},
		FOC:       [3]periph.RegBit{{Reg: tccr, Bit: 7}},
		CS:        periph.RegBit{Reg: tccr, Bit: 0},
		Waveforms: periph.Timer8Waveforms,
		OC:        [3]periph.Pin{oc},
	}
}

// atmega128Timer16 is a 16-bit timer; the bits of its control registers are those of the newer chips (2467X, "16-bit
// Timer/Counter Register Description").
// In fast PWM only mode 15 toggles OCnA, in the phase correct modes 9 and 11 do (Tables 59 and 60).
func atmega128Timer16(name string, a, b, c, tcnt, icr uint16, ocr ...uint16) periph.TimerConfig {
	t := timer16Registers(name, a, b, c, tcnt, icr, ocr...)
	t.ToggleOCA = 1<<9 | 1<<11 | 1<<15
	return t
}

// ATmega128: 2467X, "8-bit Timer/Counter0 with PWM and Asynchronous Operation", "16-bit Timer/Counter (Timer/Counter1 and
// Timer/Counter3)", "8-bit Timer/Counter2 with PWM"; addresses from "Register Summary", vectors from Table 23, pads from
// "Alternate Port Functions".
var atmega128Timers = []periph.TimerConfig{
	atmega128Timer0(), atmega128Timer1(), atmega128Timer2(), atmega128Timer3(),
}

func atmega128Timer0() periph.TimerConfig {
	t := atmega128Timer8("Timer/Counter0", 0x53, 0x52, 0x51, periph.P('B', 4))
	t.Clocks = periph.TimerAsyncClocks
	t.ASSR, t.AS, t.EXCLK = 0x50, 3, periph.NoBit
	t.UB = [5]uint8{2, 1, periph.NoBit, 0, periph.NoBit} // TCN0UB, OCR0UB, -, TCR0UB, -
	t.Reentry = periph.ReentryDeaf
	t.Flags[periph.TOV] = atmega128Flag(0, 17)
	t.Flags[periph.OCFA] = atmega128Flag(1, 16)
	return t
}

func atmega128Timer1() periph.TimerConfig {
	t := atmega128Timer16("Timer/Counter1", 0x4F, 0x4E, 0x7A, 0x4C, 0x46, 0x4A, 0x48, 0x78)
	t.ACIC = periph.RegBit{Reg: 0x28, Bit: 2}
	t.Flags[periph.TOV] = atmega128Flag(2, 15)
	t.Flags[periph.OCFA] = atmega128Flag(4, 13)
	t.Flags[periph.OCFB] = atmega128Flag(3, 14)
	t.Flags[periph.OCFC] = atmega128Extended(0, 25)
	t.Flags[periph.ICF] = atmega128Flag(5, 12)
	return timer16Pads(t, "B567", periph.P('D', 4), periph.P('D', 6))
}

func atmega128Timer2() periph.TimerConfig {
	t := atmega128Timer8("Timer/Counter2", 0x45, 0x44, 0x43, periph.P('B', 7))
	t.Clocks = periph.TimerClocks
	t.T = periph.P('D', 7)
	t.Flags[periph.TOV] = atmega128Flag(6, 11)
	t.Flags[periph.OCFA] = atmega128Flag(7, 10)
	return t
}

func atmega128Timer3() periph.TimerConfig {
	t := atmega128Timer16("Timer/Counter3", 0x8B, 0x8A, 0x8C, 0x88, 0x80, 0x86, 0x84, 0x82)
	t.Flags[periph.TOV] = atmega128Extended(2, 30)
	t.Flags[periph.OCFA] = atmega128Extended(4, 27)
	t.Flags[periph.OCFB] = atmega128Extended(3, 28)
	t.Flags[periph.OCFC] = atmega128Extended(1, 29)
	t.Flags[periph.ICF] = atmega128Extended(5, 26)
	return timer16Pads(t, "E345", periph.P('E', 7), periph.P('E', 6))
}

// atmega128Prescaler: SFIOR with PSR0 for Timer/Counter0 and PSR321 for the others (2467X page 109).
var atmega128Prescaler = periph.PrescalerConfig{GTCCR: 0x40, TSM: 7, PSRSYNC: 0, PSRASY: 1}

// atmega128Watchdog: WDTCR, 2467X Table 22. The period of the oscillator is the one that gives the table's time-outs at 5 V
// (14.0 ms to 1.8 s); the text's 1 MHz does not.
var atmega128Watchdog = periph.WatchdogConfig{
	WDTCSR: 0x41, WDE: 3, WDCE: 4, WDIE: periph.NoBit, WDIF: periph.NoBit, WDP: [4]uint8{0, 1, 2, periph.NoBit},
	FirstTap: 16384, LastTap: 7, OscillatorPeriod: 857_000,
}

// atmega128Clock: 2467X, "XTAL Divide Control Register - XDIV" and "Oscillator Calibration Register - OSCCAL".
var atmega128Clock = periph.ClockConfig{XDIV: 0x5C, XDIVEN: 7, OSCCAL: 0x6F}
