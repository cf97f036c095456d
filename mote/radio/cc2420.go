package radio

import (
	"reflect"

	"motehound/mote/block"
	"motehound/mote/cell"
)

// ModelCC2420 is the row of the CC2420.
var ModelCC2420 = Model{
	Name:  "CC2420",
	State: reflect.TypeFor[cc2420State](),
	Mount: func(b block.Block, at int, _ BitPort, _ uint32) Radio {
		return &cc2420{S: block.At[cc2420State](b, at)}
	},
	Outputs: cc2420Pins,
	Answers: true,
	Frames:  &IEEE802154,
	Busy:    150 * millisecond,
}

// Pins of the CC2420.
const (
	PinFIFO uint8 = iota
	PinFIFOP
	PinSFD
	PinCCA
	PinVREN // from here on its inputs
	PinRSTN
	PinCSN

	cc2420Pins = PinVREN // outputs
)

// Kinds of events that the CC2420 plans. Of those due at one moment the lower one runs first.
const (
	cc2420Regulator  uint8 = iota // the voltage regulator is up
	cc2420Oscillator              // the crystal oscillator is stable
	cc2420Symbol                  // the byte under way at the receiver has ended
	cc2420Step                    // a state with a fixed length (calibration, wait) is over
	cc2420Level                   // the averaged signal strength crosses what CCA or RSSI_VALID watch
	cc2420Fetch                   // the next byte to send is needed
	cc2420Edge                    // the transmission reaches its preamble, the end of its SFD, its end
	cc2420Kinds
)

// Times of the datasheet (SWRS041B).
const (
	cc2420SymbolTime     = 16 * microsecond
	cc2420ByteTime       = 2 * cc2420SymbolTime
	cc2420BitTime        = cc2420ByteTime / 8
	cc2420Jitter         = microsecond       // how late a host may bring what happens: a clock cycle of its mote
	cc2420RegulatorTime  = 300 * microsecond // electrical specifications, voltage regulator: typical; 600 at most
	cc2420OscillatorTime = 860 * microsecond // electrical specifications, crystal oscillator: typical, with 16 pF load
	cc2420Calibration    = 12 * cc2420SymbolTime
	cc2420QuickTurn      = 8 * cc2420SymbolTime // TXCTRL.TX_TURNAROUND = 0
	cc2420RXWait         = 8 * cc2420SymbolTime // Figure 25, state 14
	// A byte is taken from the TXFIFO and told to the Host this long before it begins.
	cc2420Lead = MinLookahead + 4*cc2420Jitter
)

// Levels in dBm.
const (
	cc2420Sensitivity = -95 // electrical specifications, receive section: typical
	cc2420NoiseFloor  = -100
	cc2420RSSIOffset  = -45 // section 23: P = RSSI_VAL + RSSI_OFFSET
)

// cc2420RAMSize is the chip's memory: TXFIFO, RXFIFO and the security bank (Table 6).
const cc2420RAMSize = 0x170

// Places in the RAM.
const (
	cc2420RAMTX      = 0x000
	cc2420RAMRX      = 0x080
	cc2420RAMIEEE    = 0x160
	cc2420RAMPAN     = 0x168
	cc2420RAMShort   = 0x16A
	cc2420FIFOSize   = 128
	cc2420MaxCarrier = 12
)

// cc2420Mode is a state of the radio control state machine; its numbers are those that FSMSTATE shows (Figure 25).
type cc2420Mode = uint8

const (
	cc2420PowerDown      cc2420Mode = 0
	cc2420Idle           cc2420Mode = 1
	cc2420RXCalibrate    cc2420Mode = 2
	cc2420RXSearch       cc2420Mode = 3
	cc2420RXWaiting      cc2420Mode = 14
	cc2420RXFrame        cc2420Mode = 16
	cc2420RXOverflow     cc2420Mode = 17
	cc2420TXCalibrate    cc2420Mode = 32
	cc2420TXReady        cc2420Mode = 33 // after STXCAL: only the synthesizer runs
	cc2420TXPreamble     cc2420Mode = 34
	cc2420TXFrame        cc2420Mode = 37
	cc2420TXACKCalibrate cc2420Mode = 48
	cc2420TXACKPreamble  cc2420Mode = 49
	cc2420TXACK          cc2420Mode = 52
	cc2420TXUnderflow    cc2420Mode = 56
)

