package periph

import (
	"motehound/mote/digest"
	"motehound/mote/relative"
)

// How the states of peripherals look from now (package relative). Forget drops what can matter no more, each for the reason given; what
// is kept lazily is brought up to date, in a copy. The chip hashes the result.

var (
	portTable  = relative.Of[PortState]()
	timerTable = relative.Of[TimerState]()
	usartTable = relative.Of[USARTState]()
)

// AppendRelative feeds a port's state to a digest as it looks from now.
func (s *PortState) AppendRelative(h *digest.Digest, now *relative.Now) {
	c := *s
	if c.LevelsAt < now[relative.IO] {
		c.Before = 0 // PIN shows Levels from here on
	}
	portTable.Append(h, &c, now)
}

// Shift moves a port's times: see relative.Table.
func (s *PortState) Shift(now, by *relative.Now) { portTable.Shift(s, now, by) }

// Forget drops what a transfer that is over has left.
func (s *SPIState) Forget() {
	if s.Pads != spiPadsSlave {
		s.MISO = false // it is set when the slave gets its pads
	}
}

// adcPhases is a number of cycles after which the ADC's prescaler is as it was, for every ADPS: twice the longest period, since CKADC2
// toggles with each.
const adcPhases = 2 * 128

// Forget drops what the conversion before has left, and how long ago the prescaler left reset: only its phase matters. Sampled says that
// no sample is going to be taken.
func (s *ADCState) Forget(now *relative.Now, sampled bool) {
	ago := now[relative.ADC] - s.Origin
	switch {
	case s.ADCSRA&adcADEN == 0:
		s.Origin = Never // set when ADEN is
	case s.Origin <= now[relative.ADC]:
		s.Origin = now[relative.ADC] - ago%adcPhases
	}
	if s.Phase != adcWaiting {
		s.Start = Never // the conversion has begun, and its events are planned
	}
	if s.Phase != adcConverting {
		s.Input = 0 // latched when it begins
	}
	if s.Phase != adcConverting || !sampled {
		s.SampleLo, s.SampleHi = 0, 0
	}
}

// SampleKind is the kind of event at which the input is sampled.
func (a *ADC) SampleKind() uint8 { return adcEventSample }

// Forget closes a window that is over, and drops what was programmed.
func (s *EEPROMState) Forget(now *relative.Now) {
	if s.Master != eepromClosed && now[relative.IO]-s.Master > eepromWindow {
		s.Master = eepromClosed
	}
	if s.Busy == 0 {
		s.Addr, s.Data, s.Mode = 0, 0, 0
	}
}

// Forget drops the page that was programmed.
func (s *SelfProgState) Forget() {
	if s.Op == 0 {
		s.Addr = 0
	}
}

// Forget closes a window that is over. Of when the counter was zero only the phase matters, for every WDP.
func (s *WatchdogState) Forget(c *WatchdogConfig, now *relative.Now) {
	s.Changing, s.ChangeUntil = openUntil(s.Changing, s.ChangeUntil, now)
	if !s.WDE && !s.WDIE {
		s.Start = Never // set when it is switched on
		return
	}
	if longest := uint64(c.FirstTap) << c.LastTap * uint64(c.OscillatorPeriod); s.Start <= now[relative.Real] {
		s.Start = now[relative.Real] - (now[relative.Real]-s.Start)%longest
	}
}

// Forget closes a window that is over.
func (s *SystemClockState) Forget(now *relative.Now) {
	s.Changing, s.ChangeUntil = openUntil(s.Changing, s.ChangeUntil, now)
}

// openUntil is a window for a timed sequence, as far as it matters.
func openUntil(open bool, until uint64, now *relative.Now) (bool, uint64) {
	if open && now[relative.IO] <= until {
		return open, until
	}
	return false, Never
}
