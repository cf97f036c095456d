package check

import (
	"slices"

	"motehound/study/guide/input"
)

// Trials: from a place that was promising a message comes, again and again, as comparisons of the firmware suggest it, or changed. It is the last message that led
// to the place, from before it came, or another one behind it.

// spot is where the messages of a trial come: at a place, behind some more events.
type spot struct {
	from   *place
	events []Event
	sys    System // that is there; nil if nobody has been
}

// revise takes trials, before most trips, and returns how many places they have led to. It ends where the trip begins.
func (w *walker) revise(to *place) (kept int, err error) {
	n := w.made
	c, ok := w.sys.(Comparer)
	if n.sys == nil || !ok {
		return 0, nil
	}
	n.writer.Came(recent(n.sys, to))
	at, begun, err := w.rewind(to)
	if err != nil {
		return 0, err
	}
	defer at.release()
	if !begun {
		if !n.begin() {
			return 0, nil
		}
		if n.rng.IntN(4) > 0 {
			if data, ok := n.writer.Again(n.port.Place); ok {
				n.rest = data
			}
		}
	}
	if n.port.Kind == input.Serial || n.port.Kind == input.Air {
		if kept, err = w.trials(c, at, n.rest, begun); err != nil || w.over() {
			return kept, err
		}
	}
	if err = w.leaveBehind(at); err == nil && begun {
		n.rest = n.writer.Try(n.port.Place, n.writer.Changes(n.port.Kind, 1)[0])
	}
	return kept, err
}

// rewind goes back to before the last message on the way to a place, now and then, and has it come again. It reports whether it does.
func (w *walker) rewind(to *place) (at *spot, begun bool, err error) {
	n := w.made
	if to == nil || n.rng.IntN(2) == 0 {
		return &spot{from: to}, false, nil
	}
	const shortest, doublings = 8, 5 // bytes
	way := to.trace()
	begin, last := lastMessage(n.sys, way, min(input.Longest, shortest<<n.rng.IntN(1+n.rng.IntN(doublings))), n.rng.IntN(2) == 0)
	if len(last.Data) == 0 {
		return &spot{from: to}, false, nil
	}
	from, start := to.before(begin)
	at = &spot{from: from, events: way[start:begin]}
	if err := w.leaveBehind(at); err != nil {
		return at, false, err
	}
	n.open = n.sys.Open(n.open[:0])
	for _, p := range n.open {
		if p.Mote == last.Mote && p.Kind == last.Kind && p.Number == last.Number {
			n.port, n.shut = p, 0
			n.rest = n.writer.Revise(p.Place, last.Data, true)
			n.inputs++
			return at, true, nil
		}
	}
	return at, false, nil
}

// leaveBehind is leave, and then some events.
func (w *walker) leaveBehind(at *spot) error {
	if at.sys != nil {
		w.sys.CopyFrom(at.sys)
		w.depart(at.from)
		w.trace = append(w.trace, at.events...)
		return nil
	}
	if err := w.leave(at.from); err != nil {
		return err
	}
	for _, e := range at.events {
		if _, err := fire(w.sys, e); err != nil {
			return err
		}
		w.trace = append(w.trace, e)
	}
	at.sys = w.sys.Clone()
	return nil
}

// release gives back what the spot holds.
func (at *spot) release() {
	if at.sys != nil {
		at.sys.Release()
	}
}

// lastMessage is the last made-up message on a way, and how many events were before it: a frame, or up to so many bytes on one serial line with nothing else made
// up in between, or the last line of text.
func lastMessage(f Feeder, way []Event, most int, text bool) (begin int, last MadeInput) {
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
		case text && (in.Data[0] == '\n' || in.Data[0] == '\r') && last.Data[0] != '\n':
			return begin, last
		default:
			begin, last.Data = i, slices.Insert(last.Data, 0, in.Data...)
		}
		if last.Kind != input.Serial || len(last.Data) >= most {
			break
		}
	}
	return begin, last
}

