package periph

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

func TestTimerStatesHaveNoPadding(t *testing.T) {
	for _, c := range []struct {
		v    any
		size uintptr
	}{
		{TimerState{}, unsafe.Sizeof(TimerState{})},
		{PrescalerState{}, unsafe.Sizeof(PrescalerState{})},
		{WatchdogState{}, unsafe.Sizeof(WatchdogState{})},
		{SystemClockState{}, unsafe.Sizeof(SystemClockState{})},
	} {
		if got := binary.Size(c.v); got != int(c.size) {
			t.Errorf("%T: %d bytes of fields in %d bytes: put in or take out pads", c.v, got, c.size)
		}
	}
}

// What an ATmega328P showed: avr8js issues 40, 41 and 72. LDS and STS reach the register in their second cycle.
func TestTimerAgainstSilicon(t *testing.T) {
	t.Run("issue 41: STS TCCR2B; LDS", func(t *testing.T) {
		h := newTimerHost(t, newTestTimer(timer2TestConfig()))
		h.write(1, t2B, 1)
		if got := h.read(3, t2CNT); got != 1 {
			t.Errorf("TCNT2 = %d, want 1", got)
		}
	})
	t.Run("issue 41: STS TCCR2B; NOP; LDS", func(t *testing.T) {
		h := newTimerHost(t, newTestTimer(timer2TestConfig()))
		h.write(1, t2B, 1)
		if got := h.read(4, t2CNT); got != 2 {
			t.Errorf("TCNT2 = %d, want 2", got)
		}
	})
	t.Run("issue 72: STS start; STS stop", func(t *testing.T) {
		h := newTimerHost(t, newTestTimer(timer2TestConfig()))
		h.write(1, t2B, 1)
		h.write(3, t2B, 0)
		if got := h.read(7, t2CNT); got != 2 {
			t.Errorf("TCNT2 = %d, want 2", got)
		}
	})
	t.Run("issue 40: OUT TCNT0; NOP; LDS", func(t *testing.T) {
		h := newTimerHost(t, newTestTimer(timer0TestConfig()))
		h.write(1, t0B, 1)
		h.write(3, t0CNT, 0)
		if got := h.read(6, t0CNT); got != 2 {
			t.Errorf("TCNT0 = %d, want 2", got)
		}
	})
}

// firstSet is the first cycle in which a flag reads as one.
func firstSet(h *timerHost, reg uint16, bit uint8, limit uint64) uint64 {
	for c := h.cycle(); c < limit; c++ {
		h.run(c)
		if h.devices[0].Peek(h, reg)>>bit&1 != 0 {
			return c
		}
	}
	return Never
}

