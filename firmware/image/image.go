// Package image reads a firmware file (an AVR ELF, Intel HEX or Motorola SREC file)
// into one Image: program memory, EEPROM, fuses, symbols, and the source lines,
// functions and variables from DWARF.
//
// Invariants:
//   - An Image never changes after Load. All motes that run it, and all
//     goroutines that study them, share one.
//   - Addresses are byte addresses inside their Space. The offsets with which
//     avr-gcc separates data (0x800000) and EEPROM (0x810000) from flash are subtracted.
//   - Input is not trusted: whatever the bytes are, the result is an Image or an
//     error that names the file, the place and what to do. If debug information
//     cannot be read, only the debug information is missing, never the Image.
package image

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// Image is one firmware file. It is immutable after Load.
type Image struct {
	Path   string
	Format string   // "elf", "ihex" or "srec"
	File   []byte   // the file itself, for those who read it for other purposes
	Hash   [32]byte // SHA-256 of the file
	MCU    string   // "atmega128", when the file says; else ""
	Arch   int      // the AVR family of the ELF header, as 5, 51 or 6; 0 when unknown

	Flash     []byte  // from address 0 to the last byte used; gaps are 0xFF
	FlashUsed []Range // what the file really covers
	EEPROM    []byte  // initial contents, from address 0; nil when the file has none
	Fuses     []byte  // low, high, extended
	Lock      []byte
	Signature []byte
	Entry     uint32

	Notes []string // what a user should know of the file, a sentence each

	Symbols []Symbol // sorted by space, address, name
	Relocs  []Reloc  // of code and data, when linked with --emit-relocs

	symbols symbolIndex
	debug   debugState
}

// Range is the bytes from Lo up to, not including, Hi.
type Range struct{ Lo, Hi uint32 }

// Contains reports whether addr lies in the range.
func (r Range) Contains(addr uint32) bool { return r.Lo <= addr && addr < r.Hi }

// Space is one of the AVR's separate memories.
type Space uint8

// The memories that symbols and variables live in. Absolute is for symbols that
// are numbers, not places (__SP_L__, __data_load_start).
const (
	Flash Space = iota
	Data
	EEPROM
	Fuse
	LockBits
	SignatureRow
	Absolute
)

// String names the space.
func (s Space) String() string {
	names := [...]string{"flash", "data", "EEPROM", "fuse", "lock", "signature", "absolute"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("Space(%d)", uint8(s))
}

// maxFile bounds what Load reads; the largest AVR has 384 KiB of flash, and debug
// information is seldom ten times that.
const maxFile = 64 << 20

// Load reads the firmware file at path, whatever its format.
func Load(path string) (*Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", path, err)
	}
	return Parse(path, data)
}

// Parse reads a firmware file that is already in memory; name stands for it in
// errors and in Path.
func Parse(name string, data []byte) (*Image, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: larger than %d MiB, which no AVR firmware is; give the linked ELF, HEX or SREC file", name, maxFile>>20)
	}
	im := &Image{Path: name, File: data, Hash: sha256.Sum256(data)}
	var err error
	switch text := bytes.TrimLeft(data, " \t\r\n"); {
	case bytes.HasPrefix(data, []byte("\x7fELF")):
		im.Format, err = "elf", im.parseELF(data)
	case len(text) > 0 && text[0] == ':':
		im.Format, err = "ihex", im.parseHEX(data)
	case len(text) > 1 && text[0] == 'S' && text[1] >= '0' && text[1] <= '9':
		im.Format, err = "srec", im.parseSREC(data)
	case len(text) == 0:
		err = fmt.Errorf("%s: the file is empty; build the firmware again", name)
	default:
		err = fmt.Errorf("%s: neither ELF, Intel HEX nor SREC; give the linker's ELF file, or convert raw binary with avr-objcopy -I binary -O ihex", name)
	}
	if err != nil {
		return nil, err
	}
	im.fitSymbols()
	im.symbols = indexSymbols(im.Symbols, im.FlashUsed)
	return im, nil
}
