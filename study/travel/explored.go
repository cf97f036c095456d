package travel

import (
	"fmt"
	"iter"

	"motehound/mote"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// explored is a run of events. Its points are those between two events and, inside an event, those before each instruction of its mote.
type explored struct {
	trace  []check.Event
	frames []*explore.System // before each apart-th event
	apart  int
	sys    *explore.System // before the present event
	next   int             // that event, counted from 0
	w      *world.World    // of sys, or of inside
	at     uint64          // in the event: the clock of its mote; 0 before it
	inside func()          // lets go of an event that is under way; nil if none is
	watch  watchers[*explore.System]
	pacer  *pacer // for events that are entered
}

// mostFrames is how many snapshots of an explored run there are at most.
const mostFrames = 256

// Explored travels in a run of events from a state, which is not changed.
func Explored(base *explore.System, trace []check.Event) (*Traveller, error) {
	first := base.Clone().(*explore.System)
	t := &explored{trace: trace, frames: []*explore.System{first}, apart: 1, sys: base.Clone().(*explore.System)}
	for len(trace)/t.apart >= mostFrames {
		t.apart *= 2
	}
	var err error
	if t.w, err = t.sys.World(); err != nil {
		return nil, err
	}
	return &Traveller{track: t}, nil
}

// System is, of an explored run, its state before the present event; nil of a timed one. It is for looking at only.
func (t *Traveller) System() *explore.System {
	if x, ok := t.track.(*explored); ok {
		return x.sys
	}
	return nil
}

func (t *explored) world() *world.World { return t.w }
func (t *explored) now() Point          { return Point{t.next + 1, t.at} }
func (t *explored) bounds() (first, last Point) {
	return Point{Event: 1}, Point{Event: len(t.trace) + 1}
}

// further: an event, then two, four and so on.
func (t *explored) further(p Point, step int) Point {
	n := 1 << min(max(step, -step)-1, 10)
	if step > 0 {
		return Point{Event: min(p.Event+n, len(t.trace)+1)}
	}
	if p.Time > 0 {
		n--
	}
	return Point{Event: max(p.Event-n, 1)}
}

func (t *explored) unwritten(before Point, _ Range, _ bool) Point { return before }

func (t *explored) seek(p Point, stop func() bool) error {
	if t.inside != nil {
		t.inside()
		t.inside = nil
	}
	t.at = 0
	err := t.bring(p.Event-1, stop)
	if w, failed := t.sys.World(); failed == nil {
		t.w = w
	}
	if err != nil || p.Time == 0 || t.next >= len(t.trace) {
		return err
	}
	return t.enter(p.Time)
}

// bring goes to before an event, counted from 0.
func (t *explored) bring(event int, stop func() bool) error {
	key := min(event/t.apart, len(t.frames)-1)
	if t.next > event || t.next < key*t.apart {
		t.sys.CopyFrom(t.frames[key])
		t.next = key * t.apart
	}
	for t.next < event {
		if stop != nil && stop() {
			return ErrInterrupted
		}
		if err := fire(t.sys, t.trace, t.next); err != nil {
			return err
		}
		t.next++
		if t.next == len(t.frames)*t.apart {
			t.frames = append(t.frames, t.sys.Clone().(*explore.System))
		}
	}
	return nil
}

func fire(s *explore.System, trace []check.Event, n int) error {
	if trace[n] == check.Healing {
		s.Heal()
		return nil
	}
	if _, err := s.Fire(trace[n]); err != nil {
		return fmt.Errorf("event %d of the trace: %w", n+1, err)
	}
	return nil
}

// pacer is a System whose motes can be stopped before any instruction.
type pacer struct {
	*explore.System
	w     *world.World
	pause func(ps uint64) // called before each instruction of a mote
	mote  int             // that one
}

func newPacer(s *explore.System) (p *pacer, err error) {
	p = new(pacer)
	p.System, err = s.Watched(func(w *world.World) world.Observer {
		p.w = w
		return world.Observer{CodeAt: everywhere, Code: func(i int, cycle uint64, _ uint32) bool {
			if p.pause != nil && i == p.mote {
				p.pause(w.TimeOf(i, cycle))
			}
			return false
		}}
	})
	return p, err
}

// enter goes into the present event, to the first instruction of its mote at a moment or later. If there is none, it goes behind the event. The event
// waits in the middle: it goes on when it is let go of, and then everything that it has done is forgotten.
func (t *explored) enter(ps uint64) (err error) {
	if t.pacer == nil {
		if t.pacer, err = newPacer(t.sys); err != nil {
			return err
		}
	}
	p := t.pacer
	p.CopyFrom(t.sys)
	p.mote = int(t.trace[t.next].Mote)
	resume, end := iter.Pull(func(yield func(error) bool) {
		p.pause = func(now uint64) {
			if now >= ps {
				t.at, p.pause = now, nil
				yield(nil)
			}
		}
		err := fire(p.System, t.trace, t.next)
		p.pause = nil
		if err != nil {
			yield(err)
		}
	})
	err, paused := resume()
	if paused && err == nil {
		t.inside, t.w = end, p.w
		return nil
	}
	end()
	if err == nil {
		err = t.bring(t.next+1, nil)
	}
	if w, failed := t.sys.World(); failed == nil {
		t.w = w
	}
	return err
}

// everywhere is all instructions.
func everywhere(k *mote.Kind) []uint32 {
	list := make([]uint32, k.Program().Words())
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// scan implements track.
func (t *explored) scan(from, to Point, watch *Watch, each func(Hit), stop func() bool) error {
	first := from.Event - 1
	key := min(first/t.apart, len(t.frames)-1)
	begin := t.frames[key]
	n := key * t.apart
	if t.next <= first && t.next >= n {
		begin, n = t.sys, t.next
	}
	x, err := t.watch.find(watch, from, to, each, func(x *watcher) (*explore.System, error) { return begin.Watched(x.look) })
	if err != nil {
		return err
	}
	x.in.CopyFrom(begin)
	for ; n < len(t.trace) && (Point{Event: n + 1}).Compare(to) < 0; n++ {
		if stop != nil && stop() {
			return ErrInterrupted
		}
		x.event = n + 1
		if err := fire(x.in, t.trace, n); err != nil {
			return err
		}
	}
	return nil
}
