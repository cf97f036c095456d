package periph

import (
	"motehound/mote/cell"
	"motehound/mote/store"
)

// Staller halts the CPU before its next instruction.
type Staller interface {
	Stall(cycles uint64)
}

// EEPROMConfig places the EEPROM.
type EEPROMConfig struct {
	EEARL, EEARH, EEDR, EECR uint16
	Size                     uint32
	Vector                   uint8
	// EEPM: bits 5:4 of EECR select erase and write, erase only, write only.
	EEPM bool
	// Programming times in picoseconds: erase and write together, and each alone.
	BothTime, SingleTime uint64
}

// EEPROMState is what changes in the EEPROM beside its contents.
type EEPROMState struct {
	Master uint64 `time:"clkio"` // the cycle of clkI/O in which EEMPE was set, or eepromClosed
	EEDR   cell.Cell
	Data   cell.Cell // being programmed
	EEAR   uint16
	Addr   uint16 // being programmed
	EECR   uint8  // EERIE and EEPM
	Mode   uint8  // EEPM of the operation under way
	Busy   uint8  // EEPE: 1 while programming
	Pad    uint8
}

// SelfProgramming is the flash side of the rule that only one of EEPROM and flash is programmed at a time.
type SelfProgramming interface {
	Busy() bool
	// LosePage empties the temporary page buffer: "if the EEPROM is written in the middle of an SPM page load
	// operation, all data loaded will be lost".
	LosePage()
}

// EEPROM is the data EEPROM: doc2467 "EEPROM Data Memory", doc2549 section 8.3, doc8271 section 8.4. The newer names
// EEMPE and EEPE stand for EEMWE and EEWE too.
//
// The byte changes when the programming time is over, so a power-on reset before that leaves the old one. (A chip
// may leave anything.) Other resets let it complete: "the write operation will be completed".
type EEPROM struct {
	Passive  // Served: the request is a level; Clocked: an oscillator of its own times programming
	ID       ID
	Cfg      *EEPROMConfig
	S        *EEPROMState
	Contents *store.Store
	CPU      Staller
	Flash    SelfProgramming
}

const (
	eepromEERE  = 0x01
	eepromEEPE  = 0x02 // EEWE
	eepromEEMPE = 0x04 // EEMWE
	eepromEERIE = 0x08
	eepromEEPM  = 0x30
)

const (
	eepromClosed = Never
	eepromWindow = 4 // "within four clock cycles"

	eepromReadHalt  = 4 // "the CPU is halted for four clock cycles before the next instruction is executed"
	eepromWriteHalt = 2 // "two cycles"
)

// The one kind of event: a byte is programmed.
const eepromEventDone uint8 = 0

const (
	eepromBoth = iota
	eepromErase
	eepromWrite
)

// IsBusy reports whether EEPE is set.
func (e *EEPROM) IsBusy() bool { return e.S.Busy != 0 }

// open reports whether EEMPE is (still) set.
func (e *EEPROM) open(h Host) bool {
	return e.S.Master != eepromClosed && h.Now(ClkIO)-e.S.Master <= eepromWindow
}

// Read returns a register; EERE and, four cycles after it was set, EEMPE read as zero.
func (e *EEPROM) Read(h Host, addr uint16) cell.Cell {
	if addr == e.Cfg.EEDR {
		return e.S.EEDR
	}
	return cell.Of(e.Peek(h, addr))
}

// Peek is Read: no register has side effects.
func (e *EEPROM) Peek(h Host, addr uint16) uint8 {
	c, s := e.Cfg, e.S
	switch addr {
	case c.EEARL:
		return uint8(s.EEAR)
	case c.EEARH:
		return uint8(s.EEAR >> 8)
	case c.EEDR:
		return s.EEDR.V()
	case c.EECR:
		v := s.EECR
		if s.Busy != 0 {
			v |= eepromEEPE
		}
		if e.open(h) {
			v |= eepromEEMPE
		}
		return v
	}
	return 0
}

func (e *EEPROM) Write(h Host, addr uint16, v cell.Cell) {
	c, s := e.Cfg, e.S
	switch addr {
	case c.EEARL, c.EEARH:
		if s.Busy != 0 {
			h.Notice(e.ID, "eear-busy", "EEAR is written while the EEPROM is being programmed; the write has no effect")
			return
		}
		a := uint32(s.EEAR)
		if addr == c.EEARL {
			a = a&0xFF00 | uint32(v.V())
		} else {
			a = a&0x00FF | uint32(v.V())<<8
		}
		s.EEAR = uint16(a & (c.Size - 1))
	case c.EEDR:
		s.EEDR = v
	case c.EECR:
		e.control(h, v.V())
	}
}

