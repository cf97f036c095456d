package engine

import (
	"fmt"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// Unnamed is the error of a check that looks at a mote which it does not name: it is asked again, with that mote.
type Unnamed struct{ Mote int }

func (u *Unnamed) Error() string {
	return fmt.Sprintf("the check looks at mote %d, but does not name it among its motes", u.Mote)
}

// Has reports whether the view has a mote. What follows is for such motes.
func (v View) Has(mote int) bool { return v.look != nil && v.look(mote) != nil }

// Now is the moment, in picoseconds since the start.
func (v View) Now() uint64 { return v.now }

// Byte is a byte of a mote's data space: its value under the state's model, and the expression for it.
func (v View) Byte(mote int, addr uint16) (uint8, expr.ID) {
	s := v.look(mote).s
	x := s.Byte(addr)
	if c, ok := v.Pool.Value(x); ok {
		return uint8(c), x
	}
	return s.Machine().Peek(addr), x
}

// Alive reports whether a mote is switched on, and its CPU has not stopped for good.
func (v View) Alive(mote int) bool {
	n := v.look(mote)
	return !n.off && n.boot <= v.now && n.s.Ended() == core.Going
}

// LEDs has a bit for each light of a mote that is on.
func (v View) LEDs(mote int) uint32 { return v.look(mote).s.Machine().LEDs() }

// Path is the conditions under which a mote's state is reached.
func (v View) Path(mote int) *solver.Set { return v.look(mote).s.Path() }
