package avr

// Run executes instructions until Cycles reaches until, Attend is called, or the Bus halts the core. The last
// instruction may end after until: cycles are never split.
//
// This loop is the whole cost of emulation, so it is written for it: program counter and cycles in registers, one
// comparison per instruction, one dense switch. It calls nothing but leave, with nothing alive across that call: the
// compiler would keep whatever is alive across any call in memory, for every instruction.
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
			for addr = c.SP + 1; ; n++ {
				i := uint(addr) - base
				if i >= uint(len(ram)) {
					c.SP = addr
					goto load
				}
				c.R[in.D&31] = ram[i]
				addr, pc, cyc = addr+1, pc+1, cyc+2
				if in = &code[pc&(maxWords-1)]; in.Op != OpPop || cyc >= c.limit {
					break
				}
			}
			c.SP = addr - 1
		case OpLds:
			addr = uint16(in.K)
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
			for addr = c.SP; ; n++ {
				i := uint(addr) - base
				if i >= uint(len(ram)) {
					c.SP = addr - 1
					goto store
				}
				ram[i] = c.R[in.D&31]
				addr, pc, cyc = addr-1, pc+1, cyc+2
				if in = &code[pc&(maxWords-1)]; in.Op != OpPush || cyc >= c.limit {
					break
				}
			}
			c.SP = addr
		case OpSts:
			addr = uint16(in.K)
			goto store

		case OpIn: // most reads are of these, by handlers and by functions with a frame
			switch in.K {
			case addrRAMPZ:
				if c.Program.has&NeedElpm == 0 {
					goto leave
				}
				c.R[in.D&31] = c.RAMPZ
			case addrSREG:
				c.R[in.D&31] = c.SREG()
			case addrSPL:
				c.R[in.D&31] = uint8(c.SP)
			case addrSPH:
				c.R[in.D&31] = uint8(c.SP >> 8)
			default:
				goto leave
			}
			pc, cyc = pc+1, cyc+1
		case OpOut:
			val = c.R[in.D&31]
			switch in.K {
			case addrRAMPZ:
				if c.Program.has&NeedElpm == 0 {
					goto leave
				}
				c.RAMPZ = val & c.rampzMask()
			case addrSREG:
				if c.I < val>>7 {
					c.enable(cyc + 1)
				}
				c.SetSREG(val)
			case addrSPL:
				c.SP = c.SP&0xFF00 | uint16(val)
			case addrSPH:
				c.SP = c.SP&0xFF | uint16(val)<<8
			default:
				goto leave
			}
			pc, cyc = pc+1, cyc+1
		case OpSbrc:
			skip = c.R[in.D&31]&in.R == 0
			goto skip
		case OpSbrs:
			skip = c.R[in.D&31]&in.R != 0
			goto skip
		case OpCpse:
			skip = c.R[in.D&31] == c.R[in.R&31]
			goto skip

		case OpLpm, OpLpmZ, OpLpmZInc: // LPM's implied r0 is its D
			addr = c.ptr(30)
			if int(addr) >= len(c.ROM) {
				goto leave
			}
			val = c.ROM[addr]
			if in.Op == OpLpmZInc {
				c.setPtr(30, addr+1)
			}
			c.R[in.D&31] = val
			pc, cyc = pc+1, cyc+3
		case OpElpm, OpElpmZ, OpElpmZInc:
			far = uint32(c.RAMPZ)<<16 | uint32(c.ptr(30))
			if int(far) >= len(c.ROM) {
				goto leave
			}
			val = c.ROM[far]
			if in.Op == OpElpmZInc {
				c.setPtr(30, uint16(far+1))
				c.RAMPZ = uint8((far+1)>>16) & c.rampzMask()
			}
			c.R[in.D&31] = val
			pc, cyc = pc+1, cyc+3

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
			far = in.K
			cyc += 3
			goto call
		case OpCall:
			far = in.K
			cyc += 4
			goto call
		case OpIcall:
			far = wrap(uint32(c.ptr(30)), c.Program.words)
			cyc += 3
			goto call
		case OpRet, OpReti:
			i := uint(c.SP) - base + 1
			if c.wide != 0 || i >= uint(len(ram)) || i+1 >= uint(len(ram)) {
				goto leave
			}
			pc = wrap(uint32(ram[i])<<8|uint32(ram[i+1]), c.Program.words)
			c.SP += 2
			cyc += 4
			if in.Op == OpReti {
				c.I = 1
				c.enable(cyc)
			}

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
		case OpBrts:
			pc, cyc = pc+1, cyc+1
			if c.t != 0 {
				pc, cyc = in.K, cyc+1
			}
		case OpBrtc:
			pc, cyc = pc+1, cyc+1
			if c.t == 0 {
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
		case OpSec:
			c.cr = 1
			pc, cyc = pc+1, cyc+1
		case OpClc:
			c.cr = 0
			pc, cyc = pc+1, cyc+1
		case OpSet:
			c.t = 1
			pc, cyc = pc+1, cyc+1
		case OpClt:
			c.t = 0
			pc, cyc = pc+1, cyc+1
		case opWrap:
			pc = wrap(pc, c.Program.words)
			n--
		case opCount:
			c.count(in.K)
			in = &c.Plain.code[pc&(maxWords-1)]
			goto again
		default:
			goto leave
		}
		continue

	load:
		if i := uint(addr) - base; i < uint(len(ram)) {
			c.R[in.D&31] = ram[i]
			pc += uint32(in.N)
			cyc += 2
			continue
		}
		c.addr = addr
		goto leave

	store:
		val = c.R[in.D&31]
	storeVal:
		if i := uint(addr) - base; i < uint(len(ram)) {
			ram[i] = val
			pc += uint32(in.N)
			cyc += 2
			continue
		}
		c.addr, c.val = addr, val
		goto leave

	call: // far is the target; cyc has been moved on
		addr = c.SP
		if i := uint(addr) - base - 1; c.wide == 0 && i < uint(len(ram)) && i+1 < uint(len(ram)) && pc+2 < c.Program.words {
			ret := pc + uint32(in.N)
			ram[i+1], ram[i] = uint8(ret), uint8(ret>>8)
			c.SP = addr - 2
			pc = far
			continue
		}
		cyc -= 2 + uint64(in.N)
		goto leave

	skip:
		if !skip {
			pc++
			cyc++
			continue
		}
		if length := uint32(code[(pc+1)&(maxWords-1)].N); length != 0 {
			pc += 1 + length
			cyc += 1 + uint64(length)
			continue
		}

	leave:
		c.PC, c.Cycles, c.Instructions = pc, cyc, n
		in = c.leave(in)
		pc, cyc, n = c.PC, c.Cycles, c.Instructions
		code, ram, base = &c.Program.code, c.RAM, uint(c.RAMBase)
		if in != nil {
			goto again
		}
	}
	c.PC, c.Cycles, c.Instructions = wrap(pc, c.Program.words), cyc, n
}