// control is a write to EECR.
func (e *EEPROM) control(h Host, v uint8) {
	s, now := e.S, h.Now(ClkIO)
	keep := uint8(eepromEERIE)
	if e.Cfg.EEPM && s.Busy == 0 {
		keep |= eepromEEPM
	}
	s.EECR = s.EECR&^keep | v&keep
	switch {
	case v&eepromEEPE != 0 && e.open(h) && s.Busy == 0:
		e.program(h)
	case v&eepromEEMPE == 0:
		s.Master = eepromClosed
	case !e.open(h):
		s.Master = now
	}
	if v&eepromEERE != 0 && s.Busy == 0 {
		s.EEDR = e.Contents.ReadCell(uint32(s.EEAR))
		e.stall(eepromReadHalt)
	}
	e.request(h)
}

// program starts the operation that EEPM selects, unless the flash is being programmed.
func (e *EEPROM) program(h Host) {
	s := e.S
	s.Master = eepromClosed
	if e.Flash != nil {
		if e.Flash.Busy() {
			h.Notice(e.ID, "spm-busy", "EEPROM programming is started while SPM programs the flash; it has no effect")
			return
		}
		e.Flash.LosePage()
	}
	s.Mode = s.EECR & eepromEEPM >> 4
	if s.Mode > eepromWrite {
		h.Notice(e.ID, "eepm", "EEPROM programming with the reserved EEPM setting 3 is taken as erase and write")
		s.Mode = eepromBoth
	}
	t := e.Cfg.BothTime
	if s.Mode != eepromBoth {
		t = e.Cfg.SingleTime
	}
	s.Busy, s.Addr, s.Data = 1, s.EEAR, s.EEDR
	e.stall(eepromWriteHalt)
	h.At(e.ID, eepromEventDone, ClkReal, h.Now(ClkReal)+t)
}

func (e *EEPROM) stall(cycles uint64) {
	if e.CPU != nil {
		e.CPU.Stall(cycles)
	}
}

// Event ends the programming of a byte.
func (e *EEPROM) Event(h Host, _ uint8) {
	s, addr := e.S, uint32(e.S.Addr)
	switch s.Mode {
	case eepromBoth:
		e.Contents.WriteCell(addr, s.Data)
	case eepromErase:
		e.Contents.Write(addr, 0xFF)
	case eepromWrite:
		// Without erase, bits only go from one to zero. Onto an erased byte a symbolic one goes whole.
		if e.Contents.ReadCell(addr) == cell.Of(0xFF) {
			e.Contents.WriteCell(addr, s.Data)
		} else {
			e.Contents.Write(addr, e.Contents.Read(addr)&s.Data.V())
		}
	}
	s.Busy = 0
	e.request(h)
}

// request: EE_READY is "a constant interrupt when EEPE is cleared".
func (e *EEPROM) request(h Host) { h.Request(e.Cfg.Vector, e.S.EECR&eepromEERIE != 0 && e.S.Busy == 0) }

// Vectors implements Device.
func (e *EEPROM) Vectors() []uint8 { return []uint8{e.Cfg.Vector} }

// Reset clears the registers; programming under way goes on unless the power was lost.
func (e *EEPROM) Reset(h Host, powerOn bool) {
	old := *e.S
	*e.S = EEPROMState{Master: eepromClosed}
	if powerOn || old.Busy == 0 {
		h.At(e.ID, eepromEventDone, ClkReal, Never)
	} else {
		e.S.Busy, e.S.Mode, e.S.Addr, e.S.Data = old.Busy, old.Mode, old.Addr, old.Data
		// "During reset, the EEPMn bits will be reset to 0b00 unless the EEPROM is busy programming."
		e.S.EECR = old.EECR & eepromEEPM
	}
	e.request(h)
}

// Registers lists what the EEPROM claims.
func (e *EEPROM) Registers() []uint16 {
	return []uint16{e.Cfg.EEARL, e.Cfg.EEARH, e.Cfg.EEDR, e.Cfg.EECR}
}

// Kinds is how many kinds of events there are.
func (e *EEPROM) Kinds() int { return 1 }
