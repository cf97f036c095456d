package chip

import "motehound/mote/periph"

// ATmega328P: DS40002061A, chapters 15 (Timer/Counter0), 16 (Timer/Counter1) and 18 (Timer/Counter2); register addresses from
// chapter 36, vectors from Table 12-6, pads from section 14.3.
var atmega328pTimers = []periph.TimerConfig{
	timer0(15, periph.P('D', 6), periph.P('D', 5), periph.P('D', 4)),
	timer16Pads(timer1(11, false), "B12", periph.P('B', 0), periph.P('D', 5)),
	timer2(8, periph.P('B', 3), periph.P('D', 3)),
}

var atmega328pWatchdog = watchdogCSR(7)
