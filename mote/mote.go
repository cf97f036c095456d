package mote

import (
	"motehound/isa/avr"
	"motehound/mote/block"
	"motehound/mote/board"
	"motehound/mote/boardpart"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/radio"
	"motehound/mote/store"
)

// Env is what surrounds a mote: the world that it runs in.
type Env interface {
	// Sensor is the reading of an ADC channel now, 0..1023, and the expression of its bytes (0 for none).
	Sensor(m *Mote, channel uint8) (value uint16, loExpr, hiExpr uint32)
	// Sent is called when a USART has sent a character.
	Sent(m *Mote, usart uint8, c periph.SerialChar)
	// Pad is called when a pad's level has changed, if Watching has WatchPads.
	Pad(m *Mote, p periph.Pin, level bool)
	// LED is called when one of the board's lights has changed.
	LED(m *Mote, led int, on bool)
	// Starting is called when a USART begins to send a character, with the moments at which it starts and ends.
	Starting(m *Mote, usart uint8, c periph.SerialChar)
	// SwitchOn, Emit and SwitchOff are called by the mote's radio (see radio.Host), Choose when it is uncertain.
	SwitchOn(m *Mote, at uint64, c radio.Carrier)
	Emit(m *Mote, at, bit uint64, c cell.Cell)
	SwitchOff(m *Mote, at uint64)
	Choose(m *Mote, options uint32) uint32
	// Air and Lines are called at the moments given to PlanAir and PlanLines.
	Air(m *Mote)
	Lines(m *Mote)
	// CatchUp tells the radio what it has not heard yet of what has reached it; ReplanAir is called when it may no longer wait
	// for what comes.
	CatchUp(m *Mote)
	ReplanAir(m *Mote)
	// Interrupt is called when a vector is served, if Watching has WatchInterrupts.
	Interrupt(m *Mote, vector uint8)
	// Hook is called before a watched instruction; true stops the mote there.
	Hook(m *Mote, pc uint32) bool
	// Notice says what a user should know, once.
	Notice(m *Mote, n mcu.Note)
}

// Watching is a set of things that an Env wants to be told.
type Watching uint8

const (
	WatchPads Watching = 1 << iota
	WatchInterrupts
	WatchRadio
)

// Kinds of events that a board plans.
const (
	kindSerial   = 0 // + usart
	kindSerialID = 4
	kindFlash    = 5
	kindAir      = 6
	kindLines    = 7
	kindRadio    = 8 // + the radio's own kinds
	numKinds     = kindRadio + maxRadioKinds
)

// state is what changes on the board.
type state struct {
	serialID boardpart.DS2401State
	flash    boardpart.AT45DBState
	feed     [4]feed
	radioAt  [maxRadioKinds]uint64 `time:"ps,hand"` // when the radio's events are due, exactly
	airAt    uint64                `time:"ps"`      // when Env.Air is to be called
	leds     uint32
	id       uint16
	Pad      [2]uint8
}

// Mote is a board with a running chip.
type Mote struct {
	*mcu.Machine
	Kind     *Kind
	env      Env
	st       *state
	bus      *busState   // nil without devices
	flash    store.Store // contents of the external flash
	parts    parts
	radio    radio.Radio
	slave    radio.Slave // the radio again, if it is one; likewise the next two
	stream   radio.Streamer
	meter    radio.Meter
	exact    uint64 // while the radio acts: its moment
	input    [4][]Input
	owns     bool // the room behind the inputs: nobody else adds to them there
	watching Watching
	drawn    radio.Draw // what the Env was told of last, if it watches the radio
}

// New makes a mote with a node id, and switches it on: its time 0 is now. Its crystal is off by ppm.
func (k *Kind) New(id uint16, ppm int64, env Env) *Mote { return k.NewIn(new(Room), id, ppm, env) }

// NewIn is New, in a Room that is not in use yet.
func (k *Kind) NewIn(r *Room, id uint16, ppm int64, env Env) *Mote {
	m := &r.Mote
	m.Kind, m.env, m.Machine = k, env, &r.machine
	k.design.Init(m.Machine, k.code, k.Image.Flash, k.Image.EEPROM, outside{m})
	m.place()
	m.st.id, m.st.airAt = id, periph.Never
	for _, w := range k.ids {
		m.PatchFlash(w.addr, []byte{byte(id), byte(id >> 8)}[:w.size])
	}
	m.solder()
	m.mountRadio()
	m.PowerOn(ppm)
	m.eraseFlash()
	m.powerParts()
	m.powerRadio()
	for _, p := range k.Board.Pulls {
		m.SetInput(p.Pin, p.Drive)
	}
	m.st.leds = m.lit()
	return m
}

