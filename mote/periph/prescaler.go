package periph

import "motehound/mote/cell"

// PrescalerConfig is the register that resets the timers' prescalers: SFIOR of the ATmega128 (2467X page 109), GTCCR
// of the others (ATmega328P, DS40002061A section 17.4.1).
type PrescalerConfig struct {
	GTCCR   uint16
	TSM     uint8
	PSRSYNC uint8 // PSR321 of the ATmega128
	PSRASY  uint8 // PSR0 of the ATmega128
}

// PrescalerState is what the register remembers: the reset bits stay set only under TSM.
type PrescalerState struct {
	TSM  bool
	Sync bool
	Asyn bool
}

// Prescaler owns the reset bits of the timers' prescalers. The prescalers themselves are in the timers, which count from the
// last reset that they were told of.
type Prescaler struct {
	Passive
	ID  ID
	Cfg *PrescalerConfig
	S   *PrescalerState
}

// Registers lists SFIOR or GTCCR.
func (p *Prescaler) Registers() []uint16 { return []uint16{p.Cfg.GTCCR} }

// Read answers with TSM and the reset bits.
func (p *Prescaler) Read(h Host, addr uint16) cell.Cell { return cell.Of(p.Peek(h, addr)) }

// Peek is Read.
func (p *Prescaler) Peek(_ Host, _ uint16) uint8 {
	v := uint8(0)
	if p.S.TSM {
		v |= 1 << p.Cfg.TSM
	}
	if p.S.Sync {
		v |= 1 << p.Cfg.PSRSYNC
	}
	if p.S.Asyn {
		v |= 1 << p.Cfg.PSRASY
	}
	return v
}

// Write resets prescalers, or keeps them in reset while TSM is set.
func (p *Prescaler) Write(h Host, _ uint16, v cell.Cell) {
	s := p.S
	s.TSM = v.V()>>p.Cfg.TSM&1 != 0
	s.Sync = prescalerBit(h, s.TSM, s.Sync, v.V()>>p.Cfg.PSRSYNC&1 != 0,
		SigPrescalerResetSync, SigPrescalerHoldSync, SigPrescalerRunSync)
	s.Asyn = prescalerBit(h, s.TSM, s.Asyn, v.V()>>p.Cfg.PSRASY&1 != 0,
		SigPrescalerResetAsync, SigPrescalerHoldAsync, SigPrescalerRunAsync)
}

// prescalerBit tells the timers what a write means for one prescaler and gives back the bit as it stays.
func prescalerBit(h Host, tsm, held, set bool, reset, hold, run Signal) bool {
	switch {
	case tsm && set && !held:
		h.Signal(hold)
	case held && !(tsm && set):
		h.Signal(run)
	case set && !tsm:
		h.Signal(reset)
	}
	return tsm && set
}

// Reset lets the prescalers run; the timers start theirs over by themselves.
func (p *Prescaler) Reset(Host, bool) { *p.S = PrescalerState{} }
