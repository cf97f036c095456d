package mote

import (
	"motehound/mote/cell"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// Radio is a board's radio, as the world sees it.
type Radio interface {
	// Heard tells of something on the air; Host.Time is its moment.
	Heard(h radio.Host, x radio.Heard)
	// HearByte is Heard for a byte, of which there are many.
	HearByte(h radio.Host, sender uint16, bit uint64, c cell.Cell)
	// Event is called when a time given to Host.Plan has come.
	Event(h radio.Host, kind uint8)
	// Promise is the earliest moment at which the radio puts something new on the air, if the mote does nothing before
	// next.
	Promise(now, next uint64) uint64
	// Listening tells whether what is on the air can matter to it.
	Listening() bool
	// Turning is for how long it will not hear a transmission that begins, because it is turning to receive by itself.
	Turning(now uint64) uint64
	// Follows tells whether a byte of a sender, at a moment, with bits of a length, may be told late: not at its moment, but
	// before the radio's next event, or before anybody else looks at the radio. So many more bytes have been put off before it.
	Follows(sender uint16, at, bit uint64, more int) bool
}

// maxRadioKinds is how many kinds of events a radio may plan.
const maxRadioKinds = 8

// Radio is the mote's radio, nil if it has none.
func (m *Mote) Radio() Radio { return m.radio }

// PlanAir has Env.Air called at a moment, and tells whether that is news.
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
	m.exact = at
	m.radio.Heard(radioHost{m}, x)
	m.exact = 0
}

// HeardByte is Heard for a byte.
func (m *Mote) HeardByte(at uint64, sender uint16, bit uint64, c cell.Cell) {
	m.exact = at
	m.radio.HearByte(radioHost{m}, sender, bit, c)
	m.exact = 0
}

// radioEvent gives the radio its event, at its exact moment.
func (m *Mote) radioEvent(kind uint8) {
	m.catchUp()
	m.exact = m.st.radioAt[kind]
	m.radio.Event(radioHost{m}, kind)
	m.exact = 0
	m.replanAir()
}

// catchUp has the radio hear what it may be told late (Radio.Follows), before anything happens to it; replanAir comes
// afterwards, since it may no longer follow.
func (m *Mote) catchUp() {
	if m.Kind.Board.CC1000 != nil {
		m.env.CatchUp(m)
	}
}

func (m *Mote) replanAir() {
	if m.Kind.Board.CC1000 != nil {
		m.env.ReplanAir(m)
	}
}

// mountRadio connects the radio to its state.
func (m *Mote) mountRadio() {
	switch b := m.Kind.Board; {
	case b.CC2420 != nil:
		m.radio = &m.cc2420
	case b.CC1000 != nil:
		m.cc1000.Modem, m.cc1000.Crystal = modem{m}, b.CC1000.Crystal
		m.radio = &m.cc1000
	}
}

// powerRadio switches the radio on.
func (m *Mote) powerRadio() {
	switch b := m.Kind.Board; {
	case b.CC2420 != nil:
		m.cc2420.PowerUp(radioHost{m})
		for _, p := range []periph.Pin{b.CC2420.VREN, b.CC2420.RSTN, b.CC2420.CSN} {
			m.radioPad(p, m.Level(p)) // it sees levels, not only changes
		}
	case b.CC1000 != nil:
		m.cc1000.PowerUp(radioHost{m})
		for _, p := range []periph.Pin{b.CC1000.PALE, b.CC1000.PCLK, b.CC1000.PDATA} {
			m.radioPad(p, m.Level(p))
		}
		m.drivePDATA()
	}
}

// radioPad tells the radio of a pad's new level.
func (m *Mote) radioPad(p periph.Pin, level bool) {
	h := radioHost{m}
	if w := m.Kind.Board.CC2420; w != nil {
		switch p {
		case w.VREN:
			m.cc2420.SetVREN(h, level)
		case w.RSTN:
			m.cc2420.SetRESETn(h, level)
		case w.CSN:
			m.cc2420.SetCSn(h, level)
		}
	}
	if w := m.Kind.Board.CC1000; w != nil {
		switch p {
		case w.PALE:
			m.catchUp()
			m.cc1000.SetPALE(h, level)
		case w.PCLK:
			m.catchUp()
			m.cc1000.SetPCLK(h, level)
		case w.PDATA:
			m.cc1000.SetPDATA(h, level)
			return
		default:
			return
		}
		m.replanAir()
		m.drivePDATA()
	}
}

// drivePDATA puts the CC1000's answer on its bidirectional data pin.
func (m *Mote) drivePDATA() {
	drive := periph.Floating
	if level, driven := m.cc1000.PDATA(); driven {
		drive = driveOf(level)
	}
	m.SetInput(m.Kind.Board.CC1000.PDATA, drive)
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
	if p := h.m.Kind.Board.RadioPin(pin); p != periph.NoPin {
		h.m.SetInput(p, driveOf(level))
	}
}

func (h radioHost) SwitchOn(at uint64, c radio.Carrier) { h.m.env.SwitchOn(h.m, at, c) }
func (h radioHost) Emit(at, bit uint64, c cell.Cell)    { h.m.env.Emit(h.m, at, bit, c) }
func (h radioHost) SwitchOff(at uint64)                 { h.m.env.SwitchOff(h.m, at) }
func (h radioHost) Choose(options uint32) uint32        { return h.m.env.Choose(h.m, options) }
func (h radioHost) Notice(key, text string)             { h.m.Notice(0, "radio "+key, text) }

// modem is the microcontroller's SPI slave, as the CC1000 sees it.
type modem struct{ m *Mote }

// ShiftBit, ShiftByte and Shown implement radio.BitPort.
func (x modem) ShiftBit(in bool) bool              { return x.m.SPISlaveBit(in) }
func (x modem) ShiftByte(in cell.Cell) cell.Cell   { return x.m.SPISlaveByte(in) }
func (x modem) Shown() (out cell.Cell, gone uint8) { return x.m.SPISlaveShown() }

// BeforeSPI and AfterSPI implement mcu.Outside.
func (o outside) BeforeSPI() {
	o.catchUp()
	o.cc1000.Sync(radioHost{o.Mote})
}
func (o outside) AfterSPI() {
	o.cc1000.Realign(radioHost{o.Mote})
	o.replanAir()
}
