package image

import (
	"errors"
	"fmt"
)

// Regs is the part of a CPU's state that locations of variables refer to.
type Regs struct {
	R  [32]uint8
	SP uint16
	PC uint32 // byte address
}

// pair is the 16-bit value that starts at register n; the stack pointer is 32.
func (r *Regs) pair(n uint64) (uint64, error) {
	switch {
	case n == regSP:
		return uint64(r.SP), nil
	case n < 31:
		return uint64(r.R[n]) | uint64(r.R[n+1])<<8, nil
	}
	return 0, fmt.Errorf("register %d does not hold an address", n)
}

// pieceKind says what holds a piece of a variable.
type pieceKind uint8

// A piece in inNothing was optimised away; one inValue is known, but stored nowhere.
const (
	inNothing pieceKind = iota
	inRegister
	inMemory
	inValue
)

// valuePiece is a run of bytes of a variable, lowest first.
type valuePiece struct {
	Kind  pieceKind
	Reg   int // the first register
	Space Space
	Addr  uint32
	Value uint64
	Size  uint32 // 0 means all of the variable
	Why   string // of inNothing
}

// DWARF operations (DWARF 4, 7.7.1), where the number alone would say nothing.
const (
	opAddr          = 0x03
	opDeref         = 0x06
	opBra           = 0x28
	opSkip          = 0x2F
	opLit0          = 0x30
	opReg0          = 0x50
	opBreg0         = 0x70
	opRegx          = 0x90
	opFbreg         = 0x91
	opBregx         = 0x92
	opPiece         = 0x93
	opDerefSize     = 0x94
	opNop           = 0x96
	opCallFrameCFA  = 0x9C
	opImplicitValue = 0x9E
	opStackValue    = 0x9F
	opBitPiece      = 0x9D
	opEntryValue    = 0xA3
	opGNUImplicit   = 0xF2
	opGNUEntryValue = 0xF3
	opGNUParameter  = 0xFA

	regSP     = 32
	regReturn = 36

	// dwarfAddrSize is what GCC gives AVR (DWARF2_ADDR_SIZE), though pointers have
	// two bytes: a plain dereference loads this much.
	dwarfAddrSize = 4
)

// locate tells where local is when the CPU is at regs.PC inside f. mem may be nil
// if the expression reads no memory.
func (im *Image) locate(f *Function, local *Local, regs Regs, mem Memory) ([]valuePiece, error) {
	if local.Const != nil && !local.Loc.known() {
		return []valuePiece{{Kind: inValue, Value: uint64(*local.Const)}}, nil
	}
	expr, ok := local.Loc.at(regs.PC)
	if !ok || len(expr) == 0 {
		return []valuePiece{{Why: "the compiler kept no copy here"}}, nil
	}
	m := machine{im: im, f: f, regs: &regs, mem: mem}
	return m.pieces(expr)
}

// machine evaluates one expression.
type machine struct {
	im    *Image
	f     *Function
	regs  *Regs
	mem   Memory
	stack []uint64
	depth int

	piece valuePiece // what the operations since the last piece lead to
	set   bool
	fixed bool // the address came from DW_OP_addr alone, so it names its space
}

const maxSteps = 10000

func (m *machine) pieces(expr []byte) ([]valuePiece, error) {
	var out []valuePiece
	c := cursor{b: expr}
	for steps := 0; len(c.b) > 0; steps++ {
		if steps > maxSteps {
			return nil, errors.New("its location expression does not end")
		}
		op := c.u8()
		if op == opPiece || op == opBitPiece {
			p, err := m.endPiece(op, &c)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
			m.stack, m.set, m.fixed = m.stack[:0], false, false
			continue
		}
		if err := m.step(op, &c, expr); err != nil {
			return nil, err
		}
		if c.bad {
			return nil, errors.New("its location expression is cut short")
		}
	}
	if len(out) == 0 || m.set || len(m.stack) > 0 {
		out = append(out, m.result())
	}
	return out, nil
}

// endPiece takes the location so far for the next bytes of the variable.
func (m *machine) endPiece(op uint8, c *cursor) (valuePiece, error) {
	p := m.result()
	size := c.uleb()
	if op == opBitPiece {
		if size%8 != 0 || c.uleb() != 0 {
			return p, errors.New("its location is made of single bits, which is not supported")
		}
		size /= 8
	}
	if c.bad || size == 0 || size > maxObject {
		return p, errors.New("its location expression has a piece of impossible size")
	}
	p.Size = uint32(size)
	return p, nil
}

// result is the location that the operations so far describe: an address on the
// stack, unless one of them said otherwise.
func (m *machine) result() valuePiece {
	if m.set {
		return m.piece
	}
	if len(m.stack) == 0 {
		return valuePiece{Why: "this part was optimised away"}
	}
	addr := uint32(m.stack[len(m.stack)-1])
	if space, off, ok := split(addr); ok && (m.fixed || space != Flash) {
		return valuePiece{Kind: inMemory, Space: space, Addr: off}
	}
	return valuePiece{Kind: inMemory, Space: Data, Addr: addr & 0xFFFF}
}

func (m *machine) found(p valuePiece) { m.piece, m.set = p, true }

func (m *machine) push(v uint64) { m.stack = append(m.stack, v) }

