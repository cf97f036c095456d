package radio

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"motehound/mote/cell"
)

// cc1000Frame is some data to send.
var cc1000Frame = []uint8{0x00, 0xFF, 0x12, 0x34, 0x80, 0x01, 0xAA, 0x55, 0xC3, 0x7E}

// listeners is a rig whose radios all listen.
func listeners(t *testing.T, n int) *cc1000Rig {
	g := newCC1000Rig(t, n)
	for _, d := range g.nodes {
		d.init()
		d.on()
	}
	g.wait(3 * millisecond)
	return g
}

// setFrequencies gives a radio another channel: the local oscillator for reception, the lower tone for transmission.
func (d *cc1000Node) setFrequencies(rx, tx uint64) {
	word := func(hertz uint64) uint32 { return uint32(hertz*16384*d.r.refdiv()/uint64(d.r.Crystal)) - 8192 }
	for i, w := range []uint32{word(rx), word(tx)} {
		d.write(uint8(cc1000FREQ2A+3*i), uint8(w>>16))
		d.write(uint8(cc1000FREQ1A+3*i), uint8(w>>8))
		d.write(uint8(cc1000FREQ0A+3*i), uint8(w))
	}
	d.rig.wait(millisecond)
}

func TestCC1000FrequencySeparation(t *testing.T) {
	t.Parallel()
	const channel = 434_845_000 // of all radios at first
	for _, x := range []struct {
		name         string
		lo           uint64
		ok, inverted bool
	}{
		{"same channel, oscillator above", channel + 150_000, true, true},
		{"same channel, oscillator below", channel - 150_000, true, false},
		{"off by 50 kHz", channel + 150_000 + 50_000, true, true},
		{"off by 70 kHz", channel + 150_000 + 70_000, false, false},
		{"next channel", channel + 150_000 + 300_000, false, false},
		{"oscillator on the channel", channel, false, false},
	} {
		g := listeners(t, 2)
		a, b := g.nodes[0], g.nodes[1]
		b.setFrequencies(x.lo, channel-32_000)
		b.got = nil
		quiet := b.r.RSSI()
		a.txMode()
		g.wait(millisecond)
		low := b.r.RSSI()
		a.send(cc1000Frame)
		g.wait(3 * millisecond)
		got, _, ok := b.heard(len(cc1000Frame), x.inverted)
		if ok = ok && bytes.Equal(got, cc1000Frame); ok != x.ok {
			t.Errorf("%s: heard %v, want %v", x.name, ok, x.ok)
		}
		if (low < quiet) != x.ok {
			t.Errorf("%s: RSSI %d mV with a carrier, %d mV without", x.name, low, quiet)
		}
	}
}

func TestCC1000RateAndFormatMustAgree(t *testing.T) {
	t.Parallel()
	for _, modem0 := range []uint8{0x57, 0x54, 0x51, 0x45} {
		g := listeners(t, 2)
		a, b := g.nodes[0], g.nodes[1]
		b.write(cc1000MODEM0, modem0)
		a.send(cc1000Frame)
		g.wait(3 * millisecond)
		if _, _, ok := b.heard(1, true); ok {
			t.Errorf("MODEM0 %02x hears 55", modem0)
		}
	}
}

func TestCC1000CollisionAndCapture(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		strong, weak int16
		ok           bool
	}{
		{-60, -60, false}, {-60, -65, false}, {-60, -66, true}, {-60, -90, true}, {-104, -120, false}, {-100, -120, true},
	} {
		g := listeners(t, 3)
		g.gain = func(from, _ int) int16 {
			if from == 0 {
				return x.strong
			}
			return x.weak
		}
		a, b, c := g.nodes[0], g.nodes[1], g.nodes[2]
		for range 3 {
			b.queue = append(b.queue, cell.Of(0x99))
		}
		b.txMode() // stays on the air
		g.wait(millisecond)
		c.got = nil
		a.send(cc1000Frame)
		g.wait(3 * millisecond)
		got, _, ok := c.heard(len(cc1000Frame), true)
		if ok = ok && bytes.Equal(got, cc1000Frame); ok != x.ok {
			t.Errorf("%d against %d dBm: heard %v, want %v", x.strong, x.weak, ok, x.ok)
		}
	}
}

