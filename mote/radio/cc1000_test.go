package radio

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"motehound/mote/cell"
	"motehound/mote/digest"
)

func TestCC1000StateIsPlain(t *testing.T) {
	t.Parallel()
	if err := digest.Plain(reflect.TypeFor[CC1000State]()); err != nil {
		t.Error(err)
	}
}

// The register table against its datasheet: which addresses exist, and that all bits are either writable or status.
func TestCC1000RegisterTable(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for a, x := range cc1000Registers {
		exists := a <= cc1000FSCTRL || a == cc1000PRESCALER || a >= cc1000TEST6
		if exists != (x.name != "") {
			t.Errorf("register %02x: name %q", a, x.name)
		}
		if names[x.name] && exists {
			t.Errorf("two registers %s", x.name)
		}
		names[x.name] = true
	}
	if len(names)-1 != 28 {
		t.Errorf("%d registers, the datasheet has 28", len(names)-1)
	}
}

func TestCC1000RegisterAccess(t *testing.T) {
	t.Parallel()
	d := newCC1000Rig(t, 1).nodes[0]
	d.write(cc1000MAIN, cc1000MainOff|cc1000RESETN)
	for a := uint8(1); a < cc1000NumRegs; a++ {
		x := cc1000Registers[a]
		if x.name == "" {
			continue
		}
		if got := d.read(a); got != x.reset {
			t.Errorf("%s is %02x after power-up, want %02x", x.name, got, x.reset)
		}
		if a == cc1000CAL {
			continue // starts something
		}
		for _, v := range []uint8{0xFF, 0x00, 0xA5, 0x5A} {
			d.write(a, v)
			if got, want := d.read(a), x.reset&^x.write|v&x.write; got != want {
				t.Errorf("%s: wrote %02x, read %02x, want %02x", x.name, v, got, want)
			}
		}
	}
	d.write(cc1000MAIN, cc1000MainOff)
	d.write(cc1000FSEP0, 0x12)
	if d.notes["cc1000-held-in-reset"] == "" {
		t.Error("no notice of a write in reset")
	}
	d.write(cc1000MAIN, cc1000MainOff|cc1000RESETN)
	for a := uint8(1); a < cc1000NumRegs; a++ {
		if x := cc1000Registers[a]; x.name != "" && d.read(a) != x.reset {
			t.Errorf("%s is %02x after RESET_N, want %02x", x.name, d.read(a), x.reset)
		}
	}
	if d.read(0x20) != 0 || d.notes["cc1000-register-20"] == "" {
		t.Error("an address without register: no notice")
	}
}

// An access that PALE cuts short does nothing.
func TestCC1000AbortedAccess(t *testing.T) {
	t.Parallel()
	d := newCC1000Rig(t, 1).nodes[0]
	d.write(cc1000MAIN, cc1000MainOff|cc1000RESETN)
	d.r.SetPALE(d, false)
	for range 5 {
		d.clock()
	}
	d.r.SetPALE(d, true)
	d.clockOut(0xFF)
	d.r.SetPALE(d, false)
	d.clockOut(cc1000MATCH<<1 | 1)
	d.r.SetPALE(d, true)
	d.clock()
	for a := uint8(1); a < cc1000NumRegs; a++ {
		if d.st.Reg[a] != cc1000Registers[a].reset {
			t.Errorf("register %02x changed", a)
		}
	}
	d.write(cc1000MATCH, 0x71)
	if d.read(cc1000MATCH) != 0x71 {
		t.Error("the next access fails")
	}
}

func TestCC1000Calibration(t *testing.T) {
	t.Parallel()
	g := newCC1000Rig(t, 1)
	d := g.nodes[0]
	d.write(cc1000MAIN, 0x3B)
	d.write(cc1000PLL, 11<<3)
	d.write(cc1000CAL, 0xA6)
	if d.notes["cc1000-calibration-off"] == "" {
		t.Error("no notice of a calibration without a clock")
	}
	g.wait(50 * Millisecond)
	if d.read(cc1000CAL) != 0xA6 {
		t.Errorf("CAL is %02x with the synthesizer off", d.read(cc1000CAL))
	}
	d.write(cc1000MAIN, 0x11)
	from := g.now
	for d.read(cc1000CAL)&cc1000CalComplete == 0 {
		if d.read(cc1000LOCK)&3 != 0 {
			t.Fatal("locked during the calibration")
		}
	}
	// 34 ms at 1 MHz, here at 14.7456/11 MHz: 25.4 ms.
	if took := g.now - from; took < 25*Millisecond || took > 26*Millisecond {
		t.Errorf("the calibration took %d us", took/Microsecond)
	}
	if d.read(cc1000LOCK)&3 != 3 {
		t.Error("not locked after the calibration")
	}
	d.write(cc1000CAL, 0x26)
	if d.read(cc1000CAL) != 0x2E {
		t.Errorf("CAL is %02x after the calibration", d.read(cc1000CAL))
	}
	d.write(cc1000CAL, 0xA6)
	if d.read(cc1000CAL) != 0xA6 {
		t.Errorf("CAL is %02x in the second calibration", d.read(cc1000CAL))
	}
	d.write(cc1000CAL, 0x26)
	g.wait(cc1000TurnTime)
	if d.read(cc1000LOCK)&3 != 3 || d.read(cc1000CAL) != 0x26 {
		t.Error("an aborted calibration")
	}
}

