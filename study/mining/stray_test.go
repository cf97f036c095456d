package mining_test

import (
	"os"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/study/mining"
	"motehound/world"
)

// strayProgram has a handler that calls a routine which only a pointer in a variable leads to, every other time.
const strayProgram = `
#include <avr/interrupt.h>
#include <avr/io.h>
unsigned char seen;
__asm__(".section .progmem.hidden, \"ax\"\n.global hidden\nhidden: lds r24, seen\ninc r24\nsts seen, r24\nret\n.text\n");
extern void hidden(void);
void (*volatile call)(void) = hidden;
ISR(TIMER0_OVF_vect) { static unsigned char n; if (n++ & 1) call(); }
int main(void) { TIMSK = 1 << TOIE0; TCCR0 = 2; sei(); for (;;); }
`

// An instruction that runs in no block is counted by itself, in the intervals in which it ran.
func TestStrays(t *testing.T) {
	dir := t.TempDir()
	c, elf := filepath.Join(dir, "app.c"), filepath.Join(dir, "app.elf")
	if err := os.WriteFile(c, []byte(strayProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-o", elf, c).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	k := testkit.Bare(t, im)
	w := testkit.Alone(t, k, 1)
	collection := mining.Collection{}
	if collection.Firmware, err = mining.NewFirmware(k); err != nil {
		t.Fatal(err)
	}
	h, err := collection.Firmware.Watch(w, 0, mining.Options{Vectors: []uint16{17}}, collection.Keep) // TIMER0 OVF
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(50 * world.Millisecond)
	h.Close()
	hidden, _ := im.Symbol("hidden")
	want := []uint32{hidden.Addr, hidden.Addr + 4, hidden.Addr + 6, hidden.Addr + 10}
	if got := h.Outside(); len(got) != len(want) {
		t.Errorf("outside of blocks ran %v, want the instructions at %#x", got, want)
	}
	if collection.Len() < 20 {
		t.Fatalf("only %d intervals", collection.Len())
	}
	i := -1
	for iv := range collection.All() {
		i++
		var ran []uint32
		for _, n := range iv.Counts {
			if b := collection.Firmware.Blocks[n.Feature]; b.Start*2 >= hidden.Addr && b.Start*2 <= hidden.Addr+10 {
				ran = append(ran, b.Start*2)
				if n.N != 1 {
					t.Errorf("interval %d: the instruction at %#x was counted %d times", i, b.Start*2, n.N)
				}
			}
		}
		if expected := i % 2 * len(want); len(ran) != expected {
			t.Errorf("interval %d: counted outside of blocks: %#x, want %d instructions", i, ran, expected)
		}
	}
}
