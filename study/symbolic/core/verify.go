package core

import (
	"fmt"

	"motehound/isa/avr"
	"motehound/study/symbolic/expr"
)

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