// ATmega328P (DS40002061A) section 15.8, Figures 15-8 to 15-11, section 16.10, Figures 16-10 to 16-13: flags rise with the
// timer clock that leaves the value. The timer is started in cycle 0, so its first clock is in cycle 2, or in the cycle
// that is the next multiple of the prescaler's tap.
func TestTimerFlagCycles(t *testing.T) {
	const tov, ocfa, ocfb, icf = 0, 1, 2, 5
	for _, c := range []struct {
		name       string
		bits       int
		wgm, cs    uint8
		ocra, ocrb uint16
		icr        uint16
		flag       uint8
		want       uint64
	}{
		{"normal, overflow", 8, 0, 1, 0, 0, 0, tov, 257},
		{"normal, compare A", 8, 0, 1, 5, 0, 0, ocfa, 7},
		{"normal, compare B at MAX", 8, 0, 1, 0, 255, 0, ocfb, 257},
		{"normal /8, overflow", 8, 0, 2, 0, 0, 0, tov, 2048},
		{"normal /8, compare A", 8, 0, 2, 5, 0, 0, ocfa, 48},
		{"normal /64, compare A", 8, 0, 3, 1, 0, 0, ocfa, 128},
		{"CTC, compare A", 8, 2, 1, 9, 0, 0, ocfa, 11},
		{"CTC has no overflow below MAX", 8, 2, 1, 9, 0, 0, tov, Never},
		{"CTC with TOP = MAX overflows", 8, 2, 1, 255, 0, 0, tov, 257},
		{"fast PWM, overflow at TOP", 8, 7, 1, 0, 0, 0, tov, 2},
		{"fast PWM 0xFF", 8, 3, 1, 0, 0, 0, tov, 257},
		{"phase correct, overflow at BOTTOM", 8, 1, 1, 0, 0, 0, tov, 512},
		{"normal 16, overflow", 16, 0, 1, 0, 0, 0, tov, 65537},
		{"CTC 16, TOP = OCR1A", 16, 4, 1, 300, 0, 0, ocfa, 302},
		{"CTC 16, TOP = ICR1 sets ICF1", 16, 12, 1, 0, 0, 300, icf, 302},
		{"fast PWM 9 bits", 16, 6, 1, 0, 0, 0, tov, 513},
		{"phase correct 10 bits", 16, 3, 1, 0, 0, 0, tov, 2048},
		{"phase and frequency correct, TOP = ICR1", 16, 8, 1, 0, 0, 50, tov, 102},
		{"phase and frequency correct, ICF1 at TOP", 16, 8, 1, 0, 0, 50, icf, 52},
	} {
		t.Run(c.name, func(t *testing.T) {
			var h *timerHost
			ifr := uint16(t0IFR)
			if c.bits == 8 {
				h = newTimerHost(t, newTestTimer(timer0TestConfig()))
				h.write(0, t0OCRA, uint8(c.ocra))
				h.write(0, t0OCRB, uint8(c.ocrb))
				h.write(0, t0A, c.wgm&3)
				h.write(0, t0B, c.wgm>>2<<3|c.cs)
			} else {
				ifr = t1IFR
				h = newTimerHost(t, newTestTimer(timer1TestConfig()))
				h.write(0, t1A, c.wgm&3)
				h.write(0, t1B, c.wgm>>2<<3)
				h.write(0, t1OCRAH, uint8(c.ocra>>8))
				h.write(0, t1OCRAL, uint8(c.ocra))
				h.write(0, t1ICRH, uint8(c.icr>>8))
				h.write(0, t1ICRL, uint8(c.icr))
				h.write(0, t1B, c.wgm>>2<<3|c.cs)
			}
			if got := firstSet(h, ifr, c.flag, 70000); got != c.want {
				t.Errorf("flag set in cycle %d, want %d", got, c.want)
			}
		})
	}
}

