package explore

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/study/check"
	"motehound/study/finding"
)

// Races. When a transition E is interrupted by V, what the program's variables are afterwards is compared with what they are in the two
// orders without interruption: V first, or E first. If some variable has a value that it has in neither, then E and V are not atomic to each
// other. That alone is not yet a finding. E and V must touch the same things, E on both sides of V, in one of these ways:
//
//	lost update      E reads it before V and writes it behind, V writes it
//	torn read        E reads some of its bytes before V and others behind, V changes both
//	torn write       E writes some of its bytes before V and others behind, V reads or writes it
//	mixed snapshot   the same two with fields or elements of one variable
//	stale check      E reads it before V, which changes it, and writes behind V what V has read (stale.go)
//
// An update may be lost although its variable has a value of one of the orders: two that append to one list may both think that they are
// behind the same last element. Then another variable that both touch, taken as a whole, has a value that it has in neither. Or two that take the same thing may both
// think that it is free. Then one that tells who waits for it is touched by neither, though in each order by one of them.
//
// And on at least one side with interrupts on: who switches them off on both sides has said what is to be atomic, and what is not.
//
// So a value that is read once, a loop that polls, a counter that only one side writes, or V between two rounds of the same code, each of which writes both parts, is no race. Nor is a value that is read again behind V, by the
// same instruction: that is how code reads which waits until two reads agree. Nor is it one if a round of a main loop only does less than in both orders. Runs that end at different depths of calls are compared where E ends without V, if they come there, and else not at all, nor is it one if E waits for what V does, and V before that makes no other difference than that E gets on. What V leaves below the
// stack is taken away again before E goes on: a local variable that nobody has written yet would else differ. Variables whose value also depends
// on when E begins, or on how long it is held up where V comes, are not compared: then a difference may be one in time alone. But if only the lower bytes of a number do, as those of a clock, its upper bytes are compared. What is not seen: a bad value that neither reaches a variable
// nor is sent, and decides nothing that does (sent.go, latches.go, settings.go); and data that is reached through no variable, on the stack or on the heap.

// RacePrefix is how the names of all races begin.
const RacePrefix = "race: "

// Kinds of races that are asked for somewhere.
const (
	lostUpdate    = "lost update"
	tornRead      = "torn read"
	tornWrite     = "torn write"
	mixedSnapshot = "mixed snapshot"
	staleCheck    = "stale check"
	earlyRead     = "early read"
	missedWake    = "missed wake-up"
)

// race is a value that a variable has in neither order.
type race struct {
	kind        string
	shared      image.Scalar
	wrong       image.Scalar
	is          []byte
	first, last []byte    // what it would be
	before      uint32    // the instruction of E on this side of V
	addr        uint16    // what it touches
	writes      bool      // E writes on that side
	behind      uint32    // and on that side
	sent        uint32    // the instruction that writes it to the outside; 0 if it reaches a variable
	fresh       bool      // of an update: E reads it on that side, too, before it writes it
	used        uint32    // the instruction that uses it; 0 if that is not known
	supposed    *supposed // nil if all of this is so in the state itself
	after       uint64    // where it is supposed: cycles from the beginning of the transition to the interrupt
}

// spot is where V comes into E: before instruction k, so many cycles after the beginning.
type spot struct {
	v     *point
	alone []entry // E without V
	k     int
	after uint64
}

// lost finds what is lost, or would be if a counter or a sensor had another value; nil if nothing is.
func (s *System) lost(i int, o *outlook, at spot, mixed *end, r *orders, f *contact) (*race, error) {
	if mixed.ram != nil && mixed.sp != r.last.sp && s.sh.motes[i].kind.profile.Kernel == kernel.None {
		other, short, ok := r.shorter(&at)
		if ok {
			mixed, r = &other, &short
		}
	}
	found, err := s.lostHere(i, o, at, mixed, r, f)
	if found != nil && err == nil && r.takes != f.takes { // it takes another time elsewhere, and nobody looks there when this is replayed
		if d, ok := r.delayed(order{wait: f.takes}); ok {
			found, err = s.lostHere(i, o, at, mixed, &d, f)
		}
	}
	if found != nil && err == nil {
		if p, ok := r.paused(at.after, f.takes); ok {
			found, err = s.lostHere(i, o, at, mixed, &p, f)
		}
	}
	if found != nil && at.v.class == check.Task && s.getsOn(i, mixed, r, found) {
		found = nil
	}
	if found != nil || err != nil || o.supposed != nil {
		return found, err
	}
	for _, would := range []func(int, *outlook, spot, *contact) (*race, error){s.wouldCarry, s.wouldReach, s.wouldRead} {
		if found, err = would(i, o, at, f); found != nil || err != nil {
			break
		}
	}
	return found, err
}

