package explore

import "motehound/world"

// Watched is the same network in the same state, in a world of its own, that somebody watches from now on. Its events are run, and nothing else is, where
// the observer looks: what could happen is looked at elsewhere.
func (s *System) Watched(o func(w *world.World) world.Observer) (*System, error) {
	b, err := s.sh.newBody(true)
	if err != nil {
		return nil, err
	}
	c := s.Clone().(*System)
	c.load(b, c.rest)
	if b.suite != nil {
		b.suite.Restore(&c.suite)
	}
	c.body, c.own = b, true
	c.rest.Release()
	c.rest = nil
	if o != nil {
		b.w.Observe(o(b.w))
	}
	return c, nil
}

// World is where the motes are, to be looked at.
func (s *System) World() (*world.World, error) {
	b, err := s.wake()
	if err != nil {
		return nil, err
	}
	return b.w, nil
}
