package explore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// Words of instructions.
func lds(d int, addr uint16) []uint16 { return []uint16{0x9000 | uint16(d)<<4, addr} }
func sts(addr uint16, r int) []uint16 { return []uint16{0x9200 | uint16(r)<<4, addr} }
func ldi(d int, k uint8) []uint16 {
	return []uint16{0xE000 | uint16(k&0xF0)<<4 | uint16(d-16)<<4 | uint16(k&0xF)}
}
func inc(d int) []uint16         { return []uint16{0x9403 | uint16(d)<<4} }
func add(d, r int) []uint16      { return []uint16{0x0C00 | uint16(r&16)<<5 | uint16(d)<<4 | uint16(r&15)} }
func push(r int) []uint16        { return []uint16{0x920F | uint16(r)<<4} }
func pop(r int) []uint16         { return []uint16{0x900F | uint16(r)<<4} }
func rjmp(from, to int) []uint16 { return []uint16{0xC000 | uint16(to-from-1)&0xFFF} }

const (
	cli, sei, reti, sleep = 0x94F8, 0x9478, 0x9518, 0x9588
	inSREG, outSREG       = 0xB60F, 0xBE0F // of r0
	firstVar              = 0x0100
)

// program generates a main program that does something with a few bytes, sleeps, and begins again; and handlers of two timers that do
// something with the same bytes.
type program struct {
	r     *rand.Rand
	words []uint16
	fast  bool // the timers are about as fast as the program
}

func (p *program) put(list ...[]uint16) {
	for _, x := range list {
		p.words = append(p.words, x...)
	}
}

func (p *program) variable() uint16 { return firstVar + uint16(p.r.IntN(4)) }

// body is a few instructions with a register.
func (p *program) body(reg int, nests bool) {
	for range 2 + p.r.IntN(5) {
		switch p.r.IntN(8) {
		case 0, 1:
			p.put(lds(reg, p.variable()))
		case 2, 3:
			p.put(sts(p.variable(), reg))
		case 4:
			p.put(inc(reg))
		case 5:
			v := p.variable()
			p.put(lds(reg, v), inc(reg), sts(v, reg))
		case 6:
			p.put(add(reg, reg+1), ldi(reg+1, uint8(p.r.IntN(4))))
		case 7:
			if nests {
				p.put([]uint16{cli})
				p.put(lds(reg, p.variable()), sts(p.variable(), reg))
				p.put([]uint16{sei})
			}
		}
	}
}

func (p *program) handler() int {
	at := len(p.words)
	p.put(push(0), []uint16{inSREG}, push(0), push(18), push(19), ldi(18, uint8(p.r.IntN(4))), ldi(19, 1))
	nests := p.r.IntN(3) == 0
	if nests {
		p.put([]uint16{sei})
	}
	p.body(18, nests)
	if nests {
		p.put([]uint16{cli})
	}
	p.put(pop(19), pop(18), pop(0), []uint16{outSREG}, pop(0), []uint16{reti})
	return at
}

// hex is the program as a file.
func (p *program) hex() string {
	const vectors, timer2, timer0 = 52, 14, 28
	p.words = make([]uint16, vectors)
	for i := range p.words {
		p.words[i] = reti
	}
	h2, h0 := p.handler(), p.handler()
	main := len(p.words)
	set := func(addr uint16, v uint8) { p.put(ldi(16, v), sts(addr, 16)) }
	set(0x44, 2) // timer 0: clear on compare
	set(0x47, uint8(100+p.r.IntN(100)))
	set(0x6E, 2)
	set(0xB0, 2) // timer 2: the same
	set(0xB3, uint8(100+p.r.IntN(100)))
	set(0x70, 2)
	if p.fast {
		set(0x45, 1)
		set(0xB1, 1)
	} else {
		set(0x45, 3)
		set(0xB1, 4)
	}
	set(0x53, 1) // idle, by SLEEP
	p.put([]uint16{sei})
	loop := len(p.words)
	p.put([]uint16{sleep})
	p.body(16, true)
	p.put(rjmp(len(p.words), loop))
	p.words[0] = rjmp(0, main)[0]
	p.words[timer2], p.words[timer0] = rjmp(timer2, h2)[0], rjmp(timer0, h0)[0]
	return intelHex(p.words)
}

func intelHex(words []uint16) string {
	var b strings.Builder
	for at, w := range words {
		rec := []byte{2, byte(2 * at >> 8), byte(2 * at), 0, byte(w), byte(w >> 8)}
		sum := byte(0)
		for _, x := range rec {
			sum += x
		}
		fmt.Fprintf(&b, ":%X%02X\n", rec, -sum)
	}
	return b.String() + ":00000001FF\n"
}

// generated is a generated program, ready to be explored with some preemptions.
func generated(t testing.TB, seed uint64, fast bool, preempt int) *explore.System {
	t.Helper()
	p := program{r: rand.New(rand.NewPCG(seed, 19)), fast: fast}
	im, err := image.Parse("generated.hex", []byte(p.hex()))
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.On(t, &board.Uno, im), ID: 1}}}
	s, err := explore.New(cfg, explore.Options{Preempt: preempt})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// resting is the states that a search reaches in which no mote is in the middle of something, by search with a reduction.
func resting(t testing.TB, s *explore.System, depth int, by check.Reduction) (map[[2]uint64]bool, uint64) {
	t.Helper()
	n := noting{s, &notes{states: map[[2]uint64]bool{}, end: firstVar + 4}}
	m := new(check.Meter)
	r, err := check.Search(n, check.SearchOptions{Depth: depth, Meter: m, Reduce: by})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("the search is not complete: %+v", r)
	}
	return n.notes.states, m.Stats().Events
}
