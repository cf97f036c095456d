package periph

import (
	"fmt"
	"strings"
	"testing"

	"motehound/mote/cell"
)

const tTWBR, tTWSR, tTWAR, tTWDR, tTWCR, tTWAMR, tTWI = 0xB8, 0xB9, 0xBA, 0xBB, 0xBC, 0xBD, 25

var twiTestConfig = TWIConfig{
	TWBR: tTWBR, TWSR: tTWSR, TWAR: tTWAR, TWDR: tTWDR, TWCR: tTWCR, TWAMR: tTWAMR, Vector: tTWI,
	SDA: P('C', 4), SCL: P('C', 5),
}

// twiMemory answers at 0x50, acknowledges two bytes and gives 0x10, 0x11...
type twiMemory struct {
	log  []string
	room int
	next uint8
}

func (m *twiMemory) Start(addr uint8, read bool) bool {
	m.log = append(m.log, fmt.Sprintf("S%02x%v", addr, read))
	m.room, m.next = 2, 0x10
	return addr == 0x50
}
func (m *twiMemory) Write(c cell.Cell) bool {
	m.log = append(m.log, fmt.Sprintf("W%02x", c.V()))
	m.room--
	return m.room >= 0
}
func (m *twiMemory) Read(ack bool) cell.Cell {
	m.log = append(m.log, fmt.Sprintf("R%v", ack))
	m.next++
	return cell.Of(m.next - 1)
}
func (m *twiMemory) Stop() { m.log = append(m.log, "P") }

func newTWI(bus TWIBus) (*TWI, *serialHost) {
	w := &TWI{Cfg: &twiTestConfig, S: &TWIState{}, Bus: bus}
	h := newSerialHost(16e6, w)
	h.write(w, tTWBR, 72) // 100 kHz: 16 + 2*72 = 160 cycles
	return w, h
}

const (
	twiGo    = twiTWINT | twiTWEN | twiTWIE
	twiGoSTA = twiGo | twiTWSTA
	twiGoSTO = twiGo | twiTWSTO
	twiGoEA  = twiGo | twiTWEA
)

// twiStep is one TWCR write, after an optional one of TWDR, with what must come of it.
type twiStep struct {
	data    int // -1: leave TWDR alone
	control uint8
	periods uint64 // until TWINT; 0: it never comes
	status  uint8
}

// 2467 "Transmission Modes", tables of status codes for master modes; DS40002061 section 22.7.
func TestTWIMasterSequences(t *testing.T) {
	for _, c := range []struct {
		name  string
		bus   bool
		steps []twiStep
		log   string
	}{
		{"write", true, []twiStep{
			{-1, twiGoSTA, 1, 0x08}, {0xA0, twiGo, 9, 0x18}, {0x33, twiGo, 9, 0x28}, {0x44, twiGo, 9, 0x28},
			{0x55, twiGo, 9, 0x30}, {-1, twiGoSTO, 0, 0xF8},
		}, "S50false W33 W44 W55 P"},
		{"read", true, []twiStep{
			{-1, twiGoSTA, 1, 0x08}, {0xA1, twiGo, 9, 0x40}, {-1, twiGoEA, 9, 0x50}, {-1, twiGo, 9, 0x58},
			{-1, twiGoSTO, 0, 0xF8},
		}, "S50true Rtrue Rfalse P"},
		{"repeated start", true, []twiStep{
			{-1, twiGoSTA, 1, 0x08}, {0xA0, twiGo, 9, 0x18}, {0x01, twiGo, 9, 0x28}, {-1, twiGoSTA, 1, 0x10},
			{0xA1, twiGo, 9, 0x40}, {-1, twiGo, 9, 0x58}, {-1, twiGoSTO | twiTWSTA, 2, 0x08},
		}, "S50false W01 S50true Rfalse P"},
		{"nobody at that address", true, []twiStep{
			{-1, twiGoSTA, 1, 0x08}, {0xA2, twiGo, 9, 0x20}, {0x00, twiGo, 9, 0x30}, {-1, twiGoSTA, 1, 0x10},
			{0xA3, twiGo, 9, 0x48}, {-1, twiGoSTO, 0, 0xF8},
		}, "S51false S51true P"},
		{"no bus at all", false, []twiStep{
			{-1, twiGoSTA, 1, 0x08}, {0xA0, twiGo, 9, 0x20}, {-1, twiGoSTA, 1, 0x10}, {0xA1, twiGo, 9, 0x48},
			{-1, twiGoSTO, 0, 0xF8},
		}, ""},
	} {
		m := &twiMemory{}
		w, h := newTWI(nil)
		if c.bus {
			w.Bus = m
		}
		for i, s := range c.steps {
			if s.data >= 0 {
				h.write(w, tTWDR, uint8(s.data))
			}
			h.write(w, tTWCR, s.control)
			if h.requests[tTWI] || w.Peek(h, tTWSR) != 0xF8 {
				t.Errorf("%s, step %d: TWINT was not cleared", c.name, i)
			}
			if s.periods == 0 {
				h.until(h.io + 159)
				if w.Peek(h, tTWCR)&twiTWSTO == 0 {
					t.Errorf("%s: TWSTO was cleared early", c.name)
				}
				h.until(h.io + 1)
				if w.Peek(h, tTWCR)&(twiTWSTO|twiTWINT) != 0 {
					t.Errorf("%s: TWCR %#x after STOP", c.name, w.Peek(h, tTWCR))
				}
				continue
			}
			h.flagAt(t, w, tTWCR, twiTWINT, h.io+160*s.periods)
			if got := w.Peek(h, tTWSR); got != s.status || !h.requests[tTWI] {
				t.Errorf("%s, step %d: status %#x, want %#x", c.name, i, got, s.status)
			}
			w.Served(h, tTWI)
			if w.Peek(h, tTWCR)&twiTWINT == 0 {
				t.Errorf("%s, step %d: serving cleared TWINT", c.name, i)
			}
		}
		if got := strings.Join(m.log, " "); got != c.log {
			t.Errorf("%s: bus saw %q, want %q", c.name, got, c.log)
		}
	}
}

