package intervals

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
	if i.Complete {
		a.stats.Complete++
	} else {
		a.stats.Incomplete++
	}
	a.sink(&i.Interval)
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
