package mote

import (
	"motehound/mote/cell"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// maxRadioKinds is how many kinds of events a radio may plan.
const maxRadioKinds = 8

// Radio is the mote's radio, nil if it has none.
func (m *Mote) Radio() radio.Radio { return m.radio }

// PlanAir has Env.Air called at a moment, and reports whether that is news.
func (m *Mote) PlanAir(ps uint64) bool {
	if ps == m.st.airAt {
		return false
	}
	m.st.airAt = ps
	m.Plan(kindAir, ps)
	return true
}

// PlanLines has Env.Lines called at a moment.
func (m *Mote) PlanLines(ps uint64) { m.Plan(kindLines, ps) }

// Heard gives the radio something from the air, at its exact moment.
func (m *Mote) Heard(at uint64, x radio.Heard) {
	before := m.exact
	m.exact = at
	m.radio.Heard(radioHost{m}, x)
	m.exact = before
}

// HeardByte is Heard for a byte.
func (m *Mote) HeardByte(at uint64, sender uint16, bit uint64, c cell.Cell) {
	before := m.exact
	m.exact = at
	m.radio.HearByte(radioHost{m}, sender, bit, c)
	m.exact = before
}

// radioEvent gives the radio its event, at its exact moment.
func (m *Mote) radioEvent(kind uint8) {
	m.exact = m.st.radioAt[kind]
	m.radio.Event(radioHost{m}, kind)
	m.draws()
	m.exact = 0
}

// RadioWatcher is an Env that can be told what a mote's radio takes power for: from the given moment on.
type RadioWatcher interface {
	Draws(m *Mote, at uint64, d radio.Draw)
}

// draws tells the Env that the radio takes power for something else, if it wants to know.
func (m *Mote) draws() {
	if m.watching&WatchRadio == 0 {
		return
	}
	if d := m.radio.Draw(); d != m.drawn {
		m.drawn = d
		if w, ok := m.env.(RadioWatcher); ok {
			w.Draws(m, radioHost{m}.Time(), d)
		}
	}
}

// mountRadio connects the radio to its state.
func (m *Mote) mountRadio() {
	w := m.Kind.Board.Radio
	if w == nil {
		return
	}
	m.radio = w.Mount(m.Machine.Board(), radioPlace, modem{m}, w.Crystal)
	m.slave, _ = m.radio.(radio.Slave)
	m.stream, _ = m.radio.(radio.Streamer)
	m.meter, _ = m.radio.(radio.Meter)
}

// powerRadio switches the radio on. It sees levels, not only changes.
func (m *Mote) powerRadio() {
	if w := m.Kind.Board.Radio; w != nil {
		m.radio.PowerUp(radioHost{m})
		for _, p := range w.Pins[w.Outputs:] {
			m.radioPad(p, m.Level(p))
		}
		m.draws()
	}
}

// radioPad reports a pad's new level to the radio.
func (m *Mote) radioPad(p periph.Pin, level bool) {
	if n := m.Kind.toRadio[p]; n != 0 {
		m.radio.Pin(radioHost{m}, n-1, level)
		m.draws()
	}
}

func driveOf(level bool) periph.Drive {
	if level {
		return periph.DriveHigh
	}
	return periph.DriveLow
}

// radioHost is the mote as its radio sees it.
type radioHost struct{ m *Mote }

// Time implements radio.Host: radios keep time exactly, not in CPU cycles.
func (h radioHost) Time() uint64 {
	if h.m.exact != 0 {
		return h.m.exact
	}
	return h.m.Time()
}

// Plan implements radio.Host.
func (h radioHost) Plan(kind uint8, at uint64) {
	h.m.st.radioAt[kind] = at
	h.m.Plan(kindRadio+kind, at)
}

// SetPin implements radio.Host.
func (h radioHost) SetPin(pin uint8, level bool) {
	h.m.SetInput(h.m.Kind.Board.Radio.Pins[pin], driveOf(level))
}

// Release implements radio.Host.
func (h radioHost) Release(pin uint8) { h.m.SetInput(h.m.Kind.Board.Radio.Pins[pin], periph.Floating) }

func (h radioHost) SwitchOn(at uint64, c radio.Carrier) { h.m.env.SwitchOn(h.m, at, c) }
func (h radioHost) Emit(at, bit uint64, c cell.Cell)    { h.m.env.Emit(h.m, at, bit, c) }
func (h radioHost) SwitchOff(at uint64)                 { h.m.env.SwitchOff(h.m, at) }
func (h radioHost) Choose(options uint32) uint32        { return h.m.env.Choose(h.m, options) }
func (h radioHost) CatchUp()                            { h.m.env.CatchUp(h.m) }
func (h radioHost) Replan()                             { h.m.env.ReplanAir(h.m) }
func (h radioHost) Notice(key, text string)             { h.m.Notice(0, "radio "+key, text) }

// modem is the microcontroller's SPI slave, as a radio.Streamer sees it.
type modem struct{ m *Mote }

// ShiftBit, ShiftByte and Shown implement radio.BitPort.
func (x modem) ShiftBit(in bool) bool              { return x.m.SPISlaveBit(in) }
func (x modem) ShiftByte(in cell.Cell) cell.Cell   { return x.m.SPISlaveByte(in) }
func (x modem) Shown() (out cell.Cell, gone uint8) { return x.m.SPISlaveShown() }

// BeforeSPI and AfterSPI implement mcu.Outside.
func (o outside) BeforeSPI() { o.stream.Sync(radioHost{o.Mote}) }
func (o outside) AfterSPI()  { o.stream.Realign(radioHost{o.Mote}) }