// 2467 "Bit Rate Generator Unit".
func TestTWIBitRate(t *testing.T) {
	for _, c := range []struct {
		twbr, twps uint8
		want       uint64
	}{{0, 0, 16}, {72, 0, 160}, {12, 0, 40}, {10, 1, 96}, {10, 2, 336}, {255, 3, 16 + 2*255*64}} {
		w, h := newTWI(nil)
		h.write(w, tTWBR, c.twbr)
		h.write(w, tTWSR, 0xF8|c.twps)
		h.write(w, tTWCR, twiGoSTA)
		if w.Peek(h, tTWSR) != 0xF8|c.twps {
			t.Errorf("TWSR %#x", w.Peek(h, tTWSR))
		}
		h.flagAt(t, w, tTWCR, twiTWINT, h.io+c.want)
	}
}

// 2467 "TWDR", "TWWC": TWDR takes a write only while TWINT is set. TWINT holds the bus until a one is written to it.
func TestTWIHolds(t *testing.T) {
	w, h := newTWI(&twiMemory{})
	h.write(w, tTWDR, 1)
	if w.Peek(h, tTWDR) != 0xFF || w.Peek(h, tTWCR)&twiTWWC == 0 {
		t.Error("no write collision")
	}
	h.write(w, tTWCR, twiGoSTA)
	h.until(h.io + 160)
	h.write(w, tTWDR, 0xA0)
	if w.Peek(h, tTWCR)&twiTWWC != 0 || w.Peek(h, tTWDR) != 0xA0 {
		t.Error("write collision although TWINT is set")
	}
	h.write(w, tTWCR, twiTWEN|twiTWIE) // without TWINT: nothing moves
	h.until(h.io + 5000)
	if w.Peek(h, tTWSR) != 0x08 || !h.requests[tTWI] {
		t.Errorf("status %#x", w.Peek(h, tTWSR))
	}
	h.write(w, tTWCR, twiGo)
	h.write(w, tTWCR, 0) // off in the middle of the address
	h.until(h.io + 5000)
	if w.Peek(h, tTWCR) != 0 || len(h.owners) != 0 {
		t.Errorf("TWCR %#x, pads %v", w.Peek(h, tTWCR), h.owners)
	}
}

// 2467 tables of status codes for slave modes.
func TestTWISlave(t *testing.T) {
	w, h := newTWI(nil)
	check := func(what string, ok bool, status uint8) {
		t.Helper()
		if got := w.Peek(h, tTWSR); !ok || got != status || w.Stretching() != (status != 0xF8) {
			t.Errorf("%s: status %#x, want %#x", what, got, status)
		}
	}
	h.write(w, tTWAR, 0x42<<1|twiTWGCE)
	check("TWEA off", !w.SlaveStart(h, 0x42, false), 0xF8)
	h.write(w, tTWCR, twiGoEA)
	check("another", !w.SlaveStart(h, 0x43, false), 0xF8)
	check("own, write", w.SlaveStart(h, 0x42, false), 0x60)
	h.write(w, tTWCR, twiGoEA)
	check("data", w.SlaveWrite(h, cell.Symbolic(0x77, 5)), 0x80)
	if w.Read(h, tTWDR) != cell.Symbolic(0x77, 5) {
		t.Errorf("TWDR %#x", w.Read(h, tTWDR))
	}
	h.write(w, tTWCR, twiGo)
	check("last data", !w.SlaveWrite(h, 1), 0x88)
	h.write(w, tTWCR, twiGoEA)
	check("deaf until addressed", !w.SlaveWrite(h, 2), 0xF8)
	w.SlaveStop(h, false)
	check("stop", true, 0xF8)

	check("own, write", w.SlaveStart(h, 0x42, false), 0x60)
	h.write(w, tTWCR, twiGoEA)
	w.SlaveStop(h, true)
	check("restart", true, 0xA0)
	h.write(w, tTWCR, twiGoEA)
	check("own, read", w.SlaveStart(h, 0x42, true), 0xA8)
	h.write(w, tTWDR, 0x21)
	h.write(w, tTWCR, twiGoEA)
	check("give", w.SlaveRead(h, true) == 0x21, 0xB8)
	h.write(w, tTWDR, 0x22)
	h.write(w, tTWCR, twiGoEA)
	check("give, no ack", w.SlaveRead(h, false) == 0x22, 0xC0)
	h.write(w, tTWCR, twiGoEA)
	check("own, read", w.SlaveStart(h, 0x42, true), 0xA8)
	h.write(w, tTWDR, 0x23)
	h.write(w, tTWCR, twiGo)
	check("give the last", w.SlaveRead(h, true) == 0x23, 0xC8)
	h.write(w, tTWCR, twiGoEA)
	check("nothing more", w.SlaveRead(h, true) == 0xFF, 0xF8)

	check("general call", w.SlaveStart(h, 0, false), 0x70)
	h.write(w, tTWCR, twiGoEA)
	check("data", w.SlaveWrite(h, 3), 0x90)
	h.write(w, tTWCR, twiGo)
	check("last data", !w.SlaveWrite(h, 4), 0x98)
	h.write(w, tTWCR, twiGoEA)
	h.write(w, tTWAR, 0x42<<1)
	check("no general call", !w.SlaveStart(h, 0, false), 0xF8)
	h.write(w, tTWAMR, 0x03<<1)
	check("address mask", w.SlaveStart(h, 0x41, false), 0x60)
}

