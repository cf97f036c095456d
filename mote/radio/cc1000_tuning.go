package radio

// tuning is what the synthesizer's lock depends on: direction, frequency word and reference divider.
func (r *cc1000) tuning() uint64 {
	s := r.S
	a := cc1000FREQ2A
	if s.Reg[cc1000MAIN]&cc1000FREG != 0 {
		a = cc1000FREQ2B
	}
	word := uint64(s.Reg[a])<<16 | uint64(s.Reg[a+1])<<8 | uint64(s.Reg[a+2])
	return uint64(s.Reg[cc1000MAIN]&cc1000RXTX)<<32 | r.refdiv()<<24 | word
}

// refdiv is the divider between the crystal and the synthesizer's reference (allowed: 2 to 15).
func (r *cc1000) refdiv() uint64 { return max(uint64(r.S.Reg[cc1000PLL]>>3&0x0F), 1) }

// scaled is a frequency word in hertz: fref * word / 16384.
func (r *cc1000) scaled(word uint64) uint64 { return uint64(r.Crystal) * word / (16384 * r.refdiv()) }

// configure makes the chip's parts follow the registers and each other: crystal, calibration, synthesizer, modem, amplifier.
func (r *cc1000) configure(h Host) {
	r.powerCrystal(h)
	r.calibrate(h)
	r.tune(h)
	r.setMode(h)
	r.amplify(h)
	r.driveCHPOut(h)
	r.plan(h)
}

func (r *cc1000) powerCrystal(h Host) {
	s := r.S
	on := s.Reg[cc1000MAIN]&cc1000COREPD == 0
	if on == (s.Xtal != cc1000Off) {
		return
	}
	s.Xtal, s.XtalAt = cc1000Off, Never
	if on {
		s.Xtal, s.XtalAt = cc1000Settling, h.Time()+cc1000CrystalTime
	}
	h.Plan(cc1000CrystalRuns, s.XtalAt)
}

// biased reports whether the digital part and the synthesizer have a clock.
func (r *cc1000) biased() bool {
	return r.S.Xtal == cc1000Running && r.S.Reg[cc1000MAIN]&cc1000BIASPD == 0
}

// cc1000CalTime is the longest calibration, at the lowest reference frequency of 1 MHz ("VCO and PLL self-calibration").
const cc1000CalTime = 34 * millisecond

// powered reports whether the synthesizer is on.
func (r *cc1000) powered() bool {
	return r.biased() && r.S.Reg[cc1000MAIN]&cc1000FSPD == 0 && r.S.Reg[cc1000FSCTRL]&cc1000FSResetN != 0
}

// calibrate starts the calibration that CAL_START asks for as soon as the synthesizer is on, and gives up one that is not
// asked for any more.
func (r *cc1000) calibrate(h Host) {
	s := r.S
	start, powered := s.Reg[cc1000CAL]&cc1000CalStart != 0, r.powered()
	if s.Calibrating != 0 && !(start && powered) {
		s.Calibrating, s.CalAt, s.Synth = 0, Never, cc1000Off
		h.Plan(cc1000CalEnds, Never)
	}
	if !start || s.CalDone != 0 || s.Calibrating != 0 {
		return
	}
	if !powered {
		h.Notice("cc1000-calibration-off",
			"the firmware starts a calibration of the CC1000 while crystal, bias or synthesizer is off: CAL_COMPLETE stays 0 until they are on")
		return
	}
	t := cc1000CalTime * r.refdiv() * 1_000_000 / uint64(r.Crystal)
	if s.Reg[cc1000CAL]&cc1000CalWait == 0 {
		t /= 2
	}
	s.Calibrating, s.CalAt = 1, h.Time()+t
	h.Plan(cc1000CalEnds, s.CalAt)
}

// endCalibration leaves the synthesizer locked to the frequency it was calibrated for.
func (r *cc1000) endCalibration() {
	s := r.S
	s.Calibrating, s.CalDone, s.CalAt = 0, 1, Never
	switch main := s.Reg[cc1000MAIN]; {
	case s.Reg[cc1000CAL]&cc1000CalDual != 0:
		s.Calibrated = 3
	case main&cc1000FREG != 0:
		s.Calibrated |= 2
	default:
		s.Calibrated |= 1
	}
	if s.Synth == cc1000Settling {
		s.Synth, s.LockAt = cc1000Running, Never
	}
}

