package check

import "motehound/study/finding"

// put is the assignment of a constant.
func put(v, c uint8) assign { return assign{v: v, c: c} }

// act makes an action.
func act(mote int, class Class, source, option int, guards []guard, sets ...assign) action {
	return action{event: Event{Mote: int16(mote), Class: class, Source: uint16(source), Option: uint8(option)}, guards: guards, sets: sets}
}

// philosophers sit at a table, each with a fork to the left, and take the left one first. All can end with one fork each.
func philosophers(n int) *program {
	p := &program{values: 3, motes: n, healed: -1, initial: make([]uint8, 2*n)}
	for i := range n {
		state, left, right := uint8(i), uint8(n+i), uint8(n+(i+1)%n)
		p.actions = append(p.actions,
			act(i, Task, 0, 0, []guard{{state, 0}, {left, 0}}, put(state, 1), put(left, 1)),
			act(i, Task, 0, 0, []guard{{state, 1}, {right, 0}}, put(state, 2), put(right, 1)),
			act(i, Task, 0, 0, []guard{{state, 2}}, put(state, 0), put(left, 0), put(right, 0)))
		p.goals = append(p.goals, goalState{finding.Goal{Property: "eats", Mote: int16(i)}, state, 2})
	}
	return p
}

// readings is the paper's array overrun: a timer starts a read and clears the index when the array is full; a read that is done
// stores a value. If reads queue up, values come after the array is full. There is one such mote, or more that ignore each other.
func readings(motes, size int) *program {
	p := &program{values: uint8(size + 2), motes: motes, healed: -1, initial: make([]uint8, 2*motes)}
	for m := range motes {
		index, pending := uint8(2*m), uint8(2*m+1)
		for n := range uint8(2) {
			for i := range uint8(size) {
				p.actions = append(p.actions, act(m, Interrupt, 1, 0, []guard{{pending, n}, {index, i}}, put(pending, n+1)))
			}
			p.actions = append(p.actions,
				act(m, Interrupt, 1, 0, []guard{{pending, n}, {index, uint8(size)}}, put(pending, n+1), put(index, 0)))
			for i := range uint8(size + 1) {
				p.actions = append(p.actions, act(m, Interrupt, 2, 0, []guard{{pending, n + 1}, {index, i}}, put(pending, n), put(index, i+1)))
			}
		}
		p.bad = append(p.bad, badState{name: "past the end", v: index, is: uint8(size + 1), w: index, also: uint8(size + 1)})
	}
	return p
}

// election is a ring of motes in which the greatest identity comes round to its owner, unless one of the losses hits it.
func election(motes, losses int) *program {
	n := motes
	p := &program{values: uint8(n + 2), motes: n, healed: -1, initial: make([]uint8, 2*n+2)}
	inbox := func(i int) uint8 { return uint8(i % n) }
	started := func(i int) uint8 { return uint8(n + i) }
	leader, budget := uint8(2*n), uint8(2*n+1)
	p.initial[budget] = uint8(losses)
	for i := range n {
		id := uint8(i + 1)
		p.actions = append(p.actions, act(i, Task, 0, 0, []guard{{started(i), 0}, {inbox(i + 1), 0}}, put(inbox(i+1), id), put(started(i), 1)))
		for m := uint8(1); m <= uint8(n); m++ {
			switch {
			case m > id:
				p.actions = append(p.actions, act(i, Frame, 0, 0, []guard{{inbox(i), m}, {inbox(i + 1), 0}}, put(inbox(i), 0), put(inbox(i+1), m)))
			case m == id:
				p.actions = append(p.actions, act(i, Frame, 0, 0, []guard{{inbox(i), m}}, put(inbox(i), 0), put(leader, 1)))
			default:
				p.actions = append(p.actions, act(i, Frame, 0, 0, []guard{{inbox(i), m}}, put(inbox(i), 0)))
			}
			for b := 1; b <= losses; b++ {
				p.actions = append(p.actions, act(i, Frame, 0, 1, []guard{{inbox(i), m}, {budget, uint8(b)}}, put(inbox(i), 0), put(budget, uint8(b-1))))
			}
		}
	}
	p.goals = []goalState{{finding.Goal{Property: "a leader", Mote: -1}, leader, 1}}
	return p
}

// The variables of orphans.
const (
	orphanAlive = iota
	orphanJoined
	orphanMature
	orphanNoise
	orphanGap
)

// orphans is the paper's link estimator: mote 2 hears motes 1 and 3, and joins through 1. When 1 dies, 2 joins through 3 only if that
// link is mature, which takes lost frames in the version with the bug.
func orphans(bug bool) *program {
	p := &program{values: 3, motes: 4, healed: orphanAlive, initial: []uint8{1, 0, 0, 0, 0}}
	p.actions = []action{
		act(1, Fault, 0, 0, []guard{{orphanAlive, 1}}, put(orphanAlive, 0), put(orphanJoined, 0)),
		act(2, Frame, 1, 0, []guard{{orphanAlive, 1}}, put(orphanJoined, 1)),
		act(2, Task, 0, 0, []guard{{orphanMature, 1}, {orphanAlive, 0}, {orphanJoined, 0}}, put(orphanJoined, 1)),
		act(3, Interrupt, 0, 0, nil, assign{v: orphanNoise, x: orphanNoise, a: 1, c: 1}),
		act(0, Interrupt, 0, 0, nil, assign{v: orphanNoise, x: orphanNoise, a: 2, c: 1}),
	}
	beacon := act(2, Frame, 3, 0, nil, put(orphanMature, 1))
	if bug {
		beacon.sets = []assign{put(orphanGap, 0)}
	}
	p.actions = append(p.actions, beacon)
	p.goals = []goalState{{finding.Goal{Property: "in the tree", Mote: 2}, orphanJoined, 1}}
	return p
}
