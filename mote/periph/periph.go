// Package periph models the on-chip peripherals of AVR microcontrollers, one per file.
//
// Every peripheral is three things: a Config (where the chip puts its registers, bits and vectors, under their
// datasheet names; immutable, shared by all motes; a register address of 0 means that the chip lacks it), a State
// (plain values without pointers or padding, so that a snapshot is a copy and a hash is a pass over bytes), and
// behaviour: methods that read and write registers, take events and are told of interrupts that were served. A
// peripheral knows neither the chip nor the board it sits in; it asks its Host.
package periph

import (
	"fmt"
	"reflect"

	"motehound/mote/block"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/relative"
)

// Never is the time of an event that is not pending.
const Never = ^uint64(0)

// A Clock is a time base that a peripheral counts in. Sleep modes halt some of them.
type Clock uint8

const (
	// ClkIO counts cycles of the CPU clock, without those in which a sleep mode halted clkI/O.
	ClkIO Clock = iota
	// ClkADC counts cycles of the CPU clock, without those in which a sleep mode halted clkADC.
	ClkADC
	// ClkReal counts picoseconds and never stops: crystals of their own, RC oscillators, memory write times.
	ClkReal
	NumClocks
)

// ID names one peripheral of a chip: the index of its registration, fixed by the chip's description.
type ID uint8

// Pin is one pad of the chip: port*8 + bit, with port A = 0. NoPin means that the chip has no such pad.
type Pin uint8

// NoPin is the zero-value stand-in for an absent pad, so that configs may leave pins out.
const NoPin Pin = 0

// P names a pad as the datasheet does: P('B', 3) is PB3.
func P(port byte, bit uint8) Pin { return Pin((port-'A')*8+bit) + 1 }

// Port is the index of the pad's port (A = 0), Bit its bit.
func (p Pin) Port() uint8 { return uint8(p-1) / 8 }

// Bit is the pad's bit in its port.
func (p Pin) Bit() uint8 { return uint8(p-1) % 8 }

// String is the datasheet name of the pad.
func (p Pin) String() string {
	if p == NoPin {
		return "none"
	}
	return "P" + string(rune('A'+p.Port())) + string(rune('0'+p.Bit()))
}

// FindPin finds a pad by its datasheet name.
func FindPin(name string) (Pin, error) {
	if len(name) != 3 || name[0] != 'P' || name[1] < 'A' || name[1] > 'L' || name[2] < '0' || name[2] > '7' {
		return NoPin, fmt.Errorf("no pin %q: write its port and bit as the datasheet does, such as PD2", name)
	}
	return P(name[1], name[2]-'0'), nil
}

// Host is what a peripheral may ask of the chip it sits in.
type Host interface {
	// Now is the present moment on a clock. During a register access it is the cycle in which the access happens.
	Now(c Clock) uint64
	// At asks that Event(kind) of device d is called at time t of clock c. There is one pending event per device
	// and kind: asking again moves it, Never cancels it. A time that has passed fires at once after this access.
	At(d ID, kind uint8, c Clock, t uint64)
	// Hertz is the frequency of the CPU clock now (after CLKPR or XDIV).
	Hertz() uint64

	// Request sets the level of an interrupt request: flag and enable bit both set. Vector is the datasheet's number
	// (reset is 1).
	Request(vector uint8, on bool)

	// Level is the logic level at a pad now, whoever drives it.
	Level(p Pin) bool
	// Drive gives the pad's output driver to a peripheral at the given level (still subject to DDR unless force).
	Drive(d ID, p Pin, level, force bool)
	// Release gives the pad back to its port register.
	Release(d ID, p Pin)
	// IsOutput reports whether the pad's DDR bit is set.
	IsOutput(p Pin) bool

	// Signal passes on something that the chip routes between peripherals: every Listener that named
	// it is called at once.
	Signal(s Signal)

	// Notice reports something a user should know, once per key: an unmodelled mode, a forbidden value.
	Notice(d ID, key, text string)
}

// A Signal is an internal line between peripherals.
type Signal uint8

