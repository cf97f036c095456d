package scenario

import "slices"

// evaluate evaluates a property once: for many times, keep an Evaluator.
func evaluate(p *Property, v View) (Verdict, ReadSet, error) {
	e := NewEvaluator()
	verdict, err := e.Evaluate(p, v)
	return verdict, e.Reads(), err
}

// has reports whether a byte of a mote's data space is in the set.
func (s *ReadSet) has(mote int, addr uint32) bool {
	i, found := slices.BinarySearchFunc(s.Memory, Read{Mote: mote, Lo: addr}, compareReads)
	if found {
		return true
	}
	return i > 0 && s.Memory[i-1].Mote == mote && addr < s.Memory[i-1].Hi
}
