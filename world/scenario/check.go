package scenario

import (
	"slices"

	"motehound/firmware/image"
	"motehound/world/medium"
)

// check looks up everything that the scenario names in the firmware: variables that are set or symbolic, source lines,
// functions and variables that are silenced or benign. Firmware is given by the index of its mote. What properties read is seen only
// when they are evaluated.
func (s *Scenario) check(firmware func(mote int) *image.Image) error {
	for i, m := range s.Motes {
		for _, v := range m.Vars {
			if _, err := firmware(i).Settable(v.Path, v.Value); err != nil {
				return errorAt(m.Pos, "vars of mote %d: %v", m.ID, err)
			}
		}
	}
	for _, e := range s.Events {
		if e.Kind != EventSet {
			continue
		}
		if _, err := firmware(e.Mote).Settable(e.Var.Path, e.Var.Value); err != nil {
			return errorAt(e.Pos, "%v", err)
		}
	}
	for _, y := range s.Symbolic {
		switch y.Kind {
		case SymbolicVar:
			if err := y.check(firmware(y.Mote)); err != nil {
				return err
			}
		case SymbolicWire:
			if !s.hasFrames(medium.End{Mote: y.Mote, USART: y.USART}) {
				return errorAt(y.Pos, "no wire brings frames to USART %d of mote %d: join it to another by wire(..., framing = \"slip\")",
					y.USART, s.Motes[y.Mote].ID)
			}
		}
	}
	for _, p := range s.Properties {
		if p.Kind == AtLine && !s.some(p.Mote, firmware, func(im *image.Image) bool { return len(im.AddrsOf(p.File, p.Line)) > 0 }) {
			return errorAt(p.Pos, "no code was made of %s:%d: choose a line with a statement that the compiler kept", p.File, p.Line)
		}
	}
	for _, p := range s.Properties {
		if p.Func != "" && !s.some(p.Mote, firmware, func(im *image.Image) bool { return hasFunction(im, p.Func) }) {
			return errorAt(p.Pos, "no firmware has a function %s", p.Func)
		}
	}
	for _, q := range s.Silenced {
		if q.Function != "" && !s.some(Everyone, firmware, func(im *image.Image) bool { return hasFunction(im, q.Function) }) {
			return errorAt(q.Pos, "no firmware has a function %s", q.Function)
		}
		if q.Variable != "" && !s.some(Everyone, firmware, func(im *image.Image) bool { _, err := im.Lookup(q.Variable); return err == nil }) {
			return errorAt(q.Pos, "no firmware has a variable %s", q.Variable)
		}
	}
	for _, b := range s.Benign {
		var missing error
		if !s.some(Everyone, firmware, func(im *image.Image) bool {
			_, err := im.Lookup(b.Variable)
			if missing == nil {
				missing = err
			}
			return err == nil
		}) {
			return errorAt(b.Pos, "benign: %v", missing)
		}
	}
	return nil
}

// hasFrames reports whether a wire with frames on it ends there.
func (s *Scenario) hasFrames(e medium.End) bool {
	return slices.ContainsFunc(s.Wires, func(w Wire) bool { return (w.A == e || w.B == e) && w.Framing != medium.NoFraming })
}

// some reports whether a mote, or any, has a firmware of which something is true. Each image is asked once.
func (s *Scenario) some(mote int, firmware func(int) *image.Image, is func(*image.Image) bool) bool {
	asked := map[*image.Image]bool{}
	for i := range s.Motes {
		im := firmware(i)
		if mote != Everyone && mote != i || asked[im] {
			continue
		}
		asked[im] = true
		if is(im) {
			return true
		}
	}
	return false
}

func (y *Symbolic) check(im *image.Image) error {
	if y.Function != "" && !hasFunction(im, y.Function) {
		return errorAt(y.Pos, "%s has no function %s", im.Path, y.Function)
	}
	if y.File != "" && len(im.AddrsOf(y.File, y.Line)) == 0 {
		return errorAt(y.Pos, "no code was made of %s:%d: choose a line with a statement that the compiler kept", y.File, y.Line)
	}
	if _, err := im.Lookup(y.Variable); err != nil {
		return errorAt(y.Pos, "%v", err)
	}
	return nil
}

// hasFunction knows functions by their symbols and, as far as inlining took those, by debug information.
func hasFunction(im *image.Image, name string) bool {
	if _, ok := im.Function(name); ok {
		return true
	}
	s, ok := im.Symbol(name)
	return ok && s.Kind == image.Func
}
