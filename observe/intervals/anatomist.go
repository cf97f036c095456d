package intervals

import (
	"cmp"

	"motehound/firmware/kernel"
)

// Anatomist reads lifecycle items and reports intervals. It is for one mote and one goroutine.
type Anatomist struct {
	opt   Options
	sink  func(*Interval)
	stats Stats

	now   uint64 // cycle of the item being taken
	item  uint64 // its index
	since uint64 // up to here cycles are charged to whoever ran
	ends  bool   // an End was seen, so that Runs have Ends
	told  Active // what Switched heard last

	frames   []frame // what executes, innermost last; each interrupted the one before
	handlers int     // how many of frames are handlers
	main     *instance
	queue    queue

	numbers     []uint32 // instances so far, by vector
	serial      uint64
	first, last *instance // in order of start: the open ones, and with ByStart those that wait for them
	open        int
	spare       *instance
	spares      int
}

// frame is a handler or a task that has begun and not ended.
type frame struct {
	inst  *instance // nil: it began before the recording
	slot  int32     // a task's index in inst.Tasks, -1 if it is not listed
	depth uint16    // a task's, from 1 on; 0 for a handler
	id    uint16
}

func (f *frame) isTask() bool { return f.depth != 0 }

// instance is an interval in the making. It lives as long as something may still happen in it: its handler, or main, or
// a task is a frame, or a post waits.
type instance struct {
	Interval
	live       int
	broken     bool
	done       bool
	main       bool
	lastCycle  uint64 // of the last Reti or Run, for PaperEnd
	lastItem   uint64
	prev, next *instance
}

// maxSpares bounds how many ended instances are kept for use again.
const maxSpares = 256

// New makes an Anatomist. The sink gets every finished interval; it must copy what it keeps, for instance by Clone.
func New(sink func(*Interval), opt Options) *Anatomist {
	opt.MaxDepth = cmp.Or(max(opt.MaxDepth, 0), 64)
	opt.MaxQueue = cmp.Or(max(opt.MaxQueue, 0), 1024)
	opt.MaxList = cmp.Or(max(opt.MaxList, 0), 1024)
	return &Anatomist{opt: opt, sink: sink}
}

// Take reads the next item.
func (a *Anatomist) Take(it kernel.Item) {
	if (it.Kind == kernel.Round || it.Kind == kernel.Rest) && it.Arg == kernel.Idle {
		a.now = max(a.now, it.Cycle)
		a.turn(it.Kind, true) // it does not count: how many there are depends on how many of them are skipped
		return
	}
	a.item = a.stats.Items
	a.stats.Items++
	if it.Cycle < a.now {
		a.stats.Backward++
	}
	a.now = max(a.now, it.Cycle)
	if it.Kind >= kernel.NumKinds {
		a.stats.Unknown++
		return
	}
	a.stats.Kinds[it.Kind]++
	switch it.Kind {
	case kernel.Int:
		a.charge()
		a.push(frame{inst: a.begin(it.Arg), slot: -1})
	case kernel.Reti:
		a.charge()
		a.reti()
	case kernel.Post:
		a.post(it.Arg)
	case kernel.Run:
		a.charge()
		a.run(it.Arg)
	case kernel.End:
		a.charge()
		a.end()
	case kernel.Fail:
		if o := a.owner(); o != nil {
			o.Failed++
		}
	case kernel.Reset:
		a.abandon()
		a.beginMain()
	case kernel.Round, kernel.Rest:
		a.turn(it.Kind, false)
	}
	if a.opt.Switched != nil {
		a.tell()
	}
}

// Close ends the run at the given cycle: what is still open is reported as incomplete. No item may follow.
func (a *Anatomist) Close(cycle uint64) {
	a.now = max(a.now, cycle)
	a.abandon()
	if a.opt.Switched != nil {
		a.tell()
	}
}

// Stats is what was seen so far.
func (a *Anatomist) Stats() Stats { return a.stats }

// Active is what executes after the last item.
func (a *Anatomist) Active() Active {
	if n := len(a.frames); n > 0 {
		return a.frames[n-1].active()
	}
	return frame{inst: a.main}.active()
}

// Executes is the interval of what executes after the last item, nil if it is not known, and 1 + the task if it is one. The interval is
// good until the next item.
func (a *Anatomist) Executes() (iv *Interval, task uint16) {
	o := a.owner()
	if o == nil {
		return nil, 0
	}
	if n := len(a.frames); n > 0 && a.frames[n-1].isTask() {
		task = a.frames[n-1].id + 1
	}
	return &o.Interval, task
}

// Depth is how much has begun and not ended: main or a task, and the handlers over it.
func (a *Anatomist) Depth() int {
	if a.main != nil {
		return len(a.frames) + 1
	}
	return len(a.frames)
}

// Clone copies an interval with its lists.
func (iv *Interval) Clone() *Interval {
	c := *iv
	c.Tasks = append([]Task(nil), iv.Tasks...)
	c.Spans = append([]Span(nil), iv.Spans...)
	return &c
}

func (f frame) active() Active {
	v := Active{Running: f.isTask(), Task: f.id, Depth: f.depth}
	if f.inst != nil {
		v.Vector, v.Instance, v.Serial = f.inst.Vector, f.inst.Instance, f.inst.Serial
	}
	return v
}

