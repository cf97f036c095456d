package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/study/check"
)

// What becomes of a wrong value. The interrupted transition is run, and then what its mote does next, in the natural order, and each access to
// the wrong variable is looked at. A read is a use, unless its line writes the variable again, and decides nothing in between: count++ carries
// a wrong count on, it does not use it. A write that is no such line ends it. If the wrong variable is not the shared one, then the value was used
// when it was stored there. What is in registers is not followed.

// Fate is what becomes of a wrong value.
type Fate string

// The fates.
const (
	Sent        Fate = "sent"        // it got outside
	Stored      Fate = "stored"      // somebody read what was torn, and it was stored in another variable
	Read        Fate = "read"        // some code read it
	Overwritten Fate = "overwritten" // it was written again before
	Unread      Fate = "unread"      // neither, in so many events
)

// Use is what becomes of a wrong value, and where.
type Use struct {
	Fate   Fate
	At     Place // of what is stored, read or overwritten
	Events int   // of the mote, behind the interrupted one, that were looked at
}

// Place is an instruction.
type Place struct {
	Function string
	File     string
	Line     int
	Addr     uint32 // in bytes
}

func siteOf(im *image.Image, pc uint32) Place {
	p := Place{Addr: 2 * pc}
	p.Function, p.File, p.Line, _ = placeAt(im, 2*pc)
	return p
}

// mostFollowed is for how many events a wrong value is followed.
const mostFollowed = 20

// use follows the wrong value of a race.
func (s *System) use(i int, p *point) (Use, error) {
	if at := p.race.sent; at != 0 {
		return Use{Fate: Sent, At: siteOf(s.sh.motes[i].kind.kind.Image, at)}, nil
	}
	if at := p.race.used; at != 0 {
		return Use{Fate: Read, At: siteOf(s.sh.motes[i].kind.kind.Image, at)}, nil
	}
	c := s.Clone().(*System)
	defer c.Release()
	if p.race.supposed != nil {
		if err := c.suppose(i, p); err != nil {
			return Use{}, err
		}
	}
	log, err := c.logged(i, p.event(i))
	if err != nil {
		return Use{}, err
	}
	c.preempted = c.sh.opt.Preempt // nothing else comes in between
	if c.seats[i].mid {
		more, err := c.logged(i, check.Event{Mote: int16(i), Class: check.Task, Source: goesOn})
		if err != nil {
			return Use{}, err
		}
		log = append(log, more...)
	}
	f := c.follow(i, p.race)
	born := f.born(log)
	if born >= 0 && p.race.wrong.Object != p.race.shared.Object {
		return Use{Fate: Stored, At: siteOf(f.im, log[born].pc)}, nil
	}
	f.take(log[born+1:])
	for f.use.Fate == Unread && f.use.Events < mostFollowed {
		list, ok, err := c.goOn(i)
		if err != nil || !ok {
			return f.use, err
		}
		f.use.Events++
		f.take(list)
	}
	return f.use, nil
}

// event is the event of an interrupt at the point.
func (p *point) event(i int) check.Event {
	e := check.Event{Mote: int16(i), Class: p.class, Source: p.source, Option: p.vector, Serial: p.serial()}
	if p.by == arrives {
		e.Class, e.Source = check.Frame, p.from
	}
	return e
}

// logged fires an event and gives the instructions of it.
func (s *System) logged(i int, e check.Event) ([]entry, error) {
	b, err := s.wake()
	if err != nil {
		return nil, err
	}
	log := s.newSteps(i, 0)
	b.steps = log
	_, err = s.Fire(e)
	b.steps = nil
	return log.list, err
}

// goOn has a mote do what it would do next, and gives the instructions of it. Ok is false if it does nothing any more.
func (s *System) goOn(i int) (list []entry, ok bool, err error) {
	o, err := s.look(i)
	if err != nil {
		return nil, false, err
	}
	if o.idle { // it goes round in its main loop, which is no event
		t, err := s.onStage(i, o)
		if err != nil {
			return nil, false, err
		}
		defer t.leave()
		log := s.newSteps(i, 0)
		t.b.steps = log
		t.b.settle(i, &t.seat)
		list = log.list
	}
	can := slices.DeleteFunc(s.enabledOf(i, nil), func(e check.Event) bool { return e.Class == check.Fault || e.Option != 0 })
	if len(can) == 0 {
		return list, o.idle, nil
	}
	next := slices.MinFunc(can, func(a, b check.Event) int {
		outside := func(e check.Event) uint64 {
			if e.Class == check.Input {
				return 1 // whenever it is chosen
			}
			return 0
		}
		if d := compare(outside(a), outside(b)); d != 0 {
			return d
		}
		return compare(s.Due(a), s.Due(b))
	})
	more, err := s.logged(i, next)
	return append(list, more...), true, err
}

// follower follows the bytes of a wrong variable.
type follower struct {
	im      *image.Image
	code    *avr.Program
	lo      uint16
	wrong   []bool // by byte: it is still as it was
	carried []bool // it was read to be written again
	use     Use
}

func (s *System) follow(i int, r *race) *follower {
	k := s.sh.motes[i].kind.kind
	f := &follower{im: k.Image, code: k.Program(), lo: uint16(r.wrong.Addr), wrong: make([]bool, r.wrong.Size), carried: make([]bool, r.wrong.Size), use: Use{Fate: Unread}}
	for n := range f.wrong {
		f.wrong[n] = true
	}
	return f
}

// byteOf is which byte of the variable an instruction touches; -1 if none.
func (f *follower) byteOf(e *entry) int {
	if n := int(e.touch.Addr) - int(f.lo); e.touches && n >= 0 && n < len(f.wrong) {
		return n
	}
	return -1
}

// born is the instruction that has made the variable wrong, the last that writes it; -1 if none does.
func (f *follower) born(list []entry) int {
	for n := len(list) - 1; n >= 0; n-- {
		if f.byteOf(&list[n]) >= 0 && list[n].touch.Write {
			return n
		}
	}
	return -1
}

// take looks at what was executed next.
func (f *follower) take(list []entry) {
	for n := range list {
		e := &list[n]
		at := f.byteOf(e)
		switch {
		case at < 0 || !f.wrong[at]:
		case e.touch.Read && !f.carries(list[n:]):
			f.use.Fate, f.use.At = Read, siteOf(f.im, e.pc)
			return
		case e.touch.Read:
			f.carried[at] = true
		case f.carried[at]:
			f.carried[at] = false
		default:
			f.wrong[at] = false
			if !slices.Contains(f.wrong, true) {
				f.use.Fate, f.use.At = Overwritten, siteOf(f.im, e.pc)
				return
			}
		}
	}
}

// carries tells whether the line of the first instruction, which reads a byte, writes it again and decides nothing by it.
func (f *follower) carries(list []entry) bool {
	const longest = 24 // instructions between the two
	line, ok := f.im.LineAt(2 * list[0].pc)
	if list[0].touch.Write {
		return true
	}
	for n := 1; n < min(longest, len(list)); n++ {
		e := &list[n]
		if flow, _ := f.code.At(e.pc).Flow(); flow == avr.Branch || flow == avr.Skip {
			return false
		}
		if f.byteOf(e) == f.byteOf(&list[0]) && e.touch.Write {
			to, _ := f.im.LineAt(2 * e.pc)
			return ok && to.File == line.File && to.Line == line.Line
		}
	}
	return false
}
