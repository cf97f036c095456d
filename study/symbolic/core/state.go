package core

import (
	"math/bits"
	"slices"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// State is one mote on one path: what it is, and for which inputs. States are made by Explorer.New and by forking.
type State struct {
	x     *Explorer
	fleet *fleet
	rig   *rig // where it runs; nil while it rests
	mote  int
	id    int

	rest    mote.Rest // unless it is aboard a rig
	now     uint64    // likewise: its moment
	sh      shadow
	path    *solver.Set
	model   expr.Model
	modelID int  // changes with the model
	stale   bool // the mote's bytes are not yet those that the model gives
	end     End
	doneAt  uint64
	forks   []*State

	tries   int
	triedAt uint64

	resets   uint32
	started  uint32   // the reset after which variables were set
	passed   uint64   // the stop that is behind it, by the count of instructions
	stops    []int    // that it stands before
	arrivals []uint16 // how often each mark was reached
	made     []Made
	readings []int // of each of the config's sensors
	alarm    uint64
	listener Listener
	waits    bool
	outbox   []Output
	findings []Finding
	covered  []uint64
	order    order
}

// End is why a state goes no further.
type End uint8

const (
	Going   End = iota
	Assumed     // an assumption cannot hold any more
	Failed      // something was found which holds for all inputs of the path
	Stopped     // the mote's CPU has stopped for good
	Full        // there is no room for more expressions
)

func (e End) String() string {
	return [...]string{"going", "assumed away", "failed", "stopped", "out of room"}[e]
}

// Path is the conditions under which the state is reached.
func (s *State) Path() *solver.Set { return s.path }

// Model is inputs for which it is.
func (s *State) Model() expr.Model { return s.model }

// Ended reports whether and why the state goes no further.
func (s *State) Ended() End { return s.end }

// Time is the state's moment, in picoseconds since the mote was switched on.
func (s *State) Time() uint64 {
	if s.rig == nil {
		return s.now
	}
	return s.rig.m.Time()
}

// Machine gives access to the mote itself, which is the state's only until another state of the same mote runs or is looked at. What is
// written there must depend on no input.
func (s *State) Machine() *mote.Mote { return s.board() }

// Where is the place in the code: a flash byte address, where that is in the source, and the cycle.
func (s *State) Where() (pc uint32, at Place, cycle uint64) {
	c := s.rest.Core()
	if s.rig != nil {
		c = &s.rig.m.Core().State
	}
	return c.PC * 2, s.fleet.table.place(c.PC), c.Cycles
}

// Findings is what was found on the way, in that order.
func (s *State) Findings() []Finding { return slices.Clone(s.findings) }

// Fork makes a second state that is the same. It is how choices are followed.
func (s *State) Fork() *State {
	m := s.board()
	t := s.twin()
	m.Save(&t.rest)
	t.now = m.Time()
	s.x.stats.Forks++
	return t
}

// twin copies all but the mote.
func (s *State) twin() *State {
	t := *s
	t.id = s.x.number()
	t.rest, t.rig = mote.Rest{}, nil
	t.sh = s.sh.copy()
	t.forks, t.listener, t.stops = nil, nil, nil
	t.arrivals = slices.Clone(s.arrivals)
	t.readings = slices.Clone(s.readings)
	t.outbox = slices.Clip(s.outbox)
	t.findings = slices.Clip(s.findings)
	t.made = slices.Clip(s.made)
	t.covered = slices.Clone(s.covered)
	t.order.rose, t.order.served = 0, slices.Clone(s.order.served)
	s.outbox, s.findings, s.made = t.outbox, t.findings, t.made
	return &t
}

// RunUntil runs the state to the first instruction boundary at or after a moment, in picoseconds since the mote was switched on. It
// returns before that when the state has forked: the copies, which took the other sides, are at the same moment or a little
// before. Then it is to be called again. It also returns when the listener waits for a choice, in
// front of the mote's stops, and for the sake of Rose and Passed. The state may end on the way.
func (s *State) RunUntil(ps uint64) (forks []*State) {
	m := s.board()
	s.waits, s.stops = false, nil
	if m.Stopped() == mcu.StopHook {
		m.Resume()
	}
	for s.end == Going && len(s.forks) == 0 && m.Time() < ps && !s.waits && !s.ordered(m) {
		s.rig.until = m.CycleAt(ps)
		m.RunUntil(ps)
		if m.Stopped() == mcu.StopHook {
			break
		}
		if m.Stopped() != mcu.Running && s.end == Going && len(s.forks) == 0 {
			s.rig.stopped(m)
			break
		}
	}
	s.heed(m)
	s.rig.gather(s)
	forks, s.forks = s.forks, nil
	return forks
}

// Stops is which of the mote's stops the state stands before, when RunUntil has returned for their sake.
func (s *State) Stops() []int { return s.stops }

// Assume adds a condition: the state goes on for those inputs only for which it holds. It reports whether there are any; Unknown
// leaves the state as it was.
func (s *State) Assume(cond expr.ID) solver.Result {
	m := s.board()
	if s.x.evaluator(s).Holds(cond) {
		if !s.x.pool.IsTrue(s.path.Simplify(cond)) {
			s.path = s.path.Add(cond)
		}
		return solver.Sat
	}
	answer := s.rig.adopt(cond)
	if answer.Result == solver.Unsat {
		s.end = Assumed
	}
	m.Core().Program = s.rig.program()
	return answer.Result
}

// Settle adds to the path which side of a condition the state's inputs take, and returns it. It is for decisions that are not the
// mote's. If other inputs could take the other side, that side is left out, and noted.
func (s *State) Settle(cond expr.ID, what string) bool {
	holds := s.x.evaluator(s).Holds(cond)
	if !holds {
		cond = s.x.pool.Not(cond)
	}
	if s.x.solver.Check(s.path, s.x.pool.Not(cond)).Result != solver.Unsat {
		s.x.leaveOut(LeftOut{Mote: s.mote, What: what})
	}
	s.path = s.path.Add(cond)
	return holds
}

// Outlook is the earliest moment at which the mote does something, if something reaches it at the given moment and nothing before; and
// the one at which its radio puts something new on the air.
func (s *State) Outlook(first uint64) (next, air uint64) {
	m := s.board()
	if s.end != Going {
		return periph.Never, periph.Never
	}
	next, air = min(m.NextAction(), first), periph.Never
	if r := m.Radio(); r != nil {
		air = r.Promise(next, next)
	}
	return next, air
}

// setModel gives the state other inputs.
func (s *State) setModel(m expr.Model) {
	s.x.models++
	s.model, s.modelID = m, s.x.models
}

// Cell is an expression of 8 bits as a cell of this state.
func (s *State) Cell(x expr.ID) cell.Cell {
	v := uint8(s.x.evaluator(s).Eval(x))
	if _, known := s.x.pool.Value(x); known {
		return cell.Of(v)
	}
	return cell.Symbolic(v, uint32(x))
}

// Release says that the state is not needed any more.
func (s *State) Release() {
	if s.rig != nil {
		s.rig.cur, s.rig.used = nil, 0
		s.rig = nil
	}
	s.rest = mote.Rest{}
}

// Blocks is where blocks of the mote's code begin, in flash byte addresses.
func (s *State) Blocks() []uint32 {
	list := make([]uint32, len(s.fleet.table.blocks))
	for i, at := range s.fleet.table.blocks {
		list[i] = at * 2
	}
	return list
}

// CoverTo adds the blocks that the state has run through, by index in Blocks, to a set of bits, and says how many of them are new there. Of a
// branch that was merged it has the side that the model took then.
func (s *State) CoverTo(set []uint64) (added int) {
	if s.rig != nil {
		s.rig.gather(s)
	}
	for i, w := range s.covered {
		added += bits.OnesCount64(w &^ set[i])
		set[i] |= w
	}
	return added
}
