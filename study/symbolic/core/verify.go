package core

import (
	"fmt"

	"motehound/isa/avr"
	"motehound/mote/cell"
	"motehound/study/symbolic/expr"
)

// Verify compares everything that depends on inputs with what is in the mote, and the path with the model. An error is a defect of
// this package.
func (s *State) Verify() error {
	m := s.board()
	ev, p := s.x.evaluator(s), s.x.pool
	err := s.rig.verify()
	m.EachCell(func(b *cell.Cell) {
		if e := expr.ID(b.Expr()); e != 0 && uint8(ev.Eval(e)) != b.V() {
			err = fmt.Errorf("state %d: a cell in a device is %#x, but %s is %#x", s.id, b.V(), p.Format(e), ev.Eval(e))
		}
	})
	for _, cond := range s.path.Conditions() {
		if !ev.Holds(cond) {
			return fmt.Errorf("state %d: the path says %s, but its inputs do not", s.id, p.Format(cond))
		}
	}
	return err
}

// verify compares the shadow with the mote.
func (r *rig) verify() error {
	s, c := r.cur, r.m.Core()
	ev, p := r.x.evaluator(s), r.x.pool
	bad := func(what string, x expr.ID, is uint8) error {
		return fmt.Errorf("state %d at %s: %s is %#x, but %s is %#x", s.id, r.table.place(c.PC), what, is, p.Format(x), ev.Eval(x))
	}
	for i, x := range s.sh.reg {
		if s.sh.live&avr.RegSet(uint8(i)) != 0 && uint8(ev.Eval(x)) != c.R[i] {
			return bad(fmt.Sprintf("r%d", i), x, c.R[i])
		}
	}
	for f := avr.FlagC; f <= avr.FlagT; f++ {
		if s.sh.live&avr.FlagSet(f) != 0 && r.flagUnder(ev, s.sh.flag[f]) != c.SREG()>>f&1 {
			return bad(fmt.Sprintf("flag %d", f), s.sh.flag[f].Build(algebra{p}), c.SREG()>>f&1)
		}
	}
	var err error
	s.sh.each(func(addr uint16, x expr.ID) {
		if is := c.RAM[addr-c.RAMBase]; uint8(ev.Eval(x)) != is {
			err = bad(fmt.Sprintf("the byte at %#x", addr), x, is)
		}
	})
	return err
}
