package explore

import (
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/check"
)

// Preemption. An interrupt may come in the middle of a task, of the main program, or of a handler that allows it, before any instruction
// where interrupts are on. It is tried only where it can matter.
//
// A transition E is run alone, in a scratch world, and what each of its instructions reads and writes is noted. Then an interrupt V is
// moved through it from its end to its beginning. V before instruction k and V before instruction k+1 end in the same state, if
// instruction k and V touch nothing in common that one of them writes: then the two can be swapped, V reads what it read behind k, so it does what
// it did there. So all places between two instructions that are in conflict with V are one place, and V comes at its beginning, since a
// second interrupt may come at any instruction behind. V is run at each such place, and what it
// touched there counts for the instructions before it. So nothing is assumed of what V may touch: it is seen, at every place that is not
// equal to one where it was seen. Behind the last conflict lies the order in which E comes first, unless another interrupt may follow in E,
// and in a task, before the first conflict, the one in which V does: these are explored as other orders. If E is a handler, V before it would be followed by what its mote does behind V, so
// that place is tried, too.
//
// In conflict with V are: bytes of RAM that one of them writes and the other one reads or writes, the stack of V excepted; accesses to a
// device that V touches, too; SLEEP; the moment at which V is flagged
// again; and everything, if V does not restore all registers. That V takes time, so that E looks at a timer later, is a difference in time
// alone. A handler that uses what is in a register when it begins, and leaves it alone, is not seen to do so.
//
// Interrupts for the single bytes of a frame are served as they come. Walks also draw them in the middle of tasks (arriving.go).
//
// Not tried: an interrupt that would have to wait for a task longer than hardware makes it wait, unless any order is wanted; a handler that
// comes into itself, unless it is flagged again before it ends; and into the rest of something that was interrupted already, what is not flagged by then.
//
// A search looks for all of this in every state. That takes many runs of each transition, so a walk only draws: an event, an interrupt, and
// one instruction that is in conflict with what the interrupt touches when it comes last (draw.go).
//
// A transition that is interrupted becomes two events: E up to V's end, and the rest of E. While a mote is in the middle of one, no other
// mote does anything: what they do is in conflict with nothing that the rest of E does, except through frames, which have their own events.

// point is a place in a transition at which an interrupt is worth trying.
type point struct {
	class  check.Class // of the event that is interrupted
	source uint16
	vector uint8
	by     cause
	after  uint64 // cycles since the transition began
	pc     uint32 // of the instruction before which it comes
	next   uint32 // the last before which it could as well
	nth    uint16 // how often that was executed before, in the transition
	from   uint16 // of what arrives: who sends it,
	left   uint16 // and how many bytes of it come behind that of the interrupt
	touch  avr.Touch
	race   *race // nil if nothing is lost
}

// cause is how a vector comes to be flagged.
type cause uint8

const (
	flagged cause = iota // it is, or the transition itself does it
	rises                // at its time
	comesIn              // a byte of serial input does it
	arrives              // a byte of a frame does it
)

// Bounds of looking for points. Where one is exceeded, some interrupts are not tried: see Crowded.
const (
	mostPoints   = 400       // of an event, in one state
	longestAlone = 20_000    // instructions of a transition
	mostRises    = 8         // vectors that are flagged later
	mostWork     = 2_000_000 // instructions of a transition, once for each of its places: comparing orders runs it some ten times a place
)

// points finds where interrupts are worth trying in what a mote can do. Those of an event follow each other.
func (s *System) points(i int, o *outlook) ([]point, error) {
	x := &s.seats[i]
	var list []point
	for _, e := range s.interruptible(i, x, o) {
		first := len(list)
		var err error
		if list, err = s.addPoints(list, i, o, s.intruders(i, x, o, e)); err != nil {
			return nil, err
		}
		if len(list)-first > mostPoints {
			list = list[:first+mostPoints]
			s.sh.crowded.Store(true)
		}
	}
	if len(s.sh.sections) == 0 {
		if !s.sh.cut.Load() && s.shares(i, o) {
			s.sh.cut.Store(true)
		}
		return list, nil
	}
	return s.addPoints(list, i, o, s.arriving(i, o)) // a walk may have drawn the race that they are against
}