// Waveforms at the pad, in cycles; the timer starts as above, so that TCNT is c-1 in cycle c. A compare match shows in the cycle
// that leaves the value.
func TestTimerWaveforms(t *testing.T) {
	for _, c := range []struct {
		name string
		wgm  uint8
		tccr uint8 // COM bits
		ocra uint8
		ocrb uint8
		to   uint64
		want string
	}{
		{"normal, toggle (Table 15-2)", 0, 1 << 6, 9, 0, 600, "PD6 0-, PD6 11+, PD6 267-, PD6 523+"},
		{"normal, set", 0, 3 << 6, 9, 0, 600, "PD6 0-, PD6 11+"},
		{"normal, clear", 0, 2 << 6, 9, 0, 600, "PD6 0-"},
		{"CTC, toggle: f/2/(1+OCR) (section 15.7.2)", 2, 1 << 6, 9, 0, 50, "PD6 0-, PD6 11+, PD6 21-, PD6 31+, PD6 41-"},
		{"CTC, toggle B in the middle", 2, 1 << 4, 9, 4, 40, "PD5 0-, PD5 6+, PD5 16-, PD5 26+, PD5 36-"},
		{"fast, non-inverting: OCR+1 of TOP+1 high (section 15.7.3)", 7, 2 << 4, 9, 2, 40, "PD5 0-, PD5 11+, PD5 14-, PD5 21+, PD5 24-, PD5 31+, PD5 34-"},
		{"fast, inverting", 7, 3 << 4, 9, 2, 32, "PD5 0-, PD5 4+, PD5 11-, PD5 14+, PD5 21-, PD5 24+, PD5 31-"},
		{"fast, OCR = BOTTOM: a narrow spike", 7, 2 << 4, 9, 0, 32, "PD5 0-, PD5 11+, PD5 12-, PD5 21+, PD5 22-, PD5 31+, PD5 32-"},
		{"fast, OCR = TOP: constantly high", 7, 2 << 4, 9, 9, 60, "PD5 0-, PD5 11+"},
		{"fast, COM0A = 1 and WGM02: toggle (Table 15-3)", 7, 1 << 6, 9, 0, 32, "PD6 0-, PD6 11+, PD6 21-, PD6 31+"},
		{"fast, COM0A = 1 without WGM02: disconnected", 3, 1 << 6, 9, 0, 600, ""},
		{"fast, COM0B = 1: reserved, disconnected", 7, 1 << 4, 9, 2, 60, ""},
		// TOP 10: up 0..10 in cycles 1..11, down 9..0 in cycles 12..21, period 20.
		{"phase correct, non-inverting: 2*OCR of 2*TOP high (section 15.7.4)", 5, 2 << 4, 10, 3, 62, "PD5 0-, PD5 19+, PD5 25-, PD5 39+, PD5 45-, PD5 59+"},
		{"phase correct, inverting", 5, 3 << 4, 10, 3, 46, "PD5 0-, PD5 5+, PD5 19-, PD5 25+, PD5 39-, PD5 45+"},
		{"phase correct, OCR = BOTTOM: constantly low", 5, 2 << 4, 10, 0, 100, "PD5 0-"},
		{"phase correct, OCR = TOP: constantly high", 5, 2 << 4, 10, 10, 100, "PD5 0-, PD5 12+"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newTimerHost(t, newTestTimer(timer0TestConfig()))
			// The compare registers go in while the mode does not buffer them.
			h.write(0, t0OCRA, c.ocra)
			h.write(0, t0OCRB, c.ocrb)
			h.write(0, t0A, c.tccr|c.wgm&3)
			h.write(0, t0B, c.wgm>>2<<3|1)
			h.run(c.to)
			if got := strings.Join(h.edges, ", "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Sections 16.9.4 and 16.9.5: OCR1x is updated at TOP in the phase correct modes, at BOTTOM in the phase and frequency correct
// and fast ones, and immediately in the others (Table 16-4). What counts is when the new value is in force.
func TestTimerDoubleBuffer(t *testing.T) {
	for _, c := range []struct {
		name string
		wgm  uint8
		want uint64 // cycle from which the new OCR1B is in force; TOP is 10, written in cycle 5
	}{
		{"CTC", 12, 6},
		{"fast PWM", 14, 12},
		{"phase correct", 10, 12},
		{"phase and frequency correct", 8, 22},
	} {
		t.Run(c.name, func(t *testing.T) {
			tm := newTestTimer(timer1TestConfig())
			h := newTimerHost(t, tm)
			h.write(0, t1A, c.wgm&3)
			h.write(0, t1B, c.wgm>>2<<3)
			h.write(0, t1ICRH, 0)
			h.write(0, t1ICRL, 10)
			h.write(0, t1B, c.wgm>>2<<3|1)
			h.write(5, t1OCRBH, 0)
			h.write(5, t1OCRBL, 7)
			if got := h.read(5, t1OCRBL); got != 7 {
				t.Errorf("the CPU reads %d from the buffer, want 7", got)
			}
			for cycle := uint64(6); ; cycle++ {
				h.run(cycle)
				tm.sync(h)
				if tm.S.OCR[1] == 7 || cycle > 100 {
					if cycle != c.want {
						t.Errorf("in force from cycle %d, want %d", cycle, c.want)
					}
					break
				}
			}
		})
	}
}

// Section 16.3: reading the low byte latches the high one, writing the low byte takes TEMP along.
func TestTimerTemp(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer1TestConfig()))
	h.write(0, t1CNTH, 0x12)
	h.write(1, t1CNTL, 0xFE)
	h.write(2, t1B, 1)
	lo := h.read(4, t1CNTL)
	if hi := h.read(9, t1CNTH); hi != 0x12 || lo != 0xFF {
		t.Errorf("TCNT1 = %02X%02X, want 12FF although it passed 1300 between the reads", hi, lo)
	}
	h.write(10, t1OCRAH, 0xAB)
	h.write(11, t1OCRBL, 0xCD) // OCR1B takes the high byte that was meant for OCR1A
	if lo, hi := h.read(12, t1OCRBL), h.read(12, t1OCRBH); hi != 0xAB || lo != 0xCD {
		t.Errorf("OCR1B = %02X%02X, want ABCD", hi, lo)
	}
	if lo, hi := h.read(12, t1OCRAL), h.read(12, t1OCRAH); hi != 0 || lo != 0 {
		t.Errorf("OCR1A = %02X%02X, want 0000", hi, lo)
	}
	h.write(13, t1ICRH, 1)
	h.write(14, t1ICRL, 2) // not a mode with TOP = ICR1 (section 16.6.1)
	if got := h.read(15, t1ICRL); got != 0 {
		t.Errorf("ICR1L = %d, want 0: it cannot be written in this mode", got)
	}
}

// Section 16.10: fixed-resolution modes mask the unused bits of OCR1x.
func TestTimerMasksOCR(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer1TestConfig()))
	h.write(0, t1A, 1)
	h.write(1, t1OCRAH, 0xFF)
	h.write(2, t1OCRAL, 0x34)
	if lo, hi := h.read(3, t1OCRAL), h.read(3, t1OCRAH); hi != 0 || lo != 0x34 {
		t.Errorf("OCR1A = %02X%02X, want 0034 with 8-bit PWM", hi, lo)
	}
}

