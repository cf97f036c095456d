package chip

import (
	"fmt"
	"strings"
	"testing"

	"motehound/mote/periph"
)

type timerTables struct {
	mcu       string
	timers    []periph.TimerConfig
	prescaler *periph.PrescalerConfig
	watchdog  *periph.WatchdogConfig
	clock     *periph.ClockConfig
	prr       []string // the power reduction register of each timer
}

var allTimerTables = []timerTables{
	{"atmega128", atmega128Timers, &atmega128Prescaler, &atmega128Watchdog, &atmega128Clock, nil},
	{"atmega1281", ATmega1281.Timers, ATmega1281.Prescaler, ATmega1281.Watchdog, ATmega1281.Clock,
		[]string{"PRR0", "PRR0", "PRR0", "PRR1", "PRR1", "PRR1"}},
	{"atmega2560", atmega2560Timers, ATmega2560.Prescaler, &atmega2560Watchdog, ATmega2560.Clock,
		[]string{"PRR0", "PRR0", "PRR0", "PRR1", "PRR1", "PRR1"}},
	{"atmega328p", atmega328pTimers, &prescalerGTCCR, &atmega328pWatchdog, &clockCLKPR, []string{"PRR", "PRR", "PRR"}},
}

// timer states one timer; # in a name stands for its number. The ATmega128 has no letters where it has one compare unit, and
// its flags are in registers that the timers share.
func (f *facts) timer(n int, t *periph.TimerConfig, old bool) {
	name := func(s string) string { return strings.ReplaceAll(s, "#", fmt.Sprint(n)) }
	reg := func(s string, addr uint16) { f.reg(name(s), addr) }
	bit := func(s string, b periph.RegBit, in string, addr uint16) {
		f.add(name(s), name(s), uint32(b.Bit))
		f.add(name(s+" is in "+in), name("(uint16_t)&"+in), uint32(b.Reg))
		if b.Reg != addr {
			f.add(name(s+" is in another register than "+in), "0", 1)
		}
	}
	single := old && t.Bits == 8
	a, b, c, units := "TCCR#A", "TCCR#B", "TCCR#C", []string{"A", "B", "C"}
	if single {
		a, b, units = "TCCR#", "TCCR#", []string{""}
	}
	reg(a, t.TCCRA)
	wgm2, foc := t.TCCRB, b
	if single {
		wgm2 = t.TCCRA
	}
	if t.Bits == 16 {
		foc = c
		reg(b, t.TCCRB)
		reg(c, t.TCCRC)
		reg("TCNT#L", t.TCNTL)
		reg("TCNT#H", t.TCNTH)
		reg("ICR#L", t.ICRL)
		reg("ICR#H", t.ICRH)
		bit("WGM#3", t.WGM[3], b, t.TCCRB)
		bit("ICNC#", t.ICNC, b, t.TCCRB)
		bit("ICES#", t.ICES, b, t.TCCRB)
	} else {
		reg("TCNT#", t.TCNTL)
	}
	bit("WGM#0", t.WGM[0], a, t.TCCRA)
	bit("WGM#1", t.WGM[1], a, t.TCCRA)
	if !single {
		bit("WGM#2", t.WGM[2], b, wgm2)
	}
	bit("CS#0", t.CS, b, wgm2)
	for x, u := range units {
		if t.OCRL[x] == 0 {
			reg("OCR#"+u, 0)
			continue
		}
		if t.Bits == 16 {
			reg("OCR#"+u+"L", t.OCRL[x])
			reg("OCR#"+u+"H", t.OCRH[x])
		} else {
			reg("OCR#"+u, t.OCRL[x])
		}
		bit("COM#"+u+"0", t.COM[x], a, t.TCCRA)
		bit("FOC#"+u, t.FOC[x], foc, t.FOC[x].Reg)
		f.flag(name, t, periph.OCFA+periph.TimerFlagIndex(x), "OCIE#"+u, "OCF#"+u, "TIMER#_COMP"+u, old)
	}
	f.flag(name, t, periph.TOV, "TOIE#", "TOV#", "TIMER#_OVF", old)
	if t.Bits == 16 {
		enable := "ICIE#"
		if old {
			enable = "TICIE#"
		}
		f.flag(name, t, periph.ICF, enable, "ICF#", "TIMER#_CAPT", old)
	}
}

func (f *facts) flag(name func(string) string, t *periph.TimerConfig, i periph.TimerFlagIndex, enable, flag, vector string, old bool) {
	c := t.Flags[i]
	msk, ifr := "TIMSK#", "TIFR#"
	if old {
		msk, ifr = "TIMSK", "TIFR"
		if t.Name == "Timer/Counter3" || i == periph.OCFC {
			msk, ifr = "ETIMSK", "ETIFR"
		}
	}
	f.reg(name(msk), c.TIMSK)
	f.reg(name(ifr), c.TIFR)
	f.add(name(enable), name(enable), uint32(c.Bit))
	f.add(name(flag), name(flag), uint32(c.Bit))
	if c.Vector == 0 {
		f.reg(name(vector)+"_vect", 0)
		return
	}
	f.vector(name(vector), c.Vector)
}