// getsOn tells whether a wrong value is what E makes once V has done what it waits for, whenever V comes: E has only got further.
func (s *System) getsOn(i int, mixed *end, r *orders, found *race) bool {
	base := uint32(s.sh.motes[i].kind.kind.Board.Chip.RAMBase)
	if !r.last.waits || found.wrong.Addr < base || len(found.is) == 0 {
		return false
	}
	on, ok := r.run(order{on: 1})
	from := found.wrong.Addr - base
	return ok && on.sp == mixed.sp && bytes.Equal(on.ram[from:from+uint32(len(found.is))], found.is)
}

// lostHere finds what is lost: in variables, or in what is sent; nil if nothing is.
func (s *System) lostHere(i int, o *outlook, at spot, mixed *end, r *orders, f *contact) (*race, error) {
	var found *race
	comparable := mixed.ram != nil && mixed.sp == r.first.sp && mixed.sp == r.last.sp
	if comparable {
		if found = s.raceAt(i, mixed.ram, r, at.alone, at.k, f); found == nil {
			found = s.vanished(i, mixed.ram, r, at.alone, at.k, f)
		}
		if found == nil {
			found = s.sh.motes[i].kind.portAt(&at, mixed, r, f)
		}
		if found == nil {
			found = s.sh.motes[i].kind.settingAt(&at, f)
		}
		if found == nil {
			found = s.sh.motes[i].kind.tempAt(&at, f)
		}
	}
	var err error
	if found == nil {
		found, err = s.sentAt(i, o, at, r, f)
	}
	if found == nil && comparable {
		found = s.drivenAt(i, &at, mixed, r, f)
	}
	if found == nil && err == nil && mixed.ram != nil && mixed.sp == r.last.sp {
		if found, err = s.missedAt(i, o, &at, mixed, r, f); found != nil || err != nil {
			return found, err
		}
	}
	if found == nil && err == nil && comparable {
		if found, err = s.unreadyAt(i, o, &at, mixed.ram, r, f); found != nil || err != nil {
			return found, err
		}
		if found, err = s.unheeded(i, o, at, mixed.ram, r, f); found != nil || err != nil {
			return found, err
		}
		return s.forgotten(i, o, at, mixed.ram, r, f)
	}
	if found == nil || err != nil || found.writes {
		return found, err
	}
	rest, err := s.behind(i, o, at)
	if err != nil || found.readAgain(rest) || s.sh.motes[i].kind.profile.Kernel == kernel.None && !found.made(rest, f) {
		return nil, err
	}
	return found, nil
}

// behind gives the instructions of E behind V.
func (s *System) behind(i int, o *outlook, at spot) ([]entry, error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, err
	}
	defer t.leave()
	log := s.newSteps(i, at.v.vector)
	t.perform(at.v, order{middle: true, after: at.after}, log)
	return log.list[min(at.k, len(log.list)):], nil
}

// readAgain tells whether E, behind V, executes once more the read that it made before V.
func (r *race) readAgain(behind []entry) bool {
	return slices.ContainsFunc(behind, func(e entry) bool {
		return e.pc == r.before && e.touches && e.touch.Read && e.touch.Addr == r.addr
	})
}

