package radio

import (
	"reflect"

	"motehound/mote/block"
	"motehound/mote/cell"
)

// ModelCC1000 is the row of the CC1000.
var ModelCC1000 = Model{
	Name:  "CC1000",
	State: reflect.TypeFor[cc1000State](),
	Mount: func(b block.Block, at int, port BitPort, crystal uint32) Radio {
		return &cc1000{S: block.At[cc1000State](b, at), Modem: port, Crystal: crystal}
	},
	Outputs: PinPALE,
	Streams: true,
	Frames:  &RawBytes,
	Busy:    750 * millisecond,
}

// Pins of the CC1000.
const (
	PinCHPOUT uint8 = iota // CHP_OUT (LOCK), its output
	PinPALE
	PinPCLK
	PinPDATA // both ways
)

// cc1000State is what changes in a CC1000.
type cc1000State struct {
	Edge    uint64 `time:"ps"`     // the next DCLK edge that the microcontroller has not seen; Never while DCLK stands still
	Period  uint64 `time:"number"` // of DCLK, which is that of a data bit
	Planned uint64 `time:"ps"`     // the clock event that is pending
	XtalAt  uint64 `time:"ps"`     // when the crystal runs, while it starts
	LockAt  uint64 `time:"ps"`     // when the synthesizer locks, while it settles; Never during a calibration
	CalAt   uint64 `time:"ps"`     // when the calibration under way ends
	Tuned   uint64 `time:"number"` // what the synthesizer is, or will be, locked to (tuning)
	Hertz   uint64 `time:"number"` // its frequency
	Noise   uint64 `time:"number"` // generator of the bits that a receiver makes of noise; 0 until its seed is chosen, and in Silence
	Air     Carrier
	Signals [cc1000Signals]cc1000Signal
	Fifo    [4]cell.Cell // bytes demodulated, or made of noise, that DCLK has not clocked out; Taken bits of the first have gone

	Locked uint16 // the sender that the bit synchronizer follows, if Locking

	Fill, Taken uint8 // bytes in Fifo; bits gone of the first
	Hiss        uint8 // 1: what is in Fifo was made of noise
	Locking     uint8
	Settled     uint8 // bits of that sender heard so far, as far as they matter
	Mode        cc1000Mode
	Xtal        uint8 // cc1000Off, cc1000Settling, cc1000Running
	Synth       uint8
	Told        uint8 // 1: the byte that the microcontroller is shifting out is on the air, or lost
	OnAir       uint8
	Calibrating uint8
	CalDone     uint8 // CAL_COMPLETE
	Calibrated  uint8 // bit 0: frequency A, bit 1: B
	CHPOut      uint8 // level of CHP_OUT

	PALE, PCLK, PDATA uint8 // levels
	Bits              uint8 // of the access on the configuration interface: 8 of address, 8 of data
	Address           uint8 // with R/W as bit 0
	Data              uint8

	Reg [cc1000NumRegs]uint8
	Pad [3]uint8
}

// cc1000Signal is a carrier that reaches the antenna.
type cc1000Signal struct {
	Hertz      uint64 `time:"number"`
	DBm        int16
	Sender     uint16
	Modulation Modulation
	On         uint8
	Pad        [2]uint8
}

// cc1000Signals is how many carriers are told apart; of more, the weakest do not count.
const cc1000Signals = 8

// cc1000Mode is the direction of the data interface.
type cc1000Mode uint8

const (
	cc1000Idle     cc1000Mode = iota // neither receiver nor transmitter is powered
	cc1000Receive                    // RX
	cc1000Transmit                   // TX
)

// Levels of readiness of the crystal oscillator and the synthesizer.
const (
	cc1000Off uint8 = iota
	cc1000Settling
	cc1000Running
)

// Kinds of events.
const (
	cc1000Clock       = iota // DCLK: the last bit of a byte, or when transmitting also the first
	cc1000CrystalRuns        //
	cc1000SynthLocks
	cc1000CalEnds
	cc1000NumKinds
)

// Times of the datasheet: "crystal oscillator start-up time" (2 ms at 16 MHz, 16 pF), "PLL turn-on time" (from power-down with
// the crystal running), "PLL lock time (RX / TX turn time)".
const (
	cc1000CrystalTime = 2 * millisecond
	cc1000TurnOnTime  = 250 * microsecond
	cc1000TurnTime    = 200 * microsecond
)

// cc1000AirDelay is how long everything takes from the digital side to the antenna: modulator, loop filter, amplifier. Two bits of
// Mica2's 19.2 kbit/s; it is the notice that the radio gives of whatever it puts on the air.
const cc1000AirDelay = 104 * microsecond

