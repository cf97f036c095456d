package periph

import "motehound/mote/cell"

// TWIConfig places the two-wire interface in a chip.
type TWIConfig struct {
	TWBR, TWSR, TWAR, TWDR, TWCR uint16 // data-space addresses
	TWAMR                        uint16 // absent on the ATmega128
	Vector                       uint8  // TWI, numbered as in the datasheet

	SDA, SCL Pin
}

// TWIBus is what the TWI master is wired to. Each method is called when the matching bits have been on the bus: Start
// after the ninth bit of SLA+R/W (a second Start without Stop is a repeated START), Write and Read after their ninth
// bit, Stop after the STOP condition. Write and Read are called only after an acknowledged Start.
type TWIBus interface {
	Start(addr uint8, read bool) (ack bool)
	Write(c cell.Cell) (ack bool)
	Read(ack bool) cell.Cell
	Stop()
}

// Bits of TWCR and TWAR (2467 "TWI Register Description", DS40002061 section 22.9).
const (
	twiTWINT = 1 << 7
	twiTWEA  = 1 << 6
	twiTWSTA = 1 << 5
	twiTWSTO = 1 << 4
	twiTWWC  = 1 << 3
	twiTWEN  = 1 << 2
	twiTWIE  = 1 << 0

	twiTWGCE = 1 << 0
)

// Status codes (2467 tables "Status Codes for Master Transmitter Mode" and those after it).
const (
	twiBusError      = 0x00
	twiStart         = 0x08
	twiRepeatedStart = 0x10
	twiSlaWAck       = 0x18
	twiSlaWNack      = 0x20
	twiSentAck       = 0x28
	twiSentNack      = 0x30
	twiLost          = 0x38
	twiSlaRAck       = 0x40
	twiSlaRNack      = 0x48
	twiGotAck        = 0x50
	twiGotNack       = 0x58
	twiOwnW          = 0x60 // + 8 after lost arbitration
	twiGeneralCall   = 0x70 // + 8 after lost arbitration
	twiOwnGotAck     = 0x80
	twiOwnGotNack    = 0x88
	twiCallGotAck    = 0x90
	twiCallGotNack   = 0x98
	twiStopOrRestart = 0xA0
	twiOwnR          = 0xA8 // + 8 after lost arbitration
	twiGaveAck       = 0xB8
	twiGaveNack      = 0xC0
	twiGaveLast      = 0xC8
	twiNoState       = 0xF8
)

// What the TWI is on the bus.
const (
	twiIdle            = iota // not addressed
	twiStarted                // master that sent START: SLA+R/W comes next
	twiTransmitting           // master
	twiReceiving              // master
	twiOwnReceiving           // slave, own address
	twiCallReceiving          // slave, general call
	twiOwnTransmitting        // slave
)

// What the master is doing until the next event.
const (
	twiNothing = iota
	twiDoStart
	twiDoAddress
	twiDoSend
	twiDoReceive
	twiDoStop
)

// TWIState is everything of the TWI that changes.
type TWIState struct {
	TWDR                    cell.Cell
	TWBR, TWPS, TWAR, TWAMR uint8
	TWCR                    uint8 // TWEA, TWSTA, TWSTO, TWEN, TWIE
	Status                  uint8 // TWSR7:3
	TWINT, TWWC             bool
	Role                    uint8
	Doing                   uint8
	Answered                bool // a slave acknowledged its address
	Taken                   bool // another master holds the bus
}

// TWI is the two-wire serial interface. It works by conditions and bytes, with exact moments; the pads stay high.
type TWI struct {
	Passive // Served: only software clears TWINT; Clocked: the bus counts cycles
	ID      ID
	Cfg     *TWIConfig
	S       *TWIState
	Bus     TWIBus // nil: nobody answers
}

// period is the length of an SCL period in cycles (2467 "Bit Rate Generator Unit").
func (t *TWI) period() uint64 { return 16 + 2*uint64(t.S.TWBR)<<(2*t.S.TWPS) }

// Registers lists the registers of the TWI.
func (t *TWI) Registers() []uint16 {
	c := t.Cfg
	return []uint16{c.TWBR, c.TWSR, c.TWAR, c.TWDR, c.TWCR, c.TWAMR}
}

// Kinds is the number of kinds of events: the end of what the master does is the only one.
func (t *TWI) Kinds() int { return 1 }

// Read reads a register.
func (t *TWI) Read(h Host, addr uint16) cell.Cell {
	if addr == t.Cfg.TWDR {
		return t.S.TWDR
	}
	return cell.Of(t.Peek(h, addr))
}

// Peek shows a register.
func (t *TWI) Peek(_ Host, addr uint16) uint8 {
	s := t.S
	switch addr {
	case t.Cfg.TWBR:
		return s.TWBR
	case t.Cfg.TWSR:
		return s.Status | s.TWPS
	case t.Cfg.TWAR:
		return s.TWAR
	case t.Cfg.TWDR:
		return s.TWDR.V()
	case t.Cfg.TWCR:
		v := s.TWCR
		if s.TWINT {
			v |= twiTWINT
		}
		if s.TWWC {
			v |= twiTWWC
		}
		return v
	case t.Cfg.TWAMR:
		return s.TWAMR
	}
	return 0
}