const (
	SigNone                Signal = iota
	SigAnalogComparator           // the comparator's interrupt flag was set
	SigComparatorRise             // the comparator's output rose (ACIC routes it to timer 1's input capture)
	SigComparatorFall             // ... fell
	SigExternalInterrupt0         // INT0's flag was set
	SigTimer0Compare              // OCF0 or OCF0A was set
	SigTimer0Overflow             // TOV0 was set
	SigTimer1CompareB             // OCF1B was set
	SigTimer1Overflow             // TOV1 was set
	SigTimer1Capture              // ICF1 was set
	SigPrescalerResetSync         // PSRSYNC, PSR321, PSR10: the synchronous timers' prescaler starts over
	SigPrescalerResetAsync        // PSRASY, PSR0, PSR2: the asynchronous timer's prescaler starts over
	SigPrescalerHoldSync          // TSM set with the reset bit: the prescaler stays in reset ...
	SigPrescalerRunSync           // ... until now
	SigPrescalerHoldAsync
	SigPrescalerRunAsync
	SigADCMuxToComparator // ADEN or MUX changed: the comparator's negative input may have moved
	SigClkIOStopped       // a sleep mode halts clkI/O; sent by the chip, as are the next three
	SigClkIOStarted       // clkI/O runs again
	SigClkAsyncStopped    // a sleep mode stops the asynchronous timer's oscillator (power-down, standby)
	SigClkAsyncStarted    // ... and it runs again
	NumSignals
)

// Listener is for devices that react to other devices' signals.
type Listener interface {
	Signals() []Signal
	Signalled(h Host, s Signal)
}

// A Device is one peripheral, as the chip sees it. A register may be claimed by several devices (TIMSK, SFIOR on the
// ATmega128): each of them sees every write, and answers reads with its own bits only and 0 elsewhere; the chip ORs
// the answers.
type Device interface {
	// Read is called for a register that the device claimed; it may have side effects, as on the chip.
	Read(h Host, addr uint16) cell.Cell
	// Peek is Read without side effects, for debuggers and observers.
	Peek(h Host, addr uint16) uint8
	// Write is called for a register that the device claimed. Read-modify-write instructions (SBI, CBI) on
	// registers 0x20..0x3F arrive as WriteBits when the device implements BitWriter, else as Read and Write.
	Write(h Host, addr uint16, v cell.Cell)
	// Event is called when the time given to At has come.
	Event(h Host, kind uint8)
	// Served says that the interrupt was taken: the hardware clears its flag now, where it does so.
	Served(h Host, vector uint8)
	// Reset puts the registers to their initial values. Power-on differs from other resets for some.
	Reset(h Host, powerOn bool)
	// Vectors lists the interrupts that the device requests (0 entries are ignored).
	Vectors() []uint8
	// Registers lists the addresses that the device claims (data-space addresses; 0 entries are ignored).
	Registers() []uint16
	// Kinds is how many kinds of events the device uses: kinds are 0..Kinds()-1.
	Kinds() int
	// Clocked says that the CPU frequency changed: devices with real-time events or rates re-plan.
	Clocked(h Host)
}

// Passive is embedded by devices that need not implement all of Device: those without interrupts or without flags that the hardware clears,
// those without events, and those that a change of the CPU's frequency does not concern.
type Passive struct{}

func (Passive) Event(Host, uint8)  {}
func (Passive) Served(Host, uint8) {}
func (Passive) Vectors() []uint8   { return nil }
func (Passive) Kinds() int         { return 0 }
func (Passive) Clocked(Host)       {}

// Maker is the Config of a peripheral of which the chip knows no more than Device says. A chip has it in its list of Others. Its state
// has a place of its own in a mote's memory, so that chips without it stay as they are, and so do the hashes of their runs.
type Maker interface {
	// State is the type of the peripheral's state.
	State() reflect.Type
	// Make makes the device, with its ID, and its state at a place in a Block.
	Make(id ID, b block.Block, at int) Other
}

// Other is a device that a Maker has made.
type Other interface {
	Device
	// AppendState feeds its state to a digest; AppendRelative as it looks from now, and Shift moves its times (package relative).
	AppendState(h *digest.Digest)
	AppendRelative(h *digest.Digest, now *relative.Now)
	Shift(now, by *relative.Now)
}

// BitWriter is for devices where SBI and CBI touch single bits only (flag registers where writing one clears).
type BitWriter interface {
	WriteBit(h Host, addr uint16, bit uint8, set bool)
}

// CellHolder is for devices that data goes through: it visits the cells that they hold.
type CellHolder interface {
	EachCell(visit func(*cell.Cell))
}

// DataPort is for devices that pass on what is written to a register, expression and all. A byte that is written elsewhere decides what
// the device does.
type DataPort interface{ DataRegister() uint16 }

// PinWatcher is for devices that react to pad levels (external interrupts, capture, external clocks, SS).
type PinWatcher interface {
	// Pins lists the pads of interest; PinChanged is called after one of them changed.
	Pins() []Pin
	PinChanged(h Host, p Pin, level bool)
}
