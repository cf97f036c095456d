package avr

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"motehound/internal/peer/simavr"
)

// TestLockstep runs every instruction of every chip on random registers, flags, stacks, memories and flash, on our core
// and on simavr's, and compares all that either changed. Each opcode word of a row is used, its operands being
// the row's operand bits. Where simavr is wrong, a named deviation says so (deviations_test.go), and then simavr
// must do exactly what the deviation says: no case goes uncompared.
func TestLockstep(t *testing.T) {
	for op := range numRows {
		if table[op].need&NeedXmega == 0 && !slices.ContainsFunc(chips, func(c chipOf) bool { return table[op].need&^c.has == 0 }) {
			t.Errorf("no chip here has %s", rowName(op))
		}
	}
	states := 10_000
	if testing.Short() {
		states = 500
	}
	for _, c := range chips {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLockstep(t, c)
			compared := map[Op]int{}
			for op := range numRows {
				if table[op].need&^c.has == 0 {
					compared[op] = l.row(t, op, states)
				}
			}
			for op, n := range compared {
				if n < states {
					t.Errorf("%s was compared on %d states only", rowName(op), n)
				}
			}
			for i, d := range deviations {
				if !d.on(c) {
					continue
				}
				if l.seen[i] == 0 && !testing.Short() {
					t.Errorf("no case showed the deviation %q", d.name)
				}
				t.Logf("%-40s %6d cases", d.name, l.seen[i])
			}
		})
	}
}

// TestLockstepFinds runs the cases that once differed, for ever.
func TestLockstepFinds(t *testing.T) {
	text, err := os.ReadFile("testdata/lockstep.txt")
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[string]*lockstep{}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		chip, k, err := parseCase(line)
		if err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if got := formatCase(chip, &k); got != line {
			t.Errorf("read %q, written again %q", line, got)
		}
		if pairs[chip] == nil {
			pairs[chip] = newLockstep(t, chipNamed(t, chip))
		}
		pairs[chip].compare(t, []simavr.Case{k})
	}
}

// TestDeviationsAreDocumented looks each deviation's number up in the page for readers.
func TestDeviationsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/simavr-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deviations {
		number, _, _ := strings.Cut(d.name, ":")
		if d.cite == "" || !bytes.Contains(page, []byte("\n| "+number+" |")) {
			t.Errorf("%q has no citation here, or no row in docs/simavr-differences.md", d.name)
		}
	}
}

// TestLockstepCanFail plants every kind of difference.
func TestLockstepCanFail(t *testing.T) {
	l := newLockstep(t, chipNamed(t, "atmega2560"))
	k := simavr.Case{PC: 0x200, Code: []uint16{0x930D, 0}, SP: 0x400, Mem: []simavr.Byte{{Addr: 0x300, Value: 1}}} // st X+, r16
	k.R[16], k.R[27] = 0x42, 3
	good, err := l.sim.One(k)
	if err != nil {
		t.Fatal(err)
	}
	if diff := l.one(&k, &good); diff != "" {
		t.Fatal(diff)
	}
	for name, spoil := range map[string]func(r *simavr.Result){
		"a register":  func(r *simavr.Result) { r.R[5] ^= 1 },
		"the pointer": func(r *simavr.Result) { r.R[26]++ },
		"a flag":      func(r *simavr.Result) { r.SREG ^= 0x20 },
		"SP":          func(r *simavr.Result) { r.SP-- },
		"PC":          func(r *simavr.Result) { r.PC += 2 },
		"cycles":      func(r *simavr.Result) { r.Cycles++ },
		"RAMPZ":       func(r *simavr.Result) { r.Changes = append(r.Changes, simavr.Byte{Addr: AddrRAMPZ, Value: 1}) },
		"EIND":        func(r *simavr.Result) { r.Changes = append(r.Changes, simavr.Byte{Addr: AddrEIND, Value: 1}) },
		"a byte":      func(r *simavr.Result) { r.Changes[0].Value++ },
		"a byte more": func(r *simavr.Result) {
			r.Changes = append(r.Changes, simavr.Byte{Addr: 0x500, Value: ^l.before[0x500]})
		},
		"a byte less":    func(r *simavr.Result) { r.Changes = nil },
		"a state of CPU": func(r *simavr.Result) { r.CPU = simavr.Sleeping },
	} {
		bad := good
		bad.Changes = slices.Clone(good.Changes)
		spoil(&bad)
		if l.one(&k, &bad) == "" {
			t.Errorf("%s differs, and nobody sees it", name)
		}
		if diff := l.one(&k, &good); diff != "" {
			t.Errorf("after %s nothing differs, but: %s", name, diff)
		}
	}
}

