package image

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exercise asks an image everything; nothing may panic or run away.
func exercise(t *testing.T, im *Image) {
	if len(im.Flash) > maxFlash || len(im.EEPROM) > 0x10000 {
		t.Fatalf("%d bytes of flash, %d of EEPROM", len(im.Flash), len(im.EEPROM))
	}
	im.DebugNote()
	for addr := uint32(0); addr < uint32(min(len(im.Flash), 512)); addr += 2 {
		im.FuncAt(addr)
		im.ObjectAt(addr)
		im.LineAt(addr)
		im.InlineStack(addr)
		im.cfa(Regs{PC: addr})
		im.Unwind(Regs{PC: addr}, addresses{})
	}
	for i, s := range im.Symbols {
		if i < 64 {
			im.Symbol(s.Name)
			Readable(s.Name)
		}
	}
	for i, v := range im.Vars() {
		if i > 200 {
			break
		}
		if ref, err := im.Lookup(v.Name); err == nil {
			if value, err := ref.Read(addresses{}); err == nil {
				_ = value.String()
			}
			ref.Write(addresses{}, 1)
		}
	}
	for i, f := range im.Functions() {
		if i > 50 {
			break
		}
		pc, _ := f.Entry()
		exerciseScope(im, f, &f.Scope, Regs{PC: pc}, 0)
	}
	im.AddrsOf("calls.c", 28)
	im.Files()
	im.Enums()
}

func exerciseScope(im *Image, f *Function, s *Scope, regs Regs, depth int) {
	for _, locals := range [][]*Local{s.Params, s.Locals} {
		for _, l := range locals {
			if v, err := im.ReadLocal(f, l, regs, addresses{}); err == nil {
				_ = v.String()
			}
		}
	}
	if depth > 20 {
		return
	}
	for _, in := range s.Inlines {
		exerciseScope(im, f, &in.Scope, regs, depth+1)
	}
}

func seed(f *testing.F, pattern string, word string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", pattern, err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, c := range brokenFiles(f) {
		if strings.HasPrefix(c.name, word) {
			f.Add(c.data)
		}
	}
}

func fuzzParse(t *testing.T, data []byte) {
	im, err := Parse("fuzz", data)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "fuzz:") {
			t.Fatalf("error does not name the file: %v", err)
		}
		return
	}
	exercise(t, im)
}

func FuzzELF(f *testing.F) {
	seed(f, "testdata/*.elf", "elf")
	f.Fuzz(fuzzParse)
}

func FuzzHEX(f *testing.F) {
	seed(f, "testdata/*.hex", "hex")
	f.Fuzz(fuzzParse)
}

func FuzzSREC(f *testing.F) {
	seed(f, "testdata/*.srec", "srec")
	f.Fuzz(fuzzParse)
}

// FuzzDWARF changes the debug sections of an image that is otherwise whole.
func FuzzDWARF(f *testing.F) {
	names := []string{".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_ranges", ".debug_loc", ".debug_frame", ".debug_loclists"}
	for _, path := range programs(f) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		file, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			f.Fatal(err)
		}
		var parts [8][]byte
		for i, name := range names {
			if s := file.Section(name); s != nil {
				parts[i] = sectionBytes(s, data)
			}
		}
		f.Add(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], parts[7])
	}
	whole := load(f, "testdata/calls-dwarf4.elf")
	f.Fuzz(func(t *testing.T, info, abbrev, line, str, ranges, loc, frame, lists []byte) {
		im := &Image{Path: "fuzz", Format: "elf", Flash: whole.Flash, Symbols: whole.Symbols, symbols: whole.symbols}
		im.debug.sections = make(map[string][]byte)
		for i, part := range [][]byte{info, abbrev, line, str, ranges, loc, frame, lists} {
			im.debug.sections[names[i]] = part
		}
		exercise(t, im)
	})
}
