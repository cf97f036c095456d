package memory

import "motehound/study/property/builtin"

// lesson is what was learned of a firmware from a run: which object each constant of its code is for. A tracker that is given it can judge
// the first use of a constant, too. It never changes, and is for trackers with the same table.
type lesson struct {
	t      *table
	origin []bounds // of constants
	used   []bool
}

// Learn implements builtin.Learner: one lesson for each kind of motes. What one mote has learned is true for all with its firmware, but not
// where two do not agree: then one of them has met a bug.
func (p *prepared) Learn(from []builtin.Tracker) {
	var list []*lesson
	for _, x := range from {
		m := x.(*tracker)
		var l *lesson
		for _, x := range list {
			if x.t == m.t {
				l = x
			}
		}
		if l == nil {
			l = &lesson{t: m.t, origin: make([]bounds, len(m.t.constants)), used: make([]bool, len(m.used))}
			list = append(list, l)
		}
		l.add(&m.state)
	}
	for _, l := range list {
		for i, b := range l.origin {
			if b == disputed {
				l.origin[i] = bounds{}
			}
		}
	}
	p.lessons = list
}

// disputed is of no object: none is at address 0.
var disputed = bounds{0, 1}

func (l *lesson) add(s *state) {
	for i := range l.origin {
		switch mine, theirs := &l.origin[i], s.origin[i]; {
		case theirs.size == 0:
		case mine.size == 0:
			*mine = theirs
		case *mine != theirs:
			*mine = disputed
		}
	}
	for i, u := range s.used {
		l.used[i] = l.used[i] || u
	}
}
