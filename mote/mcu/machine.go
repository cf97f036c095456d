// Package mcu assembles a chip: the core, its memories, the peripherals that its description lists, interrupts, sleep
// and clocks, under one event queue.
//
// Invariants: everything that changes while a Machine runs is in its core's State and SRAM, in its state struct, or in
// copy-on-write stores, so Clone and CopyFrom are copies and Hash is a pass over bytes. There are no closures among
// it, and no pointers. A Machine's future depends on that state and on what its Outside answers, on nothing else.
//
// Order: an event fires as soon as the instruction during which its time comes has ended, or earlier, before a
// register access that happens at or after its time; events of the same cycle fire in slot order: the order in which
// devices are listed in wire, then kind. Then the pending interrupt with the lowest number is served, if I is set.
package mcu

import (
	"math/bits"
	"slices"

	"motehound/isa/avr"
	"motehound/mote/block"
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/periph"
	"motehound/mote/store"
)

// Outside is what surrounds a chip on its board.
type Outside interface {
	periph.PadSink      // a pad's level changed
	periph.SerialLine   // a USART sent a character
	periph.SPIBus       // the SPI master shifted a byte
	periph.TWIBus       // the TWI master acts
	periph.AnalogSource // the ADC samples
	periph.AnalogLevels // the comparator looks
	// DirectionChanged is called when a port's DDR was written.
	DirectionChanged()
	// Event is called when the time given to Machine.Plan has come.
	Event(kind uint8)
	// Notice is told, once per key, what a user should know.
	Notice(n Note)
	// BeforeSPI and AfterSPI are called around writes to the SPI's registers, with Options.WatchSPI: for parts
	// that clock the SPI as a slave and do so only when somebody looks.
	BeforeSPI()
	AfterSPI()
	// Hook is called before an instruction that Watch named; true stops the machine there.
	Hook(pc uint32) bool
	// Interrupt is called when a vector is served, if WatchInterrupts was set.
	Interrupt(vector uint8)
}

// Note is something that a user should know about a run.
type Note struct {
	Text     string
	Register string // the one that is not modelled, if it is about that
	PC       uint32 // word address of the instruction
	Cycles   uint64
}

// Options are what a board decides about its chip: its crystals, its voltages and its fuses.
type Options struct {
	Hertz     uint64
	CrystalHz uint32   // on TOSC1 and TOSC2; 0 for none
	AREF      uint16   // millivolts at the pin
	AVCC      uint16   // millivolts
	Fuses     [3]uint8 // low, high, extended
	WakeUp    uint32   // cycles that the oscillator needs to start after power-down and power-save
	Kinds     int      // how many kinds of events the board plans
	Board     int      // bytes of plain data that the board keeps in the machine's block
	WatchSPI  bool     // call Outside.BeforeSPI and AfterSPI
}

const (
	maxTimers = 6
	maxUSARTs = 4
	maxPorts  = 11
	maxSlots  = 72
)

// state is all that changes in a chip besides the core, the memories and the devices of which chips have different
// numbers. No pointers, no padding, no blank fields.
type state struct {
	slot      [maxSlots]uint64 `time:"cycles,hand"`         // when each event is due, in CPU cycles since power-on; Never if it is not planned
	real      [maxSlots]uint64 `time:"ps,hand"`             // ... and in picoseconds, for events on the real clock
	active    [2]uint64        `time:"number"`              // which slots are planned, a bit each
	next      uint64           `time:"cycles,hand"`         // the earliest of them that a running clock can reach
	requests  uint64           `time:"number"`              // interrupt vectors that are flagged and enabled, by number
	halted    [2]uint64        `time:"derived"`             // cycles in which clkI/O and clkADC stood still
	slept     uint64           `time:"stat"`                // cycles spent asleep, or in Idle
	sleptAt   uint64           `time:"cycles,hand"`         // cycle at which this sleep began
	wakeAt    uint64           `time:"cycles,orzero"`       // cycle at which it ends, once something has ended it; 0 before
	stalled   uint64           `time:"cycles,ahead,orzero"` // cycle until which the CPU is halted while the clocks run
	rate      rate
	slotClock [maxSlots]periph.Clock `time:"number,hand"`
	sleep     sleepMode              // 0 while awake
	stop      Stop
	reset     Cause // a reset that waits for the end of the instruction; 0 for none
	Pad       [1]uint8
	resets    uint32    `time:"stat"` // how many there were, power-on included
	divider   [2]uint32 // the CPU clock is the oscillator's, times the first, by the second
	ppm       int64     `time:"number"` // how far off the oscillator is

	control    controlState
	extInt     periph.ExtIntState
	pinChange  periph.PinChangeState
	spi        periph.SPIState
	twi        periph.TWIState
	adc        periph.ADCState
	comparator periph.ComparatorState
	eeprom     periph.EEPROMState
	selfProg   periph.SelfProgState
	watchdog   periph.WatchdogState
	clock      periph.SystemClockState
	prescaler  periph.PrescalerState
	Padding    [5]uint8
}