// A carrier that comes up in the middle of a frame spoils only what comes after it, and nothing once it has gone.
func TestCC1000CollisionInTheMiddle(t *testing.T) {
	t.Parallel()
	g := listeners(t, 2)
	a, b := g.nodes[0], g.nodes[1]
	data := make([]uint8, 40)
	for i := range data {
		data[i] = uint8(i * 7)
	}
	bit := uint64(d52)
	other := Heard{Kind: CarrierOn, Sender: 9, Carrier: Carrier{Hertz: 434_845_000, DBm: -62, Modulation: FSKManchester}}
	var on, off uint64
	a.queue = nil
	for _, v := range append([]uint8{0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0x33, 0xCC}, data...) {
		a.queue = append(a.queue, cell.Of(v))
	}
	a.txMode()
	for len(a.queue) > 30 {
		g.wait(bit / 10)
	}
	on = g.now
	b.act(func() { b.r.Heard(b, other) })
	for len(a.queue) > 20 {
		g.wait(bit / 10)
	}
	off = g.now
	other.Kind = CarrierOff
	b.act(func() { b.r.Heard(b, other) })
	for len(a.queue) > 0 {
		g.wait(bit)
	}
	g.wait(30 * bit)
	got, _, ok := b.heard(len(data), true)
	if !ok || len(got) != len(data) {
		t.Fatalf("heard %x", got)
	}
	wrong, first, last := 0, -1, -1
	for i := range data {
		if got[i] != data[i] {
			if wrong++; first < 0 {
				first = i
			}
			last = i
		}
	}
	bytesLong := int((off - on) / (8 * bit))
	if wrong < bytesLong-1 || last-first > bytesLong+2 {
		t.Errorf("%d bytes wrong, %d to %d, for a collision of %d bytes", wrong, first, last, bytesLong)
	}
}

func TestCC1000RSSI(t *testing.T) {
	t.Parallel()
	g := listeners(t, 1)
	d := g.nodes[0]
	on := func(sender uint16, dbm int16) {
		x := Heard{Kind: CarrierOn, Sender: sender, Carrier: Carrier{Hertz: 434_845_000, DBm: dbm, Modulation: FSK}}
		d.act(func() { d.r.Heard(d, x) })
	}
	off := func(sender uint16) { d.act(func() { d.r.Heard(d, Heard{Kind: CarrierOff, Sender: sender}) }) }
	check := func(what string, want uint16) {
		t.Helper()
		if got := d.r.RSSI(); got != want {
			t.Errorf("%s: %d mV, want %d", what, got, want)
		}
	}
	check("noise", 1087) // (105 - 49.2) / 51.3
	on(1, -80)
	check("-80 dBm", 600)
	on(2, -80)
	check("-80 dBm twice", 541) // -77 dBm
	off(1)
	check("-80 dBm again", 600)
	on(3, -40)
	check("-40 dBm", 0)
	off(3)
	off(2)
	check("noise again", 1087)
	// Nine carriers: the weakest does not count.
	for i := range uint16(9) {
		on(10+i, -100+int16(i))
	}
	off(10)
	for i := range uint16(9) {
		off(10 + i)
	}
	check("noise after many", 1087)

	d.write(cc1000FRONTEND, 0)
	check("RSSI off", 0)
	d.write(cc1000FRONTEND, 0x02)
	check("RSSI on", 1087)
	d.write(cc1000MAIN, 0xE1)
	g.wait(millisecond)
	check("transmitting", 0)
	d.off()
	check("off", 0)

	// At 868 MHz: (105 - 45.5) / 50.
	d.on()
	d.setFrequencies(868_150_000, 868_000_000)
	check("noise at 868 MHz", 1190)
}

