package avr

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFacts compares what the table says of each row with what executing the row's instructions does, from random states and
// with random operands. It says neither too little nor, over all of them, too much.
func TestFacts(t *testing.T) {
	n := 1000
	if testing.Short() {
		n /= 8
	}
	for op := range numRows {
		if table[op].need == NeedXmega {
			if facts[op] != (fact{}) || table[op].effect != "" || table[op].memory != none {
				t.Errorf("%s: no core has it, so nobody knows whether what the table says is true", rowName(op))
			}
			continue
		}
		for _, wrong := range checkFacts(op, n) {
			t.Errorf("%s: %s", rowName(op), wrong)
		}
	}
}

// TestFactsCanFail makes rows say what is not true.
func TestFactsCanFail(t *testing.T) {
	for name, spoil := range map[string]struct {
		op   Op
		with func(f *fact)
	}{
		"a register that is read":              {OpAdd, func(f *fact) { f.reads.r = 0 }},
		"a register that is not read":          {OpCom, func(f *fact) { f.reads.r = 1 }},
		"a pair that is one register":          {OpMov, func(f *fact) { f.reads.r = 3 }},
		"a flag that is read":                  {OpAdc, func(f *fact) { f.reads.fixed = 0 }},
		"a flag that is not read":              {OpAdd, func(f *fact) { f.reads.fixed = FlagSet(FlagC) }},
		"a register that is written":           {OpMul, func(f *fact) { f.writes.fixed &^= RegSet(1) }},
		"a register that is not written":       {OpCp, func(f *fact) { f.writes.d = 1 }},
		"a flag that is written":               {OpAdd, func(f *fact) { f.writes.fixed &^= FlagSet(FlagH) }},
		"a flag that is not written":           {OpInc, func(f *fact) { f.writes.fixed |= FlagSet(FlagC) }},
		"SP":                                   {OpPush, func(f *fact) { f.moved = 0 }},
		"RAMPZ":                                {OpElpmZInc, func(f *fact) { f.writes.fixed = 0 }},
		"EIND":                                 {OpEijmp, func(f *fact) { f.reads.fixed = 0 }},
		"a pointer":                            {OpLdX, func(f *fact) { f.access.Base = 28 }},
		"a displacement":                       {OpLddZ, func(f *fact) { f.displaced = false }},
		"a step":                               {OpStXInc, func(f *fact) { f.access.Step = 0 }},
		"an offset":                            {OpLdYDec, func(f *fact) { f.access.Offset = 0 }},
		"a read of memory":                     {OpLds, func(f *fact) { f.access.Reads, f.access.Writes = false, true }},
		"memory":                               {OpIn, func(f *fact) { f.access = Access{} }},
		"how many bytes":                       {OpRcall, func(f *fact) { f.access.Bytes = 1 }},
		"cycles":                               {OpSbiw, func(f *fact) { f.cycles = 1 }},
		"how long a return takes":              {OpRet, func(f *fact) { f.access.Bytes = 1 }},
		"flow: a branch":                       {OpBrne, func(f *fact) { f.flow = Jump }},
		"flow: a skip":                         {OpSbrs, func(f *fact) { f.flow = Next }},
		"flow: a jump that might be no branch": {OpRjmp, func(f *fact) { f.flow = Branch }},
		"flow: where to":                       {OpIjmp, func(f *fact) { f.flow = Return }},
	} {
		was := facts[spoil.op]
		spoil.with(&facts[spoil.op])
		if len(checkFacts(spoil.op, 300)) == 0 {
			t.Errorf("%s: what the table says of %s is wrong, and nobody noticed", name, rowName(spoil.op))
		}
		facts[spoil.op] = was
	}
}

