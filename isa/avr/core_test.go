package avr

import (
	"encoding/binary"
	"reflect"
	"testing"
)

// newCore makes a chip that runs a source from address 0, with its stack at 0x400.
func newCore(t *testing.T, chip, source string) *flat {
	t.Helper()
	f := newFlat(chipNamed(t, chip), assemble(t, source))
	f.core.SP = 0x400
	return f
}

// After an instruction that sets I, one more runs before an interrupt ("Reset and Interrupt Handling" of all
// datasheets): the core leaves its loop when one is pending, with Enabled telling that it is too early.
func TestOneInstructionAfterEnabling(t *testing.T) {
	for _, k := range []struct {
		source string
		before uint8 // SREG
		delay  bool
	}{
		{"sei", 0, true},
		{"sei", 0x80, false},
		{"reti", 0, true},
		{"reti", 0x80, true}, // "when the AVR exits from an interrupt, it will always ... execute one more instruction"
		{"out 0x3f, r16", 0, true},
		{"out 0x3f, r16", 0x80, false},
		{"out 0x3f, r0", 0, false},
		{"sts 0x5f, r16", 0, true},
		{"st X, r16", 0, true},
		{"std Y+1, r16", 0, true},
		{"nop", 0, false},
		{"cli", 0x80, false},
	} {
		for _, chip := range []string{"atmega128", "atmega2560"} {
			f := newCore(t, chip, k.source+"\nnop\nnop\nbreak")
			c := &f.core
			c.SetSREG(k.before)
			c.R[16] = 0x80
			c.setPtr(26, AddrSREG)
			c.setPtr(28, AddrSREG-1)
			after := uint32(f.core.Program.At(0).N)
			if f.core.Program.At(0).Op == OpReti {
				after = 1
				f.data[c.SP+1+uint16(c.wide)+1] = 1
			}
			c.Cycles = 100
			c.Pending = true
			f.step()
			if delayed := c.Enabled == c.Cycles; delayed != k.delay || c.PC != after {
				t.Errorf("%s: %s with SREG %#x: delayed %v, at %d", chip, k.source, k.before, delayed, c.PC)
			}
			if !k.delay {
				continue
			}
			// Nobody asked to stop, except for the pending interrupt.
			c.PC, c.Cycles = 0, 200
			c.SP = 0x400
			c.SetSREG(k.before)
			c.Run(1000)
			if c.PC != after || c.Enabled != c.Cycles {
				t.Errorf("%s: %s: the loop went on to %d", chip, k.source, c.PC)
			}
			f.step()
			if c.PC != after+1 || c.Enabled == c.Cycles {
				t.Errorf("%s: %s: after one more instruction at %d, still delayed: %v", chip, k.source, c.PC, c.Enabled == c.Cycles)
			}
		}
	}
}

// Without a request, setting I is nothing special.
func TestNothingPending(t *testing.T) {
	f := newCore(t, "atmega128", "sei\nnop\nnop\nbreak")
	f.core.Run(1000)
	if f.core.PC != 3 || f.core.Cycles != 3 || !reflect.DeepEqual(f.halts, []Halt{HaltBreak}) {
		t.Errorf("stopped at %d after %d cycles: %v", f.core.PC, f.core.Cycles, f.halts)
	}
}

// Entering takes four cycles, five with a 22-bit program counter (doc2467, "Interrupt Response Time"; doc2549, likewise).
func TestInterruptEntry(t *testing.T) {
	for chip, want := range map[string]struct {
		cycles uint64
		stack  []byte // from SP+1 up
	}{
		"atmega128":  {4, []byte{0x34, 0x56}},
		"atmega2560": {5, []byte{0x01, 0x34, 0x56}},
	} {
		f := newFlat(chipNamed(t, chip), nil)
		c := &f.core
		c.State = State{PC: 0x3456, SP: 0x400, Cycles: 10}
		if c.wide == 1 {
			c.PC = 0x13456
		}
		c.SetSREG(0xFF)
		c.Interrupt(0x20)
		n := uint16(len(want.stack))
		if c.Cycles != 10+want.cycles || c.PC != 0x20 || c.SREG() != 0x7F || c.SP != 0x400-n || string(f.data[c.SP+1:0x401]) != string(want.stack) {
			t.Errorf("%s: %+v, stack % x", chip, c.State, f.data[c.SP+1:0x401])
		}
	}
}

