package avr

// leave executes an instruction that Run does not execute by itself: it concerns the Bus, or memory that is not SRAM, or
// it is rare. PC and Cycles are as before the instruction; Instructions already counts it. What it returns, if anything, is to
// be executed in its place.
//
// Of loads and stores, Run has done the pointer's part: addr and val say what is left.
func (c *Core) leave(in *Inst) *Inst {
	switch op := first[in.Op]; op {
	case OpIn:
		c.R[in.D&31] = c.load(uint16(in.K))
		c.PC, c.Cycles = c.PC+1, c.Cycles+1
	case OpOut:
		c.store(uint16(in.K), c.R[in.D&31])
		c.PC, c.Cycles = c.PC+1, c.Cycles+1
	case OpSbi, OpCbi:
		c.Cycles++
		c.Bus.SetBit(uint16(in.K), in.R, op == OpSbi)
		c.PC, c.Cycles = c.PC+1, c.Cycles+1
	case OpSbic, OpSbis:
		c.skipIf((c.load(uint16(in.K))&in.R != 0) == (op == OpSbis))
	case OpSbrc, OpSbrs, OpCpse:
		c.skipIf(true) // only its length was unknown

	case OpLpm, OpLpmZ:
		c.leaveLPM(in.D, uint32(c.ptr(30)))
	case OpLpmZInc:
		far := uint32(c.ptr(30))
		c.setPtr(30, uint16(far)+1)
		c.leaveLPM(in.D, far)
	case OpElpm, OpElpmZ:
		c.leaveLPM(in.D, uint32(c.RAMPZ)<<16|uint32(c.ptr(30)))
	case OpElpmZInc:
		far := uint32(c.RAMPZ)<<16 | uint32(c.ptr(30))
		c.setPtr(30, uint16(far+1))
		c.RAMPZ = uint8((far+1)>>16) & c.rampzMask()
		c.leaveLPM(in.D, far)
	case OpSpm:
		pc := c.PC
		c.PC = wrap(pc, c.Program.words)
		c.Bus.SelfProgram(uint32(c.RAMPZ)<<16 | uint32(c.ptr(30)))
		c.PC, c.Cycles = pc+1, c.Cycles+1

	case OpEijmp:
		c.PC, c.Cycles = wrap(uint32(c.EIND)<<16|uint32(c.ptr(30)), c.Program.words), c.Cycles+2
	case OpRcall, OpCall:
		c.leaveCall(in, in.K)
	case OpIcall:
		c.leaveCall(in, wrap(uint32(c.ptr(30)), c.Program.words))
	case OpEicall:
		c.leaveCall(in, wrap(uint32(c.EIND)<<16|uint32(c.ptr(30)), c.Program.words))
	case OpRet, OpReti:
		c.Cycles += 3 + c.wide
		c.PC = c.pop()
		c.Cycles++
		if op == OpReti {
			c.I = 1
			c.enable(c.Cycles)
		}
	case OpBrvs, OpBrhs, OpBrie:
		c.leaveBranch(c.SREG()>>(op-OpBrcs)&1 != 0, in.K)
	case OpBrvc, OpBrhc, OpBrid:
		c.leaveBranch(c.SREG()>>(op-OpBrcc)&1 == 0, in.K)
	case OpSec, OpSet, OpSez, OpSen, OpSev, OpSes, OpSeh:
		c.SetSREG(c.SREG() | 1<<(op-OpSec))
		c.PC, c.Cycles = c.PC+1, c.Cycles+1
	case OpClt, OpClz, OpCln, OpClv, OpCls, OpClh:
		c.SetSREG(c.SREG() &^ (1 << (op - OpClc)))
		c.PC, c.Cycles = c.PC+1, c.Cycles+1

	case OpSleep:
		c.Bus.Sleep()
		c.PC, c.Cycles = c.PC+1, c.Cycles+1
	case OpWdr:
		c.Bus.WatchdogReset()
		c.PC, c.Cycles = c.PC+1, c.Cycles+1

	case opDynamic:
		c.dyn = Decode(c.Bus.ProgWord(c.PC), c.Bus.ProgWord(c.PC+1), c.PC, c.Program.has, c.Program.words)
		return &c.dyn
	case opHook, opLog, opShadow, opData:
		c.PC = wrap(c.PC, c.Program.words)
		if (op != opShadow || in.D != 0) && c.hooked() {
			return nil
		}
		if op == opShadow {
			c.Shadow.Step(c)
		}
		c.count(in.K)
		return &c.Plain.code[c.PC]
	default:
		f := &facts[op]
		c.Cycles++
		switch {
		case f.access.Reads:
			c.R[in.D&31] = c.loadBy(f, c.addr)
		case f.access.Writes:
			c.storeBy(f, c.addr, c.val)
		default:
			c.Cycles, c.Instructions, c.limit = c.Cycles-1, c.Instructions-1, 0
			c.Bus.Halt(haltOf(op))
			return nil
		}
		c.PC, c.Cycles = c.PC+uint32(in.N), c.Cycles+1
	}
	return nil
}

// leaveLPM is LPM and ELPM of an address that ROM may not cover.
func (c *Core) leaveLPM(d uint8, far uint32) {
	c.Cycles += 2
	c.R[d&31] = c.progByte(far)
	c.PC, c.Cycles = c.PC+1, c.Cycles+1
}

func (c *Core) leaveCall(in *Inst, target uint32) {
	c.Cycles += uint64(facts[in.Op].cycles) - 1 + c.wide
	c.push(c.PC + uint32(in.N))
	c.PC = target
	c.Cycles++
}

func (c *Core) leaveBranch(taken bool, target uint32) {
	c.PC, c.Cycles = c.PC+1, c.Cycles+1
	if taken {
		c.PC, c.Cycles = target, c.Cycles+1
	}
}

// skipIf ends an instruction that skips the next one, which takes a cycle for each word of that.
func (c *Core) skipIf(skip bool) {
	c.PC, c.Cycles = c.PC+1, c.Cycles+1
	if skip {
		length := uint32(c.Program.code[c.PC&(maxWords-1)].N)
		if length == 0 {
			length = uint32(Decode(c.Bus.ProgWord(c.PC), 0, c.PC, c.Program.has, c.Program.words).N)
		}
		c.PC += length
		c.Cycles += uint64(length)
	}
}
