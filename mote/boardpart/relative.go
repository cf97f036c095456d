package boardpart

// How the states of parts look from now (package relative): Forget drops what can matter no more.

// at45Bits is a count of clock edges beyond every header: from there on only whole bytes count.
const at45Bits = 72

// Forget drops the command that is over, and how many bits of data one under way has had.
func (s *AT45DBState) Forget() {
	if s.Busy == 0 {
		s.ReadyAt = never
	}
	if s.Selected == 0 { // all of it is set anew by the next command
		s.Bits, s.Page, s.Offset, s.Opcode, s.Shift, s.Out, s.OutBit, s.Late = 0, 0, 0, 0, 0, 0, 0, 0
	}
	if s.Bits > at45Bits {
		s.Bits = at45Bits + s.Bits%8
	}
}

// Forget drops the step that was done, and for how long the line has been low if that is a reset anyway.
func (s *DS2401State) Forget(now uint64) {
	if s.Step == ds2401None {
		s.DueAt = never
	}
	if s.FellAt != never && now-s.FellAt > ds2401ResetLow {
		s.FellAt = now - ds2401ResetLow
	}
	if s.Phase == ds2401Silent || s.Phase == ds2401Presence { // the next command counts from 0
		s.Shift, s.Bit, s.Slot = 0, 0, 0
	}
}