// During a call of the bus, PC is the instruction's and Cycles that of its last cycle.
func TestBusMoment(t *testing.T) {
	f := newCore(t, "atmega2560", `
		out 0x10, r0
		sts 0x60, r0
		st X+, r0
		sbi 0x10, 3
		push r0
		rcall .+0
		call 1f
	1:	icall
	2:	break`)
	c := &f.core
	c.setPtr(26, 0x70)
	c.setPtr(30, 11)
	type at struct {
		addr, pc uint16
		cycle    uint64
	}
	var got []at
	f.onStore = func(a uint16, v uint8) { got = append(got, at{a, uint16(c.PC), c.Cycles}) }
	c.SP = 0x8A
	c.Run(1000)
	want := []at{
		{0x30, 0, 0}, {0x60, 1, 2}, {0x70, 3, 4}, {0x30, 4, 6}, {0x8A, 5, 8},
		{0x89, 6, 12}, {0x88, 6, 12}, {0x87, 6, 12},
		{0x86, 7, 17}, {0x85, 7, 17}, {0x84, 7, 17},
		{0x83, 9, 21}, {0x82, 9, 21}, {0x81, 9, 21},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if c.PC != 11 || len(f.halts) != 1 {
		t.Errorf("ended at %d: %v", c.PC, f.halts)
	}
}

// A store can end the run, at once or at a cycle.
func TestAttendAndShorten(t *testing.T) {
	f := newCore(t, "atmega128", "nop\nout 0x10, r0\nnop\nnop\nnop\nrjmp .-12")
	c := &f.core
	f.onStore = func(uint16, uint8) { c.Attend() }
	if c.Run(1000); c.PC != 2 || c.Cycles != 2 {
		t.Errorf("Attend: at %d after %d cycles", c.PC, c.Cycles)
	}
	c.PC, c.Cycles = 0, 0
	f.onStore = func(uint16, uint8) { c.Shorten(4); c.Shorten(500) }
	if c.Run(1000); c.PC != 4 || c.Cycles != 4 {
		t.Errorf("Shorten: at %d after %d cycles", c.PC, c.Cycles)
	}
	// The last instruction may end after the given cycle, but not begin then.
	c.PC, c.Cycles = 5, 0
	if c.Run(1); c.Cycles != 2 {
		t.Errorf("a jump within one cycle: %d", c.Cycles)
	}
}

func TestHooks(t *testing.T) {
	f := newCore(t, "atmega128", "nop\nsbrs r0, 0\nlds r1, 0x100\ninc r2\nrjmp .-4")
	c := &f.core
	c.R[0] = 1
	c.Program = c.Plain.Hooked([]uint32{1, 2, 4, 1 << 20})
	c.Run(6)
	// The skip over the watched LDS is two words.
	if !reflect.DeepEqual(f.hooks, []uint32{1, 4}) || c.R[2] != 1 || c.PC != 4 || c.Instructions != 4 {
		t.Errorf("hooks %v, r2 %d, at %d, %d instructions", f.hooks, c.R[2], c.PC, c.Instructions)
	}
	f.hooks, f.refuse = nil, true
	cycles := c.Cycles
	c.Run(1000)
	if !reflect.DeepEqual(f.hooks, []uint32{4}) || c.PC != 4 || c.Cycles != cycles || c.Instructions != 4 {
		t.Errorf("refused: hooks %v, at %d, cycle %d, %d instructions", f.hooks, c.PC, c.Cycles, c.Instructions)
	}
	if c.Program == c.Plain || c.Plain.At(4).Op != OpInc {
		t.Error("the plain program was changed")
	}
}

// Dynamic words come from the mote's own flash, their length too.
func TestDynamic(t *testing.T) {
	c16 := chipNamed(t, "atmega128")
	image := assemble(t, "ldi r16, 1\nsbrs r0, 0\nnop\nnop\nbreak")
	shared := Compile(image, c16.flash/2, c16.has)
	shared.Dynamic(0, 1)
	shared.Dynamic(2, 1)
	for _, k := range []struct {
		r0, r16 uint8
		words   string // at 0 and at 2
		pc      uint32
	}{
		{0, 0x42, "ldi r16, 0x42\nsbrs r0, 0\nnop\nnop\nbreak", 4},
		{1, 0x17, "ldi r16, 0x17\nsbrs r0, 0\nnop\nnop\nbreak", 4},
		{1, 0x17, "ldi r16, 0x17\nsbrs r0, 0\nsts 0x200, r0\nbreak", 4},
		{0, 0x17, "ldi r16, 0x17\nsbrs r0, 0\nbreak\nnop\nbreak", 2},
	} {
		f := newFlat(c16, assemble(t, k.words))
		f.core.Program, f.core.Plain = shared, shared
		f.core.R[0] = k.r0
		f.core.Run(1000)
		if f.core.R[16] != k.r16 || f.core.PC != k.pc || len(f.halts) != 1 || f.halts[0] != HaltBreak {
			t.Errorf("%q: r16 %#x, at %d, %v", k.words, f.core.R[16], f.core.PC, f.halts)
		}
	}
	// A watched word that is dynamic too.
	f := newFlat(c16, assemble(t, "ldi r16, 0x33\nbreak"))
	f.core.Program, f.core.Plain = shared.Hooked([]uint32{0}), shared
	f.step()
	if f.core.R[16] != 0x33 || len(f.hooks) != 1 {
		t.Errorf("watched and dynamic: r16 %#x, hooks %v", f.core.R[16], f.hooks)
	}
}

// Patch decodes again what the changed words can be part of.
func TestPatch(t *testing.T) {
	c := chipNamed(t, "atmega328p")
	f := newFlat(c, assemble(t, "lds r0, 0x100\nbreak"))
	mine := f.core.Program.Copy()
	binary.LittleEndian.PutUint16(f.flash[2:], 0x234)
	mine.Patch(1, 1, f.ProgWord)
	if mine.At(0).K != 0x234 || f.core.Program.At(0).K != 0x100 {
		t.Errorf("the second word: %v, the shared program %v", mine.At(0), f.core.Program.At(0))
	}
	last := c.flash/2 - 1
	binary.LittleEndian.PutUint16(f.flash[2*last:], 0x940C) // JMP, its target in word 0
	binary.LittleEndian.PutUint16(f.flash, 0x1111)
	mine.Patch(last, 1, f.ProgWord)
	if got := mine.At(last); got.Op != OpJmp || got.K != 0x1111 {
		t.Errorf("the last word: %v", got)
	}
	binary.LittleEndian.PutUint16(f.flash, 0x2222)
	mine.Patch(0, 1, f.ProgWord)
	if got := mine.At(last); got.K != 0x2222 || *mine != *Compile(f.flash, c.flash/2, c.has) {
		t.Errorf("the last word, after the first changed: %v", got)
	}
}

// The program counter has as many bits as flash needs (doc2467, "In-System Reprogrammable Flash Program Memory").
func TestEndOfFlash(t *testing.T) {
	for _, c := range chips {
		last := c.flash/2 - 1
		for _, k := range []struct {
			name     string
			end, at0 uint16
			pc       uint32
			cycles   uint64
		}{
			{"nop", 0x0000, 0x0000, 0, 1},
			{"rjmp .+4", 0xC002, 0, 2, 2},
			{"breq .+4", 0xF011, 0, 2, 2},
			{"sbrs r1, 0 over a word", 0xFE10, 0x0000, 1, 2},
			{"sbrs r1, 0 over JMP", 0xFE10, 0x940C, 2, 3},
			{"jmp 0x222", 0x940C, 0x111, 0x111, 3},
			{"lds r0, 0x200", 0x9000, 0x200, 1, 2},
		} {
			f := newFlat(c, nil)
			binary.LittleEndian.PutUint16(f.flash[2*last:], k.end)
			binary.LittleEndian.PutUint16(f.flash, k.at0)
			f.core.Program = Compile(f.flash, c.flash/2, c.has)
			f.core.State = State{PC: last, R: [32]uint8{1: 1}}
			f.step()
			if f.core.PC != k.pc || f.core.Cycles != k.cycles || len(f.halts) > 0 {
				t.Errorf("%s: %s: at %#x after %d cycles, %v", c.name, k.name, f.core.PC, f.core.Cycles, f.halts)
			}
		}
		// Running over the end costs neither a cycle nor an instruction, and what follows knows where it is.
		f := newFlat(c, nil)
		for i, w := range []uint16{0x0000, 0xD000, 0x9598} { // nop, rcall .+0, break
			binary.LittleEndian.PutUint16(f.flash[2*i:], w)
		}
		binary.LittleEndian.PutUint16(f.flash[2*last:], 0)
		p := Compile(f.flash, c.flash/2, c.has)
		f.core.Plain, f.core.Program = p, p.Hooked([]uint32{1})
		f.core.State = State{PC: last, SP: c.ramEnd}
		f.core.Run(1000)
		if f.core.PC != 2 || f.core.Instructions != 3 || f.core.Cycles != 5+f.core.wide || f.data[c.ramEnd] != 2 ||
			!reflect.DeepEqual(f.hooks, []uint32{1}) {
			t.Errorf("%s: over the end: %+v, pushed %#x, hooks %v", c.name, f.core.State, f.data[c.ramEnd], f.hooks)
		}
		if c.has&NeedEind != 0 && f.data[c.ramEnd-2] != 0 {
			t.Errorf("%s: the return address has a bit too many", c.name)
		}
	}
}

// What a core cannot execute stops it, before the instruction and as often as it is tried.
func TestHalts(t *testing.T) {
	for word, why := range map[uint16]Halt{0x9598: HaltBreak, 0xFFFF: HaltErased, 0x0001: HaltOpcode, 0x9204: HaltOpcode} {
		f := newFlat(chipNamed(t, "atmega128"), []byte{0, 0, uint8(word), uint8(word >> 8)})
		for try := range 2 {
			f.core.Run(f.core.Cycles + 100)
			if f.core.PC != 1 || f.core.Cycles != 1 || f.core.Instructions != 1 || len(f.halts) != try+1 || f.halts[try] != why {
				t.Errorf("%#04x: at %d, %d cycles, %d instructions, %v", word, f.core.PC, f.core.Cycles, f.core.Instructions, f.halts)
			}
		}
	}
}

// SLEEP, WDR and SPM reach the chip, once each, and are over then.
func TestChipInstructions(t *testing.T) {
	f := newCore(t, "atmega128", "sleep\nwdr\nspm\nbreak")
	f.core.RAMPZ = 1
	f.core.setPtr(30, 0x1234)
	f.core.Run(1000)
	if f.slept != 1 || f.kicked != 1 || !reflect.DeepEqual(f.spm, []uint32{0x11234}) || f.core.Cycles != 3 || f.core.PC != 3 {
		t.Errorf("%d sleeps, %d kicks, SPM %x; %d cycles, at %d", f.slept, f.kicked, f.spm, f.core.Cycles, f.core.PC)
	}
}

// The unpacked status register packs to what was put in, and has one canonical form.
func TestSREG(t *testing.T) {
	for v := range 256 {
		var a, b State
		a.SetSREG(uint8(v))
		if a.SREG() != uint8(v) {
			t.Errorf("%#x comes back as %#x", v, a.SREG())
		}
		n, o, less := uint16(v>>2&1), uint16(v>>3&1), uint16(v>>4&1)
		b.hc = 0xFEEF | uint16(v>>5&1<<4|v&1<<8)
		b.vx = 0xFFFF ^ o<<7 ^ n<<13 ^ (n^o^less)<<15
		if b.nz = 0; v&2 == 0 {
			b.nz, b.vx = 0x5500|n<<7, b.vx^n<<13
		}
		b.t, b.I = uint8(v>>6&1), uint8(v>>7)
		b.Cycles, a.Cycles, b.Enabled = 9, 9, 5
		b.Canon()
		a.Canon()
		if a != b {
			t.Errorf("%#x has two canonical forms: %+v and %+v", v, a, b)
		}
	}
}

// The data space as a debugger sees it.
func TestPeekRegister(t *testing.T) {
	f := newFlat(chipNamed(t, "atmega2560"), nil)
	c := &f.core
	c.State = State{SP: 0x1234, RAMPZ: 2, EIND: 1, R: [32]uint8{31: 0x77}}
	c.SetSREG(0xA5)
	for a, want := range map[uint16]uint8{31: 0x77, AddrSPL: 0x34, AddrSPH: 0x12, AddrSREG: 0xA5, AddrRAMPZ: 2, AddrEIND: 1} {
		if v, ok := c.PeekRegister(a); !ok || v != want || c.load(a) != want {
			t.Errorf("%#x: %#x, %v", a, v, ok)
		}
	}
	if _, ok := c.PeekRegister(0x60); ok {
		t.Error("0x60 is no register of the core")
	}
	c.Store(0x60, 5)
	c.Store(0x300, 6)
	if c.load(0x60) != 5 || c.load(0x300) != 6 || c.RAM[0x100] != 6 {
		t.Error("stores do not reach memory")
	}
}
