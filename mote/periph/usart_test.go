package periph

import (
	"fmt"
	"testing"

	"motehound/mote/cell"
)

const (
	tUDR, tUCSRA, tUCSRB, tUCSRC, tUBRRL, tUBRRH = 0xC6, 0xC0, 0xC1, 0xC2, 0xC4, 0xC5
	tRX, tUDRE, tTX                              = 19, 20, 21
)

var usartTestConfig = USARTConfig{
	Name: "USART0", UDR: tUDR, UCSRA: tUCSRA, UCSRB: tUCSRB, UCSRC: tUCSRC, UBRRL: tUBRRL, UBRRH: tUBRRH,
	RX: tRX, UDRE: tUDRE, TX: tTX,
	RXD: P('D', 0), TXD: P('D', 1), XCK: P('D', 4), MSPIM: true,
}

type serialLog struct{ started, sent []SerialChar }

func (l *serialLog) Starting(_ uint8, c SerialChar) { l.started = append(l.started, c) }
func (l *serialLog) Sent(_ uint8, c SerialChar)     { l.sent = append(l.sent, c) }

// newUSART is a USART with both directions on, at UBRR, with UCSRA and UCSRC as given.
func newUSART(hz uint64, ubrr uint16, a, b, c uint8) (*USART, *serialHost, *serialLog) {
	log := &serialLog{}
	u := &USART{Cfg: &usartTestConfig, S: &USARTState{}, Line: log}
	h := newSerialHost(hz, u)
	h.write(u, tUBRRH, uint8(ubrr>>8))
	h.write(u, tUBRRL, uint8(ubrr))
	h.write(u, tUCSRA, a)
	h.write(u, tUCSRC, c)
	h.write(u, tUCSRB, usartRXEN|usartTXEN|b)
	return u, h, log
}

func TestUSARTReset(t *testing.T) {
	u := &USART{Cfg: &usartTestConfig, S: &USARTState{}}
	h := newSerialHost(8e6, u)
	for addr, want := range map[uint16]uint8{tUCSRA: 0x20, tUCSRB: 0, tUCSRC: 0x06, tUBRRL: 0, tUBRRH: 0} {
		if got := u.Peek(h, addr); got != want {
			t.Errorf("register %#x is %#x after reset, want %#x", addr, got, want)
		}
	}
}

// DS40002061 sections 20.3.1 (rates), 20.4 (frame formats), 20.6.3 (transmitter flags).
func TestUSARTTransmitMoments(t *testing.T) {
	for _, c := range []struct {
		ubrr    uint16
		a, b, c uint8
		bit, n  uint64
	}{
		{51, 0, 0, 0x06, 16 * 52, 10},                 // 8N1
		{51, usartU2X, 0, 0x06, 8 * 52, 10},           // double speed
		{0, 0, 0, 0x06, 16, 10},                       // fastest
		{4095, 0, 0, 0x06, 16 * 4096, 10},             // slowest
		{7, 0, 0, 0x00, 128, 7},                       // 5N1
		{7, 0, 0, 0x02, 128, 8},                       // 6N1
		{7, 0, 0, 0x04, 128, 9},                       // 7N1
		{7, 0, usartUCSZ2, 0x06, 128, 11},             // 9N1
		{7, 0, 0, 0x26, 128, 11},                      // 8E1
		{7, 0, 0, 0x3E, 128, 12},                      // 8O2
		{7, 0, usartUCSZ2 | usartTXB8, 0x3E, 128, 13}, // 9O2
	} {
		u, h, log := newUSART(16e6, c.ubrr, c.a, c.b|usartUDRIE|usartTXCIE, c.c)
		base := h.io
		h.until(base + 5)
		h.write(u, tUDR, 0x41)
		if u.Peek(h, tUCSRA)&usartUDRE == 0 || !h.requests[tUDRE] {
			t.Errorf("%+v: an idle shift register takes the first character at once", c)
		}
		h.write(u, tUDR, 0x42)
		h.write(u, tUDR, 0x43) // ignored: UDRE is 0
		begin := base + c.bit  // the bit clock runs freely from the write of UBRRL
		end := begin + c.n*c.bit
		h.flagAt(t, u, tUCSRA, usartUDRE, end)
		if u.Peek(h, tUCSRA)&usartTXC != 0 {
			t.Errorf("%+v: TXC although a character was waiting", c)
		}
		h.flagAt(t, u, tUCSRA, usartTXC, end+c.n*c.bit)
		if !h.requests[tTX] || !h.requests[tUDRE] {
			t.Errorf("%+v: requests %v", c, h.requests)
		}
		if len(log.sent) != 2 || len(log.started) != 2 {
			t.Fatalf("%+v: %d characters sent", c, len(log.sent))
		}
		for i, s := range log.sent {
			from := begin + uint64(i)*c.n*c.bit
			if s.Start != serialPs(from, h.hz) || s.End != serialPs(from+c.n*c.bit, h.hz) || s.Data.V() != 0x41+uint8(i) ||
				uint64(s.Format.Bits()) != c.n || s.BitTime != serialPs(c.bit, h.hz) || s.Ninth != (c.b&usartTXB8 != 0) {
				t.Errorf("%+v: sent %+v", c, s)
			}
			if d := log.started[i]; d.Start != s.Start || d.Data != s.Data {
				t.Errorf("%+v: started %+v, sent %+v", c, d, s)
			}
		}
	}
}

