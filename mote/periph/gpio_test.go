package periph

import (
	"testing"

	"motehound/mote/cell"
)

const (
	gpioTestPIN  = 0x23
	gpioTestDDR  = 0x24
	gpioTestPORT = 0x25
	gpioTestPUD  = 0x55
	gpioTestDIDR = 0x7E
)

func gpioTestPort(t *testing.T, toggles bool) (*analogHost, *Port) {
	h := newAnalogHost(t)
	p := &Port{ID: 0, S: &PortState{}, Cfg: &PortConfig{
		Name: 'B', PORT: gpioTestPORT, DDR: gpioTestDDR, PIN: gpioTestPIN, Mask: 0xFF, Pads: 0xBF,
		PINToggles: toggles,
		PUD:        RegBit{Reg: gpioTestPUD, Bit: 4},
		DIDR:       [2]DIDRConfig{{Register: gpioTestDIDR, Bits: [8]uint8{3, 4}}},
		Modulator:  P('B', 7),
	}}
	h.add(0, p)
	return h, p
}

// doc8271 Figure 14-4: out PORTx, nop, in PINx. Without the nop the old value is read.
func TestPinSynchroniserAfterOut(t *testing.T) {
	h, p := gpioTestPort(t, true)
	h.run(10)
	h.out(p, gpioTestDDR, 0x01)
	h.run(5)
	h.out(p, gpioTestPORT, 0x01)
	if v := h.in(p, gpioTestPIN); v != 0 {
		t.Errorf("in right after out reads %#x", v)
	}
	if v := h.in(p, gpioTestPIN); v != 1 {
		t.Errorf("in after out and nop reads %#x", v)
	}
	// Two writes in a row, each seen two cycles later.
	h.out(p, gpioTestPORT, 0x00)
	h.out(p, gpioTestPORT, 0x01)
	if v := h.in(p, gpioTestPIN); v != 0 {
		t.Errorf("two cycles after the first write: %#x", v)
	}
	if v := h.in(p, gpioTestPIN); v != 1 {
		t.Errorf("two cycles after the second write: %#x", v)
	}
}

// doc8271 Figure 14-3: an external level is in the PIN register one cycle edge later.
func TestPinSynchroniserOutside(t *testing.T) {
	h, p := gpioTestPort(t, true)
	h.run(10)
	p.SetInput(h, 2, DriveHigh)
	if v := h.in(p, gpioTestPIN); v != 0 {
		t.Errorf("in the cycle of the change: %#x", v)
	}
	if v := h.in(p, gpioTestPIN); v != 4 {
		t.Errorf("one cycle later: %#x", v)
	}
}

// doc8271 Table 14-1, "Port Pin Configurations", with every outside drive.
func TestPortPinConfigurations(t *testing.T) {
	for _, c := range []struct {
		ddr, port, pud bool
		outside        Drive
		want           bool
	}{
		{false, false, false, Floating, false}, // tri-state
		{false, true, false, Floating, true},   // pull-up
		{false, true, true, Floating, false},   // pull-up disabled
		{true, false, false, Floating, false},  // output low
		{true, true, false, Floating, true},    // output high
		{true, true, true, Floating, true},     // PUD does not touch outputs
		{false, true, false, DriveLow, false},
		{false, false, false, DriveHigh, true},
		{true, true, false, DriveLow, true},
		{true, false, false, DriveHigh, false},
		{false, true, false, PullDown, false},
		{false, false, false, PullUp, true},
		{true, false, false, PullUp, false},
	} {
		h, p := gpioTestPort(t, true)
		p.SetInput(h, 0, c.outside)
		if c.pud {
			h.out(p, gpioTestPUD, 1<<4)
		}
		h.out(p, gpioTestPORT, gpioPut(0, 1, c.port))
		h.out(p, gpioTestDDR, gpioPut(0, 1, c.ddr))
		if p.Level(0) != c.want {
			t.Errorf("%+v: level %t", c, p.Level(0))
		}
		if p.driving()&1 != 0 != c.ddr || h.IsOutput(P('B', 0)) != c.ddr {
			t.Errorf("%+v: driving %#x", c, p.driving())
		}
	}
}

// doc8271 section 14.2.2, "Toggling the Pin"; PINx is read only on the ATmega128.
func TestWritingPIN(t *testing.T) {
	for _, toggles := range []bool{true, false} {
		h, p := gpioTestPort(t, toggles)
		h.out(p, gpioTestPORT, 0x0F)
		h.out(p, gpioTestPIN, 0x11)
		p.WriteBit(h, gpioTestPIN, 7, true)
		p.WriteBit(h, gpioTestPIN, 1, false)
		want := uint8(0x0F)
		if toggles {
			want = 0x9E
		}
		if got := h.in(p, gpioTestPORT); got != want {
			t.Errorf("toggles %t: PORT is %#x, want %#x", toggles, got, want)
		}
	}
}

func TestPortBitWrites(t *testing.T) {
	h, p := gpioTestPort(t, true)
	p.WriteBit(h, gpioTestDDR, 3, true)
	p.WriteBit(h, gpioTestPORT, 3, true)
	p.WriteBit(h, gpioTestPORT, 5, true)
	p.WriteBit(h, gpioTestPORT, 5, false)
	if p.S.DDR != 8 || p.S.PORT != 8 || !p.Level(3) {
		t.Errorf("DDR %#x PORT %#x", p.S.DDR, p.S.PORT)
	}
}

