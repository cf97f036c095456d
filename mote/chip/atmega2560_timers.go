package chip

import "motehound/mote/periph"

// ATmega2560: 2549Q, chapters 16 (Timer/Counter0), 17 (Timer/Counter1, 3, 4 and 5) and 20 (Timer/Counter2); register addresses
// from chapter 33, vectors from Table 14-1, pads from section 13.3.
var atmega2560Timers = []periph.TimerConfig{
	timer0(22, periph.P('B', 7), periph.P('G', 5), periph.P('D', 7)),
	atmega2560Timer1(),
	timer2(14, periph.P('B', 4), periph.P('H', 6)),
	atmega2560Timer3(),
	timer16Pads(atmega2560Timer4(), "H345", periph.P('L', 0), periph.P('H', 7)),
	timer16Pads(atmega2560Timer5(), "L345", periph.P('L', 1), periph.P('L', 2)),
}

func atmega2560Timer1() periph.TimerConfig {
	return timer16Pads(timer1(17, true), "B567", periph.P('D', 4), periph.P('D', 6))
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
