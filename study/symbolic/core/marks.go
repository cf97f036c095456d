package core

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// A mark is a place in the code at which something is asked of the symbolic core: by a Config's Input, or by the firmware itself through
// motehound.h. The header's macros are assembly without an instruction: each leaves a local label, whose name says all there is to
// say, and whose address is where it is to be done. So a mark costs nothing on a real mote, needs no section or linker script, goes
// where the compiler moves the code around it, and is gone with the code that is thrown away; a stripped file has none.
//
//	mh:symbolic:17:Y+1:2:x	17 is a number that makes the name unique, Y+1 where the variable is (or a symbol, or r24), 2 its size
//	mh:assert:18:r24:app.c:33	what must not be 0 is in r24
//	mh:assume:19:r24
type mark struct {
	what   markKind
	index  int    // among the marks of the firmware
	name   string // of the input
	origin string
	reg    uint8  // of the condition; or the low register of a pointer, 0 for none
	addr   uint16 // of the variable; or what is to be added to the pointer
	size   uint16
	ref    image.Ref // of an Input; used when it goes through pointers
	skip   int       // the first times, at which it is not done
	times  int       // how often it is done after that, 0 for always
	value  int64     // of setVariable
	order  int
}

type markKind uint8

const (
	makeSymbolic markKind = iota
	assertHolds
	assumeHolds
	powerUp // a reset leads here
	setVariable
)

const labelPrefix = "mh:"

// Input is a variable that becomes symbolic when execution reaches a place.
type Input struct {
	At    string // a function's name, or file:line
	Var   string // as image.Lookup takes it
	Name  string // for people; the variable's if empty
	Skip  int    // not the first times that the place is reached
	Times int    // and only so many times after that; 0 for every time
}

// findMarks finds the marks of a firmware by word address.
func findMarks(conf *Mote) (map[uint32][]mark, error) {
	k := conf.Kind
	var list []mark
	var at []uint32
	add := func(pc uint32, m mark) {
		m.index = len(list)
		list, at = append(list, m), append(at, pc)
	}
	for _, s := range k.Image.Symbols {
		if text, ok := strings.CutPrefix(s.Name, labelPrefix); ok && s.Space == image.Flash {
			m, err := parseMark(k.Image, text)
			if err != nil {
				return nil, fmt.Errorf("%s has the label %q, which is not of this version of motehound.h: %w", k.Image.Path, s.Name, err)
			}
			m.origin = PlaceOf(k.Image, s.Addr/2).String()
			add(s.Addr/2, m)
		}
	}
	for _, in := range conf.Inputs {
		m, places, err := inputMark(k.Image, in)
		if err != nil {
			return nil, err
		}
		for _, pc := range places[:1] {
			m.origin = PlaceOf(k.Image, pc).String()
			add(pc, m)
		}
	}
	if err := findSettings(conf, add); err != nil {
		return nil, err
	}
	add(0, mark{what: powerUp})
	add(k.Board.Chip.SelfProg.BootStart(k.Board.Fuses)/2, mark{what: powerUp})
	marks := map[uint32][]mark{}
	for i, m := range list {
		marks[at[i]] = append(marks[at[i]], m)
	}
	for _, l := range marks {
		slices.SortStableFunc(l, func(a, b mark) int { return cmp.Compare(a.order, b.order) })
	}
	return marks, nil
}

// Names lists what the inputs of so many bytes are called that a mote gets where it reaches an instruction.
func Names(conf *Mote, pc uint32, bytes int) (list []string, err error) {
	marks, err := findMarks(conf)
	for _, m := range marks[pc/2] {
		if m.what == makeSymbolic && int(m.size) == bytes {
			list = append(list, m.name)
		}
	}
	return list, err
}

// findSettings finds the variables that are set when main is reached.
func findSettings(conf *Mote, add func(pc uint32, m mark)) error {
	if len(conf.Sets) == 0 {
		return nil
	}
	im := conf.Kind.Image
	start, ok := im.Symbol("main")
	if !ok {
		return fmt.Errorf("%s has no symbol main: variables are set when it is reached", im.Path)
	}
	for _, set := range conf.Sets {
		ref, err := im.Lookup(set.Path)
		if err != nil {
			return err
		}
		add(start.Addr/2, mark{what: setVariable, name: set.Path, ref: ref, value: set.Value, order: -1})
	}
	return nil
}

// parseMark reads a label.
func parseMark(im *image.Image, text string) (m mark, err error) {
	part := strings.SplitN(text, ":", 5)
	if len(part) < 3 {
		return m, fmt.Errorf("it has too few parts")
	}
	if m.order, err = strconv.Atoi(part[1]); err != nil {
		return m, fmt.Errorf("%q is no number", part[1])
	}
	switch part[0] {
	case "assert", "assume":
		m.what = assertHolds
		if part[0] == "assume" {
			m.what = assumeHolds
		}
		r, err := strconv.ParseUint(strings.TrimPrefix(part[2], "r"), 10, 5)
		if err != nil {
			return m, fmt.Errorf("%q is no register", part[2])
		}
		m.reg, m.name = uint8(r), strings.Join(part[3:], ":")
		return m, nil
	case "symbolic":
		if len(part) < 5 {
			return m, fmt.Errorf("it has too few parts")
		}
		n, err := strconv.ParseUint(part[3], 10, 16)
		if err != nil {
			return m, fmt.Errorf("%q is no size", part[3])
		}
		m.size, m.name = uint16(n), part[4]
		return m, m.place(im, part[2])
	}
	return m, fmt.Errorf("%q is unknown", part[0])
}

