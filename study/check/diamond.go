package check

// diamond is what a search that keeps no states remembers at a node u, so as not to explore twice what footprints take to be different:
// for events a and b that are both fired there, a first, the state behind u·a·b. If u·b·a turns out to be in that very state,
// what follows need not be explored once more.
//
// Nothing is lost by that, whatever is asleep: every run that is left out, here or because an event is asleep, can be replaced by one of
// equal length to the same state in which, at the first node where the two differ, an event comes that is fired earlier there. That
// can be done only so often, and ends with a run that is explored.
type diamond struct {
	order []uint64 // keys of the events that are fired at the node, in that order
	ends  []end
}

// end is the state behind two events, by their places in the order.
type end struct {
	first, second int
	hash          [2]uint64
}

// begin notes what is fired at a node.
func (d *diamond) begin(todo []Event) {
	d.order, d.ends = d.order[:0], d.ends[:0]
	for _, e := range todo {
		d.order = append(d.order, e.key())
	}
}

// closes is told that the event in some place of the order was fired, and then another one, which led to a system's state. It tells
// whether the two, the other way round, have led there before.
func (d *diamond) closes(via int, e Event, sys System) bool {
	k := e.key()
	for i, key := range d.order {
		switch {
		case key != k || i == via:
			continue
		case i > via:
			d.ends = append(d.ends, end{via, i, sys.Hash()})
			return false
		}
		for _, x := range d.ends {
			if x.first == i && x.second == via {
				return x.hash == sys.Hash()
			}
		}
	}
	return false
}