// 2467 "Multi-master Systems and Arbitration", "Miscellaneous States".
func TestTWIArbitrationAndErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		addr   uint8
		read   bool
		ack    bool
		status uint8
	}{
		{"to us, write", 0x42, false, true, 0x68}, {"to us, read", 0x42, true, true, 0xB0},
		{"general call", 0, false, true, 0x78}, {"to another", 0x11, false, false, 0x38},
	} {
		w, h := newTWI(&twiMemory{})
		h.write(w, tTWAR, 0x42<<1|twiTWGCE)
		h.write(w, tTWCR, twiGoSTA|twiTWEA)
		h.until(h.io + 160)
		h.write(w, tTWDR, 0xA0)
		h.write(w, tTWCR, twiGoEA)
		h.until(h.io + 500)
		if ack := w.SlaveStart(h, c.addr, c.read); ack != c.ack || w.Peek(h, tTWSR) != c.status {
			t.Errorf("%s: ack %v, status %#x", c.name, ack, w.Peek(h, tTWSR))
		}
	}

	w, h := newTWI(&twiMemory{})
	h.write(w, tTWCR, twiGoSTA)
	h.until(h.io + 160)
	h.write(w, tTWDR, 0xA0)
	h.write(w, tTWCR, twiGo)
	h.until(h.io + 500)
	w.LoseArbitration(h)
	if w.Peek(h, tTWSR) != 0x38 {
		t.Errorf("status %#x", w.Peek(h, tTWSR))
	}
	h.write(w, tTWCR, twiGoSTA) // waits for the bus
	h.until(h.io + 5000)
	if w.Peek(h, tTWSR) != 0xF8 {
		t.Errorf("START on a taken bus: %#x", w.Peek(h, tTWSR))
	}
	w.SlaveStop(h, false)
	h.flagAt(t, w, tTWCR, twiTWINT, h.io+160)
	if w.Peek(h, tTWSR) != 0x08 {
		t.Errorf("status %#x", w.Peek(h, tTWSR))
	}

	h.write(w, tTWDR, 0xA0)
	h.write(w, tTWCR, twiGo)
	w.BusError(h)
	if w.Peek(h, tTWSR) != 0x00 || !h.requests[tTWI] {
		t.Errorf("status %#x", w.Peek(h, tTWSR))
	}
	h.write(w, tTWCR, twiGoSTO)
	h.until(h.io + 5000)
	if w.Peek(h, tTWCR) != twiTWEN|twiTWIE || w.Peek(h, tTWSR) != 0xF8 {
		t.Errorf("TWCR %#x, TWSR %#x", w.Peek(h, tTWCR), w.Peek(h, tTWSR))
	}
}

// LoseArbitration reports whether another master won against what ours is sending, without addressing us (SlaveStart is for
// one that does). A START is put off until the bus is free.
func (t *TWI) LoseArbitration(h Host) {
	s := t.S
	s.Taken = true
	was := s.Doing
	if was == twiNothing || was == twiDoStop {
		return
	}
	t.do(h, twiNothing, 0)
	s.Role = twiIdle
	if was != twiDoStart {
		t.report(h, twiLost)
	}
}

// BusError is a START or STOP in the middle of a byte. Only TWSTO recovers from it (2467 "Miscellaneous States").
func (t *TWI) BusError(h Host) {
	if t.S.TWCR&twiTWEN == 0 {
		return
	}
	t.do(h, twiNothing, 0)
	t.S.Role, t.S.Taken = twiIdle, false
	t.report(h, twiBusError)
}

// Stretching reports whether the TWI holds SCL low: it waits for the firmware to clear TWINT.
func (t *TWI) Stretching() bool { return t.S.TWINT && t.S.TWCR&twiTWEN != 0 }