// addPoints adds those of some points without a place.
func (s *System) addPoints(list []point, i int, o *outlook, to []point) ([]point, error) {
	for _, v := range to {
		found, err := s.pointsOf(i, o, v)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// interruptible lists what a mote can do that an interrupt may come into.
func (s *System) interruptible(i int, x *seat, o *outlook) (list []check.Event) {
	if x.rest != 0 && !x.mid {
		return nil
	}
	if x.mid {
		return []check.Event{{Mote: int16(i), Class: check.Task, Source: goesOn}}
	}
	can := o.ready
	for _, r := range o.rises {
		can |= 1 << r.vector
	}
	for can &= s.sh.motes[i].kind.nests; can != 0; can &= can - 1 {
		list = append(list, check.Event{Mote: int16(i), Class: check.Interrupt, Source: uint16(lowest(can))})
	}
	if (o.task || o.idle) && !o.lull {
		list = append(list, check.Event{Mote: int16(i), Class: check.Task})
	}
	if in, ok := s.mayCome(i, o); ok && s.sh.motes[i].kind.nests>>s.rxVector(i, in.USART)&1 != 0 {
		list = append(list, check.Event{Mote: int16(i), Class: check.Input, Source: serialSource})
	}
	return list
}

// intruders lists the vectors that may come into a transition, as points without a place.
func (s *System) intruders(i int, x *seat, o *outlook, e check.Event) (list []point) {
	info := &s.sh.motes[i]
	add := func(vector uint8, by cause) {
		list = append(list, point{class: e.Class, source: e.Source, vector: vector, by: by})
	}
	self := uint64(0)
	if e.Class == check.Interrupt {
		self = 1 << e.Source
	}
	own, ends := s.flaggedBy(i, o, e)
	if !ends {
		return nil
	}
	for set := (o.ready&^self | own) & info.guard; set != 0; set &= set - 1 {
		add(uint8(lowest(set)), flagged)
	}
	if x.mid {
		return list // nothing waits in the middle of a transition
	}
	for n, r := range o.rises {
		soon := r.at <= o.now+slack || x.waiting == 0 || s.sh.opt.AnyOrder
		switch {
		case !soon || self>>r.vector&1 != 0:
		case n < mostRises:
			add(r.vector, rises)
		default:
			s.sh.crowded.Store(true)
		}
	}
	if in, ok := s.mayCome(i, o); ok && e.Class != check.Input {
		add(uint8(s.rxVector(i, in.USART)), comesIn)
	}
	return list
}

// flaggedBy is the vectors that are flagged when a transition has run, if it ends soon.
func (s *System) flaggedBy(i int, o *outlook, e check.Event) (set uint64, ends bool) {
	t, err := s.onStage(i, o)
	if err != nil {
		return 0, false
	}
	defer t.leave()
	if !t.begin(e.Class, e.Source) {
		return 0, false
	}
	if !t.b.settle(i, &t.seat) {
		s.sh.crowded.Store(true)
		return 0, false
	}
	return t.mote().Requests(), true
}

// preempt has a mote do what an event wants up to a point, and serve an interrupt there. The rest is another event.
func (s *System) preempt(i int, x *seat, o *outlook, e check.Event) bool {
	p := o.point(e)
	t := &stage{s: s, b: s.body, i: i, o: o, x: x}
	if s.listed || len(s.sh.sections) == 0 { // those of a trace that leads to where a repair is tried leave room for others
		s.preempted++
	}
	if !t.prepare(p) || !t.begin(p.class, p.source) {
		panic("BUG: what was seen ahead does not happen: " + s.Title(e))
	}
	if p.by == arrives {
		n := indexOf(s.sh.motes[i].from, int(p.from))
		x.queues[n] = x.queues[n][1:]
	}
	t.runTo(p.after)
	ended := t.b.handle(i, x, p.vector)
	t.b.unguard(i)
	x.mid = true
	return ended
}

// point is the point that an event is about; nil if it is not known.
func (o *outlook) point(e check.Event) *point {
	for _, list := range [][]point{o.points, o.drawn} {
		for i := range list {
			if p := &list[i]; p.of(e) && p.vector == e.Option && p.serial() == e.Serial {
				return p
			}
		}
	}
	return nil
}

// of tells whether an interrupt at the point comes into what an event does.
func (p *point) of(e check.Event) bool {
	if p.by == arrives {
		return e.Class == check.Frame && e.Source == p.from
	}
	return p.class == e.Class && p.source == e.Source
}

// serial names the place, and how the vector comes to be flagged: the same in another state, if the program gets there.
func (p *point) serial() uint32 {
	nth := uint32(p.nth)
	if p.by == arrives {
		nth = uint32(p.left)<<againBits | nth&(1<<againBits-1)
	}
	return check.Place | uint32(p.by)<<byBits | p.pc<<pcBits | nth&(1<<pcBits-1)
}

// named tells whether the serial says all of it.
func (p *point) named() bool { return p.by != arrives || p.nth < 1<<againBits }

// Where a serial has the cause and the instruction. The longest program has 2^17 words.
const byBits, pcBits = 29, 12

// Of what arrives, the lower ones tell how often the instruction was executed before, and the upper ones how many bytes come behind.
const againBits, leftBits = 4, pcBits - 4

// preemptions appends the ways in which interrupts may come into an event.
func (s *System) preemptions(o *outlook, e check.Event, dst []check.Event) []check.Event {
	if !s.lists() {
		return dst
	}
	for i := range o.points {
		if p := &o.points[i]; p.of(e) {
			e.Option, e.Serial = p.vector, p.serial()
			dst = append(dst, e)
			e.Option, e.Serial = 0, 0
		}
	}
	return dst
}

// nesting is the vectors whose handlers may allow interrupts: SEI can be reached, or what they call is not known. Where there is no kernel
// it is all of them, since the main program goes on behind the handler, in the same transition. The loop of a kernel does as well, but
// it is not interrupted there: whether it falls asleep with a task in its queue would be its own bug.
func nesting(k *mote.Kind, p *kernel.Profile) (set uint64) {
	if p.Kernel == kernel.None {
		return ^uint64(0)
	}
	const reset = 1
	for v := reset + 1; v < min(len(k.Board.Chip.Vectors), 64); v++ {
		if reachesSEI(k.Program(), 2*uint32(v-reset)) {
			set |= 1 << v
		}
	}
	return set
}

func reachesSEI(code *avr.Program, from uint32) bool {
	return reaches(code, from, func(in avr.Inst) bool {
		flow, _ := in.Flow()
		return in.Op == avr.OpSei || flow == avr.IndirectCall || flow == avr.IndirectJump
	})
}

// reaches tells whether an instruction that is looked for can be reached from an address, by calls and jumps that are not indirect.
func reaches(code *avr.Program, from uint32, is func(avr.Inst) bool) bool {
	return reachesAround(code, from, nil, is)
}

// reachesAround is reaches without passing through some addresses.
func reachesAround(code *avr.Program, from uint32, around []uint32, is func(avr.Inst) bool) bool {
	seen, todo := make([]bool, code.Words()), []uint32{from}
	for _, pc := range around {
		seen[pc%code.Words()] = true
	}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if pc %= code.Words(); seen[pc] { // behind the end it begins anew
			continue
		}
		seen[pc] = true
		in := code.At(pc)
		if is(in) {
			return true
		}
		next := pc + uint32(in.N)
		switch flow, target := in.Flow(); flow {
		case avr.Branch, avr.Call:
			todo = append(todo, next, target)
		case avr.Jump:
			todo = append(todo, target)
		case avr.Skip:
			todo = append(todo, next, next+uint32(code.At(next).N))
		case avr.Next, avr.IndirectCall:
			todo = append(todo, next)
		}
	}
	return false
}

// devices notes which devices are ports, the SPI and the ADC, once: later, others read it.
func (k *kind) devices(m *mote.Mote) {
	if k.ports != 0 {
		return
	}
	for _, p := range m.Chip().Ports {
		k.ports |= m.Owners(p.PORT) | m.Owners(p.DDR) | m.Owners(p.PIN)
	}
	if spi := m.Chip().SPI; spi != nil {
		k.spi = m.Owners(spi.SPDR)
	}
	k.adc = m.Owners(m.Chip().ADC.ADCL)
}
