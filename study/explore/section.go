package explore

import (
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// pathway is the instructions of a transition, with how deep in calls each is.
type pathway struct {
	im    *image.Image
	code  *avr.Program
	list  []entry
	depth []int
}

func (s *System) pathway(i int, list []entry) *pathway {
	k := s.sh.motes[i].kind.kind
	p := &pathway{im: k.Image, code: k.Program(), list: list, depth: make([]int, len(list))}
	table := uint32(2 * len(k.Board.Chip.Vectors))
	for n := 1; n < len(list); n++ {
		before := &list[n-1]
		in, d := p.code.At(before.pc), p.depth[n-1]
		switch flow, _ := in.Flow(); {
		case (flow == avr.Call || flow == avr.IndirectCall) && list[n].pc != before.pc+uint32(in.N): // or else it is there to move the stack pointer
			d++
		case flow == avr.Return:
			d--
		}
		if list[n].pc < table && before.pc >= table { // an interrupt is served
			d++
		}
		p.depth[n] = d
	}
	return p
}

// section is what has to be atomic against a race at a place of a transition, together with sections that it overlaps; nil if that cannot be in one piece.
func (s *System) section(i int, o *outlook, at *point) (*Section, error) {
	v := *at
	if at.race.supposed != nil {
		o, v.after = o.supposing(*at.race.supposed), at.race.after
	}
	list, began, _, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return nil, err
	}
	p := s.pathway(i, list)
	k := slices.IndexFunc(list, func(e entry) bool { return e.cycle-began == v.after })
	if k < 0 {
		return nil, nil
	}
	from, to := p.accesses(at.race, k)
	if from < 0 || to < 0 {
		return nil, nil
	}
	for n := range s.sh.sections {
		if x := &s.sh.sections[n]; x.kind == s.sh.motes[i].kind.kind {
			from, to = p.joined(x, from, to)
		}
	}
	first, last, ok := p.level(from, to)
	if !ok {
		return nil, nil
	}
	x := &Section{kind: s.sh.motes[i].kind.kind, enter: list[first].pc, Across: p.depth[from] > p.depth[first] || p.depth[to] > p.depth[first]}
	for n := first; n <= last; n++ {
		if p.depth[n] == p.depth[first] {
			x.Loops = x.Loops || slices.Contains(x.inside, list[n].pc)
			x.inside = append(x.inside, list[n].pc)
		}
	}
	slices.Sort(x.inside)
	x.inside = slices.Compact(x.inside)
	x.leaves = p.exits(x.inside)
	x.Loops = x.Loops || p.unrolled(at.race, first, last)
	x.lines(p, at.race, first, last)
	return x, nil
}

// unrolled tells whether a line uses several elements of an array.
func (p *pathway) unrolled(r *race, first, last int) bool {
	was := -1
	for n := first; n <= last; n++ {
		if !r.touchedBy(&p.list[n]) {
			continue
		}
		if was >= 0 && p.sameLine(was, n) && p.elementAt(was) != p.elementAt(n) {
			return true
		}
		was = n
	}
	return false
}

// elementAt names the element of an array that an instruction touches; "" if it is none.
func (p *pathway) elementAt(n int) string {
	x, _ := p.im.ScalarAt(uint32(p.list[n].touch.Addr))
	if strings.HasSuffix(x.Name, "]") {
		return x.Name
	}
	return ""
}

// accesses are the first and the last access to what is shared that belong together, round the place of an interrupt: the two that the race is
// about, and more to the same thing that their lines make. They are -1 if there are none.
func (p *pathway) accesses(r *race, k int) (from, to int) {
	from, to = k-1, k
	for from >= 0 && (p.list[from].pc != r.before || !p.list[from].touches) {
		from--
	}
	for to < len(p.list) && (p.list[to].pc != r.behind || !p.list[to].touches) {
		to++
	}
	if from < 0 || to == len(p.list) {
		return -1, -1
	}
	for n := from - 1; n >= 0; n-- {
		if r.touchedBy(&p.list[n]) {
			if !p.sameLine(n, from) || p.again(n, from, to) {
				break
			}
			from = n
		}
	}
	for n := to + 1; n < len(p.list); n++ {
		if r.touchedBy(&p.list[n]) {
			if !p.sameLine(n, to) || p.again(n, from, to) {
				break
			}
			to = n
		}
	}
	return from, to
}

