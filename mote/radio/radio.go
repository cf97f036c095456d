// Package radio models radio chips: what they do, and in a Model each, what others must know of them.
//
// A radio knows wires, time and signals; it knows neither the microcontroller nor the medium. The board tells it of pin
// levels, passes SPI bytes, and calls Event when a time given to Plan has come. What it sends goes to its Host as a
// carrier with bytes on it; what others send reaches it as Heard calls, each at its exact moment. States are plain
// values without pointers or padding. Configuration is immutable.
//
// Lookahead: whatever a radio tells its Host about the air lies at least MinLookahead in the future, so that motes can
// run ahead of each other by that much and the result never depends on how far they did.
package radio

import "motehound/mote/cell"

// Never is the time of an event that is not pending.
const Never = ^uint64(0)

// Times are picoseconds.
const (
	microsecond = 1_000_000
	millisecond = 1000 * microsecond
)

// MinLookahead is the shortest notice at which a radio may tell its Host about the air (a carrier going on or off, a byte
// starting).
const MinLookahead = 16 * microsecond

// Modulation tells signals apart that cannot be received by the same demodulator.
type Modulation uint8

const (
	OQPSK         Modulation = iota // IEEE 802.15.4 at 2.4 GHz: 250 kbit/s, symbols of 4 bits, low half first
	FSK                             // CC1000, NRZ: bits, most significant first
	FSKManchester                   // CC1000, Manchester coded: likewise, each bit two chips
	Noise                           // interference, of which no demodulator makes anything
)

// EveryChannel is the frequency of a signal that is on all of them.
const EveryChannel = ^uint64(0)

// Carrier is a transmission's signal.
type Carrier struct {
	Hertz      uint64 `time:"number"` // centre frequency
	DBm        int16  // power: sent, or as received
	Modulation Modulation
	Pad        [5]uint8
}

// Host is what a radio asks of its board.
type Host interface {
	// Time is now, in picoseconds since the mote's power-on.
	Time() uint64
	// Plan asks that Event(kind) is called at a moment; Never cancels. One pending event per kind.
	Plan(kind uint8, at uint64)
	// SetPin drives one of the radio's pins (numbered by each radio) to the microcontroller; Release leaves it alone.
	SetPin(pin uint8, level bool)
	Release(pin uint8)
	// SwitchOn starts a transmission: the carrier is on the air from the given moment on, which is at least MinLookahead
	// away. A radio has at most one.
	SwitchOn(at uint64, c Carrier)
	// Emit puts eight bits on the carrier, beginning at the given moment (at least MinLookahead away), each lasting bit
	// picoseconds. Bytes do not overlap and come in order.
	Emit(at, bit uint64, c cell.Cell)
	// SwitchOff ends the transmission at the given moment, at least MinLookahead away.
	SwitchOff(at uint64)
	// Choose asks for one of several outcomes of something uncertain in the radio (noise); 0 is the ordinary one. The answer
	// may also be Silence.
	Choose(options uint32) uint32
	// CatchUp has the radio hear, before anything else happens to it, what it may hear late (Radio.Follows); Replan is called
	// afterwards, since it may no longer wait for what comes.
	CatchUp()
	Replan()
	// Notice reports something a user should know, once per key.
	Notice(key, text string)
}

// Heard is what reaches a radio from the air: the medium has applied gains and losses. Sender tells simultaneous
// transmissions apart.
type Heard struct {
	Kind    HeardKind
	Sender  uint16
	Carrier Carrier   // CarrierOn: as received
	Bit     uint64    // Byte: picoseconds per bit
	Data    cell.Cell // Byte
}

// HeardKind says what happens on the air now.
type HeardKind uint8

const (
	CarrierOn  HeardKind = iota // a transmission begins
	Byte                        // its next byte begins; it ends eight bit times later
	CarrierOff                  // it ends
)
