package avr

// Shadow follows what a core does with data of its own: where each value came from, who wrote it. It sees the core in
// front of the instructions that it chose, and changes nothing in it.
type Shadow interface {
	// Step is called before an instruction that Over marked, once for each time that it is executed.
	Step(c *Core)
	// Over is a program, Hooked and Counted as it may be, with the shadow's instructions marked by Shadowed, or as it is if
	// the shadow does not know plain, which is the same without hooks. It is asked for the same program often.
	Over(plain, p *Program) *Program
}

// Shadowed makes a program in which the core's Shadow is called before the instructions at the given word addresses.
// A Counted or Hooked program can be Shadowed, not the other way round.
func (p *Program) Shadowed(at []uint32) *Program {
	q := p.Copy()
	for _, pc := range at {
		if pc >= p.words {
			continue
		}
		in := &q.code[pc]
		hooked := in.Op == opHook || in.Op == opLog || in.Op == opData
		q.watch(pc, opShadow)
		if in.D = 0; hooked {
			in.D = 1
		}
	}
	return q
}

// hooked calls the watcher of an instruction, and reports whether it stops the core.
func (c *Core) hooked() bool {
	c.Instructions--
	if c.Bus.Hook(c.PC) {
		c.limit = 0
		return true
	}
	c.Instructions++
	return false
}