func (m *machine) pop() (uint64, error) {
	if len(m.stack) == 0 {
		return 0, errors.New("its location expression takes from an empty stack")
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v, nil
}

func (m *machine) step(op uint8, c *cursor, whole []byte) error {
	m.fixed = op == opAddr && len(m.stack) == 0
	switch {
	case op >= opLit0 && op < opReg0:
		m.push(uint64(op - opLit0))
		return nil
	case op >= opReg0 && op < opBreg0:
		m.found(valuePiece{Kind: inRegister, Reg: int(op - opReg0)})
		return nil
	case op >= opBreg0 && op < opRegx:
		return m.based(uint64(op-opBreg0), c.sleb())
	case op >= 0x08 && op <= 0x11:
		m.push(constant(op, c))
		return nil
	case op >= 0x12 && op <= 0x17:
		return m.shuffle(op, c)
	case op == opBra || op == opSkip:
		return m.jump(op, c, whole)
	case op >= 0x19 && op <= 0x2E:
		return m.arithmetic(op, c)
	}
	return m.special(op, c)
}

func (m *machine) special(op uint8, c *cursor) error {
	switch op {
	case opAddr:
		m.push(uint64(c.u32()))
	case opDeref:
		return m.load(dwarfAddrSize)
	case opDerefSize:
		return m.load(int(c.u8()))
	case opRegx:
		m.found(valuePiece{Kind: inRegister, Reg: int(c.uleb() & 0xFF)})
	case opFbreg:
		return m.frameBased(c.sleb())
	case opBregx:
		n := c.uleb()
		return m.based(n, c.sleb())
	case opNop:
	case opCallFrameCFA:
		cfa, err := m.im.cfa(*m.regs)
		if err != nil {
			return err
		}
		m.push(uint64(cfa))
	case opImplicitValue:
		n := min(c.uleb(), 8)
		m.found(valuePiece{Kind: inValue, Value: c.fixed(n)})
	case opStackValue:
		v, err := m.pop()
		if err != nil {
			return err
		}
		if !m.set { // a value made from one that is gone is gone too
			m.found(valuePiece{Kind: inValue, Value: v})
		}
	case opEntryValue, opGNUEntryValue:
		c.take(c.uleb())
		m.push(0)
		m.found(valuePiece{Why: "only its value on entry to the function was kept"})
	case opGNUParameter:
		c.take(4)
		m.push(0)
		m.found(valuePiece{Why: "only what the caller passed was kept"})
	case 0xA0, opGNUImplicit:
		c.take(4)
		c.sleb()
		m.found(valuePiece{Why: "it is a pointer to something optimised away"})
	default:
		return fmt.Errorf("its location uses DWARF operation %#02x, which is not supported", op)
	}
	return nil
}

func constant(op uint8, c *cursor) uint64 {
	switch op {
	case 0x08:
		return c.fixed(1)
	case 0x09:
		return uint64(int8(c.u8()))
	case 0x0A:
		return c.fixed(2)
	case 0x0B:
		return uint64(int16(c.u16()))
	case 0x0C:
		return c.fixed(4)
	case 0x0D:
		return uint64(int32(c.u32()))
	case 0x10:
		return c.uleb()
	case 0x11:
		return uint64(c.sleb())
	}
	return c.fixed(8)
}

func (m *machine) based(reg uint64, off int64) error {
	v, err := m.regs.pair(reg)
	m.push(v + uint64(off))
	return err
}

// frameBased evaluates the function's own frame base, which must not refer back to it.
func (m *machine) frameBased(off int64) error {
	if m.f == nil || m.depth > 0 {
		return errors.New("its location needs a frame base, and the function has none")
	}
	expr, ok := m.f.frameBase.at(m.regs.PC)
	if !ok {
		return errors.New("the function's frame base is not known at this address")
	}
	sub := machine{im: m.im, f: m.f, regs: m.regs, mem: m.mem, depth: 1}
	at, err := sub.pieces(expr)
	if err != nil {
		return err
	}
	base := uint64(at[0].Addr)
	if at[0].Kind == inRegister {
		if base, err = m.regs.pair(uint64(at[0].Reg)); err != nil {
			return err
		}
	}
	m.push(base + uint64(off))
	return nil
}

func (m *machine) load(size int) error {
	addr, err := m.pop()
	if err != nil {
		return err
	}
	if m.mem == nil || size < 1 || size > 8 {
		return errors.New("its location reads memory that was not given")
	}
	var v uint64
	for i := range size {
		v |= uint64(m.mem.LoadByte(uint32(addr+uint64(i))&0xFFFF)) << (8 * i)
	}
	m.push(v)
	return nil
}

func (m *machine) jump(op uint8, c *cursor, whole []byte) error {
	to := len(whole) - len(c.b) + 2 + int(int16(c.u16()))
	if op == opBra {
		v, err := m.pop()
		if err != nil || v == 0 {
			return err
		}
	}
	if to < 0 || to > len(whole) {
		return errors.New("its location expression jumps outside itself")
	}
	c.b = whole[to:]
	return nil
}

func (m *machine) shuffle(op uint8, c *cursor) error {
	need := map[uint8]int{0x12: 1, 0x13: 1, 0x14: 2, 0x15: 1, 0x16: 2, 0x17: 3}[op]
	pick := 0
	if op == 0x15 {
		pick = int(c.u8())
		need = pick + 1
	}
	n := len(m.stack)
	if n < need {
		return errors.New("its location expression takes from an empty stack")
	}
	s := m.stack
	switch op {
	case 0x12, 0x15: // dup, pick
		m.push(s[n-1-pick])
	case 0x13: // drop
		m.stack = s[:n-1]
	case 0x14: // over
		m.push(s[n-2])
	case 0x16: // swap
		s[n-1], s[n-2] = s[n-2], s[n-1]
	case 0x17: // rot
		s[n-1], s[n-2], s[n-3] = s[n-2], s[n-3], s[n-1]
	}
	return nil
}
