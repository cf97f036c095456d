// Package scenario reads Starlark scenario files: which motes there are, who hears whom, what may go wrong, what comes in from outside and
// when, and what must hold. docs/scenarios.md is the reference.
//
// Loading a file runs it once and gives a Scenario, which is plain data, and properties, which are functions. Invariants:
//   - A Scenario depends only on the files it was loaded from and on the values of its parameters. A script has no clock, no environment
//     and no files except those beside it; random helpers take a seed, and sensor readings are computed without floating-point
//     operations that differ between processors.
//   - Whatever the text is, loading ends, within limits on steps and memory, with a Scenario or with an Error that has a place in a file.
//   - Scripts name motes by node id; in the data they are indices into Motes. Times are picoseconds since the start.
//   - After loading, all values are frozen: properties can be evaluated on many goroutines, each with its own Evaluator.
package scenario

import (
	"motehound/mote/periph"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// Everyone stands for all motes, where a mote is named; None for no link or no wire.
const (
	Everyone = world.Everyone
	none     = world.None
)

// Scenario is what a scenario file says.
type Scenario struct {
	Name    string   // the file, as it was named to Load
	Sources []Source // every file that was read, in the order of reading
	Params  []Param  // values that were given instead of defaults

	Motes    []Mote
	Topology string        // how the links came about, for people: "line of 3", "grid 4x4 + 2 links"
	Links    []medium.Link // at most one from one mote to another; sorted by From, To
	Noise    []Noise       // one for each mote

	Drift   uint32 // crystals are off by a choice of up to this many ppm
	Stagger uint64 // motes are switched on at a choice of up to this

	Faults  []Fault
	Wires   []Wire
	Serial  []Input        // sorted by At
	Sensors []world.Sensor // sorted by At
	Events  []Event        // sorted by At

	Properties []Property
	Silenced   []Silence
	Benign     []Benign
	Reported   []string // optional built-in checks that are on
	Failures   []string // routines that the firmware calls when it has failed; * and ? stand for other characters
	Symbolic   []Symbolic

	Time uint64 // how long to run; 0 when the scenario leaves it open
	Seed uint64
}

// Source is a file that a scenario was made of.
type Source struct {
	Name string
	Data []byte
}

// Mote is one mote. Board names a board; or Chip and Hertz describe a bare one.
type Mote struct {
	ID        uint16
	Board     string
	Chip      string
	Hertz     uint64
	Firmware  string   // path, from where the scenario's own path starts
	IDSymbols []string // variables that hold the node id; nil for the usual ones

	BootFrom  uint64 // switched on at a choice between these two
	BootUntil uint64
	Drift     int32            // ppm that its crystal is off, besides Scenario.Drift
	Vars      []world.Variable // set when main starts; sorted by Path
	Pins      []recipe.Pin     // driven from the start, in the order of declaration
	Devices   []recipe.Device
	Pos       Pos
}

// Noise is what a mote's radio hears when nobody sends.
type Noise struct {
	FloorDBm float64
	DevDB    float64
}

// Fault is something that may go wrong.
type Fault struct {
	world.Fault
	Pos Pos
}

// Wire joins two USARTs, each one's output to the other's input.
type Wire struct {
	medium.Wire
	Pos Pos
}

var framingNames = [...]string{medium.NoFraming: "none", medium.SLIP: "slip", medium.HDLC: "hdlc"}

// Input is bytes that reach a mote's USART from outside.
type Input struct {
	world.Serial
	Pos Pos
}

// EventKind is something that happens, for certain, at a given time.
type EventKind uint8

// The kinds of events.
const (
	EventReboot EventKind = iota // a mote's power fails for a moment
	EventOutage                  // a mote is switched off, for Span or for good
	EventCut                     // a link carries nothing from now on
	EventHeal                    // a link is as it was
	EventSet                     // a variable gets a value
	EventPin                     // a pin is driven, or let go
	EventFrame                   // a stranger nearby sends a frame
	numEventKinds
)

var eventNames = [numEventKinds]string{"reboot", "outage", "cut", "heal", "set_var", "pin", "frame"}

// String is the kind's name in scenario files.
func (k EventKind) String() string { return eventNames[k] }

// Event is something that happens.
type Event struct {
	At       uint64
	Kind     EventKind
	Mote     int    // of EventReboot, EventOutage, EventSet, EventPin and EventFrame; else None
	From, To int    // of EventCut and EventHeal, one direction; else None
	Span     uint64 // of EventOutage
	Var      world.Variable
	Pin      periph.Pin
	Drive    periph.Drive
	Frame    []byte // of EventFrame
	Pos      Pos
}

// Silence turns a built-in check off for a function or a variable.
type Silence struct {
	Check    string
	Function string
	Variable string
	Reason   string
	Pos      Pos
}

// Benign is a variable whose races are not reported.
type Benign struct {
	Variable string
	Pos      Pos
}

// SymbolicKind says what is unknown.
type SymbolicKind uint8

// The kinds of symbolic input.
const (
	SymbolicFrame  SymbolicKind = iota // bytes of the Nth frame that a mote receives, or sends
	SymbolicSerial                     // bytes of the Nth serial input of a mote
	SymbolicVar                        // a variable, when a function or a line is reached for the Nth time
	SymbolicSensor                     // the Nth reading of an ADC channel
	SymbolicWire                       // bytes of the Nth frame that a wire brings to a USART
	numSymbolicKinds
)

var symbolicNames = [numSymbolicKinds]string{"frame", "serial", "var", "sensor", "wire"}

// String is the kind's name.
func (k SymbolicKind) String() string { return symbolicNames[k] }

// Symbolic is an input of which only the place is known.
type Symbolic struct {
	Kind     SymbolicKind
	Name     string // for people, and in solved inputs
	Mote     int
	Sender   bool   // of frames: the mote sends it, and does not receive it
	Nth      uint32 // counted from 1
	Offset   uint32 // of frames and serial input; on wires, before escapes were put in
	Length   uint32
	USART    uint8
	Channel  uint8
	Variable string
	Function string
	File     string
	Line     int
	Assumed  []Assumption
	Pos      Pos
}

// Assumption says which values of a byte of an input are of interest.
type Assumption struct {
	Byte   int        // from 0; -1 for all of the input
	Ranges [][2]uint8 // the first and the last of each; sorted
}