// radioPlace is where the radio's state lies in the board's memory, behind the board's own.
var radioPlace = block.Size[state]() / 8

// boardBytes is how much plain data a board has.
func boardBytes(b *board.Board) int {
	own := radioPlace * 8
	if b.Radio != nil {
		own += block.SizeOf(b.Radio.State)
	}
	if len(b.Devices) > 0 {
		return 8*busPlace(b) + block.Size[busState]()
	}
	return own
}

// place finds the board's state in the machine's memory.
func (m *Mote) place() {
	m.st = block.At[state](m.Machine.Board(), 0)
	if b := m.Kind.Board; len(b.Devices) > 0 {
		m.bus = block.At[busState](m.Machine.Board(), busPlace(b))
	}
}

// ID is the node id that the mote was flashed with.
func (m *Mote) ID() uint16 { return m.st.id }

// LEDs has a bit for each of the board's lights that is on.
func (m *Mote) LEDs() uint32 { return m.st.leds }

// Watch says what the Env wants to be told.
func (m *Mote) Watch(w Watching) {
	if w&^m.watching&WatchRadio != 0 && m.radio != nil {
		m.drawn = m.radio.Draw()
	}
	m.watching = w
	m.WatchInterrupts(w&WatchInterrupts != 0)
}

// Room is where a mote lives, with its machine.
type Room struct {
	Mote
	machine mcu.Machine
}

// Rest is the state of a mote without the mote: what a clone is until somebody runs it. Copy it with CopyTo.
type Rest struct {
	machine mcu.Rest
	kind    *Kind
	flash   store.Store
	input   [4][]Input
}

// Core is the state of the CPU. It must not be changed.
func (r *Rest) Core() *avr.State { return r.machine.Core() }

// Save puts the mote's state into a Rest of its Kind, or an empty one.
func (m *Mote) Save(to *Rest) {
	m.Machine.Save(&to.machine)
	to.kind, to.flash, to.input = m.Kind, m.flash.Clone(), m.input
}

// Restore puts the mote into a state of its Kind.
func (m *Mote) Restore(from *Rest) {
	m.Machine.Restore(&from.machine)
	m.flash, m.input, m.owns = from.flash.Clone(), from.input, false
}

// CopyTo makes another Rest, of the same Kind or empty, the same.
func (r *Rest) CopyTo(to *Rest) {
	r.machine.CopyTo(&to.machine)
	to.kind, to.flash, to.input = r.kind, r.flash.Clone(), r.input
}

// Wake makes a mote of a Rest, which is then empty, in a Room that is not in use yet.
func (r *Rest) Wake(room *Room, env Env) *Mote {
	m := &room.Mote
	m.Kind, m.env, m.Machine = r.kind, env, &room.machine
	m.Kind.design.Wake(m.Machine, &r.machine, outside{m})
	m.flash, m.input, m.owns = r.flash, r.input, false
	m.place()
	m.mountRadio()
	m.solder()
	*r = Rest{}
	return m
}

// CopyFrom puts the mote into the state of another one of its Kind.
func (m *Mote) CopyFrom(from *Mote) {
	m.Machine.CopyFrom(from.Machine)
	m.flash, m.input, m.owns = from.flash.Clone(), from.input, false
}

// AppendState feeds the mote's whole state to a digest.
func (m *Mote) AppendState(d *digest.Digest) {
	m.Machine.AppendState(d)
	digest.Struct(d, m.st)
	if m.bus != nil {
		digest.Struct(d, m.bus)
	}
	d.Word(m.flash.Hash())
	if m.radio != nil {
		m.radio.AppendState(d)
	}
}

// lit reads the lights off the pads.
func (m *Mote) lit() uint32 {
	var set uint32
	for i, l := range m.Kind.Board.LEDs {
		if m.IsOutput(l.Pin) && m.Level(l.Pin) != l.ActiveLow {
			set |= 1 << i
		}
	}
	return set
}

