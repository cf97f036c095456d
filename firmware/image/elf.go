package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

const (
	emAVR      = 83   // e_machine (elf/avr.h of binutils)
	efAVRMach  = 0x7F // e_flags: the family, EF_AVR_MACH
	elf32Size  = 52   // ELF header
	phdrSize   = 32
	shdrSize   = 40
	maxSegment = 256 // an AVR program has about five
)

func (im *Image) parseELF(data []byte) error {
	if err := im.checkELFHeader(data); err != nil {
		return err
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: damaged ELF: %v; link it again", im.Path, err)
	}
	im.Entry = uint32(f.Entry)
	im.Arch = int(binary.LittleEndian.Uint32(data[36:]) & efAVRMach)
	if err := im.loadSegments(f, data); err != nil {
		return err
	}
	if err := im.readSymbols(f); err != nil {
		return err
	}
	if err := im.readRelocs(f, data); err != nil {
		return err
	}
	if s := f.Section(".note.gnu.avr.deviceinfo"); s != nil {
		im.MCU = deviceName(sectionBytes(s, data))
	}
	im.debug.sections = debugSections(f)
	return nil
}

// checkELFHeader refuses what debug/elf would misread or describe in its own words.
func (im *Image) checkELFHeader(data []byte) error {
	if len(data) < elf32Size {
		return fmt.Errorf("%s: ELF header cut short after %d of %d bytes; copy the file again", im.Path, len(data), elf32Size)
	}
	le := binary.LittleEndian
	bigEnd := elf.Data(data[5]) == elf.ELFDATA2MSB
	machine := elf.Machine(le.Uint16(data[18:]))
	if bigEnd {
		machine = elf.Machine(binary.BigEndian.Uint16(data[18:]))
	}
	if machine != emAVR {
		return fmt.Errorf("%s: this ELF is for %s, not AVR; build the firmware with avr-gcc", im.Path, machineName(machine))
	}
	if elf.Class(data[4]) != elf.ELFCLASS32 || bigEnd {
		return fmt.Errorf("%s: AVR ELF files are 32 bit, little endian, this one is not; the header is damaged, link it again", im.Path)
	}
	switch t := elf.Type(le.Uint16(data[16:])); t {
	case elf.ET_EXEC:
	case elf.ET_REL:
		return fmt.Errorf("%s: this is an object file, not a program; link it first (avr-gcc -mmcu=... -o app.elf %s)", im.Path, im.Path)
	default:
		return fmt.Errorf("%s: ELF type %s is not a linked program; give the file that avr-gcc links", im.Path, t)
	}
	return im.checkTables(data)
}

// checkTables makes sure that program and section headers lie inside the file:
// a file cut short loses the section headers first, as they come last.
func (im *Image) checkTables(data []byte) error {
	le := binary.LittleEndian
	tables := []struct {
		name           string
		off            uint32
		entry, n, want uint16
	}{
		{"program", le.Uint32(data[28:]), le.Uint16(data[42:]), le.Uint16(data[44:]), phdrSize},
		{"section", le.Uint32(data[32:]), le.Uint16(data[46:]), le.Uint16(data[48:]), shdrSize},
	}
	for _, t := range tables {
		if t.n == 0 {
			continue
		}
		if t.entry != t.want {
			return fmt.Errorf("%s: %s headers of %d bytes, should be %d; the ELF header is damaged, link it again", im.Path, t.name, t.entry, t.want)
		}
		if end := uint64(t.off) + uint64(t.n)*uint64(t.entry); end > uint64(len(data)) {
			return fmt.Errorf("%s: the %s headers end at offset %#x, but the file has only %#x bytes; it is cut short, copy it again", im.Path, t.name, end, len(data))
		}
	}
	return nil
}

// loadSegments takes memory contents from the program headers, by their load
// (physical) addresses: .data runs at 0x800100 but is stored in flash.
func (im *Image) loadSegments(f *elf.File, data []byte) error {
	if len(f.Progs) > maxSegment {
		return fmt.Errorf("%s: %d program headers, more than any AVR program has; the ELF header is damaged, link it again", im.Path, len(f.Progs))
	}
	var l layout
	for i, p := range f.Progs {
		if p.Type != elf.PT_LOAD || p.Filesz == 0 {
			continue
		}
		if p.Off+p.Filesz > uint64(len(data)) {
			return fmt.Errorf("%s: segment %d ends at offset %#x, but the file has only %#x bytes; it is cut short, copy it again", im.Path, i, p.Off+p.Filesz, len(data))
		}
		if err := l.place(uint32(p.Paddr), data[p.Off:p.Off+p.Filesz]); err != nil {
			return fmt.Errorf("%s: segment %d: %w", im.Path, i, err)
		}
	}
	return l.fill(im)
}

func (im *Image) readSymbols(f *elf.File) error {
	syms, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: section .symtab is damaged: %v; link it again", im.Path, err)
	}
	for _, s := range syms {
		if sym, ok := elfSymbol(s); ok {
			im.Symbols = append(im.Symbols, sym)
		}
	}
	return nil
}

func elfSymbol(s elf.Symbol) (Symbol, bool) {
	kind := elf.ST_TYPE(s.Info)
	if s.Name == "" || s.Section == elf.SHN_UNDEF || kind == elf.STT_SECTION || kind == elf.STT_FILE {
		return Symbol{}, false
	}
	sym := Symbol{Name: s.Name, Size: uint32(s.Size), Local: elf.ST_BIND(s.Info) == elf.STB_LOCAL, Weak: elf.ST_BIND(s.Info) == elf.STB_WEAK}
	switch kind {
	case elf.STT_FUNC:
		sym.Kind = Func
	case elf.STT_OBJECT:
		sym.Kind = Object
	}
	var placed bool
	sym.Space, sym.Addr, placed = split(uint32(s.Value))
	// An absolute symbol below 0x800000 is a number (__SP_L__), not flash.
	if !placed || s.Section == elf.SHN_ABS && sym.Space == Flash {
		sym.Space, sym.Addr = Absolute, uint32(s.Value)
	}
	return sym, true
}

// deviceName reads the note that avr-libc's start-up files carry: after the
// owner "AVR", six words of memory layout, the size of an offset table, the table,
// and a string table in which the table's first entry is the device's name.
func deviceName(note []byte) string {
	const nameAt = 16 + 8*4 // note header and owner, then eight words
	if len(note) < nameAt || string(note[12:15]) != "AVR" {
		return ""
	}
	word := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(note[16+4*i:])) }
	start := 16 + 6*4 + word(6) + word(7)
	if start >= uint64(len(note)) {
		return ""
	}
	name, _, _ := bytes.Cut(note[start:], []byte{0})
	return string(name)
}

// sectionBytes is the section as it stands in the file; nil when it is not all there.
func sectionBytes(s *elf.Section, data []byte) []byte {
	if s.Type == elf.SHT_NOBITS || s.Offset+s.FileSize > uint64(len(data)) || s.Offset+s.FileSize < s.Offset {
		return nil
	}
	return data[s.Offset : s.Offset+s.FileSize]
}

// machineName spells an e_machine as people do: x86-64, arm, riscv.
func machineName(m elf.Machine) string {
	name, known := strings.CutPrefix(m.String(), "EM_")
	if !known || strings.Contains(name, "+") { // debug/elf writes an unknown one as a sum
		return fmt.Sprintf("machine number %d", uint16(m))
	}
	return strings.ReplaceAll(strings.ToLower(name), "_", "-")
}
