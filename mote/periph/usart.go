package periph

import "motehound/mote/cell"

// USARTConfig places one USART in a chip.
type USARTConfig struct {
	Name string // "USART0"

	UDR, UCSRA, UCSRB, UCSRC uint16 // data-space addresses
	UBRRL, UBRRH             uint16

	RX, UDRE, TX uint8 // vectors, numbered as in the datasheet

	RXD, TXD, XCK Pin

	// MSPIM says that UMSELn1:0 = 3 makes the USART an SPI master (not on the ATmega128).
	MSPIM bool
}

// SerialFormat is the shape of an asynchronous or synchronous frame.
type SerialFormat struct {
	DataBits uint8 // 5..9; 0 in an incoming character means "as the receiver is set"
	Parity   Parity
	StopBits uint8 // 1 or 2
}

// Parity is the kind of parity bit in a frame; the values are those of UPM1:0.
type Parity uint8

const (
	ParityNone Parity = 0
	ParityEven Parity = 2
	ParityOdd  Parity = 3
)

// Bits is the length of a frame in bit times, start and stop bits included.
func (f SerialFormat) Bits() uint8 {
	n := 1 + f.DataBits + f.StopBits
	if f.Parity != ParityNone {
		n++
	}
	return n
}

// SerialChar is one frame on a serial line.
type SerialChar struct {
	Start   uint64 // picoseconds (ClkReal) at which the start bit begins; 0 on input means now
	End     uint64 // picoseconds at which the last stop bit ends; ignored on input
	BitTime uint64 // picoseconds per bit; 0 on input means the receiver's own
	Data    cell.Cell
	Ninth   bool
	Break   bool // the line stays low for the whole frame, stop bits too
	Format  SerialFormat
}

// SerialLine is what a USART's TXD leads to.
type SerialLine interface {
	// Sent is called at the moment the last bit of a character has left.
	Sent(usart uint8, c SerialChar)
}

// SerialStarter is for lines that must know early: Starting is called when a character enters the shift register, with
// the moments at which its frame will begin (up to one bit time ahead) and end. A wire to another mote gains a
// character's worth of lookahead from it.
type SerialStarter interface {
	Starting(usart uint8, c SerialChar)
}

// Bits of UCSRnA, UCSRnB and UCSRnC (ATmega128 datasheet 2467, "USART Register Description").
const (
	usartRXC  = 1 << 7
	usartTXC  = 1 << 6
	usartUDRE = 1 << 5
	usartFE   = 1 << 4
	usartDOR  = 1 << 3
	usartUPE  = 1 << 2
	usartU2X  = 1 << 1
	usartMPCM = 1 << 0

	usartRXCIE = 1 << 7
	usartTXCIE = 1 << 6
	usartUDRIE = 1 << 5
	usartRXEN  = 1 << 4
	usartTXEN  = 1 << 3
	usartUCSZ2 = 1 << 2
	usartRXB8  = 1 << 1
	usartTXB8  = 1 << 0

	usartUMSEL0 = 1 << 6
	usartUMSEL1 = 1 << 7
	usartUSBS   = 1 << 3
	usartUDORD  = 1 << 2 // MSPIM
	usartUCPOL  = 1 << 0
)

// Kinds of events.
const (
	usartTxDone   = iota // the last bit of the frame in the shift register has left
	usartRxDone          // the first stop bit of the incoming frame was voted on
	usartRxStart         // the start bit was voted on while a character waits in the receive shift register
	usartSyncEdge        // the synchronous master's XCK toggles
	usartKinds
)

// USARTState is everything of a USART that changes.
type USARTState struct {
	BaudBase uint64 `time:"clkio"` // ClkIO: a moment at which the baud-rate down-counter was reloaded

	TxEnd     uint64 `time:"clkio"`       // ClkIO: end of the frame in the shift register
	TxStartPs uint64 `time:"ps"`          // ClkReal: its beginning
	TxBegin   uint64 `time:"clkio,ahead"` // ClkIO: its beginning

	LineStart uint64 `time:"ps"`     // ClkReal: beginning of the newest incoming frame
	LineBit   uint64 `time:"number"` // its bit time, picoseconds

	RxAt    uint64       `time:"clkio"` // ClkIO: the next voting sample
	RefAt   uint64       `time:"clkio"` // ClkIO and ClkReal at one same moment, and the frequency since then
	RefPs   uint64       `time:"ps"`
	RefHz   uint64       `time:"number"`
	RxCells [3]cell.Cell // receive buffer (two levels) and the character waiting in the shift register
	RxLast  cell.Cell    // what UDR shows when the buffer is empty

	TxBuf, TxShift     cell.Cell
	LineCell, RxSource cell.Cell // data of the newest incoming frame; of the one being sampled

	LineLevels uint32 // levels of the newest incoming frame, bit i = the i-th bit time

	UBRR     uint16
	RxSample uint16 // number of the next voting sample, 1 = first low sample of the start bit
	RxWord   uint16 // data and parity bits voted so far
	SyncTx   uint16 // synchronous: levels still to send

	UCSRA, UCSRB, UCSRC uint8 // the writable bits
	TXC                 bool
	TxFull              bool // the transmit buffer holds TxBuf
	TxNinth             bool
	TxBusy              bool // the shift register holds TxShift
	ShiftNinth          bool
	TxPads              bool     // TXD is ours
	ShiftFormat         [3]uint8 // data bits, parity, stop bits of the frame in the shift register
	RxCount             uint8
	RxFlags             [3]uint8 // FE, DOR, UPE and RXB8 of each received character
	RxOverrun           bool     // characters were lost before the next one
	RxBusy              bool
	RxWhole             bool // the frame being sampled began with the start bit of RxSource
	RxVotes             uint8
	LineLen             uint8
	SyncTxLeft          uint8
	SyncRxCount         uint8
	SyncOn              bool // the synchronous master's clock runs
	SyncLevel           bool // XCK
	Pad                 [3]uint8
}

