package radio

import (
	"bytes"
	"testing"
)

// Figure 25: what strobes do in which state.
func TestCC2420Strobes(t *testing.T) {
	t.Parallel()
	idle := func(g *cc2420Rig) { g.powered() }
	calibrating := func(g *cc2420Rig) { g.powered(); g.motes[0].strobe(cc2420SRXON) }
	searching := func(g *cc2420Rig) { g.listening() }
	turning := func(g *cc2420Rig) { g.listening(); g.motes[0].strobe(cc2420STXON) }
	preamble := func(g *cc2420Rig) { turning(g); g.run(200 * Microsecond) }
	sending := func(g *cc2420Rig) {
		g.listening()
		g.motes[0].fill(1, 2, 3, 4)
		g.motes[0].strobe(cc2420STXON)
		g.run(400 * Microsecond)
	}
	starved := func(g *cc2420Rig) { turning(g); g.run(Millisecond) }
	ready := func(g *cc2420Rig) { g.powered(); g.motes[0].strobe(cc2420STXCAL); g.run(cc2420Calibration) }
	for _, c := range []struct {
		name   string
		state  func(*cc2420Rig)
		strobe uint8
		want   cc2420Mode
		later  cc2420Mode // 12 symbols on
	}{
		{"SRXON in IDLE", idle, cc2420SRXON, cc2420RXCalibrate, cc2420RXSearch},
		{"SRXON in RX_SFD_SEARCH", searching, cc2420SRXON, cc2420RXCalibrate, cc2420RXSearch},
		{"SRXON in TX_PREAMBLE", preamble, cc2420SRXON, cc2420TXPreamble, cc2420TXUnderflow},
		{"STXON in IDLE", idle, cc2420STXON, cc2420TXCalibrate, cc2420TXPreamble},
		{"STXON in RX_CALIBRATE", calibrating, cc2420STXON, cc2420TXCalibrate, cc2420TXPreamble},
		{"STXON in RX_SFD_SEARCH", searching, cc2420STXON, cc2420TXCalibrate, cc2420TXPreamble},
		{"STXON after STXCAL", ready, cc2420STXON, cc2420TXCalibrate, cc2420TXPreamble},
		{"STXON in TX_FRAME", sending, cc2420STXON, cc2420TXFrame, cc2420RXCalibrate},
		{"SRFOFF in IDLE", idle, cc2420SRFOFF, cc2420Idle, cc2420Idle},
		{"SRFOFF in RX_CALIBRATE", calibrating, cc2420SRFOFF, cc2420Idle, cc2420Idle},
		{"SRFOFF in TX_CALIBRATE", turning, cc2420SRFOFF, cc2420Idle, cc2420Idle},
		{"SRFOFF in TX_FRAME", sending, cc2420SRFOFF, cc2420Idle, cc2420Idle},
		{"SRFOFF in TX_UNDERFLOW", starved, cc2420SRFOFF, cc2420Idle, cc2420Idle},
		{"SFLUSHTX in TX_UNDERFLOW", starved, cc2420SFLUSHTX, cc2420RXCalibrate, cc2420RXSearch},
		{"SXOSCOFF in TX_FRAME", sending, cc2420SXOSCOFF, cc2420PowerDown, cc2420PowerDown},
		{"SXOSCON in RX_SFD_SEARCH", searching, cc2420SXOSCON, cc2420RXSearch, cc2420RXSearch},
		{"STXCAL in RX_SFD_SEARCH", searching, cc2420STXCAL, cc2420TXReady, cc2420TXReady},
		{"STXCAL in TX_FRAME", sending, cc2420STXCAL, cc2420TXFrame, cc2420RXCalibrate},
		{"SACK without a frame", searching, cc2420SACK, cc2420RXSearch, cc2420RXSearch},
	} {
		g := newCC2420Rig(t, 1)
		c.state(g)
		m := g.motes[0]
		m.strobe(c.strobe)
		now := m.state.Mode
		g.run(cc2420Calibration)
		if now != c.want || m.state.Mode != c.later {
			t.Errorf("%s: state %d, then %d; want %d, %d", c.name, now, m.state.Mode, c.want, c.later)
		}
		if now == cc2420RXCalibrate && m.state.Mode == cc2420RXSearch && m.status()&cc2420StatusLock == 0 {
			t.Errorf("%s: no lock", c.name)
		}
	}
}

