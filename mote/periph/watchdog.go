package periph

import "motehound/mote/cell"

// WatchdogConfig is the watchdog of a chip.
type WatchdogConfig struct {
	WDTCSR           uint16 // WDTCR of the ATmega128
	WDE, WDCE        uint8
	WDIE, WDIF       uint8    // NoBit where there is no interrupt
	WDP              [4]uint8 // WDP3 is NoBit on the ATmega128
	Vector           uint8
	FirstTap         uint32 // oscillator cycles of the shortest time-out; each step of WDP doubles it
	LastTap          uint8  // greatest WDP that is not reserved
	OscillatorPeriod uint32 // of the watchdog's oscillator, picoseconds, typical
	FlagForcesWDE    bool   // WDE stays set while WDRF is
}

// WatchdogState is the state of the watchdog.
type WatchdogState struct {
	Start       uint64 `time:"ps"`          // ClkReal time at which its counter was zero
	ChangeUntil uint64 `time:"clkio,ahead"` // last cycle in which WDCE allows a change
	WDP         uint8
	WDE         bool
	WDIE        bool
	WDIF        bool
	Changing    bool // WDCE was set and ChangeUntil counts
	Pad         [3]uint8
}

// Resetter is the part of the chip that the watchdog needs.
type Resetter interface {
	// WatchdogReset resets the chip and notes the watchdog as the cause. It may call the watchdog's Reset.
	WatchdogReset()
	// WDRF reports whether the watchdog reset flag is set in MCUSR (MCUCSR).
	WDRF() bool
}

// Watchdog is the watchdog timer.
type Watchdog struct {
	Passive // Clocked: it has an oscillator of its own
	ID      ID
	Cfg     *WatchdogConfig
	S       *WatchdogState
	Chip    Resetter
	WDTON   bool // fuse: always on
	M103C   bool // fuse: ATmega103 compatibility, safety level 0 (ATmega128 only)
}

// watchdogWindow is how long WDCE stays set.
const watchdogWindow = 4

// Registers lists WDTCR or WDTCSR.
func (w *Watchdog) Registers() []uint16 { return []uint16{w.Cfg.WDTCSR} }

func (w *Watchdog) on() bool { return w.S.WDE || w.S.WDIE }

// period is the time-out in picoseconds.
func (w *Watchdog) period() uint64 {
	tap := min(w.S.WDP, w.Cfg.LastTap)
	return uint64(w.Cfg.FirstTap) << tap * uint64(w.Cfg.OscillatorPeriod)
}

// plan asks for the next time-out: the next full period of the counter, which WDR alone puts back to zero.
func (w *Watchdog) plan(h Host) {
	at := Never
	if w.on() {
		p := w.period()
		at = w.S.Start + ((h.Now(ClkReal)-w.S.Start)/p+1)*p
	}
	h.At(w.ID, 0, ClkReal, at)
}

// Kick is the WDR instruction.
func (w *Watchdog) Kick(h Host) {
	w.S.Start = h.Now(ClkReal)
	w.plan(h)
}

// changing reports whether the timed sequence allows a change in this cycle.
func (w *Watchdog) changing(h Host) bool { return w.S.Changing && h.Now(ClkIO) <= w.S.ChangeUntil }

// Read answers with the control register.
func (w *Watchdog) Read(h Host, addr uint16) cell.Cell { return cell.Of(w.Peek(h, addr)) }

// Peek is Read.
func (w *Watchdog) Peek(h Host, _ uint16) uint8 {
	c, s := w.Cfg, w.S
	v := uint8(0)
	set := func(bit uint8, on bool) {
		if on && bit != NoBit {
			v |= 1 << bit
		}
	}
	for i, bit := range c.WDP {
		set(bit, s.WDP>>i&1 != 0)
	}
	set(c.WDE, s.WDE)
	set(c.WDCE, w.changing(h))
	set(c.WDIE, s.WDIE)
	set(c.WDIF, s.WDIF)
	return v
}

// Write changes the watchdog as far as the timed sequence allows: writing WDCE and WDE as ones opens four cycles in which WDE
// can be cleared and WDP changed (ATmega328P, section 11.8; ATmega128, 2467X "Timed Sequences for Changing the
// Configuration of the Watchdog Timer").
func (w *Watchdog) Write(h Host, _ uint16, v cell.Cell) {
	c, s := w.Cfg, w.S
	bit := func(b uint8) bool { return b != NoBit && v.V()>>b&1 != 0 }
	was := w.on()
	if c.WDIF != NoBit {
		if bit(c.WDIF) {
			s.WDIF = false
		}
		s.WDIE = bit(c.WDIE) && !w.WDTON
	}
	open := w.changing(h)
	switch {
	case bit(c.WDCE) && bit(c.WDE):
		s.Changing = true
		s.ChangeUntil = h.Now(ClkIO) + watchdogWindow
		s.WDE = true
	case open:
		s.Changing = false
		s.WDE = bit(c.WDE)
		w.setWDP(v.V())
	default:
		s.WDE = s.WDE || bit(c.WDE)
	}
	if w.M103C && !w.WDTON {
		w.setWDP(v.V()) // safety level 0: no restriction
	}
	s.WDE = s.WDE || w.forced()
	if w.on() && !was {
		s.Start = h.Now(ClkReal)
	}
	w.request(h)
	w.plan(h)
}

func (w *Watchdog) setWDP(v uint8) {
	w.S.WDP = 0
	for i, bit := range w.Cfg.WDP {
		if bit != NoBit && v>>bit&1 != 0 {
			w.S.WDP |= 1 << i
		}
	}
}

// forced reports whether WDE cannot be zero.
func (w *Watchdog) forced() bool { return w.WDTON || w.Cfg.FlagForcesWDE && w.Chip.WDRF() }

func (w *Watchdog) request(h Host) {
	if w.Cfg.Vector != 0 {
		h.Request(w.Cfg.Vector, w.S.WDIF && w.S.WDIE)
	}
}

// Event is the time-out: an interrupt if WDIE is set, and a reset if WDE is set and the interrupt is off or was not
// served since the last time-out (ATmega328P, Table 11-1 and the text above it).
func (w *Watchdog) Event(h Host, _ uint8) {
	s := w.S
	if s.WDE && (!s.WDIE || s.WDIF) {
		w.Chip.WatchdogReset()
		return
	}
	s.WDIF = true
	w.request(h)
	w.plan(h)
}

// Vectors implements Device.
func (w *Watchdog) Vectors() []uint8 { return []uint8{w.Cfg.Vector} }

// Served clears WDIF; in interrupt and system reset mode WDIE too, so that the next time-out resets.
func (w *Watchdog) Served(h Host, _ uint8) {
	w.S.WDIF = false
	if w.S.WDE {
		w.S.WDIE = false
	}
	w.request(h)
}

// Reset puts the watchdog in its initial state; it runs if a fuse or the watchdog reset flag say so. The chip sets WDRF before.
func (w *Watchdog) Reset(h Host, _ bool) {
	*w.S = WatchdogState{Start: h.Now(ClkReal), WDE: w.forced()}
	w.request(h)
	w.plan(h)
}

// Kinds is 1: the time-out.
func (w *Watchdog) Kinds() int { return 1 }
