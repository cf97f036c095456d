package export

import (
	"encoding/hex"
	"fmt"
	"io"

	"motehound/firmware/kernel"
	"motehound/observe/calltree"
	"motehound/observe/lifecycle"
	"motehound/observe/signals"
	"motehound/world"
)

// activity is a world on its way into a Perfetto trace.
type activity struct {
	*perfetto
	w       *world.World
	life    *lifecycle.Recorder
	signals *signals.Watcher
	motes   []activityOf
	flows   uint64

	explored bool // motes have no common clock
}

// activityOf is the tracks of one mote, and what is open on them.
type activityOf struct {
	interrupts, tasks, calls, sent, received trackID

	values []trackID // by signal
	lit    []bool    // by signal
	stack  []uint64  // serials of the calls that are open
	last   sentFrame
}

// sentFrame is what a mote has sent last.
type sentFrame struct {
	world.Frame
	flow uint64
	name string
}

// recordPerfetto has what happens in a world written as a trace: for each mote its interrupts, tasks, calls, frames, lights and the variables that
// are named, by mote. Done ends the trace.
func recordPerfetto(w *world.World, to io.Writer, vars [][]string, explored bool) (done func() error, err error) {
	a := &activity{perfetto: newPerfetto(to), w: w, motes: make([]activityOf, len(w.Motes())), explored: explored}
	for i := range a.motes {
		group := a.process(signals.MoteName(w, i))
		a.motes[i] = activityOf{interrupts: a.slices(group, "interrupts"), tasks: a.slices(group, "tasks"), calls: a.slices(group, "calls"),
			sent: a.slices(group, "frames sent"), received: a.slices(group, "frames received"), values: []trackID{group}}
	}
	if a.life, err = lifecycle.Record(w, a.item); err != nil {
		return nil, err
	}
	var early []signals.Change
	take := func(c signals.Change) { early = append(early, c) }
	a.signals, err = signals.Watch(w, signals.Options{Kinds: []signals.Kind{signals.LED, signals.Variable}, Variables: vars}, func(c signals.Change) { take(c) })
	if err != nil {
		return nil, err
	}
	for i := range a.motes {
		a.addSignals(i)
	}
	take = a.change
	for _, c := range early { // the values at the start
		a.change(c)
	}
	stacks := calltree.WatchStacks(w, calltree.StackOptions{Fold: true}, a.calls)
	w.Observe(world.Observer{Frame: a.frame, Heard: a.heard})
	return func() error {
		stacks.Close()
		a.signals.Close()
		return a.Close()
	}, nil
}

// addSignals makes the tracks of a mote's signals.
func (a *activity) addSignals(i int) {
	m := &a.motes[i]
	group := m.values[0]
	m.values = nil
	for _, s := range a.signals.Signals(i) {
		if s.Kind == signals.LED {
			m.values = append(m.values, a.slices(group, "LED "+s.Name))
		} else {
			m.values = append(m.values, a.counter(group, s.Name))
		}
	}
	m.lit = make([]bool, len(m.values))
}

// item follows handlers and tasks.
func (a *activity) item(i int, it kernel.Item) {
	m, ps := &a.motes[i], a.w.TimeOf(i, it.Cycle)
	switch it.Kind {
	case kernel.Int:
		a.begin(m.interrupts, ps, a.w.Motes()[i].Chip().VectorName(uint8(it.Arg)), 0)
	case kernel.Reti:
		a.end(m.interrupts, ps)
	case kernel.Run:
		a.begin(m.tasks, ps, a.life.Profile(i).TaskName(it.Arg), 0)
	case kernel.End:
		a.end(m.tasks, ps)
	case kernel.Reset:
		a.endAll(m.interrupts, ps)
		a.endAll(m.tasks, ps)
	}
}

// calls follows a mote's stack.
func (a *activity) calls(at calltree.Moment, stack []calltree.Level) {
	m, ps := &a.motes[at.Mote], a.w.TimeOf(at.Mote, at.Cycle)
	same := 0
	for same < len(stack) && same < len(m.stack) && stack[same].Serial == m.stack[same] {
		same++
	}
	for range m.stack[same:] {
		a.end(m.calls, ps)
	}
	m.stack = m.stack[:same]
	for _, l := range stack[same:] {
		m.stack = append(m.stack, l.Serial)
		if l.Kind == calltree.Inlined {
			a.begin(m.calls, ps, l.Func.Name, 0, sliceNote{"inlined", "yes"})
		} else {
			a.begin(m.calls, ps, l.Func.Name, 0)
		}
	}
}

// change follows lights and variables.
func (a *activity) change(c signals.Change) {
	m := &a.motes[c.Mote]
	t := m.values[c.Signal]
	switch s := a.signals.Signals(c.Mote)[c.Signal]; {
	case s.Kind == signals.LED && c.Int != 0 && !m.lit[c.Signal]:
		m.lit[c.Signal] = true
		a.begin(t, c.PS, "on", 0)
	case s.Kind == signals.LED:
		m.lit[c.Signal] = c.Int != 0
		a.end(t, c.PS)
	case s.Real:
		a.countReal(t, c.PS, c.Real)
	default:
		a.count(t, c.PS, c.Int)
	}
}

// frame shows a transmission.
func (a *activity) frame(f world.Frame) {
	p, ok := packetOf(f)
	if !ok {
		return
	}
	a.flows++
	m := &a.motes[f.Sender]
	m.last = sentFrame{f, a.flows, fmt.Sprintf("frame of %d bytes", len(p.data))}
	notes := []sliceNote{{"bytes", hex.EncodeToString(p.data)}, {"on", p.on}}
	if p.remark != "" {
		notes = append(notes, sliceNote{"remark", p.remark})
	}
	a.begin(m.sent, f.Start, m.last.name, a.flows, notes...)
	a.end(m.sent, f.End)
}

// heard shows a reception, which lasts as long as the transmission. In an explored run it may have waited while others were sent: which one it is
// is not known.
func (a *activity) heard(to int, ps uint64, sender int) {
	m, last := &a.motes[to], sentFrame{name: "frame of no mote"}
	from, start := "nobody in the network", ps
	if sender >= 0 {
		last, from = a.motes[sender].last, signals.MoteName(a.w, sender)
		if start = min(last.Start, ps); a.explored {
			start = ps - min(ps, last.End-last.Start)
			last.name, last.flow = "frame", 0
		}
	}
	a.begin(m.received, start, last.name, last.flow, sliceNote{"from", from})
	a.end(m.received, ps)
}
