package explore

import (
	"fmt"
	"slices"

	"motehound/firmware/kernel"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

// Sources of events that are no interrupts. Frames on the air have the index of their sender, faults their own.
const (
	wireSource   = 0x8000 // plus the wire's index: a character on a wire
	serialSource = 0      // of inputs: the next byte of serial input
	scriptSource = 1      // the next of the scenario's events
	powerSource  = 2      // power comes back
	timePasses   = 1      // of tasks: none runs, but time passes, with the interrupts that are no choice
	booted       = 2      // of tasks: what went wrong while the motes booted is told
	goesOn       = 3      // of tasks: what was interrupted goes on
	// check.Pause is another one.
)

// arrivals appends the frames and characters that can reach a mote.
func (s *System) arrivals(i int, o *outlook, dst []check.Event) []check.Event {
	x, info := &s.seats[i], &s.sh.motes[i]
	for n, q := range x.queues {
		if len(q) == 0 || !o.fits(o.turns+q[0].PlaySpan()) {
			continue
		}
		e := check.Event{Mote: int16(i), Class: check.Frame, Source: uint16(info.from[n])}
		fates := s.fates(s.onAir(info.from[n], i, o.now))
		for fate := range reception.NumFates {
			if !fates.Allows(fate) || fate == reception.Reordered && (len(q) < 2 || !o.fits(o.turns+q[1].PlaySpan())) {
				continue
			}
			e.Option = uint8(fate)
			dst = append(dst, e)
		}
		e.Option = 0
		dst = s.preemptions(o, e, dst)
	}
	return s.overWires(i, o, dst)
}

// onAir asks what becomes of the next frame between two motes. Whether they are linked was asked when it was sent.
func (s *System) onAir(from, to int, now uint64) reception.Question {
	q, _ := reception.OnAir(s.sh.cfg.Net, from, to, now)
	return q
}

// fates tells what can become of a frame. None is delayed: when a frame comes is chosen anyway. On a wire, where frames are characters that
// come one by one, none comes after the next one.
func (s *System) fates(q reception.Question) world.Fates {
	if s.healed {
		return world.Fates{Allowed: 1 << reception.Delivered}
	}
	return s.sh.faults.Fates(q, func(n int) bool {
		k := s.sh.faults[n].Kind
		return k != world.Delay && (k != world.Reorder || q.Wire == world.None) && s.left(n)
	})
}

// left tells whether some of a fault's budget is left, and notes that it can happen then.
func (s *System) left(n int) bool {
	if s.used[n] >= s.sh.faults[n].Max {
		return false
	}
	s.sh.offered[n].Store(true)
	return true
}

// failures appends what can befall a mote.
func (s *System) failures(i int, o *outlook, dst []check.Event) []check.Event {
	if s.healed || !s.sh.motes[i].frail {
		return dst
	}
	for _, k := range [...]world.FaultKind{world.Reboot, world.Outage, world.LateBoot, world.Busy} {
		if k == world.LateBoot && s.seats[i].begun || k == world.Busy && !o.quiet {
			continue
		}
		if n := s.sh.faults.Strike(k, i, o.now, s.left); n >= 0 {
			dst = append(dst, check.Event{Mote: int16(i), Class: check.Fault, Source: uint16(n)})
		}
	}
	return dst
}

// comesBack appends what can happen to a mote without power: it gets it back, when the outage is over by the clock of some other mote.
func (s *System) comesBack(i int, o *outlook, dst []check.Event) []check.Event {
	if s.outageOver(i) {
		dst = append(dst, check.Event{Mote: int16(i), Class: check.Input, Source: powerSource})
	}
	return s.inputs(i, o, dst)
}

// outage is a mote's time without power. A mote that boots late is one whose power fails before it has done anything.
type outage struct {
	span  uint64   // 0 for good
	since []uint64 // when it began, by the clock of each mote
}

func (s *System) outageOver(i int) bool {
	out := s.seats[i].outage
	if out == nil || out.span == 0 {
		return false
	}
	alone := true
	for j, began := range out.since {
		other := s.mustLook(j)
		if j == i || other.off {
			continue
		}
		alone = false
		if other.now >= began+out.span {
			return true
		}
	}
	return alone
}

// clocks is what time it is for each mote but one.
func (s *System) clocks(but int) []uint64 {
	list := make([]uint64, len(s.seats))
	for i := range list {
		if i != but {
			list[i] = s.mustLook(i).now
		}
	}
	return list
}

// inputs appends what comes from outside: the next byte of its serial lines, the next thing that the scenario does to it.
func (s *System) inputs(i int, o *outlook, dst []check.Event) []check.Event {
	if _, ok := s.mayCome(i, o); ok {
		e := check.Event{Mote: int16(i), Class: check.Input, Source: serialSource}
		dst = s.preemptions(o, e, append(dst, e))
	}
	if n, acts := int(s.seats[i].acts), s.sh.motes[i].acts; n < len(acts) && (o.off || s.actFits(i, o, &acts[n])) {
		dst = append(dst, check.Event{Mote: int16(i), Class: check.Input, Source: scriptSource})
	}
	return dst
}

// nextAct is what the scenario does next to a mote; something has to be left.
func (s *System) nextAct(i int) *act { return &s.sh.motes[i].acts[s.seats[i].acts] }

// actFits tells whether what the scenario does next to a mote that is on can happen now. A frame comes while the radio listens.
func (s *System) actFits(i int, o *outlook, a *act) bool {
	switch a.kind {
	case world.SetPin:
		return o.fits(pinSpan)
	case world.HearFrame:
		span := s.world().ComposeSpan(i, len(a.frame))
		return span > 0 && !o.sends && !o.halted && !s.seats[i].amid() && o.fits(o.turns+span)
	}
	return true
}

// mayCome finds where the next byte of a mote's serial input comes in, and tells whether it can come now.
func (s *System) mayCome(i int, o *outlook) (world.Serial, bool) {
	in, _, ok := s.nextByte(i)
	return in, ok && !o.off && o.fits(o.chars[in.USART&3]) && !s.unread(i, in.USART, o)
}

// nextByte finds the byte that comes next on a mote's serial lines.
func (s *System) nextByte(i int) (world.Serial, byte, bool) {
	n := int(s.seats[i].input)
	for _, in := range s.sh.motes[i].serial {
		if n < len(in.Bytes) {
			return in, in.Bytes[n], true
		}
		n -= len(in.Bytes)
	}
	return world.Serial{}, 0, false
}

// unread tells whether a character waits to be read from a USART: the next one would come too soon. If a main program polls, it is not too soon
// while that waits for something else for so long.
func (s *System) unread(i int, usart uint8, o *outlook) bool {
	if o.ready&(1<<s.rxVector(i, usart)) != 0 {
		return true
	}
	return s.sh.motes[i].kind.profile.Kernel == kernel.None && s.world().Motes()[i].SerialUnread(usart) && o.stays < o.now+o.chars[usart&3]
}

// rxVector is the vector of a USART's receiver.
func (s *System) rxVector(i int, usart uint8) uint {
	c := s.sh.motes[i].kind.kind.Board.Chip
	for _, name := range [...]string{fmt.Sprintf("USART%d_RX", usart), "USART_RX"} {
		if n := slices.Index(c.Vectors, name); n > 0 {
			return uint(n)
		}
	}
	return 63
}
