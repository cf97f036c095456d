package image

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// Reloc is one place in code or data whose value the linker computed from a
// symbol. Linked files keep them only with --emit-relocs.
type Reloc struct {
	Space  Space // where the place is: Flash for code, Data for initialised variables
	Off    uint32
	Type   uint32 // R_AVR_*, as in the AVR ELF supplement
	Sym    string // the symbol, or the section whose start stands for it
	Value  uint32 // the symbol's address as the tools number it (data at 0x800000)
	Addend int32
}

const relaSize = 12

func (im *Image) readRelocs(f *elf.File, data []byte) error {
	var syms []elf.Symbol
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || int(s.Info) >= len(f.Sections) || f.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		if syms == nil {
			syms, _ = f.Symbols() // readSymbols has judged it
		}
		table := sectionBytes(s, data)
		if table == nil || len(table)%relaSize != 0 {
			return fmt.Errorf("%s: section %s is damaged (%d bytes at %#x); link it again", im.Path, s.Name, s.FileSize, s.Offset)
		}
		for ; len(table) > 0; table = table[relaSize:] {
			r, err := elfReloc(f, syms, table)
			if err != nil {
				return fmt.Errorf("%s: section %s: %w", im.Path, s.Name, err)
			}
			im.Relocs = append(im.Relocs, r)
		}
	}
	return nil
}

func elfReloc(f *elf.File, syms []elf.Symbol, entry []byte) (Reloc, error) {
	le := binary.LittleEndian
	off, info := le.Uint32(entry), le.Uint32(entry[4:])
	r := Reloc{Type: info & 0xFF, Addend: int32(le.Uint32(entry[8:]))}
	var ok bool
	if r.Space, r.Off, ok = split(off); !ok {
		return r, fmt.Errorf("relocation at address %#x, where no AVR has memory; link it again", off)
	}
	n := int(info >> 8)
	if n == 0 {
		return r, nil
	}
	if n > len(syms) {
		return r, fmt.Errorf("relocation at %#x names symbol %d of %d; link it again", off, n, len(syms))
	}
	sym := syms[n-1] // debug/elf leaves out the null symbol
	r.Sym, r.Value = sym.Name, uint32(sym.Value)
	if elf.ST_TYPE(sym.Info) == elf.STT_SECTION && int(sym.Section) < len(f.Sections) {
		r.Sym = f.Sections[sym.Section].Name
	}
	return r, nil
}