// updateLEDs tells of lights that changed.
func (m *Mote) updateLEDs() {
	lit := m.lit()
	changed := lit ^ m.st.leds
	m.st.leds = lit
	for i := range m.Kind.Board.LEDs {
		if changed>>i&1 != 0 {
			m.env.LED(m, i, lit>>i&1 != 0)
		}
	}
}

// outside is the mote as its chip sees it.
type outside struct{ *Mote }

// PadChanged implements periph.PadSink.
func (o outside) PadChanged(p periph.Pin, level bool) {
	m := o.Mote
	if m.Kind.hasLED[p] {
		m.updateLEDs()
	}
	m.partPad(p, level)
	m.selectPad(p, level)
	m.radioPad(p, level)
	if m.watching&WatchPads != 0 {
		m.env.Pad(m, p, level)
	}
}

// DirectionChanged implements mcu.Outside.
func (o outside) DirectionChanged() { o.updateLEDs() }

// Sent implements periph.SerialLine.
func (o outside) Sent(usart uint8, c periph.SerialChar) { o.env.Sent(o.Mote, usart, c) }

// Starting implements periph.SerialStarter.
func (o outside) Starting(usart uint8, c periph.SerialChar) { o.env.Starting(o.Mote, usart, c) }

// Sample implements periph.AnalogSource: a radio's signal strength, or a sensor.
func (o outside) Sample(channel uint8) (lo, hi cell.Cell) {
	if b := o.Kind.Board; o.meter != nil && channel == b.Radio.Meter {
		v := min(uint32(o.meter.RSSI())*1024/uint32(b.AVCC), 1023)
		return cell.Of(uint8(v)), cell.Of(uint8(v >> 8))
	}
	v, le, he := o.env.Sensor(o.Mote, channel)
	return cell.Symbolic(uint8(v), le), cell.Symbolic(uint8(v>>8), he)
}

// Millivolts implements periph.AnalogLevels: a pad's logic level, as a voltage.
func (o outside) Millivolts(p periph.Pin) uint16 {
	if o.Level(p) {
		return o.Kind.Board.AVCC
	}
	return 0
}

// SensorReader is an Env that knows readings of sensors before they are converted.
type SensorReader interface {
	// Reading is what a channel would read now, 0..1023; ok says that it is known. The Env calls Mote.Sensed when it changes.
	Reading(m *Mote, channel uint8) (value uint16, ok bool)
}

// Sensed implements periph.SensorLevels.
func (o outside) Sensed(channel uint8) (millivolts uint16, ok bool) {
	r, ok := o.env.(SensorReader)
	if !ok {
		return 0, false
	}
	v, ok := r.Reading(o.Mote, channel)
	return uint16(uint32(v) * uint32(o.Kind.Board.AVCC) / 1024), ok
}

// Event implements mcu.Outside.
func (o outside) Event(kind uint8) {
	switch {
	case kind < kindSerial+4:
		o.feedNext(kind - kindSerial)
	case kind == kindAir:
		o.st.airAt = periph.Never
		o.env.Air(o.Mote)
	case kind == kindLines:
		o.env.Lines(o.Mote)
	case kind >= kindRadio:
		o.radioEvent(kind - kindRadio)
	default:
		o.partEvent(kind)
	}
}

func (o outside) Notice(n mcu.Note)      { o.env.Notice(o.Mote, n) }
func (o outside) Hook(pc uint32) bool    { return o.env.Hook(o.Mote, pc) }
func (o outside) Interrupt(vector uint8) { o.env.Interrupt(o.Mote, vector) }

// Watcher is an Env that is an mcu.Watcher for each of its motes.
type Watcher interface {
	Repeats(m *Mote, pc uint32) bool
	AppendKept(m *Mote, d *digest.Digest)
}

// Repeats implements mcu.Watcher.
func (o outside) Repeats(pc uint32) bool {
	w, ok := o.env.(Watcher)
	return ok && w.Repeats(o.Mote, pc)
}

// AppendKept implements mcu.Watcher.
func (o outside) AppendKept(d *digest.Digest) {
	if w, ok := o.env.(Watcher); ok {
		w.AppendKept(o.Mote, d)
	}
}

// Board is the board's description.
func (m *Mote) Board() *board.Board { return m.Kind.Board }
