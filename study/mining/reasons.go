package mining

import (
	"cmp"
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/study/outlier"
)

// Reason is a place in the code that ran more or less often than in the nearest normal intervals.
type Reason struct {
	Place
	Count  uint32 // how often here
	Usual  uint32 // how often in the neighbours
	Weight float64
	Own    bool // it is in the application, not in its system or a library
}

// Place is a line of source.
type Place struct {
	Function string
	File     string
	Line     int
	PC       uint32 // byte address
}

// maxReasons is how many places an explanation names.
const maxReasons = 8

// worth is the least part of an explanation that the application's own lines must have to come before the rest.
const worth = 0.002

// reasons turns blocks into lines of source, each line once: the application's own lines first, then the others, by weight. A block of
// a library that is inlined into the application counts for the line that calls it; one of which no source is known, such as
// arithmetic that the compiler calls, for the lines that lead to it.
func (f *Firmware) reasons(deviations []outlier.Deviation) []Reason {
	var all []Reason
	add := func(r Reason) {
		for i := range all {
			if all[i].Function == r.Function && all[i].File == r.File && all[i].Line == r.Line {
				all[i].Weight += r.Weight
				return
			}
		}
		all = append(all, r)
	}
	unusual := map[int]outlier.Deviation{}
	for _, d := range deviations {
		unusual[int(d.Feature)] = d
	}
	for _, d := range deviations {
		if f.Places != nil {
			add(Reason{Place: f.Places[d.Feature], Count: d.Count, Usual: d.Usual, Weight: d.Weight, Own: true})
			continue
		}
		p := f.reason(int(d.Feature))
		if p.File == "" {
			if caller, ok := f.caller(int(d.Feature), unusual); ok {
				p = f.reason(int(caller.Feature))
				d.Count, d.Usual = caller.Count, caller.Usual
			}
		}
		add(Reason{Place: p, Count: d.Count, Usual: d.Usual, Weight: d.Weight, Own: f.Image.Own(p.File)})
	}
	rank := func(r Reason) int {
		if r.Own && r.Weight >= worth {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Weight, a.Weight)) })
	return all[:min(len(all), maxReasons)]
}

// reason is the place that stands for a block: the innermost function of the application that it is in, else the innermost one.
func (f *Firmware) reason(block int) Place {
	pc := f.Blocks[block].Start * 2
	for _, frame := range f.Image.InlineStack(pc) {
		if f.Image.Own(frame.File) {
			return Place{image.Readable(frame.Name), frame.File, frame.Line.Line, pc}
		}
	}
	return f.PlaceOf(pc)
}

// caller is the nearest unusual block with a source that leads to one without, the one with most weight if several are as near.
func (f *Firmware) caller(block int, unusual map[int]outlier.Deviation) (outlier.Deviation, bool) {
	const farthest = 64 // blocks on the way
	seen := map[int]bool{block: true}
	for edge := []int{block}; len(edge) > 0 && len(seen) < farthest; {
		var next []int
		var best outlier.Deviation
		found := false
		for _, to := range edge {
			for _, from := range f.into()[to] {
				if seen[from] {
					continue
				}
				seen[from] = true
				if f.PlaceOf(f.Blocks[from].Start*2).File == "" {
					next = append(next, from)
				} else if d, ok := unusual[from]; ok && (!found || d.Weight > best.Weight) {
					best, found = d, true
				}
			}
		}
		if found {
			return best, true
		}
		edge = next
	}
	return outlier.Deviation{}, false
}

// into lists, for each block, those that go on with it or call it.
func (f *Firmware) into() [][]int {
	if f.from != nil {
		return f.from
	}
	f.from = make([][]int, len(f.Blocks))
	blocks := f.Blocks[:f.strays.first]
	lead := func(from int, pc uint32) {
		if to := cfg.Find(blocks, pc); to >= 0 && blocks[to].Start == pc {
			f.from[to] = append(f.from[to], from)
		}
	}
	for i, b := range blocks {
		flow := avr.Next
		for pc := b.Start; pc < b.End; {
			in := f.code.At(pc)
			pc += in.Length()
			var target uint32
			switch flow, target = in.Flow(); flow {
			case avr.Branch, avr.Jump, avr.Call:
				lead(i, target)
			case avr.Skip:
				if pc < f.code.Words() {
					lead(i, pc+f.code.At(pc).Length())
				}
			}
		}
		switch flow {
		case avr.Jump, avr.Return, avr.IndirectJump, avr.Halts:
		default:
			lead(i, b.End)
		}
	}
	return f.from
}

// PlaceOf is the source of an instruction: the innermost function, inlined ones too.
func (f *Firmware) PlaceOf(pc uint32) Place {
	p := Place{PC: pc}
	if stack := f.Image.InlineStack(pc); len(stack) > 0 {
		p.Function = image.Readable(stack[0].Name)
		p.File, p.Line = stack[0].File, stack[0].Line.Line
	}
	return p
}