// checkFacts executes instructions of a row, n on each chip, and tells what is wrong with its facts, a few things at most.
func checkFacts(op Op, n int) (wrong []string) {
	x := trial{op: op, proven: map[claim]bool{}}
	for i, c := range chips {
		var words []uint16
		for w := range 1 << 16 {
			if opcodes()[w] == op && table[op].need&^c.has == 0 {
				words = append(words, uint16(w))
			}
		}
		if len(words) == 0 {
			continue
		}
		x.probe, x.rnd = newProbe(c), rand.New(rand.NewPCG(uint64(op), uint64(i)))
		for range n {
			if why := x.try(words[x.rnd.IntN(len(words))]); why != "" {
				if wrong = append(wrong, fmt.Sprintf("%s: %s: %s", c.name, x.in, why)); len(wrong) == 3 {
					return wrong
				}
			}
		}
		if at := slices.IndexFunc(x.ram, func(v uint8) bool { return v != x.ram[0] }); at >= 0 {
			return append(wrong, fmt.Sprintf("%s: something was stored at %#x", c.name, at))
		}
	}
	return append(wrong, x.unproven()...)
}

// probe is a chip that notes what it is asked for. Its memory has at each address what of says.
type probe struct {
	core  Core
	chip  chipOf
	flash []byte
	ram   []uint8 // all of memory behind the I/O registers, for the core's own loads and stores
	deeds []deed
}

// deed is something that a core asks of the chip around it.
type deed struct {
	what string
	addr uint32
	v    uint16
}

const ramFrom = 0x200

func newProbe(c chipOf) *probe {
	p := &probe{chip: c, flash: make([]byte, c.flash), ram: make([]uint8, 1<<16-ramFrom)}
	p.core.Init(p, Compile(p.flash, c.flash/2, c.has), nil, ramFrom)
	return p
}

func (p *probe) of(addr uint32) uint8 { return uint8(addr*0x9E3779B1>>24) | 1 }

func (p *probe) did(what string, addr uint32, v uint16) {
	p.deeds = append(p.deeds, deed{what, addr, v})
}

func (p *probe) Load(a uint16) uint8 {
	p.did("load", uint32(a), 0)
	return p.of(uint32(a))
}
func (p *probe) Store(a uint16, v uint8) { p.did("store", uint32(a), uint16(v)) }
func (p *probe) SetBit(a uint16, mask uint8, on bool) {
	p.did(fmt.Sprintf("set %t", on), uint32(a), uint16(mask))
}
func (p *probe) ProgByte(a uint32) uint8 {
	p.did("fetch", a, 0)
	return p.of(a)
}
func (p *probe) ProgWord(pc uint32) uint16 { return wordAt(p.flash, pc) }
func (p *probe) Sleep()                    { p.did("sleep", 0, 0) }
func (p *probe) WatchdogReset()            { p.did("wdr", 0, 0) }
func (p *probe) SelfProgram(a uint32)      { p.did("spm", a, p.core.ptr(0)) } // the chip takes the word from there
func (p *probe) Halt(Halt)                 { p.did("halt", 0, 0) }
func (p *probe) Hook(uint32) bool          { return false }

// trial is instructions of a row being tried.
type trial struct {
	*probe
	rnd    *rand.Rand
	op     Op
	in     Inst
	over   Inst           // what follows it
	proven map[claim]bool // what the table says and was seen
}

// claim is one thing that a row says is read or written.
type claim struct {
	written bool
	operand byte // 'd', 'r' or 0
	bit     int  // of the Set, or beside the operand
}

func (s claim) String() string {
	what := "reads"
	if s.written {
		what = "writes"
	}
	return fmt.Sprintf("%s %c%d", what, max(s.operand, '.'), s.bit)
}

// at is the bit of the Set that a claim is, of an instruction.
func (s claim) at(in Inst) int {
	switch s.operand {
	case 'd':
		return s.bit + int(in.D)
	case 'r':
		return s.bit + int(in.R)
	}
	return s.bit
}

// claims lists what a row says.
func claims(f *fact) (list []claim) {
	add := func(written bool, operand byte, s Set) {
		for ; s != 0; s &= s - 1 {
			list = append(list, claim{written, operand, bits.TrailingZeros64(uint64(s))})
		}
	}
	for i, u := range []uses{f.reads, f.writes} {
		add(i == 1, 'd', u.d)
		add(i == 1, 'r', u.r)
		add(i == 1, 0, u.fixed|[]Set{f.pointer, f.moved}[i])
	}
	return list
}