// lockstep is one of our cores and one of simavr's, in the same surroundings.
type lockstep struct {
	chip   chipOf
	sim    *simavr.Cases
	us     *flat
	before [1 << 16]uint8 // our data space as the case finds it
	// background is the data space without what a case adds.
	background [1 << 16]uint8
	rng        *rand.Rand
	results    []simavr.Result
	seen       []int // how often each deviation showed
	failures   int
}

func newLockstep(t testing.TB, c chipOf) *lockstep {
	l := &lockstep{chip: c, seen: make([]int, len(deviations)), rng: rand.New(rand.NewPCG(uint64(c.flash), uint64(c.ramEnd)))}
	bg := simavr.Background{Data: make([]byte, 1<<16), Flash: make([]byte, c.flash)}
	for i := range bg.Data {
		bg.Data[i] = uint8(l.rng.Uint32())
	}
	for i := range bg.Flash {
		bg.Flash[i] = uint8(l.rng.Uint32())
	}
	bg.Flash[0], bg.Flash[1] = 0, 0 // NOP: a skip at the end of flash skips one word, as one over 0xFFFF in simavr
	var err error
	if l.sim, err = simavr.Build(t).Cases(c.name, bg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.sim.Close() })
	if i := l.sim.Info; i.IOEnd+1 != c.ramBase || i.RAMEnd != c.ramEnd || i.FlashEnd+1 != c.flash ||
		(i.RAMPZ == AddrRAMPZ) != (c.has&NeedElpm != 0) || (i.EIND == AddrEIND) != (c.has&NeedEind != 0) {
		t.Fatalf("simavr has another %s: %+v", c.name, i)
	}
	l.us = newFlat(c, bg.Flash)
	copy(l.us.data[:], bg.Data)
	l.before, l.background = l.us.data, l.us.data
	return l
}

// row compares n states of one row and returns how many it compared.
func (l *lockstep) row(t *testing.T, op Op, n int) int {
	words := wordsOf(op)
	l.rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	cases := make([]simavr.Case, n)
	for i := range cases {
		cases[i] = l.random(op, words[i%len(words)])
	}
	return l.compare(t, cases)
}

// wordsOf is every opcode word of a row.
func wordsOf(op Op) []uint16 {
	var words []uint16
	for w, o := range opcodes() {
		if o == op {
			words = append(words, uint16(w))
		}
	}
	return words
}

func rowName(op Op) string { return strings.TrimSpace(table[op].name + " " + table[op].arg) }

// compare runs cases on both and reports where they part.
func (l *lockstep) compare(t *testing.T, cases []simavr.Case) int {
	t.Helper()
	if len(l.results) < len(cases) {
		l.results = make([]simavr.Result, len(cases))
	}
	results := l.results[:len(cases)]
	if err := l.sim.Run(cases, results); err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		if diff := l.one(&cases[i], &results[i]); diff != "" {
			t.Errorf("%s\n%s", formatCase(l.chip.name, &cases[i]), diff)
			if l.failures++; l.failures == 20 {
				t.Fatal("and so on")
			}
		}
	}
	return len(cases)
}

// outcome is what an instruction left behind, except for memory.
type outcome struct {
	R           [32]uint8
	SREG        uint8
	SP          uint16
	PC          uint32 // byte address
	Cycles      uint8
	RAMPZ, EIND uint8
	CPU         simavr.CPUState
	Halt        Halt
}

// one runs a case on our core and compares with what simavr made of it.
func (l *lockstep) one(k *simavr.Case, sim *simavr.Result) string {
	for _, m := range k.Mem {
		l.us.data[m.Addr], l.before[m.Addr] = m.Value, m.Value
	}
	erase := l.program(k)
	x := comparison{chip: l.chip, k: k, us: l.us, in: l.us.core.Program.At(k.PC / 2)}
	x.touched = touched(x.in, k, l.chip)
	x.ours = l.run(k)
	wrong := x.tableSays()
	x.theirs = l.theirs(k, sim)
	for i, d := range deviations {
		if d.on(l.chip) && d.explain(&x) {
			l.seen[i]++
		}
	}
	diff := append(l.memory(sim), wrong...)
	if x.ours != x.theirs {
		diff = append(diff, fmt.Sprintf("  %s\n  ours   %+v\n  simavr %+v", x.in, x.ours, x.theirs))
	}
	erase()
	for _, m := range k.Mem {
		l.us.data[m.Addr], l.before[m.Addr] = l.background[m.Addr], l.background[m.Addr]
	}
	return strings.Join(diff, "\n")
}

