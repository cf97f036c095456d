package periph

import (
	"maps"
	"testing"

	"motehound/mote/cell"
)

// At a wrong rate the sampler sees other bits, worked out here by hand from the waveform.
func TestUSARTWrongRate(t *testing.T) {
	for _, c := range []struct {
		name     string
		num, den uint64 // sender's bit time as a fraction of the receiver's
		data     uint8
		want     string
	}{
		{"same", 1, 1, 0x55, "55 "},
		// The line, in the receiver's bits: 00 11 00 11 00 11 00 11 00 11. The first frame is the first ten of them, with
		// a low stop bit; the next begins at the next falling edge, two bits on: 00 11 00 11 and idle.
		{"half rate", 2, 1, 0x55, "66F e6 "},
		// The line is low for four and a half of the receiver's bits; two of three samples of the fifth are high.
		{"double rate", 1, 2, 0x00, "f8 "},
		{"a short spike is no start bit", 1, 32, 0xFF, ""},
	} {
		u, h, _ := newUSART(8e6, 12, 0, 0, 0x06)
		rate, _ := u.Rate(h)
		h.until(h.io + 13*50)
		feed(h, u, rate*c.num/c.den, chars(c.data)...)
		h.until(h.io + 40*16*13)
		if got := drain(h, u); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// DS40002061 section 20.8.3: R_slow and R_fast are the slowest and fastest incoming rates that a receiver can take, in
// parts of its own; tables 20-2 and 20-3 list them. Back-to-back characters inside that range must come through
// whatever the phase; a few percent outside it they must not.
func TestUSARTOperationalRange(t *testing.T) {
	type frame struct {
		b, c uint8
		d    uint64 // data and parity bits
	}
	for _, f := range []frame{
		{0, 0x00, 5}, {0, 0x02, 6}, {0, 0x04, 7}, {0, 0x06, 8}, {0, 0x26, 9}, {usartUCSZ2, 0x26, 10},
	} {
		for _, double := range []uint8{0, usartU2X} {
			s, sf, sm := uint64(16), uint64(8), uint64(9)
			if double != 0 {
				s, sf, sm = 8, 4, 5
			}
			// Bit times of the sender, in millionths of the receiver's.
			slow := 1_000_000 * (s - 1 + f.d*s + sf) / ((f.d + 1) * s)
			fast := 1_000_000 * ((f.d+1)*s + sm) / ((f.d + 2) * s)
			for _, c := range []struct {
				name string
				bit  uint64
				good bool
			}{
				{"slowest", slow - 1000, true}, {"fastest", fast + 1000, true},
				{"recommended slow", 1_010_000, true}, {"recommended fast", 990_000, true},
				{"too slow", slow + 60_000, false}, {"too fast", fast - 60_000, false},
			} {
				good := true
				for phase := range uint64(13) {
					u, h, _ := newUSART(8e6, 12, double, f.b, f.c)
					rate, _ := u.Rate(h)
					h.until(h.io + 1000 + phase)
					for _, v := range []uint8{0x00, 0x1F, 0x15, 0x0A} {
						feed(h, u, rate*c.bit/1_000_000, chars(v, v)...)
						h.until(h.io + 40)
						got := drain(h, u)
						want := hex2(v) + " " + hex2(v) + " "
						if got != want {
							good = false
						}
					}
				}
				if good != c.good {
					t.Errorf("%d bits, double %v, %s (bit time %d ppm of the receiver's): received %v", f.d, double != 0, c.name,
						c.bit, good)
				}
			}
		}
	}
}

func hex2(v uint8) string { return string("0123456789abcdef"[v>>4]) + string("0123456789abcdef"[v&15]) }

// Two chips with the usual crystals, each at the nearest rate that it can make.
func TestUSARTBetweenChips(t *testing.T) {
	for _, c := range []struct {
		fromHz, toHz     uint64
		fromUBRR, toUBRR uint16
		fromA, toA       uint8
	}{
		{7_372_800, 16_000_000, 7, 16, 0, 0},          // 57600 against 58824
		{16_000_000, 7_372_800, 16, 15, 0, usartU2X},  // and back
		{7_372_800, 16_000_000, 3, 8, 0, 0},           // 115200 against 111111
		{16_000_000, 16_000_000, 16, 16, usartU2X, 2}, // 117647
	} {
		from, fh, log := newUSART(c.fromHz, c.fromUBRR, c.fromA, 0, 0x06)
		to, th, _ := newUSART(c.toHz, c.toUBRR, c.toA, 0, 0x06)
		for v := range 256 {
			fh.write(from, tUDR, uint8(v))
			fh.until(fh.io + 12*from.tick()*from.samples())
			sent := log.sent[len(log.sent)-1]
			feed(th, to, sent.BitTime, SerialChar{Data: sent.Data})
			if got, want := drain(th, to), hex2(uint8(v))+" "; got != want {
				t.Fatalf("%+v: sent %q, got %q", c, want, got)
			}
		}
	}
}

// A character that comes while a sleep mode holds clkI/O is not heard; one after it is.
func TestUSARTAsleep(t *testing.T) {
	u, h, _ := newUSART(8e6, 12, 0, 0, 0x06)
	u.Receive(h, SerialChar{Data: cell.Of(0x42)})
	h.halted += 10_000_000_000
	h.until(h.io + 12*16*13)
	if got := drain(h, u); got != "" {
		t.Errorf("got %q", got)
	}
	rate, _ := u.Rate(h)
	feed(h, u, rate, chars(0x43)...)
	if got := drain(h, u); got != "43 " {
		t.Errorf("got %q", got)
	}
}

// A change of the CPU clock changes the rate: the second half of the character is sampled at the new one.
func TestUSARTClocked(t *testing.T) {
	u, h, _ := newUSART(8e6, 12, 0, 0, 0x06)
	rate, _ := u.Rate(h)
	u.Receive(h, SerialChar{Data: cell.Of(0xF0)})
	h.until(h.io + 4*16*13)
	h.halted = h.Now(ClkReal) - serialPs(h.io, 4e6) // keeps real time continuous
	h.hz = 4e6
	u.Clocked(h)
	if now, _ := u.Rate(h); now/2 != rate {
		t.Errorf("bit time %d after %d", now, rate)
	}
	h.until(h.io + 20*16*13)
	// The start bit and bits 0 to 2 are sampled in time and low; bit 3 is voted on half as fast, where bit 4 begins.
	if got := drain(h, u); got != "f8 " {
		t.Errorf("got %q", got)
	}
}

// 2467 "UBRRL and UBRRH": a change of the rate corrupts what is on its way.
func TestUSARTRetime(t *testing.T) {
	u, h, log := newUSART(8e6, 12, 0, 0, 0x06)
	base := h.io
	h.write(u, tUDR, 0x11)
	h.until(base + 16*13*3) // two of ten bits have gone
	h.write(u, tUBRRL, 25)
	h.flagAt(t, u, tUCSRA, usartTXC, base+16*13*3+8*16*26)
	if !h.notices["retime"] || len(log.sent) != 1 {
		t.Errorf("notices %v, sent %v", h.notices, log.sent)
	}
	u.Receive(h, SerialChar{Data: cell.Of(0xFF)})
	h.until(h.io + 5*16*26)
	h.write(u, tUCSRC, 0x0E) // all ones are left: nothing more to hear
	h.until(h.io + 20*16*26)
	if got := drain(h, u); got != "" {
		t.Errorf("got %q", got)
	}
}

// 2467 "Synchronous Clock Operation" and figure "Synchronous Mode XCK Timing": a master and a slave on one wire each.
func TestUSARTSynchronous(t *testing.T) {
	for _, ucpol := range []uint8{0, usartUCPOL} {
		slaveConfig := usartTestConfig
		slaveConfig.RXD, slaveConfig.TXD, slaveConfig.XCK = P('E', 0), P('E', 1), P('E', 2)
		slaveConfig.RX, slaveConfig.UDRE, slaveConfig.TX = 31, 32, 33
		for _, r := range []*uint16{&slaveConfig.UDR, &slaveConfig.UCSRA, &slaveConfig.UCSRB, &slaveConfig.UCSRC} {
			*r += 8
		}
		mlog, slog := &serialLog{}, &serialLog{}
		m := &USART{ID: 0, Cfg: &usartTestConfig, S: &USARTState{}, Line: mlog}
		s := &USART{ID: 1, Cfg: &slaveConfig, S: &USARTState{}, Line: slog}
		h := newSerialHost(8e6, m, s)
		h.outputs[m.Cfg.XCK] = true
		h.wires = map[Pin]Pin{m.Cfg.XCK: s.Cfg.XCK, m.Cfg.TXD: s.Cfg.RXD, s.Cfg.TXD: m.Cfg.RXD}
		h.set(m.Cfg.RXD, true)
		h.set(s.Cfg.RXD, true)
		const format = usartUMSEL0 | 0x26 // 8E1
		for i, d := range []*USART{s, m} {
			h.write(d, d.Cfg.UBRRL, 3)
			h.write(d, d.Cfg.UCSRC, format|ucpol)
			h.write(d, d.Cfg.UCSRB, usartRXEN|usartTXEN)
			h.write(d, d.Cfg.UDR, 0xA0+uint8(i))
			h.write(d, d.Cfg.UDR, 0x50+uint8(i))
		}
		start := h.io
		h.flagAt(t, m, m.Cfg.UCSRA, usartTXC, start+4+22*8)
		h.until(h.io + 8)
		if a, b, c := drain2(h, s), drain2(h, m), h.read(s, s.Cfg.UCSRA)&usartTXC; a != "a1 51 " || b != "a0 50 " || c == 0 {
			t.Errorf("UCPOL %d: slave got %q, master got %q, slave's TXC %#x", ucpol, a, b, c)
		}
		if len(mlog.sent) != 2 || mlog.sent[0].End-mlog.sent[0].Start != serialPs(11*8, h.hz) || len(slog.sent) != 2 {
			t.Errorf("UCPOL %d: master sent %+v, slave %+v", ucpol, mlog.sent, slog.sent)
		}
		h.write(m, m.Cfg.UCSRB, 0)
		if _, ours := h.owners[m.Cfg.XCK]; ours {
			t.Errorf("UCPOL %d: XCK still ours", ucpol)
		}
	}
}

func drain2(h *serialHost, u *USART) (got string) {
	for u.Peek(h, u.Cfg.UCSRA)&usartRXC != 0 {
		if u.Peek(h, u.Cfg.UCSRA)&(usartFE|usartUPE|usartDOR) != 0 {
			got += "!"
		}
		got += hex2(h.read(u, u.Cfg.UDR)) + " "
	}
	return got
}

type spiEcho struct{ heard []uint8 }

func (e *spiEcho) Exchange(out cell.Cell) cell.Cell {
	e.heard = append(e.heard, out.V())
	return cell.Symbolic(out.V()^0xFF, out.Expr())
}

// DS40002061 section 21: the USART as SPI master, 2(UBRR+1) cycles per bit, full duplex, double buffered.
func TestUSARTMasterSPI(t *testing.T) {
	u, h, log := newUSART(16e6, 3, 0, 0, usartUMSEL0|usartUMSEL1)
	bus := &spiEcho{}
	u.Bus = bus
	base := h.io
	h.write(u, tUDR, 0x01)
	h.write(u, tUDR, 0x02)
	h.flagAt(t, u, tUCSRA, usartRXC, base+8+64)
	h.flagAt(t, u, tUCSRA, usartTXC, base+8+128)
	if got := drain(h, u); got != "fe fd " || len(log.sent) != 0 {
		t.Errorf("got %q, line %v", got, log.sent)
	}
	h.write(u, tUCSRC, usartUMSEL0|usartUMSEL1|usartUDORD)
	h.write(u, tUDR, 0x01)
	h.until(h.io + 100)
	if got := drain(h, u); got != "fe " || bus.heard[2] != 0x80 {
		t.Errorf("LSB first: got %q, bus heard %#x", got, bus.heard)
	}
}

// A wire that tells of a character only when it has ended still gets it through: it is there at once.
func TestUSARTLateDelivery(t *testing.T) {
	u, h, _ := newUSART(8e6, 12, 0, 0, 0x06)
	start := h.Now(ClkReal)
	h.until(h.io + 10*16*13)
	u.Receive(h, SerialChar{Data: cell.Of(0x5C), Start: start})
	h.until(h.io)
	if got := drain(h, u); got != "5c " {
		t.Errorf("got %q", got)
	}
}

// A receiver that is turned on in the middle of a character takes its next falling edge for a start bit.
func TestUSARTEnabledInCharacter(t *testing.T) {
	u, h, _ := newUSART(8e6, 12, 0, 0, 0x06)
	h.write(u, tUCSRB, 0)
	u.Receive(h, SerialChar{Data: cell.Symbolic(0xEF, 4)}) // 0 1111 0 111 1: bit 4 is low
	h.until(h.io + 2*16*13)
	h.write(u, tUCSRB, usartRXEN)
	h.until(h.io + 20*16*13)
	if got := u.Read(h, tUDR); got != cell.Of(0xFF) {
		t.Errorf("got %#x", got)
	}
}

// A snapshot is a copy of the state and of the pending events: going on from it gives the same again.
func TestUSARTSnapshot(t *testing.T) {
	u, h, _ := newUSART(8e6, 12, 0, 0, 0x26)
	h.write(u, tUDR, 0x31)
	h.write(u, tUDR, 0x32)
	u.Receive(h, SerialChar{Data: cell.Of(0x33)})
	for range 200 {
		h.until(h.io + 17)
		state, host := *u.S, *h
		host.due = maps.Clone(h.due)
		copied := state
		twin := &USART{Cfg: u.Cfg, S: &copied}
		host.devices = []Device{twin}
		host.until(host.io + 5000)
		again := *h
		again.due = maps.Clone(h.due)
		twin2 := &USART{Cfg: u.Cfg, S: &state}
		again.devices = []Device{twin2}
		for range 5000 / 8 {
			again.until(again.io + 8)
		}
		if *twin.S != *twin2.S {
			t.Fatalf("cycle %d: %+v\n%+v", h.io, *twin.S, *twin2.S)
		}
	}
}
