package image

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// addresses is a memory in which each byte is the low byte of its address.
type addresses struct{}

func (addresses) LoadByte(addr uint32) uint8 { return uint8(addr) }
func (addresses) StoreByte(uint32, uint8)    {}

func TestLocationExpressions(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/bare.elf")
	regs := Regs{SP: 0x10F0, PC: 0x8000}
	for i := range regs.R {
		regs.R[i] = uint8(i) + 0x10
	}
	f := &Function{frameBase: Loc{expr: []byte{opReg0 + 28}}}
	for _, row := range table(t, "testdata/locations.txt", " = ") {
		expr, err := hex.DecodeString(strings.ReplaceAll(row[0], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := im.locate(f, &Local{Loc: Loc{expr: expr}}, regs, addresses{})
		got := showPieces(pieces)
		if err != nil {
			got = "error " + err.Error()
		}
		want, isError := strings.CutPrefix(row[1], "error ")
		if isError && !strings.Contains(got, want) || !isError && got != row[1] {
			t.Errorf("%s: %s, want %s", row[0], got, row[1])
		}
	}
}

func showPieces(pieces []valuePiece) string {
	var out []string
	for _, p := range pieces {
		s := map[pieceKind]string{
			inNothing: "nothing", inRegister: fmt.Sprintf("r%d", p.Reg),
			inMemory: fmt.Sprintf("%s %#x", p.Space, p.Addr), inValue: fmt.Sprintf("value %d", p.Value),
		}[p.Kind]
		if p.Size > 0 {
			s += fmt.Sprintf("/%d", p.Size)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestLoclists5(t *testing.T) {
	t.Parallel()
	l := Loc{v5: true, base: 0x100, list: []byte{
		lleOffsetPair, 0x02, 0x06, 1, opReg0, // 0x102 to 0x106
		lleBase, 0x00, 0x02, 0, 0,
		lleOffsetPair, 0x00, 0x04, 1, opReg0 + 1,
		lleStartEnd, 0x10, 3, 0, 0, 0x20, 3, 0, 0, 1, opReg0 + 2,
		lleStartLength, 0x00, 4, 0, 0, 0x80, 0x01, 1, opReg0 + 3,
		lleDefault, 1, opReg0 + 4,
		lleEnd, 0xFF,
	}}
	for pc, want := range map[uint32]byte{0x102: 0, 0x105: 0, 0x106: 4, 0x200: 1, 0x203: 1, 0x310: 2, 0x31F: 2, 0x400: 3, 0x47F: 3, 0x480: 4, 0: 4} {
		if e, ok := l.at(pc); !ok || e[0] != opReg0+want {
			t.Errorf("%#x: % x, want register %d", pc, e, want)
		}
	}
}

// variant is calls.c as one compiler setting made it.
var variants = []string{"testdata/calls-dwarf4.elf", "testdata/calls-dwarf2.elf", "testdata/calls-nogc2.elf", "testdata/calls-avr6.elf"}

// In the loop of average, with registers and stack set up as its code does.
func TestLocals(t *testing.T) {
	t.Parallel()
	for _, path := range variants {
		im := load(t, path)
		f, ok := im.Function("average")
		at := im.AddrsOf("calls.c", 28) // sum += term + port
		if !ok || len(at) == 0 {
			t.Fatalf("%s: average %v, line 28 at %v", path, ok, at)
		}
		regs := Regs{PC: at[0], SP: 0x10C0}
		regs.R[28], regs.R[29] = 0xC0, 0x10 // Y = SP in a function with a frame
		m := new(ram)
		for i := range 8 {
			m.bytes[0x10C1+i] = uint8(10 * i)
		}
		values := map[string]string{}
		for _, l := range append(f.Params, f.Locals...) {
			if l.Loc.known() {
				setRegister(im, f, l, &regs)
				v, err := im.ReadLocal(f, l, regs, m)
				if values[l.Name] = v.String(); err != nil {
					values[l.Name] = err.Error()
				}
			}
		}
		for name, want := range map[string]string{"history": "[0, 10, 20, 30, 40, 50, 60, 70]", "weight": "513", "bias": "67305985", "sum": "513", "i": "i: optimised away at this address: the compiler kept no copy here"} {
			if values[name] != want {
				t.Errorf("%s: %s = %s, want %s", path, name, values[name], want)
			}
		}
	}
}

// setRegister puts 1, 2, 3, 4 into the registers that hold l, lowest first.
func setRegister(im *Image, f *Function, l *Local, regs *Regs) {
	pieces, _ := im.locate(f, l, *regs, nil)
	for i, p := range pieces {
		if p.Kind == inRegister {
			regs.R[p.Reg] = uint8(i + 1)
		}
	}
}

// From inside average back to its caller.
func TestUnwind(t *testing.T) {
	t.Parallel()
	for _, path := range variants {
		im := load(t, path)
		f, _ := im.Function("average")
		entry, _ := f.Entry()
		row, size, err := im.frameRow(im.AddrsOf("calls.c", 28)[0])
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		wantSize := 2
		if im.Arch == 6 {
			wantSize = 3
		}
		if size != wantSize || row.reg != 28 {
			t.Errorf("%s: return address of %d bytes, frame in r%d", path, size, row.reg)
		}
		m := new(ram)
		for i := range m.bytes {
			m.bytes[i] = uint8(i)
		}
		regs := Regs{PC: im.AddrsOf("calls.c", 28)[0], SP: 0x10C0}
		regs.R[28], regs.R[29], regs.R[2] = 0xC0, 0x10, 99
		cfa := uint16(0x10C0 + row.offset)
		ret := entry/2 + 3
		for i := range size {
			m.bytes[int(cfa)-i] = uint8(ret >> (8 * i))
		}
		back, err := im.Unwind(regs, m)
		if err != nil || back.PC != 2*ret || back.SP != cfa || back.R[2] != 99 {
			t.Errorf("%s: %+v (%v), want PC %#x, SP %#x", path, back, err, 2*ret, cfa)
		}
		if want := uint8(int64(cfa) + row.saved[28]); back.R[28] != want {
			t.Errorf("%s: r28 = %#x, want %#x", path, back.R[28], want)
		}
		if _, err := im.Unwind(Regs{PC: 2}, m); err == nil || !strings.Contains(err.Error(), "no stack frame information for address 0x2") {
			t.Errorf("%s: unwinding the vectors: %v", path, err)
		}
	}
}
