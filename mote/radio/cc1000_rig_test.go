package radio

import (
	"fmt"
	"sort"
	"testing"

	"motehound/mote/cell"
)

// cc1000Rig is some CC1000s on one air under one clock. Every tell is checked against MinLookahead and Promise.
type cc1000Rig struct {
	t     *testing.T
	now   uint64
	nodes []*cc1000Node
	air   []cc1000AirItem
	gain  func(from, to int) int16
	seq   int
}

type cc1000AirItem struct {
	at   uint64
	seq  int
	from int
	x    Heard
}

// cc1000Node is a radio with its microcontroller: the Host and the BitPort.
type cc1000Node struct {
	rig    *cc1000Rig
	id     int
	st     cc1000State
	r      cc1000
	plans  [cc1000NumKinds]uint64
	events [cc1000NumKinds]int
	pin    bool
	seed   uint32
	chosen int
	notes  map[string]string
	bound  uint64 // what Promise said before what goes on now
	last   uint64
	lastAt uint64 // of what was told to the air

	shift cell.Cell // SPI slave
	bits  uint8
	in    uint8
	got   []cell.Cell
	times []uint64 // when each byte of got was complete
	queue []cell.Cell
	sent  int
}

func newCC1000Rig(t *testing.T, n int) *cc1000Rig {
	g := &cc1000Rig{t: t, gain: func(int, int) int16 { return -60 }}
	for i := range n {
		d := &cc1000Node{rig: g, id: i, seed: uint32(i), notes: map[string]string{}}
		for k := range d.plans {
			d.plans[k] = Never
		}
		d.r = cc1000{S: &d.st, Modem: d, Crystal: 14_745_600}
		g.nodes = append(g.nodes, d)
		d.act(func() { d.r.PowerUp(d) })
	}
	return g
}

// act is something that happens in a mote now.
func (d *cc1000Node) act(f func()) {
	d.bound = d.r.Promise(d.last, d.rig.now)
	f()
	d.last = d.rig.now
}

func (d *cc1000Node) Time() uint64 { return d.rig.now }
func (d *cc1000Node) Plan(kind uint8, at uint64) {
	if at < d.rig.now {
		d.rig.t.Fatalf("node %d plans kind %d %d ps in the past", d.id, kind, d.rig.now-at)
	}
	d.plans[kind] = at
}
func (d *cc1000Node) SetPin(pin uint8, level bool) {
	if pin != PinCHPOUT {
		d.rig.t.Fatalf("pin %d", pin)
	}
	d.pin = level
}
func (d *cc1000Node) Release(pin uint8) { d.rig.t.Fatalf("pin %d", pin) }
func (d *cc1000Node) CatchUp()          {}
func (d *cc1000Node) Replan()           {}
func (d *cc1000Node) tell(at uint64, x Heard) {
	g := d.rig
	if at < g.now+MinLookahead {
		g.t.Fatalf("node %d tells of %v only %d ps ahead", d.id, x.Kind, at-g.now)
	}
	if at < d.bound {
		g.t.Fatalf("node %d tells of %v at %d, promised nothing before %d", d.id, x.Kind, at, d.bound)
	}
	if at < d.lastAt {
		g.t.Fatalf("node %d tells of %v at %d, after what it told for %d", d.id, x.Kind, at, d.lastAt)
	}
	d.lastAt = at
	x.Sender = uint16(d.id)
	g.seq++
	g.air = append(g.air, cc1000AirItem{at, g.seq, d.id, x})
	sort.SliceStable(g.air, func(i, j int) bool { return g.air[i].at < g.air[j].at })
}
func (d *cc1000Node) SwitchOn(at uint64, c Carrier) { d.tell(at, Heard{Kind: CarrierOn, Carrier: c}) }
func (d *cc1000Node) Emit(at, bit uint64, c cell.Cell) {
	d.sent++
	d.tell(at, Heard{Kind: Byte, Bit: bit, Data: c})
	d.lastAt = at + 8*bit - 8
	if d.r.S.OnAir == 0 {
		d.rig.t.Fatalf("node %d emits without a carrier", d.id)
	}
}
func (d *cc1000Node) SwitchOff(at uint64) {
	d.lastAt = min(d.lastAt, at) // a byte may be cut
	d.tell(at, Heard{Kind: CarrierOff})
}
func (d *cc1000Node) Choose(options uint32) uint32 {
	d.chosen++
	return d.seed % options
}
func (d *cc1000Node) Notice(key, text string) { d.notes[key] = text }

