package periph

import (
	"fmt"
	"math"
	"testing"
)

// watchdogChip counts resets.
type watchdogChip struct {
	h      *timerHost
	w      *Watchdog
	resets []uint64
	wdrf   bool
}

func (c *watchdogChip) WatchdogReset() {
	c.resets = append(c.resets, c.h.real)
	c.wdrf = true
	c.w.Reset(c.h, false)
}

func (c *watchdogChip) WDRF() bool { return c.wdrf }

const wdReg = 0x60

func watchdogTest(t *testing.T, old, wdton, m103c bool) *watchdogChip {
	cfg := &WatchdogConfig{WDTCSR: wdReg, WDE: 3, WDCE: 4, WDIE: 6, WDIF: 7, WDP: [4]uint8{0, 1, 2, 5},
		Vector: 7, FirstTap: 2048, LastTap: 9, OscillatorPeriod: 7_812_500, FlagForcesWDE: true}
	if old {
		cfg = &WatchdogConfig{WDTCSR: wdReg, WDE: 3, WDCE: 4, WDIE: NoBit, WDIF: NoBit, WDP: [4]uint8{0, 1, 2, NoBit},
			FirstTap: 16384, LastTap: 7, OscillatorPeriod: 857_000}
	}
	c := &watchdogChip{}
	c.w = &Watchdog{Cfg: cfg, S: &WatchdogState{}, Chip: c, WDTON: wdton, M103C: m103c}
	c.h = newTimerHost(t, c.w)
	return c
}

const wdMs = 1_000_000_000 // picoseconds

// change does the timed sequence.
func (c *watchdogChip) change(v uint8) {
	now := c.h.cycle()
	c.h.write(now, wdReg, 1<<4|1<<3)
	c.h.write(now+4, wdReg, v)
}

// ATmega328P (DS40002061A) Table 11-2, ATmega128 (2467X) Table 22 at 5 V.
func TestWatchdogTimeouts(t *testing.T) {
	newer := []float64{0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1, 2, 4, 8} // seconds, rounded by the table
	older := []string{"14.0 ms", "28.1 ms", "56.2 ms", "0.11 s", "0.22 s", "0.45 s", "0.9 s", "1.8 s"}
	for wdp, want := range newer {
		c := watchdogTest(t, false, false, false)
		c.change(1<<3 | uint8(wdp)&7 | uint8(wdp)>>3<<5)
		c.w.Kick(c.h)
		start := c.h.real
		c.h.runReal(start + 9000*wdMs)
		ps := c.resets[0] - start
		if cycles := uint64(2048) << wdp; ps != cycles*1e12/128_000 || math.Abs(float64(ps)/1e12/want-1) > 0.05 {
			t.Errorf("WDP %d: %d ps, want %d cycles of 128 kHz, about %v s", wdp, ps, cycles, want)
		}
	}
	for wdp, want := range older {
		c := watchdogTest(t, true, false, false)
		c.change(1<<3 | uint8(wdp))
		c.w.Kick(c.h)
		start := c.h.real
		c.h.runReal(start + 2000*wdMs)
		ps := float64(c.resets[0] - start)
		got := fmt.Sprintf("%.1f ms", ps/wdMs)
		switch {
		case wdp >= 6:
			got = fmt.Sprintf("%.1f s", ps/1e12)
		case wdp >= 3:
			got = fmt.Sprintf("%.2f s", ps/1e12)
		}
		if got != want {
			t.Errorf("ATmega128 WDP %d: %s, want %s", wdp, got, want)
		}
	}
}

