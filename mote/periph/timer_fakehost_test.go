package periph

import (
	"fmt"
	"slices"
	"testing"

	"motehound/mote/cell"
)

// timerHost is a chip with nothing in it but the devices under test: 8 MHz, one event per device and kind.
type timerHost struct {
	t       *testing.T
	real    uint64 // picoseconds
	lost    uint64 // picoseconds in which clkI/O stood still
	halted  bool
	hz      uint64
	devices []Device
	pending map[[2]uint8]timerPending
	fired   int
	levels  map[Pin]bool
	driven  map[Pin]bool
	edges   []string // "PB1 5+": the pad rose in cycle 5
	reqs    map[uint8]bool
	log     []string // "+17@9": vector 17 requested in cycle 9
	signals []Signal
	notices map[string]string
}

type timerPending struct {
	clock Clock
	at    uint64
}

const timerHostPeriod = 125_000

func newTimerHost(t *testing.T, devices ...Device) *timerHost {
	h := &timerHost{t: t, hz: 8_000_000, devices: devices, pending: map[[2]uint8]timerPending{},
		levels: map[Pin]bool{}, driven: map[Pin]bool{}, reqs: map[uint8]bool{}, notices: map[string]string{}}
	for _, d := range devices {
		d.Reset(h, true)
	}
	return h
}

func (h *timerHost) Now(c Clock) uint64 {
	if c == ClkReal {
		return h.real
	}
	return (h.real - h.lost) / timerHostPeriod
}

func (h *timerHost) cycle() uint64 { return h.Now(ClkIO) }

func (h *timerHost) At(d ID, kind uint8, c Clock, t uint64) {
	k := [2]uint8{uint8(d), kind}
	if t == Never {
		delete(h.pending, k)
		return
	}
	h.pending[k] = timerPending{c, t}
}

// due is the moment of a pending event.
func (h *timerHost) due(p timerPending) uint64 {
	switch {
	case p.clock == ClkReal:
		return max(p.at, h.real)
	case h.halted:
		return Never
	}
	return max(p.at*timerHostPeriod+h.lost, h.real)
}

// runReal lets time pass, with everything that falls into it, up to and including a moment.
func (h *timerHost) runReal(to uint64) {
	for n := 0; ; n++ {
		if n > 1_000_000 {
			h.t.Fatal("events without end")
		}
		best, at := [2]uint8{}, Never
		for k, p := range h.pending {
			if d := h.due(p); d < at || d == at && slices.Compare(k[:], best[:]) < 0 {
				best, at = k, d
			}
		}
		if at > to {
			break
		}
		h.advance(at)
		delete(h.pending, best)
		h.fired++
		h.devices[best[0]].Event(h, best[1])
	}
	h.advance(to)
}

func (h *timerHost) advance(to uint64) {
	if to < h.real {
		h.t.Fatalf("BUG: back from %d to %d", h.real, to)
	}
	if h.halted {
		h.lost += to - h.real
	}
	h.real = to
}

// run goes to the start of a cycle.
func (h *timerHost) run(cycle uint64) {
	if h.halted {
		h.t.Fatal("BUG: clkI/O stands still")
	}
	h.runReal(cycle*timerHostPeriod + h.lost)
}

// write writes a register in a cycle.
func (h *timerHost) write(cycle uint64, addr uint16, v uint8) {
	h.run(cycle)
	h.writeNow(addr, v)
}

func (h *timerHost) writeNow(addr uint16, v uint8) {
	for _, d := range h.devices {
		if slices.Contains(d.Registers(), addr) {
			d.Write(h, addr, cell.Of(v))
		}
	}
}

// read reads a register in a cycle.
func (h *timerHost) read(cycle uint64, addr uint16) uint8 {
	h.run(cycle)
	return h.readNow(addr)
}

func (h *timerHost) readNow(addr uint16) uint8 {
	v := uint8(0)
	for _, d := range h.devices {
		if slices.Contains(d.Registers(), addr) {
			v |= d.Read(h, addr).V()
		}
	}
	return v
}