func (d *cc1000Node) Shown() (cell.Cell, uint8) { return d.shift, d.bits }
func (d *cc1000Node) ShiftBit(in bool) bool {
	out := d.shift.V()<<d.bits&0x80 != 0
	d.in <<= 1
	if in {
		d.in |= 1
	}
	if d.bits++; d.bits == 8 {
		d.bits = 0
		d.received(cell.Of(d.in))
	}
	return out
}
func (d *cc1000Node) ShiftByte(in cell.Cell) cell.Cell {
	if d.bits != 0 {
		d.rig.t.Fatalf("node %d: ShiftByte in the middle of a byte", d.id)
	}
	out := d.shift
	d.received(in)
	return out
}

// received is the SPI interrupt: the next byte goes to SPDR.
func (d *cc1000Node) received(c cell.Cell) {
	d.got, d.times = append(d.got, c), append(d.times, d.rig.now)
	d.shift = c
	if len(d.queue) > 0 {
		d.shift, d.queue = d.queue[0], d.queue[1:]
	}
}

func (d *cc1000Node) next() (at uint64, kind int) {
	at = Never
	for k, t := range d.plans {
		if t < at {
			at, kind = t, k
		}
	}
	return at, kind
}

// runTo lets time pass.
func (g *cc1000Rig) runTo(end uint64) {
	for {
		at, who, kind := uint64(Never), -1, 0
		for i, d := range g.nodes {
			if t, k := d.next(); t < at {
				at, who, kind = t, i, k
			}
		}
		if len(g.air) > 0 && g.air[0].at <= at {
			at, who = g.air[0].at, -1
		}
		if at > end {
			g.now = end
			return
		}
		g.now = at
		if who < 0 {
			g.deliver()
			continue
		}
		d := g.nodes[who]
		d.plans[kind] = Never
		d.events[kind]++
		d.act(func() { d.r.Event(d, uint8(kind)) })
	}
}

func (g *cc1000Rig) deliver() {
	a := g.air[0]
	g.air = g.air[1:]
	for i, d := range g.nodes {
		if i == a.from || a.x.Kind == Byte && !d.r.Listening() {
			continue
		}
		x := a.x
		if x.Kind == CarrierOn {
			x.Carrier.DBm = g.gain(a.from, i)
		}
		d.act(func() { d.r.Heard(d, x) })
	}
}

func (g *cc1000Rig) wait(d uint64) { g.runTo(g.now + d) }

// cc1000Edge is the time between two changes of a port pin on the configuration interface.
const cc1000Edge = 2 * microsecond

func (d *cc1000Node) clockOut(v uint8) {
	for i := 7; i >= 0; i-- {
		d.r.setPDATA(d, v>>i&1 != 0)
		d.clock()
	}
}

func (d *cc1000Node) clock() {
	d.rig.wait(cc1000Edge)
	d.act(func() { d.r.setPCLK(d, false) })
	d.rig.wait(cc1000Edge)
	d.act(func() { d.r.setPCLK(d, true) })
}

// write is HplCC1000.write of TinyOS.
func (d *cc1000Node) write(a, v uint8) {
	d.r.setPALE(d, false)
	d.clockOut(a<<1 | 1)
	d.r.setPALE(d, true)
	d.clockOut(v)
	d.r.setPDATA(d, true)
}

// read is HplCC1000.read.
func (d *cc1000Node) read(a uint8) (v uint8) {
	d.r.setPALE(d, false)
	d.clockOut(a << 1)
	if _, driven := d.r.pdata(); driven {
		d.rig.t.Fatal("the radio drives PDATA before PALE rises")
	}
	d.r.setPALE(d, true)
	for range 8 {
		before, _ := d.r.pdata()
		d.rig.wait(cc1000Edge)
		d.r.setPCLK(d, false)
		level, driven := d.r.pdata()
		if !driven || level != before {
			d.rig.t.Fatalf("PDATA is not stable at the falling edge of PCLK (driven %v)", driven)
		}
		v <<= 1
		if level {
			v |= 1
		}
		d.rig.wait(cc1000Edge)
		d.r.setPCLK(d, true)
	}
	if _, driven := d.r.pdata(); driven {
		d.rig.t.Fatal("the radio still drives PDATA after a read")
	}
	return v
}

// cc1000Preset is TinyOS's CC1K_Params for 434.845 MHz: FREQ_2A to PLL, then MATCH and the transmit current.
var cc1000Preset = []uint8{0x51, 0, 0, 0x50, 0xF7, 0x4F, 0x03, 0x0E, 0x44, 0x02, 0x0F, 0x58}

