package boardpart

import (
	"reflect"
	"testing"

	"motehound/mote/digest"
	"motehound/mote/store"
)

// flashRig bit-bangs a flash: 1 us per half clock, with the clock resting low (SPI mode 0) or high (mode 3).
type flashRig struct {
	t     *testing.T
	f     *AT45DB
	store store.Store
	now   uint64
	mode3 bool
}

func newFlashRig(t *testing.T) *flashRig {
	r := &flashRig{t: t, store: store.New(nil, AT45DBSize, 0xFF)}
	r.f = &AT45DB{S: &AT45DBState{}, Contents: &r.store}
	return r
}

func (r *flashRig) wait(ps uint64) {
	r.now += ps
	if r.f.Next() <= r.now {
		r.f.Event(r.f.Next())
	}
}

// byte exchanges one byte: data changes while the clock is low, and is sampled while it is high, as TinyOS does it.
func (r *flashRig) byte(out uint8) (in uint8) {
	for bit := 7; bit >= 0; bit-- {
		si := out>>bit&1 != 0
		if r.f.S.Clock != 0 || r.mode3 {
			r.f.Clock(false, si, r.now)
		}
		r.wait(microsecond)
		so := r.f.Clock(true, si, r.now)
		r.wait(microsecond)
		if so {
			in |= 1 << bit
		}
	}
	return in
}

// command selects, sends the bytes, reads n, and deselects.
func (r *flashRig) command(n int, out ...uint8) []uint8 {
	if !r.mode3 && r.f.S.Clock != 0 {
		r.f.Clock(false, false, r.now)
	}
	r.f.Select(true, r.now)
	for _, b := range out {
		r.byte(b)
	}
	in := make([]uint8, n)
	for i := range in {
		in[i] = r.byte(0)
	}
	r.f.Select(false, r.now)
	if _, driven := r.f.SO(); driven {
		r.t.Fatal("SO is driven without CS")
	}
	return in
}

// address is opcode, four reserved bits, page, byte.
func at45Address(opcode uint8, page, offset int) []uint8 {
	a := page<<9 | offset
	return []uint8{opcode, uint8(a >> 16), uint8(a >> 8), uint8(a)}
}

func (r *flashRig) status() uint8 { return r.command(1, 0xD7)[0] }

// finish polls the status and returns how long the operation took.
func (r *flashRig) finish() uint64 {
	start := r.now
	for r.status()&0x80 == 0 {
		r.wait(10 * microsecond)
		if r.now-start > 100_000*microsecond {
			r.t.Fatal("never ready")
		}
	}
	return r.now - start
}

func at45Equal(a, b []uint8) bool { return string(a) == string(b) }

func TestStatesArePlain(t *testing.T) {
	t.Parallel()
	for _, s := range []any{AT45DBState{}, DS2401State{}} {
		if err := digest.Plain(reflect.TypeOf(s)); err != nil {
			t.Error(err)
		}
	}
}

// Buffers, programming and reading, in both SPI modes, with both buffers.
func TestAT45DBWriteAndRead(t *testing.T) {
	t.Parallel()
	for _, mode3 := range []bool{false, true} {
		r := newFlashRig(t)
		r.mode3 = mode3
		if mode3 {
			r.f.Clock(true, false, 0)
		}
		if got := r.status(); got != 0x9C {
			t.Fatalf("status %#x, want ready, density 0111", got)
		}
		for buffer, op := range []struct{ write, program, read, transfer uint8 }{{0x84, 0x83, 0xD4, 0x53}, {0x87, 0x86, 0xD6, 0x55}} {
			page := 700 + buffer
			data := []uint8{0xDE, 0xAD, 0xBE, 0xEF}
			r.command(0, append(at45Address(op.write, 0, 262), data...)...)
			got := r.command(4, append(at45Address(op.read, 0, 262), 0)...)
			if !at45Equal(got, data) {
				t.Fatalf("buffer %d: %x (wraps at its end)", buffer+1, got)
			}
			r.command(0, at45Address(op.program, page, 0)...)
			if us := r.finish() / microsecond; us < 19_900 || us > 20_200 {
				t.Errorf("program with erase takes %d us", us)
			}
			got = r.command(4, append(at45Address(0xD2, page, 262), 0, 0, 0, 0)...)
			if !at45Equal(got, data) {
				t.Errorf("page %d: %x (wraps in the page)", page, got)
			}
			r.command(0, append(at45Address(op.write, 0, 0), 0, 0, 0)...)
			r.command(0, at45Address(op.transfer, page, 0)...)
			if us := r.finish() / microsecond; us > 300 {
				t.Errorf("transfer takes %d us", us)
			}
			if got := r.command(2, append(at45Address(op.read, 0, 0), 0)...); !at45Equal(got, data[2:]) {
				t.Errorf("transferred: %x", got)
			}
		}
	}
}

