package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/world"
)

var _ check.Pauser = (*System)(nil)

// pauseOf is how long a pause is.
func pauseOf(e check.Event) uint64 { return uint64(e.Serial) * world.Microsecond }

// Pauses implements check.Pauser. Nothing that has to wait is in the way: whether it can is a matter of strain.
func (s *System) Pauses(e check.Event) bool {
	i := int(e.Mote)
	if i < 0 || i >= len(s.seats) || len(s.early) > 0 || !e.Pauses() || e.Option != 0 || e.Serial == 0 {
		return false
	}
	o := s.mustLook(i)
	if o.off || o.halted || s.seats[i].amid() || s.sh.motes[i].kind.profile.Kernel == kernel.None || !o.fits(pauseOf(e)) {
		return false
	}
	if _, asleep := s.world().Motes()[i].Asleep(); !asleep {
		return false
	}
	until := o.now + pauseOf(e)
	return (len(o.rises) == 0 || until < o.rises[0].at) && (o.stirs == periph.Never || until <= o.waitsUntil())
}

// Free implements check.Pauser: what a host sends and what the scenario does comes whenever it likes, and so does what a mote sends of whom nothing was heard before.
func (s *System) Free(e check.Event) bool {
	if e.Mote < 0 || len(s.early) > 0 || s.sh.opt.AnyOrder {
		return false
	}
	i := int(e.Mote)
	o, x, info := s.mustLook(i), &s.seats[i], &s.sh.motes[i]
	switch {
	case o.off || o.halted || x.amid() || e.Intrudes() || e.Made() || info.kind.profile.Kernel == kernel.None: // a main loop that goes round and round is always in the middle of something
		return false
	case e.Class == check.Input:
		return e.Source != powerSource
	case e.Class != check.Frame:
		return false
	}
	var p trip
	if e.Source < wireSource {
		p = x.queues[indexOf(info.from, int(e.Source))].next(e).trip
	} else {
		p = x.lines[indexOf(info.wires, int(e.Source-wireSource))][0].trip
	}
	return p.free || s.seats[p.from].party != x.party
}

// Clashes implements check.Pauser. The interrupt is tried behind the event and before it, for it may do less behind it: the event is late there.
func (s *System) Clashes(e, interrupt check.Event) bool {
	const most = 16 // places
	i := int(e.Mote)
	o := s.mustLook(i)
	if _, ok := o.rise(interrupt.Source); !ok || !slices.Contains(s.interruptible(i, &s.seats[i], o), e) {
		return false
	}
	v := point{class: e.Class, source: e.Source, vector: uint8(interrupt.Source), by: rises}
	alone, _, behind, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return false
	}
	defer s.body.reuse(alone)
	before, _, ok, err := s.there(i, o, &v, 0)
	if err != nil || !ok {
		before = behind
	}
	for _, f := range []*contact{&behind, before.anyway()} {
		list, _ := s.conflicts(i, alone, f)
		if slices.ContainsFunc(list[:min(len(list), most)], func(k int) bool { return s.bothSides(i, alone, k, f) }) {
			return true
		}
	}
	return false
}