// place reads where a variable is, as the compiler wrote it: "x", "x+2", "Y+1", "Z".
func (m *mark) place(im *image.Image, text string) error {
	text = strings.Trim(text, "()")
	base, plus := text, uint64(0)
	if i := strings.LastIndexAny(text, "+-"); i > 0 {
		n, err := strconv.ParseInt(text[i:], 0, 17)
		if err != nil {
			return fmt.Errorf("%q is no offset", text[i:])
		}
		base, plus = strings.Trim(text[:i], "()"), uint64(n)
	}
	switch base {
	case "X":
		m.reg = 26
	case "Y":
		m.reg = 28
	case "Z":
		m.reg = 30
	default:
		if n, err := strconv.ParseUint(base, 0, 16); err == nil {
			m.addr = uint16(n)
		} else if s, ok := im.Symbol(base); ok && s.Space == image.Data {
			m.addr = uint16(s.Addr)
		} else {
			return fmt.Errorf("there is no variable %s", base)
		}
	}
	m.addr += uint16(plus)
	return nil
}

// inputMark finds what an Input names.
func inputMark(im *image.Image, in Input) (mark, []uint32, error) {
	m := mark{what: makeSymbolic, name: cmp.Or(in.Name, in.Var), skip: in.Skip, times: in.Times, order: 1 << 30}
	ref, err := im.Lookup(in.Var)
	if err != nil {
		return m, nil, err
	}
	t := ref.Type.Strip()
	if ref.Space != image.Data || ref.BitSize != 0 || t == nil || t.Size == 0 {
		return m, nil, fmt.Errorf("%s cannot be symbolic: name a variable in SRAM, or a member that has whole bytes", in.Var)
	}
	m.ref, m.addr, m.size = ref, uint16(ref.Addr), uint16(t.Size)
	places, err := placesOf(im, in.At)
	return m, places, err
}

// placesOf is the word addresses of a function's entry or of a line.
func placesOf(im *image.Image, at string) ([]uint32, error) {
	if i := strings.LastIndexByte(at, ':'); i > 0 {
		if line, err := strconv.Atoi(at[i+1:]); err == nil {
			var out []uint32
			for _, a := range im.AddrsOf(at[:i], line) {
				out = append(out, a/2)
			}
			if len(out) == 0 {
				return nil, fmt.Errorf("%s has no code at %s: name a line with a statement (needs -gdwarf-4)", im.Path, at)
			}
			return out, nil
		}
	}
	if s, ok := im.Symbol(at); ok && s.Space == image.Flash {
		return []uint32{s.Addr / 2}, nil
	}
	if f, ok := im.Function(at); ok {
		if a, ok := f.Entry(); ok {
			return []uint32{a / 2}, nil
		}
		return nil, fmt.Errorf("%s exists only inlined in %s: name a line of it, as file.c:33", at, im.Path)
	}
	return nil, fmt.Errorf("%s has no function %s: name a function, or file.c:33", im.Path, at)
}

// stopsOf is the word addresses of a line, or of all entries of a function: its own, and where the compiler has put it into others.
func stopsOf(im *image.Image, at string) ([]uint32, error) {
	own, err := placesOf(im, at)
	var inlined []uint32
	for _, f := range im.Functions() {
		inlined = append(inlined, inlinedIn(f.Inlines, at)...)
	}
	if len(inlined) == 0 {
		return own, err
	}
	if err != nil {
		own = nil
	}
	all := append(own, inlined...)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// inlinedIn is where copies of a function begin. A copy may be in several pieces, and which of them comes first is not known: the longest
// stands for it.
func inlinedIn(list []*image.Inline, name string) (at []uint32) {
	for _, in := range list {
		if in.Origin.Name == name && len(in.Ranges) > 0 {
			longest := slices.MaxFunc(in.Ranges, func(a, b image.Range) int { return cmp.Compare(a.Hi-a.Lo, b.Hi-b.Lo) })
			at = append(at, longest.Lo/2)
		}
		at = append(at, inlinedIn(in.Inlines, name)...)
	}
	return at
}

// reach does what is marked at the present instruction, once.
func (r *rig) reach(c *avr.Core) {
	s := r.cur
	if s.doneAt == c.Instructions {
		return
	}
	s.doneAt = c.Instructions
	for i := range r.table.marks[c.PC] {
		m := &r.table.marks[c.PC][i]
		switch m.what {
		case makeSymbolic:
			r.makeSymbolic(c, m)
		case assertHolds:
			r.assert(c, m)
		case assumeHolds:
			r.assume(c, m)
		case setVariable:
			r.set(c, m)
		case powerUp:
			if n := r.m.Resets(); n != s.resets {
				s.resets = n
				s.sh.live &= 1<<32 - 1 // a reset clears the flags
			}
		}
	}
	if len(r.table.sets) != 0 && r.table.marks[c.PC][0].what == setVariable {
		s.started = r.m.Resets()
	}
}

// set gives a variable its value, the first time after a reset.
func (r *rig) set(c *avr.Core, m *mark) {
	if r.cur.started == r.m.Resets() {
		return
	}
	if err := m.ref.Write(r.m.Memory(), m.value); err != nil {
		r.leaveOut(c.PC, fmt.Sprintf("%s, which is not set: %v", m.name, err))
		return
	}
	if addr, err := m.ref.Resolve(r.m.Memory()); err == nil {
		for i := range m.ref.Type.Strip().Size {
			if a := uint16(addr + i); uint(a)-uint(c.RAMBase) < uint(len(c.RAM)) {
				r.cur.sh.put(a, 0)
			}
		}
	}
}