// recent is the last messages on the way to a place.
func recent(f Feeder, to *place) (list []input.Seed) {
	const most, events = 8, 600
	left := events
	for p := to; p != nil && left > 0 && len(list) < most; p = p.from {
		all := messages(f, p.events[max(0, len(p.events)-left):])
		for _, m := range all[max(0, len(all)-most):] {
			list = append(list, input.Seed{Kind: m.Kind, Data: m.Data[max(0, len(m.Data)-input.Longest):]})
		}
		left -= len(p.events)
	}
	return list
}

// trials tries a message, and what comparisons suggest, and some changes, and then the same with one of those that led to something new. It returns to how many
// places they led. Of a message that is known to do something comparisons tell more.
func (w *walker) trials(c Comparer, at *spot, data []byte, known bool) (kept int, err error) {
	const rounds, changes = 16, 8
	n := w.made
	for range rounds {
		base := w.listen(c, at, data)
		if w.over() {
			return kept, w.err
		}
		t := series{c: c, at: at, passed: input.PassedOf(base)}
		bodies := n.writer.Changes(n.port.Kind, changes)
		if (n.rng.IntN(3) > 0) == known {
			if base, err = w.vary(&t, base); err != nil || w.over() {
				return kept, err
			}
			bodies = append(bodies, n.writer.Suggest(base)...)
		}
		for _, body := range bodies {
			if _, _, err := w.attempt(&t, body); err != nil || w.over() {
				return kept, err
			}
		}
		if kept += len(t.better); len(t.better) == 0 {
			return kept, nil
		}
		data, known = n.writer.Try(n.port.Place, t.better[n.rng.IntN(len(t.better))]), true
	}
	return kept, nil
}

// series is messages that are made of one.
type series struct {
	c      Comparer
	at     *spot
	passed input.Passed // by that one
	better [][]byte     // bodies that led to something new
}

// vary gives the message other values where it does not matter, so that comparisons tell more. It returns them.
func (w *walker) vary(t *series, base []input.Pair) ([]input.Pair, error) {
	const times = 3
	n := w.made
	was, best := n.writer.Body(), slices.Clone(base)
	for range times {
		body, pairs, err := w.attempt(t, n.writer.Varied())
		if err != nil || w.over() {
			return nil, err
		}
		if body != nil {
			was, best = body, slices.Clone(pairs)
		}
		n.writer.Try(n.port.Place, was)
	}
	return best, nil
}

// attempt tries a message. Where it fails a comparison that the message that it was made of has passed, that is mended, which is how lengths and checksums stay
// right. It returns the body that passes all of them, if one does, and what was compared.
func (w *walker) attempt(t *series, body []byte) (passed []byte, pairs []input.Pair, err error) {
	const mends = 3
	n := w.made
	try := func(body []byte) (broken input.Pair, ok bool) {
		pairs = w.listen(t.c, t.at, n.writer.Try(n.port.Place, body))
		if w.scouting.from != t.at.from {
			t.better = append(t.better, body)
		}
		return t.passed.Broken(pairs)
	}
	broken, bad := try(body)
	for left := mends; bad && left > 0 && !w.over(); left-- {
		was := broken
		for _, b := range n.writer.Mend(body, was) {
			if broken, bad = try(b); w.over() {
				break
			}
			if !bad || broken.At != was.At {
				body = b
				break
			}
		}
		if bad && broken.At == was.At {
			break
		}
	}
	if bad {
		return nil, pairs, w.err
	}
	return body, pairs, w.err
}

// listen has a message come at a spot, and finds out what the firmware compares meanwhile.
func (w *walker) listen(c Comparer, at *spot, data []byte) []input.Pair {
	n := w.made
	if w.err = w.leaveBehind(at); w.err != nil {
		return nil
	}
	n.rest, n.shut = data, 0
	n.inputs++
	c.Compare(true)
	w.hearOut(at.from)
	n.pairs = c.Compared(n.pairs[:0])
	c.Compare(false)
	return n.pairs
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
