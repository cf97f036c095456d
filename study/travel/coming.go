package travel

// Coming says what of the memory that is watched the instruction accesses that a mote is before.
func (t *Traveller) Coming(mote int, w *Watch) (h Hit, ok bool) {
	m := t.Motes()[mote]
	x := watcher{Watch: w, w: t.world(), event: t.now().Event, each: func(seen Hit) { h, ok = seen, true }, seen: make([]uint64, len(t.Motes()))}
	x.data(m, Hit{Stop: Stop{x.point(mote, m.Cycles()), mote}, PC: m.Core().PC})
	return h, ok
}