func TestAT45DBEraseAndProgram(t *testing.T) {
	t.Parallel()
	r := newFlashRig(t)
	for a := range uint32(AT45DBSize / 8) {
		r.store.Write(a, 0x3C)
	}
	r.command(0, append(at45Address(0x84, 0, 0), 0xF0)...)
	r.command(0, at45Address(0x88, 5, 0)...) // without erase: bits are cleared only
	if us := r.finish() / microsecond; us < 13_900 || us > 14_200 {
		t.Errorf("program takes %d us", us)
	}
	if got := r.store.Read(5 * at45dbPageSize); got != 0x30 {
		t.Errorf("programmed over 0x3C: %#x", got)
	}
	r.command(0, at45Address(0x81, 5, 0)...)
	if us := r.finish() / microsecond; us < 7_900 || us > 8_200 {
		t.Errorf("page erase takes %d us", us)
	}
	if r.store.Read(5*at45dbPageSize) != 0xFF || r.store.Read(6*at45dbPageSize-1) != 0xFF || r.store.Read(6*at45dbPageSize) != 0x3C {
		t.Error("not exactly the page was erased")
	}
	r.command(0, at45Address(0x50, 19, 0)...)
	if us := r.finish() / microsecond; us < 11_900 || us > 12_200 {
		t.Errorf("block erase takes %d us", us)
	}
	for page, want := range map[uint32]uint8{15: 0x3C, 16: 0xFF, 23: 0xFF, 24: 0x3C} {
		if got := r.store.Read(page * at45dbPageSize); got != want {
			t.Errorf("page %d is %#x after the erase of block 2", page, got)
		}
	}
	r.command(0, append(at45Address(0x85, 30, 7), 0x12, 0x34)...) // through buffer 2
	r.finish()
	if r.store.Read(30*at45dbPageSize+7) != 0x12 || r.store.Read(30*at45dbPageSize+8) != 0x34 {
		t.Error("main memory program through buffer 2")
	}
	before := r.store.Hash()
	r.command(0, at45Address(0x59, 30, 0)...)
	r.finish()
	if r.store.Hash() != before {
		t.Error("auto page rewrite changed the page")
	}
}

func TestAT45DBCompareAndContinuousRead(t *testing.T) {
	t.Parallel()
	r := newFlashRig(t)
	r.store.Write(AT45DBSize-1, 0x77)
	r.store.Write(0, 0x11)
	got := r.command(3, append(at45Address(0xE8, at45dbPages-1, 263), 0, 0, 0, 0)...)
	if !at45Equal(got, []uint8{0x77, 0x11, 0xFF}) {
		t.Errorf("continuous read over the end: %x", got)
	}
	r.command(0, at45Address(0x53, 0, 0)...)
	r.finish()
	for _, c := range []struct {
		page int
		want uint8
	}{{0, 0x9C}, {1, 0xDC}} {
		r.command(0, at45Address(0x60, c.page, 0)...)
		r.finish()
		if got := r.status(); got != c.want {
			t.Errorf("compared with page %d: status %#x, want %#x", c.page, got, c.want)
		}
	}
}

// "The user can continuously poll bit 7 by stopping SCK at a low level"; the memory cannot be used meanwhile, the
// other buffer can.
func TestAT45DBBusy(t *testing.T) {
	t.Parallel()
	r := newFlashRig(t)
	r.store.Write(0, 0x42)
	r.command(0, at45Address(0x81, 9, 0)...)
	if got := r.command(1, append(at45Address(0xD2, 0, 0), 0, 0, 0, 0)...); got[0] != 0 {
		t.Errorf("read while busy: %#x", got[0])
	}
	r.command(0, at45Address(0x81, 0, 0)...)
	r.command(0, append(at45Address(0x87, 0, 0), 0xAB)...)
	if got := r.command(1, append(at45Address(0xD6, 0, 0), 0)...); got[0] != 0xAB {
		t.Errorf("buffer 2 while busy: %#x", got[0])
	}
	r.f.Clock(false, false, r.now)
	r.f.Select(true, r.now)
	r.byte(0xD7)
	if so := r.f.Clock(false, false, r.now); so {
		t.Error("ready during an erase")
	}
	r.f.Event(r.f.Next())
	if so, driven := r.f.SO(); !so || !driven {
		t.Error("SO does not follow the status")
	}
	if r.f.Next() != never {
		t.Error("an event is pending")
	}
	r.f.Select(false, r.now)
	if r.store.Read(0) != 0x42 {
		t.Error("a command was accepted while busy")
	}
}

// The other read opcodes: the same in mode 3; with the clock resting low their data comes one clock later.
func TestAT45DBInactiveClockPolarity(t *testing.T) {
	t.Parallel()
	for _, mode3 := range []bool{false, true} {
		r := newFlashRig(t)
		r.mode3 = mode3
		if mode3 {
			r.f.Clock(true, false, 0)
		}
		r.store.Write(0, 0xA5)
		r.command(0, append(at45Address(0x84, 0, 0), 0xA5)...)
		for _, op := range [][]uint8{append(at45Address(0x52, 0, 0), 0, 0, 0, 0), append(at45Address(0x68, 0, 0), 0, 0, 0, 0), append(at45Address(0x54, 0, 0), 0)} {
			want := uint8(0xA5 >> 1)
			if mode3 {
				want = 0xA5
			}
			if got := r.command(1, op...); got[0] != want {
				t.Errorf("mode 3 %t, opcode %#x: %#x, want %#x", mode3, op[0], got[0], want)
			}
		}
	}
}

// A command cut short does nothing.
func TestAT45DBShortCommand(t *testing.T) {
	t.Parallel()
	r := newFlashRig(t)
	r.store.Write(0, 0x42)
	r.command(0, 0x81, 0, 0)
	if r.status() != 0x9C || r.store.Read(0) != 0x42 {
		t.Error("erased")
	}
	r.command(0, 0x00, 0, 0, 0)
	r.command(0, 0xFF, 0, 0, 0)
	if r.status() != 0x9C {
		t.Error("an unknown opcode does something")
	}
}
