package mcu

import (
	"fmt"
	"math/bits"

	"motehound/mote/chip"
	"motehound/mote/periph"
)

const (
	maxDevices = 40
	noDevice   = periph.ID(0) // IDs start at 1
	boardID    = periph.ID(1)

	portLetters = 12 // A to L
)

// layout is what can be computed once from a chip's description: who owns which register, vector, pad, signal and event
// slot. It is immutable and shared by all machines of a Design.
type layout struct {
	places
	ids       periph.ID // how many devices there are, plus one
	first     [maxDevices]int
	slots     []slotOwner
	claim     [][]periph.ID // devices by data-space address, up to SRAM
	register  []register    // the same, for quick access
	scratch   []bool        // registers that only hold a value
	carries   []bool        // registers of which what is written is passed on: see KeepsCell
	vector    [64]periph.ID
	port      [portLetters]uint8 // index into wiring.ports, plus one
	watchers  [portLetters*8 + 1][]periph.ID
	listeners [periph.NumSignals][]periph.ID
	wake      [len(sleepModes)]uint64
	sleep     [256]sleepMode // by SMCR
}

// register says who answers at an address.
type register struct {
	device periph.ID // if it is the sole one
	access access
}

// access is how an address is read and written.
type access uint8

const (
	unclaimed access = iota // there is no device
	sole                    // there is one
	watched                 // it is the SPI, and Outside is told (Options.WatchSPI)
	shared                  // there are several
)

type slotOwner struct {
	device periph.ID
	kind   uint8
}

// Design is a chip with a board's options: what all motes of one kind share.
type Design struct {
	Chip    *chip.Chip
	Options Options
	lay     *layout
}

// NewDesign lays a chip out.
func NewDesign(c *chip.Chip, opt Options) *Design {
	l := &layout{places: arrange(c, opt.Board), claim: make([][]periph.ID, c.RAMBase), scratch: make([]bool, c.RAMBase), carries: make([]bool, c.RAMBase),
		wake: wakeMasks(c), sleep: sleepTable(&c.Control), ids: 2}
	d := &Design{Chip: c, Options: opt, lay: l}
	for _, r := range c.Scratch {
		l.scratch[r] = true
	}
	for i, p := range c.Ports {
		l.port[p.Name-'A'] = uint8(i) + 1
	}
	l.addSlots(boardID, opt.Kinds)
	// A machine that is never run says which devices there are.
	m := &Machine{chip: c, opt: opt, lay: l, wires: new(wiring)}
	m.settle(l.rooms.New())
	m.wire(l.add)
	l.register = make([]register, len(l.claim))
	for addr, claim := range l.claim {
		switch len(claim) {
		case 0:
		case 1:
			l.register[addr] = register{device: claim[0], access: sole}
		default:
			l.register[addr].access = shared
		}
	}
	if opt.WatchSPI {
		for _, addr := range m.wires.spi.Registers() {
			l.register[addr].access = watched
		}
	}
	return d
}

// add registers a device: its events, vectors, registers, pads and signals.
func (l *layout) add(id periph.ID, dev periph.Device) {
	if id >= maxDevices {
		panic("BUG: more devices than maxDevices")
	}
	l.ids = max(l.ids, id+1)
	l.addSlots(id, dev.Kinds())
	for _, v := range dev.Vectors() {
		if v != 0 {
			l.vector[v] = id
		}
	}
	if d, ok := dev.(periph.DataPort); ok {
		l.carries[d.DataRegister()] = true
	}
	for _, r := range dev.Registers() {
		if r == 0 {
			continue
		}
		if c := l.claim[r]; len(c) == 0 || c[len(c)-1] != id {
			l.claim[r] = append(c, id)
		}
	}
	if w, ok := dev.(periph.PinWatcher); ok {
		for _, p := range w.Pins() {
			if p != periph.NoPin {
				l.watchers[p] = append(l.watchers[p], id)
			}
		}
	}
	if s, ok := dev.(periph.Listener); ok {
		for _, sig := range s.Signals() {
			l.listeners[sig] = append(l.listeners[sig], id)
		}
	}
}

func (l *layout) addSlots(id periph.ID, kinds int) {
	l.first[id] = len(l.slots)
	for k := range kinds {
		l.slots = append(l.slots, slotOwner{id, uint8(k)})
	}
	if len(l.slots) > maxSlots {
		panic("BUG: more event slots than maxSlots")
	}
}

func lowestBit(v uint64) uint8 { return uint8(bits.TrailingZeros64(v)) }

func hex(v uint16) string { return fmt.Sprintf("0x%02X", v) }
