package kernel

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/isa/avr"
)

// flash is a program of words with symbols, as an ELF loader would give it.
func flash(words []uint16, symbols ...image.Symbol) *code {
	im := &image.Image{Path: "test.elf", Symbols: symbols}
	for _, w := range words {
		im.Flash = binary.LittleEndian.AppendUint16(im.Flash, w)
	}
	return newCode(im, avr.Compile(im.Flash, 1<<16, avr.AVRePlusElpm))
}

func function(at, words uint32) image.Symbol {
	return image.Symbol{Name: fmt.Sprintf("f%d", at), Kind: image.Func, Space: image.Flash, Addr: 2 * at, Size: 2 * words}
}

// Stores are found through constants in pointers too, and only as far as the constants are certain.
func TestStores(t *testing.T) {
	t.Parallel()
	c := flash([]uint16{
		0xE0E4, // 0 ldi r30, 0x04
		0xE0F1, // 1 ldi r31, 0x01
		0x8380, // 2 st Z, r24: 0x104
		0x8391, // 3 std Z+1, r25: 0x105
		0x9381, // 4 st Z+, r24: 0x104, and Z moves
		0x8380, // 5 st Z, r24: anywhere
		0x9380, // 6 sts 0x104, r24
		0x0104,
		0x01DF, // 8 movw r26, r30
		0x938C, // 9 st X, r24: anywhere
		0xE0E4, // 10 ldi r30, 0x04
		0xE0F1, // 11 ldi r31, 0x01
		0x8380, // 12 st Z, r24: a branch leads here
		0xF7F1, // 13 brne .-4
		0x9508, // 14 ret
	}, function(0, 15))
	for addr, want := range map[uint32]string{0x104: "[2 4 6]", 0x105: "[3]"} {
		var at []uint32
		for _, x := range c.stores(addr) {
			at = append(at, x.pc)
		}
		if got := fmt.Sprint(at); got != want {
			t.Errorf("stores to 0x%x at %s, want %s", addr, got, want)
		}
	}
}

// A case of a switch statement is entered by the table too, so what the case before has loaded is not certain there.
func TestStoresInCases(t *testing.T) {
	t.Parallel()
	c := flash([]uint16{
		0x3082, // 0 cpi r24, 2
		0xF470, // 1 brcc 16
		0x2FE8, // 2 mov r30, r24
		0xE0F0, // 3 ldi r31, 0
		0x0FEE, // 4 add r30, r30
		0x1FFF, // 5 adc r31, r31
		0x5DEE, // 6 subi r30, lo8(-34)
		0x4FFF, // 7 sbci r31, hi8(-34)
		0x9005, // 8 lpm r0, Z+
		0x91F4, // 9 lpm r31, Z
		0x2DE0, // 10 mov r30, r0
		0x9409, // 11 ijmp
		0xE0E4, // 12 ldi r30, 0x04: case 0
		0xE0F1, // 13 ldi r31, 0x01
		0x8380, // 14 st Z, r24: case 1
		0x9508, // 15 ret
		0x9508, // 16 ret
		12, 14, // 17 the table
	}, function(0, 17))
	if got := c.stores(0x104); len(got) > 0 {
		t.Errorf("a store to 0x104 at %d, which case 1 does not do", got[0].pc)
	}
}

// A function's callers' callers are where a tail call returns to.
func TestReturns(t *testing.T) {
	t.Parallel()
	c := flash([]uint16{
		0xD005, // 0 rcall 6
		0xD003, // 1 rcall 5
		0xCFFD, // 2 rjmp 0
		0x0000,
		0x0000,
		0xC000, // 5 rjmp 6: a tail call
		0x9508, // 6 ret
	}, function(0, 3), function(5, 1), function(6, 1))
	if got := fmt.Sprint(c.returns(6)); got != "[1 2]" {
		t.Errorf("returns to %s, want [1 2]", got)
	}
}

// fake is a CPU of which only the stack pointer is of interest.
type fake struct{ sp uint16 }