// The timed sequence is four cycles long (ATmega328P, section 11.9.2; ATmega128, "Timed Sequences ...").
func TestWatchdogTimedSequence(t *testing.T) {
	const wde, wdce = 1 << 3, 1 << 4
	for _, c := range []struct {
		name              string
		old, wdton, m103c bool
		second            uint64 // cycle of the second write after the first
		v                 uint8
		want              uint8
	}{
		{"in time", false, false, false, 4, 5, 5},
		{"too late", false, false, false, 5, 5, wde},
		{"too late, setting WDE", false, false, false, 5, wde | 5, wde},
		{"ATmega128 level 1, in time", true, false, false, 4, 5, 5},
		{"ATmega128 level 1, too late", true, false, false, 5, 5, wde},
		{"ATmega128 level 0, too late: WDP is free", true, false, true, 5, 5, wde | 5},
		{"ATmega128 level 2: WDE stays", true, true, false, 4, 5, wde | 5},
		{"WDTON: WDE stays", false, true, false, 4, 5, wde | 5},
		{"WDTON: WDIE stays zero", false, true, false, 4, 1<<6 | 5, wde | 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := watchdogTest(t, c.old, c.wdton, c.m103c)
			w.h.write(100, wdReg, wdce|wde)
			if got := w.h.read(104, wdReg); got&wdce == 0 {
				t.Errorf("WDCE is gone after four cycles: %#x", got)
			}
			w.h.write(100+c.second, wdReg, c.v)
			if got := w.h.read(110, wdReg); got != c.want {
				t.Errorf("control register %#x, want %#x", got, c.want)
			}
		})
	}
}

// ATmega328P, Table 11-1.
func TestWatchdogModes(t *testing.T) {
	t.Run("stopped", func(t *testing.T) {
		c := watchdogTest(t, false, false, false)
		c.h.runReal(1e13)
		if len(c.resets) != 0 || c.h.fired != 0 {
			t.Errorf("%d resets, %d events", len(c.resets), c.h.fired)
		}
	})
	t.Run("interrupt", func(t *testing.T) {
		c := watchdogTest(t, false, false, false)
		c.h.write(0, wdReg, 1<<6)
		c.h.runReal(16 * wdMs)
		if !c.h.reqs[7] || c.h.readNow(wdReg) != 1<<7|1<<6 {
			t.Errorf("request %v, WDTCSR %#x", c.h.reqs[7], c.h.readNow(wdReg))
		}
		c.h.serve(7)
		c.h.runReal(40 * wdMs)
		if !c.h.reqs[7] || c.h.readNow(wdReg)&(1<<6) == 0 || len(c.resets) != 0 {
			t.Error("the interrupt must come with every time-out")
		}
	})
	t.Run("interrupt, then reset", func(t *testing.T) {
		c := watchdogTest(t, false, false, false)
		c.h.write(0, wdReg, 1<<6|1<<3)
		c.h.runReal(17 * wdMs)
		c.h.serve(7)
		if got := c.h.readNow(wdReg); got != 1<<3 {
			t.Errorf("WDTCSR = %#x after the interrupt, want WDE alone", got)
		}
		c.h.runReal(33 * wdMs)
		if len(c.resets) != 1 {
			t.Errorf("%d resets, want 1", len(c.resets))
		}
	})
	t.Run("interrupt not served", func(t *testing.T) {
		c := watchdogTest(t, false, false, false)
		c.h.write(0, wdReg, 1<<6|1<<3)
		c.h.runReal(33 * wdMs)
		if len(c.resets) != 1 {
			t.Errorf("%d resets, want 1", len(c.resets))
		}
	})
	t.Run("WDR keeps it quiet", func(t *testing.T) {
		c := watchdogTest(t, false, false, false)
		c.h.write(0, wdReg, 1<<3)
		for range 100 {
			c.h.runReal(c.h.real + 15*wdMs)
			c.w.Kick(c.h)
		}
		if len(c.resets) != 0 {
			t.Error("reset in spite of WDR")
		}
	})
	t.Run("WDRF keeps WDE set", func(t *testing.T) {
		c := watchdogTest(t, false, false, false)
		c.h.write(0, wdReg, 1<<3)
		c.h.runReal(17 * wdMs)
		c.change(0)
		if got := c.h.readNow(wdReg); got != 1<<3 {
			t.Errorf("WDTCSR = %#x with WDRF set, want WDE", got)
		}
		c.wdrf = false
		c.change(0)
		if got := c.h.readNow(wdReg); got != 0 {
			t.Errorf("WDTCSR = %#x, want 0", got)
		}
	})
	t.Run("ATmega128 is off after its reset", func(t *testing.T) {
		c := watchdogTest(t, true, false, false)
		c.h.write(0, wdReg, 1<<3)
		c.h.runReal(1000 * wdMs)
		if len(c.resets) != 1 {
			t.Errorf("%d resets, want 1", len(c.resets))
		}
	})
}
