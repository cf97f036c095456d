package reproduce

import "motehound/study/fieldtrace/record"

// matcher follows a target while a run goes on. It is a value: a copy is a snapshot.
type matcher struct {
	pos   int    // the items before it are shown
	left  uint32 // events that a gap still has
	open  bool   // at a gap of unknown length: it may end with the next item that is right
	ends  int    // how many of those there were at this gap
	extra bool   // a run's event was taken for the one that a reset may have cost
	wrong bool   // the run shows something else
	got   Item   // what, if wrong
}

func newMatcher(t *Target) matcher {
	var m matcher
	m.gaps(t)
	return m
}

// gaps enters gaps at the present place. Events that were lost beside a gap of unknown length are part of it.
func (m *matcher) gaps(t *Target) {
	for ; m.pos < len(t.Items); m.pos++ {
		switch i := t.Items[m.pos]; i.Kind {
		case record.Missing:
			m.open, m.ends, m.left = true, 0, 0
		case record.Lost:
			if !m.open {
				m.left += i.Count
			}
		default:
			return
		}
	}
}

func (m *matcher) done(t *Target) bool { return !m.wrong && m.pos == len(t.Items) && m.left == 0 }

// take takes what the run shows next, so many seconds after its begin. At a gap, skip says how many of the moments at which it
// could end are not its end, by the place of the item behind it.
func (m *matcher) take(t *Target, i Item, at float64, skip map[int]int) {
	switch {
	case m.wrong || m.done(t):
	case m.open:
		m.end(t, i, at, skip)
	case m.left > 0 && i.Kind != record.Reset:
		m.left--
	case m.pos < len(t.Items) && t.Items[m.pos].same(i):
		m.advance(t)
	case m.uncertain(t, i):
	default:
		m.wrong, m.got = true, i
	}
}

// end reports whether a gap of unknown length ends here.
func (m *matcher) end(t *Target, i Item, at float64, skip map[int]int) {
	if !t.Items[m.pos].same(i) || m.pos < len(t.From) && at < t.From[m.pos]-early {
		return
	}
	if m.ends++; m.ends > skip[m.pos] {
		m.open = false
		m.advance(t)
	}
}

// early is how many seconds before a page began its first items may have come: a few wait in the mote's memory.
const early = 0.5

func (m *matcher) advance(t *Target) {
	m.pos++
	m.extra = false
	m.gaps(t)
}

// uncertain takes into account that a reset may have cost the event that was being put down, and if it is uncertain, doubled one.
func (m *matcher) uncertain(t *Target, i Item) bool {
	at := func(pos int) bool { return pos < len(t.Items) && t.Items[pos].Kind == record.Reset }
	switch {
	case at(m.pos) && !m.extra: // the run has one more
		m.extra = true
		return true
	case i.Kind == record.Reset && at(m.pos+1) && t.Items[m.pos+1].Uncertain && m.pos > 0: // the trace has one more
		m.pos++
		m.advance(t)
		return true
	}
	return false
}
