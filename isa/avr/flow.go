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
	switch f = facts[in.Op].flow; f {
	case Branch, Jump, Call:
		target = in.K
	}
	return f, target
}