// FSCTRL tells of calibration and lock.
func TestCC2420FSCTRL(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.powered()
	m := g.motes[0]
	flags := func() uint16 { return m.read(cc2420FSCTRL) & (cc2420CALDONE | cc2420CALRUNNING | cc2420LOCKSTATUS) }
	before := flags()
	m.strobe(cc2420SRXON)
	during := flags()
	g.run(cc2420Calibration)
	if after := flags(); before != 0 || during != cc2420CALRUNNING || after != cc2420CALDONE|cc2420LOCKSTATUS {
		t.Errorf("CAL_DONE, CAL_RUNNING, LOCK_STATUS: %#x, %#x, %#x", before, during, after)
	}
}

// Battery monitor: Vtoggle = 1.25 V (72 - BATTMON_VOLTAGE) / 27, at 3.0 V.
func TestCC2420BatteryMonitor(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.powered()
	m := g.motes[0]
	for v := range uint16(32) {
		m.write(cc2420BATTMON, cc2420BATTEN|v)
		if ok := m.read(cc2420BATTMON)&cc2420BATTOK != 0; ok != (v >= 8) {
			t.Errorf("BATTMON_VOLTAGE %d: BATT_OK is %v", v, ok)
		}
	}
}

// A transmission that is switched off ends with the byte under way; the receiver gets a frame with noise at its end.
func TestCC2420Abort(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.fill(make([]uint8, 20)...)
	start := g.now
	a.strobe(cc2420STXON)
	g.until(start + 500*Microsecond)
	a.strobe(cc2420SRFOFF)
	if a.pins[PinSFD] || a.offAt != start+544*Microsecond {
		t.Errorf("the carrier ends at %d us", (a.offAt-start)/Microsecond)
	}
	g.run(2 * Millisecond)
	if got := b.drain(23); got[0] != 22 || got[22]&0x80 != 0 {
		t.Errorf("received % x", got)
	}
	a.strobe(cc2420STXON)
	g.run(4 * Millisecond)
	if got := b.drain(23); got[0] != 22 || got[22]&0x80 == 0 {
		t.Errorf("the next frame is % x", got)
	}
}

// STXON during a reception leaves a part of the frame in the RXFIFO; an overflow outlasts a transmission.
func TestCC2420SendsInsteadOfReceiving(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.fill(make([]uint8, 40)...)
	b.fill(1, 2, 3)
	a.strobe(cc2420STXON)
	g.run(600 * Microsecond)
	b.strobe(cc2420STXON)
	g.run(4 * Millisecond)
	if b.pins[PinSFD] || b.pins[PinFIFOP] || b.state.RXCount != 7 || b.state.Mode != cc2420RXSearch {
		t.Errorf("pins %v, %d bytes, state %d", b.pins, b.state.RXCount, b.state.Mode)
	}
	for range 3 {
		a.strobe(cc2420STXON)
		g.run(4 * Millisecond)
	}
	if b.state.Mode != cc2420RXOverflow {
		t.Fatal("no overflow")
	}
	b.strobe(cc2420STXON)
	g.run(4 * Millisecond)
	if b.state.Mode != cc2420RXOverflow || !b.pins[PinFIFOP] {
		t.Errorf("after a transmission: state %d", b.state.Mode)
	}
}

// Listening is true from SRXON on, and not while it sends.
func TestCC2420Listening(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	m := g.motes[0]
	if m.radio.Listening() {
		t.Error("without power it listens")
	}
	g.powered()
	m.strobe(cc2420SRXON)
	if !m.radio.Listening() {
		t.Error("with SRXON it does not listen")
	}
	g.run(Millisecond)
	m.fill(1, 2)
	m.strobe(cc2420STXON)
	if m.radio.Listening() {
		t.Error("it listens while it sends")
	}
	g.run(Millisecond)
	if !m.radio.Listening() {
		t.Error("after sending it does not listen")
	}
	for k, at := range m.planned {
		if at != Never && uint8(k) >= cc2420Kinds {
			t.Errorf("kind %d is beyond cc2420Kinds", k)
		}
	}
}

// More carriers than it can count: the strongest stay.
func TestCC2420Crowd(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	g.listening()
	m := g.motes[0]
	for i := range uint16(2 * cc2420MaxCarrier) {
		m.radio.Heard(m, Heard{Kind: CarrierOn, Sender: i, Carrier: Carrier{Hertz: m.radio.Hertz(), DBm: -90 + int16(i)}})
	}
	if m.notices["cc2420-crowd"] == "" {
		t.Error("no notice")
	}
	for _, c := range m.state.Carriers {
		if !c.On || c.Sender < cc2420MaxCarrier {
			t.Errorf("carrier of %d is kept", c.Sender)
		}
	}
	for i := range uint16(2 * cc2420MaxCarrier) {
		m.radio.Heard(m, Heard{Kind: CarrierOff, Sender: i})
	}
	g.run(Millisecond)
	if v := int8(m.read(cc2420RSSI)); v != cc2420NoiseFloor+45 {
		t.Errorf("RSSI_VAL is %d after all are gone", v)
	}
}

