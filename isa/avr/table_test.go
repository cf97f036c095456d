package avr

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// operandLetters is which letters the pattern of each form has, and how many of each.
var operandLetters = map[form]string{
	fNone: "", fRd: "ddddd", fRdRr: "dddddrrrrr", fRdK: "KKKKKKKKdddd", fRdwK: "KKKKKKdd", fRdwRrw: "ddddrrrr",
	fRd4Rr4: "ddddrrrr", fRd3Rr3: "dddrrr", fRdA: "AAAAAAddddd", fARr: "AAAAAAddddd", fAb: "AAAAAbbb", fRdb: "bbbddddd",
	fRel12: "kkkkkkkkkkkk", fRel7: "kkkkkkk", fAbs22: "kkkkkk", fRdAbs16: "ddddd", fAbs16Rd: "ddddd",
	fLoad: "ddddd", fStore: "ddddd", fLoadQ: "dddddqqqqqq", fStoreQ: "dddddqqqqqq", fK4: "KKKK", fPointer: "",
}

// TestTableRows checks that every row says all that a row must, in letters that exist.
func TestTableRows(t *testing.T) {
	effect := regexp.MustCompile(`^([dD01p]*[HSVNZCTI]*=[dDrR01pe]*[ZCNVSHTI]*)?$`)
	for op := range numRows {
		r := &table[op]
		if r.name == "" || len(r.pattern) != 16 || !effect.MatchString(r.effect) || r.cycles == 0 {
			t.Errorf("row %d is not complete: %+v", op, *r)
			continue
		}
		var letters string
		for _, c := range []byte("AKbdkqr") {
			letters += strings.Repeat(string(c), strings.Count(r.pattern, string(c)))
		}
		if letters != operandLetters[r.form] || len(letters)+strings.Count(r.pattern, "0")+strings.Count(r.pattern, "1") != 16 {
			t.Errorf("%s: pattern %s does not fit its form", rowName(op), r.pattern)
		}
	}
}

// TestTableIsUnique checks, without the decoder, that no opcode word fits two rows, and that the decoder finds the one
// that it fits.
func TestTableIsUnique(t *testing.T) {
	fits := func(pattern string, w uint16) bool {
		for i := range 16 {
			if bit := byte('0' + w>>(15-i)&1); (pattern[i] == '0' || pattern[i] == '1') && pattern[i] != bit {
				return false
			}
		}
		return true
	}
	for w := range 1 << 16 {
		found := opBad
		for op := range numRows {
			if !fits(table[op].pattern, uint16(w)) {
				continue
			}
			if found != opBad {
				t.Errorf("0x%04x is both %s and %s", w, rowName(found), rowName(op))
			}
			found = op
		}
		if got := opcodes()[w]; got != found {
			t.Errorf("0x%04x decodes as row %d, the table says %d", w, got, found)
		}
	}
}

// TestAbsentInstructionsHalt executes every opcode word that a chip does not have: the core stops before it, says
// why, and nothing has changed.
func TestAbsentInstructionsHalt(t *testing.T) {
	// Undefined are 1,554 words; SPM Z+, DES, XCH, LAS, LAC and LAT are 145 more; ELPM 65, EIJMP and EICALL 2.
	want := map[string]int{"atmega128": 1554 + 145 + 2, "atmega328p": 1554 + 145 + 2 + 65, "atmega1281": 1554 + 145 + 2, "atmega2560": 1554 + 145}
	for _, c := range chips {
		absent := 0
		f := newFlat(c, nil)
		for w := range 1 << 16 {
			op := opcodes()[w]
			if op != opBad && table[op].need&^c.has == 0 {
				continue
			}
			absent++
			binary.LittleEndian.PutUint16(f.flash[0x100:], uint16(w))
			f.core.Program.Patch(0x80, 1, f.ProgWord)
			before := State{PC: 0x80, SP: 0x200, Cycles: 7, Instructions: 5, nz: 1}
			f.core.State, f.halts = before, nil
			f.core.Run(1000)
			why := HaltOpcode
			if w == 0xFFFF {
				why = HaltErased
			}
			if len(f.halts) != 1 || f.halts[0] != why || f.core.State != before {
				t.Errorf("%s: 0x%04x (%s): halts %v, state %+v", c.name, w, f.core.Program.At(0x80), f.halts, f.core.State)
			}
		}
		if absent != want[c.name] {
			t.Errorf("%s has not %d opcode words, want %d", c.name, absent, want[c.name])
		}
	}
}

// TestDisassemblyIsObjdumps compares all 65,536 opcode words, each followed by the word 0x1234, with avr-objdump: text,
// length and target. Two things are normalised: a relative target is taken from objdump's comment, where it is
// absolute, and other comments are dropped; addresses below 0 are taken modulo the 22 bits of a program counter.
// objdump shows instructions of all cores, so both sides decode for one that has everything; which of them a chip
// lacks is checked against the table.
func TestDisassemblyIsObjdumps(t *testing.T) {
	const second = 0x1234
	image := make([]byte, 0, 4<<16)
	for w := range 1 << 16 {
		image = binary.LittleEndian.AppendUint16(image, uint16(w))
		image = binary.LittleEndian.AppendUint16(image, second)
	}
	file := filepath.Join(t.TempDir(), "all.bin")
	if err := os.WriteFile(file, image, 0o600); err != nil {
		t.Fatal(err)
	}
	for mach, has := range map[string]Need{"avr:51": AVRePlusElpm, "avr:6": AVRePlus22} {
		listing := objdump(t, mach, file)
		wrong := 0
		for w := range 1 << 16 {
			pc := uint32(2 * w)
			in := Decode(uint16(w), second, pc, ^Need(0), 1<<22)
			theirs := listing[4*w]
			ours := in.String()
			if in.Op == opBad {
				ours = fmt.Sprintf(".word 0x%04x", w)
			}
			if (ours != theirs.text || int(in.N)*2 != theirs.bytes) && wrong < 20 {
				wrong++
				t.Errorf("%s: 0x%04x: we say %q of %d words, objdump %q of %d bytes", mach, w, ours, in.N, theirs.text, theirs.bytes)
			}
			if cut := Decode(uint16(w), second, pc, has, 1<<22); cut != in {
				if cut != (Inst{Op: opBad, N: 1}) || table[in.Op].need&^has == 0 {
					t.Errorf("%s: 0x%04x decodes as %v, with all features as %v", mach, w, cut, in)
				}
			} else if in.Op < numRows && table[in.Op].need&^has != 0 {
				t.Errorf("%s: 0x%04x decodes as %v, which the chip lacks", mach, w, cut)
			}
		}
	}
}

type listed struct {
	text  string
	bytes int
}

var listingLine = regexp.MustCompile(`^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t([^;]*)(?:; *0x([0-9a-f]+))?`)

// objdump disassembles a file of raw words: what stands at each address.
func objdump(t *testing.T, mach, file string) map[int]listed {
	t.Helper()
	listing := map[int]listed{}
	for line := range strings.Lines(tool(t, "objdump", "-D", "-z", "-b", "binary", "-m", mach, file)) {
		m := listingLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at, err := strconv.ParseUint(m[1], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(m[3]), " ")
		if name, _, relative := strings.Cut(text, " ."); relative && name != "" {
			target, err := strconv.ParseUint(m[4], 16, 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			text = fmt.Sprintf("%s 0x%x", name, target&(1<<23-1))
		}
		listing[int(at)] = listed{text, len(strings.Fields(m[2]))}
	}
	return listing
}