// unproven is what the table says and was never seen to be so.
func (x *trial) unproven() (wrong []string) {
	if x.probe == nil {
		return []string{"no chip has it"}
	}
	for _, s := range claims(&facts[x.op]) {
		if !x.proven[s] {
			wrong = append(wrong, fmt.Sprintf("the table says that it %s: it was never seen", s))
		}
	}
	if f := facts[x.op].flow; (f == Branch || f == Skip) && !(x.proven[claim{bit: goesOn}] && x.proven[claim{bit: goesAway}]) {
		wrong = append(wrong, "it always goes the same way")
	}
	return wrong
}

// Ways that a branch or skip went, among what is proven.
const goesOn, goesAway = 100, 101

// What a Set is made of.
const (
	bitSP    = 32 + int(NumFlags)
	bitRAMPZ = bitSP + 1
	bitEIND  = bitSP + 2
	allBits  = bitSP + 3
)

// part is a part of the state by its bit in a Set.
func part(s *State, bit int) uint16 {
	switch {
	case bit < 32:
		return uint16(s.R[bit])
	case bit < bitSP:
		return uint16(s.SREG() >> (bit - 32) & 1)
	}
	return [...]uint16{s.SP, uint16(s.RAMPZ), uint16(s.EIND)}[bit-bitSP]
}

// change makes a part another one than it is, if the chip has another.
func (x *trial) change(s *State, bit int) {
	v := 1 + uint8(x.rnd.IntN(255))
	switch {
	case bit < 32:
		s.R[bit] ^= v
	case bit < bitSP:
		s.SetSREG(s.SREG() ^ 1<<(bit-32))
	case bit == bitSP:
		s.SP ^= uint16(v)
	case bit == bitRAMPZ && x.chip.has&NeedElpm != 0:
		s.RAMPZ ^= 1
	case bit == bitEIND && x.chip.has&NeedEind != 0:
		s.EIND ^= 1
	}
}

// place puts an instruction into flash. It tells whether it can be tried: it must not reach the core's registers as memory, for
// those are no memory to look at.
func (x *trial) place(w uint16) bool {
	pc := 0x100 + x.rnd.Uint32N(x.chip.flash/2-0x200)
	second := uint16(ramFrom + x.rnd.IntN(1<<16-ramFrom))
	for i, v := range []uint16{w, second, uint16(x.rnd.Uint32())} {
		x.flash[2*int(pc)+2*i], x.flash[2*int(pc)+2*i+1] = uint8(v), uint8(v>>8)
	}
	x.core.Program.Patch(pc, 3, x.ProgWord)
	x.core.State = State{PC: pc}
	x.in = x.core.Program.At(pc)
	x.over = x.core.Program.At(pc + 1)
	a := x.in.Access()
	return a.Space != IORegister || !x.core.ownRegister(a.Offset)
}

// shuffle makes up a state. Pointers point at memory.
func (x *trial) shuffle() State {
	s := x.core.State
	for i := range s.R {
		s.R[i] = uint8(x.rnd.Uint32())
		if x.rnd.IntN(4) == 0 {
			s.R[i] = [...]uint8{0, 1, 0x7F, 0x80, 0xFF}[x.rnd.IntN(5)]
		}
	}
	for _, high := range []int{27, 29, 31} {
		s.R[high] = 4 + s.R[high]%0xF8
	}
	if x.op == OpCpse && x.rnd.IntN(2) == 0 {
		s.R[x.in.R] = s.R[x.in.D]
	}
	if x.op == OpElpmZInc && x.rnd.IntN(2) == 0 {
		s.R[30], s.R[31] = 0xFF, 0xFF
	}
	s.SetSREG(uint8(x.rnd.Uint32()))
	s.SP = 0x400 + uint16(x.rnd.IntN(0xF800))
	for bit := bitRAMPZ; bit < allBits; bit++ {
		if x.rnd.IntN(2) == 0 {
			x.change(&s, bit)
		}
	}
	return s
}