// USART is the Universal Synchronous and Asynchronous serial Receiver and Transmitter.
//
// Asynchronous frames are modelled as characters with exact moments; a received one is judged by the waveform that the
// receiver's 16x (8x) sampler would have seen. The synchronous modes with start and stop bits work bit by bit on the
// pads. MSPIM works by bytes.
type USART struct {
	ID    ID
	Cfg   *USARTConfig
	S     *USARTState
	Line  SerialLine // nil: nobody listens
	Index uint8
	Bus   SPIBus // MSPIM's slave; nil: the level of RXD is read
}

type usartMode uint8

const (
	usartAsync usartMode = iota
	usartSync
	usartMSPIM
)

func (u *USART) mode() usartMode {
	switch {
	case u.S.UCSRC&usartUMSEL0 == 0:
		return usartAsync
	case u.S.UCSRC&usartUMSEL1 != 0 && u.Cfg.MSPIM:
		return usartMSPIM
	}
	return usartSync
}

// format is the frame format that the registers ask for now.
func (u *USART) format() SerialFormat {
	f := SerialFormat{DataBits: 5 + u.S.UCSRC>>1&3, StopBits: 1}
	if u.S.UCSRB&usartUCSZ2 != 0 {
		f.DataBits = 9
	}
	if p := Parity(u.S.UCSRC >> 4 & 3); p >= ParityEven {
		f.Parity = p
	}
	if u.S.UCSRC&usartUSBS != 0 {
		f.StopBits = 2
	}
	return f
}

// tick is one period of the baud-rate generator: a receiver sample, in ClkIO cycles.
func (u *USART) tick() uint64 { return uint64(u.S.UBRR) + 1 }

// samples is the number of ticks in a bit.
func (u *USART) samples() uint64 {
	switch {
	case u.mode() != usartAsync:
		return 2
	case u.S.UCSRA&usartU2X != 0:
		return 8
	}
	return 16
}

// Rate is the bit time, in picoseconds, and the frame format that the firmware has set.
func (u *USART) Rate(h Host) (bitTimePs uint64, f SerialFormat) {
	return serialPs(u.tick()*u.samples(), h.Hertz()), u.format()
}

// Registers lists the registers of the USART.
func (u *USART) Registers() []uint16 {
	c := u.Cfg
	return []uint16{c.UDR, c.UCSRA, c.UCSRB, c.UCSRC, c.UBRRL, c.UBRRH}
}

// Kinds is the number of kinds of events.
func (u *USART) Kinds() int { return usartKinds }

// Read reads a register; reading UDR takes the character from the receive buffer.
func (u *USART) Read(h Host, addr uint16) cell.Cell {
	if addr != u.Cfg.UDR {
		return cell.Of(u.Peek(h, addr))
	}
	if u.S.RxCount > 0 {
		u.pop()
		u.update(h)
	}
	return u.S.RxLast
}

// Peek shows a register.
func (u *USART) Peek(_ Host, addr uint16) uint8 {
	s := u.S
	switch addr {
	case u.Cfg.UDR:
		if s.RxCount > 0 {
			return s.RxCells[0].V()
		}
		return s.RxLast.V()
	case u.Cfg.UCSRA:
		return u.status()
	case u.Cfg.UCSRB:
		v := s.UCSRB
		if s.RxCount > 0 {
			v |= s.RxFlags[0] & usartRXB8
		}
		return v
	case u.Cfg.UCSRC:
		return s.UCSRC
	case u.Cfg.UBRRL:
		return uint8(s.UBRR)
	case u.Cfg.UBRRH:
		return uint8(s.UBRR >> 8)
	}
	return 0
}

func (u *USART) status() uint8 {
	s := u.S
	v := s.UCSRA
	if s.RxCount > 0 {
		v |= usartRXC | s.RxFlags[0]&(usartFE|usartDOR|usartUPE)
	}
	if s.TXC {
		v |= usartTXC
	}
	if !s.TxFull {
		v |= usartUDRE
	}
	return v
}