// made tells whether E, behind V, or V writes what is wrong, or it is sent. If not, then something was only not done that is done in both orders; and where E is a
// round of the main loop, the next round may do it.
func (r *race) made(behind []entry, f *contact) bool {
	if r.sent != 0 || f.writesTo(r.wrong) {
		return true
	}
	n := slices.IndexFunc(behind, func(e entry) bool { return e.touches && e.touch.Write && has(r.wrong, e.touch.Addr) })
	if n >= 0 && behind[n].owners != 0 {
		r.sent = behind[n].pc
	}
	return n >= 0
}

// scope is which accesses may have made a value wrong.
type scope uint8

const (
	numbers scope = iota // to the bytes of one number
	wholes               // to parts of one variable, which is looked at as a whole: parts that are right by themselves may not belong together
	others               // updates of another variable
	stales               // checks of another variable, which was changed then
	scopes
)

// raceAt compares what an interrupted transition has made of the variables with both orders: first number by number, then variable by
// variable.
func (s *System) raceAt(i int, mixed []byte, r *orders, alone []entry, k int, f *contact) *race {
	info := &s.sh.motes[i]
	im, base := info.kind.scalars, uint32(info.kind.kind.Board.Chip.RAMBase)
	hi := len(im.list)
	told := s.without(i, f)
	for how := range scopes {
		for at := 0; at < hi; at++ {
			if mixed[at] == r.first.ram[at] && mixed[at] == r.last.ram[at] {
				continue
			}
			x, ok := im.at(base + uint32(at))
			if !ok {
				continue
			}
			if how == wholes || how == others {
				x.Name, x.Addr, x.Size = x.Object, x.Whole.Lo, x.Whole.Hi-x.Whole.Lo
			}
			from, to := int(x.Addr-base), int(x.Addr-base+x.Size)
			at = max(at, to-1)
			if to > len(mixed) || r.has(mixed, from, to) && (how != numbers || !r.above(mixed, from, to)) {
				continue
			}
			w := how.cause(im, alone, k, f, &x, uint16(base))
			if w != nil && told != f {
				seen := w
				if w = how.cause(im, alone, k, told, &x, uint16(base)); w == nil {
					s.spares(i, seen)
				}
			}
			if w != nil && !(w.fresh && r.bitwise(mixed, from, to)) {
				w.wrong, w.is, w.first, w.last = x, mixed[from:to], r.first.ram[from:to], r.last.ram[from:to]
				return w
			}
		}
	}
	return nil
}

// cause finds what has made a value wrong; nil if there is nothing.
func (how scope) cause(im *scalars, alone []entry, k int, f *contact, wrong *image.Scalar, base uint16) *race {
	if how == stales {
		return stale(im, alone, k, f, wrong, base)
	}
	return straddled(im, alone, k, f, wrong, base, how)
}

// has tells whether some bytes are as they are in one of the orders, or depend on the time.
func (r *orders) has(mixed []byte, from, to int) bool {
	is, last := mixed[from:to], r.last.ram[from:to]
	return bytes.Equal(is, r.first.ram[from:to]) || bytes.Equal(is, last) || !bytes.Equal(last, r.late.ram[from:to])
}

// bitwise tells whether each bit of some bytes is as in one of the orders. A byte of flags, say: E has seen some of those that V sets, and sees the others in the next round.
func (r *orders) bitwise(mixed []byte, from, to int) bool {
	for n := from; n < to; n++ {
		if (mixed[n]^r.first.ram[n])&(mixed[n]^r.last.ram[n]) != 0 {
			return false
		}
	}
	return true
}

// above tells whether of a number that depends on the time the upper bytes, which do not, are as in neither order: a clock of which V has changed a part between two reads.
func (r *orders) above(mixed []byte, from, to int) bool {
	low := from
	late, ok := r.late, true
	for _, n := range []uint64{2, 3, 7, 0} { // upper bytes might be the same once or twice by chance
		for k := low; k < to; k++ {
			if late.ram[k] != r.last.ram[k] {
				low = k + 1
			}
		}
		is := mixed[low:to]
		if !ok || bytes.Equal(is, r.first.ram[low:to]) || bytes.Equal(is, r.last.ram[low:to]) {
			return false
		}
		if n > 0 {
			late, ok = r.run(order{wait: n * r.takes})
		}
	}
	return true
}