// tableSays compares what we did with the flags and cycles of the table.
func (x *comparison) tableSays() (wrong []string) {
	for f := range NumFlags {
		if (x.ours.SREG^x.k.SREG)>>f&1 != 0 && x.in.Writes()&FlagSet(f) == 0 && !slices.Contains(x.touched, AddrSREG) {
			wrong = append(wrong, fmt.Sprintf("  the table does not know that %s changes %c", rowName(x.in.Op), "CZNVSHTI"[f]))
		}
	}
	least, most := x.in.Cycles(x.us.core.wide != 0)
	if took := uint64(x.ours.Cycles); x.in.Op != OpBreak && (took < least || took > most) { // BREAK halts
		wrong = append(wrong, fmt.Sprintf("  the table says %d to %d cycles", least, most))
	}
	return wrong
}

// program puts a case's bytes into our flash. The function it returns takes them out again.
func (l *lockstep) program(k *simavr.Case) func() {
	type old struct {
		at uint32
		v  uint8
	}
	var olds []old
	set := func(at uint32, v uint8) {
		olds = append(olds, old{at, l.us.flash[at]})
		l.us.flash[at] = v
	}
	for _, b := range k.Flash {
		set(b.Addr, b.Value)
	}
	for i, w := range k.Code {
		set(k.PC+uint32(2*i), uint8(w))
		set(k.PC+uint32(2*i)+1, uint8(w>>8))
	}
	p := l.us.core.Program
	p.Patch(k.PC/2, uint32(len(k.Code)), l.us.ProgWord)
	return func() {
		for _, o := range slices.Backward(olds) {
			l.us.flash[o.at] = o.v
		}
		p.Patch(k.PC/2, uint32(len(k.Code)), l.us.ProgWord)
	}
}

// run runs a case on our core.
func (l *lockstep) run(k *simavr.Case) outcome {
	f, c := l.us, &l.us.core
	c.State = State{PC: k.PC / 2, SP: k.SP, R: k.R, RAMPZ: k.RAMPZ, EIND: k.EIND}
	c.SetSREG(k.SREG)
	f.slept, f.kicked, f.stored, f.spm, f.halts = 0, 0, f.stored[:0], f.spm[:0], f.halts[:0]
	f.step()
	o := outcome{R: c.R, SREG: c.SREG(), SP: c.SP, PC: c.PC * 2, Cycles: uint8(c.Cycles), RAMPZ: c.RAMPZ, EIND: c.EIND, CPU: simavr.Running}
	if f.slept > 0 {
		o.CPU = simavr.Sleeping
	}
	if len(f.halts) > 0 {
		o.Halt = f.halts[0]
	}
	return o
}

// theirs is simavr's result in our terms.
func (l *lockstep) theirs(k *simavr.Case, sim *simavr.Result) outcome {
	o := outcome{R: sim.R, SREG: sim.SREG, SP: sim.SP, PC: sim.PC, Cycles: sim.Cycles, CPU: sim.CPU, RAMPZ: k.RAMPZ, EIND: k.EIND}
	for _, b := range sim.Changes {
		switch b.Addr {
		case l.sim.Info.RAMPZ:
			o.RAMPZ = b.Value
		case l.sim.Info.EIND:
			o.EIND = b.Value
		}
	}
	return o
}

// memory compares what became of the data space, and puts ours back.
func (l *lockstep) memory(sim *simavr.Result) (diff []string) {
	for _, b := range sim.Changes {
		if b.Addr == l.sim.Info.RAMPZ || b.Addr == l.sim.Info.EIND {
			continue
		}
		if got := l.us.data[b.Addr]; got != b.Value {
			diff = append(diff, fmt.Sprintf("  at 0x%04x we have 0x%02x, simavr has 0x%02x", b.Addr, got, b.Value))
		}
		l.us.data[b.Addr] = l.before[b.Addr]
	}
	top := int(l.chip.ramEnd) + 1
	if slices.ContainsFunc(l.us.stored, func(a uint16) bool { return int(a) >= top }) {
		top = len(l.before)
	}
	if bytes.Equal(l.us.data[:top], l.before[:top]) {
		return diff
	}
	for a, v := range l.before {
		if l.us.data[a] != v {
			diff = append(diff, fmt.Sprintf("  at 0x%04x we have 0x%02x, simavr still 0x%02x", a, l.us.data[a], v))
		}
	}
	l.us.data = l.before
	return diff
}
