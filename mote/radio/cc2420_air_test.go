package radio

import (
	"fmt"
	"math"
	"testing"
)

// Section 23: RSSI_VAL = P + 45, an average over eight symbols; valid eight symbols after the receiver goes on.
func TestCC2420RSSI(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.powered()
	m := g.motes[0]
	if v := int8(m.read(cc2420RSSI)); v != -128 {
		t.Errorf("RSSI_VAL is %d after reset", v)
	}
	m.strobe(cc2420SRXON)
	g.run(cc2420Calibration + 8*cc2420SymbolTime - 1)
	if m.status()&cc2420StatusRSSIValid != 0 || m.pins[PinCCA] {
		t.Error("RSSI is valid too early")
	}
	g.run(1)
	if v := int8(m.read(cc2420RSSI)); m.status()&cc2420StatusRSSIValid == 0 || v != cc2420NoiseFloor+45 || !m.pins[PinCCA] {
		t.Errorf("RSSI_VAL of noise is %d", v)
	}
	m.radio.Heard(m, Heard{Kind: CarrierOn, Sender: 9, Carrier: Carrier{Hertz: m.radio.hertz(), DBm: -60}})
	for k, want := range []int8{-24, -21, -19, -18, -17, -16, -16, -15, -15} { // -60 dBm of k+1 eighths
		g.run(cc2420SymbolTime)
		if v := int8(m.read(cc2420RSSI)); v != want {
			t.Errorf("after %d symbols RSSI_VAL is %d, want %d", k+1, v, want)
		}
	}
	m.radio.Heard(m, Heard{Kind: CarrierOn, Sender: 8, Carrier: Carrier{Hertz: m.radio.hertz() + 5_000_000, DBm: -20}})
	m.radio.Heard(m, Heard{Kind: CarrierOn, Sender: 7, Carrier: Carrier{Hertz: m.radio.hertz() - 1_000_000, DBm: -60}})
	g.run(millisecond)
	if v := int8(m.read(cc2420RSSI)); v != -12 {
		t.Errorf("RSSI_VAL of two signals and one on the next channel is %d", v)
	}
	m.strobe(cc2420SRFOFF)
	if v := int8(m.read(cc2420RSSI)); m.status()&cc2420StatusRSSIValid != 0 || v != -12 {
		t.Errorf("without a receiver RSSI_VAL is %d", v)
	}
}

// TestCC2420Least: a power compared with the least one for a reading, and its own reading compared with it, are the same.
func TestCC2420Least(t *testing.T) {
	t.Parallel()
	for i := range cc2420Powers {
		for _, power := range []uint64{cc2420Powers[i], cc2420Steps[i] - min(cc2420Steps[i], 1), cc2420Steps[i], cc2420Steps[i] + 1} {
			for rssi := int16(-140); rssi <= 127; rssi++ {
				if got, want := power >= cc2420Least(rssi), int16(cc2420Reading(power)) >= rssi; got != want {
					t.Fatalf("a power of %d reads at least %d: %v, want %v", power, rssi, got, want)
				}
			}
		}
	}
}

func TestCC2420Decibels(t *testing.T) {
	t.Parallel()
	for d := int16(cc2420Weakest); d <= cc2420Strongest; d++ {
		if got := cc2420Decibels(cc2420Linear(d)); got != d {
			t.Errorf("%d dBm comes back as %d", d, got)
		}
		if want := math.Pow(10, float64(d-cc2420Weakest)/10) * 1000; math.Abs(float64(cc2420Linear(d))/want-1) > 0.001 {
			t.Errorf("%d dBm is %d, want %g", d, cc2420Linear(d), want)
		}
	}
	for i, p := range cc2420Power[1:] {
		if p < cc2420Power[i] {
			t.Errorf("PA_LEVEL %d is weaker than %d", i+1, i)
		}
	}
}

// Section 25: CCA modes, threshold and hysteresis.
func TestCC2420CCA(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode  uint16
		dbm   int16
		frame bool
		clear bool
	}{
		{1, -100, false, true}, {1, -78, false, true}, {1, -77, false, false}, {1, -50, true, false}, {1, -85, true, true},
		{2, -50, false, true}, {2, -50, true, false}, {2, -85, true, false},
		{3, -50, false, false}, {3, -85, true, false}, {3, -85, false, true},
	} {
		g := newCC2420Rig(t, 2)
		g.listening()
		a, b := g.motes[0], g.motes[1]
		b.write(cc2420MDMCTRL0, 0x0222|c.mode<<6)
		g.gain = func(int, int) int16 { return c.dbm }
		if c.frame {
			a.fill(make([]uint8, 50)...)
			a.strobe(cc2420STXON)
			g.run(millisecond)
		} else {
			b.radio.Heard(b, Heard{Kind: CarrierOn, Sender: 9, Carrier: Carrier{Hertz: b.radio.hertz(), DBm: c.dbm}})
			g.run(200 * microsecond)
		}
		if b.pins[PinCCA] != c.clear {
			t.Errorf("mode %d, %d dBm, frame %v: CCA is %v, RSSI_VAL %d", c.mode, c.dbm, c.frame, !c.clear, int8(b.read(cc2420RSSI)))
		}
		// STXONCCA (section 20) only sends when the channel is clear, and TX_ACTIVE tells.
		b.fill(1, 2, 3)
		b.strobe(cc2420STXONCCA)
		if sends := b.status()&cc2420StatusTXActive != 0; sends != c.clear {
			t.Errorf("mode %d, %d dBm, frame %v: STXONCCA sends is %v", c.mode, c.dbm, c.frame, sends)
		}
	}
}