// Machine is a running chip. What every event needs comes first, so that it takes few cache lines.
type Machine struct {
	core    avr.Core
	st      *state
	lay     *layout
	wires   *wiring // use dev()
	out     Outside
	chip    *chip.Chip
	due     int    // the slot whose event is next, if there is one
	when    uint64 // while an event is handled: its cycle
	inEvent bool
	watched bool // tell Outside of interrupts

	rateChanged bool    // since Run was called
	paused      bool    // an event waits: see Pause
	idles       bool    // Idle is at work
	idlesFrom   uint64  // since then
	memo        instant // the last one that Time worked out at the present rate
	pace        pace    // of the present rate, or of another
	permits     permits
	spin        spinner
	counting    bool   // of writes
	written     uint64 // how many there were: no part of the state

	block   block.Block // all plain data: the state, the RAM and the board's own
	saved   block.Pages // as it was last saved or restored
	ram     []uint8
	scratch []uint8 // registers without a device
	flash   store.Store
	eeprom  store.Store
	page    periph.PageBuffer
	ownCode bool // the program belongs to this machine alone
	opt     Options
	noted   []string

	marker                Marker // nil when nobody follows data
	watch                 *Watch // nil when nobody looks
	watchedCode, original *avr.Program
}

// instant is when a cycle begins.
type instant struct{ cycle, ps uint64 }

// noInstant stands for none: its cycle is never reached.
var noInstant = instant{cycle: ^uint64(0)}

// Core gives access to registers, flags and counters.
func (m *Machine) Core() *avr.Core { return &m.core }

// Chip is the chip's description.
func (m *Machine) Chip() *chip.Chip { return m.chip }

// Cycles is the number of CPU cycles since power-on.
func (m *Machine) Cycles() uint64 { return m.core.Cycles }

// Time is the present moment in picoseconds since power-on.
func (m *Machine) Time() uint64 {
	c := m.cycle()
	if c != m.memo.cycle {
		m.memo = instant{c, m.psOf(c)}
	}
	return m.memo.ps
}

// CycleAt is the first cycle at or after a moment, at the present clock rate.
func (m *Machine) CycleAt(ps uint64) uint64 { return m.cycleOf(ps) }

// cycle is the present one: that of the event being handled, or the core's.
func (m *Machine) cycle() uint64 {
	if m.inEvent {
		return m.when
	}
	return m.core.Cycles
}

// RunUntil runs to the first instruction boundary at or after a moment, or until the machine stops or is paused.
func (m *Machine) RunUntil(ps uint64) {
	m.paused, m.rateChanged = false, true
	for m.rateChanged && m.st.stop == Running && !m.paused {
		m.run(m.cycleOf(ps))
	}
}

// run runs until the given cycle is reached, the machine stops, or its clock rate changes.
func (m *Machine) run(until uint64) {
	m.rateChanged, m.spin.steady = false, 0
	for m.core.Cycles < until && m.st.stop == Running && !m.rateChanged && !m.paused {
		switch {
		case m.st.reset != 0:
			m.Reset(m.st.reset)
		case m.st.next <= m.core.Cycles:
			m.fire()
		case m.st.sleep != awake:
			m.doze(until)
		case m.st.stalled > m.core.Cycles:
			m.core.Cycles = min(until, m.st.next, m.st.stalled)
		case m.core.Pending && m.core.I == 1 && m.core.Enabled != m.core.Cycles:
			m.serve()
		case m.core.Pending && m.core.I == 1:
			m.core.Run(m.core.Cycles + 1) // one instruction after SEI or RETI
		default:
			m.execute(until)
		}
	}
}

