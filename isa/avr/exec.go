package avr

// run is Run up to the first instruction that is for leave, which it returns. It begins with an instruction that leave gave,
// if there is one.
//
// This loop is the whole cost of emulation, so it is written for it: program counter and cycles in registers, one
// comparison per instruction, one dense switch. It calls nothing: the compiler would keep whatever is alive across a call
// in memory, for every instruction. For the same reason the long cases opLog and opData put pc, cyc and n into the core, and read
// them again, and in as well: otherwise there are too few registers. While an instruction is executed pc and cyc are those after
// it, if it is one of one word and one cycle.
func (c *Core) run(in *Inst) *Inst {
	var (
		p    = c.Program
		ram  = c.RAM
		base = uint(c.RAMBase)
		pc   = c.PC
		cyc  = c.Cycles
		n    = c.Instructions
		addr uint16
		far  uint32
		val  uint8
		yes  bool
		op   Op
	)
	_ = p.words // nil is looked for here, and not in the loop
	if in != nil {
		op = first[in.Op]
		pc, cyc = pc+1, cyc+1
		goto again
	}
next:
	if cyc >= c.limit {
		goto done
	}
	in = &p.code[pc&(maxWords-1)]
	pc, cyc, n = pc+1, cyc+1, n+1
	op = in.Op
again:
	switch op {
	case OpNop:
	case OpMovw:
		c.R[in.D&31], c.R[(in.D+1)&31] = c.R[in.R&31], c.R[(in.R+1)&31]
	case OpMul, OpFmul:
		c.flagsMul(uint16(c.R[in.D&31])*uint16(c.R[in.R&31]), in.Op == OpFmul)
		cyc++
	case OpMuls, OpFmuls:
		c.flagsMul(uint16(int16(int8(c.R[in.D&31]))*int16(int8(c.R[in.R&31]))), in.Op == OpFmuls)
		cyc++
	case OpMulsu, OpFmulsu:
		c.flagsMul(uint16(int16(int8(c.R[in.D&31]))*int16(c.R[in.R&31])), in.Op == OpFmulsu)
		cyc++
	case OpAdd:
		a, b := uint32(c.R[in.D&31]), uint32(c.R[in.R&31])
		c.R[in.D&31] = c.flagsSum(a, b, a+b)
	case OpAdc:
		a, b := uint32(c.R[in.D&31]), uint32(c.R[in.R&31])
		c.R[in.D&31] = c.flagsSum(a, b, a+b+c.carry())
	case OpSub:
		c.R[in.D&31] = c.minus(in.D, uint32(c.R[in.R&31]))
	case OpSbc:
		c.R[in.D&31] = c.minusCarry(in.D, uint32(c.R[in.R&31]))
	case OpCp:
		c.minus(in.D, uint32(c.R[in.R&31]))
	case OpCpc:
		c.minusCarry(in.D, uint32(c.R[in.R&31]))
	case OpSubi:
		c.R[in.D&31] = c.minus(in.D, in.K)
	case OpSbci:
		c.R[in.D&31] = c.minusCarry(in.D, in.K)
	case OpCpi:
		c.minus(in.D, in.K)
	case OpAdiw:
		d := in.D & 31
		a := uint32(c.R[d]) | uint32(c.R[(d+1)&31])<<8
		r := a + in.K
		c.R[d], c.R[(d+1)&31] = uint8(r), uint8(r>>8)
		c.flagsWord(r, ^a&r)
		cyc++
	case OpSbiw:
		d := in.D & 31
		a := uint32(c.R[d]) | uint32(c.R[(d+1)&31])<<8
		r := a - in.K
		c.R[d], c.R[(d+1)&31] = uint8(r), uint8(r>>8)
		c.flagsWord(r, a&^r)
		cyc++

	case OpAnd:
		c.R[in.D&31] = c.flagsLogic(c.R[in.D&31] & c.R[in.R&31])
	case OpEor:
		c.R[in.D&31] = c.flagsLogic(c.R[in.D&31] ^ c.R[in.R&31])
	case OpOr:
		c.R[in.D&31] = c.flagsLogic(c.R[in.D&31] | c.R[in.R&31])
	case OpAndi:
		c.R[in.D&31] = c.flagsLogic(c.R[in.D&31] & uint8(in.K))
	case OpOri:
		c.R[in.D&31] = c.flagsLogic(c.R[in.D&31] | uint8(in.K))
	case OpCom:
		c.R[in.D&31] = c.flagsLogic(^c.R[in.D&31])
		c.hc |= carryBit
	case OpNeg:
		a := uint32(c.R[in.D&31])
		c.R[in.D&31] = c.flagsSum(0, a, -a)
	case OpSwap:
		a := c.R[in.D&31]
		c.R[in.D&31] = a<<4 | a>>4
	case OpInc:
		a := c.R[in.D&31]
		c.R[in.D&31] = c.flagsStep(a+1, ^a&(a+1))
	case OpDec:
		a := c.R[in.D&31]
		c.R[in.D&31] = c.flagsStep(a-1, a&^(a-1))
	case OpAsr:
		a := c.R[in.D&31]
		c.R[in.D&31] = c.flagsShift(a>>1|a&0x80, a)
	case OpLsr:
		a := c.R[in.D&31]
		c.R[in.D&31] = c.flagsShift(a>>1, a)
	case OpRor:
		a := c.R[in.D&31]
		c.R[in.D&31] = c.flagsShift(a>>1|uint8(c.hc>>1)&0x80, a)
	case OpMov:
		c.R[in.D&31] = c.R[in.R&31]
	case OpLdi:
		c.R[in.D&31] = uint8(in.K)

	case OpLddZ:
		addr = c.ptr(30) + uint16(in.R)
		goto load
	case OpLddY:
		addr = c.ptr(28) + uint16(in.R)
		goto load
	case OpLdX:
		addr = c.ptr(26)
		goto load
	case OpLdXInc:
		addr = c.advance(26)
		goto load
	case OpLdXDec:
		addr = c.retreat(26)
		goto load
	case OpLdYInc:
		addr = c.advance(28)
		goto load
	case OpLdYDec:
		addr = c.retreat(28)
		goto load
	case OpLdZInc:
		addr = c.advance(30)
		goto load
	case OpLdZDec:
		addr = c.retreat(30)
		goto load
	case opPops:
		i, more := uint(c.SP)+1-base, uint(in.R)
		if i+more < uint(len(ram)) && i < uint(len(ram)) && cyc+2*uint64(more) <= c.limit {
			c.SP += 1 + uint16(more)
			cyc, n = cyc+1+2*uint64(more), n+uint64(more)
			for ; more != 0; more-- {
				c.R[in.D&31] = ram[i]
				in = &p.code[pc&(maxWords-1)]
				i, pc = i+1, pc+1
			}
			c.R[in.D&31] = ram[i]
			goto next
		}
		fallthrough
	case OpPop:
		addr = c.SP + 1
		c.SP = addr
		goto load
	case OpLds:
		addr = uint16(in.K)
		if i := uint(addr) - base; i < uint(len(ram)) {
			c.R[in.D&31] = ram[i]
			pc, cyc = pc+1, cyc+1
			goto next
		}
		c.addr = addr
		goto leave
	case OpStdZ:
		addr = c.ptr(30) + uint16(in.R)
		goto store
	case OpStdY:
		addr = c.ptr(28) + uint16(in.R)
		goto store
	case OpStX:
		addr = c.ptr(26)
		goto store
	case OpStXInc:
		addr, val = c.ptr(26), c.R[in.D&31]
		c.setPtr(26, addr+1)
		goto storeVal
	case OpStXDec:
		addr, val = c.ptr(26)-1, c.R[in.D&31]
		c.setPtr(26, addr)
		goto storeVal
	case OpStYInc:
		addr, val = c.ptr(28), c.R[in.D&31]
		c.setPtr(28, addr+1)
		goto storeVal
	case OpStYDec:
		addr, val = c.ptr(28)-1, c.R[in.D&31]
		c.setPtr(28, addr)
		goto storeVal
	case OpStZInc:
		addr, val = c.ptr(30), c.R[in.D&31]
		c.setPtr(30, addr+1)
		goto storeVal
	case OpStZDec:
		addr, val = c.ptr(30)-1, c.R[in.D&31]
		c.setPtr(30, addr)
		goto storeVal
	case opPushes:
		i, more := uint(c.SP)-base, uint(in.R)
		if i < uint(len(ram)) && i >= more && cyc+2*uint64(more) <= c.limit {
			c.SP -= 1 + uint16(more)
			cyc, n = cyc+1+2*uint64(more), n+uint64(more)
			for ; more != 0; more-- {
				ram[i] = c.R[in.D&31]
				in = &p.code[pc&(maxWords-1)]
				i, pc = i-1, pc+1
			}
			ram[i] = c.R[in.D&31]
			goto next
		}
		fallthrough
	case OpPush:
		addr = c.SP
		c.SP = addr - 1
		goto store
	case opEnter:
		i := uint(c.SP) - base - 2
		if i >= uint(len(ram)) || i+2 >= uint(len(ram)) || cyc+6 >= c.limit {
			op = OpPush
			goto again
		}
		ram[i+2], ram[i+1] = c.R[1], c.R[0]
		val = c.nvs() | c.ithzc()
		ram[i] = val
		c.R[0], c.R[1] = val, c.flagsLogic(0)
		c.SP -= 3
		pc, cyc, n = pc+4, cyc+7, n+4
	case opExit:
		i := uint(c.SP) - base + 1
		if i >= uint(len(ram)) || i+4 >= uint(len(ram)) || cyc+6 >= c.limit || c.wide != 0 || ram[i] >= 1<<sregI {
			op = OpPop
			goto again
		}
		c.SetSREG(ram[i] | 1<<sregI)
		c.R[0], c.R[1] = ram[i+1], ram[i+2]
		if pc = uint32(ram[i+3])<<8 | uint32(ram[i+4]); pc >= c.Program.words {
			pc = wrap(pc, c.Program.words)
		}
		c.SP += 5
		cyc, n = cyc+10, n+4
		c.enable(cyc)
	case OpSts:
		addr = uint16(in.K)
		val = c.R[in.D&31]
		if i := uint(addr) - base; i < uint(len(ram)) {
			ram[i] = val
			pc, cyc = pc+1, cyc+1
			goto next
		}
		c.addr, c.val = addr, val
		goto leave

	case OpIn: // most reads are of these, by handlers and by functions with a frame
		switch in.K {
		case AddrRAMPZ:
			if p.has&NeedElpm == 0 {
				goto leave
			}
			c.R[in.D&31] = c.RAMPZ
		case AddrSREG:
			c.R[in.D&31] = c.nvs() | c.ithzc()
		case AddrSPL:
			c.R[in.D&31] = uint8(c.SP)
		case AddrSPH:
			c.R[in.D&31] = uint8(c.SP >> 8)
		default:
			if shown := c.held.Shown[(in.K-IOBase)%IORegisters]; shown != nil {
				c.R[in.D&31] = *shown
			} else if d := &c.held.Data; in.K == d.Addr && *d.Guard == 0 {
				c.R[in.D&31] = uint8(*d.Value)
			} else {
				goto leave
			}
		}
	case OpOut:
		val = c.R[in.D&31]
		switch in.K {
		case AddrRAMPZ:
			if p.has&NeedElpm == 0 {
				goto leave
			}
			c.RAMPZ = val & c.rampzMask()
		case AddrSREG:
			if c.I < val>>7 {
				c.enable(cyc)
			}
			c.SetSREG(val)
		case AddrSPL:
			c.SP = c.SP&0xFF00 | uint16(val)
		case AddrSPH:
			c.SP = c.SP&0xFF | uint16(val)<<8
		default:
			s := &c.held.Sleep
			if in.K != s.Addr || val&s.Bar != 0 || *s.Guard != 0 {
				goto leave
			}
			*s.Bytes[0] = *s.Bytes[0]&^s.Masks[0] | val&s.Masks[0]
			*s.Bytes[1] = *s.Bytes[1]&^s.Masks[1] | val&s.Masks[1]
		}
	case OpSbic, OpSbis:
		shown := c.held.Shown[(in.K-IOBase)%IORegisters]
		if shown == nil {
			goto leave
		}
		yes = (*shown&in.R != 0) == (op == OpSbis)
		goto skip
	case OpSbrc:
		yes = c.R[in.D&31]&in.R == 0
		goto skip
	case OpSbrs:
		yes = c.R[in.D&31]&in.R != 0
		goto skip
	case OpCpse:
		yes = c.R[in.D&31] == c.R[in.R&31]
		goto skip

	case OpLpm, OpLpmZ, OpLpmZInc: // LPM's implied r0 is its D
		if addr = c.ptr(30); int(addr) >= len(c.ROM) {
			goto leave
		}
		val = c.ROM[addr]
		if in.Op == OpLpmZInc {
			c.setPtr(30, addr+1)
		}
		c.R[in.D&31] = val
		cyc += 2

	case OpRjmp:
		pc, cyc = in.K, cyc+1
	case OpJmp:
		pc, cyc = in.K, cyc+2
	case OpIjmp:
		pc, cyc = wrap(uint32(c.ptr(30)), c.Program.words), cyc+1
	case OpRcall, OpCall:
		far = in.K
		goto call
	case OpIcall:
		far = wrap(uint32(c.ptr(30)), c.Program.words)
		goto call
	case OpRet, OpReti:
		i := uint(c.SP) - base + 1
		if c.wide != 0 || i >= uint(len(ram)) || i+1 >= uint(len(ram)) {
			goto leave
		}
		if pc = uint32(ram[i])<<8 | uint32(ram[i+1]); pc >= c.Program.words {
			pc = wrap(pc, c.Program.words)
		}
		c.SP += 2
		cyc += 3
		if in.Op == OpReti {
			c.I = 1
			c.enable(cyc)
		}

	case OpBrcs:
		if c.hc&carryBit != 0 {
			pc, cyc = in.K, cyc+1
		}
	case OpBrcc:
		if c.hc&carryBit == 0 {
			pc, cyc = in.K, cyc+1
		}
	case OpBreq:
		if c.nz == 0 {
			pc, cyc = in.K, cyc+1
		}
	case OpBrne:
		if c.nz != 0 {
			pc, cyc = in.K, cyc+1
		}
	case OpBrmi:
		if c.negative() {
			pc, cyc = in.K, cyc+1
		}
	case OpBrpl:
		if !c.negative() {
			pc, cyc = in.K, cyc+1
		}
	case OpBrlt:
		if c.less() {
			pc, cyc = in.K, cyc+1
		}
	case OpBrge:
		if !c.less() {
			pc, cyc = in.K, cyc+1
		}
	case OpBrts:
		if c.t != 0 {
			pc, cyc = in.K, cyc+1
		}
	case OpBrtc:
		if c.t == 0 {
			pc, cyc = in.K, cyc+1
		}

	case OpBst:
		c.t = 0
		if c.R[in.D&31]&in.R != 0 {
			c.t = 1
		}
	case OpBld:
		if c.t != 0 {
			c.R[in.D&31] |= in.R
		} else {
			c.R[in.D&31] &^= in.R
		}
	case OpSei:
		if c.I == 0 {
			c.I = 1
			c.enable(cyc)
		}
	case OpCli:
		c.I = 0
	case OpClc:
		c.hc &^= carryBit
	case opCpiBreq:
		c.minus(in.D, in.K)
		yes = c.nz == 0
		goto branch
	case opCpiBrne:
		c.minus(in.D, in.K)
		yes = c.nz != 0
		goto branch
	case opCpiBrcs:
		c.minus(in.D, in.K)
		yes = c.hc&carryBit != 0
		goto branch
	case opCpiBrcc:
		c.minus(in.D, in.K)
		yes = c.hc&carryBit == 0
		goto branch
	case opCpcBreq:
		c.minusCarry(in.D, uint32(c.R[in.R&31]))
		yes = c.nz == 0
		goto branch
	case opCpcBrne:
		c.minusCarry(in.D, uint32(c.R[in.R&31]))
		yes = c.nz != 0
		goto branch
	case opCpcBrcs:
		c.minusCarry(in.D, uint32(c.R[in.R&31]))
		yes = c.hc&carryBit != 0
		goto branch
	case opCpcBrcc:
		c.minusCarry(in.D, uint32(c.R[in.R&31]))
		yes = c.hc&carryBit == 0
		goto branch
	case opTstBreq:
		c.R[in.D&31] = c.flagsLogic(c.R[in.D&31] & c.R[in.R&31])
		yes = c.nz == 0
		goto branch
	case opDecBrne:
		a := c.R[in.D&31]
		c.R[in.D&31] = c.flagsStep(a-1, a&^(a-1))
		yes = c.nz != 0
		goto branch
	case opSbiwBrne:
		d := in.D & 31
		a := uint32(c.R[d]) | uint32(c.R[(d+1)&31])<<8
		r := a - in.K
		c.R[d], c.R[(d+1)&31] = uint8(r), uint8(r>>8)
		c.flagsWord(r, a&^r)
		cyc++
		yes = c.nz != 0
		goto branch
	case opWrap:
		pc, cyc, n = wrap(pc-1, c.Program.words), cyc-1, n-1
	case opLog:
		c.PC, c.Cycles, c.Instructions = pc-1, cyc-1, n
		i, log := uint(c.SP)-base+1, c.Passes
		if log == nil || log.N >= logSize || i >= uint(len(ram)) || i+1 >= uint(len(ram)) {
			return in
		}
		x := &log.At[log.N]
		x.PC, x.SP, x.Return, log.N = c.PC&(maxWords-1), c.SP, uint16(ram[i])<<8|uint16(ram[i+1]), log.N+1
		c.count(in.K)
		pc, cyc, n = c.PC+1, c.Cycles+1, c.Instructions
		if op = c.Plain.code[(pc-1)&(maxWords-1)].Op; in.R == 0 {
			op = first[op]
		}
		in = &c.Plain.code[(pc-1)&(maxWords-1)]
		goto again
	case opData:
		c.PC, c.Cycles, c.Instructions = pc-1, cyc-1, n
		of, log := &c.Plain.code[(pc-1)&(maxWords-1)], c.Moves
		if addr = uint16(of.K); in.D&31 != 0 {
			addr = c.ptr(int(in.D&31)) + uint16(int8(in.R))
		}
		i := uint(addr) - base
		if log == nil || log.N >= logSize || i >= uint(len(ram)) {
			return &p.code[c.PC&(maxWords-1)]
		}
		x := &log.At[log.N] // field by field: a whole one is put together elsewhere, and copied
		x.Store = in.D >= dataStore
		x.Cycle, x.PC, x.Addr, x.Old, x.New = c.Cycles, c.PC&(maxWords-1), addr, ram[i], c.R[of.D&31]
		log.N++
		c.count(p.code[c.PC&(maxWords-1)].K)
		pc, cyc, n = c.PC+1, c.Cycles+1, c.Instructions
		in = &c.Plain.code[(pc-1)&(maxWords-1)]
		op = in.Op
		goto again
	case opCount:
		c.count(in.K)
		op, in = Op(in.D), &c.Plain.code[(pc-1)&(maxWords-1)]
		goto again
	default: // rare, or for the Bus
		goto leave
	}
	goto next

branch: // of a pair: taken if yes
	if cyc >= c.limit {
		goto done
	}
	in = &p.code[pc&(maxWords-1)]
	pc, cyc, n = pc+1, cyc+1, n+1
	if yes {
		pc, cyc = in.K, cyc+1
	}
	goto next

load:
	if i := uint(addr) - base; i < uint(len(ram)) {
		c.R[in.D&31] = ram[i]
		cyc++
		goto next
	}
	c.addr = addr
	goto leave

store:
	val = c.R[in.D&31]
storeVal:
	if i := uint(addr) - base; i < uint(len(ram)) {
		ram[i] = val
		cyc++
		goto next
	}
	c.addr, c.val = addr, val
	goto leave

call: // far is the target
	addr = c.SP
	if i := uint(addr) - base - 1; c.wide == 0 && i < uint(len(ram)) && i+1 < uint(len(ram)) && pc+1 < c.Program.words {
		ret := pc - 1 + uint32(in.N)
		ram[i+1], ram[i] = uint8(ret), uint8(ret>>8)
		c.SP = addr - 2
		pc, cyc = far, cyc+1+uint64(in.N)
		goto next
	}
	goto leave

skip: // if yes
	if !yes {
		goto next
	}
	if length := uint32(p.code[pc&(maxWords-1)].N); length != 0 {
		pc, cyc = pc+length, cyc+uint64(length)
		goto next
	}

leave:
	c.PC, c.Cycles, c.Instructions = pc-1, cyc-1, n
	return in

done:
	c.PC, c.Cycles, c.Instructions = pc, cyc, n
	return nil
}
