package radio

import (
	"bytes"
	"testing"
)

// Table 11: reset values; what is read only stays as it is.
func TestCC2420Registers(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.powered()
	m := g.motes[0]
	m.write(cc2420MDMCTRL0, 0x0AE2)
	names := map[string]bool{}
	for a := uint8(cc2420MAIN); a <= cc2420TOPTST; a++ {
		row := cc2420Registers[a]
		if row.name == "" || names[row.name] {
			t.Fatalf("register %#x: name %q is missing or used twice", a, row.name)
		}
		names[row.name] = true
		want := row.reset
		if a == cc2420FSMSTATE {
			want = uint16(cc2420Idle)
		}
		if got := m.read(a); got != want {
			t.Errorf("%s is %#04x after reset, want %#04x", row.name, got, want)
		}
		if a == cc2420MAIN {
			continue
		}
		m.write(a, ^row.reset)
		if a == cc2420FSMSTATE {
			continue
		}
		if got, want := m.read(a), row.reset&^row.written|^row.reset&row.written; got&^cc2420BATTOK != want&^cc2420BATTOK {
			t.Errorf("%s is %#04x after writing %#04x, want %#04x", row.name, got, ^row.reset, want)
		}
	}
}

// Figure 10: several registers and strobes in one access; the high byte alone can be read.
func TestCC2420MultipleAccess(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.powered()
	m := g.motes[0]
	out := m.spi(cc2420SYNCWORD, 0x12, 0x34, cc2420SNOP, cc2420SYNCWORD|0x40, 0, 0, cc2420MANFIDL|0x40, 0)
	want := []uint8{0x40, 0x40, 0x40, 0x40, 0x40, 0x12, 0x34, 0x40, 0x23}
	if !bytes.Equal(out, want) {
		t.Errorf("SO has % x, want % x", out, want)
	}
	m.radio.SetCSn(m, false)
	m.radio.SPI(m, cc2420SYNCWORD)
	m.radio.SPI(m, 0xFF)
	m.radio.SetCSn(m, true)
	if v := m.read(cc2420SYNCWORD); v != 0x1234 {
		t.Errorf("half a write changes the register to %#x", v)
	}
}

// Section 13.5, Table 6: RAM access, B1:0 and A6:0; a write gives what was there.
func TestCC2420RAM(t *testing.T) {
	t.Parallel()
	for _, addr := range []uint16{0x000, 0x07F, 0x080, 0x0FF, 0x100, 0x130, 0x160, 0x168, 0x16A, 0x16F} {
		g := newCC2420Rig(t, 1)
		g.powered()
		m := g.motes[0]
		m.ram(addr, 0xA5)
		if v := m.state.RAM[addr].V(); v != 0xA5 {
			t.Errorf("RAM %#x is %#x", addr, v)
		}
		low, high := 0x80|uint8(addr&0x7F), uint8(addr>>7)<<6
		if out := m.spi(low, high, 0x5A); out[2] != 0xA5 {
			t.Errorf("RAM %#x: a write gives %#x", addr, out[2])
		}
		if out := m.spi(low, high|0x20, 0xFF, 0xFF); out[2] != 0x5A || m.state.RAM[addr].V() != 0x5A {
			t.Errorf("RAM %#x: a read gives %#x", addr, out[2])
		}
	}
}

// Section 13.5 and 13.6: FIFOs and RAM need the oscillator, registers do not; without the regulator there is nothing.
func TestCC2420AccessWithoutClock(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	m := g.motes[0]
	if out := m.spi(cc2420MANFIDL|0x40, 0, 0); !bytes.Equal(out, []uint8{0, 0, 0}) || m.notices["cc2420-spi-off"] == "" {
		t.Errorf("without power SO has % x", out)
	}
	m.radio.SetVREN(m, true)
	g.run(cc2420RegulatorTime)
	if v := m.read(cc2420MANFIDL); v != 0x233D {
		t.Errorf("MANFIDL is %#x in power down", v)
	}
	m.ram(cc2420RAMPAN, 1, 2)
	m.fill(1, 2, 3)
	if m.state.RAM[cc2420RAMPAN] != 0 || m.state.TXCount != 0 || m.notices["cc2420-no-clock"] == "" {
		t.Error("RAM or TXFIFO was written without a clock")
	}
	m.strobe(cc2420SRXON)
	if m.state.Mode != cc2420PowerDown || m.notices["cc2420-strobe-off"] == "" {
		t.Error("SRXON worked without a clock")
	}
}

