package periph

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// The section "Asynchronous Operation of Timer/Counter2" of the ATmega328P (DS40002061A, 18.9) and its like for
// Timer/Counter0 of the ATmega128 (2467X).

const asyncHz = 32768

// asyncHost is a timer 2 that runs on its crystal.
func asyncHost(t *testing.T) (*timerHost, *Timer) {
	tm := newTestTimer(timer2TestConfig())
	h := newTimerHost(t, tm)
	h.write(0, t2ASSR, 1<<5)
	return h, tm
}

// edge goes to shortly after a TOSC1 edge; before to just before it.
func (h *timerHost) edge(k uint64)   { h.runReal(crystalTime(k, asyncHz)) }
func (h *timerHost) before(k uint64) { h.runReal(crystalTime(k, asyncHz) - 1) }

// halt and resume are what the chip does around a sleep mode that stops clkI/O.
func (h *timerHost) halt() {
	h.Signal(SigClkIOStopped)
	h.halted = true
}

func (h *timerHost) resume() {
	h.halted = false
	h.Signal(SigClkIOStarted)
}

func (h *timerHost) wantRead(what string, addr uint16, want uint8) {
	h.t.Helper()
	if got := h.readNow(addr); got != want {
		h.t.Errorf("%s: %#x, want %#x", what, got, want)
	}
}

func TestAsyncBusyFlags(t *testing.T) {
	for _, c := range []struct {
		name string
		reg  uint16
		busy uint8
	}{
		{"TCN2UB", t2CNT, 4}, {"OCR2AUB", t2OCRA, 3}, {"OCR2BUB", t2OCRB, 2}, {"TCR2AUB", t2A, 1}, {"TCR2BUB", t2B, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := asyncHost(t)
			h.edge(3)
			h.runReal(h.real + 10_000_000)
			h.writeNow(c.reg, 1)
			h.wantRead("ASSR after the write", t2ASSR, 1<<5|1<<c.busy)
			if c.reg == t2CNT {
				h.wantRead("TCNT2 while busy is the actual value", c.reg, 0)
			} else {
				h.wantRead("the temporary register", c.reg, 1)
			}
			h.before(5) // "latched after two positive edges on TOSC1"
			h.wantRead("ASSR before the second edge", t2ASSR, 1<<5|1<<c.busy)
			h.edge(5)
			h.wantRead("ASSR at the second edge", t2ASSR, 1<<5)
			h.wantRead("the register", c.reg, 1)
		})
	}
}

func TestAsyncCounts(t *testing.T) {
	h, _ := asyncHost(t)
	h.edge(3)
	h.writeNow(t2MSK, 1)
	h.writeNow(t2B, 1)
	h.before(6)
	h.wantRead("TCNT2", t2CNT, 0)
	h.edge(6) // in force after edge 5
	h.wantRead("TCNT2", t2CNT, 1)
	h.before(5 + 256)
	if h.reqs[10] {
		t.Error("overflow too early")
	}
	h.edge(5 + 256)
	if !h.reqs[10] {
		t.Error("no overflow after 256 edges")
	}
	h.wantRead("TCNT2", t2CNT, 0)
}

// A second is a second: 32768 / (32 * 256) overflows come at the exact edges, with clkI/O halted all along.
func TestAsyncWakesFromSleep(t *testing.T) {
	h, _ := asyncHost(t)
	h.writeNow(t2MSK, 1)
	h.writeNow(t2B, 3) // /32
	h.edge(2)
	h.wantRead("ASSR", t2ASSR, 1<<5)
	for n := uint64(1); n <= 4; n++ {
		h.halt()
		h.before(n * 8192)
		if h.reqs[10] {
			t.Fatalf("overflow %d too early", n)
		}
		h.edge(n * 8192)
		if !h.reqs[10] {
			t.Fatalf("overflow %d did not come", n)
		}
		h.resume()
		h.serve(10)
		h.runReal(h.real + 40_000_000) // more than one TOSC1 cycle
	}
	if got := h.fired; got != 5 {
		t.Errorf("%d events for one latch and four overflows", got)
	}
	if len(h.notices) != 0 {
		t.Errorf("notices: %v", h.notices)
	}
}