// Section 15.5.2: a write to TCNT0 blocks the compare match on the next timer clock, even when the timer is stopped.
func TestTimerWriteBlocksMatch(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0OCRA, 5)
	h.write(0, t0CNT, 5)
	h.write(10, t0B, 1)
	if got := firstSet(h, t0IFR, 1, 1000); got != 12+256 {
		t.Errorf("OCF0A in cycle %d, want %d: the match at 5 is blocked", got, 12+256)
	}
	// Section 16.9: "do not write the TCNT1 equal to TOP in PWM modes with variable TOP values".
	h = newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0OCRA, 5)
	h.write(0, t0A, 2)
	h.write(0, t0CNT, 5)
	h.write(10, t0B, 1)
	if got := h.read(13, t0CNT); got != 7 {
		t.Errorf("TCNT0 = %d, want 7: it runs past TOP", got)
	}
}

// Section 15.9.2: FOC0A does what COM0A says, sets no flag, and reads as zero; in PWM modes it does nothing.
func TestTimerForce(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0A, 1<<6)
	h.write(5, t0B, 1<<7)
	h.write(9, t0B, 1<<7)
	h.write(12, t0A, 0)
	if got, want := strings.Join(h.edges, ", "), "PD6 0-, PD6 5+, PD6 9-, PD6 12 released"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := h.read(13, t0IFR) | h.read(13, t0B); got != 0 {
		t.Errorf("TIFR0 | TCCR0B = %#x, want 0", got)
	}
	h.write(14, t0A, 3<<6|3)
	h.write(15, t0B, 1<<7)
	if h.driven[P('D', 6)] {
		t.Error("FOC0A acted in fast PWM")
	}
}

