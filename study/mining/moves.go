package mining

import "motehound/mote"

// moves lists the loads and stores of the field's blocks that may be of a variable that is booked, by word address. Pushes, pops and
// calls are left out: what they touch is the stack.
func (l *Ledger) moves(k *mote.Kind) (at []uint32) {
	program := k.Program()
	for _, b := range l.field.Blocks {
		for pc := b.Start; pc < b.End; {
			in := program.At(pc)
			if o, ok := in.Operand(); ok && (o.Base != 0 || l.record[o.Offset] != 0) {
				at = append(at, pc)
			}
			pc += uint32(max(in.N, 1))
		}
	}
	return at
}