// "TCNT2 will read as the previous value (before entering sleep) until the next rising TOSC1 edge."
func TestAsyncStaleCount(t *testing.T) {
	h, _ := asyncHost(t)
	h.writeNow(t2B, 1)
	h.edge(12)
	h.wantRead("TCNT2 before sleep", t2CNT, 10)
	h.halt()
	h.edge(102)
	h.resume()
	h.wantRead("TCNT2 after wake-up", t2CNT, 10)
	h.before(103)
	h.wantRead("TCNT2 until the next edge", t2CNT, 10)
	h.edge(103)
	h.wantRead("TCNT2 from the next edge on", t2CNT, 101)
}

// "If the write cycle is not finished, and the MCU enters sleep mode before the corresponding OCR2xUB bit returns to zero, the
// device will never receive a compare match interrupt, and the MCU will not wake up."
func TestAsyncSleepWhileBusy(t *testing.T) {
	h, _ := asyncHost(t)
	h.writeNow(t2B, 1)
	h.writeNow(t2MSK, 1<<1)
	h.edge(10)
	h.serve(8) // the match at 0
	h.writeNow(t2OCRA, 100)
	h.halt()
	h.edge(1000)
	if h.reqs[8] {
		t.Error("the compare match woke the chip")
	}
	h.resume()
	h.wantRead("ASSR after wake-up", t2ASSR, 1<<5|1<<3)
	h.edge(1002)
	h.wantRead("ASSR two edges later", t2ASSR, 1<<5)
	h.edge(2000)
	if !h.reqs[8] {
		t.Error("no compare match after the update")
	}
}

// Re-entering sleep within one TOSC1 cycle: the interrupt comes again at once on the ATmega328P, and never on the ATmega128.
func TestAsyncReentry(t *testing.T) {
	for _, c := range []struct {
		name   string
		cfg    *TimerConfig
		assr   uint16
		as     uint8
		tccr   uint16
		msk    uint16
		vector uint8
		again  bool
	}{
		{"ATmega328P", timer2TestConfig(), t2ASSR, 1 << 5, t2B, t2MSK, 10, true},
		{"ATmega128", timer128TestConfig(), o0ASSR, 1 << 3, o0CCR, oMSK, 17, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newTimerHost(t, newTestTimer(c.cfg))
			h.write(0, c.assr, c.as)
			h.writeNow(c.msk, 1)
			h.writeNow(c.tccr, 1)
			h.edge(2)
			h.halt()
			h.edge(2 + 256)
			h.resume()
			h.serve(c.vector)
			h.runReal(h.real + 1_000_000)
			h.halt()
			if h.reqs[c.vector] != c.again {
				t.Errorf("interrupt again at once: %v, want %v", h.reqs[c.vector], c.again)
			}
			if len(h.notices) != 1 {
				t.Errorf("notices: %v", h.notices)
			}
			if c.again {
				return
			}
			h.edge(2 + 2*256)
			if h.reqs[c.vector] {
				t.Error("the deaf timer woke the chip")
			}
			h.resume() // something else did
			if !h.reqs[c.vector] {
				t.Error("the overflow is lost")
			}
		})
	}
}

func TestAsyncWithoutCrystal(t *testing.T) {
	tm := newTestTimer(timer2TestConfig())
	tm.CrystalHz = 0
	h := newTimerHost(t, tm)
	h.write(0, t2ASSR, 1<<5)
	h.writeNow(t2MSK, 1)
	h.writeNow(t2B, 1)
	h.run(1_000_000)
	h.wantRead("ASSR: busy for ever", t2ASSR, 1<<5|1)
	h.wantRead("TCNT2", t2CNT, 0)
	if _, ok := h.notices["Timer/Counter2 no crystal"]; !ok || h.fired != 0 {
		t.Errorf("%d events, notices %v; want none and one on the missing crystal", h.fired, h.notices)
	}
}

// Power-down and standby stop the crystal's oscillator.
func TestAsyncPowerDown(t *testing.T) {
	h, _ := asyncHost(t)
	h.writeNow(t2B, 1)
	h.edge(12)
	h.Signal(SigClkAsyncStopped)
	h.halt()
	h.edge(5000)
	h.Signal(SigClkAsyncStarted)
	h.resume()
	h.edge(5001)
	h.wantRead("TCNT2", t2CNT, 11)
}