// Sections 16.6 and 17.2: the capture is taken three cycles after the edge, seven with the noise canceler, which swallows pulses
// of less than four cycles.
func TestTimerCapture(t *testing.T) {
	icp := P('B', 0)
	start := func(t *testing.T, tccrb uint8) *timerHost {
		h := newTimerHost(t, newTestTimer(timer1TestConfig()))
		h.write(0, t1MSK, 1<<5)
		h.write(0, t1B, tccrb|1)
		return h
	}
	captured := func(h *timerHost) uint16 {
		lo := h.readNow(t1ICRL)
		return uint16(h.readNow(t1ICRH))<<8 | uint16(lo)
	}
	t.Run("rising", func(t *testing.T) {
		h := start(t, 1<<6)
		h.pin(1000, icp, true)
		h.pin(1100, icp, false)
		h.run(2000)
		if got := captured(h); got != 1002 || !slices.Equal(h.log, []string{"+11@1003"}) {
			t.Errorf("ICR1 = %d, requests %v; want 1002 and +11@1003", got, h.log)
		}
	})
	t.Run("falling", func(t *testing.T) {
		h := start(t, 0)
		h.pin(1000, icp, true)
		h.pin(1100, icp, false)
		h.run(2000)
		if got := captured(h); got != 1102 {
			t.Errorf("ICR1 = %d, want 1102", got)
		}
	})
	t.Run("noise canceler", func(t *testing.T) {
		h := start(t, 1<<7|1<<6)
		h.pin(1000, icp, true)
		h.pin(1003, icp, false)
		h.pin(1200, icp, true)
		h.pin(1204, icp, false)
		h.run(2000)
		if got := captured(h); got != 1206 || !slices.Equal(h.log, []string{"+11@1207"}) {
			t.Errorf("ICR1 = %d, requests %v; want 1206 and one request", got, h.log)
		}
	})
	t.Run("two edges in the synchroniser", func(t *testing.T) {
		h := start(t, 1<<6)
		h.pin(100, icp, true)
		h.pin(101, icp, false)
		h.pin(102, icp, true)
		h.run(103)
		if got := captured(h); got != 102 {
			t.Errorf("ICR1 = %d, want 102", got)
		}
		h.run(105)
		if got := captured(h); got != 104 {
			t.Errorf("ICR1 = %d, want 104", got)
		}
	})
	t.Run("comparator", func(t *testing.T) {
		h := start(t, 1<<6)
		h.write(1, tACSR, 1<<2)
		h.pin(100, icp, true) // disconnected while ACIC is set
		h.run(500)
		h.Signal(SigComparatorRise)
		h.run(600)
		if got := captured(h); got != 502 {
			t.Errorf("ICR1 = %d, want 502", got)
		}
	})
	t.Run("ICR1 as TOP", func(t *testing.T) {
		h := start(t, 1<<6|3<<3)
		h.pin(100, icp, true)
		h.run(200)
		if got := captured(h); got != 0 {
			t.Errorf("ICR1 = %d, want 0: the pad is disconnected", got)
		}
	})
}

// Section 17.2: an edge on T0 reaches the counter 2.5 to 3.5 cycles later.
func TestTimerExternalClock(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0MSK, 1<<1)
	h.write(0, t0OCRA, 2)
	h.write(0, t0B, 7)
	for i := range uint64(3) {
		h.pin(100+10*i, P('D', 4), true)
		if got := h.read(102+10*i, t0CNT); got != uint8(i) {
			t.Errorf("TCNT0 = %d before edge %d came through", got, i)
		}
		if got := h.read(103+10*i, t0CNT); got != uint8(i)+1 {
			t.Errorf("TCNT0 = %d after edge %d", got, i)
		}
		h.pin(105+10*i, P('D', 4), false)
	}
	if want := []string{"+15@123"}; !slices.Equal(h.log, want) {
		t.Errorf("requests %v, want %v", h.log, want)
	}
	h.write(200, t0B, 6)
	h.pin(300, P('D', 4), true)
	h.pin(310, P('D', 4), false)
	if got := h.read(400, t0CNT); got != 4 {
		t.Errorf("TCNT0 = %d, want 4: one falling edge", got)
	}
}

