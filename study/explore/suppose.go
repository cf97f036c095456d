package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/check"
	"motehound/world"
)

// Suppositions. A torn read shows only if the interrupt changes bytes on both sides of it, and the second byte of a counter changes once in 256 times. Few runs get
// there. So where V comes into a read of several bytes, and nothing is lost, it is asked what would be if the counter were about to carry. That is a finding if
//
//   - V, and V alone, writes the counter once the program has started: it is not set back, so it gets where V leads it,
//   - V leads it there: V is run for each value in between, and gives the next one,
//   - with that value something is lost.
//
// A reading of a sensor is supposed to be another one, too (sensed.go). The finding says what was supposed. The state of the System stays as it is: it is supposed on a stage.

// supposed is a value that a variable is supposed to have, or a sensor if it is none.
type supposed struct {
	image.Scalar
	is, was int64
	ram     []byte // all variables, if others are not as they are, either
}

// supposing is an outlook on a stage where something has another value.
func (o *outlook) supposing(x supposed) *outlook {
	more := *o
	more.supposed = &x
	return &more
}

// in is the variable in a mote's memory.
func (x *supposed) in(m *mote.Mote) []byte {
	return m.RAM()[x.Addr-uint32(m.Chip().RAMBase):][:x.Size]
}

// put has a mote have the value that is supposed.
func (x *supposed) put(w *world.World, i int) {
	if x.Size == 0 {
		w.Resense(i, uint16(x.is))
		return
	}
	copy(w.Motes()[i].RAM(), x.ram)
	for n, at := 0, x.in(w.Motes()[i]); n < len(at); n++ {
		at[n] = uint8(x.is >> (8 * n))
	}
}

// number is the value that the variable has, as if it had a sign.
func (x *supposed) number(m *mote.Mote) (v int64) {
	for n, b := range x.in(m) {
		v |= int64(b) << (8 * n)
	}
	unused := 64 - 8*x.Size
	return v << unused >> unused
}

// suppose has what a point supposes be so, in the state itself, where nothing but its event can happen next. What its mote can do is not looked at again:
// with another value the main program may wait where it did not.
func (s *System) suppose(i int, p *point) error {
	o, err := s.look(i)
	if err != nil {
		return err
	}
	b, err := s.wake()
	if err != nil {
		return err
	}
	p.race.supposed.put(b.w, i)
	s.changed(i)
	only, at := *o, *p
	at.after = p.race.after
	only.points, only.drawn = nil, []point{at}
	s.seats[i].outlook = &only
	return nil
}

// wouldCarry finds what is lost at a spot once the counter that E reads there is about to carry; nil if nothing is.
func (s *System) wouldCarry(i int, o *outlook, at spot, f *contact) (*race, error) {
	counter, ok := s.torn(i, &at, f)
	if !ok {
		return nil, nil
	}
	x, step, err := s.counts(i, o, at.v, counter)
	if err != nil || step == 0 {
		return nil, err
	}
	x.is = beforeCarry(x.was, step)
	found, err := s.lostIf(i, o.supposing(x), at)
	if err != nil || found != nil && found.shared.Addr != x.Addr {
		return nil, err
	}
	if found == nil {
		return s.wouldRunOn(i, o, at, &x, step)
	}
	for v := x.was; v != x.is; v += step {
		if _, next, _, err := s.counted(i, o.supposing(supposed{Scalar: counter, is: v, was: x.was}), at.v, &x); err != nil || next != v+step {
			return nil, err
		}
	}
	found.supposed = &x
	return found, nil
}

// counts tells by how much V counts a number, if nobody else writes it; 0 if it does not, or by more than a byte.
func (s *System) counts(i int, o *outlook, v *point, counter image.Scalar) (x supposed, step int64, err error) {
	x.Scalar = counter
	was, next, by, err := s.counted(i, o, v, &x)
	if x.was, step = was, next-was; err != nil || max(step, -step) > 0xFF || !s.sh.motes[i].kind.countsAlone(&counter, by) {
		step = 0
	}
	return x, step, err
}

// longestTurn is how many instructions a round of the main loop has at most that is run for each value of a counter.
const longestTurn = 2000

// wouldRunOn is wouldCarry where other variables follow the counter: the time of the next alarm. V and a round of the main loop are run in turn until the counter is
// about to carry.
func (s *System) wouldRunOn(i int, o *outlook, at spot, x *supposed, step int64) (*race, error) {
	k := s.sh.motes[i].kind
	if at.v.class != check.Task || k.profile.Kernel != kernel.None || len(at.alone) > longestTurn {
		return nil, nil
	}
	now := *x
	for now.is = x.was; now.is != x.is; {
		t, err := s.onStage(i, o.supposing(now))
		if err != nil {
			return nil, err
		}
		m := t.mote()
		pc := m.Core().PC
		ok := t.prepare(at.v) && t.b.handle(i, t.x, at.v.vector) && t.begin(at.v.class, at.v.source)
		m.Open(true) // what it sends goes out meanwhile
		ok = ok && t.b.settle(i, t.x) && m.Core().PC == pc
		m.Open(false)
		turns := (x.number(m) - now.is) / step // V may come more than once
		ok = ok && turns > 0 && turns <= (x.is-now.is)/step
		now.is = x.number(m)
		now.ram = slices.Clone(m.RAM()[:len(k.scalars.list)])
		t.leave()
		if !ok {
			return nil, nil
		}
	}
	found, err := s.lostIf(i, o.supposing(now), at)
	if found == nil || err != nil || found.shared.Addr != x.Addr {
		return nil, err
	}
	found.supposed = &now
	return found, nil
}

