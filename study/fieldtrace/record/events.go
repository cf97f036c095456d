package record

import "iter"

// Event is what happened on the mote: a procedure was entered, took a path, or was left; or one of the other kinds of
// elements, as it is in the log.
type Event struct {
	Element
	// Session is how many sessions of the procedure were open already when this one was entered, as far as the log shows.
	Session int
	// Depth is how many procedures were open around this one, as far as the log shows. Where that goes up without a call, a
	// handler has interrupted.
	Depth int
	// Before: the procedure was entered before the log begins, or in a gap.
	Before bool
	// Abandoned, of Leave: nothing says that the procedure was left (there was a longjmp, or a call that never returned), but
	// one around it was. Its path is not known.
	Abandoned bool
}

// maxDepth is more than a mote's memory has room for.
const maxDepth = 2048

// frame is a procedure that is open.
type frame struct {
	proc    uint16
	session int
	before  bool
}

// nesting makes events of elements.
type nesting struct {
	frames   []frame
	sessions map[uint16]int // open frames, by procedure
	yield    func(At, Event) bool
}

// Events goes through all that happened, from the oldest to the newest. All counts of events are 1.
func (l *Log) Events() iter.Seq2[At, Event] {
	return func(give func(At, Event) bool) {
		left := Most
		n := nesting{sessions: map[uint16]int{}, yield: func(at At, e Event) bool {
			if left--; left < 0 && e.Kind != Endless {
				give(at, Event{Element: Element{Kind: Endless, Count: 1}})
				return false
			}
			return give(at, e)
		}}
		for at, e := range l.Elements() {
			if !n.element(at, e) {
				return
			}
		}
	}
}

func (n *nesting) element(at At, e Element) bool {
	switch {
	case e.Kind <= Call:
		for range e.Count {
			if !n.once(at, e) {
				return false
			}
		}
		return true
	case e.Kind.Gap() || e.Kind == Reset:
		n.close(0)
	}
	return n.yield(at, Event{Element: e})
}

func (n *nesting) once(at At, e Element) bool {
	e.Count = 1
	switch e.Kind {
	case Call:
		in, out := e, e
		in.Kind, in.Path, out.Kind = Enter, 0, Leave
		return n.once(at, in) && n.once(at, out)
	case Enter:
		f := n.open(e.Proc, false)
		return n.yield(at, Event{Element: e, Session: f.session, Depth: len(n.frames) - 1})
	}
	depth, ok := n.innermost(at, e.Proc)
	if !ok {
		return false
	}
	f := n.frames[depth]
	if e.Kind == Leave {
		n.close(depth)
	}
	return n.yield(at, Event{Element: e, Session: f.session, Depth: depth, Before: f.before})
}

// close leaves the outermost frames.
func (n *nesting) close(depth int) {
	for _, f := range n.frames[depth:] {
		n.sessions[f.proc]--
	}
	n.frames = n.frames[:depth]
}

func (n *nesting) open(proc uint16, before bool) frame {
	f := frame{proc: proc, session: n.sessions[proc], before: before}
	if len(n.frames) == maxDepth {
		n.sessions[n.frames[0].proc]--
		n.frames = n.frames[1:]
	}
	n.frames = append(n.frames, f)
	n.sessions[proc]++
	return f
}

// innermost is the place of the innermost session of a procedure, after those inside it were closed. One that nobody saw
// opening was open before all others.
func (n *nesting) innermost(at At, proc uint16) (depth int, ok bool) {
	for len(n.frames) > 0 {
		depth = len(n.frames) - 1
		f := n.frames[depth]
		if f.proc == proc {
			return depth, true
		}
		n.close(depth)
		e := Element{Kind: Leave, Proc: f.proc, Count: 1}
		if !n.yield(at, Event{Element: e, Session: f.session, Depth: depth, Before: f.before, Abandoned: true}) {
			return 0, false
		}
	}
	n.open(proc, true)
	return 0, true
}