// TinyOS 2's driver: CC2420ControlP starts the radio, CC2420TransmitP sends with CCA, CC2420ReceiveP reads by FIFOP and
// acknowledges with SACK.
func TestCC2420AsTinyOSDrivesIt(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	const jiffy = 1000 * Millisecond / 32768
	for i, m := range g.motes {
		m.radio.SetVREN(m, true) // startVReg
		g.run(20 * jiffy)
		m.radio.SetRESETn(m, false)
		m.radio.SetRESETn(m, true)
		// startOscillator, in one access: IOCFG1, SXOSCON, IOCFG0, FSCTRL (channel 26), MDMCTRL0, RXCTRL1, TXCTRL.
		m.spi(0x1D, 0, 24, 0x01, 0x1C, 0x02, 0x7F, 0x18, 0x41, 0xB0, 0x11, 0x22, 0xE2, 0x17, 0x2A, 0x56, 0x15, 0x80, 0xFF)
		for range 30 {
			g.run(jiffy)
		}
		if !m.pins[PinCCA] {
			t.Fatal("InterruptCCA does not fire: the driver hangs in start-up")
		}
		// InterruptCCA.fired: IOCFG1, then IEEEADR, PANID and SHORTADR as RAM.
		m.spi(0x1D, 0, 0, 0x80|0x60, 0x80, 1, 2, 3, 4, 5, 6, 7, 8, 0x22, 0, uint8(i), 0)
		m.strobe(0x03)
		g.run(Millisecond)
		if m.radio.Hertz() != 2_480_000_000 || m.radio.DBm() != 0 || m.state.RAM[cc2420RAMShort].V() != uint8(i) {
			t.Fatalf("%d Hz, %d dBm", m.radio.Hertz(), m.radio.DBm())
		}
	}
	a, b := g.motes[0], g.motes[1]
	// loadTXFIFO: TXCTRL, then the TXFIFO from the length byte on.
	a.spi(0x15, 0x80, 0xFF)
	frame := []uint8{14, 0x61, 0x88, 200, 0x22, 0, 1, 0, 0, 0, 0x3F, 6, 0xCA}
	a.spi(append([]uint8{0x3E}, frame...)...)
	if !a.pins[PinCCA] {
		t.Fatal("the channel is not clear")
	}
	a.waves, b.waves = nil, nil
	start := g.now
	if out := a.spi(0x05, 0x00); out[1]&cc2420StatusTXActive == 0 {
		t.Fatal("attemptSend sees congestion")
	}
	g.run(288*Microsecond + 15*cc2420ByteTime)
	end := g.now
	// FIFOP is active low; 8 symbols of turnaround.
	if w := a.waves[1]; w.String() != (cc2420Wave{start + 288*Microsecond, PinSFD, true}).String() {
		t.Errorf("CaptureSFD: %s", w)
	}
	if b.pins[PinFIFOP] {
		t.Fatal("InterruptFIFOP does not fire")
	}
	// beginReceive, rxDone_length, SACK, rxDone_fcf and payload.
	g.run(100 * Microsecond)
	if n := b.drain(1)[0]; n != 14 {
		t.Fatalf("length is %d", n)
	}
	head := b.drain(7)
	b.strobe(0x0A)
	rest := b.drain(7)
	if got := append(head, rest...); !bytes.Equal(got[:12], frame[1:]) || got[13] != 0x80|110 {
		t.Errorf("received % x", got)
	}
	if !b.pins[PinFIFOP] || b.pins[PinFIFO] {
		t.Error("the driver thinks there is another packet")
	}
	g.run(2 * Millisecond)
	if b.onAt != end+292*Microsecond {
		t.Errorf("the acknowledgement begins %d us after the frame", (b.onAt-end)/Microsecond)
	}
	if got := a.drain(6); got[0] != 5 || got[1] != 2 || got[3] != 200 || got[5]&0x80 == 0 {
		t.Errorf("acknowledgement % x", got)
	}
	for _, m := range g.motes {
		if len(m.notices) != 0 {
			t.Errorf("notices %v", m.notices)
		}
	}
}