// pin sets the level of an input pad.
func (h *timerHost) pin(cycle uint64, p Pin, level bool) {
	h.run(cycle)
	h.levels[p] = level
	for _, d := range h.devices {
		if w, ok := d.(PinWatcher); ok && slices.Contains(w.Pins(), p) {
			w.PinChanged(h, p, level)
		}
	}
}

func (h *timerHost) Hertz() uint64 { return h.hz }

func (h *timerHost) Request(vector uint8, on bool) {
	if h.reqs[vector] == on {
		return
	}
	h.reqs[vector] = on
	sign := "-"
	if on {
		sign = "+"
	}
	h.log = append(h.log, fmt.Sprintf("%s%d@%d", sign, vector, h.cycle()))
}

func (h *timerHost) serve(vector uint8) {
	for _, d := range h.devices {
		d.Served(h, vector)
	}
}

func (h *timerHost) Level(p Pin) bool { return h.levels[p] }

func (h *timerHost) Drive(_ ID, p Pin, level, _ bool) {
	if was, ok := h.driven[p]; !ok || was != level {
		sign := "-"
		if level {
			sign = "+"
		}
		h.edges = append(h.edges, fmt.Sprintf("%v %d%s", p, h.cycle(), sign))
	}
	h.driven[p] = level
}

func (h *timerHost) Release(_ ID, p Pin) {
	delete(h.driven, p)
	h.edges = append(h.edges, fmt.Sprintf("%v %d released", p, h.cycle()))
}

func (h *timerHost) IsOutput(Pin) bool { return true }

func (h *timerHost) Signal(s Signal) {
	h.signals = append(h.signals, s)
	for _, d := range h.devices {
		if l, ok := d.(Listener); ok && slices.Contains(l.Signals(), s) {
			l.Signalled(h, s)
		}
	}
}

func (h *timerHost) Notice(_ ID, key, text string) { h.notices[key] = text }

// Timers as in the ATmega328P and, the last one, as Timer/Counter0 of the ATmega128.
const (
	t0A, t0B, t0CNT, t0OCRA, t0OCRB                         = 0x44, 0x45, 0x46, 0x47, 0x48
	t0MSK, t0IFR                                            = 0x6E, 0x35
	t1A, t1B, t1C, t1CNTL, t1CNTH, t1ICRL, t1ICRH           = 0x80, 0x81, 0x82, 0x84, 0x85, 0x86, 0x87
	t1OCRAL, t1OCRAH, t1OCRBL, t1OCRBH, t1MSK, t1IFR, tACSR = 0x88, 0x89, 0x8A, 0x8B, 0x6F, 0x36, 0x50
	t2A, t2B, t2CNT, t2OCRA, t2OCRB, t2ASSR, t2MSK, t2IFR   = 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB6, 0x70, 0x37
	tPRR, tGTCCR                                            = 0x64, 0x43
	o0CCR, o0CNT, o0OCR, o0ASSR, oIFR, oMSK                 = 0x53, 0x52, 0x51, 0x50, 0x56, 0x57
)

func timer0TestConfig() *TimerConfig {
	return &TimerConfig{
		Name: "Timer/Counter0", Bits: 8,
		TCCRA: t0A, TCCRB: t0B, TCNTL: t0CNT, OCRL: [3]uint16{t0OCRA, t0OCRB},
		WGM:       [4]RegBit{{t0A, 0}, {t0A, 1}, {t0B, 3}},
		COM:       [3]RegBit{{t0A, 6}, {t0A, 4}},
		FOC:       [3]RegBit{{t0B, 7}, {t0B, 6}},
		CS:        RegBit{t0B, 0},
		PRTIM:     RegBit{tPRR, 5},
		Waveforms: Timer8Waveforms, ToggleOCA: Timer8Toggle, Clocks: TimerClocks,
		Flags: [NumTimerFlags]TimerFlag{
			TOV:  {t0MSK, t0IFR, 0, 17, SigNone},
			OCFA: {t0MSK, t0IFR, 1, 15, SigNone},
			OCFB: {t0MSK, t0IFR, 2, 16, SigNone},
		},
		OC: [3]Pin{P('D', 6), P('D', 5)}, T: P('D', 4),
	}
}