// value is bytes as the program has them: by the type of the variable. Where that is not known they are a number, or if they are none, as they are.
func (r *race) value(im *image.Image, b []byte) string {
	if ref, err := im.Lookup(r.wrong.Name); err == nil && ref.Addr == r.wrong.Addr && ref.Type != nil && int(ref.Type.Size) == len(b) {
		if v, err := ref.Read(copied{r.wrong.Addr, b}); err == nil {
			return v.String()
		}
	}
	if len(b) > largest || r.wrong.Name == r.wrong.Object && r.kind == mixedSnapshot {
		return fmt.Sprintf("% x", b)
	}
	n := uint64(0)
	for i, v := range b {
		n |= uint64(v) << (8 * i)
	}
	return fmt.Sprint(n)
}

// copied is a variable that was copied from memory.
type copied struct {
	addr  uint32
	bytes []byte
}

// LoadByte implements image.Memory.
func (c copied) LoadByte(addr uint32) uint8 {
	if n := addr - c.addr; n < uint32(len(c.bytes)) {
		return c.bytes[n]
	}
	return 0
}

// StoreByte implements image.Memory. Nobody changes a copy.
func (c copied) StoreByte(uint32, uint8) {}

// largest is how many bytes a number has at most.
const largest = 8

// side is how E touches a scalar on one side of V.
type side struct {
	image.Scalar
	reads, writes [8]bool // by byte
	open          bool    // interrupts were on
	pc            uint32
	addr          uint16
	written       int    // the instruction that writes it, by its place in the list; of several, the one that comes first. -1 if none does
	read          int    // the same of one that reads it
	by            uint32 // its address
}

// sides gathers the scalars that E touches in some instructions, of variables that V touches, the last access first if so asked.
func sides(im *scalars, list []entry, f *contact, base uint16, last bool) (all []side) {
	for n := range list {
		e := &list[n]
		if last {
			e = &list[len(list)-1-n]
		}
		if !e.touches || e.touch.Addr < base {
			continue
		}
		x, ok := im.at(uint32(e.touch.Addr))
		if !ok || x.Size > largest || !f.within(x.Whole) {
			continue
		}
		i := slices.IndexFunc(all, func(s side) bool { return s.Addr == x.Addr })
		if i < 0 {
			all = append(all, side{Scalar: x, pc: e.pc, addr: e.touch.Addr, written: -1, read: -1})
			i = len(all) - 1
		}
		if e.touch.Write && all[i].written < 0 {
			all[i].written, all[i].by = n, e.pc
		}
		if e.touch.Read && all[i].read < 0 {
			all[i].read = n
		}
		at := uint32(e.touch.Addr) - x.Addr
		all[i].reads[at] = all[i].reads[at] || e.touch.Read
		all[i].writes[at] = all[i].writes[at] || e.touch.Write
		all[i].open = all[i].open || e.open
	}
	return all
}

func any8(b [8]bool) bool { return b != [8]bool{} }

// rounds tells whether V comes between two rounds of the same code, each of which writes one thing and then another, as who appends to a ring does. Before has
// what E does before V, the last access first.
func rounds(before []side, first, other *side) bool {
	return slices.ContainsFunc(before, func(s side) bool {
		return s.Addr == other.Addr && s.by == other.by && s.written >= 0 && s.written < first.written
	})
}

// tears tells whether V changes something that E reads before it, and something else that E reads behind it. If not, then what E has read is as it was before V, or as it is
// behind V.
func (f *contact) tears(before, behind *side) bool {
	changes := func(s *side, n int) (image.Scalar, bool) {
		x := image.Scalar{Addr: s.Addr + uint32(n), Size: 1}
		return x, s.reads[n] && f.changes(x)
	}
	for n := range before.reads {
		b, ok := changes(before, n)
		for m := 0; ok && m < len(behind.reads); m++ {
			if a, also := changes(behind, m); also && a.Addr != b.Addr {
				return true
			}
		}
	}
	return false
}

