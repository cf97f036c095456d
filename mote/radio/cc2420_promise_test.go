package radio

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"motehound/mote/digest"
)

// cc2420Storm does random things to some radios for a while. Along the way the rig checks that everything told lies MinLookahead
// ahead, and nothing before what was promised.
func cc2420Storm(t *testing.T, seed, cycle uint64, ties *rand.Rand) (*cc2420Rig, [3]int) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	g := newCC2420Rig(t, 3)
	g.listening()
	g.ties = ties
	for _, m := range g.motes {
		m.known()
		m.choice, m.cycle = 3, cycle
	}
	var ops [3]uint64 // when each mote's firmware acts next
	for i := range ops {
		ops[i] = g.now + rnd.Uint64N(500)*Microsecond
	}
	promise := func() {
		for i, m := range g.motes {
			next := min(m.next(), ops[i])
			for _, s := range g.air {
				if s.from != i {
					next = min(next, s.at)
				}
			}
			if p := m.radio.Promise(g.now, next); p > m.told {
				m.told, m.calm = p, next
			}
		}
	}
	g.each = promise
	for range 400 {
		who := 0
		for i := range ops {
			if ops[i] < ops[who] {
				who = i
			}
		}
		promise()
		g.until(ops[who])
		g.motes[who].act(rnd)
		ops[who] += rnd.Uint64N(1500) * Microsecond / (1 + rnd.Uint64N(8))
	}
	var frames [3]int
	for i, m := range g.motes {
		frames[i] = len(m.sent)
	}
	return g, frames
}

// act does something that firmware may do.
func (m *cc2420Mote) act(rnd *rand.Rand) {
	if !m.state.Stable && rnd.IntN(2) == 0 {
		m.radio.SetVREN(m, true)
		m.strobe(cc2420SXOSCON)
		return
	}
	switch rnd.IntN(23) {
	case 0, 1, 2:
		m.fill(append([]uint8{0x61, 0x88, uint8(rnd.IntN(256)), 0x22, 0, 5, 0}, make([]uint8, rnd.IntN(20))...)...)
	case 3, 4, 5:
		m.strobe(cc2420STXON)
	case 6, 7, 8:
		m.strobe(cc2420STXONCCA)
	case 9, 10:
		m.strobe(cc2420SRXON)
	case 11:
		m.strobe(cc2420SRFOFF)
	case 12:
		m.strobe(cc2420SFLUSHRX)
	case 13:
		m.strobe(cc2420SFLUSHTX)
	case 14:
		m.strobe(cc2420SACK + uint8(rnd.IntN(2)))
	case 15:
		m.write(cc2420MDMCTRL0, 0x02E2|uint16(rnd.IntN(2))<<4|uint16(rnd.IntN(2))<<11)
	case 16:
		m.write(cc2420TXCTRL, 0x80FF|uint16(rnd.IntN(2))<<13)
	case 17, 18, 19:
		m.drain(rnd.IntN(30))
	case 20:
		m.strobe(cc2420STXCAL)
	case 21:
		m.strobe(cc2420SXOSCOFF)
	case 22:
		switch rnd.IntN(6) {
		case 0:
			m.radio.SetVREN(m, !m.state.VREN)
		case 1:
			m.radio.SetRESETn(m, false)
			m.radio.SetRESETn(m, true)
		case 2:
			m.radio.PowerUp(m)
		}
	}
}

func TestCC2420Promise(t *testing.T) {
	t.Parallel()
	var all [3]int
	for seed := range uint64(150) {
		_, frames := cc2420Storm(t, seed, 1+seed%3*67_817, nil)
		for i, n := range frames {
			all[i] += n
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for i, n := range all {
		if n < 10_000 {
			t.Errorf("mote %d sent only %d bytes: the storm is too calm", i, n)
		}
	}
}

// In which order a host brings the events and signals of one moment does not matter to the pins.
func TestCC2420OrderOfOneMoment(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		var want string
		for tie := range uint64(4) {
			g, _ := cc2420Storm(t, seed, 1, rand.New(rand.NewPCG(tie, 1)))
			got := ""
			for _, m := range g.motes {
				d := digest.New()
				digest.Struct(&d, &m.state)
				got += fmt.Sprintln(m.waves, m.sent, m.sentAt, d.Sum())
			}
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: tie %d differs", seed, tie)
			}
		}
	}
}

// A copy of the state goes on as the original does.
func TestCC2420Snapshot(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 2)
	g.listening()
	a, b := g.motes[0], g.motes[1]
	a.fill(1, 2, 3, 4, 5, 6)
	a.strobe(cc2420STXON)
	g.run(500 * Microsecond)
	kept, planned, air, now := b.state, b.planned, append([]cc2420Signal(nil), g.air...), g.now
	keptA, plannedA := a.state, a.planned
	g.run(3 * Millisecond)
	first := b.state
	a.state, a.planned, b.state, b.planned, g.air, g.now = keptA, plannedA, kept, planned, air, now
	g.run(3 * Millisecond)
	if b.state != first {
		t.Error("the state differs after a restored snapshot")
	}
}

// Tight bounds of Promise: the turnaround from an idle radio, the start-up from one that is off, the end of the byte
// under way.
func TestCC2420PromiseIsTight(t *testing.T) {
	t.Parallel()
	g := newCC2420Rig(t, 1)
	m := g.motes[0]
	for _, c := range []struct {
		state string
		do    func()
		want  uint64 // after next, in microseconds
	}{
		{"no power", func() {}, 300 + 860 + 128},
		{"power down", func() { m.radio.SetVREN(m, true); g.run(cc2420RegulatorTime) }, 860 + 128},
		{"idle", func() { m.strobe(cc2420SXOSCON); g.run(cc2420OscillatorTime) }, 128},
		{"receiving", func() { m.strobe(cc2420SRXON); g.run(Millisecond) }, 128},
		{"calibrating", func() { m.fill(1, 2, 3); m.strobe(cc2420STXON); g.run(150 * Microsecond) }, 42},
		{"sending", func() { g.run(100 * Microsecond) }, 38}, // 58 us into the preamble, the next byte is told at 76
	} {
		c.do()
		if got := (m.radio.Promise(g.now, g.now) - g.now) / Microsecond; got != c.want {
			t.Errorf("%s: promises nothing for %d us, want %d", c.state, got, c.want)
		}
	}
	if m.radio.Promise(0, Never) == 0 {
		t.Error("Never overflows")
	}
}