func timer1TestConfig() *TimerConfig {
	return &TimerConfig{
		Name: "Timer/Counter1", Bits: 16,
		TCCRA: t1A, TCCRB: t1B, TCCRC: t1C, TCNTL: t1CNTL, TCNTH: t1CNTH, ICRL: t1ICRL, ICRH: t1ICRH,
		OCRL:      [3]uint16{t1OCRAL, t1OCRBL},
		OCRH:      [3]uint16{t1OCRAH, t1OCRBH},
		WGM:       [4]RegBit{{t1A, 0}, {t1A, 1}, {t1B, 3}, {t1B, 4}},
		COM:       [3]RegBit{{t1A, 6}, {t1A, 4}},
		FOC:       [3]RegBit{{t1C, 7}, {t1C, 6}},
		CS:        RegBit{t1B, 0},
		ICNC:      RegBit{t1B, 7},
		ICES:      RegBit{t1B, 6},
		ACIC:      RegBit{tACSR, 2},
		Waveforms: Timer16Waveforms, ToggleOCA: Timer16Toggle, Clocks: TimerClocks,
		Flags: [NumTimerFlags]TimerFlag{
			TOV:  {t1MSK, t1IFR, 0, 14, SigNone},
			OCFA: {t1MSK, t1IFR, 1, 12, SigNone},
			OCFB: {t1MSK, t1IFR, 2, 13, SigTimer1CompareB},
			ICF:  {t1MSK, t1IFR, 5, 11, SigNone},
		},
		OC: [3]Pin{P('B', 1), P('B', 2)}, ICP: P('B', 0), T: P('D', 5),
	}
}

func timer2TestConfig() *TimerConfig {
	c := timer0TestConfig()
	c.Name, c.T, c.PRTIM = "Timer/Counter2", NoPin, RegBit{}
	c.TCCRA, c.TCCRB, c.TCNTL, c.OCRL = t2A, t2B, t2CNT, [3]uint16{t2OCRA, t2OCRB}
	c.WGM = [4]RegBit{{t2A, 0}, {t2A, 1}, {t2B, 3}}
	c.COM = [3]RegBit{{t2A, 6}, {t2A, 4}}
	c.FOC = [3]RegBit{{t2B, 7}, {t2B, 6}}
	c.CS = RegBit{t2B, 0}
	c.Clocks = TimerAsyncClocks
	c.Flags = [NumTimerFlags]TimerFlag{
		TOV:  {t2MSK, t2IFR, 0, 10, SigNone},
		OCFA: {t2MSK, t2IFR, 1, 8, SigNone},
		OCFB: {t2MSK, t2IFR, 2, 9, SigNone},
	}
	c.OC = [3]Pin{P('B', 3), P('D', 3)}
	c.ASSR, c.AS, c.EXCLK, c.UB, c.Reentry = t2ASSR, 5, 6, [numLatches]uint8{4, 3, 2, 1, 0}, ReentryRepeat
	return c
}

func timer128TestConfig() *TimerConfig {
	return &TimerConfig{
		Name: "Timer/Counter0", Bits: 8,
		TCCRA: o0CCR, TCNTL: o0CNT, OCRL: [3]uint16{o0OCR},
		WGM:       [4]RegBit{{o0CCR, 6}, {o0CCR, 3}},
		COM:       [3]RegBit{{o0CCR, 4}},
		FOC:       [3]RegBit{{o0CCR, 7}},
		CS:        RegBit{o0CCR, 0},
		Waveforms: Timer8Waveforms, Clocks: TimerAsyncClocks,
		Flags: [NumTimerFlags]TimerFlag{
			TOV:  {oMSK, oIFR, 0, 17, SigNone},
			OCFA: {oMSK, oIFR, 1, 16, SigNone},
		},
		OC:   [3]Pin{P('B', 4)},
		ASSR: o0ASSR, AS: 3, EXCLK: NoBit, UB: [numLatches]uint8{2, 1, NoBit, 0, NoBit}, Reentry: ReentryDeaf,
	}
}

func newTestTimer(c *TimerConfig) *Timer {
	return &Timer{Cfg: c, S: &TimerState{}, CrystalHz: 32768}
}
