package chip

import "motehound/mote/periph"

// ATmega2560: 2549Q, chapters 16 (Timer/Counter0), 17 (Timer/Counter1, 3, 4 and 5) and 20 (Timer/Counter2); register addresses
// from chapter 33, vectors from Table 14-1, pads from section 13.3.
var atmega2560Timers = []periph.TimerConfig{
	atmega2560Timer0(),
	atmega2560Timer1(),
	atmega2560Timer2(periph.P('H', 6)),
	atmega2560Timer3(),
	timer16Pads(atmega2560Timer4(), "H345", periph.P('L', 0), periph.P('H', 7)),
	timer16Pads(atmega2560Timer5(), "L345", periph.P('L', 1), periph.P('L', 2)),
}

// timer16Pads gives a timer its pads: OCnA, OCnB and OCnC as a port and three bits.
func timer16Pads(t periph.TimerConfig, oc string, icp, ext periph.Pin) periph.TimerConfig {
	for x := range t.OC {
		t.OC[x] = periph.P(oc[0], oc[1+x]-'0')
	}
	t.ICP, t.T = icp, ext
	return t
}

func atmega2560Timer0() periph.TimerConfig {
	t := timer8("Timer/Counter0", 0x44, 0x6E, 0x35, 22)
	t.OC = [3]periph.Pin{periph.P('B', 7), periph.P('G', 5)}
	t.T = periph.P('D', 7)
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 5}
	t.Flags[periph.OCFA].Signal = periph.SigTimer0Compare
	t.Flags[periph.TOV].Signal = periph.SigTimer0Overflow
	return t
}

func atmega2560Timer1() periph.TimerConfig {
	t := timer16Pads(timer16("Timer/Counter1", 0x80, 0x6F, 0x36, 17, true), "B567", periph.P('D', 4), periph.P('D', 6))
	t.ACIC = periph.RegBit{Reg: 0x50, Bit: 2}
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 3}
	t.Flags[periph.OCFB].Signal = periph.SigTimer1CompareB
	t.Flags[periph.TOV].Signal = periph.SigTimer1Overflow
	t.Flags[periph.ICF].Signal = periph.SigTimer1Capture
	return t
}

func atmega2560Timer2(oc2b periph.Pin) periph.TimerConfig {
	t := timerAsync(timer8("Timer/Counter2", 0xB0, 0x70, 0x37, 14), 0xB6)
	t.OC = [3]periph.Pin{periph.P('B', 4), oc2b}
	t.PRTIM = periph.RegBit{Reg: 0x64, Bit: 6}
	return t
}

func atmega2560Timer3() periph.TimerConfig {
	t := timer16Pads(timer16("Timer/Counter3", 0x90, 0x71, 0x38, 32, true), "E345", periph.P('E', 7), periph.P('E', 6))
	t.PRTIM = periph.RegBit{Reg: 0x65, Bit: 3}
	return t
}

func atmega2560Timer4() periph.TimerConfig {
	t := timer16("Timer/Counter4", 0xA0, 0x72, 0x39, 42, true)
	t.PRTIM = periph.RegBit{Reg: 0x65, Bit: 4}
	return t
}

func atmega2560Timer5() periph.TimerConfig {
	t := timer16("Timer/Counter5", 0x120, 0x73, 0x3A, 47, true)
	t.PRTIM = periph.RegBit{Reg: 0x65, Bit: 5}
	return t
}

var atmega2560Watchdog = watchdogCSR(13)