// Pause makes RunUntil return after the present instruction, before any other event. An event that the board cannot
// handle yet is planned once more for its moment, and the machine paused; it is the first thing to happen afterwards.
func (m *Machine) Pause() {
	m.paused = true
	m.core.Attend()
}

// Step executes one instruction, or one interrupt entry, or lets one event happen while asleep.
func (m *Machine) Step() {
	m.paused = false
	if m.st.stop == Running {
		m.run(m.core.Cycles + 1)
	}
}

// fire handles the due event that comes first.
func (m *Machine) fire() {
	slot := m.due
	m.spin.steady = 0
	m.inEvent, m.when = true, m.st.slot[slot]
	m.setSlot(slot, periph.Never)
	m.st.next = 0 // unknown until the event is over: what it plans is looked at then
	o := m.lay.slots[slot]
	if o.device == boardID {
		m.out.Event(o.kind)
	} else {
		m.dev().devs[o.device].Event(m, o.kind)
	}
	m.inEvent = false
	m.replan()
}

// catchUp handles what is due at the cycle of a register access.
func (m *Machine) catchUp() {
	for m.st.next <= m.core.Cycles && !m.inEvent && !m.paused {
		m.fire()
	}
}

// setSlot plans a slot, or with Never cancels it.
func (m *Machine) setSlot(i int, at uint64) {
	m.st.slot[i] = at
	if at == periph.Never {
		m.st.active[i/64] &^= 1 << (i % 64)
	} else {
		m.st.active[i/64] |= 1 << (i % 64)
	}
}

// running reports whether a clock runs in the present sleep mode.
func (m *Machine) running(c periph.Clock) bool {
	return sleepModes[m.st.sleep].runs[c]
}

// replan finds the time of the next event.
func (m *Machine) replan() {
	next, due := uint64(periph.Never), 0
	st, runs := m.st, &sleepModes[m.st.sleep].runs
	for word := st.active[0]; word != 0; word &= word - 1 {
		i := bits.TrailingZeros64(word)
		if at := st.slot[i]; at < next && runs[st.slotClock[i]] {
			next, due = at, i
		}
	}
	for word := st.active[1]; word != 0; word &= word - 1 {
		i := (64 + bits.TrailingZeros64(word)) % maxSlots
		if at := st.slot[i]; at < next && runs[st.slotClock[i]] {
			next, due = at, i
		}
	}
	m.st.next, m.due = next, due
	m.core.Shorten(next)
}

// serve takes the pending interrupt with the highest priority.
func (m *Machine) serve() {
	m.spin.steady = 0
	vector := lowestBit(m.st.requests &^ m.permits.blocked)
	m.core.Interrupt(m.VectorAt(vector))
	if d := m.lay.vector[vector]; d != noDevice {
		m.dev().devs[d].Served(m, vector)
	}
	if m.permits.guard != 0 {
		m.blockServed(vector)
	}
	if m.watched {
		m.out.Interrupt(vector)
	}
}

// Now, At and the other methods below are what peripherals ask of their chip (periph.Host).

// Now is the present moment on a clock.
func (m *Machine) Now(c periph.Clock) uint64 {
	switch c {
	case periph.ClkReal:
		return m.Time()
	default:
		return m.cycle() - m.haltedNow(c)
	}
}

// haltedNow is how long a clock has stood still until now.
func (m *Machine) haltedNow(c periph.Clock) uint64 {
	h := m.st.halted[c]
	if !m.running(c) {
		h += m.cycle() - m.st.sleptAt
	}
	return h
}