// came is what came of an instruction.
type came struct {
	State
	deeds []deed
}

func (x *trial) run(s State) came {
	x.core.State, x.deeds = s, nil
	x.core.Run(s.Cycles + 1)
	return came{x.core.State, x.deeds}
}

// try executes an instruction, from several states that are related. It tells what was not as the table says.
func (x *trial) try(w uint16) string {
	if !x.place(w) {
		return ""
	}
	before := x.shuffle()
	after := x.run(before)
	if why := x.fromRAM(before, after); why != "" {
		return why
	}
	reads, writes := x.in.Reads(), x.in.Writes()
	other := before
	for bit := range allBits {
		if reads>>bit&1 == 0 {
			x.change(&other, bit)
		}
		if writes>>bit&1 == 0 && part(&after.State, bit) != part(&before, bit) {
			return fmt.Sprintf("it writes bit %d", bit)
		}
	}
	if why := x.differ(after, x.run(other)); why != "" {
		return "something that it does not read changes " + why
	}
	x.prove(before, after)
	if why := x.wentTo(before, after); why != "" {
		return why
	}
	return x.accessed(before, after)
}

// fromRAM executes the instruction once more, with memory that the core reaches by itself.
func (x *trial) fromRAM(before State, after came) string {
	x.core.RAM = x.ram
	if x.op != OpSpm {
		x.core.ROM = x.flash
	}
	defer func() { x.core.RAM, x.core.ROM = nil, nil }()
	fetched := -1
	for _, d := range after.deeds {
		switch d.what {
		case "load":
			if d.addr >= ramFrom {
				x.ram[d.addr-ramFrom] = x.of(d.addr)
			}
		case "fetch":
			fetched = int(d.addr) % len(x.flash)
		}
	}
	was := uint8(0)
	if fetched >= 0 {
		was, x.flash[fetched] = x.flash[fetched], x.of(uint32(fetched))
	}
	again := x.run(before)
	if fetched >= 0 {
		x.flash[fetched] = was
	}
	why := ""
	for _, d := range after.deeds {
		if d.addr >= ramFrom && (d.what == "load" || d.what == "store") {
			if at := &x.ram[d.addr-ramFrom]; d.what == "store" && uint16(*at) != d.v {
				why = fmt.Sprintf("%#x is stored as %#x", d.v, *at)
			}
			x.ram[d.addr-ramFrom] = 0
		}
	}
	after.Canon()
	if again.Canon(); again.State != after.State {
		why = fmt.Sprintf("with memory of its own the core comes to %+v, without to %+v", again.State, after.State)
	}
	return why
}

// differ tells what differs between two outcomes, of what the instruction says it does.
func (x *trial) differ(a, b came) string {
	for bit := range allBits {
		if x.in.Writes()>>bit&1 != 0 && part(&a.State, bit) != part(&b.State, bit) {
			return fmt.Sprintf("bit %d", bit)
		}
	}
	switch {
	case a.PC != b.PC:
		return "where it goes"
	case a.Cycles != b.Cycles:
		return "how long it takes"
	case !slices.Equal(a.deeds, b.deeds):
		return fmt.Sprintf("what it does: %v, and not %v", b.deeds, a.deeds)
	}
	return ""
}

// prove sees whether something that the table says is read or written is. Where two claims are about the same register, neither is
// proven.
func (x *trial) prove(before State, after came) {
	all := claims(&facts[x.op])
	for _, s := range all {
		at := s.at(x.in)
		same := func(o claim) bool { return o != s && o.written == s.written && o.at(x.in) == at }
		switch {
		case x.proven[s] || slices.ContainsFunc(all, same):
		case s.written:
			x.proven[s] = part(&after.State, at) != part(&before, at)
		case x.rnd.IntN(4) == 0:
			other := before
			x.change(&other, at)
			x.proven[s] = x.differ(after, x.run(other)) != ""
		}
	}
}

