package travel

import (
	"motehound/world"
)

// timed is a run of time. Motes in it are before the first instruction that begins at the present moment or later.
type timed struct {
	present *world.World
	until   uint64
	frames  *film
	near    waypoints
	watch   watchers[*world.World]
}

// Memory is how much snapshots may take, in bytes, if nothing is said.
const Memory = 256 << 20

// Timed travels in a run that has not begun, and ends at a moment. The world is taken over; nobody may observe it. Memory is how many bytes snapshots
// may take, 0 for a usual number.
func Timed(w *world.World, until uint64, memory int) *Traveller {
	if memory == 0 {
		memory = Memory
	}
	return &Traveller{track: &timed{present: w, until: until, frames: newFilm(w, memory)}}
}

// Attend has somebody watch the run while it is made for the first time, before anybody has travelled. What watch returns is called every AttendEvery of the run. An
// explored run is made all at once: it cannot be attended.
func (t *Traveller) Attend(watch func(*world.World) (then func())) {
	if x, ok := t.track.(*timed); ok {
		x.frames.then = watch(x.frames.head)
	}
}

// AttendEvery is how often somebody who attends is asked, in picoseconds.
const AttendEvery = shortestApart

// Record makes the run as far as nobody has been yet, for travels to be quick then. Stop ends it early.
func (t *Traveller) Record(stop func() bool) error {
	if x, ok := t.track.(*timed); ok {
		return x.frames.reach(x.until, stop)
	}
	return nil
}

// Recorded is up to where the run was made.
func (t *Traveller) Recorded() Point {
	if x, ok := t.track.(*timed); ok {
		return Point{Time: x.frames.head.Now()}
	}
	_, last := t.bounds()
	return last
}

func (t *timed) world() *world.World         { return t.present }
func (t *timed) now() Point                  { return Point{Time: t.present.Now()} }
func (t *timed) bounds() (first, last Point) { return Point{}, Point{Time: t.until} }

// Steps of looking for something: from a millisecond, four times as long each time, to two seconds.
const (
	firstStep = world.Millisecond
	lastStep  = 2 * world.Second
)

func (t *timed) further(p Point, step int) Point {
	back := step < 0
	if back {
		step = -step
	}
	span := uint64(firstStep)
	for ; step > 1 && span < lastStep; step-- {
		span *= 4
	}
	span = min(span, lastStep)
	if back {
		return Point{Time: p.Time - min(span, p.Time)}
	}
	return Point{Time: min(p.Time+span, t.until)}
}

func (t *timed) unwritten(before Point, r Range, changed bool) Point {
	return Point{Time: t.frames.unwritten(before.Time, r, changed)}
}

func (t *timed) seek(p Point, stop func() bool) error {
	return t.bring(t.present, p.Time, true, stop)
}

// bring puts a world to a moment, from the nearest snapshot or from where it is. Snapshots are left on the way, near the end of it too, since
// looking back from there is likely.
func (t *timed) bring(w *world.World, ps uint64, leave bool, stop func() bool) error {
	if err := t.frames.reach(ps, stop); err != nil {
		return err
	}
	from := t.frames.before(ps)
	if near := t.near.before(ps); near != nil && near.Now() > from.Now() {
		from = near
	}
	if now := w.Now(); now > ps || now < from.Now() {
		w.CopyFrom(from)
	}
	if leave {
		for _, short := range []uint64{world.Second, world.Second / 8, world.Second / 64, world.Millisecond} {
			if at := ps - min(ps, short); at > w.Now() {
				if !w.RunUnless(stop, at) {
					return ErrInterrupted
				}
				t.near.keep(w)
			}
		}
	}
	if !w.RunUnless(stop, ps) {
		return ErrInterrupted
	}
	return nil
}

// scan implements track.
func (t *timed) scan(from, to Point, watch *Watch, each func(Hit), stop func() bool) error {
	at := t.present
	if t.present.Now() != from.Time {
		at = t.present.Clone()
		defer at.Release()
		if err := t.bring(at, from.Time, false, stop); err != nil {
			return err
		}
		t.near.keep(at)
	}
	x, err := t.watch.find(watch, from, to, each, func(x *watcher) (*world.World, error) {
		w := at.Clone()
		w.Observe(x.look(w))
		return w, nil
	})
	if err != nil {
		return err
	}
	x.in.CopyFrom(at)
	if !x.in.RunUnless(stop, to.Time) {
		return ErrInterrupted
	}
	return nil
}

// waypoints are snapshots around where somebody has looked last, the latest last.
type waypoints struct{ list []*world.World }

// manyWaypoints is how many there are at most.
const manyWaypoints = 12

func (p *waypoints) before(ps uint64) (best *world.World) {
	for _, w := range p.list {
		if w.Now() <= ps && (best == nil || w.Now() > best.Now()) {
			best = w
		}
	}
	return best
}

func (p *waypoints) keep(w *world.World) {
	for _, x := range p.list {
		if x.Now() == w.Now() {
			return
		}
	}
	if len(p.list) == manyWaypoints {
		p.list[0].Release()
		p.list = append(p.list[:0], p.list[1:]...)
	}
	p.list = append(p.list, w.Clone())
}