// Sections 17.1 and 17.4.1: the prescaler runs free of the clock select bits; PSRSYNC starts it over; TSM stops the timers.
func TestTimerPrescaler(t *testing.T) {
	tm := newTestTimer(timer0TestConfig())
	tm.ID = 0
	ps := &Prescaler{ID: 1, Cfg: &PrescalerConfig{GTCCR: tGTCCR, TSM: 7, PSRSYNC: 0, PSRASY: 1}, S: &PrescalerState{}}
	h := newTimerHost(t, tm, ps)
	h.write(60, t0B, 3)
	if a, b := h.read(63, t0CNT), h.read(64, t0CNT); a != 0 || b != 1 {
		t.Errorf("TCNT0 = %d, %d: the first clock comes with the tap at 64, four cycles after the start", a, b)
	}
	h.write(99, tGTCCR, 1)
	if a, b := h.read(163, t0CNT), h.read(164, t0CNT); a != 1 || b != 2 {
		t.Errorf("TCNT0 = %d, %d: want 64 cycles from the reset", a, b)
	}
	if got := h.read(164, tGTCCR); got != 0 {
		t.Errorf("GTCCR = %#x: PSRSYNC is cleared at once", got)
	}
	h.write(199, tGTCCR, 0x81)
	if got := h.read(1000, t0CNT); got != 2 {
		t.Errorf("TCNT0 = %d under TSM, want 2", got)
	}
	if got := h.read(1000, tGTCCR); got != 0x81 {
		t.Errorf("GTCCR = %#x, want 0x81", got)
	}
	h.write(1099, tGTCCR, 0)
	if a, b := h.read(1163, t0CNT), h.read(1164, t0CNT); a != 2 || b != 3 {
		t.Errorf("TCNT0 = %d, %d after TSM, want 2, 3", a, b)
	}
}

// PRTIM0 stops the timer (section 10.11.3).
func TestTimerPowerReduction(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0B, 1)
	h.write(9, tPRR, 1<<5)
	if got := h.read(100, t0CNT); got != 9 {
		t.Errorf("TCNT0 = %d, want 9", got)
	}
	h.write(199, tPRR, 0)
	if got := h.read(201, t0CNT); got != 10 {
		t.Errorf("TCNT0 = %d, want 10", got)
	}
}

// Flags are cleared by serving the interrupt or by writing one; the request follows flag and enable bit.
func TestTimerFlags(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0OCRA, 9)
	h.write(0, t0OCRB, 255)
	h.write(0, t0A, 2)
	h.write(0, t0MSK, 1<<1)
	h.write(0, t0B, 1)
	h.run(11)
	h.serve(15)
	h.run(25)
	h.write(26, t0IFR, 1<<1)
	h.run(45)
	h.write(45, t0MSK, 0)
	h.run(200)
	want := []string{"+15@11", "-15@11", "+15@21", "-15@26", "+15@31", "-15@45"}
	if !slices.Equal(h.log, want) {
		t.Errorf("got  %v\nwant %v", h.log, want)
	}
	tm := h.devices[0].(*Timer)
	tm.WriteBit(h, t0IFR, 0, true)
	if got := h.readNow(t0IFR); got != 1<<1 {
		t.Errorf("TIFR0 = %#x after SBI of another bit, want %#x", got, 1<<1)
	}
	tm.WriteBit(h, t0IFR, 1, true)
	if got := h.readNow(t0IFR); got != 0 {
		t.Errorf("TIFR0 = %#x after SBI, want 0", got)
	}
}

