package intervals

import "motehound/firmware/kernel"

// begin starts an instance with the handler, or main, as what is live of it.
func (a *Anatomist) begin(vector uint16) *instance {
	if n := int(vector) + 1 - len(a.numbers); n > 0 {
		a.numbers = append(a.numbers, make([]uint32, n)...)
	}
	a.numbers[vector]++
	i := a.spare
	if i != nil {
		a.spare, a.spares = i.next, a.spares-1
	} else {
		i = new(instance)
	}
	tasks, spans := i.Tasks[:0], i.Spans[:0]
	*i = instance{} // in place; what is not 0 would be put together elsewhere, and copied
	i.Vector, i.Instance, i.Serial, i.Nested = vector, a.numbers[vector], a.serial, a.handlers
	i.Start, i.StartItem, i.Tasks, i.Spans = a.now, a.item, tasks, spans
	i.live, i.prev = 1, a.last
	a.serial++
	if a.last == nil {
		a.first = i
	} else {
		a.last.next = i
	}
	a.last = i
	a.open++
	a.stats.MaxOpen = max(a.stats.MaxOpen, a.open)
	if a.opt.Started != nil {
		a.opt.Started(&i.Interval)
	}
	return i
}

// beginMain starts an instance for what runs outside of all handlers and tasks.
func (a *Anatomist) beginMain() {
	a.main = a.begin(ResetVector)
	a.main.main = true
}

// turn ends a round of main's loop, or what came before the first, and may begin the next.
func (a *Anatomist) turn(kind kernel.Kind, idle bool) {
	a.charge()
	for len(a.frames) > 0 {
		a.stats.Unreturned++
		a.pop(false)
	}
	if idle && kind == kernel.Round && a.restart(a.main) {
		return
	}
	if m := a.main; m != nil {
		a.main = nil
		if idle && m.Vector == LoopVector && m.live == 1 {
			a.drop(m)
		} else {
			m.lastCycle, m.lastItem = a.now, a.item
			a.release(m, true)
		}
	}
	if kind == kernel.Round {
		a.main = a.begin(LoopVector)
		a.main.main = true
	}
	if a.opt.Switched != nil {
		a.tell()
	}
}

// restart makes an instance that of the next round, if it can: none has begun since.
func (a *Anatomist) restart(m *instance) bool {
	if m == nil || a.opt.Restarted == nil || m.Vector != LoopVector || m.live != 1 || m.Serial+1 != a.serial {
		return false
	}
	m.Start, m.StartItem, m.Ran, m.Spans, m.MoreSpans = a.now, a.item, 0, m.Spans[:0], 0
	a.opt.Restarted(&m.Interval)
	return true
}

// drop forgets an instance.
func (a *Anatomist) drop(i *instance) {
	a.numbers[i.Vector]--
	if i.Serial+1 == a.serial {
		a.serial--
	}
	a.unlink(i)
	if a.opt.Dropped != nil {
		a.opt.Dropped(&i.Interval)
	}
	a.reuse(i)
}

// list adds a task to its instance, and returns its index or -1.
func (a *Anatomist) list(i *instance, t Task) int32 {
	if len(i.Tasks) == a.opt.MaxList {
		i.MoreTasks++
		return -1
	}
	i.Tasks = append(i.Tasks, t)
	return int32(len(i.Tasks) - 1)
}

// release takes one live thing from an instance, which ends with the last. seen: that thing came to its end.
func (a *Anatomist) release(i *instance, seen bool) {
	if i == nil {
		return
	}
	i.live--
	i.broken = i.broken || !seen
	if i.live > 0 {
		return
	}
	a.conclude(i)
	if !a.opt.ByStart {
		a.report(i)
		return
	}
	for i := a.first; i != nil && (i.done || i.main); {
		next := i.next
		if i.done {
			a.report(i)
		}
		i = next
	}
}

func (a *Anatomist) conclude(i *instance) {
	i.done = true
	i.Complete = !i.broken
	i.End, i.EndItem = a.now, a.item
	if a.opt.PaperEnd && i.Complete {
		i.End, i.EndItem = i.lastCycle, i.lastItem
	}
}

// report gives an interval to the sink and keeps its memory for the next one.
func (a *Anatomist) report(i *instance) {
	a.unlink(i)
	if i.Complete {
		a.stats.Complete++
	} else {
		a.stats.Incomplete++
	}
	a.sink(&i.Interval)
	a.reuse(i)
}

// unlink takes an instance out of the list.
func (a *Anatomist) unlink(i *instance) {
	if i.prev == nil {
		a.first = i.next
	} else {
		i.prev.next = i.next
	}
	if i.next == nil {
		a.last = i.prev
	} else {
		i.next.prev = i.prev
	}
	a.open--
}

// reuse keeps the memory of an instance for another one.
func (a *Anatomist) reuse(i *instance) {
	if a.spares < maxSpares {
		i.prev, i.next = nil, a.spare
		a.spare, a.spares = i, a.spares+1
	}
}

// abandon ends all that is open, in order of start: nothing after this is related to anything before.
func (a *Anatomist) abandon() {
	a.charge()
	for _, f := range a.frames {
		if f.isTask() && f.slot >= 0 {
			a.endTask(f, false)
		}
	}
	a.frames, a.handlers, a.main = a.frames[:0], 0, nil
	a.queue.clear()
	for a.first != nil {
		i := a.first
		if !i.done {
			i.broken = true
			a.conclude(i)
		}
		a.report(i)
	}
}