const (
	cc1000RxCurrent = 0x44
	cc1000TxCurrent = 0x81
)

// init is CC1000Control.init of TinyOS 2.
func (d *cc1000Node) init() {
	d.write(cc1000MAIN, 0x3F)
	d.write(cc1000PAPOW, 0)
	d.write(cc1000MAIN, 0x3A)
	d.coreOn()
	d.rig.wait(2000 * microsecond)
	d.write(cc1000PAPOW, 0x80)
	d.write(cc1000FREQ2B, 0x90) // what TinyOS means for LOCK
	d.write(cc1000MODEM2, 0)
	d.write(cc1000MODEM1, 0x6F)
	d.write(cc1000MODEM0, 0x55)
	d.write(cc1000FSCTRL, 1)
	for i, v := range cc1000Preset {
		d.write(uint8(cc1000FREQ2A+i), v)
	}
	d.write(cc1000MATCH, 0x70)
	d.calibrateBoth()
	d.off()
}

func (d *cc1000Node) calibrateBoth() {
	d.write(cc1000PAPOW, 0)
	d.write(cc1000TEST4, 0x3F)
	d.write(cc1000MAIN, 0x11)
	d.calibrateNow()
	d.write(cc1000MAIN, 0xE1)
	d.write(cc1000CURRENT, cc1000TxCurrent)
	d.write(cc1000PAPOW, 0)
	d.calibrateNow()
	d.rxMode()
}

func (d *cc1000Node) calibrateNow() {
	d.write(cc1000CAL, 0xA6)
	for end := d.rig.now + 40*millisecond; d.read(cc1000CAL)&0x08 == 0; {
		if d.rig.now > end {
			d.rig.t.Fatal("the calibration takes more than 40 ms")
		}
	}
	d.write(cc1000CAL, 0x26)
}

func (d *cc1000Node) coreOn() { d.write(cc1000MAIN, 0x3B) }
func (d *cc1000Node) biasOn() { d.write(cc1000MAIN, 0x39) }
func (d *cc1000Node) off() {
	d.write(cc1000MAIN, 0x3F)
	d.write(cc1000PAPOW, 0)
}

func (d *cc1000Node) on() {
	d.coreOn()
	d.rig.wait(2000 * microsecond)
	d.biasOn()
	d.rig.wait(200 * microsecond)
	d.rxMode()
}

func (d *cc1000Node) rxMode() {
	d.write(cc1000CURRENT, cc1000RxCurrent)
	d.write(cc1000PAPOW, 0)
	d.write(cc1000MAIN, 0x11)
	d.rig.wait(125 * microsecond)
}

func (d *cc1000Node) txMode() {
	d.write(cc1000MAIN, 0xE1)
	d.write(cc1000CURRENT, cc1000TxCurrent)
	d.rig.wait(250 * microsecond)
	d.write(cc1000PAPOW, 0x0F)
	d.rig.wait(20 * microsecond)
}

// send switches over and sends a frame as TinyOS does: seven bytes of preamble, sync word, data, two bytes of flush.
func (d *cc1000Node) send(data []uint8) {
	frame := []uint8{0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0x33, 0xCC}
	frame = append(append(frame, data...), 0, 0)
	d.queue = nil
	for _, v := range frame {
		d.queue = append(d.queue, cell.Of(v))
	}
	d.txMode()
	for len(d.queue) > 0 {
		d.rig.wait(10 * microsecond)
	}
	d.rxMode()
}

// heard is what a receiver finds behind the last sync word, in bytes as they were sent; ok tells that it found one.
func (d *cc1000Node) heard(n int, inverted bool) (data []uint8, offset int, ok bool) {
	var bits []uint8
	for _, c := range d.got {
		v := c.V()
		if inverted {
			v = ^v
		}
		for i := 7; i >= 0; i-- {
			bits = append(bits, v>>i&1)
		}
	}
	word, found := uint32(0), -1
	for i, b := range bits {
		word = word<<1 | uint32(b)
		if word == 0xAAAA_33CC {
			found = i + 1
		}
	}
	if found < 0 {
		return nil, 0, false
	}
	for i := found; i+8 <= len(bits) && len(data) < n; i += 8 {
		v := uint8(0)
		for _, b := range bits[i : i+8] {
			v = v<<1 | b
		}
		data = append(data, v)
	}
	return data, found % 8, true
}

func (g *cc1000Rig) dump(d *cc1000Node) string {
	s := ""
	for _, c := range d.got {
		s += fmt.Sprintf("%02x ", c.V())
	}
	return s
}
