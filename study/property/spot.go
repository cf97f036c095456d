package property

import (
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/world"
	"motehound/world/scenario"
)

// spot is a property of a place in the code: a source line, or a function's entry or return.
type spot struct {
	prop  *scenario.Property
	given *scenario.Property // of a return: what must have held at the entry; nil for nothing
	at    [][]uint32         // by mote: word addresses of its first instructions; none where the property is not about the mote
}

// spot finds the instructions of a property.
func (p *Prepared) spot(prop *scenario.Property) (spot, error) {
	x := spot{prop: prop, at: make([][]uint32, len(p.kinds))}
	if prop.Given != nil {
		x.given = &scenario.Property{Name: prop.Name, Kind: scenario.AtCall, Fn: prop.Given, Pos: prop.Pos}
	}
	some := false
	for i, k := range p.kinds {
		if prop.Mote != scenario.Everyone && prop.Mote != i {
			continue
		}
		if prop.Kind == scenario.AtLine {
			x.at[i] = k.Image.AddrsOf(prop.File, prop.Line)
		} else {
			x.at[i] = entries(k.Image, prop.Func, prop.Kind == scenario.AtReturn)
		}
		for n := range x.at[i] {
			x.at[i][n] /= 2
		}
		some = some || len(x.at[i]) > 0
	}
	switch {
	case some:
		return x, nil
	case prop.Kind == scenario.AtLine:
		return x, &scenario.Error{Pos: prop.Pos, Msg: "no code was made of this line: choose one with a statement that the compiler kept"}
	}
	return x, &scenario.Error{Pos: prop.Pos, Msg: "no firmware has code of a function " + prop.Func + ": name it as the compiler does, with its component in front (ComponentP__function)"}
}

// entries are the flash addresses at which a function begins: its own, and those of its inlined copies. A copy may be in several
// pieces, and which of them comes first is not known: all counts them all, otherwise the longest stands for it.
func entries(im *image.Image, name string, all bool) []uint32 {
	var list []uint32
	if s, ok := im.Symbol(name); ok && s.Kind == image.Func {
		list = append(list, s.Addr)
	}
	var inside func([]*image.Inline)
	inside = func(inlines []*image.Inline) {
		for _, in := range inlines {
			if in.Origin.Name == name && len(in.Ranges) > 0 {
				list = append(list, pieces(in.Ranges, all)...)
			}
			inside(in.Inlines)
		}
	}
	for _, f := range im.Functions() {
		// GCC's copies with other parameters (f.constprop.0, f.isra.0) are the function, parts that it split off are not.
		if at, ok := f.Entry(); ok && f.Name == name && !strings.Contains(symbolAt(im, at), ".part.") {
			list = append(list, at)
		}
		inside(f.Inlines)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func symbolAt(im *image.Image, addr uint32) string {
	s, _ := im.FuncAt(addr)
	return s.Name
}

func pieces(ranges []image.Range, all bool) []uint32 {
	var list []uint32
	longest := ranges[0]
	for _, r := range ranges {
		list = append(list, r.Lo)
		if r.Hi-r.Lo > longest.Hi-longest.Lo {
			longest = r
		}
	}
	if !all {
		return []uint32{longest.Lo}
	}
	return list
}

// returns are the word addresses of all instructions by which functions return.
func returns(p *avr.Program) []uint32 {
	var at []uint32
	for pc := range p.Words() {
		// Words that no instruction begins at are never reached.
		if flow, _ := p.At(pc).Flow(); flow == avr.Return {
			at = append(at, pc)
		}
	}
	return at
}

// visit is a function that was entered and has not returned.
type visit struct {
	spot, mote int
	sp         uint16
}

// hookSpots looks at the places in the code that properties are about.
func (s *Suite) hookSpots() {
	if len(s.prepared.spots) == 0 {
		return
	}
	s.w.Observe(world.Observer{
		Code: func(mote int, _ uint64, pc uint32) bool {
			s.leave(mote)
			for i := range s.prepared.spots {
				if slices.Contains(s.prepared.spots[i].at[mote], pc) {
					s.at(i, mote, pc)
				}
			}
			return false
		},
		CodeAt: s.prepared.hooks,
	})
}

// hooks are the instructions to look at in a kind of motes.
func (p *Prepared) hooks(k *mote.Kind) []uint32 {
	var at []uint32
	for i, other := range p.kinds {
		if other != k {
			continue
		}
		for _, x := range p.spots {
			at = append(at, x.at[i]...)
			if x.prop.Kind == scenario.AtReturn && len(x.at[i]) > 0 {
				at = append(at, returns(k.Program())...)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// at is a mote in front of a place.
func (s *Suite) at(i, mote int, pc uint32) {
	x := &s.prepared.spots[i]
	s.prepared.reached[i].Store(true)
	if x.prop.Kind != scenario.AtReturn {
		s.judge(x, mote, pc, &s.atCode[2*(i*len(s.motes)+mote)])
		return
	}
	sp := s.motes[mote].Core().SP
	if slices.Contains(s.visits, visit{i, mote, sp}) {
		return // another piece of an inlined copy
	}
	if x.given != nil {
		a, ok := s.consult(x.given, mote, &s.atCode[2*(i*len(s.motes)+mote)+1])
		if !ok || !a.holds {
			return
		}
	}
	s.visits = append(s.visits, visit{i, mote, sp})
}

// leave looks whether a mote is in front of a return that ends visits: of a function that was inlined, the one around it; of one that
// ends with a jump, the one that it jumped to.
func (s *Suite) leave(mote int) {
	if len(s.visits) == 0 {
		return
	}
	c := s.motes[mote].Core()
	if flow, _ := s.prepared.kinds[mote].Program().At(c.PC).Flow(); flow != avr.Return {
		return
	}
	s.visits = slices.DeleteFunc(s.visits, func(v visit) bool {
		if v.mote != mote || c.SP < v.sp {
			return false
		}
		x := &s.prepared.spots[v.spot]
		s.judge(x, mote, x.at[mote][0], &s.atCode[2*(v.spot*len(s.motes)+mote)])
		return true
	})
}

// judge looks at a property of a place that a mote has reached.
func (s *Suite) judge(x *spot, mote int, pc uint32, old *recent) {
	a, ok := s.consult(x.prop, mote, old)
	if !ok || a.holds {
		return
	}
	place := x.place(s.prepared.kinds[mote].Image, pc)
	s.broken = finding.Once(s.broken, finding.Violation{Property: x.prop.Name, Kind: finding.Safety, Mote: int16(mote), Function: place.Function,
		File: place.File, Line: place.Line, Detail: s.explain(a), At: s.timed(s.w.TimeOf(mote, s.motes[mote].Cycles()))})
}

// place is where a spot is for people: whatever else was inlined there does not matter.
func (x *spot) place(im *image.Image, pc uint32) builtin.Place {
	places := builtin.Places(im, pc*2)
	if x.prop.Kind == scenario.AtLine {
		return builtin.Place{Function: places[0].Function, File: x.prop.File, Line: x.prop.Line}
	}
	for _, p := range places {
		if p.Function == image.Readable(x.prop.Func) {
			return p
		}
	}
	return places[0]
}

// consult evaluates a property in the middle of a step.
func (s *Suite) consult(prop *scenario.Property, mote int, old *recent) (*answer, bool) {
	a, err := s.ask(prop, mote, old)
	if err != nil {
		if s.wrong == nil {
			s.wrong = err
		}
		return nil, false
	}
	if !slices.Contains(s.passed, a) {
		s.passed = append(s.passed, a)
	}
	return a, true
}
