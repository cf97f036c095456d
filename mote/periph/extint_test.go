package periph

import (
	"testing"

	"motehound/mote/cell"
)

// A device in the shape of the ATmega128's: INT0 asynchronous on PD0, INT4 synchronous on PE4.
var extTestConfig = ExtIntConfig{
	EICRA: 0x6A, EICRB: 0x5A, EIMSK: 0x59, EIFR: 0x58,
	Lines: [8]ExtIntLine{
		0: {Pin: P('D', 0), Vector: 2, Async: true, NoAnyEdge: true},
		4: {Pin: P('E', 4), Vector: 6},
	},
}

func extTest(t *testing.T) (*analogHost, *ExtInt) {
	h := newAnalogHost(t)
	for i, name := range []byte("DE") {
		h.add(ID(i), &Port{ID: ID(i), S: &PortState{}, Cfg: &PortConfig{Name: name, PORT: 1, DDR: 2, PIN: 3, Mask: 0xFF, Pads: 0xFF}})
	}
	x := &ExtInt{ID: 2, Cfg: &extTestConfig, S: &ExtIntState{}}
	h.add(2, x)
	return h, x
}

func (h *analogHost) pad(p Pin, high bool) {
	d := DriveLow
	if high {
		d = DriveHigh
	}
	h.ports[p.Port()].SetInput(h, p.Bit(), d)
}

// doc2467 Tables 48 and 50: which edges set the flag, for asynchronous and synchronous lines.
func TestExternalInterruptSense(t *testing.T) {
	for _, c := range []struct {
		line       int
		isc        uint8
		rise, fall bool
	}{
		{0, iscAny, false, false}, // reserved on INT3:0
		{0, iscFalling, false, true},
		{0, iscRising, true, false},
		{4, iscAny, true, true},
		{4, iscFalling, false, true},
		{4, iscRising, true, false},
	} {
		h, x := extTest(t)
		l := x.Cfg.Lines[c.line]
		if c.line < 4 {
			h.out(x, x.Cfg.EICRA, c.isc<<(2*c.line))
		} else {
			h.out(x, x.Cfg.EICRB, c.isc<<(2*(c.line-4)))
		}
		h.out(x, x.Cfg.EIMSK, 1<<c.line)
		for _, high := range []bool{true, false} {
			want := c.fall
			if high {
				want = c.rise
			}
			h.pad(l.Pin, high)
			if at := h.request[l.Vector]; at != (want && l.Async) {
				t.Errorf("line %d, ISC %d, to %t: request %t at once", c.line, c.isc, high, at)
			}
			h.run(extFlagCycles)
			if h.request[l.Vector] != want || x.S.EIFR>>c.line&1 != 0 != want {
				t.Errorf("line %d, ISC %d, to %t: request %t, EIFR %#x", c.line, c.isc, high, h.request[l.Vector], x.S.EIFR)
			}
			x.Served(h, l.Vector)
			if h.request[l.Vector] || x.S.EIFR != 0 {
				t.Errorf("line %d: still asks after it was served", c.line)
			}
		}
	}
}

// "If enabled, a level triggered interrupt will generate an interrupt request as long as the pin is held low."
func TestExternalInterruptLevel(t *testing.T) {
	h, x := extTest(t)
	h.pad(P('E', 4), true)
	h.run(5)
	h.out(x, x.Cfg.EIMSK, 1<<4)
	if h.request[6] {
		t.Error("asks while high")
	}
	h.halted[ClkIO] = true
	h.pad(P('E', 4), false)
	if !h.request[6] || x.S.EIFR != 0 {
		t.Errorf("low, with clkI/O halted: request %t, EIFR %#x", h.request[6], x.S.EIFR)
	}
	x.Served(h, 6)
	if !h.request[6] {
		t.Error("stops asking when served")
	}
	h.pad(P('E', 4), true)
	if h.request[6] {
		t.Error("asks after the pin rose")
	}
}

// INT7:4 need clkI/O for edges; a pulse that comes and goes without it is lost, a lasting change is seen later.
func TestExternalInterruptEdgesWithoutClock(t *testing.T) {
	h, x := extTest(t)
	h.out(x, x.Cfg.EICRA, iscRising)
	h.out(x, x.Cfg.EICRB, iscRising)
	h.out(x, x.Cfg.EIMSK, 1<<4|1<<0)
	h.halted[ClkIO] = true
	h.pad(P('D', 0), true)
	if !h.request[2] {
		t.Error("INT0 does not ask with clkI/O halted")
	}
	h.pad(P('E', 4), true)
	h.run(10)
	h.pad(P('E', 4), false)
	h.run(10)
	h.halted[ClkIO] = false
	h.run(10)
	if h.request[6] {
		t.Error("a pulse without a clock was seen")
	}
	h.halted[ClkIO] = true
	h.pad(P('E', 4), true)
	h.run(10)
	if h.request[6] {
		t.Error("an edge was seen without a clock")
	}
	h.halted[ClkIO] = false
	h.run(10)
	if !h.request[6] {
		t.Error("the lasting change was not seen when the clock came back")
	}
}