func (a *Anatomist) tell() {
	if v := a.Active(); v != a.told {
		a.told = v
		a.opt.Switched(a.now, v)
	}
}

// top is the innermost frame, or main's if there is none.
func (a *Anatomist) top() frame {
	if n := len(a.frames); n > 0 {
		return a.frames[n-1]
	}
	return frame{inst: a.main, slot: -1}
}

// owner is what posts and fails belong to.
func (a *Anatomist) owner() *instance {
	if n := len(a.frames); n > 0 {
		return a.frames[n-1].inst
	}
	return a.main
}

// charge gives the cycles since the last change to the instance that executed in them. It comes before every change.
func (a *Anatomist) charge() {
	from := a.since
	a.since = a.now
	o := a.owner()
	if o == nil || from == a.now {
		return
	}
	o.Ran += a.now - from
	if !a.opt.Spans {
		return
	}
	switch n := len(o.Spans); {
	case n > 0 && o.MoreSpans == 0 && o.Spans[n-1].To == from:
		o.Spans[n-1].To = a.now
	case n < a.opt.MaxList:
		o.Spans = append(o.Spans, Span{from, a.now})
	default:
		o.MoreSpans++
	}
}

func (a *Anatomist) post(id uint16) {
	if len(a.frames) == 0 && a.main == nil {
		a.charge()
		a.beginMain()
	}
	if a.queue.len() == a.opt.MaxQueue {
		a.stats.QueueFull++
		a.release(a.queue.remove(0).inst, false)
	}
	by := a.top()
	w := waiting{inst: by.inst, slot: -1, id: id, depth: deeper(by.depth)}
	if w.inst != nil {
		w.inst.live++
		w.inst.Posts++
		w.slot = a.list(w.inst, Task{ID: id, Depth: w.depth, Parent: by.slot, Posted: a.now, PostItem: a.item})
	}
	a.queue.add(w)
	a.stats.MaxWaiting = max(a.stats.MaxWaiting, a.queue.len())
}

// run begins a task. Tasks do not interrupt tasks (Rule 2): if one runs, it has ended.
func (a *Anatomist) run(id uint16) {
	if f := a.top(); f.isTask() {
		a.popTask()
	}
	if len(a.frames) > 0 {
		a.stats.RunsInHandlers++
	}
	f := frame{slot: -1, depth: 1, id: id}
	switch at := a.queue.find(id); {
	case at < 0:
		a.stats.LoneRuns++
	case at > 0:
		a.stats.OutOfOrder++
		fallthrough
	default:
		w := a.queue.remove(at)
		f.inst, f.slot, f.depth = w.inst, w.slot, w.depth
	}
	if i := f.inst; i != nil {
		i.lastCycle, i.lastItem = a.now, a.item
		if f.slot >= 0 {
			t := &i.Tasks[f.slot]
			t.State, t.Start, t.RunItem = Cut, a.now, a.item
		}
	}
	if m := a.main; m != nil && len(a.frames) == 0 { // main has come to its loop
		a.main = nil
		m.lastCycle, m.lastItem = a.now, a.item
		a.release(m, true)
	}
	a.push(f)
}

// popTask ends the innermost frame, a task, of which no End was seen.
func (a *Anatomist) popTask() {
	if a.ends {
		a.stats.Unended++
	}
	a.pop(!a.ends)
}

// reti ends the innermost handler, and tasks that ran in it.
func (a *Anatomist) reti() {
	if a.handlers == 0 {
		a.stats.LoneRetis++
		return
	}
	for f := a.top(); f.isTask(); f = a.top() {
		a.popTask()
	}
	a.pop(true)
}

// end ends the innermost task, and handlers over it, of which that shows that they are over.
func (a *Anatomist) end() {
	if a.handlers == len(a.frames) {
		a.stats.LoneEnds++
		return
	}
	a.ends = true
	for f := a.top(); !f.isTask(); f = a.top() {
		a.stats.Unreturned++
		a.pop(false)
	}
	a.pop(true)
}

func (a *Anatomist) push(f frame) {
	if len(a.frames) == a.opt.MaxDepth {
		a.stats.TooDeep++
		outer := a.frames[0]
		a.frames = append(a.frames[:0], a.frames[1:]...)
		a.left(outer, false)
	}
	a.frames = append(a.frames, f)
	a.stats.MaxDepth = max(a.stats.MaxDepth, len(a.frames))
	if !f.isTask() {
		a.handlers++
	}
}

func (a *Anatomist) pop(seen bool) {
	n := len(a.frames) - 1
	f := a.frames[n]
	a.frames = a.frames[:n]
	a.left(f, seen)
}

// left notes that a handler or a task is no longer on the stack; seen: since it came to its end.
func (a *Anatomist) left(f frame, seen bool) {
	switch {
	case !f.isTask():
		a.handlers--
		f.inst.lastCycle, f.inst.lastItem = a.now, a.item
	case f.slot >= 0:
		a.endTask(f, seen)
	}
	a.release(f.inst, seen)
}

func (a *Anatomist) endTask(f frame, seen bool) {
	t := &f.inst.Tasks[f.slot]
	t.End, t.EndItem = a.now, a.item
	if seen {
		t.State = Done
	}
}

func deeper(depth uint16) uint16 {
	if depth == 1<<16-1 {
		return depth
	}
	return depth + 1
}
