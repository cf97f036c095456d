package core

import "motehound/mote"

// In which order a mote serves its interrupts is up to whoever runs its states: with Config.Orders RunUntil returns when one is requested, and
// some can be told to wait.

// order is what a state knows of its interrupts.
type order struct {
	rose   uint64   // vectors that were requested since Rose was last called
	held   uint64   // those that wait
	awake  bool     // the CPU was when they began to
	passed bool     // since then another one was served, or the CPU has fallen asleep
	news   bool     // that is not told yet
	served []uint64 // by vector: when it was last served; nil without Config.Orders
}

// Rose is the vectors that were requested, and not served yet, since it was last called. RunUntil returns for their sake.
func (s *State) Rose() uint64 {
	rose := s.order.rose
	s.order.rose = 0
	return rose
}

// Hold has vectors wait to be served, until it is called again; 0 ends it.
func (s *State) Hold(vectors uint64) {
	m := s.board()
	_, asleep := m.Asleep()
	s.order.held, s.order.awake, s.order.passed = vectors, !asleep, false
	s.rig.arrange()
}

// Passed reports whether something else was done since vectors wait: another one was served, or the CPU has fallen asleep. RunUntil returns
// for its sake.
func (s *State) Passed() bool { return s.order.passed }

// Served is when a vector was last served, in picoseconds since the mote was switched on; 0 for never.
func (s *State) Served(vector uint8) uint64 {
	if int(vector) >= len(s.order.served) {
		return 0
	}
	return s.order.served[vector]
}

// arrange has the interrupts of the mote wait that wait in the state aboard.
func (r *rig) arrange() {
	if r.x.cfg.Orders {
		r.m.Withhold(r.cur.order.held)
		r.m.AlertAsleep(r.cur.order.held != 0)
		r.m.Alert(^uint64(0))
	}
}

// heed notes for what the mote was paused.
func (s *State) heed(m *mote.Mote) {
	o := &s.order
	o.rose |= m.Rose()
	if o.held == 0 || o.passed || !o.awake {
		return
	}
	if _, asleep := m.Asleep(); asleep {
		o.passed, o.news = true, true
	}
}

// ordered reports whether whoever runs the state is to know something of its interrupts.
func (s *State) ordered(m *mote.Mote) bool {
	if !s.x.cfg.Orders {
		return false
	}
	s.heed(m)
	news := s.order.news || s.order.rose != 0
	s.order.news = false
	return news
}

// serves notes that a vector is served.
func (s *State) serves(m *mote.Mote, vector uint8) {
	o := &s.order
	if o.served != nil {
		o.served[vector] = m.Time()
	}
	if o.held != 0 && !o.passed {
		o.passed, o.news = true, true
		m.Pause()
	}
}
