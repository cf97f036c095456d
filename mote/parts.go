package mote

import (
	"motehound/mote/boardpart"
	"motehound/mote/periph"
	"motehound/mote/store"
)

// parts is what is soldered to the board: each a pointer to its state in the mote.
type parts struct {
	flash    boardpart.AT45DB
	serialID boardpart.DS2401
}

// solder connects the parts to their states.
func (m *Mote) solder() {
	if m.Kind.Board.Flash != nil {
		m.parts.flash = boardpart.AT45DB{S: &m.st.flash, Contents: &m.flash}
	}
	if m.Kind.Board.SerialID != periph.NoPin {
		m.parts.serialID = boardpart.DS2401{S: &m.st.serialID, ROM: boardpart.DS2401ROM(serialBase + uint64(m.st.id))}
	}
}

// serialBase is the serial number of the mote with id 0; real ones are spread over 48 bits.
const serialBase = 0x00_00_0A_5E_00_00

// eraseFlash is the external flash as it comes from the factory.
func (m *Mote) eraseFlash() {
	if m.Kind.Board.Flash != nil {
		m.flash = store.New(nil, boardpart.AT45DBSize, 0xFF)
	}
}

// powerParts switches the parts on.
func (m *Mote) powerParts() {
	b := m.Kind.Board
	if m.bus != nil {
		*m.bus = busState{}
	}
	if b.Flash != nil {
		m.st.flash = boardpart.AT45DBState{}
		m.driveFlash()
	}
	if b.SerialID != periph.NoPin {
		m.parts.serialID.PowerUp()
		m.driveSerialID()
	}
}

// partPad tells the parts of a pad's new level.
func (m *Mote) partPad(p periph.Pin, level bool) {
	if w := m.Kind.Board.Flash; w != nil {
		switch p {
		case w.Select:
			m.parts.flash.Select(!level, m.Time())
			m.driveFlash()
		case w.Clock:
			m.parts.flash.Clock(level, m.Level(w.In), m.Time())
			m.driveFlash()
		}
	}
	if p == m.Kind.Board.SerialID && p != periph.NoPin {
		m.parts.serialID.Line(level, m.Time())
		m.driveSerialID()
	}
}

// partEvent is for events that a part planned.
func (m *Mote) partEvent(kind uint8) {
	switch kind {
	case kindFlash:
		m.parts.flash.Event(m.Time())
		m.driveFlash()
	case kindSerialID:
		m.parts.serialID.Event(m.Time())
		m.driveSerialID()
	}
}

// driveFlash puts the flash's output on its pad and plans its next event.
func (m *Mote) driveFlash() {
	m.Plan(kindFlash, m.parts.flash.Next())
	drive := periph.Floating
	if level, driven := m.parts.flash.SO(); driven {
		drive = periph.DriveLow
		if level {
			drive = periph.DriveHigh
		}
	}
	m.SetInput(m.Kind.Board.Flash.Out, drive)
}

// driveSerialID pulls the 1-wire line low, or leaves it to the board's resistor.
func (m *Mote) driveSerialID() {
	m.Plan(kindSerialID, m.parts.serialID.Next())
	drive := periph.PullUp
	if m.parts.serialID.Pulls() {
		drive = periph.DriveLow
	}
	m.SetInput(m.Kind.Board.SerialID, drive)
}