// cc1000 is a Chipcon (TI) CC1000 after its datasheet SWRS048, with its synchronous data interface on a microcontroller's SPI
// slave, as on the Mica2.
//
// DCLK runs while receiver or transmitter are powered, but its edges are not events: the slave is brought up to date when a byte
// is complete (or, transmitting, begins), and by Sync when somebody looks. Data that goes out is on the air cc1000AirDelay after the
// DCLK edge that took it; since a slave's byte cannot change once its first bit has gone, the whole byte is told to the Host
// then. What comes in leaves half a bit after its end on the air.
type cc1000 struct {
	S     *cc1000State
	Modem BitPort
	// Crystal is the frequency of the crystal oscillator in hertz: 14,745,600 on a Mica2.
	Crystal uint32

	known cc1000Speed // derived from the state; use speed()
}

// PowerUp is the supply coming up. Transmissions that are on the air already are not heard.
func (r *cc1000) PowerUp(h Host) {
	if r.Crystal == 0 {
		panic("BUG: a CC1000 without a crystal")
	}
	s := r.S
	if s.OnAir != 0 {
		h.SwitchOff(h.Time() + cc1000AirDelay)
	}
	*s = cc1000State{
		Signals: s.Signals,
		Edge:    Never, Planned: Never, XtalAt: Never, LockAt: Never, CalAt: Never,
		PALE: 1, PCLK: 1, PDATA: 1,
		Bits: cc1000AccessOver,
	}
	for kind := range uint8(cc1000NumKinds) {
		h.Plan(kind, Never)
	}
	// MAIN has no value of its own after power-up; the chip is taken to be off.
	s.Reg[cc1000MAIN] = cc1000MainOff
	r.resetRegisters()
	h.SetPin(PinCHPOUT, false)
	r.configure(h)
}

// Event is a planned moment.
func (r *cc1000) Event(h Host, kind uint8) {
	h.CatchUp()
	r.event(h, kind)
	h.Replan()
}

func (r *cc1000) event(h Host, kind uint8) {
	s := r.S
	switch kind {
	case cc1000Clock:
		s.Planned = Never
		r.clockEvent(h)
		return
	case cc1000CrystalRuns:
		s.Xtal, s.XtalAt = cc1000Running, Never
	case cc1000SynthLocks:
		s.Synth, s.LockAt = cc1000Running, Never
	case cc1000CalEnds:
		r.endCalibration()
	}
	r.run(h, h.Time())
	r.configure(h)
}

// Sync brings the SPI slave up to date. The board calls it before the microcontroller writes a register of its
// SPI, or SS changes; and Realign after what may have changed the slave's count of bits.
func (r *cc1000) Sync(h Host) {
	h.CatchUp()
	now := h.Time()
	if r.S.Edge > now {
		return
	}
	r.run(h, now)
	r.plan(h)
}

// Realign plans again when the slave's next byte ends.
func (r *cc1000) Realign(h Host) {
	r.plan(h)
	h.Replan()
}

// Listening says that the receiver is on and tuned: bytes on the air matter to it. Carriers matter always, since a receiver
// may be switched on in the middle of a transmission.
func (r *cc1000) Listening() bool { return r.S.Mode == cc1000Receive && r.S.Synth == cc1000Running }

// Answering implements Radio: software acknowledges.
func (r *cc1000) Answering() bool { return false }

// Turning implements Radio: firmware waits for the synthesizer, not the chip.
func (r *cc1000) Turning(uint64) uint64 { return 0 }

// Promise is the earliest moment at which anything new from this radio can be on the air, if nothing happens in the mote
// before next (its events include the radio's own).
func (r *cc1000) Promise(now, next uint64) uint64 {
	s := r.S
	next = max(now, next)
	if next == Never {
		return Never
	}
	tx := s.Reg[cc1000MAIN]&cc1000RXTX != 0
	switch {
	case s.OnAir != 0:
		return next + cc1000AirDelay
	case s.Xtal == cc1000Off:
		return next + cc1000CrystalTime + cc1000TurnOnTime + cc1000AirDelay
	case s.Xtal == cc1000Settling:
		return max(next, s.XtalAt) + cc1000TurnOnTime + cc1000AirDelay
	case s.Synth == cc1000Off:
		return next + cc1000TurnOnTime + cc1000AirDelay
	case !tx:
		return next + cc1000TurnTime + cc1000AirDelay
	case s.Calibrating != 0:
		return min(max(next, s.CalAt), next+cc1000TurnTime) + cc1000AirDelay
	case s.Synth == cc1000Settling:
		return max(next, s.LockAt) + cc1000AirDelay
	}
	return next + cc1000AirDelay
}
