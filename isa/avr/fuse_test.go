package avr

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// fusible begins with all that is fused, in the order of the operations; each line ends where the next one begins.
var fusible = []struct {
	source string
	op     Op
}{
	{"push r2\npush r3\npush r30", opPushes},
	{"pop r30\npop r2\npop r2\npop r16", opPops},
	{"push r1\npush r0\nin r0, 0x3f\npush r0\neor r1, r1", opEnter},
	{"pop r0\nout 0x3f, r0\npop r0\npop r1\nreti", opExit},
	{"cpi r16, 7\nbreq .+2\ninc r2\nnop", opCpiBreq},
	{"cpi r16, 7\nbrne .+2\ninc r2\nnop", opCpiBrne},
	{"cpi r16, 7\nbrcs .+2\ninc r2\nnop", opCpiBrcs},
	{"cpi r16, 7\nbrcc .+2\ninc r2\nnop", opCpiBrcc},
	{"cpc r16, r17\nbreq .+2\ninc r2\nnop", opCpcBreq},
	{"cpc r16, r17\nbrne .+2\ninc r2\nnop", opCpcBrne},
	{"cpc r16, r17\nbrcs .+2\ninc r2\nnop", opCpcBrcs},
	{"cpc r16, r17\nbrcc .+2\ninc r2\nnop", opCpcBrcc},
	{"and r16, r17\nbreq .+2\ninc r2\nnop", opTstBreq},
	{"dec r16\nbrne .-4\nnop", opDecBrne},
	{"sbiw r24, 9\nbrne .+2\ninc r2\nnop", opSbiwBrne},
}

// parted is a program in which nothing is fused.
func parted(p *Program) *Program {
	q := p.Copy()
	for pc := range q.words {
		q.part(pc)
	}
	return q
}

// What is fused does what its instructions do, wherever the time is up, the stack lies and the flags stand, and whether an
// interrupt waits.
func TestFusedIsAsOneByOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, k := range fusible {
		image := assemble(t, k.source+"\nnop\nnop\nbreak")
		for _, chip := range []string{"atmega128", "atmega2560"} {
			fused, plain := newFlat(chipNamed(t, chip), image), newFlat(chipNamed(t, chip), image)
			if op := fused.core.Program.code[0].Op; op != k.op {
				t.Fatalf("%q is fused to operation %d, not %d", k.source, op, k.op)
			}
			plain.core.Program = parted(plain.core.Plain)
			end := chipNamed(t, chip).ramEnd
			for range 800 {
				s := State{Cycles: 50, Enabled: uint64(random.IntN(2)) * 50}
				for i := range s.R {
					s.R[i] = [...]uint8{0, 1, 7, 8, 0x80, uint8(random.Uint32())}[random.IntN(6)]
				}
				s.SetSREG(uint8(random.Uint32()))
				s.SP = [...]uint16{0x400, end, end - 1, end - 3, end + 1, fused.core.RAMBase, fused.core.RAMBase + 2, fused.core.RAMBase - 1, 0x70, 0xFFFF}[random.IntN(10)]
				for i := range uint16(16) { // around the stack pointer
					fused.data[s.SP-8+i] = uint8(random.Uint32())
				}
				if random.IntN(2) == 0 { // an address to return to
					fused.data[s.SP+4], fused.data[s.SP+5] = 0, 5
				}
				plain.data = fused.data
				until, pending := s.Cycles+uint64(random.IntN(30)), random.IntN(2) == 0
				for _, f := range []*flat{fused, plain} {
					f.core.State, f.core.Pending = s, pending
					f.core.Run(until)
				}
				a, b := fused.core.State, plain.core.State
				a.Canon()
				b.Canon()
				if a != b || fused.data != plain.data {
					t.Fatalf("%s: %q from %+v until %d:\n%+v is not\n%+v", chip, k.source, s, until, a, b)
				}
				fused.halts, plain.halts, fused.stored, plain.stored = nil, nil, nil, nil
			}
		}
	}
}

// A watched instruction is seen even if what comes before it would be executed together with it, and it is executed alone.
func TestFusedIsWatched(t *testing.T) {
	for _, k := range fusible {
		f := newCore(t, "atmega128", k.source+"\nnop\nnop\nbreak")
		c := &f.core
		var all, ran []uint32
		for pc := uint32(0); c.Plain.At(pc).Op != OpBreak; pc++ {
			all = append(all, pc)
		}
		run := func(p *Program) {
			c.State, c.Program, f.hooks, f.halts = State{SP: 0x400}, p, nil, nil
			f.data[0x405] = uint8(len(all) - 1)
			c.Run(1000)
		}
		run(c.Plain.Hooked(all))
		ran = slices.Clone(f.hooks)
		state := c.State
		if len(ran) < 4 {
			t.Fatalf("%q: only %v are executed", k.source, ran)
		}
		for _, at := range all {
			run(c.Plain.Hooked([]uint32{at}))
			want := slices.DeleteFunc(slices.Clone(ran), func(pc uint32) bool { return pc != at })
			if !slices.Equal(f.hooks, want) || c.State != state {
				t.Errorf("%q: %d is seen at %v, %+v is not %+v", k.source, at, f.hooks, c.State, state)
			}
			c.Counts = NewCounts(1)
			run(c.Plain.Counted([]uint32{at}))
			if int(c.Counts.N[0]) != len(want) || c.State != state {
				t.Errorf("%q: %d is counted %d times", k.source, at, c.Counts.N[0])
			}
		}
	}
}

// Records that change are decoded anew and alone, as is what was fused with them.
func TestFusedIsPatched(t *testing.T) {
	for _, k := range fusible {
		image := assemble(t, k.source+"\nnop\nnop\nbreak")
		for pc := range uint32(4) {
			f := newFlat(chipNamed(t, "atmega128"), image)
			f.flash[2*pc], f.flash[2*pc+1] = 0x03, 0x94 // inc r0
			f.core.Program.Patch(pc, 1, f.ProgWord)
			g := newFlat(chipNamed(t, "atmega128"), f.flash)
			f.core.SP, g.core.SP = 0x400, 0x400
			f.core.Run(20)
			g.core.Run(20)
			if f.core.State != g.core.State {
				t.Errorf("%q with INC at %d: %+v is not %+v", k.source, pc, f.core.State, g.core.State)
			}
			f.core.Program.Dynamic(pc, 1)
			f.core.State, g.core.State = State{SP: 0x300}, State{SP: 0x300}
			f.core.Run(20)
			g.core.Run(20)
			if f.core.State != g.core.State {
				t.Errorf("%q with %d decoded late: %+v is not %+v", k.source, pc, f.core.State, g.core.State)
			}
		}
	}
}

// At gives instructions as they are in flash, fused or not.
func TestFusedIsShownAlone(t *testing.T) {
	image := flashOf(t, "counter", "mica2")
	p := Compile(image, 64<<10, AVRePlusElpm)
	seen := make(map[Op]bool)
	for pc := range p.words {
		seen[p.code[pc].Op] = true
		want := Decode(wordAt(image, pc), wordAt(image, wrap(pc+1, p.words)), pc, p.has, p.words)
		if in := p.At(pc); in != want {
			t.Fatalf("%#x is %+v, not %+v", pc, in, want)
		}
	}
	for _, op := range []Op{opPushes, opPops, opEnter, opExit, opCpiBrne} {
		if !seen[op] {
			t.Errorf("a whole program has nothing that is fused to operation %d", op)
		}
	}
	if !reflect.DeepEqual(parted(p).code, parted(parted(p)).code) {
		t.Error("parting twice is not parting once")
	}
}