// Write writes a register.
func (t *TWI) Write(h Host, addr uint16, v cell.Cell) {
	s := t.S
	switch addr {
	case t.Cfg.TWBR:
		s.TWBR = v.V()
	case t.Cfg.TWSR:
		s.TWPS = v.V() & 3
	case t.Cfg.TWAR:
		s.TWAR = v.V()
	case t.Cfg.TWDR:
		if s.TWWC = !s.TWINT; s.TWINT {
			s.TWDR = v
		}
	case t.Cfg.TWCR:
		t.control(h, v.V())
	case t.Cfg.TWAMR:
		s.TWAMR = v.V() &^ 1
	}
}

// control takes a write of TWCR: writing one to TWINT clears it and lets the bus go on.
func (t *TWI) control(h Host, v uint8) {
	s := t.S
	was := s.TWCR
	s.TWCR = v & (twiTWEA | twiTWSTA | twiTWSTO | twiTWEN | twiTWIE)
	if v&twiTWINT != 0 {
		s.TWINT, s.Status = false, twiNoState
	}
	switch on := v&twiTWEN != 0; {
	case !on && was&twiTWEN != 0:
		t.off(h)
	case on && was&twiTWEN == 0:
		h.Drive(t.ID, t.Cfg.SDA, true, true)
		h.Drive(t.ID, t.Cfg.SCL, true, true)
	}
	if v&twiTWEN != 0 && !s.TWINT && s.Doing == twiNothing {
		t.proceed(h)
	}
	t.update(h)
}

// off ends everything (2467: TWEN zero terminates all transmissions, regardless of any ongoing operation).
func (t *TWI) off(h Host) {
	t.do(h, twiNothing, 0)
	t.S.Role = twiIdle
	h.Release(t.ID, t.Cfg.SDA)
	h.Release(t.ID, t.Cfg.SCL)
}

// do begins something that takes so many SCL periods.
func (t *TWI) do(h Host, what uint8, periods uint64) {
	t.S.Doing = what
	at := Never
	if what != twiNothing {
		at = h.Now(ClkIO) + periods*t.period()
	}
	h.At(t.ID, 0, ClkIO, at)
}

// isMaster reports whether we hold the bus.
func (t *TWI) isMaster() bool { return t.S.Role >= twiStarted && t.S.Role <= twiReceiving }

// proceed begins what TWCR asks for in the present role.
func (t *TWI) proceed(h Host) {
	s := t.S
	switch {
	case s.TWCR&twiTWSTO != 0 && t.isMaster():
		t.do(h, twiDoStop, 1)
		return
	case s.TWCR&twiTWSTO != 0: // no STOP is sent: the lines are let go, as after a bus error
		s.TWCR &^= twiTWSTO
		s.Role = twiIdle
	}
	switch {
	case s.TWCR&twiTWSTA != 0 && (t.isMaster() || s.Role == twiIdle):
		if !s.Taken {
			t.do(h, twiDoStart, 1)
		}
	case s.Role == twiStarted:
		t.do(h, twiDoAddress, 9)
	case s.Role == twiTransmitting:
		t.do(h, twiDoSend, 9)
	case s.Role == twiReceiving:
		t.do(h, twiDoReceive, 9)
	}
}

// Event ends what the master was doing.
func (t *TWI) Event(h Host, _ uint8) {
	s := t.S
	what := s.Doing
	s.Doing = twiNothing
	switch what {
	case twiDoStart:
		status := uint8(twiStart)
		if t.isMaster() {
			status = twiRepeatedStart
		}
		s.Role = twiStarted
		t.report(h, status)
	case twiDoAddress:
		t.addressed(h)
	case twiDoSend:
		t.report(h, twiChoose(s.Answered && t.Bus.Write(s.TWDR), twiSentAck, twiSentNack))
	case twiDoReceive:
		ack := s.TWCR&twiTWEA != 0
		s.TWDR = cell.Of(0xFF)
		if s.Answered {
			s.TWDR = t.Bus.Read(ack)
		}
		t.report(h, twiChoose(ack, twiGotAck, twiGotNack))
	case twiDoStop:
		s.TWCR &^= twiTWSTO
		s.Role, s.Answered = twiIdle, false
		if t.Bus != nil {
			t.Bus.Stop()
		}
		if s.TWCR&twiTWSTA != 0 {
			t.proceed(h)
		}
	}
}

func (t *TWI) addressed(h Host) {
	s := t.S
	sla := s.TWDR.V()
	read := sla&1 != 0
	s.Answered = t.Bus != nil && t.Bus.Start(sla>>1, read)
	if read {
		s.Role = twiReceiving
		t.report(h, twiChoose(s.Answered, twiSlaRAck, twiSlaRNack))
		return
	}
	s.Role = twiTransmitting
	t.report(h, twiChoose(s.Answered, twiSlaWAck, twiSlaWNack))
}

func twiChoose(first bool, a, b uint8) uint8 {
	if first {
		return a
	}
	return b
}

// report sets TWINT with a status; SCL is held low until the firmware clears it.
func (t *TWI) report(h Host, status uint8) {
	t.S.Status, t.S.TWINT = status, true
	t.update(h)
}

func (t *TWI) update(h Host) { h.Request(t.Cfg.Vector, t.S.TWINT && t.S.TWCR&twiTWIE != 0) }

// Vectors implements Device.
func (t *TWI) Vectors() []uint8 { return []uint8{t.Cfg.Vector} }

// Reset puts the registers to their initial values and gives the pads back.
func (t *TWI) Reset(h Host, _ bool) {
	t.off(h)
	*t.S = TWIState{TWDR: cell.Of(0xFF), TWAR: 0xFE, Status: twiNoState}
	t.update(h)
}
