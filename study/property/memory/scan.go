package memory

import (
	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// code is a firmware's instructions, cut where control can come in.
type code struct {
	im      *image.Image
	program *avr.Program
	vectors uint32 // words of the vector table
	end     uint32 // word address behind the last instruction
	begins  []bool // an instruction begins here
	leader  []bool // control can come here from elsewhere
	startup []bool // part of the C run-time's start-up code
}

func scan(im *image.Image, program *avr.Program, vectors int) *code {
	c := &code{im: im, program: program, vectors: 2 * uint32(vectors), end: min(program.Words(), uint32(len(im.Flash)+1)/2)}
	c.begins, c.leader, c.startup = make([]bool, c.end+2), make([]bool, c.end+2), make([]bool, c.end+2)
	c.enter()
	c.sweep()
	c.markTables()
	c.markLeaders()
	c.markStartup()
	return c
}

// enter marks where execution is known to begin: vectors, symbols, blocks that code leads to.
func (c *code) enter() {
	for pc := uint32(0); pc < c.vectors && pc < c.end; pc += 2 {
		c.mark(pc)
	}
	for _, s := range c.im.Symbols {
		if s.Space == image.Flash {
			c.mark(s.Addr / 2)
		}
	}
	for _, b := range cfg.Blocks(c.program, c.im, int(c.vectors/2)) {
		c.mark(b.Start)
	}
}

// markTables takes every word of the constants in flash that could be a code address for one: tables of switch statements
// and of functions. A word that is none costs a little speed, one that is missed would cost the tags' truth.
func (c *code) markTables() {
	words := func(lo, hi uint32) {
		for at := lo &^ 1; at+1 < hi && at+1 < uint32(len(c.im.Flash)); at += 2 {
			if pc := uint32(c.im.Flash[at]) | uint32(c.im.Flash[at+1])<<8; pc >= c.vectors {
				c.mark(pc)
			}
		}
	}
	code := c.vectors * 2
	if s, ok := c.im.Symbol("__ctors_start"); ok {
		code = s.Addr
	} else if s, ok := c.im.Symbol("__init"); ok {
		code = s.Addr
	}
	words(c.vectors*2, code)
	if s, ok := c.im.Symbol("__data_load_start"); ok {
		words(s.Addr, uint32(len(c.im.Flash)))
	}
}

func (c *code) mark(pc uint32) {
	if pc < c.end {
		c.leader[pc] = true
	}
}

// sweep finds where instructions begin: one after the other from each place that is known.
func (c *code) sweep() {
	for pc := uint32(0); pc < c.end; {
		c.begins[pc] = true
		if n := c.program.At(pc).N; n == 2 && !c.leader[pc+1] {
			pc++
		}
		pc++
	}
}

// executable tells by word address where code is: where instructions begin, or, of a file without symbols, anywhere that it
// covers, since there constants among the code hide where they do.
func (c *code) executable() []bool {
	for _, s := range c.im.Symbols {
		if s.Space == image.Flash && s.Kind == image.Func {
			return c.begins
		}
	}
	all := make([]bool, len(c.begins))
	for i := range all[:c.end] {
		all[i] = true
	}
	return all
}

// markLeaders marks targets of jumps, and what follows jumps, calls and skips.
func (c *code) markLeaders() {
	for pc := uint32(0); pc < c.end; pc++ {
		if !c.begins[pc] {
			continue
		}
		in := c.program.At(pc)
		next := pc + in.Length()
		switch f, target := in.Flow(); f {
		case avr.Branch, avr.Jump, avr.Call:
			c.mark(target)
			c.mark(next)
		case avr.Skip:
			c.mark(next)
			if next < c.end {
				c.mark(next + c.program.At(next).Length())
			}
		case avr.IndirectJump, avr.IndirectCall, avr.Return, avr.Halts:
			c.mark(next)
		}
	}
}

// markStartup marks the code of the C run-time, which walks over all variables: the sections .init0 to .init9, from the label
// in front of them to the one behind.
func (c *code) markStartup() {
	from, ok1 := c.im.Symbol("__dtors_end")
	to, ok2 := c.im.Symbol("__bad_interrupt")
	if !ok1 || !ok2 {
		return
	}
	for pc := from.Addr / 2; pc < to.Addr/2 && pc < c.end; pc++ {
		c.startup[pc] = true
	}
}

// behind is the instruction behind the one at pc, whether or not control can come there from elsewhere too: what looks like the
// entry of a table of code may be none.
func (c *code) behind(pc uint32) (uint32, bool) {
	n := pc + c.program.At(pc).Length()
	return n, n < c.end && c.begins[n]
}

// next is the instruction behind the one at pc in the same run of code, if control can come there only from pc.
func (c *code) next(pc uint32) (uint32, bool) {
	n := pc + c.program.At(pc).Length()
	if n >= c.end || c.leader[n] || !c.begins[n] {
		return n, false
	}
	return n, true
}