// CHP_OUT, for every selection that is modelled.
func TestCC1000CHPOut(t *testing.T) {
	t.Parallel()
	g := newCC1000Rig(t, 1)
	d := g.nodes[0]
	d.init()
	d.on()
	g.wait(Millisecond)
	for sel, want := range map[uint8]bool{0: false, 1: true, 2: true, 3: false, 5: true, 6: false, 8: false, 9: true, 10: true, 15: false} {
		d.write(cc1000LOCK, sel<<4)
		if d.pin != want {
			t.Errorf("receiving noise, LOCK_SELECT %d: CHP_OUT is %v", sel, d.pin)
		}
	}
	d.write(cc1000LOCK, 1<<4)
	d.write(cc1000MAIN, 0xE1)
	if d.pin {
		t.Error("LOCK right after the switch to transmit")
	}
	g.wait(cc1000TurnTime - cc1000Edge - 10) // the write was over with the last falling edge
	if d.pin {
		t.Error("LOCK too early")
	}
	g.wait(10)
	if !d.pin {
		t.Error("no LOCK")
	}
	d.off()
	if d.pin {
		t.Error("LOCK in power-down")
	}
}

func TestCC1000Frequencies(t *testing.T) {
	t.Parallel()
	g := newCC1000Rig(t, 1)
	d := g.nodes[0]
	d.init()
	d.on()
	// FREQ_A 0x510000, REFDIV 11: 14.7456 MHz / 11 * 324.5; FREQ_B is 150 kHz below it in the middle of two tones 64 kHz apart.
	if got := d.r.Hertz(); got != 434_995_200 {
		t.Errorf("local oscillator %d Hz", got)
	}
	d.write(cc1000MAIN, 0xE1)
	if c := d.r.Carrier(); c.Hertz < 434_845_000 || c.Hertz > 434_845_400 || c.Modulation != FSKManchester {
		t.Errorf("carrier %+v", c)
	}
	for _, x := range []struct {
		hertz   uint64
		setting uint8
		dbm     int8
	}{
		{434e6, 0xFF, 10}, {434e6, 0x80, 6}, {434e6, 0x0F, 0}, {434e6, 0x01, -20}, {434e6, 0x3F, 0},
		{868e6, 0xFF, 5}, {915e6, 0x80, 0}, {915e6, 0x0F, -6}, {868e6, 0x02, -20},
	} {
		if got := cc1000Power(x.setting, x.hertz); got != x.dbm {
			t.Errorf("PA_POW %02x at %d: %d dBm, want %d", x.setting, x.hertz, got, x.dbm)
		}
	}
	for i := 1; i < len(cc1000Powers); i++ {
		a, b := cc1000Powers[i-1], cc1000Powers[i]
		if a.setting >= b.setting || a.low433 > b.low433 || a.low868 > b.low868 {
			t.Errorf("power table not in order at %02x", b.setting)
		}
	}
}

func TestCC1000DataRates(t *testing.T) {
	t.Parallel()
	d := newCC1000Rig(t, 1).nodes[0]
	for _, x := range []struct {
		modem0 uint8
		bit    uint64
	}{
		{0x55, 52_083_333}, // 38.4 kBaud, Manchester: 19.2 kbit/s, as on the Mica2
		{0x51, 26_041_666}, // 38.4 kBaud, NRZ
		{0x54, 26_041_666}, // 76.8 kBaud, Manchester
		{0x57, 104_166_666},
		{0x27, 833_333_333}, // 2.4 kBaud, Manchester
		{0x59, 0},           // UART
		{0x75, 0},
	} {
		d.st.Reg[cc1000MODEM0] = x.modem0
		if got := d.r.bitTime(d); got != x.bit {
			t.Errorf("MODEM0 %02x: a bit of %d ps, want %d", x.modem0, got, x.bit)
		}
	}
	if d.notes["cc1000-uart"] == "" || d.notes["cc1000-baud"] == "" {
		t.Error("no notice of what is not modelled")
	}
}

