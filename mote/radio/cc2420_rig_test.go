package radio

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"motehound/mote/cell"
)

// cc2420Rig is some radios and the air between them: what one tells its host reaches the others at exactly that moment, as
// strong as gain says.
type cc2420Rig struct {
	t     *testing.T
	now   uint64
	motes []*cc2420Mote
	gain  func(from, to int) int16
	air   []cc2420Signal // pending
	seq   uint64
	// ties shuffles what happens at one moment; nil keeps the order of telling.
	ties *rand.Rand
	// each runs after every event.
	each func()
}

type cc2420Signal struct {
	at, order uint64
	from      int
	x         Heard
}

type cc2420Mote struct {
	rig     *cc2420Rig
	cycle   uint64
	id      int
	state   cc2420State
	radio   cc2420
	planned [cc2420Kinds]uint64
	pins    [cc2420Pins]bool
	waves   []cc2420Wave
	notices map[string]string
	chosen  []uint32
	choice  uint32
	told    uint64 // earliest moment that something may be told about, if nothing happens before calm
	calm    uint64
	sent    []cell.Cell
	sentAt  []uint64
	onAt    uint64
	offAt   uint64
}

// cc2420Wave is a change of an output.
type cc2420Wave struct {
	at    uint64
	pin   uint8
	level bool
}

func (w cc2420Wave) String() string {
	edge := "falls"
	if w.level {
		edge = "rises"
	}
	return fmt.Sprintf("%.1f %s %s", float64(w.at)/microsecond, [...]string{"FIFO", "FIFOP", "SFD", "CCA"}[w.pin], edge)
}

func newCC2420Rig(t *testing.T, n int) *cc2420Rig {
	g := &cc2420Rig{t: t, gain: func(int, int) int16 { return -50 }}
	for i := range n {
		m := &cc2420Mote{rig: g, cycle: 1, id: i, notices: map[string]string{}}
		m.radio.S = &m.state
		g.motes = append(g.motes, m)
		m.radio.PowerUp(m)
	}
	return g
}

// Time is rounded up to the mote's clock cycles.
func (m *cc2420Mote) Time() uint64               { return (m.rig.now + m.cycle - 1) / m.cycle * m.cycle }
func (m *cc2420Mote) Plan(kind uint8, at uint64) { m.planned[kind] = at }
func (m *cc2420Mote) Notice(key, text string)    { m.notices[key] = text }

func (m *cc2420Mote) SetPin(pin uint8, level bool) {
	if m.pins[pin] != level {
		m.waves = append(m.waves, cc2420Wave{m.rig.now, pin, level})
	}
	m.pins[pin] = level
}

func (m *cc2420Mote) Release(pin uint8) { m.rig.t.Fatalf("pin %d", pin) }
func (m *cc2420Mote) CatchUp()          {}
func (m *cc2420Mote) Replan()           {}

func (m *cc2420Mote) Choose(options uint32) uint32 {
	m.chosen = append(m.chosen, options)
	return m.choice % options
}

func (m *cc2420Mote) tell(at uint64, x Heard) {
	g := m.rig
	if at < m.Time()+MinLookahead {
		g.t.Errorf("mote %d tells at %d of %d: only %d ahead", m.id, g.now, at, at-g.now)
	}
	if at < m.told {
		g.t.Errorf("mote %d tells of %d, but promised nothing before %d", m.id, at, m.told)
	}
	x.Sender = uint16(m.id)
	g.seq++
	order := g.seq
	if g.ties != nil {
		order = g.ties.Uint64()
	}
	g.air = append(g.air, cc2420Signal{at, order, m.id, x})
}

func (m *cc2420Mote) SwitchOn(at uint64, c Carrier) {
	m.onAt = at
	m.tell(at, Heard{Kind: CarrierOn, Carrier: c})
}

func (m *cc2420Mote) Emit(at, bit uint64, c cell.Cell) {
	m.sent, m.sentAt = append(m.sent, c), append(m.sentAt, at)
	m.tell(at, Heard{Kind: Byte, Bit: bit, Data: c})
}

func (m *cc2420Mote) SwitchOff(at uint64) {
	m.offAt = at
	m.tell(at, Heard{Kind: CarrierOff})
}

// next is when the mote's radio has planned something.
func (m *cc2420Mote) next() uint64 {
	at := Never
	for _, p := range m.planned {
		at = min(at, p)
	}
	return at
}

