package property

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/world/scenario"
)

// answer is how a unit stands, and what decided that. It never changes.
type answer struct {
	holds  bool
	reads  []scenario.Read
	values []byte // that were read, one range after the other
	facts  []scenario.Fact
	motes  uint64 // whose memory or facts it depends on: bit n is for mote n, the last one for all from there on
	global bool   // it depends on something that belongs to no single mote
	counts bool   // it depends on how many frames there were
}

// recent is answers that a unit has had, the newest last: states come again.
type recent struct {
	list [8]*answer
	next int
}

func bit(mote int) uint64 { return 1 << min(mote, 63) }

// unasked is the answer of a property that was dropped.
var unasked = &answer{holds: true}

// newAnswer takes down what the last evaluation has read.
func (s *Suite) newAnswer(holds bool) *answer {
	set := s.eval.Reads()
	a := &answer{holds: holds, reads: slices.Clone(set.Memory), facts: slices.Clone(set.Facts)}
	size := 0
	for _, r := range a.reads {
		a.motes |= bit(r.Mote)
		size += int(r.Hi - r.Lo)
	}
	a.values = make([]byte, 0, size)
	for _, r := range a.reads {
		for addr := r.Lo; addr < r.Hi; addr++ {
			a.values = append(a.values, s.view.LoadByte(r.Mote, addr&0xFFFF))
		}
	}
	for _, f := range a.facts {
		switch f.Aspect {
		case scenario.AspectTime, scenario.AspectLinked:
			a.global = true
		case scenario.AspectSent, scenario.AspectReceived:
			a.counts = true
		}
		a.motes |= bit(f.Mote)
	}
	return a
}

// stands tells whether nothing has changed that decided an answer: of a mote, or of any with -1.
func (s *Suite) stands(a *answer, mote int) bool {
	if mote >= 0 && a.motes&bit(mote) == 0 && !a.global {
		return true
	}
	values := a.values
	for _, r := range a.reads {
		n := r.Hi - r.Lo
		if (mote < 0 || r.Mote == mote) && !s.unchanged(r, values[:n]) {
			return false
		}
		values = values[n:]
	}
	return !slices.ContainsFunc(a.facts, func(f scenario.Fact) bool {
		return (mote < 0 || f.Mote == mote || f.Aspect == scenario.AspectTime || f.Aspect == scenario.AspectLinked) && !f.Holds(s.view)
	})
}

// unchanged tells whether memory holds what it held.
func (s *Suite) unchanged(r scenario.Read, values []byte) bool {
	c := s.motes[r.Mote].Core()
	if lo := int(r.Lo) - int(c.RAMBase); lo >= 0 && lo+len(values) <= len(c.RAM) {
		return bytes.Equal(c.RAM[lo:lo+len(values)], values)
	}
	for i, v := range values {
		if s.view.LoadByte(r.Mote, (r.Lo+uint32(i))&0xFFFF) != v {
			return false
		}
	}
	return true
}

// answer is how a unit stands now: as in a state that has come again, or by asking its property.
func (s *Suite) answer(i int) (*answer, error) {
	u := s.prepared.units[i]
	return s.ask(u.prop, u.mote, &s.recent[i])
}

func (s *Suite) ask(prop *scenario.Property, mote int, old *recent) (*answer, error) {
	if s.dropped&s.prepared.bitOf(prop) != 0 {
		return unasked, nil
	}
	for _, a := range old.list {
		if a != nil && s.stands(a, -1) {
			return a, nil
		}
	}
	v, err := s.evaluate(prop, mote)
	if err != nil {
		return s.failed(prop, err)
	}
	s.prepared.dropped.worked.LoadOrStore(prop, true)
	a := s.newAnswer(v.Holds)
	if s.prepared.explore && slices.ContainsFunc(a.facts, func(f scenario.Fact) bool { return f.Aspect == scenario.AspectTime }) {
		return nil, &scenario.Error{Pos: prop.Pos, Msg: fmt.Sprintf("property %q uses the time, which has no meaning where events come in any order: "+
			"use variables of the motes instead", prop.Name)}
	}
	old.list[old.next] = a
	old.next = (old.next + 1) % len(old.list)
	return a, nil
}

// failed decides about a property that could not be evaluated. One that never could is wrong by itself, and an error; one that could before is
// dropped: it is not asked any more from here on. Other runs do not know of that, so that nothing depends on which of them comes first.
func (s *Suite) failed(prop *scenario.Property, err error) (*answer, error) {
	if _, worked := s.prepared.dropped.worked.Load(prop); !worked {
		return unasked, err
	}
	a := s.newAnswer(true) // what it has read decides about that
	s.Drop(scenario.Dropped{Property: prop, Err: err})
	return a, nil
}

// Drop has a property not asked any more.
func (s *Suite) Drop(x scenario.Dropped) {
	s.prepared.Drop(x)
	s.dropped |= s.prepared.bitOf(x.Property)
	for i, u := range s.prepared.units {
		if s.answers[i] != nil && x.Of(u.prop) {
			s.answers[i], s.rested = unasked, nil
		}
	}
}

// bitOf is the bit that stands for a property among those that were dropped; none for what comes behind the first 64, which is asked again.
func (p *Prepared) bitOf(x *scenario.Property) uint64 {
	for i := range min(64, len(p.props)) {
		if p.props[i].Name == x.Name && p.props[i].Pos == x.Pos {
			return 1 << i
		}
	}
	return 0
}

func (s *Suite) evaluate(prop *scenario.Property, mote int) (scenario.Verdict, error) {
	if mote >= 0 {
		return s.eval.EvaluateAt(prop, s.view, mote)
	}
	return s.eval.Evaluate(prop, s.view)
}

// maxShown is how many variables a violation lists.
const maxShown = 8

// explain lists what an answer was given by.
func (s *Suite) explain(a *answer) string {
	var parts []string
	values := a.values
	for _, r := range a.reads {
		im := s.prepared.kinds[r.Mote].Image
		for r.Lo < r.Hi { // neighbours were put together
			name, n := variable(im, r)
			parts = append(parts, fmt.Sprintf("%s of mote %d is %s", name, s.motes[r.Mote].ID(), number(values[:n])))
			r.Lo += n
			values = values[n:]
		}
	}
	if len(parts) > maxShown {
		parts = append(parts[:maxShown], fmt.Sprintf("and %d more", len(parts)-maxShown))
	}
	if len(parts) == 0 {
		return "does not hold"
	}
	return "does not hold: " + strings.Join(parts, ", ")
}

// variable names the first variable in some memory, and tells how many bytes belong to it.
func variable(im *image.Image, r scenario.Read) (string, uint32) {
	o, ok := im.ObjectAt(r.Lo)
	if !ok {
		return fmt.Sprintf("%#04x", r.Lo), r.Hi - r.Lo
	}
	n := r.Hi - r.Lo
	if end := o.Addr + o.Size; end > r.Lo {
		n = min(n, end-r.Lo)
	}
	if o.Addr == r.Lo {
		return image.Readable(o.Name), n
	}
	return fmt.Sprintf("%s+%d", image.Readable(o.Name), r.Lo-o.Addr), n
}

// number shows bytes as the number that they are in C, or one by one where they are too many for that.
func number(b []byte) string {
	if len(b) > 4 {
		return fmt.Sprintf("% x", b)
	}
	n := uint32(0)
	for i, x := range b {
		n |= uint32(x) << (8 * i)
	}
	return fmt.Sprint(n)
}
