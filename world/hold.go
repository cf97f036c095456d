package world

import "fmt"

// Hold is an interrupt that has to wait for a while although its mote could serve it, so that something else comes first: how a timed run
// has another order of events than the natural one. Flags rise as ever, and code that polls them sees them.
type Hold struct {
	Mote   int    `json:"mote"`
	Vector uint8  `json:"vector"`  // its number in the datasheet; reset is 1
	From   uint64 `json:"from_ps"` // since the start
	Until  uint64 `json:"until_ps"`
}

func (h *Hold) check(c *Config, known func(int, string) error) error {
	if err := known(h.Mote, "an interrupt waits at"); err != nil {
		return err
	}
	switch n := len(c.Motes[h.Mote].Kind.Board.Chip.Vectors); {
	case h.Vector < 2 || int(h.Vector) >= n:
		return fmt.Errorf("interrupt %d of mote %d is to wait: give a number from 2 to %d", h.Vector, c.Motes[h.Mote].ID, n-1)
	case h.From >= h.Until:
		return fmt.Errorf("interrupt %d of mote %d is to wait from %d ps to %d ps: give an end after the beginning", h.Vector, c.Motes[h.Mote].ID, h.From, h.Until)
	}
	return nil
}

// planHolds plans the Config's holds.
func (p *plan) planHolds(list []Hold) {
	for _, h := range list {
		p.acts[h.Mote] = append(p.acts[h.Mote], act{at: h.From, kind: actHold, vector: h.Vector}, act{at: h.Until, kind: actRelease, vector: h.Vector})
	}
	p.holds = len(list) > 0
}

// hold has the vectors of a mote wait that have to by now. Which they are follows from how much of its plan the mote has had, so it is no
// state of its own.
func (w *World) hold(i int) {
	if !w.plan.holds {
		return
	}
	var set uint64
	for _, a := range w.plan.acts[i][:w.per[i].acts] {
		switch a.kind {
		case actHold:
			set |= 1 << a.vector
		case actRelease:
			set &^= 1 << a.vector
		}
	}
	w.motes[i].Withhold(set)
}
