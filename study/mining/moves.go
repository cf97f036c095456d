package mining

import (
	"motehound/isa/avr"
	"motehound/mote"
)

// moves lists the loads and stores of the field's blocks that may be of a variable that is booked, by word address. Pushes, pops and
// calls are left out: what they touch is the stack.
func (l *LossTracker) moves(k *mote.Kind) (at []uint32) {
	program := k.Program()
	for _, b := range l.field.Blocks {
		for pc := b.Start; pc < b.End; {
			in := program.At(pc)
			if a := in.Access(); a.Space == avr.DataMemory && (a.Base != 0 || l.record[a.Offset] != 0) {
				at = append(at, pc)
			}
			pc += in.Length()
		}
	}
	return at
}