// cc2420State is what changes in a CC2420.
type cc2420State struct {
	Due [cc2420Kinds]uint64 `time:"ps"` // when each kind of event is due, or Never

	// Receiver.
	Meter    cc2420Meter
	Worst    uint64 `time:"number"` // strongest interference during the byte under way, linear
	Locked   cc2420Carrier
	Carriers [cc2420MaxCarrier]cc2420Carrier

	// Transmitter.
	FirstAt uint64 `time:"ps"`       // when the first preamble byte begins
	ToldEnd uint64 `time:"ps,ahead"` // when the last byte told to the Host ends

	RXByte  cell.Cell // the byte under way
	DSN     cell.Cell // sequence number of the last frame
	RAM     [cc2420RAMSize]cell.Cell
	Regs    [48]uint16 // by address; the first 16 are unused
	Heard   uint16     // the last two bytes, latest lowest; valid as far as HeardLen says
	CRC     uint16     // over the frame coming in or going out
	FCS     uint16     // as received
	TXIndex uint16     // next byte of the transmission, preamble included
	TXHead  uint16     // bytes before the length byte
	SPIAddr uint16
	Tuned   uint16 // FSCTRL.FREQ when the synthesizer was last calibrated

	Mode                 cc2420Mode
	VREN, RESETn, CSn    bool // levels of the pins
	Powered              bool // the regulator is up
	Stable               bool // the oscillator is
	Pins                 uint8
	SFD                  bool
	SPIPhase             uint8
	SPIHigh              uint8
	RSSI                 int8 // RSSI_VAL, as latched when the receiver went off
	LockedOn             bool
	HeardLen             uint8
	RXHead, RXCount      uint8 // RXFIFO: where the oldest unread byte is, and how many there are
	RXUntouched          bool  // no byte was read since the RXFIFO got its first one
	RXLeft               uint8 // bytes to read until the next length byte
	RXFrames             uint8 // complete frames in the RXFIFO
	NewFrame             bool  // a frame was completed and no byte read since
	Overflow             bool
	RXLen, RXIndex       uint8 // of the frame coming in: its length byte, bytes after it so far
	RXStart, RXStored    uint8 // where the frame begins in the RXFIFO, how many of its bytes went there
	OnByte               bool  // the byte under way comes from the locked carrier, not from noise
	Cut                  bool  // the carrier went away during it
	Filtering            bool  // address recognition is on for the frame and has not decided yet
	Rejected             bool
	Garbled              bool // Noise was chosen for this frame
	Noise                uint8
	Correlation          uint8
	FrameRSSI            int8
	FCF0, FCF1           uint8
	CRCOK                bool // of the last frame: SACK asks
	AckAsked, AckPending bool
	TXCount              uint8 // bytes written to the TXFIFO
	TXSent               bool  // the frame in it went out: writing starts a new one
	TXEnd                uint8 // bytes of the frame going out, its length byte included
	Underflow            bool
	Starved              bool // the transmission under way ended so
	OnAir                bool // the Host was told of a carrier and not of its end
	Calibrated           bool // FSCTRL.CAL_DONE
	Pad                  [6]uint8
}

// cc2420Carrier is a transmission that others have on the air.
type cc2420Carrier struct {
	Hertz      uint64 `time:"number"`
	Power      uint64 `time:"number"` // linear
	DBm        int16
	Sender     uint16
	Modulation Modulation
	On         bool
	Data       uint8 // its latest byte
	Pad        uint8
}

// cc2420 is a Chipcon CC2420, after its datasheet SWRS041B: a 2.4 GHz IEEE 802.15.4 transceiver with an SPI interface.
//
// Not modelled: AES security, the serial and test modes of MDMCTRL1, manual overrides, most test signals of IOCFG1. Their
// use is told through Host.Notice.
//
// CarrierOn and CarrierOff must reach it whatever it does, at the latest when Listening has been true for 12 symbol
// periods; bytes only matter while it is listening.
type cc2420 struct {
	S *cc2420State
}

// PowerUp puts the chip in the state it has when the board gets its supply: regulator off, all outputs low. What others
// have on the air stays known.
func (r *cc2420) PowerUp(h Host) {
	r.offAir(h)
	carriers := r.S.Carriers
	*r.S = cc2420State{Carriers: carriers, CSn: true, RESETn: true, RSSI: -128}
	for k := range cc2420Kinds {
		r.plan(h, k, Never)
	}
	r.resetRegisters()
	for p := range cc2420Pins {
		h.SetPin(p, false)
	}
}

// Pin implements Radio.
func (r *cc2420) Pin(h Host, pin uint8, level bool) {
	switch pin {
	case PinVREN:
		r.setVREN(h, level)
	case PinRSTN:
		r.setRESETn(h, level)
	case PinCSN:
		r.setCSn(h, level)
	}
}

// setVREN takes the level of VREG_EN.
func (r *cc2420) setVREN(h Host, on bool) {
	r.catchUp(h)
	s := r.S
	if on == s.VREN {
		return
	}
	s.VREN = on
	if on {
		r.plan(h, cc2420Regulator, h.Time()+cc2420RegulatorTime)
		return
	}
	// Neither registers nor RAM survive (section 13.5).
	r.plan(h, cc2420Regulator, Never)
	r.reset(h)
	s.Powered = false
	s.RAM = [cc2420RAMSize]cell.Cell{}
	s.CRCOK, s.RSSI, s.DSN = false, -128, 0
	r.updatePins(h)
}

// setRESETn takes the level of RESETn.
func (r *cc2420) setRESETn(h Host, level bool) {
	r.catchUp(h)
	r.S.RESETn = level
	if !level {
		r.reset(h)
		r.updatePins(h)
	}
}

// setCSn takes the level of CSn; rising, it ends FIFO and RAM access.
func (r *cc2420) setCSn(h Host, level bool) {
	r.catchUp(h)
	r.S.CSn = level
	r.S.SPIPhase = cc2420SPIAddress
}

