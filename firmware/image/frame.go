package image

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
)

// frameEntry describes the stack frame of one function (an FDE of .debug_frame).
type frameEntry struct {
	Range
	common  *frameCommon
	program []byte
}

// frameCommon is a CIE: what all functions of a unit share.
type frameCommon struct {
	codeAlign uint64
	dataAlign int64
	program   []byte
}

// parseFrames reads .debug_frame as far as it makes sense. Functions that the linker
// dropped are left at address 0, and left out unless code there is real.
func parseFrames(section []byte, codeAtZero bool) []frameEntry {
	var out []frameEntry
	commons := make(map[uint32]*frameCommon)
	c := cursor{b: section}
	for len(c.b) > 4 {
		at := uint32(len(section) - len(c.b))
		body := cursor{b: c.take(uint64(c.u32()))}
		if c.bad {
			break
		}
		if id := body.u32(); id == 0xFFFFFFFF {
			commons[at] = parseCommon(&body)
		} else if common := commons[id]; common != nil {
			lo := body.u32()
			e := frameEntry{Range{lo, lo + body.u32()}, common, body.b}
			if !body.bad && (e.Lo > 0 || codeAtZero) && e.Lo < e.Hi {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b frameEntry) int { return cmp.Compare(a.Lo, b.Lo) })
	return out
}

func parseCommon(c *cursor) *frameCommon {
	version := c.u8()
	if c.cstring() != "" || version > 4 {
		return nil
	}
	if version == 4 {
		c.take(2) // address and segment size
	}
	f := &frameCommon{codeAlign: c.uleb(), dataAlign: c.sleb()}
	if version == 1 {
		c.u8()
	} else {
		c.uleb()
	}
	if f.program = c.b; c.bad {
		return nil
	}
	return f
}

// frameRow is the frame at one instruction: the canonical frame address (the
// caller's stack pointer) and where registers were saved, relative to it.
type frameRow struct {
	reg    uint64
	offset int64
	saved  [regReturn + 1]int64
	isSet  [regReturn + 1]bool
}

func (im *Image) frameRow(pc uint32) (row frameRow, returnSize int, err error) {
	frames := im.dwarf().frames
	i := sort.Search(len(frames), func(i int) bool { return frames[i].Lo > pc }) - 1
	if i < 0 || !frames[i].Contains(pc) {
		return row, 0, fmt.Errorf("no stack frame information for address %#x; build with -gdwarf-4", pc)
	}
	e := frames[i]
	if err := row.run(e.common, e.common.program, 0, 0xFFFFFFFF, nil); err != nil {
		return row, 0, err
	}
	initial := row
	// At the entry the frame holds nothing but the return address.
	returnSize = int(row.offset)
	err = row.run(e.common, e.program, e.Lo, pc, &initial)
	return row, returnSize, err
}

// run executes call frame instructions (DWARF 4, 7.23) up to the target address.
func (row *frameRow) run(common *frameCommon, program []byte, pc, target uint32, initial *frameRow) error {
	var stack []frameRow
	c := cursor{b: program}
	for len(c.b) > 0 && !c.bad {
		op := c.u8()
		var advance uint64
		switch arg := uint64(op & 0x3F); {
		case op>>6 == 1:
			advance = arg
		case op>>6 == 2:
			row.save(arg, int64(c.uleb())*common.dataAlign)
		case op>>6 == 3:
			row.restore(arg, initial)
		case op == 0x01:
			pc = c.u32()
		case op >= 0x02 && op <= 0x04:
			advance = c.fixed(1 << (op - 2))
		case op == 0x0A:
			if len(stack) > 64 {
				return errors.New("stack frame information nests too deep")
			}
			stack = append(stack, *row)
		case op == 0x0B:
			if len(stack) == 0 {
				return errors.New("stack frame information restores what was not remembered")
			}
			*row, stack = stack[len(stack)-1], stack[:len(stack)-1]
		default:
			if err := row.rule(op, &c, common, initial); err != nil {
				return err
			}
		}
		pc += uint32(advance * common.codeAlign)
		if pc > target {
			return nil
		}
	}
	return nil
}

func (row *frameRow) rule(op uint8, c *cursor, common *frameCommon, initial *frameRow) error {
	switch op {
	case 0x00: // nop
	case 0x05:
		row.save(c.uleb(), int64(c.uleb())*common.dataAlign)
	case 0x06:
		row.restore(c.uleb(), initial)
	case 0x07, 0x08: // undefined, same value
		row.restore(c.uleb(), nil)
	case 0x0C:
		row.reg, row.offset = c.uleb(), int64(c.uleb())
	case 0x0D:
		row.reg = c.uleb()
	case 0x0E:
		row.offset = int64(c.uleb())
	case 0x11:
		row.save(c.uleb(), c.sleb()*common.dataAlign)
	case 0x12:
		row.reg, row.offset = c.uleb(), c.sleb()*common.dataAlign
	case 0x13:
		row.offset = c.sleb() * common.dataAlign
	case 0x2E: // size of arguments, of no interest
		c.uleb()
	default:
		return fmt.Errorf("stack frame instruction %#02x is not supported", op)
	}
	return nil
}

func (row *frameRow) save(reg uint64, offset int64) {
	if reg <= regReturn {
		row.saved[reg], row.isSet[reg] = offset, true
	}
}

func (row *frameRow) restore(reg uint64, initial *frameRow) {
	if reg > regReturn {
		return
	}
	row.saved[reg], row.isSet[reg] = 0, false
	if initial != nil {
		row.saved[reg], row.isSet[reg] = initial.saved[reg], initial.isSet[reg]
	}
}

// cfa is the canonical frame address of the function around regs.PC: what the
// stack pointer was before the call.
func (im *Image) cfa(regs Regs) (uint16, error) {
	row, _, err := im.frameRow(regs.PC)
	if err != nil {
		return 0, err
	}
	base, err := regs.pair(row.reg)
	return uint16(base + uint64(row.offset)), err
}

// Unwind gives the registers as they will be when the function around regs.PC
// has returned; PC is then the return address.
func (im *Image) Unwind(regs Regs, m Memory) (Regs, error) {
	row, size, err := im.frameRow(regs.PC)
	if err != nil {
		return regs, err
	}
	base, err := regs.pair(row.reg)
	if err != nil {
		return regs, err
	}
	if size != 2 && size != 3 {
		return regs, fmt.Errorf("stack frame information has a return address of %d bytes", size)
	}
	cfa := uint16(base + uint64(row.offset))
	for n := range regs.R {
		if row.isSet[n] {
			regs.R[n] = m.LoadByte(uint32(cfa + uint16(row.saved[n])))
		}
	}
	// A call pushes the low byte first, so the return address lies big endian.
	ret := uint32(0)
	for i := range size {
		ret = ret<<8 | uint32(m.LoadByte(uint32(cfa-uint16(size-1-i))))
	}
	regs.PC, regs.SP = ret*2, cfa
	return regs, nil
}