// At plans an event.
func (m *Machine) At(d periph.ID, kind uint8, c periph.Clock, t uint64) {
	slot := m.lay.first[d] + int(kind)
	at := t
	if c == periph.ClkReal {
		m.st.real[slot] = t // Never too: nothing of plans that came and went may stay
	}
	if t != periph.Never {
		if c == periph.ClkReal {
			at = m.cycleOf(t)
		} else {
			at = t + m.st.halted[c]
		}
	}
	old := m.st.slot[slot]
	m.setSlot(slot, at)
	m.st.slotClock[slot] = c
	switch {
	case m.inEvent: // fire looks at it
	case at < m.st.next && m.running(c):
		m.st.next, m.due = at, slot
		m.core.Shorten(at)
	case at == m.st.next && m.running(c):
		m.due = min(m.due, slot)
	case old == m.st.next:
		m.replan()
	}
}

// Plan lets the board plan an event of its own, at a moment in picoseconds since power-on.
func (m *Machine) Plan(kind uint8, ps uint64) { m.At(boardID, kind, periph.ClkReal, ps) }

// moveRealEvents keeps events on the real clock at their moments when the CPU's rate has changed.
func (m *Machine) moveRealEvents() {
	for i := range m.lay.slots {
		if m.st.slotClock[i] == periph.ClkReal && m.st.slot[i] != periph.Never {
			m.st.slot[i] = max(m.st.rate.cycle(m.st.real[i]), m.cycle())
		}
	}
	m.replan()
}

// Hertz is the CPU clock's frequency, rounded down.
func (m *Machine) Hertz() uint64 {
	return m.opt.Hertz * uint64(m.st.divider[0]) / uint64(m.st.divider[1])
}

// Request sets the level of an interrupt request.
func (m *Machine) Request(vector uint8, on bool) {
	if vector == 0 {
		return
	}
	if on {
		if m.permits.alert != 0 {
			m.risen(vector)
		}
		m.st.requests |= 1 << vector
		if m.core.I == 1 {
			m.core.Attend()
		}
	} else {
		m.st.requests &^= 1 << vector
	}
	m.ask()
}

// Level is the logic level at a pad.
func (m *Machine) Level(p periph.Pin) bool {
	if port := m.port(p); port != nil {
		return port.Level(p.Bit())
	}
	return false
}

// Drive gives a pad's output driver to a peripheral.
func (m *Machine) Drive(d periph.ID, p periph.Pin, level, force bool) {
	if port := m.port(p); port != nil {
		port.Override(m, d, p.Bit(), level, force)
	}
}

// Release gives a pad back to its port.
func (m *Machine) Release(d periph.ID, p periph.Pin) {
	if port := m.port(p); port != nil {
		port.Release(m, d, p.Bit())
	}
}

// IsOutput reports whether a pad's DDR bit is set.
func (m *Machine) IsOutput(p periph.Pin) bool {
	port := m.port(p)
	return port != nil && port.IsOutput(p.Bit())
}

// SetInput says what the board does to a pad from now on.
func (m *Machine) SetInput(p periph.Pin, d periph.Drive) {
	m.Disturb()
	if port := m.port(p); port != nil {
		port.SetInput(m, p.Bit(), d)
	}
}

func (m *Machine) port(p periph.Pin) *periph.Port {
	if p == periph.NoPin || m.lay.port[p.Port()] == 0 {
		return nil
	}
	return &m.dev().ports[m.lay.port[p.Port()]-1]
}

// Signal passes a signal to the devices that listen for it.
func (m *Machine) Signal(s periph.Signal) {
	for _, d := range m.lay.listeners[s] {
		m.dev().devs[d].(periph.Listener).Signalled(m, s)
	}
}

// PadChanged passes a pad's new level to the devices that watch it, then to the board.
func (m *Machine) PadChanged(p periph.Pin, level bool) {
	for _, d := range m.lay.watchers[p] {
		m.dev().pins[d].PinChanged(m, p, level)
	}
	m.out.PadChanged(p, level)
}

// DirectionChanged implements periph.DirectionSink.
func (m *Machine) DirectionChanged() { m.out.DirectionChanged() }

// Notice reports something to the user, once per device and key.
func (m *Machine) Notice(d periph.ID, key, text string) {
	m.note(string(rune(d))+key, text)
}

func (m *Machine) note(key, text string) { m.noteOf(key, Note{Text: text}) }