// A microcontroller that listens takes one event per byte, 19.2 kbit/s, and hears bits that look random.
func TestCC1000IdleListening(t *testing.T) {
	t.Parallel()
	g := newCC1000Rig(t, 1)
	d := g.nodes[0]
	d.init()
	d.on()
	g.wait(Millisecond)
	d.events, d.got, d.times = [cc1000NumKinds]int{}, nil, nil
	g.wait(1000 * Millisecond)
	if len(d.got) != 2400 {
		t.Errorf("%d bytes in a second", len(d.got))
	}
	if n := d.events[cc1000Clock]; n != len(d.got) {
		t.Errorf("%d events for %d bytes", n, len(d.got))
	}
	for i := 1; i < len(d.times); i++ {
		if d.times[i]-d.times[i-1] != 8*52_083_333 {
			t.Fatalf("byte %d comes %d ps after the one before", i, d.times[i]-d.times[i-1])
		}
	}
	ones, counts := 0, [256]int{}
	for _, c := range d.got {
		counts[c.V()]++
		for v := c.V(); v != 0; v &= v - 1 {
			ones++
		}
	}
	if ones < 9300 || ones > 9900 {
		t.Errorf("%d ones in %d bits", ones, 8*len(d.got))
	}
	for v, n := range counts {
		if n > 40 {
			t.Errorf("byte %02x comes %d times", v, n)
		}
	}
	if d.chosen != 1 {
		t.Errorf("%d choices", d.chosen)
	}
}

// A frame passes bit by bit, wherever the receiver's bytes begin, with Manchester coding and without.
func TestCC1000FrameAtEveryAlignment(t *testing.T) {
	t.Parallel()
	data := []uint8{0x00, 0xFF, 0x12, 0x34, 0x80, 0x01, 0xAA, 0x55, 0xC3}
	for _, format := range []uint8{0x55, 0x51} {
		seen := map[int]bool{}
		for k := range uint64(16) {
			g := newCC1000Rig(t, 2)
			a, b := g.nodes[0], g.nodes[1]
			for _, d := range g.nodes {
				d.init()
				d.write(cc1000MODEM0, format)
			}
			a.on()
			g.wait(k * d52 / 2)
			b.on()
			g.wait(3 * Millisecond)
			b.got, b.events = nil, [cc1000NumKinds]int{}
			a.send(data)
			g.wait(3 * Millisecond)
			got, offset, ok := b.heard(len(data), true)
			if !ok || !bytes.Equal(got, data) {
				t.Fatalf("format %02x, shift %d: heard %x in %s", format, k, got, g.dump(b))
			}
			seen[offset] = true
			if b.events[cc1000Clock] > len(b.got)+2 {
				t.Errorf("%d events for %d bytes received", b.events[cc1000Clock], len(b.got))
			}
		}
		if len(seen) != 8 {
			t.Errorf("format %02x: alignments seen: %v", format, seen)
		}
	}
}

// d52 is a bit of 19.2 kbit/s.
const d52 = 52_083_333

// What the slave sees does not depend on how often Sync is called.
func TestCC1000SyncChangesNothing(t *testing.T) {
	t.Parallel()
	frame := func(sync bool) (*cc1000Rig, []cell.Cell) {
		rng := rand.New(rand.NewPCG(1, 2))
		g := newCC1000Rig(t, 2)
		for _, d := range g.nodes {
			d.init()
			d.on()
		}
		a, b := g.nodes[0], g.nodes[1]
		for _, v := range []uint8{0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0x33, 0xCC, 1, 2, 3, 4} {
			a.queue = append(a.queue, cell.Of(v))
		}
		a.txMode()
		for range 400 {
			g.wait(uint64(rng.IntN(40_000_000)))
			if sync {
				a.act(func() { a.r.Sync(a) })
				b.act(func() { b.r.Sync(b) })
			}
		}
		a.act(func() { a.r.Sync(a) })
		b.act(func() { b.r.Sync(b) })
		return g, b.got
	}
	g1, got1 := frame(false)
	g2, got2 := frame(true)
	if !reflect.DeepEqual(got1, got2) {
		t.Errorf("heard\n%v with Sync\n%v without", got2, got1)
	}
	for i := range g1.nodes {
		if g1.nodes[i].st != g2.nodes[i].st {
			t.Errorf("node %d: states differ:\n%+v\n%+v", i, g1.nodes[i].st, g2.nodes[i].st)
		}
	}
}

// A mote that acknowledges hears and is heard: TinyOS's acknowledgement, whose last byte is followed by one byte of flush.
func TestCC1000Acknowledgement(t *testing.T) {
	t.Parallel()
	g := newCC1000Rig(t, 2)
	for _, d := range g.nodes {
		d.init()
		d.on()
	}
	a, b := g.nodes[0], g.nodes[1]
	g.wait(5 * Millisecond)
	a.send([]uint8{1, 2, 3})
	g.wait(2 * d52)
	b.queue = nil
	for _, v := range []uint8{0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0x33, 0xCC, 0xBA, 0x83} {
		b.queue = append(b.queue, cell.Of(v))
	}
	b.txMode()
	for len(b.queue) > 0 {
		g.wait(Microsecond)
	}
	g.wait(8 * d52)
	b.rxMode() // the last byte has gone just now
	g.wait(5 * Millisecond)
	if got, _, ok := a.heard(2, true); !ok || got[0] != 0xBA || got[1] != 0x83 {
		t.Errorf("heard %x: %s", got, g.dump(a))
	}
	if got, _, ok := b.heard(3, true); ok && !bytes.Equal(got, []uint8{1, 2, 3}) {
		t.Errorf("heard %x", got)
	}
}