// wentTo looks at where control went, and when.
func (x *trial) wentTo(before State, after came) string {
	flow, target := x.in.Flow()
	next := before.PC + uint32(x.in.N)
	least, most := x.in.Cycles(x.core.wide != 0)
	want, took := next, least
	z := uint32(before.ptr(30))
	if x.in.Reads()&EIND != 0 {
		z |= uint32(before.EIND) << 16
	}
	switch flow {
	case Branch, Skip:
		if flow == Skip {
			target = next + uint32(x.over.N)
		}
		x.proven[claim{bit: goesOn}] = x.proven[claim{bit: goesOn}] || after.PC == next && target != next
		if after.PC == target && target != next {
			x.proven[claim{bit: goesAway}] = true
			want, took = target, least+1
			if flow == Skip {
				took = least + uint64(x.over.N)
			}
		}
		if target == next {
			took = after.Cycles - before.Cycles // it may have been taken
		}
	case Jump, Call:
		want = target
	case IndirectJump, IndirectCall:
		want = z
	case Return:
		want = 0
		for _, d := range after.deeds {
			want = want<<8 | uint32(x.of(d.addr))
		}
	}
	if x.op == OpBreak { // it halts
		want, took = before.PC, 0
	} else if took > most {
		return fmt.Sprintf("takes %d cycles, the table says at most %d", took, most)
	}
	if after.PC != want%x.core.Program.words || after.Cycles-before.Cycles != took {
		return fmt.Sprintf("from %#x to %#x in %d cycles, the table says to %#x in %d", before.PC, after.PC, after.Cycles-before.Cycles, want, took)
	}
	return ""
}

// accessed looks at what was done to memory.
func (x *trial) accessed(before State, after came) string {
	a := x.in.Access()
	var want []deed
	d := uint16(before.R[x.in.D])
	switch a.Space {
	case DataMemory, IORegister:
		want = []deed{{"load", uint32(a.Address(&before)), 0}}
		if a.Writes {
			want[0].what, want[0].v = "store", d
		}
		if a.Writes && a.Reads {
			want[0].what, want[0].v = fmt.Sprintf("set %t", x.op == OpSbi), uint16(x.in.R)
		}
	case StackMemory:
		want = x.stacked(before, a)
	case CodeMemory:
		want = []deed{{"fetch", uint32(a.Address(&before)), 0}}
		if x.in.Reads()&RAMPZ != 0 {
			want[0].addr |= uint32(before.RAMPZ) << 16
		}
		if a.Writes {
			want[0].what, want[0].v = "spm", before.ptr(0)
		}
	case ChipAction:
		want = []deed{{what: strings.Replace(table[x.op].name, "break", "halt", 1)}}
	}
	if !slices.Equal(after.deeds, want) {
		return fmt.Sprintf("it does %v, the table says %v", after.deeds, want)
	}
	if loaded := a.Reads && x.in.Results()&RegSet(x.in.D) != 0; loaded && after.R[x.in.D] != x.of(want[0].addr) {
		return "the register does not have what was loaded"
	}
	if p := a.Base; p != 0 && x.in.D&^1 != p && after.ptr(int(p)) != before.ptr(int(p))+uint16(a.Step) {
		return fmt.Sprintf("the pointer goes from %#x to %#x", before.ptr(int(p)), after.ptr(int(p)))
	}
	return ""
}

// stacked is what must be pushed or popped.
func (x *trial) stacked(before State, a Access) (want []deed) {
	n := uint16(a.Bytes)
	if n == returnAddress {
		n += uint16(x.core.wide)
	}
	ret := before.PC + uint32(x.in.N)
	for i := range n {
		v := uint16(uint8(ret >> (8 * i)))
		if n == 1 {
			v = uint16(before.R[x.in.D])
		}
		if a.Writes {
			want = append(want, deed{"store", uint32(before.SP - i), v})
		} else {
			want = append(want, deed{"load", uint32(before.SP + 1 + i), 0})
		}
	}
	return want
}