// asynchronous states ASSR of the timer that has it.
func (f *facts) asynchronous(n int, t *periph.TimerConfig) {
	f.reg("ASSR", t.ASSR)
	names := []string{"TCN#UB", "OCR#AUB", "OCR#BUB", "TCR#AUB", "TCR#BUB"}
	if t.EXCLK == periph.NoBit {
		names = []string{"TCN#UB", "OCR#UB", "", "TCR#UB", ""}
	} else {
		f.add("EXCLK", "EXCLK", uint32(t.EXCLK))
	}
	f.add("AS", fmt.Sprintf("AS%d", n), uint32(t.AS))
	for i, s := range names {
		if s != "" {
			s = strings.ReplaceAll(s, "#", fmt.Sprint(n))
			f.add(s, s, uint32(t.UB[i]))
		}
	}
}

// system states the prescaler's, the watchdog's and the clock's registers.
func (f *facts) system(c *timerTables, old bool) {
	gtccr, psrsync, psrasy, wdt := "GTCCR", "PSRSYNC", "PSRASY", "WDTCSR"
	if old {
		gtccr, psrsync, psrasy, wdt = "SFIOR", "PSR321", "PSR0", "WDTCR"
		f.regBit("XDIV", "XDIVEN", periph.RegBit{Reg: c.clock.XDIV, Bit: c.clock.XDIVEN})
	} else {
		f.regBit("CLKPR", "CLKPCE", periph.RegBit{Reg: c.clock.CLKPR, Bit: c.clock.CLKPCE})
		f.add("CLKPS", "1 << CLKPS3 | 1 << CLKPS2 | 1 << CLKPS1 | 1 << CLKPS0", uint32(c.clock.CLKPS))
		f.add("WDIE", "WDIE", uint32(c.watchdog.WDIE))
		f.add("WDIF", "WDIF", uint32(c.watchdog.WDIF))
		f.add("WDP3", "WDP3", uint32(c.watchdog.WDP[3]))
		f.vector("WDT", c.watchdog.Vector)
	}
	f.reg("OSCCAL", c.clock.OSCCAL)
	f.reg(gtccr, c.prescaler.GTCCR)
	f.add("TSM", "TSM", uint32(c.prescaler.TSM))
	f.add(psrsync, psrsync, uint32(c.prescaler.PSRSYNC))
	f.add(psrasy, psrasy, uint32(c.prescaler.PSRASY))
	f.reg(wdt, c.watchdog.WDTCSR)
	f.add("WDE", "WDE", uint32(c.watchdog.WDE))
	f.add("WDCE", "WDCE", uint32(c.watchdog.WDCE))
	for i := range 3 {
		f.add(fmt.Sprintf("WDP%d", i), fmt.Sprintf("WDP%d", i), uint32(c.watchdog.WDP[i]))
	}
}

func TestTimerTablesAgainstAVRLibc(t *testing.T) {
	for _, c := range allTimerTables {
		t.Run(c.mcu, func(t *testing.T) {
			var f facts
			old := c.mcu == "atmega128"
			for n := range c.timers {
				timer := &c.timers[n]
				f.timer(n, timer, old)
				if timer.ASSR != 0 {
					f.asynchronous(n, timer)
				}
				if timer.ACIC.Reg != 0 {
					f.regBit("ACSR", "ACIC", timer.ACIC)
				}
				if c.prr != nil {
					f.regBit(c.prr[n], fmt.Sprintf("PRTIM%d", n), timer.PRTIM)
				}
			}
			f.reg(fmt.Sprintf("TCNT%d", len(c.timers)), 0)
			f.system(&c, old)
			for i, want := range f.ask(t, c.mcu) {
				if f.values[i] != want {
					t.Errorf("%s is %#x in our table; avr-libc: %s = %#x", f.names[i], f.values[i], f.exprs[i], want)
				}
			}
			t.Logf("%d facts", len(f.names))
		})
	}
}

// Every timer has its number in its name and a waveform for every value of its WGM bits; a chip's vectors are used once, and its
// pads too, except for PB7 (OC0A or OC2, and OC1C) and the ATmega328P's PD5 (OC0B and T1).
func TestTimerTablesAreTotal(t *testing.T) {
	for _, c := range allTimerTables {
		vectors, pads, async := map[uint8]bool{}, map[periph.Pin]int{}, 0
		for n, timer := range c.timers {
			if timer.Name != fmt.Sprintf("Timer/Counter%d", n) {
				t.Errorf("%s: timer %d is called %s", c.mcu, n, timer.Name)
			}
			bits := 0
			for _, b := range timer.WGM {
				if b.Reg != 0 {
					bits++
				}
			}
			if len(timer.Waveforms) < 1<<bits {
				t.Errorf("%s: %s has %d waveforms for %d WGM bits", c.mcu, timer.Name, len(timer.Waveforms), bits)
			}
			for _, f := range timer.Flags {
				if f.Vector != 0 && vectors[f.Vector] {
					t.Errorf("%s: %s: vector %d is used twice", c.mcu, timer.Name, f.Vector)
				}
				vectors[f.Vector] = true
			}
			for _, p := range append(timer.OC[:], timer.ICP, timer.T) {
				pads[p]++
			}
			if timer.ASSR != 0 {
				async++
			}
		}
		for p, uses := range pads {
			shared := p == periph.P('B', 7) && c.mcu != "atmega328p" || p == periph.P('D', 5) && c.mcu == "atmega328p"
			if p != periph.NoPin && uses > 1 && !shared {
				t.Errorf("%s: %v is used %d times", c.mcu, p, uses)
			}
		}
		if async != 1 {
			t.Errorf("%s has %d asynchronous timers", c.mcu, async)
		}
	}
}