// Event is called when the time of a planned event has come.
func (r *cc2420) Event(h Host, _ uint8) { r.catchUp(h) }

// catchUp runs what is due, in the order of time and kind, so that it does not matter in which order a host brings
// events, pin changes and signals of one moment.
func (r *cc2420) catchUp(h Host) {
	now := h.Time()
	ran := false
	for {
		next, at := uint8(0), r.S.Due[0]
		for k, due := range &r.S.Due {
			if due < at {
				next, at = uint8(k), due
			}
		}
		if at > now {
			break
		}
		r.plan(h, next, Never)
		r.run(h, next, at)
		ran = true
	}
	if ran {
		r.updatePins(h)
	}
}

func (r *cc2420) run(h Host, kind uint8, at uint64) {
	switch kind {
	case cc2420Regulator:
		r.S.Powered = true
	case cc2420Oscillator:
		r.S.Stable = true
		r.S.Mode = cc2420Idle
	case cc2420Symbol:
		r.byteEnd(h, at)
	case cc2420Step:
		r.stepEnd(h, at)
	case cc2420Level:
		r.sample(at)
		r.planLevel(h)
	case cc2420Fetch:
		r.fetch(h, at)
	case cc2420Edge:
		r.edge(h, at)
	}
}

func (r *cc2420) plan(h Host, kind uint8, at uint64) {
	if r.S.Due[kind] == at {
		return
	}
	r.S.Due[kind] = at
	h.Plan(kind, at)
}

// reset is what RESETn and MAIN.RESETn do: registers get their reset values, the oscillator stops;
// the RAM stays, but the FIFOs are empty.
func (r *cc2420) reset(h Host) {
	r.stop(h)
	r.plan(h, cc2420Oscillator, Never)
	s := r.S
	s.Mode, s.Stable = cc2420PowerDown, false
	s.TXCount, s.TXSent, s.Underflow = 0, false, false
	s.AckPending, s.Calibrated = false, false
	s.SPIPhase = cc2420SPIAddress
	r.emptyRX()
	s.Overflow = false
	r.resetRegisters()
}

func cc2420Hertz(freq uint16) uint64 { return (2048 + uint64(freq)) * 1_000_000 }

// dBm is the output power that TXCTRL.PA_LEVEL asks for.
func (r *cc2420) dBm() int16 { return cc2420Power[r.S.Regs[cc2420TXCTRL]&0x1F] }

// cc2420Power is by PA_LEVEL: Table 9 gives 3, 7, 11, ... 31, the levels between are interpolated.
var cc2420Power = [32]int16{
	-37, -33, -29, -25, -22, -19, -17, -15, -14, -12, -11, -10, -9, -8, -8, -7,
	-6, -6, -5, -5, -4, -4, -3, -3, -2, -2, -1, -1, -1, 0, 0, 0,
}

// Listening says whether bytes on the air can matter to it.
func (r *cc2420) Listening() bool { return cc2420Receiving(r.S.Mode) }

// Answering implements Radio: in the 12 symbol periods between a frame and its acknowledgement.
func (r *cc2420) Answering() bool { return r.S.Mode == cc2420TXACKCalibrate }

// Turning implements Radio: receiving begins with a calibration.
func (r *cc2420) Turning(now uint64) uint64 {
	if due := r.S.Due[cc2420Step]; r.S.Mode == cc2420RXCalibrate && due != Never && due > now {
		return due - now
	}
	return 0
}

// Follows implements Radio: each byte is heard at its moment, since pins follow.
func (r *cc2420) Follows(uint16, uint64, uint64, int) bool { return false }

func cc2420Receiving(m cc2420Mode) bool {
	switch m {
	case cc2420RXCalibrate, cc2420RXSearch, cc2420RXFrame, cc2420RXWaiting, cc2420RXOverflow:
		return true
	}
	return false
}

// Promise is the earliest moment at which it could put something new on the air, if nothing happens at this mote before
// next: no instruction, no planned event, no signal that it hears.
func (r *cc2420) Promise(now, next uint64) uint64 {
	next = max(now, next)
	s := r.S
	if s.OnAir {
		return max(cc2420Later(next, MinLookahead), s.ToldEnd)
	}
	strobed := next // when firmware could start a transmission
	switch {
	case s.Mode != cc2420PowerDown:
	case s.Due[cc2420Oscillator] != Never:
		strobed = max(next, s.Due[cc2420Oscillator])
	case s.Powered:
		strobed = cc2420Later(next, cc2420OscillatorTime)
	case s.Due[cc2420Regulator] != Never:
		strobed = cc2420Later(max(next, s.Due[cc2420Regulator]), cc2420OscillatorTime)
	default:
		strobed = cc2420Later(next, cc2420RegulatorTime+cc2420OscillatorTime)
	}
	first := cc2420Later(strobed, cc2420QuickTurn)
	if s.Due[cc2420Fetch] != Never {
		first = min(first, s.FirstAt)
	}
	return first
}

// cc2420Later adds to a time that may be Never.
func cc2420Later(at, d uint64) uint64 {
	if at > Never-d {
		return Never
	}
	return at + d
}
