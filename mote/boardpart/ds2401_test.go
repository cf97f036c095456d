package boardpart

import "testing"

// wireRig is a 1-Wire line with a pull-up, a master and one DS2401.
type wireRig struct {
	t      *testing.T
	d      *DS2401
	now    uint64
	master bool // pulls the line low
}

func newWireRig(t *testing.T) *wireRig {
	r := &wireRig{t: t, d: &DS2401{S: &DS2401State{}, ROM: DS2401ROM(0x0000_0012_3456_789A)}, now: 1_000_000 * microsecond}
	r.d.PowerUp()
	return r
}

func (r *wireRig) level() bool { return !r.master && !r.d.Pulls() }

func (r *wireRig) settle() { r.d.Line(r.level(), r.now); r.d.Line(r.level(), r.now) }

func (r *wireRig) pull(low bool) {
	r.master = low
	r.settle()
}

func (r *wireRig) wait(us uint64) {
	end := r.now + us*microsecond
	for r.d.Next() <= end {
		r.now = r.d.Next()
		r.d.Event(r.now)
		r.settle()
	}
	r.now = end
}

// The master's times are those of TinyOS's OneWireMasterC.
func (r *wireRig) reset() (present bool) {
	r.pull(true)
	r.wait(500)
	r.pull(false)
	r.wait(80)
	present = !r.level()
	r.wait(400)
	if !r.level() {
		r.t.Fatal("the presence pulse never ends")
	}
	return present
}

func (r *wireRig) write(bit uint8) {
	r.pull(true)
	if bit != 0 {
		r.wait(8)
		r.pull(false)
		r.wait(72)
		return
	}
	r.wait(72)
	r.pull(false)
	r.wait(8)
}

func (r *wireRig) writeByte(b uint8) {
	for i := range 8 {
		r.write(b >> i & 1)
	}
}

func (r *wireRig) read() uint8 {
	r.pull(true)
	r.wait(1)
	r.pull(false)
	r.wait(8)
	var bit uint8
	if r.level() {
		bit = 1
	}
	r.wait(71)
	return bit
}

func (r *wireRig) readROM() (rom [8]uint8) {
	for i := range 64 {
		rom[i/8] |= r.read() << (i % 8)
	}
	return rom
}

// The CRC of the example in Maxim's application note 27.
func TestCRC8(t *testing.T) {
	t.Parallel()
	if got := crc8([]uint8{0x02, 0x1C, 0xB8, 0x01, 0x00, 0x00, 0x00}); got != 0xA2 {
		t.Errorf("CRC %#x, want 0xA2", got)
	}
	rom := DS2401ROM(0x123456789ABC)
	if rom[0] != 0x01 || rom[1] != 0xBC || rom[6] != 0x12 || crc8(rom[:]) != 0 {
		t.Errorf("ROM %x", rom)
	}
}

func TestDS2401ReadROM(t *testing.T) {
	t.Parallel()
	r := newWireRig(t)
	if r.read() != 1 {
		t.Error("it answers before a reset")
	}
	for _, command := range []uint8{0x33, 0x0F, 0x33} {
		if !r.reset() {
			t.Fatal("no presence pulse")
		}
		r.writeByte(command)
		if got := r.readROM(); got != r.d.ROM {
			t.Errorf("command %#x: %x, want %x", command, got, r.d.ROM)
		}
		if r.read() != 1 || r.d.Next() != never {
			t.Error("it goes on after the last bit")
		}
	}
	// A reset in the middle of the number.
	r.reset()
	r.writeByte(0x33)
	for range 13 {
		r.read()
	}
	if !r.reset() {
		t.Error("no presence pulse in the middle")
	}
}

// A short low is no reset; other ROM commands leave it silent.
func TestDS2401Silent(t *testing.T) {
	t.Parallel()
	r := newWireRig(t)
	r.pull(true)
	r.wait(400)
	r.pull(false)
	r.wait(80)
	if !r.level() {
		t.Error("presence after 400 us")
	}
	r.reset()
	r.writeByte(0xCC)
	for range 64 {
		if r.read() != 1 {
			t.Fatal("it answers after Skip ROM")
		}
	}
}

// Search ROM: bit, complement, the master's choice; a wrong choice silences the chip.
func TestDS2401Search(t *testing.T) {
	t.Parallel()
	r := newWireRig(t)
	r.reset()
	r.writeByte(0xF0)
	var rom [8]uint8
	for i := range 64 {
		bit, inverse := r.read(), r.read()
		if bit == inverse {
			t.Fatalf("bit %d: %d and %d", i, bit, inverse)
		}
		rom[i/8] |= bit << (i % 8)
		r.write(bit)
	}
	if rom != r.d.ROM {
		t.Errorf("found %x, want %x", rom, r.d.ROM)
	}
	r.reset()
	r.writeByte(0xF0)
	bit := r.read()
	r.read()
	r.write(bit ^ 1)
	for range 3 {
		if r.read() != 1 {
			t.Error("it goes on after another branch was chosen")
		}
	}
}
