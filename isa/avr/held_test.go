package avr

import (
	"reflect"
	"testing"
)

// What is held is read and written without the Bus, with the effects and cycles that the instructions always have.
func TestHeld(t *testing.T) {
	source := "in r16, 5\nsbic 5, 1\nrjmp .+2\ninc r2\nsbis 5, 0\ninc r3\nout 0x33, r17\nin r18, 6\nbreak"
	run := func(held *Held) *flat {
		f := newCore(t, "atmega128", source)
		f.data[0x25], f.data[0x26] = 0x5B, 0x77
		if held != nil {
			f.data[0x25], f.data[0x26] = 0, 0
		}
		f.core.R[17] = 0xF6
		if held != nil {
			f.core.Held, held.Bus = held, f
		}
		f.core.Run(1000)
		return f
	}
	asked := run(nil)
	if !reflect.DeepEqual(asked.stored, []uint16{0x53}) || asked.core.R[16] != 0x5B || asked.core.R[2] != 0 || asked.core.R[3] != 0 {
		t.Fatalf("nothing is held: stores at %x, %+v", asked.stored, asked.core.State)
	}
	var (
		shown     = uint8(0x5B)
		low, high = uint8(0x01), uint8(0x91)
		guard     uint64
		data      = uint32(0xABC_77)
		seen      uint8
		held      Held
	)
	held.Shown[5] = &shown
	held.Data = Data{Addr: 0x26, Value: &data, Guard: &seen}
	held.Sleep = SleepControl{Addr: 0x53, Bar: 1, Masks: [2]uint8{0x0E, 0xC0}, Bytes: [2]*uint8{&low, &high}, Guard: &guard}
	f := run(&held)
	if f.stored != nil || f.core.State != asked.core.State || low != 0x07 || high != 0xD1 {
		t.Errorf("held: stores at %x, %#x and %#x, %+v is not %+v", f.stored, low, high, f.core.State, asked.core.State)
	}
	if seen = 1; run(&held).core.R[18] != 0 {
		t.Error("a guarded register is read by the core")
	}
	seen = 0
	for _, k := range []struct {
		bar   uint8
		guard uint64
	}{{2, 0}, {1, 5}} {
		held.Sleep.Bar, guard = k.bar, k.guard
		low, high = 0, 0
		if f := run(&held); !reflect.DeepEqual(f.stored, []uint16{0x53}) || low != 0 || high != 0 || f.core.State != asked.core.State {
			t.Errorf("%+v: stores at %x, %#x and %#x", k, f.stored, low, high)
		}
	}
}

// A skip of which the length is not known asks the Bus.
func TestHeldSkipOverDynamic(t *testing.T) {
	f := newCore(t, "atmega128", "sbic 5, 1\nlds r0, 0x100\nbreak")
	f.core.Program.Dynamic(1, 1)
	shown := uint8(0)
	held := &Held{Bus: f}
	held.Shown[5] = &shown
	f.core.Held = held
	f.core.Run(1000)
	if f.core.PC != 3 || f.core.Cycles != 3 {
		t.Errorf("at %d after %d cycles", f.core.PC, f.core.Cycles)
	}
}

// A Bus that somebody has put in place of the chip's sees all accesses.
func TestHeldBehindAnotherBus(t *testing.T) {
	f := newCore(t, "atmega128", "in r16, 5\nbreak")
	shown := uint8(1)
	held := &Held{Bus: f}
	held.Shown[5] = &shown
	f.data[0x25] = 2
	f.core.Held, f.core.Bus = held, struct{ *flat }{f}
	if f.core.Run(1000); f.core.R[16] != 2 {
		t.Errorf("reads %d", f.core.R[16])
	}
}