// tune powers the synthesizer and lets it settle on what the registers say.
func (r *cc1000) tune(h Host) {
	s := r.S
	if !r.powered() {
		if s.Synth != cc1000Off {
			s.Synth, s.LockAt = cc1000Off, Never
			h.Plan(cc1000SynthLocks, Never)
		}
		s.Hertz, s.Tuned = 0, 0
		return
	}
	tuned := r.tuning()
	settle := uint64(cc1000TurnTime)
	switch {
	case s.Synth == cc1000Off && s.Tuned == 0:
		settle = cc1000TurnOnTime
	case s.Calibrating != 0 && s.LockAt == Never && s.Synth == cc1000Settling:
		return
	case s.Synth != cc1000Off && s.Calibrating == 0 && tuned == s.Tuned:
		return
	}
	s.Synth, s.Tuned, s.Hertz = cc1000Settling, tuned, r.scaled(tuned&0xFF_FFFF+8192)
	s.LockAt = h.Time() + settle
	if s.Calibrating != 0 {
		s.LockAt = Never
	}
	h.Plan(cc1000SynthLocks, s.LockAt)
	r.loseLock()
}

// wantedMode is what MAIN asks of the data interface.
func (r *cc1000) wantedMode() cc1000Mode {
	switch main := r.S.Reg[cc1000MAIN]; {
	case !r.biased():
	case main&cc1000RXTX == 0 && main&cc1000RXPD == 0:
		return cc1000Receive
	case main&cc1000RXTX != 0 && main&cc1000TXPD == 0:
		return cc1000Transmit
	}
	return cc1000Idle
}

// setMode switches the modem over. DCLK keeps its phase as long as the modem is on.
func (r *cc1000) setMode(h Host) {
	s := r.S
	mode := r.wantedMode()
	if mode != s.Mode {
		s.Mode, s.Told = mode, 0
		r.loseLock()
	}
	period := uint64(0)
	if mode != cc1000Idle && s.Reg[cc1000MODEM1]&cc1000ModemResetN != 0 {
		period = r.bitTime(h)
	}
	if period == 0 {
		s.Edge, s.Period = Never, 0
		r.loseLock()
		return
	}
	if mode == cc1000Receive && s.Noise == 0 {
		if seed := h.Choose(cc1000Seeds); seed != Silence {
			s.Noise = cc1000Seed(seed)
		}
	}
	if s.Locking != 0 {
		return // the bit synchronizer has DCLK
	}
	if s.Edge == Never {
		s.Edge = h.Time() + period
	}
	s.Period = period
}

// warnUncalibrated looks when something goes on the air: before that firmware may well select a frequency in order to
// calibrate it.
func (r *cc1000) warnUncalibrated(h Host) {
	s := r.S
	bit := uint8(1)
	if s.Reg[cc1000MAIN]&cc1000FREG != 0 {
		bit = 2
	}
	if s.Mode != cc1000Idle && s.Calibrated&bit == 0 && s.Calibrating == 0 && s.Reg[cc1000CAL]&cc1000CalStart == 0 {
		h.Notice("cc1000-uncalibrated",
			"the firmware sends with the CC1000 on a frequency that it has not calibrated; a real one may not lock")
	}
}

// cc1000Rates are the nominal baud rates of MODEM0's BAUDRATE, for a crystal as XOSC_FREQ says; 6 and 7 are not used.
var cc1000Rates = [8]uint64{600, 1200, 2400, 4800, 9600, 19_200, 0, 0}

// Data formats in MODEM0.
const (
	cc1000NRZ        = 0
	cc1000Manchester = 1
	cc1000UART       = 2
)

func (r *cc1000) format() uint8 { return r.S.Reg[cc1000MODEM0] >> 2 & 3 }

// baud is the rate of chips. The divider belongs to a crystal of 3.6864, 7.3728, 11.0592 or 14.7456 MHz; a faster crystal
// makes a faster modem (that is how 38.4 and 76.8 kBaud come about).
func (r *cc1000) baud() uint64 { return r.speed().baud }

// cc1000Speed is what MODEM0 and the crystal make of the modem's speed.
type cc1000Speed struct {
	known       uint16 // the MODEM0 that it was worked out for, plus one
	sensitivity int16
	baud        uint64
	bit         uint64 // the length of a bit; 0 if no data passes
}

// speed works it out when MODEM0 has changed: every byte that is heard needs it, and divisions are slow.
func (r *cc1000) speed() *cc1000Speed {
	if m := r.S.Reg[cc1000MODEM0]; r.known.known != uint16(m)+1 {
		r.known = r.speedAt(m)
	}
	return &r.known
}

func (r *cc1000) speedAt(m uint8) cc1000Speed {
	p := cc1000Speed{known: uint16(m) + 1, sensitivity: cc1000Sensitivity}
	p.baud = cc1000Rates[m>>4&7] * uint64(r.Crystal) / (3_686_400 * (uint64(m&3) + 1))
	for b := uint64(600); b < p.baud && b < 76_800; b *= 2 {
		p.sensitivity += 2
	}
	switch f := m >> 2 & 3; {
	case p.baud == 0:
	case f == cc1000Manchester:
		p.bit = 2_000_000_000_000 / p.baud
	case f == cc1000NRZ:
		p.bit = 1_000_000_000_000 / p.baud
	}
	return p
}

