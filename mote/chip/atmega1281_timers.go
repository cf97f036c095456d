package chip

import "motehound/mote/periph"

// ATmega1281: 2549Q, as the ATmega2560, in a case of 64 pins without ports H and L: no OC2B, and no pads for Timer/Counter4 and
// 5, which count all the same.
var atmega1281Timers = []periph.TimerConfig{
	atmega2560Timer0(),
	atmega2560Timer1(),
	atmega2560Timer2(periph.NoPin),
	atmega2560Timer3(),
	timerWithoutCapture(atmega2560Timer4()),
	timerWithoutCapture(atmega2560Timer5()),
}

// timerWithoutCapture has no capture interrupt: "only available in ATmega640/1280/2560" (Table 14-1, note).
func timerWithoutCapture(t periph.TimerConfig) periph.TimerConfig {
	t.Flags[periph.ICF].Vector = 0
	return t
}

var atmega1281Prescaler = prescalerGTCCR

var atmega1281Watchdog = watchdogCSR(13)

var atmega1281Clock = clockCLKPR