// Low-power listening: a receiver that wakes up in the middle of a long preamble hears the frame.
func TestCC1000WakesInPreamble(t *testing.T) {
	t.Parallel()
	g := newCC1000Rig(t, 2)
	a, b := g.nodes[0], g.nodes[1]
	a.init()
	b.init()
	a.on()
	a.queue = nil
	for range 60 {
		a.queue = append(a.queue, cell.Of(0xAA))
	}
	for _, v := range append([]uint8{0x33, 0xCC}, cc1000Frame...) {
		a.queue = append(a.queue, cell.Of(v))
	}
	a.txMode()
	g.wait(5 * millisecond)
	b.on()
	g.wait(cc1000TurnOnTime)
	if v := b.r.RSSI(); v > 300 {
		t.Errorf("RSSI %d mV in a preamble", v)
	}
	for len(a.queue) > 0 {
		g.wait(d52)
	}
	g.wait(20 * d52)
	if got, _, ok := b.heard(len(cc1000Frame), true); !ok || !bytes.Equal(got, cc1000Frame) {
		t.Errorf("heard %x", got)
	}
}

// The first bits of a transmission are not right yet: after two bytes of preamble the sync word is not found.
func TestCC1000NeedsPreamble(t *testing.T) {
	t.Parallel()
	g := listeners(t, 1)
	b := g.nodes[0]
	bit := uint64(d52)
	at := g.now
	on := Heard{Kind: CarrierOn, Sender: 5, Carrier: Carrier{Hertz: 434_845_000, DBm: -50, Modulation: FSKManchester}}
	b.act(func() { b.r.Heard(b, on) })
	for i, v := range []uint8{0xAA, 0xAA, 0x33, 0xCC, 0x11} {
		g.runTo(at + uint64(i)*8*bit)
		b.act(func() { b.r.Heard(b, Heard{Kind: Byte, Sender: 5, Bit: bit, Data: cell.Of(v)}) })
	}
	g.wait(20 * bit)
	if got, _, ok := b.heard(1, true); ok {
		t.Errorf("heard %x after %d bits of preamble", got, 16)
	}
}

// A sender's clock may be off: the bit synchronizer follows, at the cost of few realignments.
func TestCC1000FollowsDrift(t *testing.T) {
	t.Parallel()
	for _, ppm := range []int64{-300, -50, 0, 50, 300} {
		g := listeners(t, 1)
		d := g.nodes[0]
		bit := uint64(d52 + d52*ppm/1_000_000)
		frame := []uint8{0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0x33, 0xCC}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 2000 {
			frame = append(frame, uint8(rng.Uint32()))
		}
		on := Heard{Kind: CarrierOn, Sender: 5, Carrier: Carrier{Hertz: 434_845_000, DBm: -50, Modulation: FSKManchester}}
		d.act(func() { d.r.Heard(d, on) })
		at := g.now
		for i, v := range frame {
			g.runTo(at + uint64(i)*8*bit)
			d.act(func() { d.r.Heard(d, Heard{Kind: Byte, Sender: 5, Bit: bit, Data: cell.Of(v)}) })
		}
		g.runTo(at + uint64(len(frame))*8*bit)
		d.act(func() { d.r.Heard(d, Heard{Kind: CarrierOff, Sender: 5}) })
		g.wait(20 * bit)
		if got, _, ok := d.heard(2000, true); !ok || !bytes.Equal(got, frame[8:]) {
			t.Errorf("%d ppm: the frame is not heard right", ppm)
		}
	}
}

// A byte whose bits are the receiver's byte keeps its expression. With the oscillator above, it is inverted, and the host says what its expression is.
func TestCC1000CellsPass(t *testing.T) {
	t.Parallel()
	cellsPass(t, 434_845_000-150_000, false, cell.Symbolic(0x42, 7))
	cellsPass(t, 434_845_000+150_000, true, cell.Symbolic(0xBD, 8))
}

// Invert implements cell.Inverter: another expression stands for the inverted byte.
func (d *cc1000Node) Invert(c cell.Cell) cell.Cell { return cell.Symbolic(^c.V(), c.Expr()+1) }

func cellsPass(t *testing.T, oscillator uint64, inverted bool, want cell.Cell) {
	t.Helper()
	passed := 0
	for k := range uint64(8) {
		g := newCC1000Rig(t, 2)
		a, b := g.nodes[0], g.nodes[1]
		a.init()
		b.init()
		a.on()
		g.wait(k * d52)
		b.on()
		b.setFrequencies(oscillator, 434_845_000)
		a.queue = nil
		for range 8 {
			a.queue = append(a.queue, cell.Of(0xAA))
		}
		a.queue = append(a.queue, cell.Of(0x33), cell.Of(0xCC), cell.Symbolic(0x42, 7), cell.Of(0))
		a.txMode()
		g.wait(10 * millisecond)
		for _, c := range b.got {
			if c == want {
				passed++
			}
			if c.Expr() != 0 && c != want {
				t.Errorf("an expression on %02x", c.V())
			}
		}
		if got, _, ok := b.heard(1, inverted); !ok || got[0] != 0x42 {
			t.Errorf("shift %d: heard %x", k, got)
		}
	}
	if passed != 1 {
		t.Errorf("the cell passed at %d of 8 alignments", passed)
	}
}

