package check

import (
	"slices"

	"motehound/study/guide/input"
)

// Trips with made-up inputs. Most begin with a message that led to a place, changed, from before it came; or with one that comparisons of the
// firmware suggest.

// revise goes back to before the last message on the way to a place, now and then, and has it come again, changed.
func (w *walker) revise(to *place) error {
	n := w.made
	if n.sys == nil || to == nil || n.rng.IntN(2) == 0 {
		return w.study(to, nil, false)
	}
	way := to.trace()
	begin, last := lastMessage(n.sys, way)
	if len(last.Data) == 0 {
		return w.study(to, nil, false)
	}
	from := to
	for from != nil && from.length > begin {
		from = from.from
	}
	start := 0
	if from != nil {
		start = from.length
	}
	if err := w.leaveBehind(from, way[start:begin]); err != nil {
		return err
	}
	const seldom = 4
	same := n.rng.IntN(seldom) == 0 // what it is compared with is worth knowing
	n.open = n.sys.Open(n.open[:0])
	for _, p := range n.open {
		if p.Mote == last.Mote && p.Kind == last.Kind && p.Number == last.Number {
			n.port, n.shut = p, 0
			n.rest = n.writer.Revise(p.Place, last.Data, same)
			n.inputs++
		}
	}
	return w.study(from, way[start:begin], same)
}

// leaveBehind is leave, and then some events.
func (w *walker) leaveBehind(from *place, events []Event) error {
	if err := w.leave(from); err != nil {
		return err
	}
	for _, e := range events {
		if _, err := fire(w.sys, e); err != nil {
			return err
		}
		w.trace = append(w.trace, e)
	}
	return nil
}

// lastMessage is the last made-up message on a way, and how many events were before it: a frame, or bytes on one line with nothing else made up
// in between.
func lastMessage(f Feeder, way []Event) (begin int, last MadeInput) {
	for i := len(way) - 1; i >= 0; i-- {
		if !way[i].Made() {
			continue
		}
		in, ok := f.Content(way[i])
		switch {
		case !ok:
			return begin, last
		case last.Data == nil:
			begin, last = i, in
			last.Data = slices.Clone(in.Data)
		case in.Kind != input.Serial || in.Kind != last.Kind || in.Mote != last.Mote || in.Number != last.Number:
			return begin, last
		default:
			begin, last.Data = i, slices.Insert(last.Data, 0, in.Data...)
		}
		if last.Kind != input.Serial || len(last.Data) >= input.Longest {
			break
		}
	}
	return begin, last
}

// study finds out what the firmware compares the next message with, now and then or if so asked, and tries again with that. It ends before the last try, from where
// the trip goes on.
func (w *walker) study(from *place, events []Event, surely bool) error {
	n := w.made
	const seldom, rounds = 3, 6
	c, ok := w.sys.(Comparer)
	if !ok || n.sys == nil || !surely && n.rng.IntN(seldom) > 0 {
		return nil
	}
	for range rounds {
		if len(n.rest) == 0 && !n.begin() {
			return nil
		}
		c.Compare(true)
		w.hearOut(from)
		n.pairs = c.Compared(n.pairs[:0])
		c.Compare(false)
		if w.over() {
			return w.err
		}
		if !n.writer.Learn(n.pairs) {
			return w.leaveBehind(from, events)
		}
		if done, err := w.retry(from, events); done || err != nil {
			return err
		}
		n.rest = n.writer.Onward(n.port.Place)
	}
	return nil
}

// retry tries what was learned. It tells whether that is enough: something new came of it, or the walk is over.
func (w *walker) retry(from *place, events []Event) (done bool, err error) {
	const most = 24
	n := w.made
	for range most {
		if err := w.leaveBehind(from, events); err != nil {
			return true, err
		}
		data, ok := n.writer.Retry(n.port.Place)
		if !ok {
			return false, nil
		}
		n.rest, n.shut = data, 0
		n.inputs++
		was := w.scouting.from
		if w.hearOut(from); w.over() {
			return true, w.err
		}
		if w.scouting.from != was {
			return true, w.leaveBehind(from, events)
		}
	}
	return false, w.leaveBehind(from, events)
}

// hearOut lets a message come in to its end, and what it causes.
func (w *walker) hearOut(from *place) {
	const longest, after = 600, 32
	found := len(w.hits)
	left := after
	w.made.hold = true
	for n := 0; n < longest && left > 0; n++ {
		if !w.step(w.pick) {
			break
		}
		if left--; len(w.made.rest) > 0 {
			left = after
		} else if w.made.quiet {
			break
		}
	}
	w.made.hold = false
	w.complete(from, found)
}