func TestAsyncNotices(t *testing.T) {
	h, _ := asyncHost(t)
	h.writeNow(t2OCRA, 1)
	h.writeNow(t2OCRA, 2)
	h.edge(2)
	h.wantRead("OCR2A", t2OCRA, 2)
	h.hz = 4 * asyncHz
	h.devices[0].Clocked(h)
	h.writeNow(t2ASSR, 1<<5|1<<6)
	for _, key := range []string{"busy write", "slow CPU", "EXCLK"} {
		if _, ok := h.notices["Timer/Counter2 "+key]; !ok {
			t.Errorf("no notice on %s", key)
		}
	}
}

// Sampling TCNT at random moments must give what the crystal's arithmetic says, and going back to the system clock works.
func TestAsyncAgainstArithmetic(t *testing.T) {
	for cs, tap := range TimerAsyncClocks {
		if tap == 0 {
			continue
		}
		t.Run(fmt.Sprint(tap), func(t *testing.T) {
			h, _ := asyncHost(t)
			h.writeNow(t2B, uint8(cs))
			for i := range uint64(200) {
				h.runReal(1_000_000_000 + i*777_777_777)
				want := crystalEdges(h.real, asyncHz)/uint64(tap) - 2/uint64(tap)
				h.wantRead("TCNT2", t2CNT, uint8(want))
			}
			h.writeNow(t2ASSR, 0)
			h.writeNow(t2B, 1)
			h.writeNow(t2CNT, 0)
			from := h.cycle()
			h.run(from + 11)
			h.wantRead("TCNT2 on clkI/O", t2CNT, 10)
		})
	}
}

func TestTimerSharesRegisters(t *testing.T) {
	tm := newTestTimer(timer128TestConfig())
	h := newTimerHost(t, tm)
	h.write(0, oMSK, 0xFF)
	h.wantRead("TIMSK", oMSK, 0x03)
	h.write(1, o0CCR, 1<<7|1<<6|2<<4|1<<3|1)
	h.wantRead("TCCR0: FOC0 reads as zero", o0CCR, 1<<6|2<<4|1<<3|1)
	if w := tm.waveform(); w.Kind != WaveFast {
		t.Errorf("WGM01:0 = 3 is %v, want fast PWM", w)
	}
	if slices.Contains(tm.Registers(), 0) {
		t.Error("claims register 0")
	}
}

// As TestTimerLazyIsEager, on the crystal, with sleeps and prescaler resets between the writes.
func TestAsyncLazyIsEager(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	regs := []uint16{t2A, t2B, t2CNT, t2OCRA, t2OCRB, t2MSK, t2IFR}
	for round := range 300 {
		lazy, eager := newTestTimer(timer2TestConfig()), newTestTimer(timer2TestConfig())
		hl, he := newTimerHost(t, lazy), newTimerHost(t, eager)
		both := func(f func(h *timerHost)) { f(hl); f(he) }
		both(func(h *timerHost) { h.write(0, t2ASSR, 1<<5) })
		for range 15 {
			addr, v := regs[rng.IntN(len(regs))], uint8(rng.IntN(256))
			if rng.IntN(2) == 0 {
				v &= 0x0F
			}
			if addr == t2B {
				v = v&0xF8 | uint8(rng.IntN(4))
			}
			action := rng.IntN(10)
			both(func(h *timerHost) {
				switch {
				case action == 0 && !h.halted:
					h.halt()
				case action < 3 && h.halted:
					h.resume()
				case action == 1:
					h.Signal(SigPrescalerResetAsync)
				case !h.halted:
					h.writeNow(addr, v)
				}
			})
			for range rng.IntN(400) {
				he.runReal(he.real + 9_999_999)
				eager.sync(he)
			}
			hl.runReal(he.real)
		}
		lazy.sync(hl)
		if !reflect.DeepEqual(lazy.S, eager.S) {
			t.Fatalf("round %d:\nlazy  %+v\neager %+v", round, *lazy.S, *eager.S)
		}
		if !slices.Equal(hl.edges, he.edges) || !slices.Equal(hl.log, he.log) {
			t.Fatalf("round %d:\nlazy  %v %v\neager %v %v", round, hl.edges, hl.log, he.edges, he.log)
		}
	}
}