// DS40002061 section 20.11.2: TXC is cleared by serving its interrupt or by writing a one.
func TestUSARTTransmitCompleteFlag(t *testing.T) {
	u, h, _ := newUSART(16e6, 7, 0, 0, 0x06)
	send := func() {
		h.write(u, tUDR, 1)
		h.until(h.io + 12*128)
		if u.Peek(h, tUCSRA)&usartTXC == 0 {
			t.Fatal("no TXC")
		}
	}
	send()
	h.write(u, tUCSRA, 0)
	if u.Peek(h, tUCSRA) != usartTXC|usartUDRE {
		t.Error("writing zero changed TXC")
	}
	h.write(u, tUCSRA, usartTXC)
	if u.Peek(h, tUCSRA) != usartUDRE {
		t.Error("writing one did not clear TXC")
	}
	send()
	u.Served(h, tRX)
	u.Served(h, tUDRE)
	if u.Peek(h, tUCSRA)&(usartTXC|usartUDRE) != usartTXC|usartUDRE {
		t.Error("serving another vector cleared a flag")
	}
	u.Served(h, tTX)
	if u.Peek(h, tUCSRA)&usartTXC != 0 {
		t.Error("serving did not clear TXC")
	}
}

// DS40002061 section 20.6.5: TXEN off waits for what is pending, then TXD is a port pad again.
func TestUSARTDisableTransmitter(t *testing.T) {
	u, h, log := newUSART(16e6, 7, 0, 0, 0x06)
	if !h.Level(u.Cfg.TXD) {
		t.Error("TXD idles high")
	}
	h.write(u, tUDR, 1)
	h.write(u, tUDR, 2)
	h.write(u, tUCSRB, 0)
	h.until(h.io + 15*128)
	if _, ours := h.owners[u.Cfg.TXD]; !ours || len(log.sent) != 1 {
		t.Errorf("TXD ours: %v, %d sent", ours, len(log.sent))
	}
	h.until(h.io + 10*128)
	if _, ours := h.owners[u.Cfg.TXD]; ours || len(log.sent) != 2 {
		t.Errorf("TXD ours: %v, %d sent", ours, len(log.sent))
	}
	// With the transmitter off, an Uno keeps the last byte written and sends it once TXEN is set.
	h.write(u, tUDR, 3)
	h.write(u, tUDR, 4)
	h.write(u, tUCSRB, usartTXEN)
	h.until(h.io + 12*128)
	if len(log.sent) != 3 || log.sent[2].Data.V() != 4 {
		t.Errorf("sent %+v", log.sent)
	}
}

// The first stop bit is voted on with samples 8, 9, 10 (4, 5, 6): RXC rises then (2467 figures "Start Bit Sampling",
// "Stop Bit Sampling").
func TestUSARTReceiveMoment(t *testing.T) {
	for _, c := range []struct {
		ubrr    uint16
		a, b, c uint8
		at      uint64 // in ticks of the baud-rate generator after sample 1
	}{
		{7, 0, 0, 0x06, 9*16 + 9},
		{7, usartU2X, 0, 0x06, 9*8 + 5},
		{0, 0, 0, 0x06, 9*16 + 9},
		{7, 0, 0, 0x0E, 9*16 + 9}, // a second stop bit does not matter
		{7, 0, 0, 0x26, 10*16 + 9},
		{7, 0, usartUCSZ2, 0x26, 11*16 + 9},
		{7, 0, 0, 0x00, 6*16 + 9},
	} {
		u, h, _ := newUSART(8e6, c.ubrr, c.a, c.b|usartRXCIE, c.c)
		tick := u.tick()
		h.until(h.io + 100*tick) // sample 1 falls on the start bit's edge
		from := h.io
		if u.RxSpace(h) != 3 || !u.rxIdle(h) {
			t.Errorf("%+v: the line is not free", c)
		}
		u.Receive(h, SerialChar{Data: cell.Symbolic(0x15, 77)})
		if u.RxSpace(h) != 2 || u.rxIdle(h) {
			t.Errorf("%+v: the line is free", c)
		}
		h.flagAt(t, u, tUCSRA, usartRXC, from+c.at*tick)
		if !h.requests[tRX] || u.RxSpace(h) != 2 {
			t.Errorf("%+v: request %v, space %d", c, h.requests[tRX], u.RxSpace(h))
		}
		u.Served(h, tRX)
		if !h.requests[tRX] {
			t.Errorf("%+v: RXC is a level", c)
		}
		want := cell.Symbolic(0x15, 77)
		if u.format().DataBits < 8 {
			want = cell.Of(0x15)
		}
		if a, v := u.Peek(h, tUCSRA), u.Read(h, tUDR); v != want || a&(usartFE|usartUPE|usartDOR) != 0 {
			t.Errorf("%+v: got %#x, status %#x", c, v, a)
		}
		if h.requests[tRX] || u.Peek(h, tUCSRA)&usartRXC != 0 {
			t.Errorf("%+v: RXC after the buffer was read", c)
		}
	}
}