// A slave that is reset in the middle of a byte counts anew; its interrupt comes eight edges later.
func TestCC1000SlaveReset(t *testing.T) {
	t.Parallel()
	g := listeners(t, 1)
	d := g.nodes[0]
	d.act(func() { d.r.Sync(d) })
	for d.bits != 3 {
		g.wait(microsecond)
		d.act(func() { d.r.Sync(d) })
	}
	next := d.st.Edge
	d.bits, d.in, d.got, d.times = 0, 0, nil, nil
	d.act(func() { d.r.Realign(d) })
	g.wait(10 * d52)
	if len(d.times) != 1 || d.times[0] != next+7*d.st.Period {
		t.Errorf("bytes at %v, first edge at %d", d.times, next)
	}
}

// The supply going away takes the carrier off the air.
func TestCC1000PowerCycle(t *testing.T) {
	t.Parallel()
	g := listeners(t, 2)
	a, b := g.nodes[0], g.nodes[1]
	a.txMode()
	g.wait(millisecond)
	if b.r.RSSI() > 300 || b.r.captured() != 0 {
		t.Error("no carrier")
	}
	a.act(func() { a.r.PowerUp(a) })
	g.wait(millisecond)
	if b.r.captured() != cc1000None || a.r.S.Mode != cc1000Idle {
		t.Error("the carrier stays")
	}
	a.init()
	a.on()
	b.send(cc1000Frame)
	g.wait(2 * millisecond)
	if got, _, ok := a.heard(len(cc1000Frame), true); !ok || !bytes.Equal(got, cc1000Frame) {
		t.Errorf("heard %x", got)
	}
}

// Whatever firmware writes, nothing is told too late or before what Promise said (the rig checks both), and a run is repeatable.
func TestCC1000PromiseUnderRandomWrites(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) *cc1000Rig {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := newCC1000Rig(t, 3)
		for _, d := range g.nodes {
			d.init()
			d.on()
		}
		mains := []uint8{0x11, 0xE1, 0x39, 0x3B, 0x3F, 0xF1, 0xE9, 0x3A, 0xA1, 0x51, 0x31, 0x01}
		for range 400 {
			d := g.nodes[rng.IntN(len(g.nodes))]
			switch rng.IntN(12) {
			case 0, 1, 2, 3:
				d.write(cc1000MAIN, mains[rng.IntN(len(mains))])
			case 4:
				d.write(cc1000PAPOW, uint8(rng.IntN(3)*0x40))
			case 5:
				d.write(cc1000CAL, uint8(rng.IntN(2)<<7|0x26))
			case 6:
				a := uint8(rng.IntN(cc1000NumRegs))
				if a != cc1000CAL {
					d.write(a, uint8(rng.Uint32()))
				}
			case 7:
				d.act(func() { d.r.Sync(d) })
				d.bits = 0
				d.act(func() { d.r.Realign(d) })
			case 8:
				d.init()
				d.on()
			case 9:
				d.txMode()
			case 10:
				d.act(func() { d.r.PowerUp(d) })
			case 11:
				d.queue = append(d.queue, cell.Of(uint8(rng.Uint32())))
			}
			g.wait(uint64(rng.IntN(3)) * uint64(rng.IntN(2*millisecond)))
		}
		return g
	}
	sent := 0
	for seed := range uint64(12) {
		g1, g2 := run(seed), run(seed)
		for i := range g1.nodes {
			sent += g1.nodes[i].sent
			if g1.nodes[i].st != g2.nodes[i].st {
				t.Errorf("seed %d, node %d: a run differs when repeated", seed, i)
			}
		}
	}
	if sent < 400 {
		t.Errorf("only %d bytes were sent", sent)
	}
}