// "Pulses that last longer than one clock period will generate an interrupt."
func TestExternalInterruptShortPulse(t *testing.T) {
	for _, c := range []struct {
		width uint64
		want  bool
	}{{0, false}, {1, true}, {2, true}} {
		h, x := extTest(t)
		h.out(x, x.Cfg.EICRB, iscFalling)
		h.pad(P('E', 4), true)
		h.run(10)
		h.pad(P('E', 4), false)
		h.run(c.width)
		h.pad(P('E', 4), true)
		h.run(10)
		if got := x.S.EIFR != 0; got != c.want {
			t.Errorf("low for %d cycles: flag %t", c.width, got)
		}
	}
}

func TestExternalInterruptFlags(t *testing.T) {
	h, x := extTest(t)
	h.out(x, x.Cfg.EICRA, iscRising)
	h.out(x, x.Cfg.EICRB, iscRising)
	h.pad(P('D', 0), true)
	h.pad(P('E', 4), true)
	h.run(5)
	if x.S.EIFR != 0x11 || h.request[2] {
		t.Errorf("masked: EIFR %#x, request %t", x.S.EIFR, h.request[2])
	}
	if len(h.signals) != 1 || h.signals[0] != SigExternalInterrupt0 {
		t.Errorf("signals %v", h.signals)
	}
	x.WriteBit(h, x.Cfg.EIFR, 4, true)
	if x.S.EIFR != 0x01 {
		t.Errorf("SBI EIFR,4: %#x", x.S.EIFR)
	}
	x.WriteBit(h, x.Cfg.EIFR, 0, false)
	if x.S.EIFR != 0x01 {
		t.Errorf("CBI EIFR,0: %#x", x.S.EIFR)
	}
	h.out(x, x.Cfg.EIMSK, 0xFF)
	if x.S.EIMSK != 0x11 || !h.request[2] {
		t.Errorf("EIMSK %#x, request %t", x.S.EIMSK, h.request[2])
	}
	// A line turned to level loses its flag.
	h.out(x, x.Cfg.EICRA, iscLow)
	if x.S.EIFR != 0 || h.request[2] {
		t.Errorf("level: EIFR %#x, request %t", x.S.EIFR, h.request[2])
	}
	// ... and one in the synchroniser too.
	h.pad(P('E', 4), false)
	h.run(5)
	x.Write(h, x.Cfg.EICRB, cell.Of(iscRising))
	h.pad(P('E', 4), true)
	h.run(2)
	h.out(x, x.Cfg.EICRB, iscLow)
	h.run(5)
	if x.S.EIFR != 0 {
		t.Errorf("EIFR %#x of a level line", x.S.EIFR)
	}
	x.Reset(h, false)
	if x.S.EIMSK != 0 || h.request[2] || x.S.Now != 0x11 {
		t.Errorf("reset: %+v", *x.S)
	}
}

// doc8271 section 13.2: any change of an unmasked pad, also of an output; Figure 13-1 for the time.
func TestPinChange(t *testing.T) {
	h := newAnalogHost(t)
	p := &Port{ID: 0, S: &PortState{}, Cfg: &PortConfig{Name: 'B', PORT: 0x25, DDR: 0x24, PIN: 0x23, Mask: 0xFF, Pads: 0xFF}}
	h.add(0, p)
	x := &PinChange{ID: 1, S: &PinChangeState{}, Gate: h, Cfg: &PinChangeConfig{
		PCICR: 0x68, PCIFR: 0x3B,
		Banks: [3]PinChangeBank{{PCMSK: 0x6B, Vector: 4, Pins: [8]Pin{P('B', 0), P('B', 1)}}, {PCMSK: 0x6C, Vector: 5, Pins: [8]Pin{P('B', 7)}}},
	}}
	h.add(1, x)
	h.out(x, 0x68, 0xFF)
	h.out(x, 0x6B, 0xFE)
	h.out(x, 0x6C, 0x01)
	if x.S.PCICR != 3 || x.S.PCMSK[0] != 2 {
		t.Errorf("PCICR %#x PCMSK0 %#x", x.S.PCICR, x.S.PCMSK[0])
	}
	h.pad(P('B', 0), true)
	h.run(10)
	if x.S.PCIFR != 0 {
		t.Error("a masked pad sets the flag")
	}
	h.pad(P('B', 1), true)
	if n := h.until(10, func() bool { return h.request[4] }); n != 3 {
		t.Errorf("flag after %d cycles", n)
	}
	x.Served(h, 4)
	h.run(10)
	if h.request[4] || x.S.PCIFR != 0 {
		t.Error("asks again")
	}
	// An output pad, and continuous toggling faster than the synchroniser.
	p.Write(h, 0x24, cell.Of(0x80))
	for i := range 6 {
		h.out(p, 0x25, uint8(i&1)<<7)
	}
	if x.S.PCIFR != 2 {
		t.Errorf("output pad: PCIFR %#x", x.S.PCIFR)
	}
	x.WriteBit(h, 0x3B, 1, true)
	h.run(10)
	x.WriteBit(h, 0x3B, 1, true)
	if x.S.PCIFR != 0 || h.request[5] {
		t.Errorf("cleared: PCIFR %#x", x.S.PCIFR)
	}
	// Asleep: at once, for it wakes the chip.
	h.halted[ClkIO] = true
	h.pad(P('B', 1), false)
	if !h.request[4] {
		t.Error("no request while clkI/O is halted")
	}
}
