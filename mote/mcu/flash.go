package mcu

import (
	"motehound/mote/cell"
)

// ProgByte reads program memory for LPM and ELPM, when the shared image cannot answer.
func (m *Machine) ProgByte(addr uint32) uint8 {
	m.catchUp()
	addr %= m.chip.FlashSize
	if v, ok := m.dev().selfProg.LPMOverride(m, addr); ok {
		return v
	}
	return m.flash.Read(addr)
}

// ProgWord reads a word of program memory.
func (m *Machine) ProgWord(pc uint32) uint16 {
	addr := pc * 2 % m.chip.FlashSize
	return uint16(m.flash.Read(addr)) | uint16(m.flash.Read(addr+1))<<8
}

// SelfProgram is the SPM instruction. It works only from the boot section.
func (m *Machine) SelfProgram(z uint32) {
	m.catchUp()
	if m.core.PC < m.bootStart() {
		m.note("spm", "executes SPM outside the boot section: it has no effect there")
		return
	}
	m.core.ROM = nil // from here on flash may differ from the image, or be unreadable for a while
	m.dev().selfProg.SPM(m, z%m.chip.FlashSize, cell.Of(m.core.R[0]), cell.Of(m.core.R[1]))
}

// ErasePage implements periph.Programmer.
func (m *Machine) ErasePage(addr, size uint32) {
	for a := addr; a < addr+size; a++ {
		m.flash.Write(a, 0xFF)
	}
	m.recompile(addr, size)
}

// ProgramWord implements periph.Programmer.
func (m *Machine) ProgramWord(addr uint32, lo, hi cell.Cell) {
	m.flash.WriteCell(addr, program(m.flash.ReadCell(addr), lo))
	m.flash.WriteCell(addr+1, program(m.flash.ReadCell(addr+1), hi))
	m.recompile(addr, 2)
}

// program is what a byte of flash becomes: bits can only be cleared.
func program(old, v cell.Cell) cell.Cell {
	if old == cell.Of(0xFF) {
		return v
	}
	return cell.Of(old.V() & v.V())
}

// recompile decodes changed flash again, in a program of this machine's own.
func (m *Machine) recompile(addr, size uint32) {
	if !m.ownCode {
		m.core.Plain = m.core.Plain.Copy()
		m.ownCode = true
	}
	m.core.Plain.Patch(addr/2, (size+1)/2, m.ProgWord)
	m.rehook()
	m.core.Attend()
}

// PatchFlash changes flash bytes before the machine starts, as a programmer would: the words must be ones that the
// program calls Dynamic, so that machines with different patches can share it.
func (m *Machine) PatchFlash(addr uint32, bytes []byte) {
	for i, b := range bytes {
		m.flash.Write(addr+uint32(i), b)
	}
	m.core.ROM = nil
}

// bootStart is the word address of the boot section.
func (m *Machine) bootStart() uint32 { return m.chip.SelfProg.BootStart(m.opt.Fuses) / 2 }

// PeekEEPROM reads the EEPROM without side effects.
func (m *Machine) PeekEEPROM(addr uint32) uint8 { return m.eeprom.Read(addr % m.chip.EEPROMSize) }
