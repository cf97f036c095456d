package retrace

import "motehound/study/pathtrace/record"

// matcher follows a target while a run goes on. It is a value: a copy is a snapshot.
type matcher struct {
	pos   int    // the items before it are shown
	left  uint32 // events that a gap still has
	start int    // behind a gap of unknown length: where the search for its end began; -1 elsewhere
	extra bool   // a run's event was taken for the one that an uncertain reset may have cost
	wrong bool   // the run shows something else
	got   Item   // what, if wrong
}

func newMatcher(t *Target) matcher {
	m := matcher{start: -1}
	m.gaps(t)
	return m
}

// gaps enters gaps at the present place.
func (m *matcher) gaps(t *Target) {
	for m.pos < len(t.Items) {
		switch i := t.Items[m.pos]; i.Kind {
		case record.Lost:
			m.left += i.Count
		case record.Missing:
			m.start, m.left = m.pos+1, 0
		default:
			return
		}
		m.pos++
	}
}

func (m *matcher) done(t *Target) bool { return !m.wrong && m.pos == len(t.Items) && m.left == 0 }

// take takes what the run shows next.
func (m *matcher) take(t *Target, i Item) {
	if m.wrong || m.done(t) {
		return
	}
	if m.left > 0 && i.Kind != record.Reset {
		m.left--
		return
	}
	if m.pos < len(t.Items) && t.Items[m.pos].same(i) {
		m.advance(t)
		return
	}
	switch {
	case m.start >= 0:
		m.fallBack(t, i)
	case m.uncertain(t, i):
	default:
		m.wrong, m.got = true, i
	}
}

func (m *matcher) advance(t *Target) {
	m.pos++
	if m.start >= 0 && m.pos-m.start >= len(t.sync[m.start])-1 {
		m.start = -1
	}
	m.extra = false
	m.gaps(t)
}

// fallBack looks for the end of a gap further on.
func (m *matcher) fallBack(t *Target, i Item) {
	fail := t.sync[m.start]
	for m.pos > m.start {
		m.pos = m.start + fail[m.pos-m.start]
		if t.Items[m.pos].same(i) {
			m.advance(t)
			return
		}
	}
}

// uncertain takes into account that a reset may have cost an event, or doubled it.
func (m *matcher) uncertain(t *Target, i Item) bool {
	at := func(pos int) bool {
		return pos < len(t.Items) && t.Items[pos].Kind == record.Reset && t.Items[pos].Uncertain
	}
	switch {
	case at(m.pos) && !m.extra: // the run has one more
		m.extra = true
		return true
	case i.Kind == record.Reset && at(m.pos+1) && m.pos > 0: // the trace has one more
		m.pos++
		m.advance(t)
		return true
	}
	return false
}