// straddled finds what E touches on both sides of V in a way that makes a value wrong, or any value; nil if there is none.
func straddled(im *scalars, alone []entry, k int, f *contact, wrong *image.Scalar, base uint16, how scope) *race {
	if how == others && f.within(wrong.Whole) != slices.ContainsFunc(alone, func(e entry) bool {
		return e.touches && has(*wrong, e.touch.Addr)
	}) { // one alone touches it: that it has another value may be right
		return nil
	}
	before, behind := sides(im, alone[:k], f, base, true), sides(im, alone[k:], f, base, false)
	for _, b := range before {
		for _, a := range behind {
			if a.Object != b.Object || !a.open && !b.open {
				continue
			}
			kind, same := "", a.Addr == b.Addr
			wr := func(x side) bool { return f.writesTo(x.Scalar) }
			rw := func(x side) bool { return wr(x) || f.looksAt(x.Scalar) }
			updates := same && any8(b.reads) && any8(a.writes) && wr(a)
			fresh := updates && a.read >= 0 && a.read < a.written
			switch {
			case how == wholes && same || how == others && (!updates || fresh):
				continue
			case updates && (how == others || wrong == nil || wrong.Addr == a.Addr):
				kind = lostUpdate
			case same && a.Size > 1 && any8(b.reads) && any8(a.reads) && b.reads != a.reads && f.tears(&b, &a):
				kind = tornRead
			case same && a.Size > 1 && any8(b.writes) && any8(a.writes) && b.writes != a.writes && rw(a):
				kind = tornWrite
			case !same && any8(b.reads) && any8(a.reads) && f.tears(&b, &a):
				kind = mixedSnapshot
			case !same && any8(b.writes) && any8(a.writes) && rw(a) && rw(b) && !rounds(before, &b, &a):
				kind = mixedSnapshot
			default:
				continue
			}
			return &race{kind: kind, shared: a.Scalar, before: b.pc, addr: b.addr, behind: a.pc, writes: any8(a.writes), fresh: fresh}
		}
	}
	return nil
}

// violation tells a race.
func (s *System) violation(i int, p *point) finding.Violation {
	r := p.race
	im := s.sh.motes[i].kind.kind.Image
	name := r.shared.Name
	if r.kind == mixedSnapshot || r.kind == earlyRead {
		name, _, _ = strings.Cut(name, "[") // one finding for all elements of an array
	}
	v := finding.Violation{Property: RacePrefix + r.kind + " of " + name, Kind: finding.Safety, Mote: int16(i), Harmless: true}
	v.Function, v.File, v.Line, _ = placeAt(im, 2*r.behind)
	would := r.value(im, r.first)
	if !bytes.Equal(r.last, r.first) {
		would += " or " + r.value(im, r.last)
	}
	is := "is"
	if r.sent != 0 {
		is = "gets"
	}
	if x := r.supposed; x != nil {
		v.Detail = x.told(s.vectorName(i, uint16(p.vector)))
	}
	v.Detail += fmt.Sprintf("%s %s %s, would be %s: %s comes between %s and %s", r.wrong.Name, is, r.value(im, r.is), would, s.vectorName(i, uint16(p.vector)), lineOf(im, r.before), lineOf(im, r.behind))
	return v
}

// lineOf is where an instruction is in the source, or its address.
func lineOf(im *image.Image, pc uint32) string {
	if l, ok := im.LineAt(2 * pc); ok {
		return fmt.Sprintf("%s:%d (0x%04x)", filepath.Base(l.File), l.Line, 2*pc)
	}
	return fmt.Sprintf("0x%04x", 2*pc)
}

// accessed says what an instruction does to memory.
func accessed(im *image.Image, t avr.Touch) string {
	x, ok := im.ScalarAt(uint32(t.Addr))
	if !ok || !t.Read && !t.Write {
		return ""
	}
	verb := "reads"
	if t.Write {
		verb = "writes"
	}
	part := ""
	if x.Size > 1 {
		part = fmt.Sprintf("byte %d of ", uint32(t.Addr)-x.Addr)
	}
	return fmt.Sprintf(", before it %s %s%s", verb, part, x.Name)
}