// beforeCarry is the last value of a counter whose lowest byte is then through.
func beforeCarry(from, step int64) int64 {
	low := from & 0xFF
	if step > 0 {
		return from + (0xFF-low)/step*step
	}
	return from - low/-step*-step
}

// torn is a number that E reads on both sides of V, its lowest byte on one and the next one on the other, and that E does not write.
func (s *System) torn(i int, at *spot, f *contact) (x image.Scalar, ok bool) {
	kind := s.sh.motes[i].kind
	nothing := image.Scalar{} // it is not known what would be wrong
	r := straddled(kind.scalars, at.alone, at.k, s.without(i, f.anyway()), &nothing, kind.kind.Board.Chip.RAMBase, numbers)
	if r == nil || r.kind != tornRead || slices.ContainsFunc(at.alone, func(e entry) bool { return e.touch.Write && r.touchedBy(&e) }) {
		return x, false
	}
	reads := func(list []entry, n uint32) bool {
		return slices.ContainsFunc(list, func(e entry) bool { return e.touches && uint32(e.touch.Addr) == r.shared.Addr+n })
	}
	before, behind := at.alone[:at.k], at.alone[at.k:]
	return r.shared, reads(before, 0) && reads(behind, 1) || reads(before, 1) && reads(behind, 0)
}

// counted runs V alone, and gives what it makes of a number, and the instructions that write it.
func (s *System) counted(i int, o *outlook, v *point, x *supposed) (was, is int64, by []uint32, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return 0, 0, nil, err
	}
	defer t.leave()
	was = x.number(t.mote())
	if !t.prepare(v) || t.mote().Requests()>>v.vector&1 == 0 {
		return was, was, nil, nil
	}
	log := s.newSteps(i, v.vector)
	t.b.steps = log
	ended := t.b.handle(i, t.x, v.vector)
	r := race{shared: x.Scalar}
	for n := range log.list {
		if e := &log.list[n]; e.touch.Write && r.touchedBy(e) {
			by = append(by, e.pc)
		}
	}
	s.body.reuse(log.list)
	if !ended {
		return was, was, nil, nil
	}
	return was, x.number(t.mote()), by, nil
}

// store is an instruction that writes a byte by its address.
type store struct{ pc, addr uint32 }

// storesOf lists those of a program that write variables.
func storesOf(k *mote.Kind) (list []store) {
	code := k.Program()
	for pc := uint32(0); pc < code.Words(); pc += max(1, uint32(code.At(pc).N)) { // 0 where it differs from mote to mote
		if in := code.At(pc); in.Op == avr.OpSts && in.K >= uint32(k.Board.Chip.RAMBase) {
			list = append(list, store{pc, in.K})
		}
	}
	return list
}

// countsAlone tells whether no other instructions than those of V write a number by its address, except while the program starts: in setup, or in main before its loop. What is in the same function as
// one of V's belongs to V: whether V sets the counter back on the way is tried.
func (k *kind) countsAlone(x *image.Scalar, by []uint32) bool {
	return !slices.ContainsFunc(k.stores, func(w store) bool {
		if w.addr < x.Addr || w.addr >= x.Addr+x.Size || slices.Contains(by, w.pc) {
			return false
		}
		f, known := k.kind.Image.FuncAt(2 * w.pc)
		same := func(pc uint32) bool {
			g, ok := k.kind.Image.FuncAt(2 * pc)
			return ok && g.Addr == f.Addr
		}
		if known && slices.ContainsFunc(by, same) {
			return false
		}
		return !k.starts(w.pc)
	})
}

// starts tells whether an instruction is executed only while the program starts: in setup, or in main before its loop.
func (k *kind) starts(pc uint32) bool {
	f, known := k.kind.Image.FuncAt(2 * pc)
	if !known || k.loop.head == 0 || f.Name != "main" && f.Name != "setup" {
		return false
	}
	code := k.kind.Program()
	var again []uint32 // where a program that starts once more comes by
	if main, ok := k.kind.Image.Symbol("main"); ok {
		again = append(again, main.Addr/2)
	}
	return !reachesAround(code, k.loop.head, again, func(in avr.Inst) bool { return in == code.At(pc) })
}

// lostIf finds what is lost at a spot, in a state that is supposed.
func (s *System) lostIf(i int, o *outlook, at spot) (*race, error) {
	v := *at.v
	v.nth = 0 // it may be the point itself
	p := pointAt(v, at.alone, at.k, at.alone[at.k].cycle-at.after)
	alone, began, _, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return nil, err
	}
	defer s.body.reuse(alone)
	k := placeOf(v, alone, p.serial())
	if k < 0 || !alone[k].valid {
		return nil, nil
	}
	after := alone[k].cycle - began
	f, mixed, ok, err := s.there(i, o, &v, after)
	if err != nil || !ok {
		return nil, err
	}
	both, comparable, err := s.inOrder(i, o, &v, f.takes)
	if err != nil || !comparable {
		return nil, err
	}
	found, err := s.lost(i, o, spot{&v, alone, k, after}, &mixed, &both, &f)
	if found != nil {
		found.after = after
	}
	return found, err
}