// Bits without a pad keep their register value and have no level.
func TestPadlessBit(t *testing.T) {
	h, p := gpioTestPort(t, true)
	h.out(p, gpioTestDDR, 0xFF)
	h.out(p, gpioTestPORT, 0xFF)
	h.run(2)
	if got := h.in(p, gpioTestPIN); got != 0xBF {
		t.Errorf("PIN %#x", got)
	}
	if got := h.in(p, gpioTestPORT); got != 0xFF {
		t.Errorf("PORT %#x", got)
	}
}

// doc8271 section 24.9.5: "the corresponding PIN register bit will always read as zero when this bit is set".
func TestDigitalInputDisable(t *testing.T) {
	h, p := gpioTestPort(t, true)
	p.SetInput(h, 2, DriveHigh)
	p.SetInput(h, 3, DriveHigh)
	h.out(p, gpioTestDIDR, 0xFD)
	h.run(2)
	if got := h.in(p, gpioTestPIN); got != 0x08 {
		t.Errorf("PIN %#x", got)
	}
	if got := h.in(p, gpioTestDIDR); got != 0x01 {
		t.Errorf("DIDR %#x", got)
	}
}

func TestOverrideAndRelease(t *testing.T) {
	h, p := gpioTestPort(t, true)
	h.out(p, gpioTestPORT, 0x02)
	h.Drive(5, P('B', 0), true, false)
	if p.Level(0) {
		t.Error("an unforced override drives an input")
	}
	h.out(p, gpioTestDDR, 0x03)
	h.Drive(5, P('B', 1), false, false)
	if !p.Level(0) || p.Level(1) {
		t.Errorf("levels %#x", p.S.Levels)
	}
	h.Release(5, P('B', 0))
	h.Release(5, P('B', 1))
	h.Release(5, P('B', 1))
	if p.Level(0) || !p.Level(1) {
		t.Errorf("released: levels %#x", p.S.Levels)
	}
	h.Drive(6, P('B', 4), true, true)
	if !p.Level(4) || p.driving() != 0x10|3 || h.IsOutput(P('B', 4)) {
		t.Error("a forced override does not drive")
	}
	h.Release(6, P('B', 4))
	if p.driving() != 3 {
		t.Error("still driven after release")
	}
}

// doc2467 "Output Compare Modulator (OCM1C2)": AND while PORTB7 is zero, OR while it is one.
func TestOutputCompareModulator(t *testing.T) {
	for _, port := range []uint8{0, 0x80} {
		for a := range 2 {
			for b := range 2 {
				h, p := gpioTestPort(t, false)
				h.out(p, gpioTestDDR, 0x80)
				h.out(p, gpioTestPORT, port)
				h.Drive(1, P('B', 7), a == 1, false)
				h.Drive(2, P('B', 7), b == 1, false)
				want := a&b == 1
				if port != 0 {
					want = a|b == 1
				}
				if p.Level(7) != want {
					t.Errorf("PORTB7 %#x, %d and %d: %t", port, a, b, p.Level(7))
				}
				h.Release(1, P('B', 7))
				if p.Level(7) != (b == 1) {
					t.Errorf("after the release of the first: %t, want %d", p.Level(7), b)
				}
			}
		}
	}
}

// gpioEcho drives pad 1 to the inverse of pad 0 as soon as it is told, as a part does.
type gpioEcho struct {
	*analogHost
	p *Port
}

func (e *gpioEcho) PadChanged(p Pin, level bool) {
	e.analogHost.PadChanged(p, level)
	if p.Bit() == 0 {
		d := DriveHigh
		if level {
			d = DriveLow
		}
		e.p.SetInput(e.analogHost, 1, d)
	}
}

func TestPadChangesReachTheSinkOnce(t *testing.T) {
	h, p := gpioTestPort(t, true)
	p.Sink = &gpioEcho{h, p}
	h.changes = nil
	h.out(p, gpioTestDDR, 0x0D)
	h.out(p, gpioTestPORT, 0x0D)
	h.out(p, gpioTestPORT, 0x0C)
	want := []Pin{P('B', 0), P('B', 2), P('B', 3), P('B', 0), P('B', 1)}
	if len(h.changes) != len(want) {
		t.Fatalf("changes %v, want %v", h.changes, want)
	}
	for i := range want {
		if h.changes[i] != want[i] {
			t.Fatalf("changes %v, want %v", h.changes, want)
		}
	}
	if !p.Level(1) {
		t.Error("the part's answer is lost")
	}
}

func TestPortAllocatesNothing(t *testing.T) {
	h, p := gpioTestPort(t, true)
	p.Sink = nil
	p.Write(h, gpioTestDDR, 0xFF)
	if n := testing.AllocsPerRun(100, func() {
		p.Write(h, gpioTestPIN, cell.Of(0xFF))
		p.SetInput(h, 6, DriveHigh)
		p.SetInput(h, 6, Floating)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPortReset(t *testing.T) {
	h, p := gpioTestPort(t, true)
	p.SetInput(h, 1, DriveHigh)
	h.out(p, gpioTestDDR, 0xFF)
	h.out(p, gpioTestPORT, 0xF0)
	p.Reset(h, false)
	if p.S.DDR != 0 || p.S.PORT != 0 || p.S.Levels != 0x02 {
		t.Errorf("DDR %#x PORT %#x levels %#x", p.S.DDR, p.S.PORT, p.S.Levels)
	}
}