// again tells whether an access is one of some others, made once more: in another round of a loop.
func (p *pathway) again(n, from, to int) bool {
	return slices.ContainsFunc(p.list[from:to+1], func(e entry) bool { return e.pc == p.list[n].pc && e.touch == p.list[n].touch })
}

// touchedBy tells whether an instruction touches what is shared: of a mixed snapshot, any part of the variable.
func (r *race) touchedBy(e *entry) bool {
	x := r.shared
	if r.kind == mixedSnapshot {
		x.Addr, x.Size = x.Whole.Lo, x.Whole.Hi-x.Whole.Lo
	}
	return e.touches && has(x, e.touch.Addr)
}

func (p *pathway) sameLine(a, b int) bool {
	x, ok := p.im.LineAt(2 * p.list[a].pc)
	y, _ := p.im.LineAt(2 * p.list[b].pc)
	return ok && x.File == y.File && x.Line == y.Line
}

// joined is a stretch together with a section that it overlaps.
func (p *pathway) joined(x *Section, from, to int) (int, int) {
	for n := 0; n < len(p.list); n++ {
		if p.list[n].pc != x.enter {
			continue
		}
		end := n
		for end+1 < len(p.list) && (p.depth[end+1] > p.depth[n] || slices.Contains(x.inside, p.list[end+1].pc)) {
			end++
		}
		if n <= to && end >= from {
			from, to = min(from, n), max(to, end)
		}
		n = end
	}
	return from, to
}

// level widens a stretch to where it begins and ends in one function: to the calls by which it gets into others. Ok is false if it gets out of the function
// in which it began, or in which the transition did.
func (p *pathway) level(from, to int) (first, last int, ok bool) {
	base := slices.Min(p.depth[from : to+1])
	for first = from; first >= 0 && p.depth[first] > base; first-- {
	}
	for last = to; last+1 < len(p.list) && p.depth[last] > base && p.depth[last+1] > base; last++ {
	}
	return first, last, first >= 0 && (p.depth[to] == base || last+1 < len(p.list))
}

// exits are where control gets from some instructions, except to one of them.
func (p *pathway) exits(inside []uint32) (list []uint32) {
	for _, pc := range inside {
		in := p.code.At(pc)
		next := pc + uint32(in.N)
		switch flow, target := in.Flow(); flow {
		case avr.Branch:
			list = append(list, next, target)
		case avr.Skip:
			list = append(list, next, next+uint32(p.code.At(next).N))
		case avr.Jump:
			list = append(list, target)
		case avr.Next, avr.Call, avr.IndirectCall:
			list = append(list, next)
		}
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(pc uint32) bool { return slices.Contains(inside, pc) })
}

// lines finds the lines of a section, in the innermost function that all of it is in.
func (x *Section) lines(p *pathway, r *race, first, last int) {
	for p.depth[last] > p.depth[first] {
		last--
	}
	outside := func(n int) []image.Frame { // the outermost first
		list := p.im.InlineStack(2 * p.list[n].pc)
		slices.Reverse(list)
		return list
	}
	one, other := outside(first), outside(last)
	same := 0
	for same < min(len(one), len(other)) && one[same].Inline == other[same].Inline && one[same].Name == other[same].Name {
		same++
	}
	x.From, x.To = siteOf(p.im, p.list[first].pc), siteOf(p.im, p.list[last].pc)
	if same == 0 {
		return
	}
	x.Across = x.Across || same < len(one) || same < len(other)
	lowest, highest := one[same-1].Line, one[same-1].Line
	for n := first; n <= last; n++ {
		if p.depth[n] != p.depth[first] || n != last && !x.Loops && !r.touchedBy(&p.list[n]) {
			continue
		}
		if f := outside(n); len(f) >= same && f[same-1].Inline == one[same-1].Inline && f[same-1].File == lowest.File && f[same-1].Line.Line > 0 {
			if l := f[same-1].Line; l.Line < lowest.Line {
				lowest = l
			} else if l.Line > highest.Line {
				highest = l
			}
		}
	}
	x.From.Function, x.From.File, x.From.Line = one[same-1].Name, lowest.File, lowest.Line
	x.To.Function, x.To.File, x.To.Line = one[same-1].Name, highest.File, highest.Line
}