// CCA_HYST: a busy channel is clear again when the signal is below the threshold by more than the hysteresis.
func TestCC2420CCAHysteresis(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.listening()
	m := g.motes[0]
	m.write(cc2420MDMCTRL0, 0x0362) // CCA_HYST 3, CCA_MODE 1
	for i, c := range []struct {
		dbm   int16
		clear bool
	}{{-78, true}, {-77, false}, {-79, false}, {-80, false}, {-81, true}, {-78, true}} {
		m.radio.Heard(m, Heard{Kind: CarrierOn, Sender: 9, Carrier: Carrier{Hertz: m.radio.hertz(), DBm: c.dbm}})
		g.run(millisecond)
		if m.pins[PinCCA] != c.clear {
			t.Errorf("step %d, %d dBm: CCA is %v", i, c.dbm, m.pins[PinCCA])
		}
	}
}

// STXONCCA is ignored when the receiver is off, and before RSSI is valid.
func TestCC2420STXONCCANeedsReceiver(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.powered()
	m := g.motes[0]
	m.strobe(cc2420STXONCCA)
	if m.state.Mode != cc2420Idle {
		t.Error("it sends from IDLE")
	}
	m.strobe(cc2420SRXON)
	g.run(cc2420Calibration + 7*cc2420SymbolTime)
	m.strobe(cc2420STXONCCA)
	if m.state.Mode != cc2420RXSearch {
		t.Error("it sends before RSSI is valid")
	}
}

// Capture and collisions at mote 2, which hears 0 and 1. Co-channel rejection: -3 dB.
func TestCC2420Capture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		first, then int16  // dBm of mote 0 and mote 1
		delay       uint64 // microseconds between their strobes
		got         []bool // frames that end, by CRC
		from        uint8
	}{
		{"much weaker second", -50, -60, 300, []bool{true}, 0},
		{"4 dB weaker second", -50, -54, 300, []bool{true}, 0},
		{"3 dB weaker second", -50, -53, 300, []bool{false}, 0},
		{"equal second, in the frame", -50, -50, 300, []bool{false}, 0},
		{"stronger second, in the frame", -60, -50, 300, []bool{false}, 0},
		{"stronger second, in the preamble", -60, -50, 32, []bool{true}, 1},
		{"equal second, in the preamble", -50, -50, 32, nil, 0},
		{"second below sensitivity", -80, -96, 300, []bool{true}, 0},
		{"only noise and a weak one", -95, -110, 300, []bool{true}, 0},
		{"too weak", -96, -110, 300, nil, 0},
	} {
		g := newCC2420Rig(t, 3)
		g.listening()
		g.gain = func(from, to int) int16 {
			switch {
			case to != 2:
				return -200
			case from == 0:
				return c.first
			}
			return c.then
		}
		x, y, z := g.motes[0], g.motes[1], g.motes[2]
		for i, m := range []*cc2420Mote{x, y} {
			m.fill(append([]uint8{uint8(i)}, make([]uint8, 30)...)...)
		}
		x.strobe(cc2420STXON)
		g.run(c.delay * microsecond)
		y.strobe(cc2420STXON)
		g.run(5 * millisecond)
		var got []bool
		var from uint8
		for z.state.RXCount > 0 {
			n := int(z.drain(1)[0] & 0x7F)
			b := z.drain(n)
			got = append(got, b[n-1]&0x80 != 0)
			from = b[0]
		}
		if fmt.Sprint(got) != fmt.Sprint(c.got) || len(got) == 1 && got[0] && from != c.from {
			t.Errorf("%s: CRC of frames %v from %d, want %v from %d", c.name, got, from, c.got, c.from)
		}
		if spoilt := len(got) == 1 && !got[0]; spoilt != (len(z.chosen) == 1) {
			t.Errorf("%s: choices %v", c.name, z.chosen)
		}
	}
}

// A receiver on another channel hears nothing; FSCTRL takes effect when the synthesizer is calibrated (section 26).
func TestCC2420Channels(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	b.write(cc2420FSCTRL, 0x4165+5)
	if b.radio.hertz() != 2_405_000_000 {
		t.Error("it is tuned without calibration")
	}
	b.strobe(cc2420SRFOFF)
	b.strobe(cc2420SRXON)
	if b.radio.hertz() != 2_410_000_000 {
		t.Errorf("it is tuned to %d", b.radio.hertz())
	}
	a.fill(1, 2, 3)
	a.strobe(cc2420STXON)
	g.run(3 * millisecond)
	if b.state.RXCount != 0 || !b.pins[PinCCA] {
		t.Error("it hears another channel")
	}
}

// hertz is the frequency it receives or sends on, or will once the synthesizer is calibrated (section 26).
func (r *cc2420) hertz() uint64 {
	f := r.S.Regs[cc2420FSCTRL] & cc2420FREQ
	if r.S.Mode > cc2420Idle {
		f = r.S.Tuned
	}
	return cc2420Hertz(f)
}
