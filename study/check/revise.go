package check

import (
	"slices"

	"motehound/study/guide/input"
)

// Trips with made-up inputs. Most begin with a message that led to a place, changed, from before it came; or with one that comparisons of the
// firmware suggest.

// mostStudied bounds how often a message is tried again, each time with another value that the firmware compared something with.
const mostStudied = 12

// revise goes back to before the last message on the way to a place, now and then, and has it come again, changed.
func (w *walker) revise(to *place) error {
	n := w.made
	if n.sys == nil || to == nil || n.rng.IntN(2) == 0 {
		return w.study(to, nil)
	}
	way := to.trace()
	begin, last := lastMessage(n.sys, way)
	if len(last.Data) == 0 {
		return w.study(to, nil)
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
	n.open = n.sys.Open(n.open[:0])
	for _, p := range n.open {
		if p.Mote == last.Mote && p.Kind == last.Kind && p.Number == last.Number {
			n.port, n.shut = p, 0
			n.rest = n.writer.Revise(p.Place, last.Data)
			n.inputs++
		}
	}
	return w.study(from, way[start:begin])
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

// study finds out what the firmware compares the next message with, now and then, and tries again with that. It ends before the last try, from where
// the trip goes on.
func (w *walker) study(from *place, events []Event) error {
	n := w.made
	const seldom = 8
	c, ok := w.sys.(Comparer)
	if !ok || n.sys == nil || n.rng.IntN(seldom) > 0 {
		return nil
	}
	for range mostStudied {
		if len(n.rest) == 0 && !n.begin() {
			return nil
		}
		c.Compare(true)
		found := len(w.hits)
		w.hearOut()
		n.pairs = c.Compared(n.pairs[:0])
		c.Compare(false)
		w.complete(from, found)
		if w.over() {
			return w.err
		}
		learned := n.writer.Learn(n.pairs)
		if err := w.leaveBehind(from, events); err != nil || !learned {
			return err
		}
		if n.rest, ok = n.writer.Retry(n.port.Place); !ok {
			return nil
		}
		n.shut = 0
		n.inputs++
	}
	return nil
}

// hearOut lets a message come in to its end, and what it causes.
func (w *walker) hearOut() {
	const longest, after = 600, 24
	left := after
	for range longest {
		if !w.step(w.pick) {
			return
		}
		if len(w.made.rest) == 0 {
			if left--; left == 0 {
				return
			}
		}
	}
}