// feed sends characters back to back, at a bit time, and runs until the last has ended.
func feed(h *serialHost, u *USART, bitPs uint64, chars ...SerialChar) {
	start := h.Now(ClkReal)
	for _, c := range chars {
		n, more := serialCycles(start-h.halted, h.hz)
		if more {
			n++
		}
		h.until(n)
		c.Start, c.BitTime = start, bitPs
		if c.Format.DataBits == 0 {
			c.Format = u.format()
		}
		u.Receive(h, c)
		start += uint64(c.Format.Bits()) * bitPs
	}
	n, _ := serialCycles(start-h.halted, h.hz)
	h.until(n + 1)
}

func chars(data ...uint8) (cs []SerialChar) {
	for _, d := range data {
		cs = append(cs, SerialChar{Data: cell.Of(d)})
	}
	return cs
}

// drain reads status and data of everything in the receive buffer.
func drain(h *serialHost, u *USART) (got string) {
	for u.Peek(h, tUCSRA)&usartRXC != 0 {
		a, b := h.read(u, tUCSRA), h.read(u, tUCSRB)
		got += fmt.Sprintf("%02x", h.read(u, tUDR))
		for _, f := range []struct {
			bit, in uint8
			name    string
		}{{usartFE, a, "F"}, {usartDOR, a, "D"}, {usartUPE, a, "P"}, {usartRXB8, b, "9"}} {
			if f.in&f.bit != 0 {
				got += f.name
			}
		}
		got += " "
	}
	return got
}

// DS40002061 section 20.7.4: the errors are buffered with the characters; DOR tells of frames lost before this one.
func TestUSARTReceiveBuffer(t *testing.T) {
	nine := func(v uint8, ninth bool) SerialChar { return SerialChar{Data: cell.Of(v), Ninth: ninth} }
	odd := SerialFormat{8, ParityOdd, 1}
	for _, c := range []struct {
		name    string
		a, b, c uint8
		in      []SerialChar
		want    string
	}{
		{"two", 0, 0, 0x06, chars(1, 2), "01 02 "},
		{"the shift register is a third place", 0, 0, 0x06, chars(1, 2, 3), "01 02 03 "},
		{"overrun", 0, 0, 0x06, chars(1, 2, 3, 4), "01 02 04D "},
		{"overrun twice", 0, 0, 0x06, chars(1, 2, 3, 4, 5), "01 02 05D "},
		{"break", 0, 0, 0x06, []SerialChar{{Data: 1}, {Break: true}, {Data: cell.Of(0xFE)}}, "01 00F "},
		{"even", 0, 0, 0x26, chars(0x00, 0x01, 0xFF), "00 01 ff "},
		{"odd", 0, 0, 0x36, chars(0x00, 0x01, 0x7F), "00 01 7f "},
		{"wrong parity", 0, 0, 0x26, []SerialChar{{Data: 1}, {Data: 2, Format: odd}, {Data: 3}}, "01 02P 03 "},
		{"nine bits", 0, usartUCSZ2, 0x06, []SerialChar{nine(1, true), nine(2, false)}, "019 02 "},
		{"nine bits and parity", 0, usartUCSZ2, 0x26, []SerialChar{nine(1, true), nine(3, true)}, "019 039 "},
		{"seven bits", 0, 0, 0x04, chars(0xFF, 0x80), "7f 00 "},
		{"multi-processor, nine bits", usartMPCM, usartUCSZ2, 0x06,
			[]SerialChar{nine(1, false), nine(2, true), nine(3, false)}, "029 "},
		{"multi-processor, stop bit", usartMPCM, 0, 0x06, []SerialChar{{Break: true}, {Data: 7}}, ""},
		{"multi-processor, stop bit, idle between", usartMPCM, 0, 0x06,
			[]SerialChar{{Break: true}, {Data: 0xFF, Format: SerialFormat{8, ParityNone, 2}}, {Data: 7}}, "07 "},
	} {
		u, h, _ := newUSART(8e6, 12, c.a, c.b, c.c)
		rate, _ := u.Rate(h)
		feed(h, u, rate, c.in...)
		if got := drain(h, u); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// DS40002061 section 20.7.6: disabling the receiver empties it at once.
func TestUSARTDisableReceiver(t *testing.T) {
	u, h, _ := newUSART(8e6, 12, 0, usartRXCIE, 0x06)
	rate, _ := u.Rate(h)
	feed(h, u, rate, chars(1, 2)...)
	u.Receive(h, SerialChar{Data: 3})
	h.write(u, tUCSRB, 0)
	if u.Peek(h, tUCSRA)&usartRXC != 0 || h.requests[tRX] || u.RxSpace(h) != 0 {
		t.Error("not flushed")
	}
	h.until(h.io + 20*16*13)
	h.write(u, tUCSRB, usartRXEN)
	h.until(h.io + 20*16*13)
	if got := drain(h, u); got != "" {
		t.Errorf("got %q", got)
	}
}
