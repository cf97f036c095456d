package world

// A clone rests: it is the state of its motes and no more, until somebody runs it or looks into it. Many clones are only
// kept to go back to, and what makes a mote run is as large again to make and to collect as its registers.
//
// A world that rests is never changed by being copied from, so that several goroutines may do that at once.

// Clone makes a second world in the same state. It has no observers. Give it back with Release when many are made.
func (w *World) Clone() *World {
	c := w.pool.take()
	if c == nil {
		c = &World{pool: w.pool, per: make([]seat, len(w.per)), used: make([]uint32, len(w.used)), observe: &nobody}
	}
	c.sched.stride = nil
	c.CopyFrom(w)
	return c
}

// CopyFrom puts the world into the state of another one of the same Config. Observers stay.
func (w *World) CopyFrom(from *World) {
	w.cfg, w.plan, w.choose, w.st = from.cfg, from.plan, from.choose, from.st
	w.owns = false
	copy(w.used, from.used)
	for i := range w.per {
		w.per[i].copyFrom(&from.per[i])
		if w.motes != nil {
			w.hold(i)
		}
	}
}

// copyFrom copies the state, from a mote or what rests of one.
func (s *seat) copyFrom(from *seat) {
	s.moteState, s.readings = from.moteState, from.readings
	s.air.copyFrom(&from.air)
	s.lines.CopyFrom(&from.lines)
	s.frames.CopyFrom(&from.frames)
	switch {
	case s.body != nil && from.body != nil:
		s.room.CopyFrom(&from.room.Mote)
	case s.body != nil:
		s.room.Restore(&from.rest)
	case from.body != nil:
		from.room.Save(&s.rest)
	default:
		from.rest.CopyTo(&s.rest)
	}
}

// wake makes motes that can run, if the world rests.
func (w *World) wake() {
	if w.motes != nil {
		return
	}
	w.prepare()
	for i := range w.per {
		s := &w.per[i]
		w.motes[i] = s.rest.Wake(&s.room, &s.env)
		w.hold(i)
		w.watch(i)
	}
}
