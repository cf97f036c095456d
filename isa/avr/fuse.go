package avr

// Some instructions nearly always come together, and are executed together: with one look at the program, at the clock and at
// the stack instead of one for each. The record of the first says so; the others keep theirs, for those who jump there.
//
// Fused instructions are executed as they would be one by one. Where that is not certain (time is up on the way, the stack
// is not in SRAM, interrupts would be enabled) the first is executed alone.
const (
	opPushes = opData + 1 + iota // PUSH, and R more
	opPops                       // POP, and R more
	opEnter                      // how handlers begin that a compiler made
	opExit                       // ... and end
	opCpiBreq
	opCpiBrne
	opCpiBrcs
	opCpiBrcc
	opCpcBreq
	opCpcBrne
	opCpcBrcs
	opCpcBrcc
	opTstBreq
	opDecBrne
	opSbiwBrne
	numOps
)

// pairs are the fused operations of two instructions, of a word each.
var pairs = [numOps]struct{ first, second Op }{
	opCpiBreq:  {OpCpi, OpBreq},
	opCpiBrne:  {OpCpi, OpBrne},
	opCpiBrcs:  {OpCpi, OpBrcs},
	opCpiBrcc:  {OpCpi, OpBrcc},
	opCpcBreq:  {OpCpc, OpBreq},
	opCpcBrne:  {OpCpc, OpBrne},
	opCpcBrcs:  {OpCpc, OpBrcs},
	opCpcBrcc:  {OpCpc, OpBrcc},
	opTstBreq:  {OpAnd, OpBreq},
	opDecBrne:  {OpDec, OpBrne},
	opSbiwBrne: {OpSbiw, OpBrne},
}

// enter and exit are opEnter and opExit: what avr-gcc puts around an interrupt handler, to save and restore SREG by way of r0
// and to have zero in r1.
var (
	enter = []Inst{
		{Op: OpPush, N: 1, D: 1},
		{Op: OpPush, N: 1, D: 0},
		{Op: OpIn, N: 1, D: 0, K: AddrSREG},
		{Op: OpPush, N: 1, D: 0},
		{Op: OpEor, N: 1, D: 1, R: 1},
	}
	exit = []Inst{
		{Op: OpPop, N: 1, D: 0},
		{Op: OpOut, N: 1, D: 0, K: AddrSREG},
		{Op: OpPop, N: 1, D: 0},
		{Op: OpPop, N: 1, D: 1},
		{Op: OpReti, N: 1},
	}
)

// maxMore is how many of its kind can follow in a run: more than there are registers to save.
const maxMore = 40

// first is the operation that an operation begins with.
var first = func() (t [256]Op) {
	for op := range t {
		t[op] = Op(op)
	}
	t[opPushes], t[opPops], t[opEnter], t[opExit] = OpPush, OpPop, OpPush, OpPop
	for op, p := range pairs {
		if p.second != 0 {
			t[op] = p.first
		}
	}
	return t
}()

// alone is the instruction at a record, without those that are executed together with it.
func (in Inst) alone() Inst {
	if in.Op == opPushes || in.Op == opPops {
		in.R = 0
	}
	in.Op = first[in.Op]
	return in
}

// more is how many words belong to a record besides its own.
func (in *Inst) more() uint32 {
	switch {
	case in.Op == opPushes || in.Op == opPops:
		return uint32(in.R)
	case in.Op == opEnter:
		return uint32(len(enter)) - 1
	case in.Op == opExit:
		return uint32(len(exit)) - 1
	case in.Op > opExit && in.Op < numOps:
		return 1
	case in.watched() && in.Op != opData:
		return uint32(in.R)
	}
	return 0
}

// fuse marks the records of a fresh program that begin what is executed together. It goes backwards: a run knows how long
// the one after it is.
func (p *Program) fuse() {
	for pc := p.words - 1; pc > 0; pc-- {
		in, after := &p.code[pc-1], &p.code[pc]
		switch {
		case in.Op == OpPush:
			p.fuseStack(pc, enter, opEnter, opPushes)
		case in.Op == OpPop:
			p.fuseStack(pc, exit, opExit, opPops)
		case facts[after.Op].flow == Branch:
			for op := opCpiBreq; op < numOps; op++ {
				if pairs[op].first == in.Op && pairs[op].second == after.Op {
					in.Op = op
				}
			}
		}
	}
}

// fuseStack is fuse for the PUSH or POP before pc: it begins a sequence, or a run, or nothing.
func (p *Program) fuseStack(pc uint32, sequence []Inst, whole, run Op) {
	in := &p.code[pc-1]
	switch {
	case p.begins(pc-1, sequence):
		in.Op = whole
	case first[p.code[pc].Op] == in.Op:
		in.Op, in.R = run, min(p.run(pc)+1, maxMore)
	}
}

// run is how many of its kind follow the PUSH or POP at pc.
func (p *Program) run(pc uint32) uint8 {
	if in := &p.code[pc]; in.Op == opPushes || in.Op == opPops {
		return in.R
	}
	return 0
}

// begins reports whether a sequence is at pc.
func (p *Program) begins(pc uint32, sequence []Inst) bool {
	if uint32(len(sequence)) > p.words-pc {
		return false
	}
	for i, want := range sequence {
		if p.code[pc+uint32(i)].alone() != want {
			return false
		}
	}
	return true
}

// part has the record at pc executed together with no other. It is called before that gets another meaning.
func (p *Program) part(pc uint32) {
	p.code[pc] = p.code[pc].alone()
	for i := uint32(1); i <= min(pc, maxMore); i++ {
		in := &p.code[pc-i]
		if in.more() < i {
			continue
		}
		switch {
		case in.watched():
			if in.R = 0; in.Op == opCount {
				in.D = uint8(first[in.D])
			}
		case i > 1 && (in.Op == opPushes || in.Op == opPops):
			in.R = uint8(i - 1)
		default:
			*in = in.alone()
		}
	}
}