// Write writes a register.
func (u *USART) Write(h Host, addr uint16, v cell.Cell) {
	s := u.S
	switch addr {
	case u.Cfg.UDR:
		u.put(h, v)
	case u.Cfg.UCSRA:
		if v.V()&usartTXC != 0 {
			s.TXC = false
		}
		if a := v.V() & (usartU2X | usartMPCM); a != s.UCSRA {
			u.retime(h, func() { s.UCSRA = a })
		}
	case u.Cfg.UCSRB:
		u.control(h, v.V())
	case u.Cfg.UCSRC:
		u.setUCSRC(h, v.V())
	case u.Cfg.UBRRL:
		u.retime(h, func() { s.UBRR = s.UBRR&0xF00 | uint16(v.V()) })
		s.BaudBase = h.Now(ClkIO)
	case u.Cfg.UBRRH:
		u.retime(h, func() { s.UBRR = s.UBRR&0xFF | uint16(v.V()&0x0F)<<8 })
	}
	u.update(h)
}

func (u *USART) setUCSRC(h Host, v uint8) {
	if !u.Cfg.MSPIM {
		v &^= 1 << 7 // reserved on the ATmega128
	} else if v>>6 == 2 {
		h.Notice(u.ID, "umsel", u.Cfg.Name+": UMSEL1:0 = 2 is reserved")
	}
	if v == u.S.UCSRC {
		return
	}
	u.retime(h, func() { u.S.UCSRC = v })
	u.clockSync(h)
	u.pads(h)
}

// control takes a write of UCSRB.
func (u *USART) control(h Host, v uint8) {
	s := u.S
	old := s.UCSRB
	u.retime(h, func() { s.UCSRB = v &^ usartRXB8 })
	if old&usartRXEN != 0 && v&usartRXEN == 0 {
		u.flush(h) // 2467 "Disabling the Receiver": at once, and the buffer is flushed
	}
	if v&usartRXEN != 0 && old&usartRXEN == 0 && u.mode() == usartAsync {
		u.anchor(h)
		u.hunt(h, h.Now(ClkIO))
	}
	if v&usartUCSZ2 != 0 && s.UCSRC>>1&3 != 3 && u.mode() != usartMSPIM {
		h.Notice(u.ID, "ucsz", u.Cfg.Name+": UCSZ2:0 = 4..6 is reserved; taken as 9 bits")
	}
	if v&usartTXEN != 0 && s.TxFull && !s.TxBusy {
		u.load(h, u.nextBitClock(h.Now(ClkIO)))
	}
	u.clockSync(h)
	u.pads(h)
}

// pads takes TXD over while the transmitter is on or still has something to send.
func (u *USART) pads(h Host) {
	s := u.S
	on := s.UCSRB&usartTXEN != 0 || s.TxPads && s.TxBusy
	switch {
	case on && !s.TxPads:
		h.Drive(u.ID, u.Cfg.TXD, true, true)
	case !on && s.TxPads:
		h.Release(u.ID, u.Cfg.TXD)
	}
	s.TxPads = on
}

// update sets the interrupt requests. RXC and UDRE are levels, TXC is a flag.
func (u *USART) update(h Host) {
	b, a := u.S.UCSRB, u.status()
	h.Request(u.Cfg.RX, b&usartRXCIE != 0 && a&usartRXC != 0)
	h.Request(u.Cfg.UDRE, b&usartUDRIE != 0 && a&usartUDRE != 0)
	h.Request(u.Cfg.TX, b&usartTXCIE != 0 && a&usartTXC != 0)
}

// Event takes the end of a frame or a clock edge.
func (u *USART) Event(h Host, kind uint8) {
	switch kind {
	case usartTxDone:
		u.txDone(h)
	case usartRxDone, usartRxStart:
		u.rxEvent(h)
	case usartSyncEdge:
		u.syncEvent(h)
	}
	u.update(h)
}

// Vectors implements Device.
func (u *USART) Vectors() []uint8 { return []uint8{u.Cfg.RX, u.Cfg.UDRE, u.Cfg.TX} }

// Served clears TXC when its interrupt is taken; the others last until their cause is gone.
func (u *USART) Served(h Host, vector uint8) {
	if vector == u.Cfg.TX {
		u.S.TXC = false
		u.update(h)
	}
}

// Reset puts the registers to their initial values and gives the pads back.
func (u *USART) Reset(h Host, _ bool) {
	if u.S.TxPads {
		h.Release(u.ID, u.Cfg.TXD)
	}
	if u.S.SyncOn {
		h.Release(u.ID, u.Cfg.XCK)
	}
	*u.S = USARTState{UCSRC: 0x06, BaudBase: h.Now(ClkIO)}
	for k := range uint8(usartKinds) {
		h.At(u.ID, k, ClkIO, Never)
	}
	u.update(h)
}

// Clocked re-anchors the receiver's idea of real time to the new frequency.
func (u *USART) Clocked(h Host) {
	u.rxAdvance(h, h.Now(ClkIO))
	u.anchor(h)
}