// Sections 13.5 and 14.5: start-up, and what survives power down, RESETn and VREG_EN.
func TestCC2420StartUp(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	m := g.motes[0]
	m.radio.SetVREN(m, true)
	g.run(cc2420RegulatorTime)
	m.write(cc2420IOCFG1, cc2420MuxStable) // as TinyOS waits for it
	start := g.now
	m.strobe(cc2420SXOSCON)
	g.run(cc2420OscillatorTime - 1)
	if m.status()&cc2420StatusStable != 0 {
		t.Error("the oscillator is stable too early")
	}
	g.run(1)
	m.expect(start, "860.0 CCA rises")
	if m.status() != cc2420StatusStable || m.read(cc2420FSMSTATE) != uint16(cc2420Idle) {
		t.Errorf("status %#x, state %d", m.status(), m.state.Mode)
	}
	m.ram(cc2420RAMPAN, 0x22)
	m.write(cc2420SYNCWORD, 0x1234)
	m.strobe(cc2420SXOSCOFF)
	if m.status() != 0 || m.read(cc2420SYNCWORD) != 0x1234 || m.state.RAM[cc2420RAMPAN].V() != 0x22 {
		t.Error("power down loses data")
	}
	m.radio.SetRESETn(m, false)
	m.radio.SetRESETn(m, true)
	if m.read(cc2420SYNCWORD) != 0xA70F || m.state.RAM[cc2420RAMPAN].V() != 0x22 {
		t.Error("RESETn resets registers, not the RAM")
	}
	m.write(cc2420SYNCWORD, 0x1234)
	m.write(cc2420MAIN, 0)
	m.write(cc2420MAIN, 0xF800)
	if m.read(cc2420SYNCWORD) != 0xA70F {
		t.Error("MAIN.RESETn does not reset")
	}
	m.radio.SetVREN(m, false)
	if m.state.RAM[cc2420RAMPAN] != 0 || m.pins != [cc2420Pins]bool{} {
		t.Error("something is left without power")
	}
}

// Section 14: polarity bits and multiplexers.
func TestCC2420PinPolarity(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.listening()
	m := g.motes[0]
	for p := range cc2420Pins {
		old := m.pins
		m.write(cc2420IOCFG0, 0x40|0x400>>p)
		for q := range cc2420Pins {
			if (m.pins[q] != old[q]) != (p == q) {
				t.Errorf("polarity of pin %d: pin %d was %v, is %v", p, q, old[q], m.pins[q])
			}
		}
		m.write(cc2420IOCFG0, 0x40)
	}
	m.write(cc2420IOCFG1, cc2420MuxLock<<5|cc2420MuxStable)
	if !m.pins[PinSFD] || !m.pins[PinCCA] {
		t.Error("SFD does not show LOCK_STATUS, or CCA not XOSC16M_STABLE")
	}
	m.strobe(cc2420SRFOFF)
	if m.pins[PinSFD] || !m.pins[PinCCA] {
		t.Error("after SRFOFF there is still lock, or the oscillator is off")
	}
}

// What is not modelled is said.
func TestCC2420Notices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key string
		do  func(m *cc2420Mote)
	}{
		{"cc2420-aes", func(m *cc2420Mote) { m.strobe(cc2420SAES) }},
		{"cc2420-aes", func(m *cc2420Mote) { m.strobe(cc2420STXENC) }},
		{"cc2420-aes", func(m *cc2420Mote) { m.strobe(cc2420SRXDEC) }},
		{"cc2420-aes-tx", func(m *cc2420Mote) { m.write(cc2420SECCTRL0, 0x03C6); m.strobe(cc2420STXON) }},
		{"cc2420-strobe", func(m *cc2420Mote) { m.strobe(0x0F) }},
		{"cc2420-register", func(m *cc2420Mote) { m.write(0x31, 1) }},
		{"cc2420-mdmctrl1", func(m *cc2420Mote) { m.write(cc2420MDMCTRL1, 0x0504) }},
		{"cc2420-manual", func(m *cc2420Mote) { m.write(cc2420MANOR, 1) }},
		{"cc2420-iocfg1", func(m *cc2420Mote) { m.write(cc2420IOCFG1, 9) }},
		{"cc2420-test", func(m *cc2420Mote) { m.write(cc2420TOPTST, 0x0090) }},
		{"cc2420-cca-mode", func(m *cc2420Mote) { m.write(cc2420MDMCTRL0, 0x0A22) }},
		{"cc2420-read-txfifo", func(m *cc2420Mote) { m.spi(cc2420TXFIFO|0x40, 0) }},
		{"cc2420-ram", func(m *cc2420Mote) { m.ram(0x170, 1) }},
		{"cc2420-txfifo-full", func(m *cc2420Mote) { m.spi(append([]uint8{cc2420TXFIFO}, make([]uint8, 129)...)...) }},
	} {
		g := newCC2420Rig(t, 1)
		g.powered()
		c.do(g.motes[0])
		if len(g.motes[0].notices) != 1 || g.motes[0].notices[c.key] == "" {
			t.Errorf("%s: notices are %v", c.key, g.motes[0].notices)
		}
	}
}
