package kernel

import (
	"slices"
	"strings"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// code is a firmware's instructions, as far as symbols say where instructions begin, with what is needed to find the
// kernel in them.
type code struct {
	im      *image.Image
	program *avr.Program
	ranges  []image.Range // from symbol to symbol, where there is code
	insts   []inst        // by address
}

// inst is an instruction and what is known before it.
type inst struct {
	avr.Inst
	pc     uint32
	addr   uint16 // what a load or store accesses, if fixed
	fixed  bool   // the address is the same each time
	stores bool
	loads  bool
	from   source // of a store: where the value comes from
}

// source is where a register's value comes from.
type source uint8

const (
	fromAnywhere source = iota
	fromCode            // LDI
	fromMemory          // a load
)

func newCode(im *image.Image, program *avr.Program) *code {
	c := &code{im: im, program: program}
	c.ranges = c.stretches()
	cases := map[uint32]bool{} // of switch statements
	for _, j := range cfg.Follow(program, im, 0).Jumps {
		for _, to := range j.To {
			cases[to] = true
		}
	}
	for _, r := range c.ranges {
		c.sweep(r, cases)
	}
	return c
}

// stretches cuts flash at the symbols, since data may stand between functions.
func (c *code) stretches() []image.Range {
	var (
		at   []uint32
		data = map[uint32]bool{}
		end  = uint32(len(c.im.Flash))
	)
	for _, s := range c.im.Symbols {
		if s.Space == image.Flash && s.Addr < end && s.Addr%2 == 0 {
			at = append(at, s.Addr)
			data[s.Addr] = data[s.Addr] || s.Kind == image.Object
		}
	}
	slices.Sort(at)
	at = append(slices.Compact(at), end)
	var r []image.Range
	for i := range len(at) - 1 {
		if !data[at[i]] {
			r = append(r, image.Range{Lo: at[i], Hi: at[i+1]})
		}
	}
	return r
}

// sweep decodes a stretch, following constants and where values come from along straight code. Tables lead to the cases.
func (c *code) sweep(r image.Range, cases map[uint32]bool) {
	lo, hi := r.Lo/2, r.Hi/2
	joins := map[uint32]bool{} // where branches lead
	for pc := lo; pc < hi; pc += c.program.At(pc).Length() {
		if flow, target := c.program.At(pc).Flow(); flow == avr.Branch || flow == avr.Jump {
			joins[target] = true
		}
	}
	var k known
	for pc := lo; pc < hi; pc += c.program.At(pc).Length() {
		if joins[pc] || cases[pc] {
			k = known{}
		}
		x := inst{Inst: c.program.At(pc), pc: pc}
		k.access(&x)
		c.insts = append(c.insts, x)
		k.step(x)
	}
}

// known is what is known of the working registers.
type known struct {
	value    [32]uint8
	constant [32]bool
	from     [32]source
}

// access finds out what a load or store accesses.
func (k *known) access(x *inst) {
	a := x.Access()
	if a.Space != avr.DataMemory {
		return
	}
	x.loads, x.stores = a.Reads, a.Writes
	if x.stores {
		x.from = k.from[x.D&31]
	}
	switch b := a.Base; {
	case b == 0:
		x.addr, x.fixed = a.Offset, true
	case k.constant[b] && k.constant[b+1]:
		x.addr, x.fixed = (uint16(k.value[b])|uint16(k.value[b+1])<<8)+a.Offset, true
	}
}

// step executes an instruction as far as it is about known values.
func (k *known) step(x inst) {
	d, r := x.D&31, x.R&31
	switch flow, _ := x.Flow(); {
	case flow != avr.Next && flow != avr.Branch: // others may do something, or what comes next may not happen
		*k = known{}
	case x.Op == avr.OpLdi:
		k.set(d, uint8(x.K), true, fromCode)
	case x.Op == avr.OpMov:
		k.set(d, k.value[r], k.constant[r], k.from[r])
	case x.Op == avr.OpMovw:
		k.set(d, k.value[r], k.constant[r], k.from[r])
		k.set((d+1)&31, k.value[(r+1)&31], k.constant[(r+1)&31], k.from[(r+1)&31])
	default:
		for w := range x.Writes().Registers {
			k.set(w, 0, false, fromAnywhere)
		}
		if x.loads {
			k.set(d, 0, false, fromMemory)
		}
	}
}

func (k *known) set(r uint8, v uint8, constant bool, from source) {
	k.value[r], k.constant[r], k.from[r] = v, constant, from
}

// symbol finds a symbol of the kernel: nesC joins names by "__", and older versions by "$"; optimisation across files gives
// statics a suffix.
func (c *code) symbol(name string) (image.Symbol, bool) {
	for _, n := range []string{name, strings.ReplaceAll(name, "__", "$")} {
		if s, ok := c.im.Symbol(n); ok {
			return s, true
		}
	}
	for _, s := range c.im.Symbols {
		if rest, ok := strings.CutPrefix(s.Name, name+".lto_priv."); ok && rest != "" {
			return s, true
		}
	}
	return image.Symbol{}, false
}

// variable finds a variable in RAM.
func (c *code) variable(name string) (image.Symbol, bool) {
	s, ok := c.symbol(name)
	return s, ok && s.Space == image.Data
}

// whole is where a variable is.
func whole(s image.Symbol) image.Range { return image.Range{Lo: s.Addr, Hi: s.Addr + s.Size} }

// function finds the code of a real function, as word addresses.
func (c *code) function(name string) (image.Range, bool) {
	s, ok := c.symbol(name)
	if !ok || s.Space != image.Flash || s.Kind == image.Object {
		return image.Range{}, false
	}
	if s.Size == 0 {
		return image.Range{Lo: s.Addr / 2, Hi: s.Addr/2 + 1}, true
	}
	return image.Range{Lo: s.Addr / 2, Hi: (s.Addr + s.Size) / 2}, true
}

// around is the function around a word address, as word addresses; where there is none, the code up to the next symbols.
func (c *code) around(pc uint32) image.Range {
	if s, ok := c.im.FuncAt(2 * pc); ok && s.Size > 0 {
		return image.Range{Lo: s.Addr / 2, Hi: (s.Addr + s.Size) / 2}
	}
	for _, r := range c.ranges {
		if r.Contains(2 * pc) {
			return image.Range{Lo: r.Lo / 2, Hi: r.Hi / 2}
		}
	}
	return image.Range{Lo: pc, Hi: pc + 1}
}

// stores lists the instructions that store to a byte.
func (c *code) stores(addr uint32) []inst {
	return c.filter(func(x inst) bool { return x.stores && x.fixed && uint32(x.addr) == addr })
}

// loadBefore is the last load of a byte before an instruction of the same function.
func (c *code) loadBefore(addr uint32, pc uint32) (uint32, bool) {
	var at uint32
	found := false
	r := c.around(pc)
	for _, x := range c.insts {
		if x.loads && x.fixed && uint32(x.addr) == addr && x.pc < pc && r.Contains(x.pc) {
			at, found = x.pc, true
		}
	}
	return at, found
}

func (c *code) filter(want func(inst) bool) []inst {
	var list []inst
	for _, x := range c.insts {
		if want(x) {
			list = append(list, x)
		}
	}
	return list
}

// ops lists the instructions of one kind in a part of the code.
func (c *code) ops(op avr.Op, r image.Range) []uint32 {
	var at []uint32
	for _, x := range c.insts {
		if x.Op == op && r.Contains(x.pc) {
			at = append(at, x.pc)
		}
	}
	return at
}

// returns lists where a call of the function at a word address may come back to: behind its calls, and, where another
// function ends by a jump to it, behind that one's.
func (c *code) returns(entry uint32) []uint32 {
	var sites []uint32
	seen := map[uint32]bool{entry: true}
	for todo := []uint32{entry}; len(todo) > 0; todo = todo[1:] {
		for _, x := range c.insts {
			switch flow, target := x.Flow(); {
			case target != todo[0]:
			case flow == avr.Call:
				sites = append(sites, x.pc+uint32(x.N))
			case flow == avr.Jump:
				if f := c.around(x.pc); !seen[f.Lo] {
					seen[f.Lo] = true
					todo = append(todo, f.Lo)
				}
			}
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}
