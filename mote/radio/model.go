package radio

import (
	"reflect"

	"motehound/mote/block"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/relative"
)

// Model is what is true of every radio of one make. Nobody above package radio asks which radio a mote has: they ask its Model.
type Model struct {
	Name  string       // drivers have it in their symbols, whatever their case
	State reflect.Type // of what changes in it
	// Mount makes a radio of a state, which lies at a place in a Block. Port is the microcontroller's SPI, for one that Streams.
	Mount func(b block.Block, at int, port BitPort, crystal uint32) Radio

	Outputs uint8 // how many of its pins it alone drives: their numbers come first

	// Streams: the radio clocks every byte into or out of the microcontroller's SPI, which is its slave; it is a Streamer. A byte
	// whose interrupt waits is lost. The others are slaves of that SPI, if they are a Slave, and report a frame by their pins.
	Streams bool
	// Answers: it acknowledges frames by itself.
	Answers bool

	Frames *Frames
	// Busy is for how long its channel can be taken by others: ten frames, with the pauses before them.
	Busy uint64
}

// Radio is a radio on a board.
type Radio interface {
	// PowerUp is the supply coming up.
	PowerUp(h Host)
	// Pin is called when the level of a pin that is none of the Model's Outputs may have changed.
	Pin(h Host, pin uint8, level bool)
	// Heard reports something on the air; Host.Time is its moment.
	Heard(h Host, x Heard)
	// HearByte is Heard for a byte, of which there are many.
	HearByte(h Host, sender uint16, bit uint64, c cell.Cell)
	// Event is called when a time given to Host.Plan has come.
	Event(h Host, kind uint8)
	// Promise is the earliest moment at which the radio puts something new on the air, if the mote does nothing before
	// next.
	Promise(now, next uint64) uint64
	// Listening reports whether what is on the air can matter to it.
	Listening() bool
	// Answering reports whether it has just heard a frame to its end, and begins to acknowledge it by itself.
	Answering() bool
	// Turning is for how long it will not hear a transmission that begins, because it is turning to receive by itself.
	Turning(now uint64) uint64
	// Follows reports whether a byte of a sender, at a moment, with bits of a length, may reach it late: not at its moment, but
	// before its next event, or before anybody else looks at it. So many more bytes have been put off before it. A radio that
	// allows this calls Host.CatchUp and Host.Replan.
	Follows(sender uint16, at, bit uint64, more int) bool

	// Draw is what it takes power for now.
	Draw() Draw

	// EachCell visits the cells that it holds.
	EachCell(visit func(*cell.Cell))
	// AppendState feeds its state to a digest; AppendRelative as it looks from now, and Shift moves its times (package relative).
	AppendState(d *digest.Digest)
	AppendRelative(d *digest.Digest, now *relative.Now)
	Shift(now, by *relative.Now)
}

// Slave is a radio that is a slave on the microcontroller's SPI.
type Slave interface {
	// SPI exchanges a byte: in comes from the microcontroller.
	SPI(h Host, in cell.Cell) (out cell.Cell)
}

// Streamer is a radio that is the master of the microcontroller's SPI.
type Streamer interface {
	// Sync brings the SPI up to date, before the microcontroller writes a register of it; Realign is called afterwards.
	Sync(h Host)
	Realign(h Host)
	// Row reports the row of bytes that is under way, PassRow has some of them go by.
	Row() (Row, bool)
	PassRow(h Host, bytes uint64) Repeated
}

// Meter is a radio whose signal strength is a voltage, which a board leads to the microcontroller's ADC.
type Meter interface{ RSSI() (millivolts uint16) }

// BitPort is the microcontroller's SPI slave as the radio sees it: DCLK is its clock, DIO its data line, both ways, most
// significant bit first.
type BitPort interface {
	// Shown is the byte that the slave is putting on DIO, and how many of its bits have gone: 0..7, and 0 for a slave that
	// is off.
	Shown() (out cell.Cell, gone uint8)
	// ShiftBit is an edge of DCLK: the slave takes the level of DIO.
	ShiftBit(in bool) (out bool)
	// ShiftByte is eight edges, the last of them now; no bit of the byte has gone before.
	ShiftByte(in cell.Cell) (out cell.Cell)
}
