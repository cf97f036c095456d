package avr

// Flow is how control leaves an instruction.
type Flow uint8

const (
	Next         Flow = iota // to the following instruction
	Branch                   // there or to Target
	Skip                     // there or over it
	Jump                     // to Target
	Call                     // to Target, and back
	IndirectJump             // to what Z says
	IndirectCall             // likewise, and back
	Return                   // to what the stack says: RET, RETI
	Halts                    // nowhere: no such instruction
)

// Flow tells how control leaves the instruction and, where that is in it, to which word address.
func (in Inst) Flow() (f Flow, target uint32) {
	switch in.Op {
	case OpRjmp, OpJmp:
		return Jump, in.K
	case OpRcall, OpCall:
		return Call, in.K
	case OpIjmp, OpEijmp:
		return IndirectJump, 0
	case OpIcall, OpEicall:
		return IndirectCall, 0
	case OpRet, OpReti:
		return Return, 0
	case OpCpse, OpSbrc, OpSbrs, OpSbic, OpSbis:
		return Skip, 0
	case opBad, opErased, opWrap:
		return Halts, 0
	}
	if in.Op >= OpBrcs && in.Op <= OpBrid {
		return Branch, in.K
	}
	return Next, 0
}