// noteOf reports something, once for each key.
func (m *Machine) noteOf(key string, n Note) {
	if slices.Contains(m.noted, key) {
		return
	}
	m.noted = append(m.noted, key)
	n.PC, n.Cycles = m.core.PC, m.core.Cycles
	m.out.Notice(n)
}

// Load reads an I/O register, or an address without memory, for the core.
func (m *Machine) Load(addr uint16) uint8 {
	c := m.LoadCell(addr)
	if m.marker != nil {
		m.marker.Loaded(addr, c.Expr())
	}
	return c.V()
}

// LoadCell is Load with the expression that a device's data may carry.
func (m *Machine) LoadCell(addr uint16) cell.Cell {
	m.catchUp()
	if int(addr) >= len(m.lay.register) {
		m.note("load", "reads an address that has no memory: "+hex(addr))
		return 0
	}
	r := m.lay.register[addr]
	if r.access == sole {
		return m.dev().devs[r.device].Read(m, addr)
	}
	return m.loadShared(addr, r.access)
}

// loadShared reads a register that has no device, or several, or whose accesses Outside is told of.
func (m *Machine) loadShared(addr uint16, a access) cell.Cell {
	if a == unclaimed {
		m.unmodelled(addr, "reads")
		return cell.Of(m.scratch[addr])
	}
	if a == watched {
		return m.dev().spi.Read(m, addr)
	}
	var v cell.Cell
	for _, d := range m.lay.claim[addr] {
		v |= m.dev().devs[d].Read(m, addr)
	}
	return v
}

// Store writes an I/O register, or an address without memory, for the core.
func (m *Machine) Store(addr uint16, v uint8) { m.StoreCell(addr, m.mark(addr, v)) }

// StoreCell is Store with an expression.
func (m *Machine) StoreCell(addr uint16, v cell.Cell) {
	m.catchUp()
	if m.counting {
		m.writes(addr, v.V())
	}
	if int(addr) >= len(m.lay.register) {
		m.note("store", "writes an address that has no memory: "+hex(addr))
		return
	}
	if r := m.lay.register[addr]; r.access == sole {
		m.dev().devs[r.device].Write(m, addr, v)
	} else {
		m.storeShared(addr, r.access, v)
	}
	if addr == m.chip.SelfProg.SPMCSR {
		m.core.ROM = nil // LPM may now read fuses, lock bits or the signature row
	}
}

// storeShared is what loadShared is for reads.
func (m *Machine) storeShared(addr uint16, a access, v cell.Cell) {
	switch a {
	case unclaimed:
		m.unmodelled(addr, "writes")
		m.scratch[addr] = v.V()
	case watched:
		m.out.BeforeSPI()
		m.dev().spi.Write(m, addr, v)
		m.out.AfterSPI()
	default:
		for _, d := range m.lay.claim[addr] {
			m.dev().devs[d].Write(m, addr, v)
		}
	}
}

// Peek reads the data space without side effects.
func (m *Machine) Peek(addr uint16) uint8 {
	if i := int(addr) - int(m.chip.RAMBase); i >= 0 {
		if i < len(m.ram) {
			return m.ram[i]
		}
		return 0
	}
	if v, ok := m.core.PeekRegister(addr); ok {
		return v
	}
	claim := m.lay.claim[addr]
	if len(claim) == 0 {
		return m.scratch[addr]
	}
	var v uint8
	for _, d := range claim {
		v |= m.dev().devs[d].Peek(m, addr)
	}
	return v
}

func (m *Machine) unmodelled(addr uint16, verb string) {
	if m.lay.scratch[addr] {
		return
	}
	key := registerNote(addr)
	if slices.Contains(m.noted, key) { // as nearly always: the text is not needed
		return
	}
	name := m.chip.RegisterName(addr)
	m.noteOf(key, Note{Register: name, Text: verb + " " + name + " (" + hex(addr) + "), which is not modelled: it only holds its value"})
}

// registerNote is the key of the note that a register is not modelled.
func registerNote(addr uint16) string { return string([]byte{'r', byte(addr >> 8), byte(addr)}) }
