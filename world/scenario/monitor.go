package scenario

import (
	"errors"

	"motehound/firmware/image"
	"motehound/world"
)

// WorldView is a running world as properties see it.
func WorldView(w *world.World) View { return worldView{w} }

type worldView struct{ w *world.World }

func (v worldView) Motes() int                        { return len(v.w.Motes()) }
func (v worldView) ID(i int) uint16                   { return v.w.Motes()[i].ID() }
func (v worldView) Image(i int) *image.Image          { return v.w.Motes()[i].Kind.Image }
func (v worldView) LoadByte(i int, addr uint32) uint8 { return v.w.Motes()[i].Peek(uint16(addr)) }
func (v worldView) Time() uint64                      { return v.w.Now() }
func (v worldView) Alive(i int) bool                  { return v.w.Alive(i) }
func (v worldView) FramesSent(i int) uint32           { return v.w.FramesSent(i) }
func (v worldView) FramesReceived(i int) uint32       { return v.w.FramesReceived(i) }
func (v worldView) LEDs(i int) uint32                 { return v.w.Motes()[i].LEDs() }

func (v worldView) Linked(from, to int) bool {
	net := v.w.Config().Net
	if net == nil {
		return false
	}
	_, linked := net.Find(from, to)
	return linked && !net.IsCut(from, to, v.w.Now())
}

// Violation is a property that did not hold.
type Violation struct {
	Property string
	Kind     PropertyKind
	Pos      Pos
	Time     uint64 // when it was first seen: of Eventually, when its time was over
	Motes    []int  // those that violate it, if it is a matter of single motes
	Count    uint32 // how often it was seen
}

// Monitor looks at the properties of a scenario while its world runs: at samples, so that it can miss violations between
// them, and never says that a property holds. AtTime properties are looked at exactly at their times. Properties at code are
// not looked at.
type Monitor struct {
	w     *world.World
	props []Property
	eval  *Evaluator
	each  []watch
	found []Violation
	lost  []Dropped
}

// Dropped is a property that could not be evaluated once, and was not asked again: it is not known whether it holds.
type Dropped struct {
	Property *Property
	Err      error // with its place
}

// Of reports whether it is this property that was dropped, of whichever copy of a scenario.
func (d Dropped) Of(p *Property) bool { return d.Property.Name == p.Name && d.Property.Pos == p.Pos }

// watch is what is known of a property.
type watch struct {
	since uint64 // Eventually: since when it has not held
	fails bool   // and that it does not now
	told  bool   // that its time was over
	found int    // its violation, counted from 1
	asked bool   // it was looked at
	lost  bool   // it was dropped
}

// NewMonitor looks after the properties of a scenario in its world.
func NewMonitor(s *Scenario, w *world.World) *Monitor {
	return &Monitor{w: w, props: s.Properties, eval: NewEvaluator(), each: make([]watch, len(s.Properties))}
}

// RunUntil runs the world to a moment and looks every step of virtual time, on whole multiples of it, and at the times that
// properties name. The errors are those of properties that were dropped on the way.
func (m *Monitor) RunUntil(ps, step uint64) error {
	var all error
	for m.w.Now() < ps {
		m.w.RunUntil(min(ps, m.next(step)))
		if err := m.Look(); err != nil {
			all = errors.Join(all, err)
		}
	}
	return all
}

// next is the moment after now at which to look next: for those who run the world themselves.
func (m *Monitor) next(step uint64) uint64 {
	now := m.w.Now()
	next := now - now%step + step
	for i := range m.props {
		if p := &m.props[i]; p.Kind == AtTime && p.At > now {
			next = min(next, p.At)
		}
	}
	return next
}

// Look looks at the properties in the present state. One that cannot be evaluated is dropped: the error says so, once.
func (m *Monitor) Look() (failed error) {
	now := m.w.Now()
	for i := range m.props {
		p, x := &m.props[i], &m.each[i]
		if x.lost || p.Kind.AtCode() || p.Kind == AtTime && p.At != now {
			continue
		}
		x.asked = true
		v, err := m.eval.Evaluate(p, worldView{m.w})
		if err != nil {
			x.lost, x.fails = true, false
			m.lost = append(m.lost, Dropped{p, err})
			failed = errors.Join(failed, err)
			continue
		}
		switch {
		case p.Kind != Eventually:
			if !v.Holds {
				m.violated(i, now, v.Motes)
			}
		case v.Holds:
			x.fails, x.told = false, false
		default:
			if !x.fails {
				x.fails, x.since = true, now
			}
			if p.Within > 0 && now-x.since > p.Within && !x.told {
				x.told = true
				m.violated(i, x.since+p.Within, v.Motes)
			}
		}
	}
	return failed
}

// Dropped are the properties that could not be evaluated.
func (m *Monitor) Dropped() []Dropped { return m.lost }

func (m *Monitor) violated(i int, at uint64, motes []int) {
	p, x := &m.props[i], &m.each[i]
	if x.found == 0 {
		m.found = append(m.found, Violation{Property: p.Name, Kind: p.Kind, Pos: p.Pos, Time: at, Motes: motes})
		x.found = len(m.found)
	}
	m.found[x.found-1].Count++
}

// Violations are the properties that were seen violated, in the order of being seen.
func (m *Monitor) Violations() []Violation { return m.found }

// Unmet are the Eventually properties that do not hold at the last look and have no bound, or one that is not over: a longer
// run might show that they do.
func (m *Monitor) Unmet() []Property {
	var list []Property
	for i := range m.props {
		if x := &m.each[i]; x.fails && !x.told {
			list = append(list, m.props[i])
		}
	}
	return list
}

// Missed are the properties of a moment that were never looked at: the run was over before, or nobody looked at that moment.
func (m *Monitor) Missed() []Property {
	var list []Property
	for i := range m.props {
		if m.props[i].Kind == AtTime && !m.each[i].asked {
			list = append(list, m.props[i])
		}
	}
	return list
}
