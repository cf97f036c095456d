package check

import (
	"slices"

	"motehound/study/finding"
)

// shrink makes the trace as short as it can: first what is cheap for long traces, then what is thorough for short ones, and again
// as long as that helps.
func (m *shrinker) shrink() error {
	if err := m.unloop(); err != nil {
		return err
	}
	for {
		before := len(m.best)
		for _, pass := range []func() error{m.leaveOut, m.change, m.leaveOut, m.near} {
			// No pass may use up what the others need.
			now := m.o.Meter.events.Load()
			m.until = now + (max(m.limit, now)-now)/3
			if err := pass(); err != nil {
				return err
			}
		}
		m.until = m.limit
		if len(m.best) == before || m.spent() {
			break
		}
	}
	if err := m.simplify(); err != nil {
		return err
	}
	if m.minimal {
		return nil
	}
	return m.leaveOut()
}

// unloop cuts what comes back to a state that the trace was in before.
func (m *shrinker) unloop() error {
	if err := m.restore(0); err != nil {
		return err
	}
	last := map[[2]uint64]int{m.sys.Hash(): 0} // after how many events a state is seen for the last time
	hashes := [][2]uint64{m.sys.Hash()}
	for i := range m.best[:max(0, len(m.best)-1)] {
		if m.gaveUp() {
			return errStopped
		}
		if _, err := fire(m.sys, m.best[i]); err != nil {
			return err
		}
		m.o.Meter.events.Add(1)
		h := m.sys.Hash()
		last[h] = i + 1
		hashes = append(hashes, h)
	}
	var kept []Event
	same := -1 // events before the first cut
	for i := 0; i < len(m.best); i++ {
		if i < len(hashes) && last[hashes[i]] != i && !slices.Contains(m.best[i:last[hashes[i]]], Healing) {
			if same < 0 {
				same = i
			}
			i = last[hashes[i]]
		}
		kept = append(kept, m.best[i])
	}
	if same < 0 {
		return nil
	}
	_, err := m.try(same, kept[same:])
	return err
}

// leaveOut leaves out ever smaller parts of the trace (Zeller and Hildebrandt's ddmin, complements only). It ends with a pass in which
// no single event could be left out, unless the budget ends before.
func (m *shrinker) leaveOut() error {
	for size := max(1, len(m.best)/2); ; size = max(1, size/2) {
		shorter, err := m.leaveOutParts(size)
		if err != nil || m.minimal || m.spent() {
			return err
		}
		if size == 1 && !shorter {
			m.minimal = true
			return nil
		}
	}
}

// leaveOutParts tries to leave out each part of some size, from the back: there the least has to be run again.
func (m *shrinker) leaveOutParts(size int) (shorter bool, err error) {
	for end := len(m.best); end > 0; end = min(end-size, len(m.best)) {
		start := max(0, end-size)
		part := m.best[start:end]
		then := m.best[end:]
		if slices.Contains(part, Healing) {
			if size == 1 {
				continue
			}
			then = append([]Event{Healing}, then...)
		}
		ok, err := m.try(start, then)
		if err != nil || m.spent() {
			return shorter, err
		}
		shorter = shorter || ok
	}
	return shorter, nil
}

// change keeps the trace up to some point and goes on at random, with a preference for the mote that shows the violation. The
// points lie 1, 2, 4, ... events before the end, or anywhere. That is the paper's way.
func (m *shrinker) change() error {
	if m.reached == nil || slices.Contains(m.best, Healing) {
		return nil
	}
	back := 1
	for i := 0; i < m.o.Changes && len(m.best) > 1 && !m.spent(); i++ {
		at := len(m.best) - 1 - back
		if i%2 == 1 || at < 0 {
			at = m.rng.rng.IntN(len(m.best) - 1)
			back = 1
		} else {
			back *= 2
		}
		if err := m.wander(at); err != nil {
			return err
		}
	}
	return nil
}

// wander goes on at random behind the first so many events, as long as that can still become shorter.
func (m *shrinker) wander(same int) error {
	if err := m.restore(same); err != nil {
		return err
	}
	trace := slices.Clone(m.best[:same])
	for len(trace) < len(m.best)-1 {
		if m.gaveUp() {
			return errStopped
		}
		m.enabled = m.sys.Enabled(m.enabled[:0])
		among := m.enabled
		if m.tight {
			m.easy = easily(m.sys, m.enabled, m.easy[:0])
			among = m.easy
		}
		e, ok := m.rng.pick(among)
		if !ok {
			return nil
		}
		step, err := fire(m.sys, e)
		if err != nil {
			return err
		}
		m.o.Meter.events.Add(1)
		trace = append(trace, e)
		if over, ok := m.judge(step); over {
			m.take(ok, trace, same)
			return nil
		}
	}
	return nil
}

// near searches from ever earlier states of the trace for a shorter end.
func (m *shrinker) near() error {
	if m.reached == nil {
		return nil
	}
	for window := 2; window <= min(m.o.Window, len(m.best)) && !m.spent(); window++ {
		at := len(m.best) - window
		if err := m.restore(at); err != nil {
			return err
		}
		end, err := m.shorterEnd(window - 1)
		if err != nil {
			return err
		}
		if end == nil {
			continue
		}
		if _, err := m.try(at, end); err != nil {
			return err
		}
	}
	return nil
}

// shorterEnd searches from the state of m.sys for a trace to the aim of at most so many events, among events of the motes that the trace
// has: the others were left out of it without harm.
func (m *shrinker) shorterEnd(most int) ([]Event, error) {
	now := m.o.Meter.events.Load()
	if now >= m.until {
		return nil, nil
	}
	var end []Event
	// One thread, and so always the same trace.
	o := SearchOptions{Depth: most, Deepen: true, Events: (m.until - now + 3) / 4, Stop: m.o.Stop, Meter: new(Meter)}
	if m.tight {
		o.Stateless, o.Reduce = true, None // what can come in nature depends on what has waited, which no hash and no footprint tells
	}
	here := &narrow{System: m.sys, tight: m.tight, motes: make(map[int16]bool)}
	if slices.ContainsFunc(m.best, Event.Intrudes) {
		// To list where interrupts may come takes long. It is worth it for traces that somebody reads to their end.
		const short, few = 16, 1000
		here.plain, o.Events = len(m.best) > short, min(o.Events, few)
	}
	for _, e := range m.best {
		here.motes[e.Mote] = true
	}
	r, err := Search(here, o)
	m.o.Meter.events.Add(o.Meter.events.Load())
	if err != nil {
		return nil, err
	}
	for _, f := range r.Findings {
		if m.reached(Step{Violations: []finding.Violation{f.Violation}}) {
			end = f.Trace
		}
	}
	return end, nil
}

// narrow is a system in which only some motes do anything, and if so asked only what can come in nature.
type narrow struct {
	System
	tight bool
	plain bool // no interrupts in the middle of something are listed
	motes map[int16]bool
}

func (n *narrow) Enabled(dst []Event) []Event {
	before := len(dst)
	dst = n.System.Enabled(dst)
	kept := slices.DeleteFunc(dst[before:], func(e Event) bool { return !n.motes[e.Mote] })
	if n.tight {
		kept = kept[:copy(kept, easily(n.System, kept, nil))]
	}
	return dst[:before+len(kept)]
}

func (n *narrow) Clone() System        { return &narrow{n.System.Clone(), n.tight, n.plain, n.motes} }
func (n *narrow) CopyFrom(from System) { n.System.CopyFrom(from.(*narrow).System) }
func (n *narrow) Track(on bool)        { track(n.System, on) }
func (n *narrow) List(on bool)         { list(n.System, on && !n.plain) }