// A timer that nobody waits for costs nothing, and one with an overflow interrupt one event for each.
func TestTimerCostsNothingIdle(t *testing.T) {
	h := newTimerHost(t, newTestTimer(timer0TestConfig()))
	h.write(0, t0B, 1)
	h.run(1_000_000)
	if h.fired != 0 {
		t.Errorf("%d events without a listener", h.fired)
	}
	h.write(1_000_000, t0IFR, 7)
	h.write(1_000_000, t0MSK, 1)
	for range 10 {
		for !h.reqs[17] {
			h.run(h.cycle() + 1)
		}
		h.serve(17)
	}
	if h.fired != 10 {
		t.Errorf("%d events for 10 overflows", h.fired)
	}
	tm := newTestTimer(timer1TestConfig())
	h = newTimerHost(t, tm)
	h.write(0, t1B, 1)
	h.run(1_000_000)
	if want := []Signal{SigTimer1CompareB}; h.fired != 1 || !slices.Equal(h.signals, want) {
		t.Errorf("%d events, signals %v; want one for OCF1B's first rise", h.fired, h.signals)
	}
}

// However long a timer was left alone, it must stand where one that was looked at in every cycle stands; pads and requests
// must have changed in the same cycles.
func TestTimerLazyIsEager(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	regs8 := []uint16{t0A, t0B, t0CNT, t0OCRA, t0OCRB, t0MSK, t0IFR}
	regs16 := []uint16{t1A, t1B, t1C, t1CNTL, t1CNTH, t1OCRAL, t1OCRAH, t1OCRBL, t1OCRBH, t1ICRL, t1ICRH, t1MSK, t1IFR}
	for round := range 3000 {
		cfg, regs := timer0TestConfig(), regs8
		if round%2 == 1 {
			cfg, regs = timer1TestConfig(), regs16
		}
		lazy, eager := newTestTimer(cfg), newTestTimer(cfg)
		hl, he := newTimerHost(t, lazy), newTimerHost(t, eager)
		cycle := uint64(rng.IntN(100))
		for range 12 {
			addr, v := regs[rng.IntN(len(regs))], uint8(rng.IntN(256))
			switch {
			case addr == t0B || addr == t1B:
				v = v&0xF8 | uint8(rng.IntN(3))
			case rng.IntN(2) == 0:
				v &= 0x0F
			}
			if addr == t1CNTH || addr == t1OCRAH || addr == t1OCRBH || addr == t1ICRH {
				v &= 1
			}
			hl.write(cycle, addr, v)
			he.write(cycle, addr, v)
			for range rng.IntN(2000) {
				cycle++
				he.run(cycle)
				eager.sync(he)
			}
			hl.run(cycle)
			if peek := lazy.Peek(hl, cfg.TCNTL); peek != uint8(eager.S.Count) {
				t.Fatalf("round %d cycle %d: Peek gives %d, TCNT is %d", round, cycle, peek, eager.S.Count)
			}
		}
		lazy.sync(hl)
		eager.sync(he)
		if !reflect.DeepEqual(lazy.S, eager.S) {
			t.Fatalf("round %d:\nlazy  %+v\neager %+v", round, *lazy.S, *eager.S)
		}
		if !slices.Equal(hl.edges, he.edges) || !slices.Equal(hl.log, he.log) {
			t.Fatalf("round %d:\nlazy  %v %v\neager %v %v", round, hl.edges, hl.log, he.edges, he.log)
		}
	}
}

func TestCrystalArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		hz := []uint64{32768, 32000, 1, 1_000_000}[rng.IntN(4)]
		k := rng.Uint64N(18_000_000 * hz) // 64 bits of picoseconds are 213 days
		want := new(big.Int).Mul(new(big.Int).SetUint64(k), big.NewInt(1e12))
		want.Div(want, new(big.Int).SetUint64(hz))
		ps := crystalTime(k, hz)
		if ps != want.Uint64() {
			t.Fatalf("edge %d of %d Hz at %d, want %v", k, hz, ps, want)
		}
		if got := crystalEdges(ps, hz); got != k {
			t.Fatalf("edge %d of %d Hz counted as %d at its own time", k, hz, got)
		}
		if ps > 0 {
			if got := crystalEdges(ps-1, hz); got != k-1 {
				t.Fatalf("edge %d of %d Hz counted as %d before its time", k, hz, got)
			}
		}
	}
}