// bitTime is the period of DCLK; 0 if there is none.
func (r *cc1000) bitTime(h Host) uint64 {
	if bit := r.speed().bit; bit != 0 {
		return bit
	}
	switch f := r.format(); {
	case r.baud() == 0:
		h.Notice("cc1000-baud", "the firmware sets a BAUDRATE in the CC1000's MODEM0 that is not used: no data passes")
	case f == cc1000UART:
		h.Notice("cc1000-uart", "the firmware uses the CC1000's transparent asynchronous UART mode, which is not modelled: no data passes")
	default:
		h.Notice("cc1000-format", "the firmware sets a DATA_FORMAT in the CC1000's MODEM0 that is not used: no data passes")
	}
	return 0
}

// modulation is what tells this radio's signal from those it cannot read.
func (r *cc1000) modulation() Modulation {
	if r.format() == cc1000Manchester {
		return FSKManchester
	}
	return FSK
}

// amplify switches the carrier as mode, synthesizer and PA_POW say.
func (r *cc1000) amplify(h Host) {
	s := r.S
	on := s.Mode == cc1000Transmit && s.Synth == cc1000Running && s.Reg[cc1000PAPOW] != 0
	c := Carrier{}
	if on {
		c = r.carrier()
	}
	if on == (s.OnAir != 0) && c == s.Air {
		return
	}
	at := h.Time() + cc1000AirDelay
	if s.OnAir != 0 {
		h.SwitchOff(at)
	}
	s.OnAir, s.Air = 0, c
	if on {
		s.OnAir = 1
		r.warnUncalibrated(h)
		h.SwitchOn(at, c)
	}
}

// carrier is the signal that the registers describe.
func (r *cc1000) carrier() Carrier {
	s := r.S
	sep := uint64(s.Reg[cc1000FSEP1])<<8 | uint64(s.Reg[cc1000FSEP0])
	f := r.scaled(r.tuning()&0xFF_FFFF + 8192)
	return Carrier{Hertz: f + r.scaled(sep)/2, DBm: int16(cc1000Power(s.Reg[cc1000PAPOW], f)), Modulation: r.modulation()}
}

// cc1000PowerStep is a row of the datasheet's table of output powers: the power of a PA_POW setting in each band.
type cc1000PowerStep struct {
	setting        uint8
	low433, low868 int8
}

// cc1000Powers is in order of setting; settings in between give the power of the one below.
var cc1000Powers = []cc1000PowerStep{
	{0x01, -20, -22}, {0x02, -17, -20}, {0x03, -14, -18}, {0x04, -12, -16}, {0x05, -10, -15}, {0x06, -8, -13},
	{0x07, -7, -12}, {0x08, -6, -11}, {0x09, -5, -10}, {0x0A, -4, -9}, {0x0B, -3, -9}, {0x0C, -2, -8}, {0x0D, -2, -7},
	{0x0E, -1, -7}, {0x0F, 0, -6}, {0x40, 1, -5}, {0x50, 2, -4}, {0x60, 4, -2}, {0x70, 5, -1}, {0x80, 6, 0},
	{0x90, 7, 1}, {0xB0, 7, 2}, {0xC0, 8, 3}, {0xE0, 9, 3}, {0xF0, 9, 4}, {0xFF, 10, 5},
}

// cc1000Bands is the frequency between the bands that the datasheet gives numbers for, 433 and 868 MHz.
const cc1000Bands = 600_000_000

// cc1000Power is the output power in dBm.
func cc1000Power(setting uint8, hertz uint64) int8 {
	p := cc1000Powers[0]
	for _, x := range cc1000Powers {
		if x.setting <= setting {
			p = x
		}
	}
	if hertz < cc1000Bands {
		return p.low433
	}
	return p.low868
}

// Signals that LOCK_SELECT leads to CHP_OUT; those of the analog part are not modelled and low.
const (
	cc1000SelContinuous = 1
	cc1000SelInstant    = 2
	cc1000SelCalDone    = 5
	cc1000SelTXPDB      = 8
	cc1000SelViolation  = 9
	cc1000SelRXPDB      = 10
)

// driveCHPOut gives CHP_OUT the level of the signal selected.
func (r *cc1000) driveCHPOut(h Host) {
	s := r.S
	main, level := s.Reg[cc1000MAIN], false
	switch s.Reg[cc1000LOCK] >> 4 {
	case cc1000SelContinuous, cc1000SelInstant:
		level = s.Synth == cc1000Running
	case cc1000SelCalDone:
		level = s.CalDone != 0
	case cc1000SelTXPDB:
		level = main&cc1000TXPD == 0
	case cc1000SelRXPDB:
		level = main&cc1000RXPD == 0
	case cc1000SelViolation:
		level = r.violation()
	}
	if level != (s.CHPOut != 0) {
		s.CHPOut ^= 1
		h.SetPin(PinCHPOUT, level)
	}
}
