package avr

// Run executes instructions until Cycles reaches until, Attend is called, or the Bus halts the core. The last
// instruction may end after until: cycles are never split.
//
// This loop is the whole cost of emulation, so it is written for it: program counter and cycles in registers, one
// comparison per instruction, one dense switch, data accesses that leave SRAM handed to load and store.
func (c *Core) Run(until uint64) {
	c.limit = until
	var (
		code = &c.Program.code
		ram  = c.RAM
		base = uint(c.RAMBase)
		pc   = c.PC
		cyc  = c.Cycles
		n    = c.Instructions
		in   *Inst
		addr uint16
		far  uint32
		val  uint8
		skip bool
	)
	for cyc < c.limit {
		in = &code[pc&(maxWords-1)]
		n++
	again:
		switch in.Op {
		case OpNop:
			pc, cyc = pc+1, cyc+1
		case OpMovw:
			c.R[in.D&31], c.R[(in.D+1)&31] = c.R[in.R&31], c.R[(in.R+1)&31]
			pc, cyc = pc+1, cyc+1
		case OpMul, OpFmul:
			c.flagsMul(uint16(c.R[in.D&31])*uint16(c.R[in.R&31]), in.Op == OpFmul)
			pc, cyc = pc+1, cyc+2
		case OpMuls, OpFmuls:
			c.flagsMul(uint16(int16(int8(c.R[in.D&31]))*int16(int8(c.R[in.R&31]))), in.Op == OpFmuls)
			pc, cyc = pc+1, cyc+2
		case OpMulsu, OpFmulsu:
			c.flagsMul(uint16(int16(int8(c.R[in.D&31]))*int16(c.R[in.R&31])), in.Op == OpFmulsu)
			pc, cyc = pc+1, cyc+2

		case OpAdd:
			a, b := c.R[in.D&31], c.R[in.R&31]
			s := uint32(a) + uint32(b)
			r := uint8(s)
			c.cr = uint8(s >> 8)
			c.flagsAdd(a, b, r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpAdc:
			a, b := c.R[in.D&31], c.R[in.R&31]
			s := uint32(a) + uint32(b) + uint32(c.cr)
			r := uint8(s)
			c.cr = uint8(s >> 8)
			c.flagsAdd(a, b, r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpSub:
			a, b := c.R[in.D&31], c.R[in.R&31]
			s := uint32(a) - uint32(b)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr = r
			c.flagsSub(a, b, r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpSbc:
			a, b := c.R[in.D&31], c.R[in.R&31]
			s := uint32(a) - uint32(b) - uint32(c.cr)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr |= r
			c.flagsSub(a, b, r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpCp:
			a, b := c.R[in.D&31], c.R[in.R&31]
			s := uint32(a) - uint32(b)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr = r
			c.flagsSub(a, b, r)
			pc, cyc = pc+1, cyc+1
		case OpCpc:
			a, b := c.R[in.D&31], c.R[in.R&31]
			s := uint32(a) - uint32(b) - uint32(c.cr)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr |= r
			c.flagsSub(a, b, r)
			pc, cyc = pc+1, cyc+1
		case OpSubi:
			a, b := c.R[in.D&31], uint8(in.K)
			s := uint32(a) - uint32(b)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr = r
			c.flagsSub(a, b, r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpSbci:
			a, b := c.R[in.D&31], uint8(in.K)
			s := uint32(a) - uint32(b) - uint32(c.cr)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr |= r
			c.flagsSub(a, b, r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpCpi:
			a, b := c.R[in.D&31], uint8(in.K)
			s := uint32(a) - uint32(b)
			r := uint8(s)
			c.cr = uint8(s>>8) & 1
			c.zr = r
			c.flagsSub(a, b, r)
			pc, cyc = pc+1, cyc+1
		case OpAdiw:
			d := in.D & 31
			a := uint32(c.R[d]) | uint32(c.R[(d+1)&31])<<8
			r := a + in.K
			c.R[d], c.R[(d+1)&31] = uint8(r), uint8(r>>8)
			c.cr = uint8(r >> 16)
			c.zr = uint8(r) | uint8(r>>8)
			c.nr = uint8(r >> 8)
			c.vr = uint8(^a & r >> 8)
			c.sr = c.nr ^ c.vr
			pc, cyc = pc+1, cyc+2
		case OpSbiw:
			d := in.D & 31
			a := uint32(c.R[d]) | uint32(c.R[(d+1)&31])<<8
			r := a - in.K
			c.R[d], c.R[(d+1)&31] = uint8(r), uint8(r>>8)
			c.cr = uint8(r>>16) & 1
			c.zr = uint8(r) | uint8(r>>8)
			c.nr = uint8(r >> 8)
			c.vr = uint8(a & ^r >> 8)
			c.sr = c.nr ^ c.vr
			pc, cyc = pc+1, cyc+2

		case OpAnd:
			r := c.R[in.D&31] & c.R[in.R&31]
			c.flagsLogic(r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpEor:
			r := c.R[in.D&31] ^ c.R[in.R&31]
			c.flagsLogic(r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpOr:
			r := c.R[in.D&31] | c.R[in.R&31]
			c.flagsLogic(r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpAndi:
			r := c.R[in.D&31] & uint8(in.K)
			c.flagsLogic(r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpOri:
			r := c.R[in.D&31] | uint8(in.K)
			c.flagsLogic(r)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpCom:
			r := ^c.R[in.D&31]
			c.flagsLogic(r)
			c.cr = 1
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpNeg:
			a := c.R[in.D&31]
			r := -a
			c.flagsSub(0, a, r)
			c.zr = r
			c.cr = 0
			if r != 0 {
				c.cr = 1
			}
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpSwap:
			a := c.R[in.D&31]
			c.R[in.D&31] = a<<4 | a>>4
			pc, cyc = pc+1, cyc+1
		case OpInc:
			a := c.R[in.D&31]
			r := a + 1
			c.zr, c.nr = r, r
			c.vr = ^a & r
			c.sr = r ^ c.vr
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpDec:
			a := c.R[in.D&31]
			r := a - 1
			c.zr, c.nr = r, r
			c.vr = a & ^r
			c.sr = r ^ c.vr
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpAsr:
			a := c.R[in.D&31]
			r := a>>1 | a&0x80
			c.flagsShift(r, a&1)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpLsr:
			a := c.R[in.D&31]
			r := a >> 1
			c.flagsShift(r, a&1)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpRor:
			a := c.R[in.D&31]
			r := a>>1 | c.cr<<7
			c.flagsShift(r, a&1)
			c.R[in.D&31] = r
			pc, cyc = pc+1, cyc+1
		case OpMov:
			c.R[in.D&31] = c.R[in.R&31]
			pc, cyc = pc+1, cyc+1
		case OpLdi:
			c.R[in.D&31] = uint8(in.K)
			pc, cyc = pc+1, cyc+1

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
			addr = c.ptr(26)
			c.setPtr(26, addr+1)
			goto load
		case OpLdXDec:
			addr = c.ptr(26) - 1
			c.setPtr(26, addr)
			goto load
		case OpLdYInc:
			addr = c.ptr(28)
			c.setPtr(28, addr+1)
			goto load
		case OpLdYDec:
			addr = c.ptr(28) - 1
			c.setPtr(28, addr)
			goto load
		case OpLdZInc:
			addr = c.ptr(30)
			c.setPtr(30, addr+1)
			goto load
		case OpLdZDec:
			addr = c.ptr(30) - 1
			c.setPtr(30, addr)
			goto load
		case OpPop: // and those that follow it: handlers and functions end with many
			for {
				c.SP++
				if i := uint(c.SP) - base; i < uint(len(ram)) {
					c.R[in.D&31] = ram[i]
				} else {
					addr = c.SP
					goto load
				}
				pc, cyc = pc+1, cyc+2
				if in = &code[pc&(maxWords-1)]; in.Op != OpPop || cyc >= c.limit {
					break
				}
				n++
			}
		case OpLds:
			addr = uint16(in.K)
			pc++
			goto load

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
			addr = c.ptr(26)
			val = c.R[in.D&31]
			c.setPtr(26, addr+1)
			goto storeVal
		case OpStXDec:
			addr = c.ptr(26) - 1
			val = c.R[in.D&31]
			c.setPtr(26, addr)
			goto storeVal
		case OpStYInc:
			addr = c.ptr(28)
			val = c.R[in.D&31]
			c.setPtr(28, addr+1)
			goto storeVal
		case OpStYDec:
			addr = c.ptr(28) - 1
			val = c.R[in.D&31]
			c.setPtr(28, addr)
			goto storeVal
		case OpStZInc:
			addr = c.ptr(30)
			val = c.R[in.D&31]
			c.setPtr(30, addr+1)
			goto storeVal
		case OpStZDec:
			addr = c.ptr(30) - 1
			val = c.R[in.D&31]
			c.setPtr(30, addr)
			goto storeVal
		case OpPush: // likewise
			for {
				c.SP--
				if i := uint(c.SP+1) - base; i < uint(len(ram)) {
					ram[i] = c.R[in.D&31]
				} else {
					addr = c.SP + 1
					goto store
				}
				pc, cyc = pc+1, cyc+2
				if in = &code[pc&(maxWords-1)]; in.Op != OpPush || cyc >= c.limit {
					break
				}
				n++
			}
		case OpSts:
			addr = uint16(in.K)
			pc++
			goto store

		case OpIn:
			c.PC, c.Cycles = pc, cyc
			c.R[in.D&31] = c.load(uint16(in.K))
			cyc = c.Cycles + 1
			pc++
		case OpOut:
			c.PC, c.Cycles = pc, cyc
			c.store(uint16(in.K), c.R[in.D&31])
			cyc = c.Cycles + 1
			pc++
		case OpSbi, OpCbi:
			c.PC, c.Cycles = pc, cyc+1
			c.Bus.SetBit(uint16(in.K), in.R, in.Op == OpSbi)
			cyc = c.Cycles + 1
			pc++
		case OpSbic, OpSbis:
			c.PC, c.Cycles = pc, cyc
			skip = (c.load(uint16(in.K))&in.R != 0) == (in.Op == OpSbis)
			cyc = c.Cycles
			goto skip
		case OpSbrc:
			skip = c.R[in.D&31]&in.R == 0
			goto skip
		case OpSbrs:
			skip = c.R[in.D&31]&in.R != 0
			goto skip
		case OpCpse:
			skip = c.R[in.D&31] == c.R[in.R&31]
			goto skip

		case OpLpm, OpLpmZ: // LPM's implied r0 is its D
			far = uint32(c.ptr(30))
			goto prog
		case OpLpmZInc:
			far = uint32(c.ptr(30))
			c.setPtr(30, uint16(far)+1)
			goto prog
		case OpElpm, OpElpmZ:
			far = uint32(c.RAMPZ)<<16 | uint32(c.ptr(30))
			goto prog
		case OpElpmZInc:
			far = uint32(c.RAMPZ)<<16 | uint32(c.ptr(30))
			c.setPtr(30, uint16(far+1))
			c.RAMPZ = uint8((far+1)>>16) & c.rampzMask()
			goto prog
		case OpSpm:
			c.PC, c.Cycles = wrap(pc, c.Program.words), cyc
			c.Bus.SelfProgram(uint32(c.RAMPZ)<<16 | uint32(c.ptr(30)))
			code = &c.Program.code
			pc++
			cyc = c.Cycles + 1

		case OpRjmp:
			pc = in.K
			cyc += 2
		case OpJmp:
			pc = in.K
			cyc += 3
		case OpIjmp:
			pc = wrap(uint32(c.ptr(30)), c.Program.words)
			cyc += 2
		case OpEijmp:
			pc = wrap(uint32(c.EIND)<<16|uint32(c.ptr(30)), c.Program.words)
			cyc += 2
		case OpRcall:
			c.PC, c.Cycles = pc, cyc+2+c.wide
			c.push(pc + 1)
			pc = in.K
			cyc += 3 + c.wide
		case OpCall:
			c.PC, c.Cycles = pc, cyc+3+c.wide
			c.push(pc + 2)
			pc = in.K
			cyc += 4 + c.wide
		case OpIcall:
			c.PC, c.Cycles = pc, cyc+2+c.wide
			far = uint32(c.ptr(30))
			c.push(pc + 1)
			pc = wrap(far, c.Program.words)
			cyc += 3 + c.wide
		case OpEicall:
			c.PC, c.Cycles = pc, cyc+3
			far = uint32(c.EIND)<<16 | uint32(c.ptr(30))
			c.push(pc + 1)
			pc = wrap(far, c.Program.words)
			cyc += 4
		case OpRet:
			c.PC, c.Cycles = pc, cyc+3+c.wide
			pc = c.pop()
			cyc += 4 + c.wide
		case OpReti:
			c.PC, c.Cycles = pc, cyc+3+c.wide
			pc = c.pop()
			cyc += 4 + c.wide
			c.I = 1
			c.enable(cyc)

		case OpBrcs:
			pc, cyc = pc+1, cyc+1
			if c.cr != 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrcc:
			pc, cyc = pc+1, cyc+1
			if c.cr == 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBreq:
			pc, cyc = pc+1, cyc+1
			if c.zr == 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrne:
			pc, cyc = pc+1, cyc+1
			if c.zr != 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrmi:
			pc, cyc = pc+1, cyc+1
			if c.nr >= 0x80 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrpl:
			pc, cyc = pc+1, cyc+1
			if c.nr < 0x80 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrlt:
			pc, cyc = pc+1, cyc+1
			if c.sr >= 0x80 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrge:
			pc, cyc = pc+1, cyc+1
			if c.sr < 0x80 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrvs, OpBrhs, OpBrts, OpBrie:
			pc, cyc = pc+1, cyc+1
			if c.SREG()&branchFlag[in.Op-OpBrcs] != 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrvc, OpBrhc, OpBrtc, OpBrid:
			pc, cyc = pc+1, cyc+1
			if c.SREG()&branchFlag[in.Op-OpBrcc] == 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBst:
			c.t = 0
			if c.R[in.D&31]&in.R != 0 {
				c.t = 1
			}
			pc, cyc = pc+1, cyc+1
		case OpBld:
			if c.t != 0 {
				c.R[in.D&31] |= in.R
			} else {
				c.R[in.D&31] &^= in.R
			}
			pc, cyc = pc+1, cyc+1
		case OpSei:
			pc, cyc = pc+1, cyc+1
			if c.I == 0 {
				c.I = 1
				c.enable(cyc)
			}
		case OpCli:
			c.I = 0
			pc, cyc = pc+1, cyc+1
		case OpSec, OpSez, OpSen, OpSev, OpSes, OpSeh, OpSet:
			c.SetSREG(c.SREG() | 1<<(in.Op-OpSec))
			pc, cyc = pc+1, cyc+1
		case OpClc, OpClz, OpCln, OpClv, OpCls, OpClh, OpClt:
			c.SetSREG(c.SREG() &^ (1 << (in.Op - OpClc)))
			pc, cyc = pc+1, cyc+1
		case OpSleep:
			c.PC, c.Cycles = pc, cyc
			pc++
			c.Bus.Sleep()
			cyc++
		case OpWdr:
			c.PC, c.Cycles = pc, cyc
			c.Bus.WatchdogReset()
			pc, cyc = pc+1, cyc+1

		case opWrap:
			pc = wrap(pc, c.Program.words)
			n--
		case opDynamic:
			c.dyn = Decode(c.Bus.ProgWord(pc), c.Bus.ProgWord(pc+1), pc, c.Program.has, c.Program.words)
			in = &c.dyn
			goto again
		case opHook, opCount:
			if in.Op == opHook {
				c.PC, c.Cycles, c.Instructions = wrap(pc, c.Program.words), cyc, n-1
				if c.Bus.Hook(c.PC) {
					c.limit, n = 0, n-1
					continue
				}
			}
			if in.K != 0 {
				c.Counts[in.K-1]++
			}
			in = &c.Plain.code[pc&(maxWords-1)]
			goto again
		default:
			c.PC, c.Cycles = pc, cyc
			c.limit, n = 0, n-1
			c.Bus.Halt(haltOf(in.Op))
		}
		continue

	load:
		if i := uint(addr) - base; i < uint(len(ram)) {
			c.R[in.D&31] = ram[i]
		} else {
			c.PC, c.Cycles = pc+1-uint32(in.N), cyc+1
			c.R[in.D&31] = c.loadBy(in.Op, addr)
			cyc = c.Cycles - 1
		}
		pc++
		cyc += 2
		continue

	store:
		val = c.R[in.D&31]
	storeVal:
		if i := uint(addr) - base; i < uint(len(ram)) {
			ram[i] = val
		} else {
			c.PC, c.Cycles = pc+1-uint32(in.N), cyc+1
			c.storeBy(in.Op, addr, val)
			cyc = c.Cycles - 1
		}
		pc++
		cyc += 2
		continue

	prog:
		c.PC, c.Cycles = pc, cyc+2
		c.R[in.D&31] = c.progByte(far)
		pc++
		cyc = c.Cycles + 1
		continue

	skip:
		pc++
		cyc++
		if skip {
			length := uint32(code[pc&(maxWords-1)].N)
			if length == 0 {
				length = uint32(Decode(c.Bus.ProgWord(pc), 0, pc, c.Program.has, c.Program.words).N)
			}
			pc += length
			cyc += uint64(length)
		}
	}
	c.PC, c.Cycles, c.Instructions = wrap(pc, c.Program.words), cyc, n
}