func (f *fake) Reg(int) uint8     { return 0 }
func (f *fake) SP() uint16        { return f.sp }
func (f *fake) Peek(uint16) uint8 { return 0 }
func (f *fake) Sum(uint32) uint64 { return 0 }

// Handlers that never return do not pile up, and a reset forgets everything.
func TestEndlessNesting(t *testing.T) {
	t.Parallel()
	c := flash([]uint16{0x9508, 0x9518}, function(0, 2)) // ret, reti
	p, err := findProfile(c.im, c.program)
	if err != nil || p.Kernel != "none" {
		t.Fatal(p, err)
	}
	if got := fmt.Sprint(p.Hooks()); got != "[0 1]" {
		t.Fatalf("hooks at %s", got)
	}
	cpu := &fake{sp: 0x1000}
	w := p.Watch(cpu)
	open := 0
	for i := range 100 {
		cpu.sp -= 20
		for _, it := range w.Interrupt(uint64(i), uint8(2+i%20)) {
			switch it.Kind {
			case Int:
				open++
			case Reti:
				open--
			}
		}
	}
	if open != maxHandlers {
		t.Errorf("%d handlers are open, want %d", open, maxHandlers)
	}
	snapshot := w.Tracker
	if items := w.At(200, 0); len(items) != 1 || items[0].Kind != Reset {
		t.Errorf("at the reset vector: %v", items)
	}
	if items := w.At(201, 1); len(items) != 0 {
		t.Errorf("a RETI outside of a handler: %v", items)
	}
	w.Tracker = snapshot
	if items := w.At(202, 1); len(items) != 1 || items[0].Kind != Reti {
		t.Errorf("with the state put back: %v", items)
	}
	cpu.sp = 0x1000 // longjmp out of all of them
	if items := w.At(203, 1); len(items) != maxHandlers-1 {
		t.Errorf("%d handlers ended, want %d", len(items), maxHandlers-1)
	}
	if items := w.At(204, 77); items != nil {
		t.Errorf("where nothing is hooked: %v", items)
	}
}

// What looks like a kernel, but cannot be watched, is an error that says what to do.
func TestHalfAKernel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ variables, want string }{
		{"TOSH_queue[4], TOSH_sched_full, TOSH_sched_free", "looks like TinyOS 1, but the function TOS_post is missing"},
		{"process_current, events[5], nevents, fevent, poll_requested", "looks like Contiki, but no store that takes an event out"},
	} {
		dir := t.TempDir()
		source, elf := filepath.Join(dir, "half.c"), filepath.Join(dir, "half.elf")
		if err := os.WriteFile(source, []byte("volatile char "+c.variables+"; int main(void) { for (;;) ; }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-o", elf, source).CombinedOutput(); err != nil {
			t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
		}
		im, err := image.Load(elf)
		if err != nil {
			t.Fatal(err)
		}
		_, err = findProfile(im, avr.Compile(im.Flash, 1<<16, avr.AVRePlusElpm))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "docs/adding-a-kernel.md") {
			t.Errorf("%s: %v", c.variables, err)
		}
	}
}

func FuzzDescription(f *testing.F) {
	f.Add([]byte(`{"post": [{"at": "main", "task": "r24", "fails": "r24 != 0"}], "run": [{"at": "0x2", "task": "r25:r24"}], "tasks": {"1": "x"}}`))
	f.Add([]byte(`{"post": [{"at": "main", "task": "TOS_NODE_ID"}], "run": [{"icall_in": "main", "task": "r3"}], "functions": true, "enum": "task_id"}`))
	blink := examples.All[0]
	im, err := image.Parse(blink.File(), blink.ELF())
	if err != nil {
		f.Fatal(err)
	}
	program := avr.Compile(im.Flash, 1<<16, avr.AVRePlusElpm)
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseDescription("kernel.json", text)
		if err != nil {
			return
		}
		if p, err := d.Profile(im, program); err == nil {
			p.TaskName(1)
			w := p.Watch(&fake{sp: 0x1000})
			for _, pc := range p.Hooks() {
				w.At(0, pc)
			}
		}
	})
}
