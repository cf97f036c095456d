package chip

import "motehound/mote/periph"

// ATmega328P: DS40002061A, chapters 15 (Timer/Counter0), 16 (Timer/Counter1) and 18 (Timer/Counter2); register addresses from
// chapter 36, vectors from Table 12-6, pads from section 14.3.
var atmega328pTimers = []periph.TimerConfig{atmega328pTimer0(), atmega328pTimer1(), atmega328pTimer2()}

func atmega328pTimer0() periph.TimerConfig {
	t := timer8("Timer/Counter0", 0x44, 0x6E, 0x35, 15)
	t.OC = [3]periph.Pin{periph.P('D', 6), periph.P('D', 5)}
	t.T = periph.P('D', 4)
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 5}
	t.Flags[periph.OCFA].Signal = periph.SigTimer0Compare
	t.Flags[periph.TOV].Signal = periph.SigTimer0Overflow
	return t
}

func atmega328pTimer1() periph.TimerConfig {
	t := timer16("Timer/Counter1", 0x80, 0x6F, 0x36, 11, false)
	t.OC = [3]periph.Pin{periph.P('B', 1), periph.P('B', 2)}
	t.ICP, t.T = periph.P('B', 0), periph.P('D', 5)
	t.ACIC = periph.RegBit{Reg: 0x50, Bit: 2}
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 3}
	t.Flags[periph.OCFB].Signal = periph.SigTimer1CompareB
	t.Flags[periph.TOV].Signal = periph.SigTimer1Overflow
	t.Flags[periph.ICF].Signal = periph.SigTimer1Capture
	return t
}

func atmega328pTimer2() periph.TimerConfig {
	t := timerAsync(timer8("Timer/Counter2", 0xB0, 0x70, 0x37, 8), 0xB6)
	t.OC = [3]periph.Pin{periph.P('B', 3), periph.P('D', 3)}
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 6}
	return t
}

var atmega328pPrescaler = prescalerGTCCR

var atmega328pWatchdog = watchdogCSR(7)

var atmega328pClock = clockCLKPR