// before orders two signals: a carrier goes on before its bytes, and off after them.
func (a cc2420Signal) before(b cc2420Signal) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.from == b.from {
		return a.x.Kind < b.x.Kind
	}
	return a.order < b.order
}

// step runs the next event up to a time, and says whether there was one.
func (g *cc2420Rig) step(until uint64) bool {
	first := -1
	for i, s := range g.air {
		if first < 0 || s.before(g.air[first]) {
			first = i
		}
	}
	var mote *cc2420Mote
	kind, at := uint8(0), Never
	for _, m := range g.motes {
		for k, p := range m.planned {
			if p < at || p == at && p != Never && g.ties != nil && g.ties.IntN(2) == 0 {
				mote, kind, at = m, uint8(k), p
			}
		}
	}
	if first >= 0 && (g.air[first].at < at || g.air[first].at == at && (g.ties == nil || g.ties.IntN(2) == 0)) {
		s := g.air[first]
		if s.at > until {
			return false
		}
		g.now = s.at
		g.air = append(g.air[:first], g.air[first+1:]...)
		for _, m := range g.motes {
			if m.id == s.from {
				continue
			}
			x := s.x
			x.Carrier.DBm += g.gain(s.from, m.id)
			if g.now < m.calm {
				m.told = 0 // a promise ends with what is heard
			}
			m.radio.Heard(m, x)
		}
		return true
	}
	if at > until {
		return false
	}
	g.now = at
	mote.planned[kind] = Never
	mote.radio.Event(mote, kind)
	return true
}

func (g *cc2420Rig) run(d uint64) { g.until(g.now + d) }

func (g *cc2420Rig) until(at uint64) {
	for g.step(at) {
		if g.each != nil {
			g.each()
		}
	}
	g.now = at
}

// spi exchanges bytes in one access.
func (m *cc2420Mote) spi(bytes ...uint8) (out []uint8) {
	m.radio.setCSn(m, false)
	for _, b := range bytes {
		out = append(out, m.radio.SPI(m, cell.Of(b)).V())
	}
	m.radio.setCSn(m, true)
	return out
}

func (m *cc2420Mote) strobe(cmd uint8) uint8 { return m.spi(cmd)[0] }
func (m *cc2420Mote) status() uint8          { return m.spi(cc2420SNOP)[0] }

func (m *cc2420Mote) write(addr uint8, v uint16) { m.spi(addr, uint8(v>>8), uint8(v)) }

func (m *cc2420Mote) read(addr uint8) uint16 {
	b := m.spi(addr|0x40, 0, 0)
	return uint16(b[1])<<8 | uint16(b[2])
}

// ram writes bytes at an address of the RAM.
func (m *cc2420Mote) ram(addr uint16, bytes ...uint8) {
	m.spi(append([]uint8{0x80 | uint8(addr&0x7F), uint8(addr>>7) << 6}, bytes...)...)
}

// fill writes a frame with its length byte, which counts the FCS too, into the TXFIFO.
func (m *cc2420Mote) fill(psdu ...uint8) {
	m.spi(append([]uint8{cc2420TXFIFO, uint8(len(psdu) + 2)}, psdu...)...)
}

// drain reads the RXFIFO.
func (m *cc2420Mote) drain(n int) []uint8 {
	return m.spi(append([]uint8{cc2420RXFIFO | 0x40}, make([]uint8, n)...)...)[1:]
}

// powered starts the regulator and the oscillator, and waits for both.
func (g *cc2420Rig) powered() {
	for _, m := range g.motes {
		m.radio.setVREN(m, true)
	}
	g.run(cc2420RegulatorTime)
	for _, m := range g.motes {
		m.strobe(cc2420SXOSCON)
	}
	g.run(cc2420OscillatorTime)
	for _, m := range g.motes {
		m.write(cc2420MDMCTRL0, 0x02E2) // no address recognition
	}
}

// listening has all of them receive, with RSSI valid.
func (g *cc2420Rig) listening() {
	g.powered()
	for _, m := range g.motes {
		m.strobe(cc2420SRXON)
	}
	g.run(cc2420Calibration + 8*cc2420SymbolTime)
	for _, m := range g.motes {
		m.waves = nil
	}
}

// expect compares the changes of a mote's pins, with times from start on.
func (m *cc2420Mote) expect(start uint64, want ...string) {
	m.rig.t.Helper()
	var got []string
	for _, w := range m.waves {
		w.at -= start
		got = append(got, w.String())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		m.rig.t.Errorf("mote %d: pins\n got %q\nwant %q", m.id, got, want)
	}
}
